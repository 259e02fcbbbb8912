"""What is recorded for power cuts: BigMind's whole life in one process, writing from several threads.

Usage: python -m tests.store.recorded HOME SEED SYNCHRONOUS [LIVES]. The store is opened so many times, and closed
between; the last one just ends. A line `kind text` in HOME/acknowledged is a promise: its write was answered.
"""

import os
import random
import sys
import threading
from pathlib import Path

from bigmind.store.sqlite.connection import PRAGMAS
from bigmind.wiring import Mind, open_mind
from tests.store.power import MARKER
from tests.store.using import Run, caller_of, runner

WRITERS = 3
WRITES = 14
CHECKPOINT_PAGES = 40
"""Many checkpoints in a short life."""

SYNCHRONOUS = {"OFF": 0, "NORMAL": 1, "FULL": 2}
WORDS = ("the", "loop", "repeats", "cards", "until", "nobody", "reads", "them", "and", "begins", "anew")


class Life:
    """One opening of the store."""

    def __init__(self, home: Path, number: int, dice: random.Random) -> None:
        self._mind: Mind = open_mind(home, "ada")
        self._caller = caller_of(self._mind, home)
        self._marker = os.open(home / MARKER, os.O_CREAT | os.O_WRONLY | os.O_APPEND, 0o600)
        self._number = number
        seeds = [dice.random() for _ in range(WRITERS)]
        threads = [threading.Thread(target=self._write, args=each) for each in enumerate(seeds)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()

    def _write(self, writer: int, seed: float) -> None:
        dice = random.Random(seed)
        run = runner(self._mind, self._caller)
        for number in range(WRITES):
            text = f"life{self._number}writer{writer}number{number}"
            kind = ("fact", "chunk", "hypothesis")[number % 3]
            self._write_one(run, kind, text, dice)
            os.write(self._marker, f"{kind} {text}\n".encode())
            if dice.random() < 0.3:
                run("memory_get_context")  # a reader keeps a checkpoint from being complete

    def _write_one(self, run: Run, kind: str, text: str, dice: random.Random) -> None:
        if kind == "fact":
            run("memory_store_fact", category="decision", fact=text)
        elif kind == "hypothesis":
            run("memory_add_hypothesis", hypothesis=text)
        else:
            run("memory_append_chunk", role="user", content=text, flag_reason="a reason")
            story = " ".join(dice.choices(WORDS, k=dice.choice((5, 500, 3_000))))  # up to several pages
            run("memory_append_chunk", role="user", content=f"{text}story {story}", flag_reason="a reason")

    def close(self) -> None:
        self._mind.close()


def main() -> None:
    home, seed, synchronous = Path(sys.argv[1]), int(sys.argv[2]), sys.argv[3]
    lives = int(sys.argv[4]) if sys.argv[4:] else 3
    PRAGMAS["synchronous"] = (synchronous, SYNCHRONOUS[synchronous])
    PRAGMAS["wal_autocheckpoint"] = (str(CHECKPOINT_PAGES), CHECKPOINT_PAGES)
    dice = random.Random(seed)
    for number in range(lives):
        life = Life(home, number, dice)
        if number + 1 < lives:
            life.close()
    os._exit(0)


if __name__ == "__main__":
    main()
