"""Finds the active facts that a new one nearly repeats or contradicts: a few candidates by words, judged one by one.

`search` is the seam: candidates by meaning join here when vectors exist (issue 4).
"""

from collections.abc import Sequence

from sqlalchemy import func
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
from bigmind.store.work import Work
from bigmind.text.contradiction import judged
from bigmind.text.similarity import Judgement, Relation
from bigmind.text.words import query_terms

CANDIDATES = 12
"""Facts that are judged, those that share the most telling words."""

MOST_RELATED = 5


def known_already(work: Work, category: str, text: str, project: str | None) -> Fact | None:
    """The caller's active fact of that category and project that says the very same, but for case and white space."""
    wanted = _folded(text)
    same = (
        Fact.user_id == work.caller.user_id,
        col(Fact.deprecated_at).is_(None),
        Fact.category == category,
        col(Fact.project).is_(None) if project is None else Fact.project == project,
    )
    # The database folds ASCII letters only; what it misses stands among the candidates by words.
    written_so = func.lower(col(Fact.text)) == func.lower(text)
    keys = _candidates(work, text, project)
    query = select(Fact).where(*same, written_so | col(Fact.id).in_(keys)).order_by(col(Fact.id))
    return next((fact for fact in work.session.exec(query) if _folded(fact.text) == wanted), None)


def relate(work: Work, fact: Fact) -> list[RelatedFact]:
    """What a fact that was just stored nearly repeats or contradicts, the closest first.

    What it contradicts for certain loses confidence; of what it may contradict, both stay. A text that is flagged
    takes nothing from what is known.
    """
    found = _judged(work, fact)
    for other, judgement in found:
        if judgement.relation is Relation.CONTRADICTS and not fact.caution:
            _weaken(work, other, fact)
    return _told(work, found)


def resembling(work: Work, fact: Fact) -> list[RelatedFact]:
    """What a fact that was just written nearly repeats or contradicts, the closest first; nothing loses by it."""
    return _told(work, _judged(work, fact))


def similar(work: Work, fact: Fact) -> list[int]:
    """The keys of the active facts that share the most telling words with a fact, the closest first."""
    return [key for key in _candidates(work, fact.text, fact.project) if key != fact.id]


def _told(work: Work, found: Sequence[tuple[Fact, Judgement]]) -> list[RelatedFact]:
    rows = fact_rows(work, [other for other, _ in found])
    return [
        RelatedFact(relation=judgement.relation.value, similarity=round(judgement.similarity, 2), fact=row)
        for row, (_, judgement) in zip(rows, found, strict=True)
        if judgement.relation is not None
    ]


def _judged(work: Work, fact: Fact) -> list[tuple[Fact, Judgement]]:
    candidates = work.session.exec(select(Fact).where(col(Fact.id).in_(similar(work, fact)))).all()
    judgements = [
        (other, judged(fact.text, other.text, same_scope=fact.project == other.project)) for other in candidates
    ]
    related = [(other, judgement) for other, judgement in judgements if judgement.relation is not None]
    return sorted(related, key=lambda pair: pair[1].similarity, reverse=True)[:MOST_RELATED]


def _candidates(work: Work, text: str, project: str | None) -> list[int]:
    """Active facts of the caller, of that project or of none; a fact of no project is held against all."""
    conditions = [RowCondition("user_id", work.caller.user_id), RowCondition("deprecated_at", None, "IS")]
    if project is not None:
        conditions.append(RowCondition("project", project, or_null=True))
    index = index_of(work.kinds[Kind.FACT])
    found = work.backend.full_text.search(work.session, index, query_terms(text), conditions, CANDIDATES)
    return [key for key, _ in found]


def _weaken(work: Work, other: Fact, fact: Fact) -> None:
    other.confidence = weakened(other.confidence)
    other.updated_at = work.now
    work.session.add(other)
    record(work, other, FactAction.CONTRADICTED, other_uid=fact.uid)
    work.changed(Kind.FACT, other.uid, Action.CONTRADICTED)


def _folded(text: str) -> str:
    return one_line(text).casefold().removesuffix(".")
