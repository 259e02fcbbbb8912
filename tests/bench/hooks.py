"""How long an IDE waits for its hooks."""

import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from time import perf_counter

from bigmind.hooks.run import BUDGET
from tests.bench.filling import fill
from tests.bench.report import Table, median, milliseconds, percentile, verdict
from tests.support import environment, running_server

RUNS = 41
CHUNKS = 1_000
MOST_SECONDS = 0.3
EVENTS = ("session-start", "prompt", "pre-compact", "stop", "session-end", "edit")


def measure(folder: Path, *, quick: bool) -> Iterator[Table]:
    """`bigmind hook` with a server, without one, and beside a Python that does nothing."""
    home = folder / "home"
    fill(home, 50 if quick else CHUNKS)
    runs = 3 if quick else RUNS
    bare = {"Python alone, for scale": ([sys.executable, "-c", "pass"], b"")}
    table = Table("An IDE's hook, from its start to its end", ("process", "median ms", "p95 ms", "answered", "target"))
    with running_server(home):
        _add(table, home, bare | {f"`bigmind hook {event}`, server up": _hook(event) for event in EVENTS}, runs)
    _add(table, home, {"`bigmind hook stop`, no server": _hook("stop")}, runs)
    table.notes.append(
        f"{runs} runs of each, in turns, with the budget as shipped: after {milliseconds(BUDGET)} ms a hook says "
        "nothing. Answered: how many printed something."
    )
    yield table


def _hook(event: str) -> tuple[list[str], bytes]:
    said = {"session_id": "bench", "cwd": str(Path.cwd()), "last_assistant_message": "Done. " * 100}
    said |= {"tool_input": {"file_path": str(Path.cwd() / "pay.py")}}
    command = [str(Path(sys.executable).with_name("bigmind")), "hook", event, "--client", "claude-code"]
    return command, json.dumps(said).encode()


def _add(table: Table, home: Path, commands: dict[str, tuple[list[str], bytes]], runs: int) -> None:
    taken: dict[str, list[float]] = {name: [] for name in commands}
    answered = dict.fromkeys(commands, 0)
    for turn in range(runs + 1):
        for name, (command, said) in commands.items():
            began = perf_counter()
            done = subprocess.run(command, input=said, capture_output=True, env=environment(home), check=True)
            if turn:  # the first turn warms the disk's cache
                taken[name].append(perf_counter() - began)
                answered[name] += bool(done.stdout)
    for name, seconds in taken.items():
        late = percentile(seconds, 0.95)
        target = verdict(late, MOST_SECONDS, " s") if "hook" in name else "—"
        table.add(name, milliseconds(median(seconds)), milliseconds(late), f"{answered[name]} of {runs}", target)
