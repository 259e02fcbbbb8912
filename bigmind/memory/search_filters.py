"""What narrowed a search, as it is told where nothing answers well."""

from collections.abc import Mapping, Sequence
from datetime import datetime, time

from bigmind.core.clock import iso
from bigmind.core.ids import short
from bigmind.text.phrasing import enumerated, part

NOTHING: Mapping[str, str] = {}
FILTERS = "What alone was looked through, by the names of the inputs; left out where something answers well."


def filters_of(
    project: str | None, since: datetime | None, kinds: Sequence[str] = (), session_id: str | None = None
) -> dict[str, str]:
    """The filters that were given, by their inputs' names."""
    day = since.date().isoformat() if since and since.timetz().replace(tzinfo=None) == time.min else ""
    given = {
        "kinds": ", ".join(kinds),
        "project": project or "",
        "session_id": short(session_id or ""),
        "since": day or (iso(since) if since else ""),
    }
    return {name: value for name, value in given.items() if value}


def within(filters: Mapping[str, str]) -> str:
    """What was looked through, to stand behind a noun: ` of kind fact since 2026-03-30`; empty where it was all."""
    words = {"kinds": "of kind", "project": "of the project", "session_id": "in the session", "since": "since"}
    return "".join(f" {told} {part(filters[name])}" for name, told in words.items() if name in filters)


def otherwise(filters: Mapping[str, str], advice: str = "") -> str:
    """How all would be searched, where it was not, and what else might help; a sentence, or nothing."""
    leave = f"leave {enumerated([*filters])} out to search all" if filters else ""
    told = ", or ".join(filter(None, (leave, advice)))
    return f"{told[:1].upper()}{told[1:]}." if told else ""
