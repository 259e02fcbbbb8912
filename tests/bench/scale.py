"""What hybrid search costs in a store of very many moments: how long, how much at once, how much room.

`python -m tests.bench.scale 1000000` measures one size by itself; a million takes seven minutes to make, and is kept
where a folder for it is named first: `python -m tests.bench.scale FOLDER 1000000`.
"""

import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from time import monotonic, perf_counter, sleep, thread_time

import psutil
from sqlmodel import Session

from app.meaning_search import MeaningSearch
from bigmind.embedding.meaning import Meaning
from bigmind.embedding.models import DEFAULT
from bigmind.embedding.vector_index import VectorFilter
from bigmind.memory.kinds import MOMENT
from bigmind.paths import store_file
from bigmind.search.scope import index_of
from bigmind.store.descriptions import RowCondition
from bigmind.store.sqlite.engine import reading_engine
from bigmind.store.sqlite.fulltext import question_terms, search
from bigmind.store.store import Store
from bigmind.text.words import query_terms
from tests.bench.corpus import natural_questions
from tests.bench.load import Outcome, loaded
from tests.bench.report import Table, milliseconds, percentile, verdict
from tests.bench.scale_filling import OWNER, fill_with_vectors
from tests.bench.start import memory_of
from tests.bench.wire import HttpClient, cpu_seconds
from tests.support import Server, running_server

MOMENTS = index_of(MOMENT)

SIZES = (10_000, 100_000)
QUESTIONS, WARMING = 200, 5
LOADING_SECONDS = 60
SECONDS = 15
POOL = 100
MOST_P50, MOST_P95, LEAST_A_SECOND, LONGEST = 40.0, 80.0, 25.0, 1.0
IN_ALL_CHUNKS = "kept"
TOOL = "memory_semantic_search"


@dataclass
class Measured:
    """One size."""

    chunks: int
    filling: float
    bytes: int
    start: float
    first: float
    memory: tuple[float, float]
    embedder: float
    seconds: list[float]
    cpu: float
    common: list[float]
    words_only: int
    outcome: Outcome
    parts: dict[str, list[float]]


def measure(folder: Path, *, quick: bool) -> Iterator[Table]:
    """Times, throughput, parts and room, of each size."""
    sizes = (500, 1_000) if quick else SIZES
    yield from tables([_measured(folder / str(size), size, quick=quick) for size in sizes])


def tables(measured: list[Measured]) -> Iterator[Table]:
    """What was measured, as tables."""
    one = Table(
        "One question of everything, through MCP",
        ("chunks", "p50 ms", "p95 ms", "longest ms", "server CPU ms", "a word of every chunk ms", "targets p50, p95"),
    )
    many = Table("Eight clients that ask", ("chunks", "questions/s", "p50 ms", "p95 ms", "longest ms", "targets"))
    parts = Table("Where the time of a question goes", ("chunks", "part", "p50 ms", "p95 ms", "CPU or clock"))
    room = Table(
        "What a store of that size takes",
        ("chunks", "MB on disk", "start s", "first question s", "server RSS / PSS MB", "embedder RSS MB", "made in s"),
    )
    for each in measured:
        p50, p95 = (1000 * percentile(each.seconds, share) for share in (0.5, 0.95))
        one.add(
            each.chunks,
            f"{p50:.1f}",
            f"{p95:.1f}",
            milliseconds(max(each.seconds)),
            f"{1000 * each.cpu:.1f}",
            milliseconds(percentile(each.common, 0.5)),
            f"{verdict(p50, MOST_P50, ' ms')}, {verdict(p95, MOST_P95, ' ms')}",
        )
        if each.words_only:
            one.notes.append(f"At {each.chunks:,}, {each.words_only} questions were answered by words only.")
        taken, outcome = each.outcome.taken["search"], each.outcome
        rate = f"≥ {LEAST_A_SECOND:g}: {'met' if outcome.rate >= LEAST_A_SECOND else 'MISSED'}"
        many.add(
            each.chunks,
            f"{outcome.rate:.1f}",
            *(milliseconds(percentile(taken, share)) for share in (0.5, 0.95, 1.0)),
            f"{rate}, {verdict(max(taken), LONGEST, ' s')}",
        )
        many.notes += [f"An error: {error}" for error in outcome.errors[:3]]
        for name, seconds in each.parts.items():
            how = "clock" if "process" in name else "CPU"
            parts.add(each.chunks, name, *(milliseconds(percentile(seconds, share)) for share in (0.5, 0.95)), how)
        rss, pss = each.memory
        room.add(
            each.chunks,
            f"{each.bytes / 1e6:.0f}",
            f"{each.start:.2f}",
            f"{each.first:.2f}",
            f"{rss:.0f} / {pss:.0f}",
            f"{each.embedder:.0f}",
            f"{each.filling:.0f}",
        )
    parts.notes.append("In the bench's own process, over the same store; of moments alone, which most rows are.")
    room.notes.append("The first question starts the embedder's process and loads the model.")
    yield from (one, many, parts, room)


