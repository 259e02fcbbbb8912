"""BigMinds that write into one folder do it one after the other."""

import os
import threading
from pathlib import Path

import pytest

from bigmind.clients.files import folder_lock
from bigmind.clients.files.changes import FileChange
from bigmind.clients.files.folder_lock import alone_in
from bigmind.clients.files.writer import Root, write_change
from bigmind.core.errors import BigMindError, Code


@pytest.fixture
def root(tmp_path: Path) -> Root:
    (tmp_path / "settings.json").write_bytes(b"old")
    return Root(tmp_path, is_home=True)


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

    with alone_in(root.folder), pytest.raises(BigMindError, match="held by another program") as caught:
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


@pytest.mark.parametrize("kind", ["nothing", "file", "pipe"])
def test_what_is_no_folder_is_waited_for_by_nobody(tmp_path: Path, kind: str) -> None:
    there = tmp_path / "there"
    if kind == "file":
        there.touch()
    elif kind == "pipe":
        os.mkfifo(there)

    with alone_in(there):
        (tmp_path / "file").write_bytes(b"written")

    assert (tmp_path / "file").read_bytes() == b"written"


def test_a_file_within_a_pipe_is_an_error_in_words(root: Root) -> None:
    os.mkfifo(root.folder / "pipe")

    with pytest.raises(BigMindError):
        write_change(root, FileChange(root.folder / "pipe" / "settings.json", None, b"new"))
