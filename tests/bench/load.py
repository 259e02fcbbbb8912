"""Eight clients at once, half of their calls stores: how much is served, how long it takes, what is lost."""

import json
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass
from itertools import islice, product
from pathlib import Path
from random import Random
from shutil import copytree
from statistics import mean
from time import monotonic, perf_counter

import psutil

from bigmind.paths import store_file
from bigmind.store.sqlite.driver import sound_driver
from tests.bench.baseline import RawSqlite
from tests.bench.corpus import questions, texts
from tests.bench.embedding import waiting
from tests.bench.filling import fill
from tests.bench.load_client import PROJECT
from tests.bench.report import Table, milliseconds, percentile, ratio
from tests.bench.start import memory_of
from tests.bench.wire import cpu_seconds
from tests.support import Server, process_wait, running_server

PROCESSES, THREADS = 2, 4
SECONDS = 20
CHUNKS = 1_000
MODELS = ("off", "on")
"""Whether the embedding model runs: both are measured, for what is used has it on."""
WAYS = ("HTTP, 2025-11-25", "HTTP, 2026-07-28", "8 bridges")
LEAST_SHARE = 0.15
HEAD = (
    *("through", "model", "operations/s", "raw SQLite, operations/s", "× raw", "target", "stored", "errors", "lost"),
    *("doubled", "by words only"),
)
TIMES = ("through", "model", "store p50 / p95 / max ms", "search p50 / p95 / max ms")
COSTS = (
    "through",
    "model",
    "server CPU ms an operation",
    "embedder CPU ms an operation",
    "server, of all cores",
    "clients, of all cores",
    "RSS MB before → after",
)


@dataclass
class Outcome:
    """What one load gave."""

    name: str
    seconds: float
    taken: dict[str, list[float]]
    acknowledged: list[str]
    errors: list[str]
    by_words: int
    server_cpu: float
    embedder_cpu: float
    clients_cpu: float
    memory: tuple[float, float]
    model: str = ""
    raw: float = 0.0
    lost: int = 0
    doubled: int = 0

    @property
    def operations(self) -> int:
        return sum(map(len, self.taken.values())) - len(self.errors)

    @property
    def rate(self) -> float:
        return self.operations / self.seconds


def measure(folder: Path, *, quick: bool) -> Iterator[Table]:
    """Throughput, times and costs: with the model and without, each way to the server, beside raw SQLite."""
    seconds = 2 if quick else SECONDS
    fill(folder / "filled", CHUNKS)
    raw, outcomes = [_raw(folder, seconds / 4)], list[Outcome]()
    for model, way in product(MODELS, WAYS):
        outcomes.append(_loaded(folder, way, model, seconds))
        raw.append(_raw(folder, seconds / 4))
        # The machine's speed changes by the minute: a way is compared with what was measured just before and after.
        outcomes[-1].raw = mean(raw[-2:])
    table = Table(f"{PROCESSES * THREADS} clients, half stores, half searches, {CHUNKS:,} moments, {seconds} s", HEAD)
    told = f"raw SQLite, one thread: {min(raw):.0f} to {max(raw):.0f}"
    table.add(told, "—", f"{mean(raw):.0f}", f"{mean(raw):.0f}", ratio(1, 1), *"——————")
    times, costs = Table("How long a call took under that load", TIMES), Table("What that load cost", COSTS)
    for each in outcomes:
        share = each.rate / each.raw
        target = f"≥ {LEAST_SHARE} ×: {'met' if share >= LEAST_SHARE else 'MISSED'}"
        counts = (len(each.acknowledged), len(each.errors), each.lost, each.doubled, each.by_words)
        table.add(each.name, each.model, f"{each.rate:.0f}", f"{each.raw:.0f}", f"{share:.3f} ×", target, *counts)
        times.add(each.name, each.model, *(_spread(each.taken[kind]) for kind in ("store", "search")))
        costs.add(each.name, each.model, *_costs(each))
        table.notes += [f"An error: {error}" for error in each.errors[:3]]
    costs.notes.append("Clients and server share the cores: what the clients use, the server cannot.")
    yield from (table, times, costs)


def _spread(taken: list[float]) -> str:
    return (
        f"{milliseconds(percentile(taken, 0.5))} / {milliseconds(percentile(taken, 0.95))} / {milliseconds(max(taken))}"
    )


def _costs(outcome: Outcome) -> tuple[str, ...]:
    cores = psutil.cpu_count()
    share = [f"{used / outcome.seconds / cores:.0%}" for used in (outcome.server_cpu, outcome.clients_cpu)]
    before, after = outcome.memory
    used = (milliseconds(cpu / outcome.operations) for cpu in (outcome.server_cpu, outcome.embedder_cpu))
    return *used, *share, f"{before:.0f} → {after:.0f}"