def _measured(home: Path, chunks: int, *, quick: bool) -> Measured:
    begin = perf_counter()
    if not store_file(home).exists():
        begun = home.with_name(f"{home.name} being filled")
        fill_with_vectors(begun, chunks)
        begun.rename(home)
    filling = perf_counter() - begin
    asked = list(islice(natural_questions(5), WARMING + (20 if quick else QUESTIONS)))
    begin = perf_counter()
    with running_server(home, BIGMIND_MEANING="on") as server:
        start = perf_counter() - begin
        client = HttpClient(server.port, server.token("bridge"), modern=False, structured=True)
        client.call("memory_start_session", project="project 3")
        begin = perf_counter()
        client.call(TOOL, query="what was the very first question")
        first = perf_counter() - begin
        for question in asked[:WARMING]:
            client.call(TOOL, query=question)
        cpu = cpu_seconds(server.process.pid)
        answers = [_timed(client, question) for question in asked[WARMING:]]
        cpu = (cpu_seconds(server.process.pid) - cpu) / len(answers)
        common = [_timed(client, f"{IN_ALL_CHUNKS} {' ' * number}")[0] for number in range(5)]
        outcome = loaded(server, "8 clients", 2 if quick else SECONDS, modern=False, only_asks=True)
        memory, embedder = memory_of(server.process.pid), _embedder_memory(server)
        client.close()
    return Measured(
        chunks=chunks,
        filling=filling,
        bytes=store_file(home).stat().st_size,
        start=start,
        first=first,
        memory=memory,
        embedder=embedder,
        seconds=[seconds for seconds, _ in answers],
        cpu=cpu,
        common=common,
        words_only=sum(bool(answer.get("words_only")) for _, answer in answers),
        outcome=outcome,
        parts=_parts(home, asked),
    )


def _timed(client: HttpClient, question: str) -> tuple[float, dict]:
    begin = perf_counter()
    answer = client.call(TOOL, query=question)
    return perf_counter() - begin, answer


def _embedder_memory(server: Server) -> float:
    return sum(child.memory_info().rss for child in psutil.Process(server.process.pid).children()) / 1e6


@contextmanager
def _meaning(home: Path) -> Iterator[Meaning]:
    store = Store(home)
    meanings = MeaningSearch(store)
    try:
        yield meanings.meaning
    finally:
        meanings.stop()
        store.close()


def _parts(home: Path, asked: list[str]) -> dict[str, list[float]]:
    """What of a question's time is spent on what, each part by itself."""
    parts: dict[str, list[float]] = {
        "question → vector, through the embedder's process": [],
        "full text": [],
        "vectors: scan of the signs and measuring of the nearest": [],
        "vectors: in one project": [],
    }
    embedding, words, vectors, of_project = parts.values()
    conditions = [RowCondition("user_id", OWNER)]
    with _meaning(home) as meaning:
        until = monotonic() + LOADING_SECONDS
        while meaning.ask(DEFAULT, "Is it loaded?").vector()[0] is None and monotonic() < until:
            sleep(0.1)
        engine = reading_engine(store_file(home))
        with Session(engine) as session:
            for question in asked:
                begin = perf_counter()
                vector, why_not = meaning.ask(DEFAULT, f"{question}?").vector()
                embedding.append(perf_counter() - begin)
                if vector is None:
                    raise AssertionError(why_not)
                terms = question_terms(session, MOMENTS, query_terms(question))
                among, narrow = VectorFilter("chunk", OWNER), VectorFilter("chunk", OWNER, "project 3")
                words.append(_cpu(search, session, MOMENTS, terms, conditions, POOL, "project 3"))
                vectors.append(_cpu(meaning.vectors.nearest, session, DEFAULT, vector, among, POOL))
                of_project.append(_cpu(meaning.vectors.nearest, session, DEFAULT, vector, narrow, POOL))
        engine.dispose()
    return {name: seconds[WARMING:] for name, seconds in parts.items()}


def _cpu(run: Callable[..., object], *given: object) -> float:
    begin = thread_time()
    run(*given)
    return thread_time() - begin


def main() -> None:
    print(f"{psutil.cpu_count()} cores, load {psutil.getloadavg()[0]:.2f} before the run\n")
    sizes = [each for each in sys.argv[1:] if each.isdecimal()]
    kept = [each for each in sys.argv[1:] if not each.isdecimal()]
    with tempfile.TemporaryDirectory(prefix="bigmind-bench-") as folder:
        homes = Path(kept[0] if kept else folder)
        for table in tables([_measured(homes / size, int(size), quick=False) for size in sizes]):
            print(table.as_markdown(), flush=True)


if __name__ == "__main__":
    main()
