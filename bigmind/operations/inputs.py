"""The typed inputs that operations share: bounds, descriptions, and the text rule applied once, here."""

import json
from dataclasses import dataclass
from datetime import UTC, date, datetime, time
from typing import Annotated, Any, Literal

from pydantic import (
    AfterValidator,
    BeforeValidator,
    Field,
    StringConstraints,
    ValidatorFunctionWrapHandler,
    WrapValidator,
)

from bigmind.core.ids import SHORT
from bigmind.core.plain_text import clean, one_line, seen
from bigmind.core.shapes import is_list
from bigmind.operations.day_words import DAY_OR_TIME, first_day
from bigmind.text.lazy_pattern import lazy_pattern
from bigmind.text.lengths import LONGEST_TOPIC, MOST_TOPICS

MOST_CONTENT = 1_000_000
MOST_QUERY = 100_000

LONGEST_HEADLINE = 120
LONGEST_OUTCOME = 500
MOST_CUT = 100_000
MOST_TOPICS_CUT = 1_000
"""What is cut (`text/lengths.py`) is refused only where it is longer than any model means it."""


def cleaned(value: object) -> object:
    """A text by the rule of `core/plain_text.py`; anything else as it is, for the type's own check."""
    return clean(value) if isinstance(value, str) else value


def _seen(value: object) -> object:
    """The same; empty where a reader would see nothing of it."""
    return seen(clean(value)) if isinstance(value, str) else value


def _query(value: object) -> object:
    """A text to look for; one that shows nothing asks nothing."""
    text = cleaned(value)
    if isinstance(text, str) and text and not seen(text):
        raise ValueError("at least 1 character that is not white space")
    return text


def _one_line(value: object) -> object:
    return one_line(seen(clean(value))) if isinstance(value, str) else value


def split(value: object) -> object:
    """A comma-separated string, a bullet list or a list as JSON where a list is wanted: models send all of them."""
    if not isinstance(value, str):
        return value
    if (listed := _listed(value)) is not None:
        return listed
    lines = value.splitlines() if "\n" in value or value.lstrip().startswith("- ") else value.split(",")
    return [line for each in lines if (line := each.strip().removeprefix("- ").strip())]


def _listed(text: str) -> list[Any] | None:
    """The texts of a list that was written as JSON into a text; None where it is none."""
    if not text.lstrip().startswith("["):
        return None
    try:
        found = json.loads(text)
    except (ValueError, RecursionError):
        return None
    return found if all(isinstance(each, str) for each in found) else None


def without_blanks(value: object) -> object:
    """A list without the items that say nothing: for one of them alone no end of a session is refused."""
    return [each for each in value if _one_line(each) != ""] if is_list(value) else value


def _unique(values: list[str]) -> list[str]:
    return list(dict.fromkeys(values))


LONGEST_MOMENT = 60
"""Characters: no time that is understood, in digits or in words, is longer."""
_NUMBER = lazy_pattern(r"\s*[-+]?[\d.]+\s*")
"""What pydantic takes for seconds since 1970: whoever writes 2026 or 7 means a year or days."""


def _moment(value: object, read: ValidatorFunctionWrapHandler) -> datetime:
    """A date stands for its first moment, a time without a zone for UTC."""
    try:
        if isinstance(value, str) and len(value) == len("2026-03-30"):
            value = datetime.combine(date.fromisoformat(value), time.min, UTC)
        return read(None if _NUMBER.fullmatch(str(value)) else value)
    except ValueError:
        raise ValueError("a date or time like 2026-03-30 or 2026-03-30T09:15:00Z") from None


def _moment_or_word(value: object, read: ValidatorFunctionWrapHandler) -> datetime:
    """The same; a word like yesterday stands for the first moment of its first day."""
    day = first_day(value) if isinstance(value, str) else None
    try:
        return _moment(value if day is None else day.isoformat(), read)
    except ValueError:
        raise ValueError(DAY_OR_TIME) from None


def _aware(value: datetime) -> datetime:
    try:
        return value.replace(tzinfo=UTC) if value.tzinfo is None else value.astimezone(UTC)
    except OverflowError:
        raise ValueError("a time between the years 1 and 9999 in UTC") from None


def _project(value: object) -> object:
    """The address of a repository as `host/path`, so that each clone of it is one project; any other name as it is."""
    from bigmind.local.project import normalised  # noqa: PLC0415 - only where a project is given

    # Cleaned behind it: an address may hold line ends and NUL in code (%0A).
    return one_line(seen(clean(normalised(clean(value))))) if isinstance(value, str) else value


@dataclass(frozen=True, slots=True)
class ProjectName:
    """Marks an input that names a project: the dispatcher hands on the store's one name for it.

    `every` is what `*` becomes.
    """

    every: str | None


@dataclass(frozen=True, slots=True)
class LeastUnsaid:
    """Marks a text whose least length a tool's definition does not say, because its toolset has no room for it."""


@dataclass(frozen=True, slots=True)
class ShapeInWords:
    """Marks an input of many parts that a tool's definition tells in words: another tool has them whole.

    `words` say which parts there are. What checks the input, and OpenAPI, know each of them.
    """

    words: str
    most_parts: int


