"""Finds the active facts that a new one nearly repeats or contradicts: a few candidates by words, judged one by one.

`search` is the seam: candidates by meaning join here when vectors exist (issue 4).
"""

from collections.abc import Sequence
from datetime import datetime
from typing import Any

from sqlalchemy import bindparam, func, or_
from sqlalchemy import select as columns
from sqlmodel import col, select

from bigmind.core.events import Action, Kind
from bigmind.core.plain_text import one_line
from bigmind.memory.facts.answers import RelatedFact
from bigmind.memory.facts.confidence import weakened
from bigmind.memory.facts.history import FactAction, record
from bigmind.memory.facts.presentation import fact_rows
from bigmind.memory.tables import Fact
from bigmind.search.scope import index_of
from bigmind.store.descriptions import RowCondition
from bigmind.store.prepared_statements import kept_rows
from bigmind.store.tables import table_of
from bigmind.store.work import Work
from bigmind.text.comparison.whole_project import alternatives
from bigmind.text.contradiction import judged
from bigmind.text.similarity import Judgement, Relation
from bigmind.text.words import query_terms

CANDIDATES = 12
"""Facts that are judged, those that share the most telling words."""

OTHERS = CANDIDATES - 1
"""A fact that is stored is the closest to itself."""

MOST_RELATED = 5

_SAME = (
    columns(col(Fact.id), col(Fact.text))
    .where(
        col(Fact.user_id) == bindparam("of_user"),
        col(Fact.deprecated_at).is_(None),
        col(Fact.category) == bindparam("of_category"),
        # The database folds ASCII letters only; what it misses stands among the candidates by words.
        or_(
            func.lower(col(Fact.text)) == func.lower(bindparam("told")),
            col(Fact.id).in_(bindparam("keys", expanding=True)),
        ),
    )
    .order_by(col(Fact.id))
)
_SAME_OF_EVERY_PROJECT = _SAME.where(col(Fact.project).is_(None))
_SAME_OF_PROJECT = _SAME.where(col(Fact.project) == bindparam("of_project"))
_TOLD = columns(table_of(Fact)).where(col(Fact.id).in_(bindparam("keys", expanding=True))).order_by(col(Fact.id))


def known_already(
    work: Work, category: str, text: str, project: str | None, near: Sequence[int] | None = None
) -> Fact | None:
    """The caller's active fact of that category and project that says the very same, but for case and white space.

    `near`: the keys of those `closest` to it, where they are known.
    """
    wanted = _folded(text)
    keys = closest(work, text, project) if near is None else near
    asked = {"of_user": work.caller.user_id, "of_category": category, "told": text, "keys": list(keys)}
    work.session.flush()  # what the mapper holds back is seen
    if project is None:
        found = kept_rows(work, _SAME_OF_EVERY_PROJECT, **asked)
    else:
        found = kept_rows(work, _SAME_OF_PROJECT, **asked, of_project=project)
    same = next((row.id for row in found if _folded(row.text) == wanted), None)
    return None if same is None else work.session.get(Fact, same)


def same_since(work: Work, fact: Fact, since: datetime) -> str | None:
    """The id of the active fact of that category and project that was stored since and says the very same.

    Read by an index: to look for those that are alike takes 50 ms among 10,000 of them.
    """
    others = (Fact.user_id == fact.user_id, col(Fact.deprecated_at).is_(None), col(Fact.updated_at) >= since)
    place = (Fact.category == fact.category, col(Fact.project).is_not_distinct_from(fact.project))
    found = work.session.exec(select(Fact.uid, Fact.text).where(*others, *place).order_by(col(Fact.id)))
    wanted = _folded(fact.text)
    return next((uid for uid, text in found if _folded(text) == wanted), None)


def relate(work: Work, fact: Fact, near: Sequence[int]) -> list[RelatedFact]:
    """What a fact that was just stored nearly repeats or contradicts, the closest first.

    `near`: the keys of those that were `closest` to it before.

    What it contradicts for certain loses confidence; of what it may contradict, both stay. A text that is flagged
    takes nothing from what is known.
    """
    found = [
        (weaken(work, other, fact) if takes(fact, judgement) else other, judgement)
        for other, judgement in _judged(work, fact, near[:OTHERS])
    ]
    return _told(work, found)


def takes(fact: Fact, judgement: Judgement) -> bool:
    return judgement.relation is Relation.CONTRADICTS and not fact.caution


def resembling(work: Work, fact: Fact) -> list[RelatedFact]:
    """What a fact that was just written nearly repeats or contradicts, the closest first; nothing loses by it."""
    return _told(work, _judged(work, fact, similar(work, fact)))


def similar(work: Work, fact: Fact) -> list[int]:
    """The keys of the active facts that share the most telling words with a fact, the closest first."""
    return [key for key in closest(work, fact.text, fact.project) if key != fact.id]


def _told(work: Work, found: Sequence[tuple[Any, Judgement]]) -> list[RelatedFact]:
    rows = fact_rows(work, [other for other, _ in found])
    return [
        RelatedFact(relation=judgement.relation.value, similarity=round(judgement.similarity, 2), fact=row)
        for row, (_, judgement) in zip(rows, found, strict=True)
        if judgement.relation is not None
    ]


def _judged(work: Work, fact: Fact, near: Sequence[int]) -> list[tuple[Any, Judgement]]:
    """Rows of the facts of these keys that a fact nearly repeats or contradicts, with how, the closest first."""
    work.session.flush()  # what the mapper holds back is seen
    candidates = kept_rows(work, _TOLD, keys=list(near))
    judgements = [
        (other, judged(fact.text, other.text, same_scope=fact.project == other.project)) for other in candidates
    ]
    related = [(other, judgement) for other, judgement in judgements if judgement.relation is not None]
    return sorted(related, key=lambda pair: pair[1].similarity, reverse=True)[:MOST_RELATED]


def closest(work: Work, text: str, project: str | None) -> list[int]:
    """The keys of the caller's active facts that share the most telling words with a text, the closest first.

    They are of that project or of none; a fact of no project is held against all.
    """
    conditions = [RowCondition("user_id", work.caller.user_id), RowCondition("deprecated_at", None, "IS")]
    if project is not None:
        conditions.append(RowCondition("project", project, or_null=True))
    index = index_of(work.kinds[Kind.FACT])
    found = work.backend.full_text.search(
        work.session, index, query_terms(" ".join((text, *alternatives(text)))), conditions, CANDIDATES
    )
    return [key for key, _ in found]


def weaken(work: Work, row: Any, fact: Fact) -> Fact:
    other = work.session.get_one(Fact, row.id)
    other.confidence = weakened(other.confidence)
    other.updated_at = work.now
    work.session.add(other)
    record(work, other, FactAction.CONTRADICTED, other_uid=fact.uid)
    work.changed(Kind.FACT, other.uid, Action.CONTRADICTED)
    return other


def _folded(text: str) -> str:
    return one_line(text).casefold().removesuffix(".")
