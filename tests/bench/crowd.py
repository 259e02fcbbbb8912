"""How well conversations are found by words among very many other moments, and in what time.

The others say the words of the conversations, each word after one that it follows there: words are as common as they
are there, and most of what is said is about nothing. `python -m tests.bench crowd` makes 50,000 of them.
"""

import json
from collections import defaultdict
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from itertools import pairwise
from pathlib import Path
from random import Random
from statistics import fmean
from time import thread_time
from unittest.mock import patch

from sqlmodel import select

from bigmind.embedding.meaning import WORDS_ONLY
from bigmind.memory.tables import Chunk
from bigmind.search.finding import find
from bigmind.search.scope import SearchQuery
from bigmind.store.descriptions import COUNTED_TIMES, TELLING_ROWS
from bigmind.store.sqlite import fulltext
from bigmind.store.sqlite.search_parts import SqliteTextSearch
from tests.bench.recall import (
    ADVERSARIAL,
    Conversation,
    Outcome,
    conversation_files,
    outcome_of,
    shares_of,
    stored,
    surround,
)
from tests.bench.report import Table, milliseconds
from tests.bench.scale_filling import fill_with_texts

CROWD = 50_000
WAYS = ((8_000, 1), (8_000, 2), (8_000, 4), (4_000, 2), (4_000, 4), (16_000, 2))
LIMITS = (5, 10)
NOW = (TELLING_ROWS, COUNTED_TIMES)
HEAD = (
    "rows with telling words",
    "counted",
    "hits",
    "any@1",
    "any@5",
    "any@10",
    "all@5",
    "MRR",
    "sessions any@5",
    "CPU ms",
)


def measure(folder: Path, *, quick: bool) -> Iterator[Table]:
    """A row for each way to choose the words that count, and for each number of hits."""
    if not (files := conversation_files("crowd", quick=quick)):
        return
    home, many = folder / "crowd", 10_000 if quick else CROWD
    fill_with_texts(home, many, _said_by_chance(files))
    conversations = list(_all_stored(home, files))
    last = conversations[-1]
    surround(last.mind, WORDS_ONLY)
    table = Table(f"Recall by words of {len(files)} conversations among {many:,} other moments", HEAD)
    for way in WAYS:
        for limit in LIMITS:
            with _counting(*way):
                found = [each for one in conversations for each in _asked(last, one, limit)]
            took = fmean(each.seconds for each in found)
            most, times = way
            names = [f"**{each:,}**" if way == NOW else f"{each:,}" for each in (most, most * times)]
            table.add(*names, limit, *_shares(found), milliseconds(took))
    last.mind.close()
    table.notes.append(f"{len(found)} questions of categories 1 to 4, of all projects, the conversation's preferred.")
    yield table


@contextmanager
def _counting(most: int, times: int) -> Iterator[None]:
    terms = staticmethod(partial(fulltext.question_terms, most_rows=most))
    with (
        patch.object(SqliteTextSearch, "question_terms", terms),
        patch.object(fulltext, "COUNTED_TIMES", times),
    ):
        yield


def _shares(found: Sequence[Outcome]) -> list[str]:
    one, five, ten, _, all_five, _, mean, sessions = shares_of(found)
    return [f"{100 * share:.1f}" for share in (one, five, ten, all_five, mean, sessions)]


def _all_stored(home: Path, files: Sequence[Path]) -> Iterator[Conversation]:
    """Each conversation, in the same home; of the last one the store stays open."""
    for number, file in enumerate(files, start=1):
        conversation = stored(home, file)
        if number < len(files):
            conversation.mind.close()
        yield conversation


def _asked(last: Conversation, conversation: Conversation, limit: int) -> Iterator[Outcome]:
    with last.mind.store.read(last.caller, "crowd") as work:
        ours = select(Chunk.uid, Chunk.id, Chunk.session_id)
        rows = {uid: (key, session) for uid, key, session in work.session.exec(ours)}
    sessions = dict(rows.values())
    for asked in conversation.told["questions"]:
        evidence = [rows[conversation.chunks[each]][0] for each in asked["evidence"] if each in conversation.chunks]
        if not evidence or asked["category"] == ADVERSARIAL:
            continue
        with last.mind.store.read(last.caller, "crowd") as work:
            begin = thread_time()
            found = find(work, SearchQuery(asked["question"], limit, preferred=conversation.name), ["chunk"])
            took = thread_time() - begin
        yield outcome_of(asked["category"], evidence, sessions, [[each.key] for each in found.hits], took)


def _said_by_chance(files: Sequence[Path], seed: int = 5) -> Iterator[str]:
    """Sayings of as many words as those of the conversations, without end."""
    random, items = Random(seed), [each for file in files for each in json.loads(file.read_text("utf-8"))["items"]]
    followers: defaultdict[str, list[str]] = defaultdict(list)
    sayings = [each["text"].split() for each in items if each["text"].split()]
    for words in sayings:
        for word, following in pairwise(words):
            followers[word].append(following)
    while True:
        words = random.choice(sayings)
        told = [words[0]]
        while len(told) < len(words):
            told.append(random.choice(followers.get(told[-1]) or random.choice(sayings)))
        yield f"{random.choice(items)['speaker']}: {' '.join(told)}"
