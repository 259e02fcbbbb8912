"""What went wrong, in the words of the pages: no operation is named, and a field is called as its form calls it."""

import ast
import re
from collections.abc import Sequence
from dataclasses import dataclass

from bigmind.core.activity import PausedError
from bigmind.core.errors import BigMindError, FieldProblem
from bigmind.core.plain_text import one_line

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
        detail: what was given and what is expected, where that says more, a line each; else empty. No secret is in it.
    """

    message: str
    fields: Sequence[FieldError] = ()
    detail: str = ""


_SENTENCE = re.compile(r"(?<=[.;]) ")
_COMMAND = re.compile(r"`[^`]*`")
_FOR_ASSISTANTS = re.compile(r"^(?:Pass|Call) |\b[a-z]+=|\b[a-z]+_[a-z_]+\b")
"""A sentence that says which operation to call, or what to pass to one."""

_CHOICE = re.compile(r"'([a-z_]+)'")
"""One of the few values that a field may have, as an error tells it."""
_IN_WORDS = {"chunk": "moment"}

_WHY_MISSING = "It may have been forgotten for good, or the address is incomplete."


def in_words(error: BigMindError, of_form: bool = False, of_text: bool = False) -> ErrorMessage:
    """The error as a page tells it.

    Args:
        error: what went wrong.
        of_form: whether a form of an open page was sent, which knew what is missing now.
        of_text: whether that form holds what the person wrote.
    """
    if isinstance(error, PausedError):
        how = "Resume it at the top of any page or in Settings, then do this again."
        return ErrorMessage(f"BigMind is paused, so nothing was stored. {how}")
    if _NO_EXPORT in error.message:
        why = error.message.partition(_NO_EXPORT)[2]
        return ErrorMessage("This file is not an export of BigMind. Nothing was changed.", detail=_sentence(why))
    if error.missing:
        return _missing(error.missing, of_form=of_form, of_text=of_text)
    hint = _for_people(error.hint)
    if not error.problems:
        return ErrorMessage(f"{error.message} {hint}".strip())
    if not error.message.startswith((_OF_AN_INPUT, _OF_A_FIELD)):
        return ErrorMessage(
            error.message, [FieldError(each.field, _expected(each)) for each in error.problems], _given(error)
        )
    is_plain = error.message == _OF_A_FIELD
    fields = [FieldError(_label(each.field), _expected(each) if is_plain else _right(each)) for each in error.problems]
    return ErrorMessage("Nothing was done. Please put this right:", fields, _given(error))


def page_title(error: BigMindError) -> ErrorMessage:
    """The error as a page of its own: a heading, and in `detail` what stands below it."""
    if error.missing:
        return ErrorMessage(f"There is no such {error.missing}", detail=_WHY_MISSING)
    hint = _for_people(error.hint)
    problems = [f"{_label(each.field)}: {_expected(each)}" for each in error.problems]
    return ErrorMessage(error.message, detail=" ".join([hint, *problems]).strip())


def _given(error: BigMindError) -> str:
    """What stood in each field, in words, and what is expected there; without what looks like a secret."""
    from bigmind.secrets.masking import mask  # noqa: PLC0415 - its rules are loaded at the first use

    lines = [f"{_label(each.field)}: given {_value(each.value)}. Expected: {_right(each)}." for each in error.problems]
    return mask("\n".join([*lines, _for_people(error.hint)]).strip()).text


def _value(shown: str) -> str:
    """A value as a person wrote it: an error tells it as Python writes it, and may cut it off."""
    if shown.startswith(("[", "{")):
        return "a list" if shown.startswith("[") else "several values"
    if not shown.startswith(("'", '"')):
        return {"None": "nothing", "True": "yes", "False": "no"}.get(shown, shown)
    try:
        text = one_line(str(ast.literal_eval(shown)))
    except (ValueError, SyntaxError):  # cut off, perhaps in the midst of a secret: up to its last blank
        whole = one_line(shown[1:].replace("\\n", " ")).rpartition(" ")[0]
        return f"“{whole} …”" if whole else "a long text"
    return f"“{text}”" if text else "nothing"


def _sentence(text: str) -> str:
    return f"{text[:1].upper()}{text[1:]}"


def _missing(kind: str, *, of_form: bool, of_text: bool) -> ErrorMessage:
    if not of_form:
        return ErrorMessage(f"There is no such {kind}. {_WHY_MISSING}")
    rest = "your text is still here" if of_text else "nothing else was changed"
    return ErrorMessage(f"This {kind} was forgotten meanwhile; {rest}.")


def _for_people(text: str) -> str:
    """A text of ours without the sentences that are for assistants; commands of a terminal are for people too."""
    kept = [each for each in _SENTENCE.split(text) if not _FOR_ASSISTANTS.search(_COMMAND.sub("", each))]
    return " ".join(kept)


def _expected(problem: FieldProblem) -> str:
    return _for_people(problem.expected).rstrip(";") or "something else"


def _label(field: str) -> str:
    return field.partition(".")[0].replace("_id", "").replace("_", " ").capitalize()


def _right(problem: FieldProblem) -> str:
    """What would be right, without what only assistants are told of the field."""
    expected = problem.expected.partition(" (")[0]
    if expected in {"at least 1 character", "a value: the field is required"}:
        return "something must stand here"
    if expected == "true or false":
        return "yes or no"
    return _CHOICE.sub(lambda found: _IN_WORDS.get(found[1], found[1].replace("_", " ")), expected)
