"""The record of one operation: declared once, offered by every surface."""

from collections.abc import Callable
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any


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


class Surface(StrEnum):
    """Where an operation is offered."""

    MCP = "mcp"
    API = "api"
    CLI = "cli"


ALL_SURFACES = frozenset(Surface)
FOR_PEOPLE = frozenset({Surface.API, Surface.CLI})
"""Where what models are not offered is offered."""


@dataclass(frozen=True, slots=True)
class Caller:
    """Who asks: a user, by a client's token, over a connection.

    `client` names the token's client (or what the client calls itself), `connection` is the transport session, when
    there is one: writes without a session id go to the memory session opened on it. `project` is the workspace the
    client works in, when it or its bridge said so.
    """

    user_id: int
    username: str
    role: Role
    client: str
    token_id: int
    connection: str | None = None
    is_person: bool = False
    project: str | None = None


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
        idempotent: repeating it with the same input changes nothing more.
        takes_access: the function takes an `Access` in place of a unit of work and opens units of its own, because
            what it does is too long for one, or concerns the store as a whole. A process that ends between
            the work and its receipt leaves no receipt: a retry with the same idempotency key does it again then.
        while_paused: works while BigMind is paused, because what it changes is not the memory but settings, tokens or
            files beside the store; what only reads always does.
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
    takes_access: bool = False
    while_paused: bool = False
    masks: bool = True
    surfaces: frozenset[Surface] = field(default=ALL_SURFACES)
