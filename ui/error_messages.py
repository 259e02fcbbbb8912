"""What went wrong, in the words of the pages: no operation is named, and a field is called as its form calls it."""

from collections.abc import Sequence
from dataclasses import dataclass

from bigmind.core.activity import PausedError
from bigmind.core.errors import BigMindError, FieldProblem

_OF_AN_INPUT = "The input of "
"""How an error begins that says what an operation takes, with the operation's name and words meant for assistants."""

_OF_A_FIELD = "The input is not valid."
"""An error that an operation itself raises about a field, in words for everybody."""

_NO_EXPORT = "is not an export of BigMind: "
"""What follows it is why, in the words of the format."""


@dataclass(frozen=True, slots=True)
class FieldError:
    """One field that was not right: what a person calls it, and what would be right."""

    field: str
    right: str


@dataclass(frozen=True, slots=True)
class ErrorMessage:
    """What a page says of an error.

    Attributes:
        message: one or two sentences.
        fields: what was not right, field by field.
        detail: the error as every surface tells it, where that says more; else empty.
    """

    message: str
    fields: Sequence[FieldError] = ()
    detail: str = ""


def in_words(error: BigMindError) -> ErrorMessage:
    """The error as a page tells it."""
    if isinstance(error, PausedError):
        how = "Resume it at the top of any page or in Settings, then do this again."
        return ErrorMessage(f"BigMind is paused, so nothing was stored. {how}")
    if _NO_EXPORT in error.message:
        return ErrorMessage("This file is not an export of BigMind. Nothing was changed.", detail=str(error))
    if not error.problems:
        return ErrorMessage(f"{error.message} {error.hint}".strip())
    if not error.message.startswith((_OF_AN_INPUT, _OF_A_FIELD)):
        return ErrorMessage(
            error.message, [FieldError(each.field, each.expected) for each in error.problems], str(error)
        )
    is_plain = error.message == _OF_A_FIELD
    fields = [FieldError(_label(each.field), each.expected if is_plain else _right(each)) for each in error.problems]
    return ErrorMessage("Nothing was done. Please put this right:", fields, str(error))


def _label(field: str) -> str:
    return field.partition(".")[0].replace("_id", "").replace("_", " ").capitalize()


def _right(problem: FieldProblem) -> str:
    """What would be right, without what only assistants are told of the field."""
    expected = problem.expected.partition(" (")[0]
    if expected in {"at least 1 character", "a value: the field is required"}:
        return "something must stand here"
    return expected
