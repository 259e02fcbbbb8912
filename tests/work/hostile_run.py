"""The attack on work as a command, which goes on where it was stopped: each seed in a store of its own.

    THOROUGH=1 python -m tests.work.hostile_run [--seeds 100] [--steps 10000] [--processes 1] [--done FILE]

Writes a line of JSON for each seed that was gone through: to the file, where one is named, whose seeds are not tried
again. Ends with 1 where something was that must never be; the line says what.
"""

import argparse
import json
import os
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from multiprocessing import get_context
from pathlib import Path
from time import process_time
from typing import Any

from tests.homes import folders
from tests.thorough import often
from tests.work.hostile import Attacker
from tests.work.ledger_judge import ViolationError
from tests.work.office import office_in

WHOLE = 0.02
"""The share that goes the whole way, through the dispatcher."""
WHOLE_EVERY = 10
"""Of so many seeds one goes the whole way at each step."""


def attacked(home: Path, seed: int, steps: int) -> Counter[str]:
    """Attack a new store; how often an item went from which state to which."""
    with attacker_in(home, seed, 1.0 if seed % WHOLE_EVERY == WHOLE_EVERY - 1 else WHOLE) as attacker:
        attacker.run(steps)
        return attacker.judge.passed


@contextmanager
def attacker_in(home: Path, seed: int, whole: float = WHOLE) -> Iterator[Attacker]:
    """An attacker in a new store, whose writes need not outlive the machine: nobody pulls the plug here."""
    folder = home.with_name("forged")
    folder.mkdir()
    with office_in(home) as office:
        with office.memory.mind.store.alone() as connection:
            connection.execute("PRAGMA synchronous=OFF")
        yield Attacker(office, seed, folder, whole)


def one_seed(given: tuple[int, int]) -> dict[str, Any]:
    """Attack with a seed, so many steps; what came of it."""
    seed, steps = given
    before = process_time()
    with tempfile.TemporaryDirectory() as folder:
        folders[:] = [Path(folder) / "made"]
        folders[0].mkdir()
        told: dict[str, Any] = {"seed": seed, "steps": steps, "violation": ""}
        try:
            told["passed"] = attacked(Path(folder) / "home", seed, steps)
        except ViolationError as error:
            told["violation"] = str(error)
    return told | {"core_seconds": round(process_time() - before, 1)}


def results(seeds: list[int], steps: int, processes: int) -> Iterator[dict[str, Any]]:
    """Of each seed, as soon as it is there."""
    with get_context("spawn").Pool(processes, maxtasksperchild=5) as pool:
        yield from pool.imap_unordered(one_seed, [(seed, steps) for seed in seeds])


def main(arguments: list[str] | None = None) -> int:
    """Run it; 1 where something was that must never be."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n", maxsplit=1)[0])
    parser.add_argument("--seeds", type=int, default=often(100, 1))
    parser.add_argument("--steps", type=int, default=10_000)
    parser.add_argument("--processes", type=int, default=1)
    parser.add_argument("--done", type=Path, default=Path(os.devnull))
    given = parser.parse_args(arguments)
    known = (
        [json.loads(line) for line in given.done.read_text(encoding="utf-8").splitlines()]
        if given.done.exists()
        else []
    )
    gone_through = {each["seed"] for each in known if each["steps"] == given.steps}
    seeds = [seed for seed in range(given.seeds) if seed not in gone_through]
    is_violated = False
    with given.done.open("a", encoding="utf-8") as done:
        for told in results(seeds, given.steps, given.processes):
            line = json.dumps(told)
            print(line, flush=True)
            print(line, file=done, flush=True)
            is_violated = is_violated or bool(told["violation"])
    return int(is_violated)


if __name__ == "__main__":
    sys.exit(main())
