"""Kill -9 in the middle: a restore leaves the old store or the new one, a backup leaves none or a whole one."""

import shutil
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from bigmind.backup.files import backups_in, damage
from bigmind.store.store import Store
from bigmind.wiring import open_mind
from tests.backup.keeping import backup, facts, memories_of, names_in, remember, whole
from tests.memory.living import living
from tests.thorough import often

ROUNDS = often(24, 12)
pytestmark = [
    pytest.mark.slow,
    pytest.mark.xdist_group("backup-kills"),
]


@contextmanager
def doom() -> Iterator["subprocess.Popen[str]"]:
    process = subprocess.Popen(
        [sys.executable, "-m", "tests.backup.doomed"],
        cwd=Path(__file__).parents[2],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    try:
        yield process
    finally:
        process.stdin.close()
        process.wait(60)
        process.stdout.close()


def kill(process: "subprocess.Popen[str]", seconds: float, what: str, home: Path) -> tuple[str, float]:
    """How it ended, and how long it had."""
    process.stdin.write(f"{seconds} {what} {home}\n")
    process.stdin.flush()
    end, had = process.stdout.readline().split()
    return end, float(had)


def duration(process: "subprocess.Popen[str]", what: str, home: Path) -> float:
    """How long the work takes when nobody kills it."""
    end, took = kill(process, 60, what, home)
    assert end == "finished"
    return took


def patience(took: float, number: int) -> float:
    """When to kill in a round: from the first moment on to the last; in the last round, never.

    It `took` as long as the shortest round that nobody killed: a machine that was busy then may be quick now.
    """
    return 60 if number == ROUNDS - 1 else took * number / ROUNDS


def store_files(home: Path) -> dict[str, bytes]:
    return {each.name: each.read_bytes() for each in home.glob("bigmind.db*") if not each.name.endswith("-shm")}


def put_back(home: Path, files: dict[str, bytes]) -> None:
    for each in home.glob("bigmind.db*"):
        each.unlink()
    for name, data in files.items():
        (home / name).write_bytes(data)


def test_a_killed_restore_leaves_the_old_store_or_the_new_one(home: Path) -> None:
    with living(home) as memory:
        for number in range(4):
            remember(memory, f"lantern {number}")
        info = backup(memory)
        new = memories_of(home / "bigmind.db")
        remember(memory, "beacon")
        memory("memory_store_fact", category="decision", fact="Since then.")
        assert "Since then." in facts(memory)
        old = memories_of(home / "bigmind.db")
    files, seen = store_files(home), Counter[tuple[str, str]]()
    with doom() as process:
        took = duration(process, info.name, home)
        for number in range(ROUNDS):
            put_back(home, files)
            end, had = kill(process, patience(took, number), info.name, home)
            took = min(took, had) if end == "finished" else took
            store = Store(home)
            assert store.integrity() == []
            left = memories_of(home / "bigmind.db")
            store.close()
            assert left in (old, new)
            seen[end, "old" if left == old else "new"] += 1
            assert [damage(each) for each in backups_in(home / "backups") if each.path.name == info.name] == [""]
    assert seen["killed", "old"] > 3, seen
    assert seen["finished", "new"] > 0, seen
    assert seen["finished", "old"] == 0, seen


@pytest.mark.parametrize("what", ["backup", "encrypted"])
def test_a_killed_backup_leaves_no_half_one_and_the_next_start_sweeps_up(home: Path, what: str) -> None:
    with living(home) as memory:
        for number in range(4):
            remember(memory, f"lantern {number}")
        before = memories_of(home / "bigmind.db")
    ends = Counter[str]()
    folder = home / "backups"
    with doom() as process:
        took = duration(process, what, home)
        for number in range(ROUNDS):
            shutil.rmtree(folder, ignore_errors=True)
            end, had = kill(process, patience(took, number), what, home)
            took = min(took, had) if end == "finished" else took
            ends[end] += 1
            found = backups_in(folder)
            assert [damage(each) for each in found] == [""] * len(found)
            open_mind(home, "ada").close()
            assert not list((home / "scratch").iterdir())
            if folder.exists():
                assert names_in(folder) == whole(folder, *(each.info for each in found if each.info))
    assert ends["killed"] > 3, ends
    assert ends["finished"] > 0, ends
    assert memories_of(home / "bigmind.db") == before
