"""Finds things by words and by meaning: two pools of candidates, and one order of both."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import islice

from sqlmodel import Session, select

from bigmind.memory.candidates import ByWords, Pool, Question, candidates, placed, rarity
from bigmind.memory.embedding import active_model
from bigmind.memory.findable import FINDABLE, Wanted, among, conditions
from bigmind.memory.inside import Words, found_inside
from bigmind.memory.tables import Chunk
from bigmind.search.embedding.models import model_named
from bigmind.search.enough import FEW_WORDS, Enough
from bigmind.search.excerpts import Sought
from bigmind.search.fusion import MEASURED, Ranked, Weights, ranked
from bigmind.search.vectors import Near, VectorIndex
from bigmind.search.words import match_expression, query_terms
from bigmind.store.sqlite.fulltext import newest_rows, search, telling
from bigmind.store.sqlite.standing import standing
from bigmind.store.work import Work

LEAST_POOL = 50
"""Twice as many take a third more time and find no more (docs/performance.md)."""
POOL_PER_HIT = 5
FAINT = 0.65
"""The share of a model's `alike` from which on something is shown where nothing answers."""
MOST_FAINT = 2
INSIDE = 0.5
"""What containing all pieces of a question counts, beside the best by words with 1."""


@dataclass(frozen=True, slots=True)
class Hit:
    """Something that was found.

    Attributes:
        kind: of the thing.
        key: its key.
        score: higher is better; of use within one answer only.
        has_words: whether words of the question stand in it.
        near: its nearest piece, where meaning was asked.
    """

    kind: str
    key: int
    score: float
    has_words: bool
    near: Near | None = None


@dataclass(frozen=True, slots=True)
class Found:
    """The hits, best first; what was looked for by words; and why meaning had no part, where it had none.

    From `alike` on a hit's similarity means something, with the model that was asked. `is_faint`: nothing answers, and
    the hits are what comes nearest.
    """

    hits: list[Hit]
    sought: Sought
    words_only: str = ""
    alike: float = 1.0
    is_faint: bool = False


@dataclass(frozen=True, slots=True)
class Asked:
    """A question's vector, and where it is compared."""

    index: VectorIndex
    model: str
    vector: bytes


@dataclass(frozen=True, slots=True)
class Meant:
    """What is near to a question, of each kind the nearest first; or why meaning has no part."""

    asked: Asked | None
    why_not: str
    near: dict[str, dict[int, Near]]


def find(work: Work, wanted: Wanted, kinds: Sequence[str], weights: Weights = MEASURED) -> Found:
    """The things of those kinds that the caller may find and that answer best, best first."""
    terms = query_terms(wanted.query)
    newest = newest_rows(work.session, [FINDABLE[kind].index.table for kind in kinds])
    some = {kind: rows for kind in kinds if (rows := newest[FINDABLE[kind].index.table])}
    model = active_model(work)
    meant = _by_meaning(work, wanted, list(some), model)
    rare = {kind: telling(work.session, FINDABLE[kind].index, terms, newest=rows) for kind, rows in some.items()}
    inside: dict[str, None] = {}
    words = {kind: _by_words(work, wanted, kind, rare[kind], inside) for kind in some}
    known = meant()
    pools = [_pool(work, wanted, _Kind(kind, rows, rare[kind]), words[kind], known) for kind, rows in some.items()]
    alike = model_named(model).alike
    order = _ranked(work, wanted, pools, weights)
    enough = Enough(len(terms), max((each.covered for each in order), default=0.0), alike)
    is_sentence = len(wanted.query.split()) > FEW_WORDS
    hits = list(islice(_hits(order, pools, enough, is_sentence=is_sentence), wanted.limit))
    faint = [] if hits else _nearest(pools, alike)[: wanted.limit]
    return Found(_relative(hits or faint), Sought(terms, list(inside)), known.why_not, alike, bool(faint))


def _by_meaning(work: Work, wanted: Wanted, kinds: Sequence[str], model: str) -> Callable[[], Meant]:
    """Begin to look for what is near, beside the search by words; what comes back waits for it.

    It looks in a snapshot of its own. What may be found is decided in the caller's (`placed`), as for words.
    """
    meaning = work.surroundings.meaning()
    question, index = meaning.ask(model, wanted.query), meaning.vectors

    def look(session: Session) -> Meant:
        vector, why_not = question.vector()
        if vector is None or index is None:
            return Meant(None, why_not, {})
        if why_not := index.why_not(session):
            return Meant(None, why_not, {})
        asked = Asked(index, question.model, vector)
        return Meant(asked, "", {kind: _near(session, work, wanted, kind, asked) for kind in kinds})

    if question.coming is None or work.aside is None:
        return partial(look, work.session)
    return work.aside(look).result


