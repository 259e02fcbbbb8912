"""How long one waits for BigMind, and what it holds in memory."""

import os
import runpy
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from itertools import islice
from pathlib import Path
from time import perf_counter
from typing import NamedTuple

import psutil

from bigmind.local.connection import NotRunningError, ServerConnection
from bigmind.local.program import server_command
from tests.bench.corpus import questions, texts
from tests.bench.filling import FLAGGED, fill
from tests.bench.report import Table, median, milliseconds, percentile, ratio, verdict
from tests.bench.wire import HttpClient, StdioClient, cpu_seconds, initialize
from tests.support import bridge_command, environment, process_wait, running_server

SDK_SERVER = Path(__file__).with_name("sdk_server.py")
REPOSITORY = Path(__file__).parents[2]
RUNS = 21
SERVER_RUNS = 7
COMMAND_RUNS = 9
CHUNKS = 1_000
MOST_OF_SDK, MOST_SECONDS, MOST_MEGABYTES = 0.2, 2.0, 120.0
MEGABYTE = 1_000_000
MAY_HOLD_TOKEN = "The build 8f3Kd92LmQx7TzR4 failed, and ran again."
"""A jumbled word, for which the larger library of rules is loaded; no secret."""


class Cost(NamedTuple):
    """What a start took; the CPU time says less of what else the machine was doing."""

    seconds: float
    cpu: float


def measure(folder: Path, *, quick: bool) -> Iterator[Table]:
    """Start of the bridge, start of the server, memory of the server."""
    home = folder / "home"
    fill(home, 50 if quick else CHUNKS)
    yield _bridge(home, 3 if quick else RUNS)
    yield _commands(home, 2 if quick else COMMAND_RUNS)
    yield _server(home, 2 if quick else SERVER_RUNS)
    yield _memory(home, 100 if quick else 1_000)


def _bridge(home: Path, runs: int) -> Table:
    bare = [sys.executable, "-c", "import sys; sys.stdin.readline(); print('{}')"]
    commands = {"Python alone": bare, "SDK": [sys.executable, str(SDK_SERVER)], "bridge": bridge_command()}
    taken: dict[str, list[Cost]] = {name: [] for name in commands}
    with running_server(home):
        for turn in range(runs + 1):
            for name, command in commands.items():
                cost = _first_answer(command, home)
                if turn:  # the first turn warms the disk's cache
                    taken[name].append(cost)
    sdk = _middle(taken["SDK"]).seconds
    head = ("process", "median ms", "p95 ms", "CPU ms", "× SDK's server", "target")
    table = Table("Spawn → first answer (initialize)", head)
    table.add("Python alone, for scale", *_times(taken["Python alone"], sdk), "—")
    table.add("MCP SDK's smallest stdio server", *_times(taken["SDK"], sdk), "—")
    bridge = _middle(taken["bridge"]).seconds
    table.add("`bigmind mcp`, server up", *_times(taken["bridge"], sdk), verdict(bridge / sdk, MOST_OF_SDK, " ×"))
    table.notes.append(f"{runs} runs of each, in turns.")
    return table


def _commands(home: Path, runs: int) -> Table:
    """Commands with a server up, from start to end, in turns with Python's start and a terminal program's imports."""
    bigmind = bridge_command()[0]
    ways = {
        "Python alone, for scale": [sys.executable, "-c", ""],
        "import of typer, rich and pydantic, for scale": [sys.executable, "-c", "import typer, rich.console, pydantic"],
        "`bigmind status`": [bigmind, "status"],
        "`bigmind search`": [bigmind, "search", next(questions(seed=2))],
        "`bigmind memory list-facts`": [bigmind, "memory", "list-facts"],
        "`bigmind memory get-stats`": [bigmind, "memory", "get-stats"],
    }
    taken: dict[str, list[Cost]] = {name: [] for name in ways}
    with running_server(home):
        for turn in range(runs + 1):
            for name, command in ways.items():
                cost = _whole(command, environment(home))
                if turn:
                    taken[name].append(cost)
    scale = _middle(taken["import of typer, rich and pydantic, for scale"]).seconds
    table = Table("A command, server up", ("command", "median ms", "p95 ms", "CPU ms", "× those imports"))
    for name, each in taken.items():
        table.add(name, *_times(each, scale))
    table.notes.append(f"{runs} runs of each, in turns.")
    return table


def _middle(taken: list[Cost]) -> Cost:
    return Cost(median(each.seconds for each in taken), median(each.cpu for each in taken))


def _times(taken: list[Cost], baseline: float) -> tuple[str, ...]:
    middle, late = _middle(taken), percentile([each.seconds for each in taken], 0.95)
    return (
        milliseconds(middle.seconds),
        milliseconds(late),
        milliseconds(middle.cpu),
        ratio(middle.seconds, baseline),
    )


def _first_answer(command: list[str], home: Path) -> Cost:
    begin = perf_counter()
    client = StdioClient(command, home)
    client.ask(initialize())
    cost = Cost(perf_counter() - begin, cpu_seconds(client.process.pid))
    client.close()
    return cost


