"""The tiers of the context: what each of them says, what it is assured of, and who gets what another leaves."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from bigmind.core.operation import Offer, first_offered
from bigmind.memory.answers import TABLE_HEAD
from bigmind.memory.context.budget import Line, Section, Tier
from bigmind.memory.context.lines import (
    ContextReader,
    alternating,
    fact_lines,
    hypothesis_lines,
    knowledge_lines,
    pinned_lines,
    profile_lines,
    session_lines,
    thought_lines,
    work_line,
)
from bigmind.memory.context.selection import (
    PINNED,
    ContextQuery,
    SelectedFacts,
    known_facts,
    known_hypotheses,
    known_knowledge,
    known_profile,
    known_sessions,
    others_names,
    sentences_of,
)
from bigmind.memory.facts.contradictions import contradictions_among
from bigmind.memory.profile.withheld import ToldProfile
from bigmind.memory.sessions.service import session_rows
from bigmind.memory.tables import Fact
from bigmind.operations.token_scope import kinds_within
from bigmind.text.contradiction import is_certain
from bigmind.text.phrasing import counted

TOTAL = 1_300
WORK, MOST_WORK = 110, 160
"""Tokens of what the reader is at work on, or of what waits for it; where there is nothing, none."""
KNOWLEDGE, MOST_KNOWLEDGE = 200, 500
IDENTITY = 300
FACTS = 360
HYPOTHESES = 80
SESSIONS, MOST_SESSIONS = 260, 800
MOST_TRAVELLED = 120
"""Tokens of what is well-travelled: it is assured of none, and the first that gets what the others leave."""

OF_OTHERS = 2
"""The place of facts of other projects: none costs the person's own, or the project's, a word."""

MOST_COMPARED, MOST_JUDGED = 30, 100
"""Facts of a group that are held against each other, as many as are shown of short ones, and pairs of them that are
judged: a start takes five milliseconds more, and thirty where all are as long and as alike as can be."""

MOST_ENTRIES = 5
MOST_HYPOTHESES = 3
MOST_THOUGHTS = 3

UNREAD = "on this, not read yet"
"""Said of thoughts that are about the project or a topic, and that nobody read: they are travelled by nobody."""

SHOWING_KNOWLEDGE = ("memory_list_global", "memory_search_global", "memory_semantic_search(query, kinds=knowledge)")
SHOWING_PROFILE = ("memory_semantic_search(query, kinds=profile)",)
SHOWING_PINNED = ("memory_semantic_search(query, kinds=[profile, fact])",)
SHOWING_FACTS = ("memory_list_facts", "memory_semantic_search(query, kinds=fact)")
SHOWING_HYPOTHESES = ("memory_list_hypotheses", "memory_semantic_search(query, kinds=hypothesis)")
SHOWING_TRAVELLED = ("query_brain", "memory_semantic_search(query, kinds=thought)")
SHOWING_SESSIONS = ("memory_list_sessions", "memory_semantic_search(query, kinds=session)", "memory_search_chunks")
"""What shows the things of a kind, as it is called, the best first. A search lists nothing without a question: so the
line says that it takes one, and how it is kept to the kind."""


@dataclass(frozen=True, slots=True)
class HeldBack:
    """What instructs its reader and waits for a person: how many things, and whether a part of the profile does."""

    items: int
    is_part_of_profile: bool

    @property
    def total(self) -> int:
        """How much a person has to judge."""
        return self.items + self.is_part_of_profile

    def as_text(self) -> str:
        """The line that says so; empty where nothing waits."""
        held = counted(self.items, "item") if self.items else ""
        part = "a part of the profile" if self.is_part_of_profile else ""
        what = " and ".join(filter(None, (held, part)))
        verb, they = ("is", "it") if self.total == 1 else ("are", "them")
        told = f"⚠ {what[:1].upper()}{what[1:]} {verb} held back until a person accepts {they}"
        return f"{told}: `bigmind memory list-flagged`." if self.total else ""


@dataclass(frozen=True, slots=True)
class Composition:
    """What there is to say in one context.

    Attributes:
        here: for whom and what.
        sessions: how many closed sessions, at most.
        without: the id of a session that the reader knows of already.
        offered: names of the tools that the client is offered; None: all.
    """

    here: ContextQuery
    sessions: int
    without: str
    offered: Offer

    def tiers(self) -> tuple[list[Tier], HeldBack]:
        """The tiers that have something to say, in their order, and what is held back."""
        profile = known_profile(self.here)
        known = known_facts(self.here)
        disputed = self._disputed(known)
        facts = known.without(sentences_of(profile), {*disputed, *disputed.values()})
        is_part = profile is not None and bool(profile.withheld) and not profile.is_empty
        is_whole = profile is not None and bool(profile.withheld) and profile.is_empty
        told = (
            (self._work(), 0),
            self._knowledge(),
            (self._identity(profile, facts.pinned), int(is_whole)),
            self._facts(facts, disputed),
            self._hypotheses(),
            (self._travelled(), 0),
            self._sessions(),
        )
        items = sum(held_back for _, held_back in told)
        return [tier for tier, _ in told if tier.sections], HeldBack(items, is_part_of_profile=is_part)

    def _work(self) -> Tier:
        """The one thing of each kind that the reader is at work on, or else that waits for it."""
        here, lines = self.here, list[Line]()
        for kind in kinds_within(here.work.caller.scope, here.work.kinds):
            if kind.current is not None:
                item = kind.current(here.work, here.project, self.offered)
                if item is not None and (here.since is None or item.at > here.since):
                    lines.append(work_line(self._reader, item))
        return Tier(self._section("### 🛠️ Your work", lines, ()), WORK, MOST_WORK, turn=6)

    def _knowledge(self) -> tuple[Tier, int]:
        known = known_knowledge(self.here, MOST_ENTRIES)
        lines = knowledge_lines(self._reader, known.rows, others_names(self.here.work, known.rows))
        sections = self._section("### 🌐 Company knowledge (Tier G)", lines, SHOWING_KNOWLEDGE, known.total)
        return Tier(sections, KNOWLEDGE, MOST_KNOWLEDGE, turn=3), known.held_back

    def _identity(self, profile: ToldProfile | None, facts: Sequence[Fact]) -> Tier:
        who = [] if profile is None else profile_lines(profile)
        pinned = [] if profile is None else pinned_lines(profile)
        showing = (SHOWING_PINNED if pinned else SHOWING_FACTS) if facts else SHOWING_PROFILE
        pinned += fact_lines(self._reader, facts, place=1, enough=22)
        sections = [
            *self._section("### 👤 Who you are", who, SHOWING_PROFILE),
            *self._section("### 📌 Pinned facts", pinned, showing),
        ]
        return Tier(sections, IDENTITY, TOTAL, turn=4)

    def _facts(self, known: SelectedFacts, disputed: Mapping[str, str]) -> tuple[Tier, int]:
        own, of_project, others = (
            fact_lines(self._reader, rows, place, disputed=disputed, is_spare=place == OF_OTHERS)
            for place, rows in enumerate(known.groups)
        )
        lines = [*alternating(own, of_project), *others]
        sections = self._section("### 🗂️ Stored facts", lines, SHOWING_FACTS, known.total)
        return Tier(sections, FACTS, TOTAL, turn=1), known.held_back

    def _disputed(self, known: SelectedFacts) -> dict[str, str]:
        """The ids of facts that contradict an older one, with its id, where nobody said that both hold.

        Of several older ones one that it excludes for certain, then the newest: so what changed twice is told in the
        order in which it changed.
        """
        near = [fact for rows in (known.pinned, *known.groups) for fact in rows[:MOST_COMPARED]]
        found = contradictions_among(self.here.work, near, MOST_JUDGED)
        found.sort(
            key=lambda pair: (is_certain(pair.later.text, pair.earlier.text), pair.earlier.created_at, pair.earlier.id)
        )
        return {pair.later.uid: pair.earlier.uid for pair in found}

    def _hypotheses(self) -> tuple[Tier, int]:
        known = known_hypotheses(self.here, MOST_HYPOTHESES)
        lines = hypothesis_lines(self._reader, known.rows)
        sections = self._section("### 💭 Open hypotheses", lines, SHOWING_HYPOTHESES, known.total)
        return Tier(sections, HYPOTHESES, TOTAL, turn=5), known.held_back

    def _travelled(self) -> Tier:
        """What the kinds themselves have for it: of the one that has any, the best that are new to the reader."""
        here, sections = self.here, list[Section]()
        for kind in kinds_within(here.work.caller.scope, here.work.kinds):
            if kind.in_context is not None:
                items = kind.in_context(here.work, here.project, here.topics, MOST_THOUGHTS)
                new = [each for each in items if here.since is None or each.at > here.since]
                headings = {True: f"Well-travelled {kind.plural}", False: f"{kind.plural.capitalize()} {UNREAD}"}
                for is_read, heading in headings.items():
                    lines = thought_lines(self._reader, [each for each in new if each.is_read is is_read])
                    sections += self._section(f"### 🧭 {heading}", lines, SHOWING_TRAVELLED)
        return Tier(sections, 0, MOST_TRAVELLED, turn=0)

    def _sessions(self) -> tuple[Tier, int]:
        known = known_sessions(self.here, self.sessions, self.without)
        pinned = {each.uid for each in known.rows if each.placement == PINNED}
        lines = session_lines(self._reader, session_rows(self.here.work, known.rows), pinned)
        heading = f"### 📅 Recent sessions\n{TABLE_HEAD}"
        sections = self._section(heading, lines, SHOWING_SESSIONS, known.total, mark="\n")
        return Tier(sections, SESSIONS, MOST_SESSIONS, turn=2), known.held_back

    @property
    def _reader(self) -> ContextReader:
        return ContextReader(self.here.work.caller.client, self.here.project)

    def _section(
        self, heading: str, lines: Sequence[Line], tools: Sequence[str], total: int | None = None, mark: str = "- "
    ) -> list[Section]:
        """One section, or none without lines; `total` is how many things of the kind there are."""
        tool = next((each for each in tools if first_offered(self.offered, each.partition("(")[0])), "")
        left_out = 0 if total is None else total - len(lines)
        return [Section(heading, lines, left_out, tool, mark)] if lines else []
