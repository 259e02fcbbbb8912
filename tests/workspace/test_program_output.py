"""A program's two pipes, read within bounds by either way of reading them."""

import subprocess
import sys
import threading
from collections.abc import Generator
from contextlib import contextmanager

import pytest

from bigmind.workspace import program_output
from bigmind.workspace.program_output import (
    MOST_WORDS,
    OutputTooLargeError,
    Reader,
    read_by_threads,
    read_by_waiting,
    reader_of,
)

LONG = 60.0
POSIX = pytest.mark.skipif(sys.platform == "win32", reason="a system that cannot wait on pipes")
both = pytest.mark.parametrize("read", [pytest.param(read_by_waiting, marks=POSIX), read_by_threads])


@contextmanager
def started(text: str) -> Generator[subprocess.Popen[bytes]]:
    command = [sys.executable, "-c", f"import os, sys, time\n{text}"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        try:
            yield process
        finally:
            process.kill()


@both
def test_all_of_an_answer_comes_with_the_code_and_the_beginning_of_the_complaints(read: Reader):
    text = "os.write(2, b'w' * 300_000); os.write(1, b'a' * 200_000); os.write(2, b'x'); sys.exit(3)"
    with started(text) as process:
        answer, words, code = read(process, 200_000, LONG)
    assert (len(answer), words, code) == (200_000, b"w" * MOST_WORDS, 3)


@both
@pytest.mark.parametrize("text", ["os.write(1, b'a' * 11)", "while True: os.write(1, b'a' * 4_096)"])
def test_a_byte_too_many_is_too_large(read: Reader, text: str):
    with started(text) as process, pytest.raises(OutputTooLargeError):
        read(process, 10, LONG)


@both
@pytest.mark.parametrize(
    "text",
    [
        "os.write(1, b'begun'); time.sleep(600)",
        "os.write(1, b'begun'); os.close(1); os.close(2); time.sleep(600)",
        "os.write(1, b'begun'); os.close(1); time.sleep(600)",
    ],
)
def test_one_that_takes_too_long_has_no_code(read: Reader, text: str):
    with started(text) as process:
        answer, _, code = read(process, 100, 0.3)
        assert code is None
        assert answer in {b"", b"begun"}


@POSIX
def test_waiting_needs_no_thread(monkeypatch: pytest.MonkeyPatch):
    def none_left(*_: object) -> None:
        raise RuntimeError("can't start new thread")

    monkeypatch.setattr(threading.Thread, "start", none_left)
    with started("os.write(1, b'told')") as process:
        assert read_by_waiting(process, 10, LONG) == (b"told", b"", 0)


@pytest.mark.parametrize(("system", "chosen"), [("posix", read_by_waiting), ("nt", read_by_threads)])
def test_each_system_reads_in_its_way(system: str, chosen: Reader):
    assert reader_of(system) is chosen
    assert program_output.read_output is reader_of("nt" if sys.platform == "win32" else "posix")
