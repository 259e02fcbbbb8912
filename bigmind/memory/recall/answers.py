"""What search over everything answers."""

import operator
from collections import Counter
from collections.abc import Sequence
from datetime import date, datetime

from pydantic import Field

from bigmind.core.clock import local
from bigmind.core.ids import short
from bigmind.core.operation import Offer, first_offered
from bigmind.core.plain_text import one_line, shortened
from bigmind.memory.answers import (
    ANSWERS_WELL,
    CAUTION,
    LOOKED_FOR,
    NEWER,
    ORIGIN,
    SCORE,
    SIMILARITY,
    UNMATCHED,
    WORDS_ONLY,
    found,
    looked_for,
    nearness,
    words_only,
)
from bigmind.memory.id_questions import nothing_with_id
from bigmind.memory.search_filters import FILTERS, otherwise, within
from bigmind.operations.catalogue import Answer
from bigmind.text.phrasing import (
    RECALLED,
    came_from,
    counted,
    doubted,
    enumerated,
    held_in_words,
    part,
    plain,
    replaced,
    warning,
)

EXCERPT = "The stretch that answers; words that were looked for stand between **."
NAMED_TIME = "The first day of a time that the question names and that no hit is of."
NEWEST_FIRST = "The question is nothing but a time: the hits are of it."
DAYS = "The days of that time, in UTC."
NAMED_CATEGORY = "The category of facts that the question is, where not all of them are hits."
SUPERSEDED = "The thought that corrected this one, else refined it; it no longer holds as it stands."
STATUS = "How it ended, of a hypothesis that is no longer open."
CATEGORY = "Of a fact, an entry, and a thought whose words are left out."
_OF_A_TIME = {each: (each,) for each in ("fact", "session", "thought")} | {"knowledge": ("entry", "entries")}
OWN = frozenset(("fact", "hypothesis", "thought", "content"))
"""Fields that are the thing itself: only others are named."""


class MomentHit(Answer):
    """A moment that was found, below the line of its session."""

    id: str
    excerpt: str = Field(description=EXCERPT)
    why: str = Field(description="What it was found by.")
    score: float = Field(description=SCORE)
    similarity: float = Field(description=SIMILARITY)
    reason: str = Field(description="Why it was kept.")
    origin: str = Field(default="", description=ORIGIN)
    at: datetime
    caution: str = Field(default="", description=CAUTION)
    whole: int = Field(default=0, exclude=True)

    def as_text(self) -> str:
        label = f"  - moment {short(self.id)} · {local(self.at)}{came_from(self.origin)} · {part(self.why)}"
        # Where no word of it was looked for, the reason says best what it is about.
        reason = f"\n    kept because: {plain(self.reason)}" if self.reason and "**" not in self.excerpt else ""
        return f"{label}{reason}\n    {warning(self.caution)}> {plain(self.excerpt)}"


class Finding(Answer):
    """Something that is remembered, and where it comes from. A session and its own moments are one."""

    kind: str = Field(description="Of the kinds that can be looked for.")
    id: str
    title: str = Field(default="", description="A session's headline or an entry's title, marked like the excerpt.")
    excerpt: str = Field(description=f"{EXCERPT} Empty for a session of which only moments were found.")
    field: str = Field(default="", description="Of the thing, that the excerpt is taken from.")
    why: str = Field(description="What it was found by.")
    score: float = Field(description=SCORE)
    similarity: float = Field(description=SIMILARITY)
    session_id: str | None = Field(description="The session it comes from, when it is the caller's.")
    session: str = Field(default="", description="That session's headline.")
    project: str | None
    client: str
    origin: str = Field(default="", description=ORIGIN)
    at: datetime
    caution: str = Field(default="", description=CAUTION)
    moments: list[MomentHit] = Field(default_factory=list[MomentHit], description="Of a session, the best that match.")
    more_moments: int = Field(default=0, description="How many more of its moments match.")
    category: str = Field(default="", exclude_if=operator.not_, description=CATEGORY)
    status: str = Field(default="", exclude_if=operator.not_, description=STATUS)
    newer_id: str = Field(default="", exclude_if=operator.not_, description=NEWER)
    superseded_by: str = Field(default="", exclude_if=operator.not_, description=SUPERSEDED)
    whole: int = Field(default=0, exclude=True)

    def as_text(self) -> str:
        if self.category and not self.why:
            return held_in_words(self.kind, self.id, self.category, self.caution)
        born = f" · session {short(self.session_id)}" if self.session_id and self.kind != "session" else ""
        told = [f"{local(self.at)}{came_from(self.origin)}{born}", nearness(self.similarity), part(self.why)]
        # Of what one has once, the kind is the id.
        label = self.kind if self.id == self.kind else f"{self.kind} {short(self.id)}"
        label += f" [{part(self.category)}]" if self.category else ""
        label += f" ({self.status})" if self.status else ""
        label += f" ({doubted(self.newer_id)})" if self.newer_id else ""
        label += f" ({replaced(self.superseded_by)})" if self.superseded_by else ""
        lines = [f"- {label} · {' · '.join(filter(None, told))}"]
        if self.title:
            name = "headline" if self.kind == "session" else "title"
            lines.append(f"  {name}: {warning(self.caution)}{plain(self.title)}")
        if self.excerpt and self.excerpt != self.title:
            named = f"{self.field}: " if self.field and self.field not in OWN else ""
            lines.append(f"  {warning(self.caution)}{named}> {plain(self.excerpt)}")
        lines += [each.as_text() for each in self.moments]
        if self.more_moments:
            lines.append(f"  - and {counted(self.more_moments, 'more moment')} of this session")
        return "\n".join(lines)


