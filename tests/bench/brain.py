"""What the brain's bookkeeping costs: asking it beside a search of the same store, contributing, and room.

`python -m tests.bench.brain 1000 100000` measures sizes by themselves.
"""

import subprocess
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from statistics import median
from time import perf_counter

import psutil

from bigmind.paths import store_file
from tests.bench.baseline import RawSqlite
from tests.bench.brain_filling import fill_with_thoughts
from tests.bench.corpus import natural_questions, texts
from tests.bench.report import Table, milliseconds, percentile, verdict
from tests.bench.start import memory_of
from tests.bench.wire import HttpClient, cpu_seconds
from tests.support import ROOT, running_server

SIZES = (1_000, 100_000)
QUESTIONS, WARMING, CONTRIBUTIONS = 300, 10, 60
MOST = 1.3
ASK, SEARCH, CONTRIBUTE = "query_brain", "memory_semantic_search", "contribute_to_brain"
WAYS = (
    ("5 sources beside 8 hits, as they come; in turns", None, 1),
    ("8 of each; in turns", 8, 1),
    ("as they come; 20 of each at a time", None, 20),
)
"""How many are wanted, and how many calls of one tool are made before the other's turn comes.

A commit empties the caches of whoever reads next: in turns that is the search, else the brain mostly.
"""
COMMITS = 100


@dataclass
class Measured:
    """One size: seconds of each call by how it was made, CPU seconds of the server, room."""

    thoughts: int
    filling: float
    seconds: dict[str, dict[str, list[float]]]
    cpu: dict[str, float]
    contributions: list[float]
    searches: list[float]
    memory: tuple[float, float]
    bytes: tuple[int, int]
    words_only: bool
    commit: float


def measure(folder: Path, *, quick: bool) -> Iterator[Table]:
    """Times, ratios and room, of each size."""
    sizes = (300,) if quick else SIZES
    yield from tables([_measured(folder / str(size), size, quick=quick) for size in sizes])


def tables(measured: list[Measured]) -> Iterator[Table]:
    """What was measured, as tables."""
    asking = Table(
        "Asking the brain beside a search of the same store, through MCP",
        (
            "thoughts",
            "how",
            "search p50 ms",
            "brain p50 ms",
            "median of ratios",
            "brain / search",
            "p95 ms",
            "target",
        ),
    )
    others = Table(
        "Contributing, and room",
        ("thoughts", "contribution p50 / p95 ms", "× search", "CPU ms: search, brain", "RSS / PSS MB", "MB on disk"),
    )
    asking.notes.append(f"Commit {_commit()}; {QUESTIONS} questions each, in turns, over one kept-alive connection.")
    for each in measured:
        raw = milliseconds(each.commit)
        asking.notes.append(f"At {each.thoughts:,} the disk took {raw} ms for a commit of raw SQLite, beside the run.")
        for name, taken in each.seconds.items():
            searches, brains = taken[SEARCH], taken[ASK]
            ratios = [one / other for one, other in zip(brains, searches, strict=True)]
            whole = median(brains) / median(searches)
            asking.add(
                each.thoughts,
                name,
                milliseconds(median(searches)),
                milliseconds(median(brains)),
                f"{median(ratios):.2f}",
                f"{whole:.2f}",
                " / ".join(milliseconds(percentile(those, 0.95)) for those in (searches, brains)),
                verdict(round(whole, 2), MOST, " ×"),
            )
        if each.words_only:
            asking.notes.append(f"At {each.thoughts:,} it was answered by words only.")
        contributed = each.contributions
        others.add(
            each.thoughts,
            f"{milliseconds(median(contributed))} / {milliseconds(percentile(contributed, 0.95))}",
            f"{median(contributed) / median(each.searches):.2f}",
            ", ".join(f"{1000 * each.cpu[tool]:.1f}" for tool in (SEARCH, ASK)),
            f"{each.memory[0]:.0f} / {each.memory[1]:.0f}",
            " → ".join(f"{size / 1e6:.1f}" for size in each.bytes),
        )
    others.notes.append("A contribution waits for its vector; a search stands before each for comparison.")
    yield from (asking, others)


def _commit() -> str:
    told = subprocess.run(
        ["git", "rev-parse", "--short", "HEAD"], cwd=ROOT, check=False, capture_output=True, text=True
    )
    return told.stdout.strip() or "unknown"


