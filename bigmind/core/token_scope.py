"""The scope of a token: what it is limited to, whatever its client is offered. Unlike a toolset's list it is enforced.

What an operation needs of a scope stands here, so that every surface asks one question: does it allow that?
"""

import json
from collections.abc import Collection, Iterable
from dataclasses import dataclass
from typing import Any

from bigmind.core.errors import BigMindError, Code
from bigmind.core.kind import Kind
from bigmind.core.operation import Effect, Operation
from bigmind.core.shapes import as_object, is_list, is_object
from bigmind.core.toolsets import Toolset, offers

HOOKS = "hooks"
"""The toolset of what clients' hooks ask; it is of the memory, and no person names it."""

_OF_MEMORY = frozenset({Toolset.DEFAULT, Toolset.MEMORY})
_EVERY_TOOLSET = frozenset({Toolset.MEMORY, Toolset.BRAIN, Toolset.WORK, Toolset.MINDSPACE, Toolset.PROTOCOL})

REACHES = {
    "brain_promote": frozenset({Toolset.MEMORY, Toolset.BRAIN}),
    "memory_export": _EVERY_TOOLSET,
    "memory_import": _EVERY_TOOLSET,
}
"""What takes things of several toolsets: a token that is limited to some needs all of these."""

COUNTS_READS = frozenset({"query_brain"})
"""What only reads, and writes down that it was read: a token that only reads may ask it."""

KEEPS_NOTHING = frozenset({"hook_session_start", "hook_prompt", "hook_stop", "hook_session_end"})
"""What is answered under a token that only reads as while BigMind is paused: it writes nothing, and disturbs nobody."""

IN_EVERY_SCOPE = frozenset({"hook_edit"})
"""What guards a person's files, and tells nothing of the memory: no toolset is needed for it."""

NOTHING = "nothing"
_FIELDS = frozenset({"toolsets", "read_only", "work_roles"})


@dataclass(frozen=True, slots=True)
class TokenScope:
    """What a token is limited to; where it is limited to nothing at all, it has no scope.

    Attributes:
        toolsets: whose operations it may use; empty: any.
        read_only: whether it may only read.
        work_roles: the work roles that its agents may act in, as far as these were given them; empty: any.
        fault: why it cannot be read; it allows nothing then.
    """

    toolsets: tuple[Toolset, ...] = ()
    read_only: bool = False
    work_roles: tuple[str, ...] = ()
    fault: str = ""

    def allows(self, operation: Operation) -> bool:
        """Whether an operation is within it."""
        if self.fault or (self.read_only and not _only_reads(operation)):
            return False
        if not self.toolsets or operation.name in IN_EVERY_SCOPE:
            return True
        if operation.toolset == HOOKS:
            return not _OF_MEMORY.isdisjoint(self.toolsets)
        return REACHES.get(operation.name, frozenset[str]()) <= {*self.toolsets} and offers(self.toolsets, operation)

    def tells_of(self, toolsets: Collection[str]) -> bool:
        """Whether what it allows may tell of things that belong to one of these toolsets."""
        if self.fault:
            return False
        mine = {*self.toolsets, *([Toolset.MEMORY] if Toolset.DEFAULT in self.toolsets else [])}
        return not mine or not mine.isdisjoint(toolsets)

    def roles_among(self, roles: Iterable[str]) -> tuple[str, ...]:
        """Of work roles, those that it allows."""
        if self.fault:
            return ()
        return tuple(each for each in roles if not self.work_roles or each in self.work_roles)

    def in_words(self) -> str:
        """As people and models read it."""
        if self.fault:
            return f"{NOTHING}, for it cannot be read: {self.fault}"
        parts = [
            ", ".join(self.toolsets),
            "only reading" if self.read_only else "",
            f"as {' or '.join(self.work_roles)} at work" if self.work_roles else "",
        ]
        return "; ".join(filter(None, parts))

    def as_json(self) -> str:
        """As it is stored."""
        told: dict[str, Any] = {
            "toolsets": [*self.toolsets],
            "read_only": self.read_only,
            "work_roles": [*self.work_roles],
        }
        return json.dumps({name: value for name, value in told.items() if value})


def _only_reads(operation: Operation) -> bool:
    return operation.effect is Effect.READ or operation.name in COUNTS_READS | KEEPS_NOTHING


def limited(toolsets: Iterable[Toolset], work_roles: Iterable[str], *, read_only: bool) -> TokenScope | None:
    """The scope of a token that is limited so; None where that is no limit. `all` of the toolsets is none."""
    named = tuple(dict.fromkeys(toolsets))
    scope = TokenScope(() if Toolset.ALL in named else named, read_only, tuple(dict.fromkeys(work_roles)))
    return scope if scope != TokenScope() else None


def scope_in(stored: str) -> TokenScope | None:
    """The scope that is stored with a token; None where none is.

    One that this version does not understand, whole, allows nothing: what was left out of it would widen it.
    """
    if not stored:
        return None
    try:
        told: object = json.loads(stored)
    except (ValueError, RecursionError):
        return TokenScope(fault="it is no JSON")
    if fault := _fault_in(told):
        return TokenScope(fault=fault)
    told = as_object(told)
    toolsets = map(Toolset, told.get("toolsets", []))
    scope = limited(toolsets, told.get("work_roles", []), read_only=told.get("read_only", False))
    return scope or TokenScope(fault="it limits nothing, and stands there for a limit")


def _fault_in(told: object) -> str:
    """What of a stored scope cannot be read, or means what nobody can choose; empty where all of it can."""
    unknown_form = "it is not of the form that this version knows"
    if not is_object(told) or not told.keys() <= _FIELDS:
        return unknown_form
    toolsets, roles = told.get("toolsets", [NOTHING]), told.get("work_roles", [NOTHING])
    if not (_are_names(toolsets) and _are_names(roles) and told.get("read_only", True) is True):
        return unknown_form
    unknown = next((each for each in told.get("toolsets", []) if each not in list(Toolset)), "")
    return f"it names the toolset {unknown[:40]!r}, which this version does not know" if unknown else ""


def _are_names(value: object) -> bool:
    return is_list(value) and bool(value) and all(isinstance(each, str) and each for each in value)


def kinds_within(scope: TokenScope | None, kinds: Iterable[Kind]) -> list[Kind]:
    """Of kinds of things, those that a token with that scope is told of."""
    return [each for each in kinds if scope is None or scope.tells_of(each.toolsets)]


def refusal(what: str, scope: TokenScope, username: str) -> BigMindError:
    """What a token is told that may not use something, and who can give it a wider one."""
    return BigMindError(
        Code.FORBIDDEN,
        f"{what} is not within the scope of this token: {scope.in_words()}.",
        f"Do without it. A scope is never changed; {username} can make another token (`bigmind token create`, or "
        "Settings, under Tokens), or an admin can (`bigmind user token`).",
    )