def _nearest(pools: Sequence[Pool], alike: float) -> list[Hit]:
    """Where nothing answers, the little that comes nearest: better than to say that nothing is there."""
    near = [
        (each.similarity, pool.kind, key, each)
        for pool in pools
        for key, each in pool.near.items()
        if key in pool.placed
    ]
    best = sorted((each for each in near if each[0] >= FAINT * alike), reverse=True)[:MOST_FAINT]
    return [Hit(kind, key, score, False, found) for score, kind, key, found in best]


def _relative(hits: list[Hit]) -> list[Hit]:
    """With scores as shares of the best one's: what a word counts depends on everybody's rows, which nobody is told."""
    best = hits[0].score if hits else 1.0
    return [replace(each, score=round(each.score / best, 2) if best > 0 else 1.0) for each in hits]


def _most(wanted: Wanted) -> int:
    """How many candidates each way brings."""
    return max(LEAST_POOL, POOL_PER_HIT * wanted.limit)


def _by_words(work: Work, wanted: Wanted, kind: str, rare: list[str], inside: dict[str, None]) -> ByWords:
    """What has the rare words of a question, and what contains pieces of it; those pieces are added to `inside`."""
    held = conditions(work, wanted, kind)
    found = search(work.session, FINDABLE[kind].index, match_expression(rare), held, _most(wanted), wanted.preferred)
    highest = max((score for _, score in found), default=0.0)
    scores = {key: score / highest if highest > 0 else 1.0 for key, score in found}
    little = Words(rare, list(scores)) if len(found) < wanted.limit else None
    more = found_inside(work, kind, held, wanted.query, little)
    inside |= dict.fromkeys(more.pieces)
    return ByWords(scores, {key: INSIDE * share for key, share in more.shares.items()})


@dataclass(frozen=True, slots=True)
class _Kind:
    """A kind, about how many rows it has, and the words that are looked for among them."""

    name: str
    rows: int
    terms: list[str]


def _pool(work: Work, wanted: Wanted, of: _Kind, words: ByWords, meant: Meant) -> Pool:
    """What was found by words, what is near, and of moments what stands beside them."""
    kind = of.name
    near, asked = dict(meant.near.get(kind, {})), meant.asked
    best = _most(wanted) // 2  # what stands beside the others takes as long again, and is hardly ever found
    beside = {*islice(words.scores, best), *words.inside, *islice(near, best)}
    those = placed(work, wanted, kind, {*words.found(), *near}, beside)
    if asked is not None:
        others = [key for key in those if key not in near]
        near |= {each.item: each for each in asked.index.similar(work.session, asked.model, asked.vector, kind, others)}
    return Pool(kind, words, near, those, standing(work.session, FINDABLE[kind].index, of.rows, of.terms, those))


def _near(session: Session, work: Work, wanted: Wanted, kind: str, asked: Asked) -> dict[int, Near]:
    if kind == "chunk" and wanted.session_id is not None:
        # The nearest of all may stand in other sessions; one session's moments are few enough to be measured all.
        those = select(Chunk.id).where(*(each.over(Chunk) for each in conditions(work, wanted, kind)))
        keys = [key for key in session.exec(those) if key is not None]
        found = asked.index.similar(session, asked.model, asked.vector, kind, keys)
    else:
        found = asked.index.nearest(session, asked.model, asked.vector, among(work, wanted, kind), _most(wanted))
    return {each.item: each for each in found}


def _ranked(work: Work, wanted: Wanted, pools: Sequence[Pool], weights: Weights) -> list[Ranked]:
    question, rare = Question.of(wanted.query, work.now), rarity(pools)
    those = [each for pool in pools for each in candidates(pool, question, rare)]
    return ranked(those, rare, weights)


def _hits(order: Sequence[Ranked], pools: Sequence[Pool], enough: Enough, *, is_sentence: bool) -> Iterator[Hit]:
    """What is found at all: by words of its own, by what it contains, or by what it means.

    What stands beside words of a sentence, or behind a question, may be the answer; beside a name it is noise.
    """
    by_kind = {pool.kind: (pool.words.found(), pool.words.inside, pool.near) for pool in pools}
    for each in order:
        kind, key = each.key
        by_words, inside, those = by_kind[kind]
        near = those.get(key)
        similarity = near.similarity if near is not None else None
        may = key in by_words or (each.covered > 0 and (is_sentence or each.parts["answered"] > 0))
        has_words = may and enough.covers(each.covered, similarity)
        if has_words or key in inside or enough.is_near(similarity):
            yield Hit(kind, key, each.score, key in by_words, near)
