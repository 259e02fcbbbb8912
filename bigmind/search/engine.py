"""Finds things by words and by meaning: two pools of candidates, and one order of both."""

from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import islice
from typing import NamedTuple

from bigmind.core.past_mapper import Snapshot, made_of
from bigmind.embedding.models import Model, model_named
from bigmind.embedding.vector_index import VectorIndex, VectorMatch
from bigmind.search.candidates import (
    CandidatePlace,
    CandidatePool,
    QuestionText,
    WordScores,
    candidates,
    placed,
    rarity,
)
from bigmind.search.common_names import without_common_names
from bigmind.search.cutoff import FEW_WORDS, Cutoff, FirstGroups, group_of
from bigmind.search.ranking import MEASURED, PARTS, RankedCandidate, Weights, ranked
from bigmind.search.references import is_nothing_else, referred_to, without_ids
from bigmind.search.scope import SearchQuery, SearchSource, among, conditions
from bigmind.search.substring_matches import QuestionWords, found_inside
from bigmind.store.descriptions import MOST_TERMS, TermCounter
from bigmind.text.everyday_words import everyday_words
from bigmind.text.excerpts import SearchedWords
from bigmind.text.words import query_terms

LEAST_POOL = 50
"""Twice as many take a third more time and find no more (docs/performance.md)."""
POOL_PER_HIT = 5
BEST_SHARE = 5
"""What stands beside the first fifth of each way's candidates is looked at: beside half of them no more is found, and a
search of 1,000 moments takes 1.3 times as long (docs/search.md)."""
FAINT = 0.65
"""The share of a model's `alike` from which on something is shown where nothing answers."""
MOST_FAINT = 2
MOST_MEASURED = 3_000
"""Things that are measured one by one where what is looked for is narrowed; of more, the nearest of all are taken."""
INSIDE = 0.5
"""What containing all pieces of a question counts, beside the best by words with 1."""
_ANSWERED = PARTS.index("answered")


class Hit(NamedTuple):
    """Something that was found.

    Attributes:
        kind: of the thing.
        key: its key.
        score: its share of the best one's.
        has_words: whether words of the question stand in it.
        near: its nearest piece, where meaning was asked.
        similarity: how near it is, on the scale of all models; without a vector, the share of the question's rare
            words that stand in it.
        session: of a moment the key of its session, of a session its own; else 0.
        is_named: whether the question holds its id.
        is_good: whether it answers well, and is not only the best there is.
    """

    kind: str
    key: int
    score: float
    has_words: bool
    near: VectorMatch | None = None
    similarity: float = 0.0
    session: int = 0
    is_named: bool = False
    is_good: bool = False


_HIT = made_of(Hit)


@dataclass(frozen=True, slots=True)
class SearchResult:
    """The hits, best first; what was looked for by words; and why meaning had no part, where it had none."""

    hits: list[Hit]
    sought: SearchedWords
    words_only: str = ""

    @property
    def answers_well(self) -> bool:
        """Whether anything does; else the hits are what comes nearest."""
        return any(each.is_good for each in self.hits)


@dataclass(frozen=True, slots=True)
class QuestionVector:
    """A question's vector, and where it is compared."""

    index: VectorIndex
    model: str
    vector: bytes


@dataclass(frozen=True, slots=True)
class VectorMatches:
    """What is near to a question, of each kind the nearest first where not all were measured; or why there is none."""

    asked: QuestionVector | None
    why_not: str
    near: dict[str, dict[int, VectorMatch]]


