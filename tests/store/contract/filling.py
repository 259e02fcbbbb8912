"""Facts and sessions in a store, and the keys of what is found of them."""

from collections.abc import Sequence
from typing import Any

from sqlmodel import col, delete, select

from bigmind.kinds import terms_of_texts
from bigmind.memory.kinds import FACT
from bigmind.memory.tables import Fact, MemorySession
from bigmind.people.service import NOBODY
from bigmind.search.scope import index_of
from bigmind.store.descriptions import Predicate, RowCondition
from bigmind.store.store import Store
from tests.memory.rows import ADA, START, fact, session

FACTS = index_of(FACT)
MINE = RowCondition("user_id", ADA)


def put(store: Store, *texts: str, **given: object) -> list[int]:
    """Facts of Ada; their keys."""
    rows = [fact(START, text, **given) for text in texts]
    for each in rows:
        each.terms = terms_of_texts([each.text])
    return _added(store, rows)


def put_sessions(store: Store, *lines: str) -> list[int]:
    """Sessions of Ada with those headlines; their keys."""
    return _added(store, [session(START, one_liner=line) for line in lines])


def _added(store: Store, rows: Sequence[Any]) -> list[int]:
    with store.write(NOBODY, "test") as work:
        for each in rows:
            work.session.add(each)
            work.session.flush()
        return [each.id for each in rows]


def remove(store: Store, keys: Sequence[int]) -> None:
    """Delete facts."""
    with store.write(NOBODY, "test") as work:
        work.session.exec(delete(Fact).where(col(Fact.id).in_(keys)))


def found(
    store: Store, *terms: str, most: int = 100, of: Sequence[Predicate] = (MINE,), preferred: str = ""
) -> list[int]:
    """Facts that have any of the words, best first."""
    with store.read(NOBODY, "test") as work:
        hits = store.backend.full_text.search(work.session, FACTS, terms, of, most, preferred or None)
    assert [score for _, score in hits] == sorted((score for _, score in hits), reverse=True)
    return [key for key, _ in hits]


def containing(store: Store, *pieces: str, of: Sequence[Predicate] = (MINE,)) -> dict[str, list[int]]:
    """Facts that contain pieces, by piece; of a piece that none contains, nothing."""
    with store.read(NOBODY, "test") as work:
        keys = store.backend.full_text.containing(work.session, FACTS, pieces, of)
    return {piece: each for piece, each in keys.items() if each}


def typed(store: Store, text: str) -> list[int]:
    """Sessions that a list shows while that is typed."""
    with store.read(NOBODY, "test") as work:
        holds = store.backend.full_text.typed_filter("session", ("one_liner", "told"), text)
        keys = work.session.exec(select(MemorySession.id).where(*holds).order_by(col(MemorySession.id)))
        return [key for key in keys if key is not None]
