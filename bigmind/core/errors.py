"""The one error vocabulary: a stable code, what was wrong, and what would be right. Each surface translates it once."""

from dataclasses import dataclass
from enum import StrEnum


class Code(StrEnum):
    """Stable error codes, part of the public interface; never renamed."""

    INVALID_INPUT = "invalid_input"
    NOT_FOUND = "not_found"
    AMBIGUOUS = "ambiguous"
    CONFLICT = "conflict"
    SESSION_NOT_FOUND = "session_not_found"
    NO_RUN = "no_run"
    WORKSPACE_NOT_OPENED = "workspace_not_opened"
    MUTUAL_EXCLUSION = "mutual_exclusion"
    MIN_CONSOLIDATION = "min_consolidation"
    FORBIDDEN = "forbidden"
    IN_PERSON = "in_person"
    UNAUTHENTICATED = "unauthenticated"
    BAD_REQUEST = "bad_request"
    TOO_LARGE = "too_large"
    STORE_IN_USE = "store_in_use"
    STORE_UNUSABLE = "store_unusable"
    STORAGE_FULL = "storage_full"
    CANCELLED = "cancelled"
    UNAVAILABLE = "unavailable"
    BRAIN_UNAVAILABLE = "brain_unavailable"
    INTERNAL = "internal"


HTTP_STATUS: dict[Code, int] = {
    Code.INVALID_INPUT: 422,
    Code.NOT_FOUND: 404,
    Code.AMBIGUOUS: 409,
    Code.CONFLICT: 409,
    Code.SESSION_NOT_FOUND: 404,
    Code.NO_RUN: 409,
    Code.WORKSPACE_NOT_OPENED: 403,
    Code.MUTUAL_EXCLUSION: 400,
    Code.MIN_CONSOLIDATION: 400,
    Code.FORBIDDEN: 403,
    Code.IN_PERSON: 403,
    Code.UNAUTHENTICATED: 401,
    Code.BAD_REQUEST: 400,
    Code.TOO_LARGE: 413,
    Code.STORE_IN_USE: 503,
    Code.STORE_UNUSABLE: 503,
    Code.STORAGE_FULL: 507,
    Code.CANCELLED: 409,
    Code.UNAVAILABLE: 503,
    Code.BRAIN_UNAVAILABLE: 503,
    Code.INTERNAL: 500,
}
"""The HTTP status of each code; 507 is WebDAV's Insufficient Storage (RFC 4918, 11.5)."""


RETRY_SECONDS = 30
"""After which what rests on the brain is tried again, once the brain is down."""

_DOWN = frozenset({Code.UNAVAILABLE, Code.STORE_IN_USE, Code.STORE_UNUSABLE, Code.STORAGE_FULL})


@dataclass(frozen=True, slots=True)
class FieldProblem:
    """One input field that was not right: which, what stood there (shortened), and what would be right."""

    field: str
    value: str
    expected: str

    def __str__(self) -> str:
        return f"{self.field}: got {self.value}; expected {self.expected}"


class BigMindError(Exception):
    """A fault that a caller can understand and act on.

    Args:
        code: what kind of fault, for programs.
        message: what was wrong and where, one sentence, for people and models.
        hint: what would be right, or what to call instead; may be empty.
        problems: for `INVALID_INPUT`, one entry per field.
        missing: of what there is none of that id, such as `fact`; empty where the fault is another.
    """

    def __init__(
        self, code: Code, message: str, hint: str = "", problems: tuple[FieldProblem, ...] = (), missing: str = ""
    ) -> None:
        super().__init__(message)
        self.code = code
        self.message = message
        self.hint = hint
        self.problems = problems
        self.missing = missing

    def __str__(self) -> str:
        lines = [self.message, *(f"- {problem}" for problem in self.problems)]
        if self.hint:
            lines.append(self.hint)
        return "\n".join(lines)


def not_found(kind: str, reference: object, hint: str) -> BigMindError:
    """What is said of an id that does not exist, and equally of one that belongs to somebody else."""
    return BigMindError(Code.NOT_FOUND, f"There is no {kind} {str(reference)[:60]!r}.", hint)


def unknown(kind: str, reference: object, hint: str) -> BigMindError:
    """The same of what is kept in the memory, and may have been forgotten."""
    error = not_found(kind, reference, hint)
    return BigMindError(error.code, error.message, hint, missing=kind)


def brain_unavailable(fault: BigMindError) -> BigMindError:
    """What is said of a fault by which the store cannot be read or written, to who rests on the brain; else the fault.

    Nothing was changed, so that waiting is all there is to do.
    """
    if fault.code not in _DOWN:
        return fault
    return BigMindError(
        Code.BRAIN_UNAVAILABLE,
        f"The brain is down, and nothing moves without it. {fault.message}",
        f"Retry after {RETRY_SECONDS} seconds: wait, and never go round it. The item and its claim stay as they are. "
        f"{fault.hint}".rstrip(),
    )


def in_person(what: str) -> BigMindError:
    """Something is done in person only, and nothing proved a person; `what` begins a sentence."""
    return BigMindError(
        Code.IN_PERSON,
        f"{what} is done in person: in BigMind's window, or on its pages with your passphrase.",
        "`bigmind app` opens the window, `bigmind open` the pages. A token, a link or a command proves no person.",
    )


def in_window(what: str) -> BigMindError:
    """Something is done in the app's window only; `what` begins a sentence."""
    return BigMindError(
        Code.IN_PERSON,
        f"{what} is done in BigMind's window, and nowhere else.",
        "`bigmind app` opens it. A token, a sign-in link, a command and a passphrase are not enough.",
    )


def invalid(field: str, value: object, expected: str, missing: str = "") -> BigMindError:
    """One field of an operation's input was not right; `missing` as of `BigMindError`, where no id is like that."""
    problem = FieldProblem(field, shown(value), expected)
    return BigMindError(Code.INVALID_INPUT, "The input is not valid.", problems=(problem,), missing=missing)


def shown(value: object, most: int = 80) -> str:
    """A value as an error may show it: on one line, at most `most` characters.

    A backslash stands twice only beside what is written with one, as a line break is: else it is one of Windows' paths.
    """
    text = repr(value)
    if isinstance(value, str) and value.isprintable():
        text = text.replace(r"\\", "\\")
    return text if len(text) <= most else f"{text[: most - 1]}…"
