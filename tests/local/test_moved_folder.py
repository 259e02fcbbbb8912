"""The data folder is moved while BigMind runs: none is made in its place, and every command says so."""

import json
import os
import sys
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from socket import socket

import pytest

from bigmind.core.errors import BigMindError
from bigmind.local.launch import connected, start_server
from bigmind.local.moved_folder import MovedFolderError, refuse_moved_folder
from bigmind.local.runfile import RunFileKeeper, RunningServer, published, read_note
from bigmind.paths import note_of_moved_folder, run_file
from bigmind.settings.precedence import read_settings
from tests.support import completed, process_wait, running_server

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="a folder with an open file is not moved there")

SERVER = RunningServer(1, 7700, "k" * 64, "1.0.0", "ada", "/somewhere/bigmind.db")
LONGEST_SECONDS = 60.0


def wait_until(is_so: Callable[[], bool]) -> None:
    deadline = time.monotonic() + LONGEST_SECONDS
    while not is_so():
        assert time.monotonic() < deadline
        os.sched_yield()


def test_a_keeper_makes_no_folder_in_place_of_its_own(home: Path) -> None:
    said: list[str] = []
    keeper = RunFileKeeper(home, SERVER, looks_apart=0.01, say=said.append)
    away, note = home.with_name("away"), note_of_moved_folder(home)
    home.rename(away)
    wait_until(lambda: read_note(note) == SERVER)
    assert not home.exists()
    assert note.stat().st_mode & 0o777 == 0o600
    away.rename(home)
    wait_until(lambda: not note.exists())
    run_file(home).unlink()
    wait_until(lambda: published(home) == SERVER)
    home.rename(away)
    wait_until(note.exists)
    home.mkdir()  # another one in its place is left as it is
    keeper.stop()
    assert list(home.iterdir()) == []
    assert not note.exists()
    assert said == ["ready"]


def test_what_a_killed_server_left_beside_the_folder_keeps_nobody_out(home: Path) -> None:
    kept = RunFileKeeper(home, SERVER)
    kept.stop()
    note_of_moved_folder(home).write_text("{")
    refuse_moved_folder(home)
    note_of_moved_folder(home).write_text('{"pid": 1, "port": 1, "key": "k", "version": "1"}')
    refuse_moved_folder(home)
    RunFileKeeper(home, SERVER).stop()
    assert not note_of_moved_folder(home).exists()


def test_what_others_may_write_beside_the_folder_is_not_believed(home: Path) -> None:
    """The folder above may be everybody's, and who may be ended is read from there."""
    with socket() as silent:
        silent.bind(("127.0.0.1", 0))
        silent.listen()
        note = note_of_moved_folder(home)
        note.write_text(json.dumps({"pid": os.getpid(), "port": silent.getsockname()[1], "key": "k", "version": "1"}))
        with pytest.raises(MovedFolderError):
            refuse_moved_folder(home)
        note.chmod(0o666)
        refuse_moved_folder(home)
        note.chmod(0o600)
        note.write_text(note.read_text().replace(str(os.getpid()), "-1"))
        refuse_moved_folder(home)


def test_a_drive_as_a_whole_has_nothing_beside_it() -> None:
    assert note_of_moved_folder(Path("/")) is None
    refuse_moved_folder(Path("/"))


def test_nothing_begins_while_a_server_runs_whose_folder_was_moved(home: Path) -> None:
    """One real server: what is refused, and by whom, is decided between processes."""
    away = home.with_name("away")
    with running_server(home) as server:
        pid = server.process.pid
        home.rename(away)
        wait_until(note_of_moved_folder(home).exists)
        for arguments in (("status",), ("backup", "list"), ("memory", "get-stats"), ("serve",), ("app",)):
            done = completed(home, *arguments)
            assert done.returncode == 1, (arguments, done.stdout, done.stderr)
            assert f"BigMind runs (process {pid}), and its data folder {home} was moved" in done.stdout + done.stderr
            assert "Move it back" in done.stdout + done.stderr
        with pytest.raises(MovedFolderError):
            start_server(home)
        with pytest.raises(BigMindError, match="was moved or removed"):
            read_settings({"BIGMIND_HOME": str(home)})
        assert not home.exists()
        away.rename(home)
        wait_until(lambda: not note_of_moved_folder(home).exists())
        connected(home, "cli").close()
        home.rename(away)
        wait_until(note_of_moved_folder(home).exists)
        heeded = threading.Thread(target=lambda: process_wait(server.process, LONGEST_SECONDS))
        heeded.start()  # a process whose end nobody takes note of is still there
        done = completed(home, "stop")
        heeded.join()
        assert done.stdout == f"BigMind (process {pid}), whose data folder {home} was moved or removed, has stopped.\n"
        assert not home.exists()
        with suppress(OSError):
            away.rename(home)
