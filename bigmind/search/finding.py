"""A search as use cases ask for it: made by the process that embeds, or here where that does not search.

Both run `engine.find` over one snapshot of the store. A process sees a later one than the unit of work that asks it, so
what it finds is looked at once more here: nothing is told that may not be found in both.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import cache, partial

from bigmind.core.kind import Kinds
from bigmind.embedding.meaning import QuestionEmbedding
from bigmind.search import engine
from bigmind.search.engine import SearchResult
from bigmind.search.model_state import active_model
from bigmind.search.process.search_messages import SearchRequest, result_of, written_kinds
from bigmind.search.ranking import MEASURED, Weights
from bigmind.search.scope import SearchableKind, SearchQuery, SearchSource, conditions, searchable
from bigmind.store.work import Work

SPARE = 2
"""Of so many times as many groups as are wanted hits are told: some may not be found in the asker's own snapshot."""


def find(
    work: Work,
    wanted: SearchQuery,
    kinds: Sequence[str],
    weights: Weights = MEASURED,
    *,
    every: bool = False,
    groups: int = 0,
) -> SearchResult:
    """The things of those kinds that the caller may find and that answer best, best first; as `engine.find`.

    Args:
        work: whose snapshot it is found in.
        wanted: what is looked for.
        kinds: their names.
        weights: of the ranking.
        every: as `engine.find` has it.
        groups: who shows no more than so many (`grouping.py`) need not be told of the hits of others; 0 is told of all.
    """
    model = active_model(work)  # the first that is read: from here on this unit of work sees one snapshot
    question = partial(work.host.meaning.ask, model)
    if work.aside is not None:
        request = partial(_request, work, wanted, kinds, weights, every, groups)
        if (search := work.host.meaning.search(model, wanted.query, request)) is not None:
            answer, why_not = search.answer()
            if answer is None:
                question = partial(_not_embedded, model, why_not)
            elif "unsearchable" not in answer:
                return _of_both_snapshots(source_of(work, model, question), wanted, result_of(answer))
    return engine.find(source_of(work, model, question), wanted, kinds, weights, every=every)


def source_of(work: Work, model: str = "", question: Callable[[str], QuestionEmbedding] | None = None) -> SearchSource:
    """What a unit of work may find; by words alone, where no model is named."""
    return SearchSource(
        snapshot=work,
        text=work.backend.full_text,
        rows=work.backend.rows,
        vectors=work.host.meaning.vectors,
        kinds=_searchable(work.kinds),
        user_id=work.caller.user_id,
        now=work.now,
        model=model,
        question=question or partial(_not_embedded, model, ""),
        aside=work.aside,
    )


@cache
def _searchable(kinds: Kinds) -> Mapping[str, SearchableKind]:
    return {each.name: searchable(each) for each in kinds.searched}


def _not_embedded(model: str, why_not: str, query: str) -> QuestionEmbedding:
    del query
    return QuestionEmbedding(model, None, why_not)


def _request(work: Work, wanted: SearchQuery, kinds: Sequence[str], weights: Weights, every: bool, groups: int) -> str:
    path, measurings, those = str(work.store.path), work.store.measurings, _written(work.kinds, tuple(kinds))
    return SearchRequest(
        path, measurings, work.caller.user_id, work.now, wanted, those, weights, every, SPARE * groups
    ).written()


@cache
def _written(kinds: Kinds, names: tuple[str, ...]) -> str:
    known = _searchable(kinds)
    return written_kinds({name: known[name] for name in names})


def _of_both_snapshots(source: SearchSource, wanted: SearchQuery, found: SearchResult) -> SearchResult:
    """What was found in a later snapshot, and may be found in this one."""
    keys: dict[str, set[int]] = {}
    for kind in {each.kind for each in found.hits}:
        those = [each.key for each in found.hits if each.kind == kind]
        held = conditions(source, wanted, kind)
        keys[kind] = set(source.rows.findable(source.snapshot, source.kinds[kind].index.table, held, those))
    kept = [each for each in found.hits if each.key in keys[each.kind]]
    return found if len(kept) == len(found.hits) else replace(found, hits=kept)