SECRET: dict[str, Any] = {"format": "password", "writeOnly": True}
"""Marks an input that no error may show, in the words of JSON Schema."""

Line = Annotated[str, BeforeValidator(_one_line)]
Text = Annotated[str, BeforeValidator(_seen), StringConstraints(strip_whitespace=True)]

Content = Annotated[
    str, BeforeValidator(cleaned), Field(min_length=1, max_length=MOST_CONTENT, description="The text, word for word.")
]
FlagReason = Annotated[
    Text, Field(min_length=1, max_length=500, description="Why it is worth keeping: what somebody will look for.")
]
ChunkRole = Annotated[Literal["user", "assistant", "system"], Field(description="Who said it.")]
PROFILE = "profile"
"""Given in place of an id."""
Reference = Annotated[
    Line,
    Field(min_length=SHORT, max_length=36, description="Id, or its first 8 characters."),
]


def _reference_or_profile(value: str) -> str:
    if value.casefold() != PROFILE and len(value) < SHORT:
        raise ValueError(f"at least {SHORT} characters")
    return value


ReferenceOrProfile = Annotated[
    Line,
    Field(min_length=1, max_length=36, description="Id, its first 8 characters, or `profile`."),
    AfterValidator(_reference_or_profile),
]
SessionReference = Annotated[
    Line,
    Field(min_length=SHORT, max_length=36, description="Needed only where several conversations share a client."),
]
SessionFilter = Annotated[
    Line, Field(min_length=SHORT, max_length=36, description="Only in this session; its id, or the first 8 characters.")
]
EVERY_PROJECT = "*"
"""Given as a project: what belongs to the person, and so to all of them."""

Project = Annotated[
    str,
    BeforeValidator(_project),
    Field(min_length=1, max_length=200, description="Git remote, or the workspace folder's name."),
    ProjectName(every=None),
]
ProjectAsWritten = Annotated[str, BeforeValidator(_project), Field(min_length=1, max_length=200)]
ProjectOrPerson = Annotated[
    str,
    BeforeValidator(_project),
    Field(min_length=1, max_length=200, description="Git remote, or folder name; * for all."),
    ProjectName(every=EVERY_PROJECT),
]
ProjectOrNone = Annotated[
    str,
    BeforeValidator(_project),
    Field(max_length=200, description="As a project elsewhere; empty for none."),
    ProjectName(every=""),
]
Topic = Annotated[Line, StringConstraints(to_lower=True, min_length=1, max_length=LONGEST_TOPIC)]
_LongTopic = Annotated[Line, StringConstraints(to_lower=True, min_length=1, max_length=MOST_CUT)]
# The bound of a list stands next to the list: behind a validator pydantic would no longer say what it counts.
Topics = Annotated[
    list[_LongTopic],
    Field(max_length=MOST_TOPICS_CUT),
    BeforeValidator(without_blanks),
    BeforeValidator(split),
    AfterValidator(_unique),
    Field(description=f"A few words each; cut at {MOST_TOPICS}."),
]
"""Here and below: a description names where it is cut. No bound does: a client that checks it would refuse the call."""
Bullet = Annotated[Line, StringConstraints(min_length=1, max_length=1_000)]
Bullets = Annotated[list[Bullet], Field(max_length=100), BeforeValidator(split)]
LastBullets = Annotated[list[Bullet], Field(max_length=100), BeforeValidator(without_blanks), BeforeValidator(split)]
ClientName = Annotated[Line, Field(min_length=1, max_length=80, description="What you are, for example claude-code.")]
OneLiner = Annotated[
    Line,
    Field(
        min_length=1,
        max_length=MOST_CUT,
        description=f"What was done; cut at {LONGEST_HEADLINE} characters.",
    ),
]
Outcome = Annotated[
    Text,
    Field(max_length=MOST_CUT, description=f"What came of it; cut at {LONGEST_OUTCOME} characters."),
]
Confidence = Annotated[float, Field(ge=0, le=1, allow_inf_nan=False, description="0 (a guess) to 1 (certain).")]
Importance = Annotated[int, Field(ge=1, le=10, description="1 to 10.")]
Query = Annotated[
    str, BeforeValidator(_query), Field(min_length=1, max_length=MOST_QUERY, description="Words, names or code.")
]
FilePath = Annotated[
    str, BeforeValidator(cleaned), Field(min_length=1, max_length=4_096, json_schema_extra={"format": "path"})
]
"""A file on the machine of the server; the command line, which runs on the same, reads it from its own folder."""


def _as_words(schema: dict[str, Any]) -> None:
    """A text in a tool's definition: who checks the format of a time would refuse "yesterday" and "7d"."""
    del schema["format"]
    schema["maxLength"] = LONGEST_MOMENT


Since = Annotated[
    datetime,
    WrapValidator(_moment_or_word),
    AfterValidator(_aware),
    Field(
        description="Nothing older: ISO date or time (UTC), yesterday, last week, 7d.",
        json_schema_extra=_as_words,
    ),
]

UnchangedSince = Annotated[
    datetime,
    WrapValidator(_moment),
    AfterValidator(_aware),
    Field(description="When it was last changed as you know it: a newer change refuses the edit."),
]
