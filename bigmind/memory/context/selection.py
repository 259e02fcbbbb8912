"""What of the memory stands in the context: the rows that come first, how many there are, how many are held back.

A row whose text instructs its reader (`caution`) is held back until a person accepts it; of the profile, the parts that
do. Deprecated rows and those of others are no part of it at all.
"""

import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any, Generic, TypeVar

from sqlalchemy import ColumnElement, and_, case, exists, func, not_, or_
from sqlmodel import col, select

from bigmind.core.plain_text import one_line
from bigmind.memory.context.placement import STORED
from bigmind.memory.facts.worth import by_worth
from bigmind.memory.lookup import Keyed
from bigmind.memory.profile.withheld import ToldProfile, told_part
from bigmind.memory.rules import AUTO_CLOSED, AUTO_CLOSED_IMPORTANCE, CLOSED_FROM_KNOWN, SAYING_NOTHING
from bigmind.memory.tables import Chunk, Fact, Hypothesis, Knowledge, MemorySession, Profile, SessionTopic
from bigmind.people.tables import User
from bigmind.search.scope import index_of
from bigmind.store.descriptions import RowCondition
from bigmind.store.work import Work
from bigmind.text.import_marks import IMPORTED
from bigmind.text.words import query_terms

OPEN_CONSIDERED = 5
"""More open sessions would push out what closed ones say; the rest is counted."""

MOST_MATCHES = 200
MOST_FACTS = 50
"""Facts of a group that are considered: more than the whole context can hold."""

OF_PERSON = ("identity", "preference")
"""Categories of facts that belong to the person, whatever the project."""

PINNED, HIDDEN = STORED["pinned"], STORED["hidden"]

Row = TypeVar("Row")
Placed = type[MemorySession] | type[Fact] | type[Hypothesis] | type[Knowledge]
Shown = type[Profile] | Placed


@dataclass(frozen=True, slots=True)
class ContextQuery:
    """For whom and what it is chosen.

    Attributes:
        work: reads only; its caller's memory.
        project: comes first where there is a choice.
        topics: what the conversation is about.
        since: only what was written after this moment; None: everything.
    """

    work: Work
    project: str | None
    topics: Sequence[str]
    since: datetime | None = None

    def considers(self, table: Shown) -> list[ColumnElement[bool]]:
        """What holds for every row that can stand in the context, of whatever kind: a person has not hidden it."""
        conditions: list[ColumnElement[bool]] = []
        if not issubclass(table, Profile):
            conditions.append(col(table.placement) != HIDDEN)
        if self.since is not None:
            conditions.append(col(table.updated_at) > self.since)
        return conditions


@dataclass(frozen=True, slots=True)
class SelectedRows(Generic[Row]):
    """Rows, the most important first; how many of the kind could be shown; how many are held back."""

    rows: Sequence[Row]
    total: int
    held_back: int


@dataclass(frozen=True, slots=True)
class SelectedFacts:
    """Facts of the person, of the current project, and of other projects, and those that a person pinned.

    `total`: how many there are of the groups; `held_back`: how many more of all.
    """

    pinned: Sequence[Fact]
    groups: tuple[Sequence[Fact], Sequence[Fact], Sequence[Fact]]
    total: int
    held_back: int

    def without(self, sentences: Collection[str], disputed: Collection[str]) -> "SelectedFacts":
        """Those that say none of these sentences, which stand in the context already; those of others not again.

        The ids of those that are `disputed` stay: each stands beside the one that may contradict it.
        """
        pinned, own, of_project, others = (
            [fact for fact in rows if fact.uid in disputed or _said(fact.text) not in sentences]
            for rows in (self.pinned, *self.groups)
        )
        said = {_said(fact.text) for fact in (*pinned, *own, *of_project)}
        others = [fact for fact in others if _said(fact.text) not in said]
        groups = own, of_project, others
        fewer = sum(map(len, self.groups)) - sum(map(len, groups))
        return replace(self, pinned=pinned, groups=groups, total=self.total - fewer)


def _said(text: str) -> str:
    """A sentence as it is compared: without case, its mark of a list, and its end."""
    return one_line(text).lstrip("-*•> ").removesuffix(".").casefold()