def _raw(folder: Path, seconds: float) -> float:
    """Operations per second of one connection without a server, in a new file."""
    file = folder / "raw.db"
    raw = RawSqlite(file)
    for text in islice(texts(7), CHUNKS):
        raw.store(text)
    random, new_texts, asked = Random(1), texts(17), questions(18)
    prepared = [(next(new_texts), next(asked)) for _ in range(200)]
    number, end = 0, monotonic() + seconds
    while monotonic() < end:
        text, query = prepared[number % len(prepared)]
        if random.choice((True, False)):
            raw.store(f"{number}: {text}")
        else:
            raw.search(query)
        number += 1
    raw.close()
    file.unlink()
    return number / seconds


def _loaded(folder: Path, name: str, model: str, seconds: float) -> Outcome:
    home = copytree(folder / "filled", folder / f"{name}, {model}")
    with running_server(home, BIGMIND_MEANING=model) as server:
        if model == "on":
            embedded(server)
        before = memory_of(server.process.pid)[0]
        is_bridge = name not in WAYS[:2]
        outcome = loaded(server, name, seconds, modern=name == WAYS[1], bridge_of=home if is_bridge else None)
        outcome.memory, outcome.model = (before, memory_of(server.process.pid)[0]), model
    outcome.lost, outcome.doubled = lost_and_doubled(store_file(home), outcome.acknowledged)
    return outcome


def lost_and_doubled(database_file: Path, acknowledged: list[str]) -> tuple[int, int]:
    """How many acknowledged chunks the file does not hold, and how many chunks of the load it holds twice."""
    with closing(sound_driver().connect(f"{database_file.as_uri()}?mode=ro", uri=True)) as database:
        kept = {uid for (uid,) in database.execute("SELECT uid FROM chunk")}
        doubled = database.execute(
            "SELECT count(*) - count(DISTINCT content) FROM chunk WHERE project = ?", (PROJECT,)
        ).fetchone()[0]
    return len(set(acknowledged) - kept), doubled


def embedded(server: Server) -> None:
    """Wait until nothing waits for its vectors, and the model is loaded."""
    while waiting(server):
        process_wait(server.process, 0.2)
    while server.call("memory_search_chunks", query="Is it loaded?")["words_only"]:
        process_wait(server.process, 0.2)


def loaded(
    server: Server,
    name: str,
    seconds: float,
    *,
    modern: bool,
    only_asks: bool = False,
    bridge_of: Path | None = None,
) -> Outcome:
    """What a server does for all the clients.

    Args:
        server: that is asked.
        name: of the outcome.
        seconds: how long.
        modern: in which era of the protocol they speak over HTTP.
        only_asks: they store nothing, and ask for everything by meaning.
        bridge_of: its home, where each client is a bridge over stdio.
    """
    orders = {"port": server.port, "threads": THREADS, "seconds": seconds, "modern": modern, "only_asks": only_asks}
    orders["bridge_of"] = str(bridge_of or "")
    processes = [
        subprocess.Popen(
            [sys.executable, "-m", "tests.bench.load_client"],
            cwd=Path(__file__).parents[2],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        for _ in range(PROCESSES)
    ]
    token = server.call("token_create", client="load")["token"]
    for number, process in enumerate(processes):
        _tell(process, json.dumps({**orders, "token": token, "seed": number * THREADS}))
    for process in processes:
        assert process.stdout.readline() == "ready\n"
    embedders = psutil.Process(server.process.pid).children()
    cpu, begin = cpu_seconds(server.process.pid), perf_counter()
    embedder_cpu = sum(cpu_seconds(each.pid) for each in embedders)
    for process in processes:
        _tell(process, "go")
    said = [json.loads(process.stdout.readline()) for process in processes]
    took, cpu = perf_counter() - begin, cpu_seconds(server.process.pid) - cpu
    embedder_cpu = sum(cpu_seconds(each.pid) for each in embedders) - embedder_cpu
    for process in processes:
        process.stdin.close()
        process.wait(30)
        process.stdout.close()
    clients = [client for each in said for client in each["clients"]]
    return Outcome(
        name,
        took,
        {kind: [second for client in clients for second in client["taken"][kind]] for kind in ("store", "search")},
        [uid for client in clients for uid in client["acknowledged"]],
        [error for client in clients for error in client["errors"]],
        sum(client["by_words"] for client in clients),
        cpu,
        embedder_cpu,
        sum(each["cpu"] for each in said),
        (0.0, 0.0),
    )


def _tell(process: "subprocess.Popen[str]", line: str) -> None:
    process.stdin.write(f"{line}\n")
    process.stdin.flush()
