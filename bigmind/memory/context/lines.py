"""The lines of the context: how each thing that is known is told, and where it comes from, if that is elsewhere."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from types import MappingProxyType

from bigmind.caution.detect import cautions
from bigmind.core.clock import local
from bigmind.core.ids import short
from bigmind.core.kind import ContextItem, CurrentItem
from bigmind.core.plain_text import one_line, visible
from bigmind.memory.answers import SessionRow
from bigmind.memory.context.block import LineKind, Subject
from bigmind.memory.context.budget import Line, TableRow, TextLine, cut
from bigmind.memory.context.placement import STORED
from bigmind.memory.context.relative_times import is_relative
from bigmind.memory.profile.withheld import ToldProfile
from bigmind.memory.rules import CLOSED_FROM_KNOWN, NORMAL_IMPORTANCE, telling
from bigmind.memory.tables import Fact, Hypothesis, Knowledge
from bigmind.text.lazy_pattern import lazy_pattern
from bigmind.text.phrasing import cell, part, project_part

LONGEST_TEXT = 2_500
"""Characters of a text that are looked at: more than its tier can hold."""

LONGEST_PREFERENCES = 5_000

LONGEST_CELL = 600
"""Characters."""

LONGEST_NAME = 12
"""Tokens of a project, a client or a category in a line."""

MARK = 16
"""Tokens that a fact gets beside `enough` where it is marked: of both only the words are ever cut."""

_FIRST_ITEM = lazy_pattern(r"\A\s*(?:[-*+•]|\d{1,2}[.)])[ \t]+")
_ITEM = lazy_pattern(r"(?<!\s)[.;,]?[ \t]*\r?\n\s*(?:[-*+•]|\d{1,2}[.)])[ \t]+")
"""What stands between an item of a list and what precedes it."""

_QUOTES = str.maketrans({"“": "'", "”": "'"})

HELD_BACK = "[held back]"
"""Stands for the text of a session that instructs its reader."""


@dataclass(frozen=True, slots=True)
class ContextReader:
    """Who the context is for: what is theirs is told without saying so."""

    client: str
    project: str | None

    def source(self, project: str | None, client: str, person: str = "") -> str:
        """Where something comes from, behind it; nothing when that is the reader's own project, client and person."""
        names = (
            _name(project_part(project)) if project and project != self.project else "",
            f"by {_name(client)}" if client and client != self.client else "",
            f"user {_name(person)}" if person else "",
        )
        told = ", ".join(filter(None, names))
        return f" ({told})" if told else ""


def _name(name: str) -> str:
    return cut(part(name), LONGEST_NAME)


def _text(text: str, most: int = LONGEST_TEXT) -> str:
    return visible(one_line(text[:most]))


def knowledge_lines(reader: ContextReader, entries: Sequence[Knowledge], people: dict[int, str]) -> list[Line]:
    """Company knowledge; `people` are the names of others than the reader, by their keys."""
    return [_knowledge_line(reader, each, people.get(each.promoted_by_id or 0, "")) for each in entries]


def _knowledge_line(reader: ContextReader, entry: Knowledge, person: str) -> Line:
    text = f"{entry.title} — {entry.content}"
    return TextLine(
        subject=_of_row(LineKind.KNOWLEDGE, entry, text, entry.updated_at, person),
        label=f"- **[{entry.category}]** ",
        text=_text(text),
        tail=reader.source(entry.project, entry.client, person),
        enough=34,
    )


def profile_lines(profile: ToldProfile) -> list[Line]:
    """Who the reader's user is, and how they like to work."""
    role = TextLine(
        subject=_of_profile(profile, LineKind.PROFILE, "role", profile.role),
        label="**Role:** ",
        text=_text(profile.role),
        enough=24,
        weight=2,
    )
    preferences = TextLine(
        subject=_of_profile(profile, LineKind.PROFILE, "preferences", profile.preferences),
        label="**Preferences:** ",
        text=_text(_in_a_row(profile.preferences), LONGEST_PREFERENCES),
        enough=60,
        weight=6,
    )
    return [line for line in (role, preferences) if line.text]


def _in_a_row(markdown: str) -> str:
    """A list as what stands behind a label in one line: its marks would read as hyphens there."""
    return _ITEM.sub("; ", _FIRST_ITEM.sub("", markdown[:LONGEST_PREFERENCES]))


def pinned_lines(profile: ToldProfile) -> list[Line]:
    """What the profile wants always to be known, in its order."""
    return [
        TextLine(subject=_of_profile(profile, LineKind.PINNED, text, text), label="- ", text=_text(text), enough=10)
        for text in profile.pinned_facts
    ]


def _of_row(kind: LineKind, row: Fact | Hypothesis | Knowledge, text: str, at: datetime, person: str = "") -> Subject:
    return Subject(kind, row.uid, text, row.project, row.client, person, at, row.placement == STORED["pinned"])


def _of_profile(profile: ToldProfile, kind: LineKind, uid: str, text: str) -> Subject:
    return Subject(kind, uid, text, None, "", "", profile.updated_at)