def find(
    source: SearchSource,
    wanted: SearchQuery,
    kinds: Sequence[str],
    weights: Weights = MEASURED,
    *,
    every: bool = False,
    groups: int = 0,
) -> SearchResult:
    """The things of those kinds that the caller may find and that answer best, best first.

    What the question holds the id of goes first; of a question that is an id nothing else is found. `every`: all that
    answers of what was looked at, some hundred things at most, and not only as many as are wanted. `groups`: who shows
    no more than so many (`FirstGroups`) may not be told of what stands in others, but for the first that answers well.
    """
    named = _named(source, wanted, kinds)
    if named and is_nothing_else(wanted.query):
        return SearchResult(named[: wanted.limit], SearchedWords([]))
    if named:
        wanted = replace(wanted, query=without_ids(wanted.query))
    first = FirstGroups(0 if named else groups)
    found = _answering(source, wanted, kinds, weights, None if every else wanted.limit, first)
    if not named:
        return found
    known = {(each.kind, each.key) for each in named}
    others = found.hits if found.answers_well else []
    hits = named + [each for each in others if (each.kind, each.key) not in known]
    return replace(found, hits=hits if every else hits[: wanted.limit])


def _named(source: SearchSource, wanted: SearchQuery, kinds: Sequence[str]) -> list[Hit]:
    """What the question holds the id of."""
    found = referred_to(source, wanted, kinds)
    moments = [key for kind, key in found if kind == "chunk"]
    sessions = {("session", key): key for kind, key in found if kind == "session"}
    if moments:
        known = placed(source, wanted, "chunk", moments)
        sessions |= {("chunk", key): at.group for key, at in known.items()}
    return [Hit(*each, 1.0, False, None, 1.0, sessions.get(each, 0), is_named=True, is_good=True) for each in found]


def _answering(
    source: SearchSource,
    wanted: SearchQuery,
    kinds: Sequence[str],
    weights: Weights,
    most: int | None,
    first: FirstGroups,
) -> SearchResult:
    terms = query_terms(wanted.query)
    everyday = everyday_words(wanted.query, terms)
    newest = source.text.newest_rows(source.snapshot, kinds)
    some = {kind: rows for kind in kinds if (rows := newest[kind])}
    model = model_named(source.model)
    nameless = without_common_names(source, wanted.query, terms, some)
    model = model if nameless == wanted.query else model.nameless()
    meant = _by_meaning(source, wanted if nameless == wanted.query else replace(wanted, query=nameless), list(some))
    with_words = [_with_words(source, wanted, kind, rows, terms, everyday) for kind, rows in some.items()]
    question = QuestionText.of(wanted.query, source)
    known = meant()
    pools = [_pool(source, wanted, each, known) for each in with_words]
    counts = rarity(pools)
    told = rarity(pools, everyday) if everyday else counts
    order = ranked(candidates(pools, question, counts), counts, weights, told if everyday else None)
    enough = Cutoff(len(terms), max((each.covered for each in order), default=0.0), model.alike)
    measure = _Measure({pool.kind: pool for pool in pools}, model, told)
    is_sentence = len(wanted.query.split()) > FEW_WORDS
    hits = list(islice(_hits(order, measure, enough, first, is_sentence=is_sentence), most))
    hits = hits or _nearest(pools, measure)[: wanted.limit]
    inside = list(dict.fromkeys(piece for each in with_words for piece in each.pieces))
    return SearchResult(_relative(hits), SearchedWords(terms, inside), known.why_not)


def _by_meaning(source: SearchSource, wanted: SearchQuery, kinds: Sequence[str]) -> Callable[[], VectorMatches]:
    """Begin to look for what is near, beside the search by words; what comes back waits for it.

    It looks in a snapshot of its own. What may be found is decided in the caller's (`placed`), as for words.
    """
    question, index = source.question(wanted.query), source.vectors

    def look(session: Snapshot) -> VectorMatches:
        vector, why_not = question.vector()
        if vector is None or index is None:
            return VectorMatches(None, why_not, {})
        if why_not := index.why_not(session):
            return VectorMatches(None, why_not, {})
        asked = QuestionVector(index, question.model, vector)
        return VectorMatches(asked, "", {kind: _near(session, source, wanted, kind, asked) for kind in kinds})

    if question.coming is None or source.aside is None:
        return partial(look, source.snapshot)
    return source.aside(look).result