def sentences_of(profile: ToldProfile | None) -> frozenset[str]:
    """What a profile says, pinned or preferred, line by line, as it is compared with facts."""
    if profile is None:
        return frozenset()
    return frozenset(map(_said, (*profile.pinned_facts, *profile.preferences.splitlines()))) - {""}


def is_harmless(table: Shown) -> ColumnElement[bool]:
    """Whether a row may be shown without anybody asking for it."""
    return or_(col(table.caution) == "", col(table.accepted_at).is_not(None))


def known_knowledge(here: ContextQuery, most: int) -> SelectedRows[Knowledge]:
    """Approved company knowledge: what matches project or topics, then the most important, then the newest."""
    matches: list[ColumnElement[bool]] = []
    if here.project is not None:
        matches.append(col(Knowledge.project) == here.project)
    index, approved = index_of(here.work.kinds["knowledge"]), [RowCondition("status", "approved")]
    terms, full_text = _terms(here.project, here.topics), here.work.backend.full_text
    if hits := full_text.search(here.work.session, index, terms, approved, MOST_MATCHES):
        matches.append(col(Knowledge.id).in_([key for key, _ in hits]))
    order: list[Any] = [col(Knowledge.importance).desc(), col(Knowledge.updated_at).desc(), col(Knowledge.id).desc()]
    if matches:
        order.insert(0, case((or_(*matches), 0), else_=1))
    order.insert(0, _pinned_first(Knowledge))
    return _known(here, Knowledge, [Knowledge.status == "approved"], order, most)


def _terms(project: str | None, topics: Sequence[str]) -> list[str]:
    """What finds entries about a project, but for its host, or about a topic."""
    name = re.sub(r"^[^/]+\.[^/]+/", "", project or "")
    return query_terms(" ".join((name, *topics)))


def _pinned_first(table: Placed) -> ColumnElement[int]:
    return case((col(table.placement) == PINNED, 0), else_=1)


def others_names(work: Work, entries: Sequence[Knowledge]) -> dict[int, str]:
    """The names of those who promoted the entries, but the caller's own."""
    keys = {each.promoted_by_id for each in entries} - {None, work.caller.user_id}
    found = work.session.exec(select(User.id, User.username).where(col(User.id).in_(keys))) if keys else ()
    return {key: name for key, name in found if key is not None}


def known_facts(here: ContextQuery) -> SelectedFacts:
    """The caller's active facts: the person's own, the project's, others; of each the most useful first."""
    mine = [Fact.user_id == here.work.caller.user_id, col(Fact.deprecated_at).is_(None)]
    now = here.work.now
    is_own = or_(col(Fact.project).is_(None), col(Fact.category).in_(OF_PERSON))
    is_here = col(Fact.project) == (here.project or "")  # no project is called "": one query, compiled once
    is_pinned = col(Fact.placement) == PINNED
    is_no_own = and_(col(Fact.project).is_not(None), col(Fact.category).not_in(OF_PERSON))
    groups = [is_own, and_(is_no_own, is_here), and_(is_no_own, not_(is_here))]
    pinned = _known(here, Fact, [*mine, is_pinned], by_worth(now), MOST_FACTS)
    known = [_known(here, Fact, [*mine, not_(is_pinned), group], by_worth(now), MOST_FACTS) for group in groups]
    own, of_project, others = (each.rows for each in known)
    held_back = pinned.held_back + sum(each.held_back for each in known)
    return SelectedFacts(pinned.rows, (own, of_project, others), sum(each.total for each in known), held_back)


def known_hypotheses(here: ContextQuery, most: int) -> SelectedRows[Hypothesis]:
    """The caller's open hypotheses: of the project before others, then the newest."""
    mine = [Hypothesis.user_id == here.work.caller.user_id, Hypothesis.status == "open"]
    is_here = case((col(Hypothesis.project) == (here.project or ""), 0), else_=1)
    order: list[Any] = [
        _pinned_first(Hypothesis),
        is_here,
        col(Hypothesis.created_at).desc(),
        col(Hypothesis.id).desc(),
    ]
    return _known(here, Hypothesis, mine, order, most)


def known_profile(here: ContextQuery) -> ToldProfile | None:
    """What may be told of the caller's profile, if there is one: of its parts, those that instruct nobody."""
    mine = (Profile.user_id == here.work.caller.user_id, *here.considers(Profile))
    profile = here.work.session.exec(select(Profile).where(*mine)).first()
    return None if profile is None else told_part(profile)


