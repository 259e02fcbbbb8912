"""How far a memory has come: the figures that badges are earned by, each bounded by the highest that one asks for."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, datetime
from typing import Any, cast

from sqlalchemy import func
from sqlmodel import col, select

from bigmind.core.clock import at_home
from bigmind.memory.profile.badges import RULES, Badges, Figures, Rule, badges_of
from bigmind.memory.tables import Chunk, Fact, Hypothesis, Knowledge, MemorySession
from bigmind.store.work import Work


@dataclass(frozen=True, slots=True)
class BadgeCounter:
    """What the badges of a family count: rows of the caller, and the column that says when each came about."""

    moment: Any
    owner: Any
    conditions: tuple[Any, ...] = ()


COUNTED = {
    "sessions": BadgeCounter(MemorySession.started_at, MemorySession.user_id),
    "moments": BadgeCounter(Chunk.created_at, Chunk.user_id),
    "facts": BadgeCounter(Fact.created_at, Fact.user_id, (col(Fact.deprecated_at).is_(None),)),
    "tidy": BadgeCounter(Fact.deprecated_at, Fact.user_id, (col(Fact.deprecated_at).is_not(None),)),
    "confirmed": BadgeCounter(Hypothesis.resolved_at, Hypothesis.user_id, (Hypothesis.status == "confirmed",)),
    "refuted": BadgeCounter(Hypothesis.resolved_at, Hypothesis.user_id, (Hypothesis.status == "refuted",)),
    "curator": BadgeCounter(Knowledge.reviewed_at, Knowledge.approved_by_id, (Knowledge.status == "approved",)),
    "storyteller": BadgeCounter(
        MemorySession.ended_at, MemorySession.user_id, (col(MemorySession.has_detail).is_(True),)
    ),
}
NAMES = {"polyglot": MemorySession.client, "wide": MemorySession.project}
"""Families that count different names among the sessions."""


def begun(work: Work) -> list[datetime]:
    """When each of the caller's sessions was opened, the first one first."""
    mine = MemorySession.user_id == work.caller.user_id
    return list(work.session.exec(select(MemorySession.started_at).where(mine).order_by(col(MemorySession.started_at))))


def milestones(work: Work, days: Sequence[date]) -> Badges:
    """The caller's badges; `days` are those on which they worked, in their order, each once."""
    figures = _figures(work, days)
    earned = [each.rule for each in badges_of(figures).earned if each.rule.family in COUNTED]
    return badges_of(figures, _since(work, earned).get)


def _figures(work: Work, days: Sequence[date]) -> Figures:
    names = [func.count(func.distinct(column)) for column in NAMES.values()]
    of_sessions = [select(each).where(MemorySession.user_id == work.caller.user_id).scalar_subquery() for each in names]
    found = _at_once(work, [*(_count(work, family) for family in COUNTED), *of_sessions])
    count = dict(zip((*COUNTED, *NAMES), found, strict=True))
    return Figures(
        sessions=count["sessions"],
        days=days,
        moments=count["moments"],
        facts=count["facts"],
        corrected=count["tidy"],
        confirmed=count["confirmed"],
        refuted=count["refuted"],
        approved=count["curator"],
        clients=count["polyglot"],
        projects=count["wide"],
        detailed=count["storyteller"],
    )


def _count(work: Work, family: str) -> Any:
    """How many there are, as far as a badge of the family asks: of a great many nobody counts all."""
    counted = COUNTED[family]
    most = max(rule.needed for rule in RULES if rule.family == family)
    enough = select(counted.owner).where(counted.owner == work.caller.user_id, *counted.conditions).limit(most)
    return select(func.count()).select_from(enough.subquery()).scalar_subquery()


def _since(work: Work, rules: Sequence[Rule]) -> dict[Rule, date]:
    """The days on which there were enough, of those rules whose rows tell it."""
    found = _at_once(work, [_moment(work, rule) for rule in rules]) if rules else ()
    return {rule: at_home(moment).date() for rule, moment in zip(rules, found, strict=True) if moment is not None}


def _moment(work: Work, rule: Rule) -> Any:
    """When the last of as many as the rule asks for came about."""
    counted = COUNTED[rule.family]
    mine = (counted.owner == work.caller.user_id, col(counted.moment).is_not(None), *counted.conditions)
    query = select(counted.moment).where(*mine).order_by(counted.moment).offset(rule.needed - 1).limit(1)
    return query.scalar_subquery()


def _at_once(work: Work, values: Sequence[Any]) -> Sequence[Any]:
    """Values in one question to the store: asked one by one, the asking would take most of the time."""
    choose: Any = select  # the stubs of `select` end at four columns
    found: Any = cast("Any", work.session).exec(choose(*values)).one()
    return cast("Sequence[Any]", found if len(values) > 1 else (found,))  # of one column, the value alone
