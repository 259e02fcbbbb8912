"""What a contribution is like: which living thoughts say nearly the same, and which correction it contradicts."""

from collections.abc import Collection, Sequence
from concurrent.futures import TimeoutError as NotInTime
from dataclasses import dataclass
from math import sqrt
from typing import NamedTuple

from sqlmodel import col, or_, select

from bigmind.brain.finding.lineage import is_accepted, is_living
from bigmind.brain.rules import CONTRADICTS, CORRECTION_CATEGORY, NEARLY_REPEATS, PROPOSES_REFINING
from bigmind.brain.tables import Thought
from bigmind.embedding.embedder import EmbeddedPiece, EmbeddingError
from bigmind.embedding.models import SAME, Model, model_named
from bigmind.embedding.vector_index import VectorFilter
from bigmind.search.model_state import active_model
from bigmind.search.scope import index_of
from bigmind.store.descriptions import RowCondition
from bigmind.store.work import Work
from bigmind.text.similarity import Relation, compared, may_differ_unseen
from bigmind.text.words import query_terms

KIND = "thought"
CONTRADICTION = "contradicts_correction"
NEAREST = 20
MOST_LIKE = 5
MOST_CORRECTIONS = 5
PATIENCE_SECONDS = 20.0
"""How long a contribution waits for its own vector: a model that is loaded first takes a second or two."""


class Similar(NamedTuple):
    """A living thought that is close to a contribution: key and id, how near, and whether a correction denies it."""

    key: int
    uid: str
    similarity: float
    is_denied: bool = False


@dataclass(frozen=True, slots=True)
class OwnVectors:
    """The vectors of a text that is about to be stored, of one model; none where no model works."""

    model: str = ""
    pieces: tuple[EmbeddedPiece, ...] = ()


@dataclass(frozen=True, slots=True)
class Likeness:
    """What a contribution is like.

    Attributes:
        similar: living thoughts from *close* on, nearest first.
        contradicted: the id of a correction whose corrected fact it says again; empty where it contradicts none.
    """

    similar: Sequence[Similar] = ()
    contradicted: str = ""

    @property
    def repeats(self) -> bool:
        """Whether it says the same as one of them."""
        return any(each.similarity >= NEARLY_REPEATS for each in self.similar)


def embed(work: Work, text: str) -> OwnVectors:
    """The vectors of a text, waited for."""
    found = embedded(work, [text])
    return OwnVectors(found[0], tuple(found[1][0])) if found is not None else OwnVectors()


def embedded(work: Work, texts: Sequence[str]) -> tuple[str, list[list[EmbeddedPiece]]] | None:
    """The model, and the pieces of each text, waited for; None where no model works or reads one of them."""
    meaning, model = work.host.meaning, model_named(active_model(work))
    if meaning.embedder is None or meaning.vectors is None or not model.name:
        return None
    if meaning.vectors.why_not(work.session) or not all(model.reads(each) for each in texts):
        return None
    try:
        coming = meaning.embedder.documents(model.name, [("", each) for each in texts])
        return model.name, coming.result(PATIENCE_SECONDS)
    except (EmbeddingError, NotInTime):
        return None


def likeness(work: Work, text: str, own: OwnVectors, without: Collection[int]) -> Likeness:
    """What a text is like, among what its contributor may read.

    Args:
        work: reads.
        text: of the contribution.
        own: its vectors; without any, words decide.
        without: keys of thoughts that it is not compared with, because it rests on them.
    """
    near = _by_meaning(work, own, NEAREST) if own.pieces else _by_words(work, text)
    rows = _rows(work, near.keys())
    similar = [
        Similar(row.id or 0, row.uid, near[row.id or 0], CONTRADICTION in row.flags)
        for row in rows
        if row.id not in without
        and near[row.id or 0] >= PROPOSES_REFINING
        and not may_differ_unseen(text, row.content)  # which no model sees
    ]
    similar.sort(key=lambda each: (each.similarity, each.key), reverse=True)
    corrections = [row for row in _corrections(work, text) if row.id not in without]
    return Likeness(similar[:MOST_LIKE], _contradicted(work, text, own, corrections))


