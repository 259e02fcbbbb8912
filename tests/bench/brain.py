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
LIMITS = (("as they come (5 sources, 8 hits)", None), ("both 8", 8))


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
            "limits",
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
        for question in asked[:WARMING]:
            asking.both(question, None)
        seconds = {name: asking.turns(asked[WARMING:], limit) for name, limit in LIMITS}
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
    )


class _Asking:
    """One agent that asks the brain and searches in turns, each by its own tool, within one brain session."""

    def __init__(self, port: int, token: str) -> None:
        structured = HttpClient(port, token, modern=False, structured=True)
        trace = structured.call(ASK, prompt="what was the very first question")["trace"]
        structured.close()
        self.words_only = trace["retrieval_method"] == "words"
        self.session = trace["session_id"]
        self.client = HttpClient(port, token, modern=False)

    def both(self, question: str, limit: int | None, *, brain_first: bool = False) -> dict[str, float]:
        order = (ASK, SEARCH) if brain_first else (SEARCH, ASK)
        return {tool: self.one(tool, question, limit) for tool in order}

    def one(self, tool: str, question: str, limit: int | None) -> float:
        more: dict[str, object] = {} if limit is None else {"limit": limit}
        given = {"prompt": question, "session_id": self.session} if tool == ASK else {"query": question}
        begin = perf_counter()
        self.client.call(tool, **given, **more)
        return perf_counter() - begin

    def turns(self, questions: list[str], limit: int | None) -> dict[str, list[float]]:
        taken = [self.both(question, limit, brain_first=number % 2 == 1) for number, question in enumerate(questions)]
        return {tool: [each[tool] for each in taken] for tool in (SEARCH, ASK)}

    def cpu(self, pid: int, tool: str, questions: list[str]) -> float:
        before = cpu_seconds(pid)
        for question in questions:
            self.one(tool, question, None)
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
