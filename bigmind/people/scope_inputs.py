"""How the scope of a token is chosen when the token is made, and shown afterwards."""

from collections.abc import Sequence
from typing import Annotated, Self

from pydantic import AfterValidator, BeforeValidator, Field

from bigmind.core.errors import BigMindError, Code, FieldProblem, shown
from bigmind.core.operation import TokenScope
from bigmind.core.toolsets import Toolset
from bigmind.operations.catalogue import Part
from bigmind.operations.inputs import Line, split
from bigmind.operations.token_scope import limited
from bigmind.operations.toolset_names import each_once, in_small_letters
from bigmind.store.work import Work

LONGEST_ROLE = 40


def _named(names: object) -> object:
    try:
        return in_small_letters(names)
    except ValueError as error:
        raise ValueError(f"{error}; there are {', '.join(Toolset)}") from None


ScopeToolsets = Annotated[
    list[Toolset],
    Field(min_length=1, max_length=20),
    BeforeValidator(_named),
    AfterValidator(each_once),
    Field(description=f"It may use these alone: of {', '.join(Toolset)}, with commas between them; left out, all."),
]
ReadOnly = Annotated[bool, Field(description="It may only read.")]
ScopeRoles = Annotated[
    list[Annotated[Line, Field(min_length=1, max_length=LONGEST_ROLE)]],
    Field(min_length=1, max_length=40),
    BeforeValidator(split),
    Field(description="At work it acts in these roles alone, as far as they are given it: dev, qa …; left out, all."),
]


class ShownScope(Part):
    """What a token is limited to."""

    toolsets: list[str] = Field(description="Whose operations it may use; empty: any.")
    read_only: bool
    work_roles: list[str] = Field(description="In which it may act; empty: any that it is given.")
    in_words: str

    @classmethod
    def of(cls, scope: TokenScope | None) -> Self | None:
        """A scope as answers tell it; None of a token that has none."""
        if scope is None:
            return None
        return cls(
            toolsets=[*scope.toolsets],
            read_only=scope.read_only,
            work_roles=[*scope.work_roles],
            in_words=scope.in_words(),
        )


def chosen_scope(
    work: Work, toolsets: Sequence[Toolset] | None, work_roles: Sequence[str] | None, *, read_only: bool
) -> TokenScope | None:
    """The scope that is chosen for a new token; None where it is limited to nothing.

    Raises:
        BigMindError: `invalid_input` for a work role that no process has.
    """
    known = known_work_roles(work)
    problems = tuple(
        FieldProblem("work_roles", shown(each, LONGEST_ROLE), f"one of {', '.join(known)}")
        for each in work_roles or ()
        if each not in known
    )
    if problems:
        raise BigMindError(Code.INVALID_INPUT, "The input is not valid.", problems=problems)
    return limited(toolsets or (), work_roles or (), read_only=read_only)


def known_work_roles(work: Work) -> list[str]:
    """The work roles that there are, in the order of their processes."""
    return [role for kind in work.kinds if kind.work_roles is not None for role in kind.work_roles(work)]