def _measured(home: Path, thoughts: int, *, quick: bool) -> Measured:
    begin = perf_counter()
    fill_with_thoughts(home, thoughts)
    filling, before = perf_counter() - begin, store_file(home).stat().st_size
    questions, contributions = (20, 5) if quick else (QUESTIONS, CONTRIBUTIONS)
    with running_server(home, BIGMIND_MEANING="on") as server:
        asking = _Asking(server.port, server.token("bridge"))
        asked = list(islice(natural_questions(5), WARMING + questions))
        asking.turns(asked[:WARMING], None, 1)
        commit = median(_commits(home.with_suffix(".raw")))
        seconds = {name: asking.turns(asked[WARMING:], limit, at_once) for name, limit, at_once in WAYS}
        cpu = {tool: asking.cpu(server.process.pid, tool, asked[WARMING:][:100]) for tool in (SEARCH, ASK)}
        searches, contributed = asking.contributing(contributions)
        memory = memory_of(server.process.pid)
        asking.client.close()
    return Measured(
        thoughts=thoughts,
        filling=filling,
        seconds=seconds,
        cpu=cpu,
        contributions=contributed,
        searches=searches,
        memory=memory,
        bytes=(before, store_file(home).stat().st_size),
        words_only=asking.words_only,
        commit=commit,
    )


def _commits(file: Path) -> Iterator[float]:
    """What one transaction of one row takes in raw SQLite on that disk, over and over."""
    raw = RawSqlite(file)
    for text in islice(texts(3), COMMITS):
        begin = perf_counter()
        raw.store(text)
        yield perf_counter() - begin
    raw.close()


class _Asking:
    """One agent that asks the brain and searches in turns, each by its own tool, within one brain session."""

    def __init__(self, port: int, token: str) -> None:
        structured = HttpClient(port, token, modern=False, structured=True)
        trace = structured.call(ASK, prompt="what was the very first question")["trace"]
        structured.close()
        self.words_only = trace["retrieval_method"] == "words"
        self.session = trace["session_id"]
        self.client = HttpClient(port, token, modern=False)
        self.marks = 1

    def one(self, tool: str, question: str, limit: int | None) -> float:
        more: dict[str, object] = {} if limit is None else {"limit": limit}
        # The vector of a question that was asked before is kept: no two calls may ask the same one.
        question += "?" * (self.marks + (tool == ASK))
        given = {"prompt": question, "session_id": self.session} if tool == ASK else {"query": question}
        begin = perf_counter()
        self.client.call(tool, **given, **more)
        return perf_counter() - begin

    def turns(self, questions: list[str], limit: int | None, at_once: int) -> dict[str, list[float]]:
        """Seconds of each call: so many of one tool, the same of the other, which begins every second time."""
        taken: dict[str, list[float]] = {SEARCH: [], ASK: []}
        for number, start in enumerate(range(0, len(questions), at_once)):
            for tool in (ASK, SEARCH) if number % 2 else (SEARCH, ASK):
                taken[tool] += [self.one(tool, each, limit) for each in questions[start : start + at_once]]
        self.marks += 2
        return taken

    def cpu(self, pid: int, tool: str, questions: list[str]) -> float:
        before = cpu_seconds(pid)
        for question in questions:
            self.one(tool, question, None)
        self.marks += 2
        return (cpu_seconds(pid) - before) / len(questions)

    def contributing(self, number: int) -> tuple[list[float], list[float]]:
        searches, contributed = [], []
        for text, question in islice(zip(texts(99), natural_questions(98), strict=False), number):
            searches.append(self.one(SEARCH, question, None))
            begin = perf_counter()
            self.client.call(CONTRIBUTE, prompt=f"Learned: {text}.", topic="bench/stored", session_id=self.session)
            contributed.append(perf_counter() - begin)
        return searches, contributed


def main() -> None:
    print(f"{psutil.cpu_count()} cores, load {psutil.getloadavg()[0]:.2f} before the run\n")
    with tempfile.TemporaryDirectory(prefix="bigmind-bench-") as folder:
        for table in tables([_measured(Path(folder) / size, int(size), quick=False) for size in sys.argv[1:]]):
            print(table.as_markdown(), flush=True)


if __name__ == "__main__":
    main()
