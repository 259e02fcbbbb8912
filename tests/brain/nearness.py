"""Thoughts that are exactly so near to each other, and to every question."""

from collections.abc import Sequence
from concurrent.futures import Future
from dataclasses import replace
from math import hypot
from typing import Any

from bigmind.brain.tables import Thought, ThoughtReader, ThoughtUse
from bigmind.core.ids import new_id
from bigmind.embedding.embedder import EmbeddedPiece, State
from bigmind.embedding.meaning import Meaning
from bigmind.embedding.models import DEFAULT, model_named
from bigmind.embedding.vector_index import EVERYBODY, signs
from bigmind.store.tables import Embedding
from tests.memory.living import Memory

FIRST_AXIS = bytes([127]) + bytes(383)


def vector_at(similarity: float, *, beyond: bool = False) -> bytes:
    """The vector that is hardly less near to the first axis than that by the default model's scale, or hardly more."""
    model = model_named(DEFAULT)
    pairs = ((along, across) for along in range(128) for across in range(1, 128))
    near = ((model.similarity(along / hypot(along, across)), along, across) for along, across in pairs)
    if beyond:
        found, along, across = min(each for each in near if each[0] >= similarity)
    else:
        found, along, across = max(each for each in near if each[0] < similarity)
    assert abs(found - similarity) < 0.002
    return bytes([along, across]) + bytes(382)


class FirstAxis:
    """An embedder to which every text means the first axis."""

    state = State.READY

    def query(self, model: str, text: str) -> "Future[bytes]":
        del model, text
        return _told(FIRST_AXIS)

    def documents(self, model: str, texts: Sequence[tuple[str, str]]) -> "Future[list[list[EmbeddedPiece]]]":
        del model
        return _told([[EmbeddedPiece(0, len(text), FIRST_AXIS)] for _, text in texts])


def _told(answer: Any) -> "Future[Any]":
    told: Future[Any] = Future()
    told.set_result(answer)
    return told


def measure_vectors(memory: Memory, embedder: Any = None) -> None:
    """Let a memory search by meaning, with that embedder; without one each text means the same."""
    store = memory.mind.store
    store.host = replace(store.host, meaning=Meaning(embedder or FirstAxis(), store.backend.vectors))


def stored(memory: Memory, content: str, near: bytes, *, reads: int = 0, **more: Any) -> int:
    """A thought with that vector, read so often, by two agents; its key."""
    at = memory.clock.now
    row = Thought(
        uid=new_id(), user_id=1, space="shared", created_at=at, updated_at=at, client="tester", content=content, **more
    )
    with memory.mind.store.write(memory.caller, "test") as work:
        work.session.add(row)
        work.session.flush()
        key = row.id or 0
        work.session.add(ThoughtUse(thought_id=key, weighed_at=at, reads=reads, last_read_at=at))
        readers = (ThoughtReader(thought_id=key, user_id=1, client=name, reads=1, last_read_at=at) for name in "ab")
        work.session.add_all(readers)
        about = {"kind": "thought", "item": key, "piece": 0, "start": 0, "stop": 9, "owner": EVERYBODY, "project": ""}
        work.session.add(Embedding(**about, at=at, model=DEFAULT, vector=near, signs=signs(near)))
    return key
