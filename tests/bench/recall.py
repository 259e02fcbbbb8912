"""How well conversations are remembered: stored and searched as the product does it, judged by who wrote the questions.

The conversations are not ours and are never shipped. They are looked for in the folder that LOCOMO_FOLDER names, else
beside the repository; every `*.json` in it is one: `items` (id, session, date, speaker, text) and `questions`
(question, category, evidence: the ids of the items that answer it).
"""

import json
import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from pathlib import Path
from time import perf_counter
from typing import Any

from sqlmodel import select

from app.meaning_search import MeaningSearch
from bigmind.core.operation import Caller
from bigmind.embedding.meaning import WORDS_ONLY, Meaning
from bigmind.memory.tables import Chunk
from bigmind.paths import token_file
from bigmind.search.finding import find
from bigmind.search.grouping import grouped
from bigmind.search.ranking import MEASURED, Weights
from bigmind.search.scope import SearchQuery
from bigmind.wiring import Mind, open_mind
from tests.bench.report import Table, milliseconds, percentile

BESIDE_THE_REPOSITORY = Path(__file__).parents[3] / "shared" / "data" / "locomo-dev"
DATE = "%I:%M %p on %d %B, %Y"
NOW = datetime(2026, 1, 1, tzinfo=UTC)
USUAL, DEEP = 10, 100
"""Hits that are asked for: about as many as an assistant asks for, and as many as tell where the rest stands."""
ADVERSARIAL = 5
MOST_LOADING = 100
"""Questions that may be answered by words alone before one is by meaning; each waits 0.3 s for the model."""
HEAD = (
    "ranked by",
    "any@1",
    "any@5",
    "any@10",
    "all@1",
    "all@5",
    "all@10",
    "MRR",
    "sessions any@5",
    "p50 ms",
    "p95 ms",
)
BELOW = f"hybrid, {USUAL} hits, moments below their sessions"
"""As search over everything shows them: a moment's place is its session's, and it counts if it is among those shown."""
WAYS: dict[str, tuple[bool, Weights, int]] = {
    "words": (False, Weights.only(words=1.0), DEEP),
    "vectors": (True, Weights.only(meaning=1.0), DEEP),
    "words and surroundings, no model": (False, MEASURED, DEEP),
    "hybrid": (True, MEASURED, DEEP),
    f"hybrid, {USUAL} hits": (True, MEASURED, USUAL),
    BELOW: (True, MEASURED, USUAL),
}
TARGETS = {"any@5": 73, "any@10": 83, "MRR": 55, "sessions any@5": 95}


class Calendar:
    """A clock that shows the date of the session that is being stored."""

    def __init__(self) -> None:
        self.now = NOW

    def __call__(self) -> datetime:
        return self.now


@dataclass
class Outcome:
    """At which places, from 1, the evidence of one question stood; and of its sessions the first. 0: nowhere."""

    category: int
    places: list[int]
    session: int
    seconds: float


@dataclass
class Conversation:
    """One conversation in a store of its own."""

    name: str
    told: dict[str, Any]
    mind: Mind
    caller: Caller
    clock: Calendar
    chunks: dict[str, str] = field(default_factory=dict)
    """The id of each moment's row, by the item's."""

    def run(self, operation: str, **arguments: object) -> Any:
        found = self.mind.dispatcher.catalogue.get(operation)
        assert found is not None
        return self.mind.dispatcher.run(found, self.caller, arguments)


def measure(folder: Path, *, quick: bool) -> Iterator[Table]:
    """One table of categories 1 to 4, and one of what was made to mislead."""
    if not (files := conversation_files("recall", quick=quick)):
        return
    outcomes: dict[str, list[Outcome]] = {way: [] for way in WAYS}
    for file in files:
        _ask_all(folder / file.stem, file, outcomes)
    usual = {way: [each for each in found if each.category != ADVERSARIAL] for way, found in outcomes.items()}
    misleading = {way: [each for each in found if each.category == ADVERSARIAL] for way, found in outcomes.items()}
    table = _table(f"Recall of turns, {len(files)} conversations, categories 1–4", usual)
    table.notes.append(f"Targets of hybrid: {', '.join(f'{name} ≥ {least}' for name, least in TARGETS.items())}.")
    yield table
    yield _table("Recall of turns, category 5 (adversarial)", misleading)


def conversation_files(part: str, *, quick: bool) -> list[Path]:
    """The conversations that a part of the bench asks about; where there are none, that is said."""
    source = Path(os.environ.get("LOCOMO_FOLDER") or BESIDE_THE_REPOSITORY)
    files = sorted(source.glob("*.json"))[: 1 if quick else None]
    if not files:
        print(f"{part}: skipped, there are no conversations (*.json) in {source}; LOCOMO_FOLDER names their folder\n")
    return files