def instructing_last(hits: Sequence[Finding]) -> list[Finding]:
    """The hits of an answer that is none, in their order, but that what instructs its reader comes last.

    It would be the first thing read; the same of a session's moments.
    """
    for each in hits:
        each.moments.sort(key=lambda moment: bool(moment.caution))
    return sorted(hits, key=lambda each: any((each.caution, *(moment.caution for moment in each.moments))))


def _counted_kinds(hits: Sequence[Finding]) -> str:
    """How many of each kind there are of a time, as "2 facts and 1 session"."""
    numbers = Counter(each.kind for each in hits)
    return enumerated([counted(number, *_OF_A_TIME[kind]) for kind, number in numbers.items()])


class Findings(Answer):
    """What is remembered about a question, best first."""

    query: str
    hits: list[Finding]
    answers_well: bool = Field(default=True, description=ANSWERS_WELL)
    words_only: str = Field(default="", description=WORDS_ONLY)
    looked_for: dict[str, list[str]] = Field(
        default_factory=dict[str, list[str]], exclude_if=operator.not_, description=LOOKED_FOR
    )
    is_newest_first: bool = Field(default=False, exclude_if=operator.not_, description=NEWEST_FIRST)
    days: str = Field(default="", exclude_if=operator.not_, description=DAYS)
    has_more: bool = Field(default=False, exclude_if=operator.not_, description="More than the limit is of that time.")
    unknown: str = Field(default="", exclude_if=operator.not_, description=UNMATCHED)
    filters: dict[str, str] = Field(default_factory=dict[str, str], exclude_if=operator.not_, description=FILTERS)
    named_time: date | None = Field(default=None, exclude_if=operator.not_, description=NAMED_TIME)
    named_category: str = Field(default="", exclude_if=operator.not_, description=NAMED_CATEGORY)
    of_category: int = Field(default=0, exclude_if=operator.not_, description="How many facts have that category.")

    @property
    def drawn_from(self) -> int:
        """Characters of what was found, whole: of a session all that is told of it, and its moments that match."""
        return sum(each.whole + sum(moment.whole for moment in each.moments) for each in self.hits)

    @property
    def of_time(self) -> str:
        """Of a question that is nothing but a time, of which days the hits are and in which order."""
        times = [each.at for each in self.hits]
        order = "newest first" if times == sorted(times, reverse=True) else "decisions first, then the newest"
        return f"of {self.days} (UTC), {order}"

    def as_text(self) -> str:
        note = looked_for(self.looked_for) + words_only(self.words_only)
        if not self.hits:
            if told := nothing_with_id(self.query, self.filters, self.unknown):
                return f"{told}{note}"
            advice = self.unknown or otherwise(self.filters, "try other words")
            asked = shortened(one_line(self.query), 80)
            return f"Nothing remembered{within(self.filters)} answers {asked!r}. {advice}{note}"
        lines = "\n".join(hit.as_text() for hit in self.hits)
        count = f"{len(self.hits)} found"
        if self.is_newest_first:
            more = "; there are more, for a higher limit" if self.has_more else ""
            told = f"{_counted_kinds(self.hits)} {self.of_time}{more}."
            return f"{told} To search by words instead, say what it is about. {RECALLED}\n\n{lines}"
        near = [each.similarity for each in self.hits]
        first = found(count, self.query, note, well=self.answers_well, filters=self.filters, near=near)
        return f"{first}\n\n{lines}"

    def hints(self, offer: Offer) -> Sequence[str]:
        """Which input, or which tool, finds what the question names by its time or its category."""
        told: list[str] = []
        if self.named_time is not None:
            told.append(f"For what was stored in the time that you name, pass since={self.named_time}.")
        if self.named_category:
            tool = first_offered(offer, "memory_list_facts")
            # As it is stored: with other brackets it would list nothing. It is made of words of the question.
            name = repr(self.named_category)
            facts = f"{counted(self.of_category, 'fact has', 'facts have')} the category {name}"
            told.append(f"{facts}: {tool}(category={name})." if tool else f"{facts}.")
        return told
