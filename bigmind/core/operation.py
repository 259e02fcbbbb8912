"""The record of one operation: declared once, offered by every surface."""

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any

from bigmind.core.client_names import agent_of


class Effect(StrEnum):
    """What an operation does to the store; decides the kind of transaction and the hints a client gets."""

    READ = "read"
    WRITE = "write"
    DESTRUCTIVE = "destructive"


class Role(StrEnum):
    """What a user may do, in rising order."""

    MEMBER = "member"
    CURATOR = "curator"
    ADMIN = "admin"

    def includes(self, other: "Role") -> bool:
        """Whether this role may do what `other` may."""
        ranks = list(Role)
        return ranks.index(self) >= ranks.index(other)


class Mode(StrEnum):
    """How many people share a store, and so who approves what they know in common."""

    PERSONAL = "personal"
    TEAM = "team"


class Space(StrEnum):
    """Who may find a thing that its user need not keep to themselves."""

    SHARED = "shared"
    PRIVATE = "private"


class Surface(StrEnum):
    """Where an operation is offered."""

    MCP = "mcp"
    API = "api"
    CLI = "cli"


ALL_SURFACES = frozenset(Surface)
FOR_PEOPLE = frozenset({Surface.API, Surface.CLI})
"""Where what models are not offered is offered."""


Offer = frozenset[str] | None
"""The names of the tools that a client is offered; None: all of them, as for people and programs."""


NO_TOOLS = ("memory_queried", "memory_contributed", "memory_query_session", "memory_contribution_id", "work_item")
"""Gates, fields and kinds that are called as a tool could be."""

_TOOL = re.compile(
    rf"\b(?!(?:{'|'.join(NO_TOOLS)})\b)(?:(?:memory|brain|work|mindspace)_[a-z_]+|directory_(?:list|find|choose)"
    r"|query_brain|contribute_to_brain"
    r"|session_(?:start|end)|validate_gate|advance_phase|record_evidence|get_blocked_reason)\b"
)


def first_offered(offer: Offer, *names: str) -> str:
    """The first of these tools that is offered; empty when none is."""
    return next((name for name in names if offer is None or name in offer), "")


def offered_only(offer: Offer, sentences: Iterable[str]) -> list[str]:
    """Of sentences of ours, those that name no tool beyond the offer. What is stored may name any: never pass that."""
    return [each for each in sentences if offer is None or offer.issuperset(_TOOL.findall(each))]


def offered_part(offer: Offer, text: str) -> str:
    """A text of ours, without the sentences that name a tool beyond the offer."""
    lines = (" ".join(offered_only(offer, re.split(r"(?<=[.;]) ", line))) for line in text.split("\n"))
    return "\n".join(f"{line[:-1]}." if line.endswith(";") else line for line in lines if line)


class Presence(StrEnum):
    """Where a request comes from, as the server itself knows it: no header, name or input says so.

    Only the window and a passphrase prove a person. The others can be used by every program of the account.
    """

    WINDOW = "window"
    """The app's own window, signed in over the pipe that the core holds."""
    PASSPHRASE = "passphrase"  # noqa: S105 - no secret
    """A page in a browser, with the person's passphrase given for this one request."""
    PAGE = "page"
    COMMAND_LINE = "command_line"
    TRAY = "tray"
    CLIENT = "client"
    """An assistant's token, over the bridge or HTTP."""
    PROGRAM = "program"
    """BigMind itself, and whatever says nothing else."""

    @property
    def is_in_person(self) -> bool:
        """Whether it proves a person."""
        return self in {Presence.WINDOW, Presence.PASSPHRASE}


@dataclass(frozen=True, slots=True)
class TokenScope:
    """What a token is limited to (`operations/token_scope.py` enforces it); one without any limit has no scope.

    Attributes:
        toolsets: whose operations it may use; empty: any.
        read_only: whether it may only read.
        work_roles: the work roles that its agents may act in, as far as these were given them; empty: any.
        fault: why it cannot be read; it allows nothing then.
    """

    toolsets: tuple[str, ...] = ()
    read_only: bool = False
    work_roles: tuple[str, ...] = ()
    fault: str = ""

    def roles_among(self, roles: Iterable[str]) -> tuple[str, ...]:
        """Of work roles, those that it allows."""
        return () if self.fault else tuple(each for each in roles if not self.work_roles or each in self.work_roles)

    def in_words(self) -> str:
        """As people and models read it."""
        if self.fault:
            return f"nothing, for it cannot be read: {self.fault}"
        parts = (
            ", ".join(self.toolsets),
            "only reading" if self.read_only else "",
            f"as {' or '.join(self.work_roles)} at work" if self.work_roles else "",
        )
        return "; ".join(filter(None, parts))


