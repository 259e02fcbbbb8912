"""Homes of very many thoughts with tags, links, weights and vectors, made in minutes: rows, not operations.

Texts and vectors are those of `scale_filling.py`; one thought of twenty refines an earlier one, one of ten was read.
"""

import json
from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path
from random import Random
from typing import Any

from bigmind.embedding.models import DEFAULT
from bigmind.embedding.vector_index import EVERYBODY, signs
from bigmind.text.words import index_terms
from tests.bench.corpus import texts
from tests.bench.rows import written_at_once
from tests.bench.scale_filling import AT_ONCE, BEGINNING, OWNER, uid, vectors, written

TOPICS = tuple(f"{domain}/{part}" for domain in ("pay", "ship", "search", "ui", "ops") for part in range(40))
TAGS, TAGS_EACH = 200, 3
CATEGORIES = ("operational_learning", "decision_record", "task_outcome", "state_snapshot", "uncategorized")
ONE_REFINES, ONE_IS_READ = 20, 10
ONE_IS_PRIVATE = 25
AGENTS = 4

_THOUGHT = (
    "INSERT INTO thought(id, uid, user_id, space, created_at, updated_at, project, client, thought_type, category,"
    " topic, flags, tags, content, about, terms) VALUES (?, ?, 1, ?, ?, ?, ?, ?, ?, ?, ?, '[]', ?, ?, ?, ?)"
)
_TAG = "INSERT OR IGNORE INTO thought_tag(thought_id, tag) VALUES (?, ?)"
_LINK = "INSERT INTO thought_link(thought_id, other_id, relation) VALUES (?, ?, 'refines')"
_USE = "INSERT INTO thought_use(thought_id, weight, weighed_at, reads, last_read_at) VALUES (?, ?, ?, ?, ?)"
_READER = "INSERT INTO thought_reader(thought_id, user_id, client, reads, last_read_at) VALUES (?, 1, ?, 2, ?)"
_VECTOR = """
INSERT INTO embedding(kind, item, piece, start, stop, owner, project, at, model, vector, signs)
VALUES ('thought', ?, 0, 0, ?, ?, ?, ?, ?, ?, ?)
"""


def fill_with_thoughts(home: Path, thoughts: int, seed: int = 7) -> None:
    """Make a home whose every thought has its vector; the queue is empty."""
    random, contents, made = Random(seed), texts(seed), vectors(11)
    with written_at_once(home) as connection:
        for start in range(1, thoughts + 1, AT_ONCE):
            connection.execute("BEGIN")
            for number in range(start, min(start + AT_ONCE, thoughts + 1)):
                _thought(connection, random, number, next(contents), made)
            connection.execute("DELETE FROM embedding_queue")
            connection.execute("COMMIT")


def _thought(connection: Any, random: Random, number: int, content: str, made: Iterator[bytes]) -> None:
    at = written(BEGINNING + timedelta(minutes=number))
    topic, project = random.choice(TOPICS), f"project {random.randrange(20)}"
    tags = sorted({f"tag-{random.randrange(TAGS)}" for _ in range(TAGS_EACH)})
    space = "private" if number % ONE_IS_PRIVATE == 0 else "shared"
    refines = number > ONE_REFINES and number % ONE_REFINES == 0
    kind = "refinement" if refines else "original"
    agent, category = f"agent {random.randrange(AGENTS)}", random.choice(CATEGORIES)
    about = " ".join((topic, *tags))
    words = (json.dumps(tags), content, about, index_terms(content))
    connection.execute(_THOUGHT, (number, uid(), space, at, at, project, agent, kind, category, topic, *words))
    connection.executemany(_TAG, [(number, tag) for tag in tags])
    if refines:
        connection.execute(_LINK, (number, random.randrange(1, number)))
    is_read = number % ONE_IS_READ == 0
    connection.execute(_USE, (number, 1.2 if is_read else 1.0, at, 4 if is_read else 0, at if is_read else None))
    if is_read:
        connection.executemany(_READER, [(number, f"agent {each}", at) for each in range(2)])
    vector, owner = next(made), OWNER if space == "private" else EVERYBODY
    connection.execute(_VECTOR, (number, len(content), owner, project, at, DEFAULT, vector, signs(vector)))