@dataclass(frozen=True, slots=True)
class _Measure:
    """Tells how similar things are to the question: by the model's scale, or by the question's words that they have."""

    pools: dict[str, CandidatePool]
    model: Model
    rarity: dict[str, float]

    def similarity(self, kind: str, key: int) -> float:
        """Of a thing of the pools."""
        pool = self.pools[kind]
        near = pool.near.get(key)
        return round(self.model.similarity(near.similarity) if near is not None else self._share(pool, key), 2)

    def session(self, kind: str, key: int) -> int:
        """What `Hit.session` is of a thing of the pools."""
        return self.pools[kind].placed[key].group or (key if kind == "session" else 0)

    def hit(self, kind: str, key: int, score: float, similarity: float, *, has_words: bool, is_good: bool) -> Hit:
        """A thing of the pools, as a hit."""
        near, session = self.pools[kind].near.get(key), self.session(kind, key)
        return _HIT((kind, key, score, has_words, near, similarity, session, False, is_good))

    def _share(self, pool: CandidatePool, key: int) -> float:
        held = pool.standing.terms.get(key, ())
        words = sum(weight for term, weight in self.rarity.items() if term in held)
        return min(1.0, max(words, pool.words.inside.get(key, 0.0) / INSIDE))


def _nearest(pools: Sequence[CandidatePool], measure: _Measure) -> list[Hit]:
    """Where nothing answers, the little that comes nearest: better than to say that nothing is there."""
    near = [
        (each.similarity, pool.kind, key) for pool in pools for key, each in pool.near.items() if key in pool.placed
    ]
    best = sorted((each for each in near if each[0] >= FAINT * measure.model.alike), reverse=True)[:MOST_FAINT]
    return [
        measure.hit(kind, key, score, measure.similarity(kind, key), has_words=False, is_good=False)
        for score, kind, key in best
    ]


def _relative(hits: list[Hit]) -> list[Hit]:
    """With scores as shares of the best one's: what a word counts depends on everybody's rows, which nobody is told."""
    best = hits[0].score if hits else 1.0
    return [_HIT((*each[:2], round(each.score / best, 2) if best > 0 else 1.0, *each[3:])) for each in hits]


def _most(wanted: SearchQuery) -> int:
    """How many candidates each way brings."""
    return max(LEAST_POOL, POOL_PER_HIT * wanted.limit)


@dataclass(frozen=True, slots=True)
class _WithWords:
    """What is known of a kind before the question's vector is there.

    Attributes:
        kind: its name.
        words: what was found by them.
        pieces: that were looked for inside words.
        counted: tells in which things the question's words stand.
        placed: where those stand that were found, and what stands beside the best of them; or nothing as yet.
    """

    kind: str
    words: WordScores
    pieces: list[str]
    counted: TermCounter
    placed: dict[int, CandidatePlace]


def _with_words(
    source: SearchSource, wanted: SearchQuery, kind: str, rows: int, terms: list[str], everyday: Collection[str]
) -> _WithWords:
    """What has the words of a question, of a kind with about so many rows, and what contains pieces of it.

    Where the vector is made elsewhere, it is looked up meanwhile where those stand; else later, of all at once.
    """
    index, held = source.kinds[kind].index, conditions(source, wanted, kind)
    asked = source.text.question_terms(source.snapshot, index, terms, newest=rows)
    found = source.text.search(source.snapshot, index, asked, held, _most(wanted), wanted.preferred)
    highest = max((score for _, score in found), default=0.0)
    scores = {key: score / highest if highest > 0 else 1.0 for key, score in found}
    little = (
        QuestionWords([each for each in asked.telling if each not in everyday], list(scores))
        if len(found) < wanted.limit
        else None
    )
    more = found_inside(source, index, held, wanted.query, little)
    words = WordScores(scores, {key: INSIDE * share for key, share in more.shares.items()})
    counted = source.text.term_counter(source.snapshot, index, rows, asked.counted)
    known: dict[int, CandidatePlace] = {}
    if source.aside is not None:
        known = placed(source, wanted, kind, words.found(), _best_by_words(wanted, words))
    return _WithWords(kind, words, more.pieces, counted, known)


