"""Where tests keep their files: in the machine's memory, where it has room, for each commit waits for a disk.

What a kill leaves is the same there: the system keeps it, as it does for a disk's files.

A plugin of pytest, too, which tests/conftest.py takes up: what passed needs no files any more once its module is done,
whose server may know them. pytest itself would take them away before.
"""

import os
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

IN_MEMORY = Path("/dev/shm")  # noqa: S108 - pytest makes a folder of its own in it
LEAST_FREE = 4_000_000_000
"""Bytes: of a run's files only those of failed tests and of modules stay, a few hundred megabytes."""

ARTEFACTS = Path(__file__).with_name("artefacts")

_passed: list[Path] = []
_failed: set[str] = set()


def keep_files_in_memory() -> None:
    """Have it be the temporary folder, of tests and of BigMind, unless somebody says which is."""
    if IN_MEMORY.is_dir() and os.access(IN_MEMORY, os.W_OK | os.X_OK) and _has_room() and _runs_programs():
        os.environ.setdefault("TMPDIR", str(IN_MEMORY))
        tempfile.tempdir = None  # it is found anew


@contextmanager
def on_disk() -> Iterator[Path]:
    """A folder on the disk of the repository, for who compares what the two of them cost."""
    ARTEFACTS.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=ARTEFACTS) as made:
        yield Path(made)


def _has_room() -> bool:
    return shutil.disk_usage(IN_MEMORY).free > LEAST_FREE


def _runs_programs() -> bool:
    return os.name == "posix" and not os.statvfs(IN_MEMORY).f_flag & os.ST_NOEXEC


def pytest_runtest_logreport(report: pytest.TestReport) -> None:
    """Note whose files somebody may want to look into."""
    if report.failed:
        _failed.add(report.nodeid)


@pytest.hookimpl(trylast=True)
def pytest_runtest_teardown(item: pytest.Item, nextitem: pytest.Item | None) -> None:
    """Take away a module's files behind its last test here, when what the module shared has ended."""
    folder = getattr(item, "funcargs", {}).get("tmp_path")
    if folder is not None and item.nodeid not in _failed:
        _passed.append(folder)
    if nextitem is None or nextitem.path != item.path:
        for each in _passed:
            shutil.rmtree(each, ignore_errors=True)
        _passed.clear()
