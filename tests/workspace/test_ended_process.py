"""A program that is asked by pipes ends with what it started, by the way of this system and by what the other calls."""

import os
import socket
import subprocess
import sys
import tempfile
from collections.abc import Generator
from contextlib import contextmanager, suppress
from pathlib import Path

import pytest

from bigmind.workspace.ended_process import in_a_job, in_a_session, way_of
from bigmind.workspace.program_output import read_output
from tests.workspace.test_commands_systems import Windows

LONG = 60.0
CHILD = "import socket; held = socket.create_connection(('127.0.0.1', {port})); held.recv(1)"
PARENT = "import subprocess, sys; subprocess.run([sys.executable, '-c', sys.argv[1]])"


@contextmanager
def listening() -> Generator[socket.socket]:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        listener.settimeout(LONG)
        yield listener


def test_each_system_has_its_way() -> None:
    assert [way_of(each) for each in ("linux", "darwin", "win32")] == [in_a_session, in_a_session, in_a_job]


def test_what_it_answers_is_read_in_its_folder_with_its_input(tmp_path: Path) -> None:
    text = "import os, sys; print(os.getcwd(), sys.stdin.read()); print('told', file=sys.stderr); sys.exit(3)"
    with tempfile.TemporaryFile() as asked:
        asked.write(b"given")
        asked.seek(0)
        with way_of()([sys.executable, "-c", text], tmp_path.resolve(), os.environ, asked) as process:
            answer, words, code = read_output(process, 10_000, LONG)
    assert (answer.decode().split(), words.strip(), code) == ([str(tmp_path.resolve()), "given"], b"told", 3)


def test_what_it_started_ends_with_it_and_nobody_waits_for_that(tmp_path: Path) -> None:
    with listening() as listener, tempfile.TemporaryFile() as asked:
        command = [sys.executable, "-c", PARENT, CHILD.format(port=listener.getsockname()[1])]
        with way_of()(command, tmp_path, os.environ, asked) as process:
            connection, _ = listener.accept()
            assert read_output(process, 10, 0.0).code is None
        with connection, suppress(ConnectionResetError):
            connection.settimeout(LONG)
            assert connection.recv(1) == b""


def test_on_windows_it_runs_only_in_its_job_and_ends_with_it(tmp_path: Path) -> None:
    windows = Windows()
    told = dict[str, object]()

    def start(arguments: list[str], **more: object) -> "subprocess.Popen[bytes]":
        told.update(more)
        return windows.start(arguments, tmp_path, os.environ)

    with tempfile.TemporaryFile() as asked:
        command = [sys.executable, "-c", "input()"]
        with in_a_job(command, tmp_path, {}, asked, windows.jobs, start) as process:
            assert windows.calls[-2:] == ["AssignProcessToJobObject", "NtResumeProcess"]
        assert windows.calls[-2:] == ["TerminateJobObject", "CloseHandle"]
    assert process.returncode is not None
    assert (told["executable"], told["creationflags"]) == (sys.executable, 0x4 | 0x0800_0000)


def test_on_windows_what_cannot_be_started_leaves_no_job(tmp_path: Path) -> None:
    windows = Windows()
    with tempfile.TemporaryFile() as asked:
        gone = in_a_job([str(tmp_path / "gone.exe")], tmp_path, {}, asked, windows.jobs, unstartable)
        with pytest.raises(FileNotFoundError):
            gone.__enter__()
    assert windows.calls[-1] == "CloseHandle"


def unstartable(*_: object, **__: object) -> None:
    raise FileNotFoundError
