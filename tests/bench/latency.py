"""What one store and one search cost: over HTTP, through the bridge, and in raw SQLite."""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import ExitStack
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path
from time import perf_counter

import psutil

from tests.bench.baseline import RawSqlite
from tests.bench.corpus import questions, texts
from tests.bench.filling import FLAGGED, fill
from tests.bench.load import embedded
from tests.bench.report import Table, milliseconds, percentile, ratio, verdict
from tests.bench.wire import HttpClient, StdioClient, bridge, cpu_seconds
from tests.support import running_server

CASES = ((1_000, "off"), (1_000, "on"), (10_000, "on"))
"""How many moments there are, and whether the embedding model runs; what is used has it on."""
ROUNDS = 12
STEP = 25
TARGETS = {"store": 2, "search": 8}
HEAD = (
    *("moments", "model", "operation", "through", "p50 ms", "p95 ms", "× raw"),
    *("server CPU ms", "searcher CPU ms", "bridge CPU ms", "by words only", "target p50"),
)

Pids = Mapping[str, int | None]
"""The processes whose time is measured: the server, the searcher, the bridge; None for what is not there."""
Told = object


@dataclass
class Way:
    """A way to the store: how to use it, and what was measured."""

    name: str
    store: Callable[[str], Told]
    search: Callable[[str], Told]
    pids: Pids | None = None
    seconds: dict[str, list[float]] = field(default_factory=lambda: {"store": [], "search": []})
    cpu: dict[str, Counter[str]] = field(default_factory=lambda: {"store": Counter(), "search": Counter()})
    by_words: int = 0

    def run(self, kind: str, arguments: Iterable[str]) -> None:
        """Measure one operation with each argument."""
        action = {"store": self.store, "search": self.search}[kind]
        before = self._cpu()
        for argument in arguments:
            begin = perf_counter()
            told = action(argument)
            self.seconds[kind].append(perf_counter() - begin)
            self.by_words += isinstance(told, dict) and bool(told.get("words_only"))
        after = self._cpu()
        for process, seconds in after.items():
            self.cpu[kind][process] += seconds - before[process]

    def _cpu(self) -> Mapping[str, float]:
        return {name: cpu_seconds(pid) if pid else 0.0 for name, pid in (self.pids or {}).items()}


def measure(folder: Path, *, quick: bool) -> Iterator[Table]:
    """One table: every size, with the model and without, every operation and way."""
    table = Table("Latency", HEAD)
    for size, model in ((200, "off"), (200, "on")) if quick else CASES:
        ways = measured(folder / f"{size} {model}", size, rounds=2 if quick else ROUNDS, model=model)
        for kind in ("store", "search"):
            for way in ways:
                table.add(f"{size:,}", model, kind, *_figures(way, kind, ways[0]))
    table.notes.append(f"Each figure over {STEP * (2 if quick else ROUNDS)} operations, the ways in turns of {STEP}.")
    yield table


def measured(folder: Path, size: int, rounds: int, model: str = "off") -> list[Way]:
    """Every way to a store of so many chunks, used and measured."""
    folder.mkdir()
    home = folder / "home"
    with ExitStack() as stack:
        raw = RawSqlite(folder / "raw.db")
        stack.callback(raw.close)
        for text in fill(home, size):
            raw.store(text)
        server = stack.enter_context(running_server(home, BIGMIND_MEANING=model))
        if model == "on":
            embedded(server)
        token = server.call("token_create", client="bench")["token"]
        searcher = next((each.pid for each in psutil.Process(server.process.pid).children()), None)
        pids = {"server": server.process.pid, "searcher": searcher, "bridge": None}
        ways = [Way("raw SQLite", raw.store, raw.search)]
        for name, modern in (("HTTP, 2025-11-25", False), ("HTTP, 2026-07-28", True)):
            client = HttpClient(server.port, token, modern=modern, structured=True)
            stack.callback(client.close)
            ways.append(_way(name, client, pids))
        piped = bridge(home, structured=True)
        stack.callback(piped.close)
        ways.append(_way("bridge, 2025-11-25", piped, {**pids, "bridge": piped.process.pid}))
        _in_turns(ways, raw, rounds)
    return ways


def _way(name: str, client: HttpClient | StdioClient, pids: Pids) -> Way:
    client.call("memory_start_session", project="bench")

    def store(text: str) -> Told:
        return client.call("memory_flag_important", content=text, flag_reason=FLAGGED)

    def search(query: str) -> Told:
        return client.call("memory_search_chunks", query=query)

    return Way(name, store, search, pids)


def _in_turns(ways: list[Way], raw: RawSqlite, rounds: int) -> None:
    """The ways take turns, so that the machine's noise hits all of them alike; each round another one begins."""
    new_texts, asked = texts(seed=11), questions(seed=13)
    for way in ways:  # warm, unmeasured
        for text, query in zip(islice(new_texts, STEP), islice(asked, STEP), strict=True):
            way.store(text)
            way.search(query)
    for number in range(rounds):
        queries = list(islice(asked, STEP))
        for way in ways[number % len(ways) :] + ways[: number % len(ways)]:
            stored = list(islice(new_texts, STEP))
            way.run("store", stored)
            way.run("search", queries)
            if way.pids is not None:
                for text in stored:  # so that both stores grow alike
                    raw.store(text)


def _figures(way: Way, kind: str, raw: Way) -> tuple[str, ...]:
    taken = way.seconds[kind]
    middle = percentile(taken, 0.5)
    cpu = (
        milliseconds(way.cpu[kind][name] / len(taken)) if way.pids and way.pids[name] else "—"
        for name in ("server", "searcher", "bridge")
    )
    return (
        way.name,
        milliseconds(middle),
        milliseconds(percentile(taken, 0.95)),
        ratio(middle, percentile(raw.seconds[kind], 0.5)),
        *cpu,
        str(way.by_words) if way.pids and kind == "search" else "—",
        verdict(middle * 1000, TARGETS[kind], " ms") if way.pids else "—",
    )