def _ask_all(home: Path, file: Path, outcomes: dict[str, list[Outcome]]) -> None:
    conversation = stored(home, file)
    meanings = MeaningSearch(conversation.mind.store)
    try:
        indexer = meanings._indexer
        assert indexer is not None, meanings.meaning.why_not
        while indexer.step():
            pass
        for way, (by_meaning, weights, limit) in WAYS.items():
            surround(conversation.mind, meanings.meaning if by_meaning else WORDS_ONLY)
            if by_meaning:
                _load_model(conversation)
            outcomes[way] += _asked(conversation, weights, limit, is_below=way == BELOW)
    finally:
        meanings.stop()
        conversation.mind.close()


def _load_model(conversation: Conversation) -> None:
    """Ask until vectors answer: while the model is loaded words alone do, which differs from run to run."""
    for _ in range(MOST_LOADING):
        with conversation.mind.store.read(conversation.caller, "recall") as work:
            if not find(work, SearchQuery("Is it loaded?", USUAL, project=conversation.name), ["chunk"]).words_only:
                return
    raise RuntimeError(f"no question is answered by meaning in {conversation.name}")


def surround(mind: Mind, meaning: Meaning) -> None:
    """Have its searches compare those vectors."""
    mind.store.host = replace(mind.store.host, meaning=meaning)


def stored(home: Path, file: Path) -> Conversation:
    """A conversation, stored in a home by the product's own operations."""
    clock = Calendar()
    mind = open_mind(home, "ada", clock=clock)
    principal = mind.authenticator.principal(token_file(home, "cli").read_text())
    assert principal is not None
    caller = replace(principal.caller, connection="recall")
    conversation = Conversation(file.stem, json.loads(file.read_text(encoding="utf-8")), mind, caller, clock)
    number = None
    for item in conversation.told["items"]:
        if item["session"] != number:
            if number is not None:
                _end(conversation, number)
            number = item["session"]
            clock.now = datetime.strptime(item["date"], DATE).replace(tzinfo=UTC)
            conversation.run("memory_start_session", project=file.stem)
        said = f"{item['speaker']}: {item['text']}"
        kept = conversation.run("memory_append_chunk", role="user", content=said, flag_reason="Said.")
        conversation.chunks[item["id"]] = kept.chunk_id
    _end(conversation, number)
    clock.now = NOW
    return conversation


def _end(conversation: Conversation, number: object) -> None:
    conversation.run("memory_end_session", one_liner=f"Conversation {number}", topics=["conversation"], outcome="Over.")


def _asked(conversation: Conversation, weights: Weights, limit: int, *, is_below: bool) -> Iterator[Outcome]:
    with conversation.mind.store.read(conversation.caller, "recall") as work:
        rows = {row.uid: row.id for row in work.session.exec(select(Chunk))}
    sessions = {rows[conversation.chunks[item["id"]]]: item["session"] for item in conversation.told["items"]}
    for asked in conversation.told["questions"]:
        evidence = [rows[conversation.chunks[each]] for each in asked["evidence"] if each in conversation.chunks]
        if not evidence:
            continue
        begin = perf_counter()
        with conversation.mind.store.read(conversation.caller, "recall") as work:
            wanted = SearchQuery(asked["question"], limit, project=conversation.name)
            found = find(work, wanted, ["chunk"], weights, every=is_below)
        hits = [[each.key] for each in found.hits]
        if is_below:
            hits = [[each.key for each in group.moments] for group in grouped(found.hits, limit)]
        yield outcome_of(asked["category"], evidence, sessions, hits, perf_counter() - begin)


def outcome_of(
    category: int, evidence: list[Any], sessions: dict[Any, int], hits: list[list[int]], seconds: float
) -> Outcome:
    """Where among the hits the evidence of a question stands."""
    order = {key: number for number, keys in enumerate(hits, start=1) for key in keys}
    by_session = list(dict.fromkeys(sessions[key] for key in order))
    places = [order.get(key, 0) for key in evidence]
    of_sessions = [by_session.index(sessions[key]) + 1 for key in evidence if sessions[key] in by_session]
    return Outcome(category, places, min(of_sessions, default=0), seconds)


def _table(title: str, outcomes: dict[str, list[Outcome]]) -> Table:
    table = Table(title, HEAD)
    for way, found in outcomes.items():
        if found:
            seconds = [each.seconds for each in found]
            shares = [f"{100 * share:.1f}" for share in shares_of(found)]
            table.add(way, *shares, milliseconds(percentile(seconds, 0.5)), milliseconds(percentile(seconds, 0.95)))
    asked = len(next(iter(outcomes.values())))
    table.notes.append(f"{asked} questions; any, all: some, all evidence among the first; percent.")
    return table


def shares_of(outcomes: Sequence[Outcome]) -> list[float]:
    """any@1, @5, @10, all@1, @5, @10, MRR, and any@5 of sessions, each from 0 to 1."""
    firsts = [min((place for place in each.places if place), default=0) for each in outcomes]
    lasts = [max(each.places) if all(each.places) else 0 for each in outcomes]
    number = len(outcomes)
    found = [sum(0 < place <= most for place in places) / number for places in (firsts, lasts) for most in (1, 5, 10)]
    mean = sum(1 / place for place in firsts if place) / number
    return [*found, mean, sum(0 < each.session <= 5 for each in outcomes) / number]
