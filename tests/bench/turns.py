"""How long each unit of something long holds the writers' queue, in processor time: the same on a busy machine.

`python -m tests.bench.turns 500` measures a memory of so many megabytes of text by itself, which takes half an hour.
"""

import os
import sys
import tempfile
import threading
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from time import process_time, thread_time
from typing import Any

from bigmind.store.writer_queue import WriterQueue
from tests.bench.long_work import FACTS, days_to_the_middle, fill_with_text, some_session, write_facts
from tests.bench.report import Table, milliseconds, verdict
from tests.memory.living import Memory, living
from tests.portable.peak import MEGABYTE, MOST_MEGABYTES, peak_megabytes

SIZES, QUICK = (50, 200), (5,)
"""Megabytes of text."""
MOST_HELD = 250.0
"""Milliseconds."""


@dataclass
class Turns:
    """What was held, in seconds of the holder's processor time, and during what."""

    held: list[tuple[float, str]] = field(default_factory=list[tuple[float, str]])
    phase: str = ""

    def tell(self, _done: int, _total: int, what: str, _unit: str = "") -> None:
        self.phase = what


class TimedQueue(WriterQueue):
    """The writers' queue, which notes how long each turn took."""

    def __init__(self, turns: Turns) -> None:
        super().__init__()
        self._turns = turns
        self._begun = threading.local()

    def take(self, seconds: float | None = None) -> bool:
        is_taken = super().take(seconds)
        self._begun.at = thread_time()
        return is_taken

    def give_back(self) -> None:
        self._turns.held.append((thread_time() - self._begun.at, self._turns.phase))
        super().give_back()


def measure(folder: Path, *, quick: bool) -> Iterator[Table]:
    """An import of facts, and what looks at everything in memories of several sizes; each in this process."""
    table = turns_table()
    facts = folder / "facts.json"
    write_facts(facts, FACTS // 10 if quick else FACTS)
    with living(folder / "facts") as memory:
        many = f"{FACTS // 10 if quick else FACTS:,} facts"
        add_turns(table, f"import of {many}", memory, "memory_import", path=str(facts))
        write_facts(facts, FACTS // 10 if quick else FACTS, seed=6)
        add_turns(table, f"{many} replaced by as many others", memory, "memory_import", path=str(facts), mode="replace")
    for size in QUICK if quick else SIZES:
        _of_size(table, folder, size, is_smallest=size == min(SIZES) or quick)
    yield table


def turns_table() -> Table:
    """A table of such figures."""
    head = ("what", "CPU s", "turns", "longest turn, CPU ms", "during", "target", "peak over idle MB", "target")
    return Table("Turns of what takes long", head)


def _of_size(table: Table, folder: Path, size: int, *, is_smallest: bool) -> None:
    """What looks at everything, in a memory of so many megabytes of text."""
    home = folder / str(size)
    fill_with_text(home, size)
    days, session = days_to_the_middle(home), some_session(home)
    with living(home) as memory:
        memory.clock.now = datetime.now(UTC)
        on_disk = f"of {memory.mind.store.size_in_bytes() / MEGABYTE:.0f} MB"
        add_turns(table, f"forget a session {on_disk}", memory, "memory_forget", id=session, confirm=True)
        add_turns(table, f"export {on_disk}", memory, "memory_export", output_path=str(folder / f"{size}.json"))
        if is_smallest:  # what is derived from each row takes 10 ms of it
            add_turns(table, f"reindex {on_disk}", memory, "memory_reindex")
        add_turns(table, f"prune half {on_disk}", memory, "memory_vacuum", days=days)
        whole = {"path": str(folder / f"{size}.json"), "mode": "replace"}
        add_turns(table, f"replace by the export from before, {on_disk}", memory, "memory_import", **whole)


def add_turns(table: Table, what: str, memory: Memory, name: str, **arguments: Any) -> None:
    """Run an operation, and tell of its turns."""
    person, turns = memory.as_person(), Turns()
    person.mind.store._writing = TimedQueue(turns)
    operation = person.mind.dispatcher.catalogue.get(name)
    assert operation is not None
    _begin_peak()
    idle, begin = _peak(), process_time()
    person.mind.dispatcher.run(operation, person.caller, arguments, progress=turns.tell)
    seconds, over = process_time() - begin, _peak() - idle
    longest, during = max(turns.held, default=(0.0, ""))
    held = verdict(longest * 1000, MOST_HELD, " ms")
    memory_used = verdict(over, MOST_MEGABYTES, " MB")
    number = len(turns.held)
    table.add(what, f"{seconds:.1f}", number, milliseconds(longest), during, held, f"{over:.0f}", memory_used)


def _begin_peak() -> None:
    marks = Path("/proc/self/clear_refs")
    if marks.exists():
        marks.write_text("5")


def _peak() -> float:
    return peak_megabytes(os.getpid())


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as name:
        alone = turns_table()
        _of_size(alone, Path(name), int(sys.argv[1]), is_smallest=False)
        print(alone.as_markdown())