def _server(home: Path, runs: int) -> Table:
    """Starts on the same home, in turns with the baseline: a Python that imports what such a server needs."""
    ways: dict[str, Callable[[], Cost]] = {
        "import of litestar, sqlmodel, mcp and uvicorn, for scale": _imports,
        "`bigmind serve --background` → run file and proof": lambda: _ready(server_command(), home, _proves_itself),
        "`bigmind serve` → ready line": lambda: _ready([bridge_command()[0], "serve"], home, _says_ready),
    }
    if _is_installed():
        ways["`make run` → ready line"] = lambda: _ready(["make", "-s", "run"], home, _says_ready)
    taken: dict[str, list[Cost]] = {name: [] for name in ways}
    for turn in range(runs + 1):
        for name, way in ways.items():
            cost = way()
            if turn:
                taken[name].append(cost)
    baseline = _middle(next(iter(taken.values()))).seconds
    head = ("start", "median s", "slowest s", "CPU s", "× imports", "target")
    table = Table("Start of the server, existing home", head)
    for number, (name, each) in enumerate(taken.items()):
        middle = _middle(each)
        slowest = max(cost.seconds for cost in each)
        target = verdict(middle.seconds, MOST_SECONDS, " s") if number else "—"
        figures = (f"{value:.2f}" for value in (middle.seconds, slowest, middle.cpu))
        table.add(name, *figures, ratio(middle.seconds, baseline), target)
    table.notes.append(f"{runs} runs of each, in turns; the home holds {CHUNKS:,} chunks.")
    if not _is_installed():
        table.notes.append("`make run` is left out: it would set up its environment first. Run it once before.")
    return table


def _is_installed() -> bool:
    """Whether `make run` would find its environment ready; setting it up is not what is measured."""
    environment_script = runpy.run_path(str(REPOSITORY / "packaging" / "environment.py"))
    stamp = REPOSITORY / ".venv" / ".ready-run"
    wanted = environment_script["fingerprint"]([*environment_script["pinned"]("run"), REPOSITORY / "pyproject.toml"])
    return stamp.is_file() and stamp.read_text() == wanted


def _imports() -> Cost:
    return _whole([sys.executable, "-c", "import litestar, sqlmodel, mcp.server, uvicorn"], {**os.environ})


def _whole(command: list[str], around: dict[str, str]) -> Cost:
    """A program from its start to its end, which may find nothing."""
    begin, before = perf_counter(), os.times()
    done = subprocess.run(command, env=around, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, check=False)
    seconds, after = perf_counter() - begin, os.times()
    if done.returncode > 1:
        raise RuntimeError(done.stderr.decode())
    spent = after.children_user - before.children_user + after.children_system - before.children_system
    return Cost(seconds, spent)


def _ready(command: list[str], home: Path, wait: Callable[[Path, "subprocess.Popen[bytes]"], None]) -> Cost:
    begin = perf_counter()
    process = subprocess.Popen(
        command, env=environment(home), cwd=REPOSITORY, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL
    )
    try:
        wait(home, process)
        return Cost(perf_counter() - begin, _cpu_of_all(process.pid))
    finally:
        process.terminate()
        process.wait(30)
        process.stdout.close()


def _cpu_of_all(pid: int) -> float:
    """The CPU time of a process, of its children, and of those that have ended."""
    root = psutil.Process(pid)
    times = [each.cpu_times() for each in (root, *root.children(recursive=True))]
    return sum(each.user + each.system + each.children_user + each.children_system for each in times)


def _proves_itself(home: Path, process: "subprocess.Popen[bytes]") -> None:
    while process.poll() is None:
        try:
            ServerConnection(home, "cli").close()
        except NotRunningError:
            process_wait(process, 0.005)
        else:
            return
    raise AssertionError("the server ended")


def _says_ready(home: Path, process: "subprocess.Popen[bytes]") -> None:
    del home
    line = process.stdout.readline()
    assert b"is ready" in line, line


def _memory(home: Path, operations: int) -> Table:
    table = Table("Memory of the server", ("when", "RSS MB", "PSS MB", "target RSS"))
    with running_server(home) as server:
        with _noted(table, server.process.pid, "idle after start", target=True):
            pass
        client = HttpClient(server.port, server.token("bridge"), modern=False)
        with _noted(table, server.process.pid, "after the first MCP use"):
            client.call("memory_start_session")
            client.call("memory_search_chunks", query="anything")
        with _noted(table, server.process.pid, f"after {operations:,} operations", target=True):
            for text, query in islice(zip(texts(3), questions(4), strict=False), operations // 2):
                client.call("memory_flag_important", content=text, flag_reason=FLAGGED)
                client.call("memory_search_chunks", query=query)
        with _noted(table, server.process.pid, "after a text that may hold a token"):
            client.call("memory_flag_important", content=MAY_HOLD_TOKEN, flag_reason=FLAGGED)
        client.close()
    table.notes.append(f"On a home of {CHUNKS:,} chunks. PSS counts pages shared with other processes in parts.")
    return table


@contextmanager
def _noted(table: Table, pid: int, when: str, *, target: bool = False) -> Iterator[None]:
    yield
    rss, pss = memory_of(pid)
    table.add(when, f"{rss:.0f}", f"{pss:.0f}", verdict(rss, MOST_MEGABYTES, " MB") if target else "—")


def memory_of(pid: int) -> tuple[float, float]:
    """RSS and, where the system counts it, PSS of a process, in megabytes of 10^6 bytes."""
    info = psutil.Process(pid).memory_full_info()
    return info.rss / MEGABYTE, getattr(info, "pss", info.rss) / MEGABYTE