@dataclass(frozen=True, slots=True)
class Caller:
    """Who asks: a user, by a client's token, over a connection.

    `client` names the token's client, and behind a slash what it calls itself (`client_names.py`). `connection` is the
    transport session, when there is one: writes without a session id go to the memory session opened on it.
    `project` is the workspace the client works in, when it or its bridge said so; `workspace` is its folder on this
    machine, which proves nothing and opens nothing. `offer` is what its request is offered over MCP; elsewhere it
    is asked for with `usage/offer.py`. `presence` is where the request comes from: `is_person` says that a person's
    own tool asks, `presence.is_in_person` that the person does. `agent_name` is how the client wants to be shown
    beside what it contributes; it proves nothing. `scope` is what its token is limited to; None: to nothing.
    """

    user_id: int
    username: str
    role: Role
    client: str
    token_id: int
    connection: str | None = None
    is_person: bool = False
    project: str | None = None
    offer: Offer = None
    presence: Presence = Presence.PROGRAM
    agent_name: str = ""
    workspace: str = ""
    scope: TokenScope | None = None

    @property
    def agent(self) -> str:
        """Whom its client is taken for where BigMind keeps its books; no source of anything: it may be a claim."""
        return agent_of(self.client)


_ON_PAGES = frozenset({Presence.PAGE, Presence.PASSPHRASE})


def may_name_any(caller: Caller, mode: Mode) -> bool:
    """Whether any place of the disk may be named: by a person; in a team by an admin, or at the server's machine."""
    is_at_machine = mode is Mode.PERSONAL or caller.presence not in _ON_PAGES
    return caller.is_person and (is_at_machine or caller.role.includes(Role.ADMIN))


@dataclass(frozen=True, slots=True)
class Operation:
    """A use case as the outside sees it.

    Attributes:
        name: stable, `feature_verb_noun`; the MCP tool's name, and the API's and the CLI's after their own custom.
        title: for people, a few words.
        description: read by a model on every call: what it does, beginning with when to call it.
        function: takes the unit of work and the input's fields by keyword; returns an answer.
        input_model: the pydantic model of the input, made from the function's signature.
        output_model: the pydantic model of the answer.
        people_only: refused to the token of an agent, whatever its user's role.
        in_person: refused wherever nothing proves a person: done in the app's window, or on a page with the passphrase.
        in_window: in person, and in the app's window alone: a passphrase is not enough.
        idempotent: repeating it with the same input changes nothing more.
        takes_access: the function takes an `Access` in place of a unit of work and opens units of its own, because
            what it does is too long for one, or concerns the store as a whole. A process that ends between
            the work and its receipt leaves no receipt: a retry with the same idempotency key does it again then.
        while_paused: works while BigMind is paused, because what it changes is not the memory but settings, tokens or
            files beside the store; what only reads always does.
        in_team: assistants are offered it on a team's server; elsewhere it is in none of their lists, and costs none.
        mends: works while the memory is missing or damaged, because it is how that ends.
        beside_memory: a person may use it while the memory is missing, because what it tells or changes is not in it;
            whatever else reads would answer as if the memory were new.
        looks: what it finds out first, in a unit of work of its own that only reads, so that whoever writes waits for
            none of it: of the unit of work and the inputs; the function is handed the answer as `found`.
        gathers: what it then sees outside of the store, such as files: of what `looks` found. No unit of work is open
            meanwhile, and no reader or writer waits; its answer is handed on as `found`.
        rests_on_brain: what it does needs the brain; where the store cannot be read or written, it says so and to wait.
        is_harmless: clients are told that it only reads, though it writes: it changes nothing that anybody said.
        projects: the inputs that name a project, and what `*` becomes in each.
        masks: secrets in its texts are masked before it sees them; not where a secret is what it works with.
    """

    name: str
    title: str
    description: str
    effect: Effect
    function: Callable[..., Any]
    input_model: Any
    output_model: Any
    toolset: str = "memory"
    permission: Role = Role.MEMBER
    idempotent: bool = False
    people_only: bool = False
    in_person: bool = False
    in_window: bool = False
    in_team: bool = False
    takes_access: bool = False
    while_paused: bool = False
    mends: bool = False
    beside_memory: bool = False
    masks: bool = True
    looks: Callable[..., Any] | None = None
    gathers: Callable[[Any], Any] | None = None
    rests_on_brain: bool = False
    is_harmless: bool = False
    projects: Mapping[str, str | None] = field(default_factory=dict[str, str | None])
    surfaces: frozenset[Surface] = field(default=ALL_SURFACES)