def fact_lines(
    reader: ContextReader,
    facts: Sequence[Fact],
    place: int,
    enough: int = 40,
    disputed: Mapping[str, str] = MappingProxyType({}),
    *,
    is_spare: bool = False,
) -> list[Line]:
    """Facts that stand together at a place; `disputed` has the ids of those that contradict another one, and its."""
    return [
        TextLine(
            subject=_of_row(LineKind.FACT, each, each.text, each.updated_at),
            label=f"- **[{_name(each.category)}]** ",
            text=_text(each.text),
            tail=f" `{short(each.uid)}`{_notes(each, disputed)}{reader.source(each.project, each.client)}",
            enough=enough + MARK if each.uid in disputed else enough,
            place=place,
            is_spare=is_spare,
        )
        for each in facts
    ]


def _notes(fact: Fact, disputed: Mapping[str, str]) -> str:
    against = disputed.get(fact.uid)
    return _when(fact) + (f" (may contradict the older `{short(against)}`)" if against else "")


def _when(fact: Fact) -> str:
    """When a fact was stored whose words mean another day on another day: "until Friday" passes."""
    return f" (stored {local(fact.created_at)[:10]})" if is_relative(fact.text) else ""


def alternating(one: Sequence[Line], other: Sequence[Line]) -> list[Line]:
    """Both, so that the first so many lines give each about half of their tokens, as long as it has any."""
    found: list[Line] = []
    waiting, costs = [[*reversed(one)], [*reversed(other)]], [0, 0]
    while waiting[0] or waiting[1]:
        side = 0 if waiting[0] and (costs[0] <= costs[1] or not waiting[1]) else 1
        found.append(waiting[side].pop())
        costs[side] += found[-1].least
    return found


def hypothesis_lines(reader: ContextReader, hypotheses: Sequence[Hypothesis]) -> list[Line]:
    """What is believed and not yet shown."""
    return [
        TextLine(
            subject=_of_row(LineKind.HYPOTHESIS, each, each.text, each.created_at),
            label=f"- ({each.confidence:.1f}) ",
            text=_text(each.text),
            tail=f" `{short(each.uid)}`{reader.source(each.project, each.client)}",
            enough=22,
        )
        for each in hypotheses
    ]


def thought_lines(reader: ContextReader, thoughts: Sequence[ContextItem]) -> list[Line]:
    """What is well-travelled among agents: fewer rather than in halves, for an insight says why at its end."""
    return [
        TextLine(
            subject=Subject(LineKind.THOUGHT, each.id, each.text, each.project, each.client, each.person, each.at),
            label="- ",
            text=_text(each.text),
            tail=f" `{short(each.id)}`{reader.source(each.project, each.client, each.person)}",
            enough=45,
        )
        for each in thoughts
    ]


def work_line(reader: ContextReader, item: CurrentItem) -> Line:
    """What the reader is at work on, or what waits for it: the title quoted, and behind it what we say of it."""
    source = reader.source(item.project, "")
    return TextLine(
        subject=Subject(LineKind.WORK, item.id, item.title, item.project, item.client, "", item.at),
        label=f"- `{item.slug}` “",
        text=_text(item.title).translate(_QUOTES),
        tail=f"”{source} {item.stand}. {item.step} {item.tool} tells all of it.",
        enough=60,
    )


def session_lines(reader: ContextReader, sessions: Sequence[SessionRow], pinned: Collection[str]) -> list[Line]:
    """Sessions, those first that matter most; told in the order of time, the open ones before the others.

    Of the closed ones those that say something stay longest, and of them the project's: what matters least goes first.
    `pinned` are the ids of those that a person wants to stand there.
    """
    rows = sorted(sessions, key=lambda row: (row.ended_at is None, row.started_at), reverse=True)
    places = {row.session_id: place for place, row in enumerate(rows)}
    rows.sort(key=lambda row: (row.session_id in pinned, *_worth(reader, row)), reverse=True)
    return [_session_line(reader, row, places[row.session_id], is_pinned=row.session_id in pinned) for row in rows]


def _worth(reader: ContextReader, row: SessionRow) -> tuple[bool, int, bool, int, datetime]:
    """What decides whether a session stays when there is no room for all."""
    is_open = row.ended_at is None
    is_here = reader.project is not None and row.project == reader.project
    importance = NORMAL_IMPORTANCE if row.outcome == CLOSED_FROM_KNOWN else row.importance
    return is_open, telling(row.one_liner, row.outcome), is_here, importance, row.started_at


def _session_line(reader: ContextReader, row: SessionRow, place: int, *, is_pinned: bool) -> Line:
    headline, project, client, topics, outcome = row.headline, row.project, row.client, row.topics, row.outcome
    if row.caution:
        headline, project, client, topics, outcome = HELD_BACK, None, "…" if cautions(client) else client, [], ""
    marks = f"{'🟡 ' if row.ended_at is None else ''}{'📄 ' if row.has_detail else ''}{'⚠ ' if row.caution else ''}"
    identifier = f" `{short(row.session_id)}`" if row.ended_at is None or row.has_detail else ""
    source = cell(reader.source(project, client), LONGEST_CELL)
    return TableRow(
        subject=Subject(LineKind.SESSION, row.session_id, headline, project, client, "", row.started_at, is_pinned),
        first=local(row.started_at, "%Y-%m-%d"),
        before=marks,
        behind=f"{identifier} {source}" if source else identifier,
        cells=((_cell(headline), 3), (_cell(", ".join(topics)), 1), (_cell(outcome), 2)),
        enough=34,
        place=place,
    )


def _cell(text: str) -> str:
    return cell(text, LONGEST_CELL)
