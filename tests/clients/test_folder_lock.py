"""BigMinds that write into one folder do it one after the other."""

import os
import subprocess
import sys
import threading
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path

import pytest

from bigmind.clients.files import folder_lock
from bigmind.clients.files.changes import FileChange
from bigmind.clients.files.folder_lock import alone_in, mutex_name
from bigmind.clients.files.writer import Root, write_change
from bigmind.core.errors import BigMindError, Code

PIPES = ["pipe"] if os.name == "posix" else []
"""On Windows no pipe stands in a folder."""


@pytest.fixture
def root(tmp_path: Path) -> Root:
    (tmp_path / "settings.json").write_bytes(b"old")
    return Root(tmp_path, is_home=True)


@contextmanager
def held_by_another(folder: Path) -> Generator[None]:
    """Have a thread of its own hold the folder: on Windows a lock is the thread's."""
    is_held, may_go = threading.Event(), threading.Event()

    def hold() -> None:
        with alone_in(folder):
            is_held.set()
            may_go.wait(60)

    holds = threading.Thread(target=hold)
    holds.start()
    assert is_held.wait(60)
    try:
        yield
    finally:
        may_go.set()
        holds.join()


@pytest.mark.parametrize("after", [b"new", None], ids=["written", "taken away"])
def test_a_write_waits_for_that_of_another_bigmind(
    root: Root, after: bytes | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = root.folder / "settings.json"
    writes = threading.Thread(target=write_change, args=(root, FileChange(path, b"old", after)))
    waits, may_go_on = threading.Event(), threading.Event()

    def wait(_: float) -> None:
        waits.set()
        may_go_on.wait()

    monkeypatch.setattr(folder_lock, "sleep", wait)

    with alone_in(root.folder):
        writes.start()
        assert waits.wait(60)
        assert path.read_bytes() == b"old"
    may_go_on.set()
    writes.join()

    assert (path.read_bytes() if path.exists() else None) == after


def test_who_holds_the_folder_for_long_is_told_of(root: Root, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(folder_lock, "MOST_WAITED_SECONDS", 0.0)

    with held_by_another(root.folder), pytest.raises(BigMindError, match="held by another program") as caught:
        write_change(root, FileChange(root.folder / "settings.json", b"old", b"new"))

    assert caught.value.code is Code.CONFLICT
    assert caught.value.hint == "Try again in a moment."
    assert (root.folder / "settings.json").read_bytes() == b"old"
    assert [each.name for each in root.folder.iterdir()] == ["settings.json"]


def test_the_next_one_may_after_an_error(root: Root, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(folder_lock, "MOST_WAITED_SECONDS", 0.0)
    path = root.folder / "settings.json"

    with pytest.raises(BigMindError):
        write_change(root, FileChange(path, b"other", b"new"))
    write_change(root, FileChange(path, b"old", b"new"))

    assert path.read_bytes() == b"new"


@pytest.mark.parametrize("kind", ["nothing", "file", *PIPES])
def test_what_is_no_folder_is_waited_for_by_nobody(tmp_path: Path, kind: str) -> None:
    there = tmp_path / "there"
    if kind == "file":
        there.touch()
    elif kind == "pipe":
        os.mkfifo(there)

    with alone_in(there):
        (tmp_path / "file").write_bytes(b"written")

    assert (tmp_path / "file").read_bytes() == b"written"


@pytest.mark.skipif(not PIPES, reason="on Windows no pipe stands in a folder")
def test_a_file_within_a_pipe_is_an_error_in_words(root: Root) -> None:
    os.mkfifo(root.folder / "pipe")

    with pytest.raises(BigMindError):
        write_change(root, FileChange(root.folder / "pipe" / "settings.json", None, b"new"))


HOLDER = """
import sys
from pathlib import Path
from bigmind.clients.files.folder_lock import alone_in
with alone_in(Path(sys.argv[1])):
    print("held", flush=True)
    sys.stdin.read()
"""


def test_another_process_holds_the_folder_until_it_is_killed(root: Root, monkeypatch: pytest.MonkeyPatch) -> None:
    """Also by another name of it: by other letters, where they are the same to the disk."""
    monkeypatch.setattr(folder_lock, "MOST_WAITED_SECONDS", 0.0)
    change = FileChange(root.folder / "settings.json", b"old", b"new")
    other_name = Path(str(root.folder).upper())
    named = other_name if other_name.exists() else root.folder
    command = [sys.executable, "-c", HOLDER, str(named)]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
        assert process.stdout is not None
        assert process.stdout.readline().strip() == b"held"
        with pytest.raises(BigMindError, match="held by another program"):
            write_change(root, change)
        process.kill()
    write_change(root, change)

    assert change.path.read_bytes() == b"new"


def test_a_folder_has_one_lock_and_what_is_none_has_none(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    (tmp_path / "folder").mkdir()

    assert mutex_name(tmp_path) == mutex_name(tmp_path / "folder" / "..") != mutex_name(tmp_path / "folder")
    assert mutex_name(tmp_path / "file") == mutex_name(tmp_path / "nothing") == ""


def test_what_is_for_windows_is_loaded_once_it_is_needed() -> None:
    tell = "import sys, bigmind.clients.files.folder_lock; print(*sys.modules)"
    loaded = subprocess.run([sys.executable, "-c", tell], capture_output=True, text=True, check=True).stdout.split()
    assert "bigmind.clients.files.folder_lock" in loaded
    assert not {"ctypes", "bigmind.disk.named_mutex"} & set(loaded)
