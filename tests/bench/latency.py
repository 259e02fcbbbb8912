"""What one store and one search cost: over HTTP, through the bridge, and in raw SQLite."""

from collections.abc import Callable, Iterable, Iterator
from contextlib import ExitStack
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path
from time import perf_counter

from tests.bench.baseline import RawSqlite
from tests.bench.corpus import questions, texts
from tests.bench.filling import FLAGGED, fill
from tests.bench.report import Table, milliseconds, percentile, ratio, verdict
from tests.bench.wire import HttpClient, StdioClient, bridge, cpu_seconds
from tests.support import running_server

SIZES = (1_000, 10_000)
ROUNDS = 12
STEP = 25
TARGETS = {"store": 5, "search": 6}
HEAD = ("chunks", "operation", "through", "p50 ms", "p95 ms", "× raw", "server CPU ms", "bridge CPU ms", "target p50")


@dataclass
class Way:
    """A way to the store: how to use it, and what was measured."""

    name: str
    store: Callable[[str], object]
    search: Callable[[str], object]
    server_pid: int | None = None
    bridge_pid: int | None = None
    seconds: dict[str, list[float]] = field(default_factory=lambda: {"store": [], "search": []})
    server_cpu: dict[str, float] = field(default_factory=lambda: {"store": 0.0, "search": 0.0})
    bridge_cpu: dict[str, float] = field(default_factory=lambda: {"store": 0.0, "search": 0.0})

    def run(self, kind: str, arguments: Iterable[str]) -> None:
        """Measure one operation with each argument."""
        action = {"store": self.store, "search": self.search}[kind]
        server, bridge_ = self._cpu()
        for argument in arguments:
            begin = perf_counter()
            action(argument)
            self.seconds[kind].append(perf_counter() - begin)
        server_after, bridge_after = self._cpu()
        self.server_cpu[kind] += server_after - server
        self.bridge_cpu[kind] += bridge_after - bridge_

    def _cpu(self) -> tuple[float, float]:
        return (
            cpu_seconds(self.server_pid) if self.server_pid else 0.0,
            cpu_seconds(self.bridge_pid) if self.bridge_pid else 0.0,
        )


def measure(folder: Path, *, quick: bool) -> Iterator[Table]:
    """One table: every size, operation and way."""
    table = Table("Latency", HEAD)
    for size in (200, 400) if quick else SIZES:
        ways = measured(folder / str(size), size, rounds=2 if quick else ROUNDS)
        for kind in ("store", "search"):
            for way in ways:
                table.add(size, kind, *_figures(way, kind, ways[0]))
    table.notes.append(f"Each figure over {STEP * (2 if quick else ROUNDS)} operations, the ways in turns of {STEP}.")
    yield table


def measured(folder: Path, size: int, rounds: int) -> list[Way]:
    """Every way to a store of so many chunks, used and measured."""
    folder.mkdir()
    home = folder / "home"
    with ExitStack() as stack:
        raw = RawSqlite(folder / "raw.db")
        stack.callback(raw.close)
        for text in fill(home, size):
            raw.store(text)
        server = stack.enter_context(running_server(home))
        token = server.call("token_create", client="bench")["token"]
        ways = [Way("raw SQLite", raw.store, raw.search)]
        for name, modern in (("HTTP, 2025-11-25", False), ("HTTP, 2026-07-28", True)):
            client = HttpClient(server.port, token, modern=modern)
            stack.callback(client.close)
            ways.append(_way(name, client, server.process.pid))
        piped = bridge(home)
        stack.callback(piped.close)
        ways.append(_way("bridge, 2025-11-25", piped, server.process.pid, piped.process.pid))
        _in_turns(ways, raw, rounds)
    return ways


def _way(name: str, client: HttpClient | StdioClient, server_pid: int, bridge_pid: int | None = None) -> Way:
    client.call("memory_start_session", project="bench")

    def store(text: str) -> object:
        return client.call("memory_flag_important", content=text, flag_reason=FLAGGED)

    def search(query: str) -> object:
        return client.call("memory_search_chunks", query=query)

    return Way(name, store, search, server_pid, bridge_pid)


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
            if way.server_pid is not None:
                for text in stored:  # so that both stores grow alike
                    raw.store(text)


def _figures(way: Way, kind: str, raw: Way) -> tuple[str, ...]:
    taken = way.seconds[kind]
    middle = percentile(taken, 0.5)
    server, bridge_ = way.server_cpu[kind] / len(taken), way.bridge_cpu[kind] / len(taken)
    return (
        way.name,
        milliseconds(middle),
        milliseconds(percentile(taken, 0.95)),
        ratio(middle, percentile(raw.seconds[kind], 0.5)),
        milliseconds(server) if way.server_pid else "—",
        milliseconds(bridge_) if way.bridge_pid else "—",
        verdict(middle * 1000, TARGETS[kind], " ms") if way.server_pid else "—",
    )
