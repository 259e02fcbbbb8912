"""What could be learnt, as plain data: where it comes from, and what it would become."""

import hashlib
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Literal

from bigmind.caution.detect import cautions
from bigmind.core.plain_text import one_line, shortened
from bigmind.learning.classification import fact_category, is_of_person, knowledge_category
from bigmind.learning.source_text import Document
from bigmind.learning.statements import LONGEST_STATEMENT, DocumentPart, cuts, telling
from bigmind.memory.projects.names import PERSONAL

MOST_OF_FILE = 40
"""Proposals of one file at a time: the rubbish of one must not drown the rest."""
MOST = 300
LONGEST_SECTION = 4_000
LONGEST_TITLE = 80
LONGEST_OF_PROFILE = 1_000
SHORTENED = "shortened"
LEARNING = "learning"
"""The client under which everything stands that was learnt."""

_TO_NOTE = re.compile(r"\]\([^)\s:]+\.md\)")

Becomes = Literal["fact", "knowledge", "profile", "session"]


@dataclass(frozen=True, slots=True)
class SourcePlace:
    """Where something stands: the file, its headings as one line, and the line (0: it has none)."""

    file: str
    heading: str = ""
    line: int = 0


@dataclass(frozen=True, slots=True)
class ConversationRecord:
    """When an exported conversation was held, and what it was about.

    Attributes:
        key: the service's own id, with the service's name.
        started_at: when.
        ended_at: when the last was said.
        topics: words that several conversations of the export have in their titles.
        summary: how it began, or what the service itself says of it.
    """

    key: str
    started_at: datetime
    ended_at: datetime
    topics: tuple[str, ...] = ()
    summary: str = ""


@dataclass(frozen=True, slots=True)
class Proposal:
    """Something that could be learnt. Its secrets are masked.

    Attributes:
        becomes: what it would be made.
        text: the statement, the content, or the headline of a session.
        client: under which client it would stand.
        category: of a fact or an entry.
        title: of an entry.
        project: which it is about; None for all.
        places: where it stands, the first first.
        note: `shortened`, when not all of it would be kept.
        held: of a session.
    """

    becomes: Becomes
    text: str
    client: str
    category: str = ""
    title: str = ""
    project: str | None = None
    places: tuple[SourcePlace, ...] = ()
    note: str = ""
    held: ConversationRecord | None = None

    @property
    def digest(self) -> str:
        """By which it is recognised, wherever it stands: 64 hexadecimal digits of what it says."""
        said = self.held.key if self.held else one_line(self.text).casefold().removesuffix(".")
        parts = (self.becomes, self.project or "", self.title.casefold(), said)
        return hashlib.sha256("\x1f".join(parts).encode()).hexdigest()


def proposals_of(document: Document) -> list[Proposal]:
    """What could be learnt from a document, in its order."""
    source = document.source
    if source.is_memory and document.fields.get("type"):
        return _of_note(document)
    index = _index_lines(document) if source.is_memory else frozenset[int]()
    found = [_of_cut(document, cut) for cut in cuts(document.text, cautions) if cut.line not in index]
    return _with_profile(found) if source.scope == "user" and not source.is_memory else found


def merged(found: Iterable[Proposal]) -> list[Proposal]:
    """The same that stands in several places, once."""
    by_digest: dict[str, Proposal] = {}
    for each in found:
        first = by_digest.setdefault(each.digest, each)
        if first is not each:
            by_digest[each.digest] = replace(first, places=(*first.places, *each.places))
    return list(by_digest.values())


def bounded(found: Sequence[Proposal], most_of_file: int = MOST_OF_FILE, most: int = MOST) -> list[Proposal]:
    """The first of each file, and of all."""
    counts: dict[str, int] = {}
    kept: list[Proposal] = []
    for each in found:
        file = each.places[0].file
        counts[file] = counts.get(file, 0) + 1
        if counts[file] <= most_of_file and len(kept) < most:
            kept.append(each)
    return kept