def _best_by_words(wanted: SearchQuery, words: WordScores) -> set[int]:
    """What was found by words, and beside which is looked."""
    return {*islice(words.scores, _most(wanted) // BEST_SHARE), *words.inside}


def _pool(source: SearchSource, wanted: SearchQuery, of: _WithWords, meant: VectorMatches) -> CandidatePool:
    """What was found by words, what is near, and of moments what stands beside them."""
    kind, words = of.kind, of.words
    near, asked = dict(meant.near.get(kind, {})), meant.asked
    keys, beside = {*words.found(), *near}, {*islice(near, _most(wanted) // BEST_SHARE)}
    if of.placed:
        keys -= words.found()
        beside -= _best_by_words(wanted, words)
    else:
        beside |= _best_by_words(wanted, words)
    those = placed(source, wanted, kind, keys, beside)
    if of.placed:  # in the order in which all are read at once: what is added up is added up in one order
        those = dict(sorted((of.placed | those).items()))
    if asked is not None:
        others = [key for key in those if key not in near]
        near |= {
            each.item: each for each in asked.index.similar(source.snapshot, asked.model, asked.vector, kind, others)
        }
    return CandidatePool(kind, words, near, those, of.counted(those))


def _near(
    session: Snapshot, source: SearchSource, wanted: SearchQuery, kind: str, asked: QuestionVector
) -> dict[int, VectorMatch]:
    keys: list[int] | None = None
    if kind == "chunk" and wanted.session_id is not None:
        # The nearest of all may stand in other sessions; one session's moments are few enough to be measured all.
        keys = _keys(session, source, wanted, kind)
    elif wanted.narrowed:
        keys = _keys(session, source, wanted, kind, MOST_MEASURED + 1)
    if keys is None or (wanted.narrowed and len(keys) > MOST_MEASURED):
        found = asked.index.nearest(session, asked.model, asked.vector, among(source, wanted, kind), _most(wanted))
    else:
        found = asked.index.similar(session, asked.model, asked.vector, kind, keys)
    return {each.item: each for each in found}


def _keys(
    session: Snapshot, source: SearchSource, wanted: SearchQuery, kind: str, most: int | None = None
) -> list[int]:
    """The keys of what may be found, at most so many."""
    held = conditions(source, wanted, kind)
    return source.rows.findable(session, source.kinds[kind].index.table, held, most=most)


def _hits(
    order: Sequence[RankedCandidate], measure: _Measure, enough: Cutoff, first: FirstGroups, *, is_sentence: bool
) -> Iterator[Hit]:
    """What is found at all: by words of its own, by what it contains, or by what it means.

    What stands beside words of a sentence, or behind a question, may be the answer; beside a name it is noise. What
    shares nothing but everyday words must be near in its meaning too. Of a very long question not all words were looked
    for.
    """
    found = {kind: pool.words.found() for kind, pool in measure.pools.items()}
    is_long = enough.words > MOST_TERMS
    for each in order:
        kind, key = each.key
        if first.are_all and group_of(kind, key, measure.session(kind, key)) not in first:
            continue
        pool = measure.pools[kind]
        near = pool.near.get(key)
        cosine = near.similarity if near is not None else None
        by_words, inside = key in found[kind], key in pool.words.inside
        may = by_words or (each.covered > 0 and (is_sentence or each.shares[_ANSWERED] > 0))
        tells = each.told > 0 or is_long or enough.is_nearly_alike(cosine)
        is_near = enough.is_near(cosine)
        if (may and tells and enough.covers(each.covered, cosine)) or inside or is_near:
            similarity = measure.similarity(kind, key)
            is_good = inside or enough.answers(each.told, similarity if is_near else None)
            hit = measure.hit(kind, key, each.score, similarity, has_words=by_words, is_good=is_good)
            first.take(group_of(kind, key, hit.session), is_good=is_good)
            yield hit