def _known(
    here: ContextQuery, table: type[Row], conditions: list[Any], order: list[Any], most: int
) -> SelectedRows[Row]:
    kind: Any = table
    considered = [*conditions, *here.considers(kind)]
    harmless = is_harmless(kind)
    counts = select(func.count().filter(harmless), func.count()).select_from(table).where(*considered)
    total, everything = here.work.session.exec(counts).one()
    chosen = select(table).where(*considered, harmless).order_by(*order).limit(most)
    return SelectedRows(here.work.session.exec(chosen).all(), total, everything - total)


def known_sessions(here: ContextQuery, wanted: int, without: str) -> SelectedRows[MemorySession]:
    """Open sessions, and the newest closed ones, of the project before others; those that say nothing come last.

    Those with a caution are among them, for their rows are shown without their texts; not those that an assistant
    imported, and nobody accepted: they may be any number.
    """
    session = here.work.session
    mine = [
        MemorySession.user_id == here.work.caller.user_id,
        MemorySession.uid != without,
        *here.considers(MemorySession),
        or_(is_harmless(MemorySession), not_(col(MemorySession.caution).contains(IMPORTED))),
    ]
    newest = (col(MemorySession.started_at).desc(), col(MemorySession.id).desc())
    is_open = col(MemorySession.ended_at).is_(None)
    count = session.exec(select(func.count()).select_from(MemorySession).where(*mine, is_open)).one()
    found = list(session.exec(select(MemorySession).where(*mine, is_open).order_by(*newest).limit(OPEN_CONSIDERED)))
    unseen = count - len(found)
    found += _closed(here, mine, wanted)
    flagged = sum(bool(each.caution) and each.accepted_at is None for each in found)
    return SelectedRows(found, len(found) + unseen, flagged)


def _closed(here: ContextQuery, mine: list[Any], wanted: int) -> list[MemorySession]:
    """The newest closed sessions that say something, whoever closed them: the project's, then all.

    Of either, those of little importance come behind the others.
    Behind them stand those that were open for a day, if something was kept in them, and last the wordless ones; of both
    the project's first.
    """
    is_nobodys = col(MemorySession.one_liner).startswith(AUTO_CLOSED, autoescape=True)
    is_empty = and_(col(MemorySession.one_liner) == "", col(MemorySession.outcome) == "")
    is_wordless = or_(col(MemorySession.one_liner).in_(SAYING_NOTHING), is_empty)
    is_here = col(MemorySession.project) == (here.project or "")  # as in `known_facts`
    newest = (col(MemorySession.started_at).desc(), col(MemorySession.id).desc())
    closed = select(MemorySession).where(*mine, col(MemorySession.ended_at).is_not(None))
    telling = closed.where(not_(is_nobodys), not_(is_wordless))
    is_weighed = col(MemorySession.outcome) != CLOSED_FROM_KNOWN
    is_slight = case((and_(is_weighed, col(MemorySession.importance) <= AUTO_CLOSED_IMPORTANCE), 1), else_=0)
    kept = or_(col(MemorySession.has_detail), *map(_is_source_of, (Chunk, Fact, Hypothesis)))
    rest = closed.where(or_(is_wordless, and_(is_nobodys, kept)))
    choices = [
        closed.where(MemorySession.placement == PINNED).order_by(*newest),
        *([telling.where(is_here).order_by(is_slight, *newest)] if here.project is not None else []),
        telling.order_by(is_slight, *newest),
        rest.order_by(case((is_wordless, 1), else_=0), case((is_here, 0), else_=1), *newest),
    ]
    found: dict[int | None, MemorySession] = {}
    for choice in choices:
        if len(found) < wanted:
            found |= {each.id: each for each in here.work.session.exec(choice.limit(wanted)) if each.id not in found}
    return [*found.values()][:wanted]


def _is_source_of(table: type[Chunk] | type[Fact] | type[Hypothesis]) -> ColumnElement[bool]:
    """Whether something was kept in a session."""
    return exists().where(col(table.session_id) == col(MemorySession.id))


def topics_of(work: Work, session: Keyed) -> Sequence[str]:
    """The topics of a session, in their order."""
    told = select(SessionTopic.topic).where(SessionTopic.session_id == session.id)
    return work.session.exec(told.order_by(col(SessionTopic.position))).all()