def _rows(work: Work, keys: Collection[int]) -> list[Thought]:
    """Those of the thoughts that live and wait for nobody; what a gate has used counts too."""
    living = is_living(work)
    readable, rest = living[0], living[1:]
    lives = or_(col(Thought.gated_at).is_not(None), rest[0] & rest[1])
    return list(
        work.session.exec(
            select(Thought).where(col(Thought.id).in_(list(keys)), readable, lives, is_accepted(Thought))
        ).all()
    )


def _corrections(work: Work, text: str) -> list[Thought]:
    """The living corrections that share most words with a text: what they correct stands in their index."""
    kind = work.kinds[KIND]
    which = [
        RowCondition("user_id", work.caller.user_id, other=kind.shared_when),
        RowCondition("category", CORRECTION_CATEGORY),
    ]
    found = work.backend.full_text.search(work.session, index_of(kind), query_terms(text), which, MOST_CORRECTIONS)
    rows = {row.id: row for row in _rows(work, [key for key, _ in found])}
    return [rows[key] for key, _ in found if key in rows]


def _by_meaning(work: Work, own: OwnVectors, most: int) -> dict[int, float]:
    """How near the nearest thoughts are to all of a text's pieces together."""
    index, model = work.host.meaning.vectors, model_named(own.model)
    if index is None:
        return {}
    which = VectorFilter(KIND, work.caller.user_id, and_everybodys=True)
    first = index.nearest(work.session, model.name, own.pieces[0].vector, which, most)
    sums = {each.item: each.similarity for each in first}
    for piece in own.pieces[1:]:
        near = {
            each.item: each.similarity
            for each in index.similar(work.session, model.name, piece.vector, KIND, list(sums))
        }
        sums = {key: total + near.get(key, 0.0) for key, total in sums.items()}
    return {key: model.similarity(total / len(own.pieces)) for key, total in sums.items()}


def _by_words(work: Work, text: str) -> dict[int, float]:
    """Without a model, as for facts: what repeats it is the same, and whatever else shares words is not close."""
    mine = RowCondition("user_id", work.caller.user_id, other=work.kinds[KIND].shared_when)
    found = work.backend.full_text.search(work.session, index_of(work.kinds[KIND]), query_terms(text), [mine], NEAREST)
    rows = work.session.exec(select(Thought.id, Thought.content).where(col(Thought.id).in_([key for key, _ in found])))
    return {key or 0: _said_again(text, content) for key, content in rows}


def _said_again(text: str, other: str) -> float:
    judged = compared(text, other)
    return max(SAME, judged.similarity) if judged.relation is Relation.REPEATS else min(judged.similarity, 0.84)


def _contradicted(work: Work, text: str, own: OwnVectors, corrections: Sequence[Thought]) -> str:
    """The correction whose corrected fact a text is close to, and nearer to than to the correct one."""
    corrections = [row for row in corrections if row.corrected_fact]
    if not corrections:
        return ""
    texts = [each for row in corrections for each in (row.corrected_fact, row.correct_fact or row.content)]
    if own.pieces and (read := embedded(work, texts)) is not None:
        model = model_named(read[0])
        near = [nearest(model, own.pieces, pieces) for pieces in read[1]]
    else:
        near = [_said_again(text, each) for each in texts]
    pairs = zip(corrections, near[::2], near[1::2], strict=True)
    found = [
        (corrected, row.uid) for row, corrected, correct in pairs if corrected >= CONTRADICTS and corrected > correct
    ]
    return max(found)[1] if found else ""


def nearest(model: Model, own: Sequence[EmbeddedPiece], others: Sequence[EmbeddedPiece]) -> float:
    """How similar the two pieces of two texts are that are most similar, on the scale of all models."""
    return max((model.similarity(cosine(one.vector, other.vector)) for one in own for other in others), default=0.0)


def cosine(one: bytes, other: bytes) -> float:
    """The cosine of two vectors of signed bytes."""
    first, second = memoryview(one).cast("b"), memoryview(other).cast("b")
    product = sum(a * b for a, b in zip(first, second, strict=True))
    lengths = sqrt(sum(a * a for a in first) * sum(b * b for b in second))
    return product / lengths if lengths else 0.0
