"""The scope of a token: what it is limited to, whatever its client is offered. Unlike a toolset's list it is enforced.

What an operation needs of a scope stands here, so that every surface asks one question: does it allow that?
"""

import json
from collections.abc import Collection, Iterable
from functools import lru_cache
from typing import Any

from bigmind.core.errors import BigMindError, Code
from bigmind.core.kind import Kind
from bigmind.core.operation import Effect, Operation, TokenScope
from bigmind.core.shapes import as_object, is_list, is_object
from bigmind.core.toolsets import Toolset, ToolTable, offers

HOOKS = "hooks"
"""The toolset of what clients' hooks ask; it is of the memory, and no person names it."""

_OF_MEMORY = frozenset({Toolset.DEFAULT, Toolset.MEMORY})
_EVERY_TOOLSET = frozenset({Toolset.MEMORY, Toolset.BRAIN, Toolset.WORK, Toolset.MINDSPACE, Toolset.PROTOCOL})

REACHES = {
    "brain_promote": frozenset({Toolset.MEMORY, Toolset.BRAIN}),
    "directory_choose": frozenset({Toolset.MEMORY, Toolset.BRAIN}),
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

_ANYTHING = ["anything"]
_FIELDS = frozenset({"toolsets", "read_only", "work_roles"})


def allows(scope: TokenScope, operation: Operation) -> bool:
    """Whether an operation is within a scope."""
    if scope.fault or (scope.read_only and not _only_reads(operation)):
        return False
    if not scope.toolsets or operation.name in IN_EVERY_SCOPE:
        return True
    if operation.toolset == HOOKS:
        return not _OF_MEMORY.isdisjoint(scope.toolsets)
    toolsets = [Toolset(each) for each in scope.toolsets]
    return REACHES.get(operation.name, frozenset[str]()) <= {*toolsets} and offers(toolsets, operation)


def tells_of(scope: TokenScope, toolsets: Collection[str]) -> bool:
    """Whether what a scope allows may tell of things that belong to one of these toolsets."""
    if scope.fault:
        return False
    mine = {*scope.toolsets, *([Toolset.MEMORY] if Toolset.DEFAULT in scope.toolsets else [])}
    return not mine or not mine.isdisjoint(toolsets)


@lru_cache(maxsize=100)
def offer_within(scope: TokenScope | None, tools: ToolTable, offer: frozenset[str]) -> frozenset[str]:
    """Of the names of tools, those that a scope allows; without a scope, all of them."""
    if scope is None:
        return offer
    return frozenset(each for each in offer if allows(scope, tools.operations[each]))


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
    toolsets, roles = told.get("toolsets", _ANYTHING), told.get("work_roles", _ANYTHING)
    if not (_are_names(toolsets) and _are_names(roles) and told.get("read_only", True) is True):
        return unknown_form
    unknown = next((each for each in told.get("toolsets", []) if each not in list(Toolset)), "")
    return f"it names the toolset {unknown[:40]!r}, which this version does not know" if unknown else ""


def _are_names(value: object) -> bool:
    return is_list(value) and bool(value) and all(isinstance(each, str) and each for each in value)


def kinds_within(scope: TokenScope | None, kinds: Iterable[Kind]) -> list[Kind]:
    """Of kinds of things, those that a token with that scope is told of."""
    return [each for each in kinds if scope is None or tells_of(scope, each.toolsets)]


def as_json(scope: TokenScope | None) -> str:
    """As it is stored, and `scope_in` reads it; empty of no scope."""
    if scope is None:
        return ""
    told: dict[str, Any] = {
        "toolsets": [*scope.toolsets],
        "read_only": scope.read_only,
        "work_roles": [*scope.work_roles],
    }
    return json.dumps({name: value for name, value in told.items() if value})


def refusal(what: str, scope: TokenScope, username: str) -> BigMindError:
    """What a token is told that may not use something, and who can give it a wider one."""
    return BigMindError(
        Code.FORBIDDEN,
        f"{what} is not within the scope of this token: {scope.in_words()}.",
        f"Do without it. A scope is never changed; {username} can make another token (`bigmind token create`, or "
        "Settings, under Tokens), or an admin can (`bigmind user token`).",
    )