def titled(text: str, most: int = LONGEST_TITLE) -> str:
    """A title on one line."""
    return shortened(one_line(text), most)


def section(text: str, title: str, category: str, client: str, place: SourcePlace, project: str | None) -> Proposal:
    """A section as an entry of knowledge."""
    kept = shortened(text, LONGEST_SECTION)
    note = SHORTENED if kept != text else ""
    return Proposal("knowledge", kept, client, category, titled(title), project, (place,), note)


def client_of(name: str) -> str:
    """The client under which stands what was learnt from a file of that name."""
    return shortened(f"{LEARNING} ({one_line(name)})", 80)


def _of_cut(document: Document, cut: DocumentPart) -> Proposal:
    source = document.source
    place = SourcePlace(source.shown, " › ".join(cut.headings), cut.line)
    client = client_of(source.path.name)
    if cut.is_section:
        category = knowledge_category(cut.headings)
        return section(cut.text, _title(document, cut), category, client, place, source.project)
    text = f"{cut.text} (for {document.holds_for})" if document.holds_for else cut.text
    kept = shortened(text, LONGEST_STATEMENT + 200)
    category = fact_category(cut.text, source.scope, document.fields.get("type", ""))
    note = SHORTENED if kept != text else ""
    return Proposal("fact", kept, client, category, "", _owner(category, source.project), (place,), note)


def _owner(category: str, project: str | None) -> str | None:
    """Whose the fact is: one of the person belongs to no project, in whichever folder it was found."""
    return None if category in PERSONAL else project


def _title(document: Document, cut: DocumentPart) -> str:
    """The title of a section: its heading, with what it is about where that is missing."""
    named = [heading for heading in cut.headings if telling(heading)]
    heading = named[-1] if named else (cut.headings or ("Notes",))[-1]
    about = (document.source.project or "").rpartition("/")[2] or document.source.shown
    return f"{heading} ({shortened(about, 30)})"


def _of_note(document: Document) -> list[Proposal]:
    """A note of an assistant's own memory: one thing, with a name and a kind."""
    source, fields = document.source, document.fields
    text = document.text.strip() or fields.get("description", "")
    place, client = SourcePlace(source.shown, fields.get("name", ""), 1), client_of("Claude Code's memory")
    if not text:
        return []
    if len(one_line(text)) > LONGEST_STATEMENT or "```" in text:
        title = fields.get("name") or source.path.stem
        return [section(text, title, knowledge_category([title]), client, place, source.project)]
    category = fact_category(text, source.scope, fields["type"].lower())
    return [Proposal("fact", one_line(text), client, category, "", _owner(category, source.project), (place,))]


def _index_lines(document: Document) -> frozenset[int]:
    """The lines, from 1, that only lead to another note, which is learnt from by itself."""
    lines = document.text.split("\n")
    return frozenset(number for number, line in enumerate(lines, 1) if _TO_NOTE.search(line))


def _with_profile(found: Sequence[Proposal]) -> list[Proposal]:
    """What stands below a heading about the person, together, as a part of their profile."""
    kept: list[Proposal] = []
    for heading, group in _grouped(found):
        own = f"{heading.rpartition(' › ')[2]}: "
        together = [each for each in group if not cautions(each.text)]
        text = "\n".join(f"- {each.text.removeprefix(own)}" for each in together)
        is_short = all(each.becomes == "fact" for each in group) and 0 < len(text) <= LONGEST_OF_PROFILE
        if is_short and is_of_person(heading.rpartition(" › ")[2]):
            kept.append(replace(together[0], becomes="profile", text=text, category=""))
            kept += [each for each in group if each not in together]
        else:
            kept += group
    return kept


def _grouped(found: Sequence[Proposal]) -> Iterator[tuple[str, list[Proposal]]]:
    from itertools import groupby  # noqa: PLC0415 - here alone

    for heading, group in groupby(found, key=lambda each: each.places[0].heading):
        yield heading, list(group)
