"""Homes of very many chunks, with their sessions, facts and vectors, made in minutes: rows, not operations.

A vector is that of a real sentence (Python's manual, embedded by the product's own model) with noise on it: vectors
lie together in heaps, as those of a real memory do, and ones drawn at random would not.
"""

import re
import uuid
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from functools import cache
from itertools import islice
from pathlib import Path
from pydoc_data.topics import topics
from random import Random
from typing import Any

import numpy as np

from bigmind.embedding.loader import load
from bigmind.embedding.models import DEFAULT
from bigmind.embedding.vector_index import EVERYBODY, signs
from bigmind.text.words import index_terms
from tests.bench.corpus import texts
from tests.bench.rows import insert_together, written_at_once

CHUNKS_PER_SESSION, CHUNKS_PER_FACT, CHUNKS_PER_NOTE = 25, 20, 1_000
REASONS = ("kept: a decision", "kept: an error and its repair", "kept: what was asked for", "kept: for later")
"""Of every chunk; so there is a word that stands in all of them, and some that stand in a quarter."""
PROJECTS = 20
SENTENCES = 2_000
NOISE = 0.6
"""Length of what is added to a vector of length 1: it is at a cosine of some 0.86 to its sentence."""
AT_ONCE = 5_000
BEGINNING = datetime(2026, 1, 1, tzinfo=UTC)
OWNER = 1

_CHUNK = (
    "INSERT INTO chunk(uid, user_id, session_id, project, client, role, content, flag_reason, terms, seq, created_at)"
    " VALUES (?, 1, ?, ?, 'bench', 'decision', ?, ?, ?, ?, ?)"
)
_SESSION = (
    "INSERT INTO session(id, uid, user_id, project, client, started_at, ended_at, one_liner, outcome, importance,"
    " has_detail, told, updated_at) VALUES (?, ?, 1, ?, 'bench', ?, ?, ?, 'Stored.', 5, 0, ?, ?)"
)
_FACT = (
    "INSERT INTO fact(uid, user_id, session_id, project, client, category, text, confidence, created_at, updated_at,"
    " deprecation_reason) VALUES (?, 1, ?, ?, 'bench', 'bench', ?, 0.9, ?, ?, '')"
)
_NOTE = (
    "INSERT INTO knowledge(uid, category, title, content, project, client, importance, status, review_notes, terms,"
    " created_at, updated_at) VALUES (?, 'bench', ?, ?, ?, 'bench', 5, 'approved', '', '', ?, ?)"
)
_VECTORS = """
INSERT INTO embedding(kind, item, piece, start, stop, owner, project, at, model, vector, signs)
VALUES (?, ?, 0, 0, ?, ?, ?, ?, ?, ?, ?)
"""


def fill_with_vectors(home: Path, chunks: int, seed: int = 7) -> None:
    """Make a home whose every chunk, session, fact and entry has its vector; the queue is empty."""
    with _filled(home, chunks, texts(seed), seed) as connection:
        _vectors(connection)


def fill_with_texts(home: Path, chunks: int, contents: Iterator[str], seed: int = 7) -> None:
    """Make a home of these texts, without vectors; all of it waits in the queue."""
    with _filled(home, chunks, contents, seed):
        pass


@contextmanager
def _filled(home: Path, chunks: int, contents: Iterator[str], seed: int) -> Iterator[Any]:
    random = Random(seed)
    with written_at_once(home) as connection:
        for start in range(0, chunks, AT_ONCE):
            connection.execute("BEGIN")
            _rows(connection, random, contents, range(start, min(start + AT_ONCE, chunks)))
            connection.execute("COMMIT")
        yield connection


def _rows(connection: Any, random: Random, contents: Iterator[str], numbers: range) -> None:
    rows: dict[str, list[tuple[object, ...]]] = {statement: [] for statement in (_SESSION, _CHUNK, _FACT, _NOTE)}
    for number in numbers:
        session, place = divmod(number, CHUNKS_PER_SESSION)
        project = f"project {session % PROJECTS}"
        at = written(BEGINNING + timedelta(minutes=number))
        content = next(contents)
        if place == 0:
            told = next(contents)
            rows[_SESSION].append((session + 1, uid(), project, at, at, content[:80], told, at))
        reason = random.choice(REASONS)
        rows[_CHUNK].append((uid(), session + 1, project, content, reason, index_terms(content), place, at))
        if number % CHUNKS_PER_FACT == 0:
            rows[_FACT].append((uid(), session + 1, project, next(contents)[:120], at, at))
        if number % CHUNKS_PER_NOTE == 0:
            rows[_NOTE].append((uid(), content[:60], next(contents), project, at, at))
    for statement, those in rows.items():
        insert_together(connection, statement, those)


def uid() -> str:
    return str(uuid.uuid4())


def written(moment: datetime) -> str:
    """As the store writes it."""
    return moment.astimezone(UTC).replace(tzinfo=None).isoformat(" ", "microseconds")


def _vectors(connection: Any) -> None:
    """Give everything in the queue a vector, and empty it."""
    made = vectors(11)
    while waiting := connection.execute(f"SELECT id, kind, item FROM embedding_queue LIMIT {AT_ONCE}").fetchall():
        connection.execute("BEGIN")
        for number, kind, item in waiting:
            project, at = _about(connection, kind, item)
            owner = EVERYBODY if kind == "knowledge" else OWNER
            vector = next(made)
            connection.execute(_VECTORS, (kind, item, 100, owner, project, at, DEFAULT, vector, signs(vector)))
            connection.execute("DELETE FROM embedding_queue WHERE id = ?", (number,))
        connection.execute("COMMIT")


def _about(connection: Any, kind: str, item: int) -> tuple[str, str]:
    time = {"session": "started_at", "knowledge": "updated_at"}.get(kind, "created_at")
    return connection.execute(f"SELECT project, {time} FROM {kind} WHERE id = ?", (item,)).fetchone()


def vectors(seed: int) -> Iterator[bytes]:
    """Vectors like real ones, as int8, without end."""
    made, real = np.random.default_rng(seed), _real()
    while True:
        drawn = real[made.integers(0, len(real), AT_ONCE)]
        noise = made.standard_normal(drawn.shape, dtype=np.float32) * (NOISE / np.sqrt(drawn.shape[1]))
        noisy = drawn + noise
        scaled = np.round(noisy * (127.0 / np.abs(noisy).max(axis=1, keepdims=True))).astype(np.int8)
        yield from (row.tobytes() for row in scaled)


@cache
def _real() -> Any:
    """Vectors of length 1 of sentences of Python's manual."""
    text = "\n\n".join(topics[name] for name in sorted(topics))
    sentences = [" ".join(each.split()) for each in re.split(r"\n\n|(?<=\.)\s", text)]
    chosen = list(islice((each for each in dict.fromkeys(sentences) if 40 < len(each) < 300), SENTENCES))
    made = load(DEFAULT).documents([("", each) for each in chosen])
    found = np.array([np.frombuffer(pieces[0][2], np.int8) for pieces in made], dtype=np.float32)
    return found / np.linalg.norm(found, axis=1, keepdims=True)
