"""Looks into the files that a killed server left: is everything there that was acknowledged?"""

import shutil
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path

from sqlmodel import Session, select

from bigmind.memory.kinds import MOMENT
from bigmind.memory.tables import Chunk, Fact, Hypothesis
from bigmind.people.service import NOBODY
from bigmind.people.tables import User
from bigmind.search.scope import index_of
from bigmind.store.descriptions import RowCondition
from bigmind.store.sqlite.fulltext import search
from bigmind.store.store import Store

MOMENTS = index_of(MOMENT)

TEXTS = {"fact": Fact.text, "chunk": Chunk.content, "hypothesis": Hypothesis.text}


@dataclass
class Promises:
    """What a server acknowledged: the texts, by what they are."""

    made: dict[str, list[str]] = field(default_factory=lambda: {kind: [] for kind in TEXTS})

    def add(self, other: "Promises") -> None:
        for kind, texts in other.made.items():
            self.made[kind] += texts

    def __len__(self) -> int:
        return sum(map(len, self.made.values()))


def judged(home: Path, scratch: Path, promises: Promises, latest: Promises) -> list[str]:
    """What is wrong with the store that is left in `home`; empty when nothing is.

    Works on a copy, so that the next server finds the files as the killed one left them. Every promise is looked up in
    the rows, the latest also by search.
    """
    shutil.rmtree(scratch, ignore_errors=True)
    scratch.mkdir(0o700)
    for file in home.glob("bigmind.db*"):
        if not file.name.endswith("-shm"):  # made anew from the log
            shutil.copy(file, scratch)
    store = Store(scratch)
    try:
        problems = store.integrity()
        with store.read(NOBODY, "judge") as work:
            for kind, text in TEXTS.items():
                stored = Counter(work.session.exec(select(text)))
                problems += [f"{kind} lost: {each}" for each in promises.made[kind] if each not in stored]
                problems += [f"{kind} {count} times: {each}" for each, count in stored.items() if count > 1]
            problems += [f"not found: {each}" for each in latest.made["chunk"] if not is_found(work.session, each)]
    finally:
        store.close()
    return problems


def is_found(session: Session, text: str) -> bool:
    user = session.exec(select(User)).first()
    hits = search(session, MOMENTS, [text], [RowCondition("user_id", user.id if user else 0)], 10)
    return [session.get_one(Chunk, key).content for key, _ in hits] == [text]
