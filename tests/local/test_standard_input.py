"""The input of a process that works for another one: nothing that it loads waits for it."""

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from bigmind.embedding.environment import offline_environment
from bigmind.local.program import embedder_command

SECONDS = 60
LOOKS = """
import os, stat, sys, threading
from bigmind.local.standard_input import taken_input

taken = taken_input()
lines = []
reads = threading.Thread(target=lambda: lines.append(taken.readline()))
reads.start()
print(stat.S_ISFIFO(os.fstat(0).st_mode), repr(sys.stdin.read()), flush=True)
reads.join()
print(lines, flush=True)
"""


@pytest.fixture
def embedder(tmp_path: Path) -> Iterator["subprocess.Popen[str]"]:
    """The embedder's own process, as the server starts it."""
    pipe = subprocess.PIPE
    environment = offline_environment(tmp_path)
    with subprocess.Popen(embedder_command(), stdin=pipe, stdout=pipe, text=True, env=environment) as process:
        yield process
        process.stdin.close()


def test_who_looks_at_it_finds_it_empty_while_a_thread_waits_for_what_comes() -> None:
    pipe = subprocess.PIPE
    with subprocess.Popen([sys.executable, "-c", LOOKS], stdin=pipe, stdout=pipe, text=True) as process:
        assert process.stdout.readline() == "False ''\n"  # before anything is written
        assert process.communicate("a question\n", timeout=SECONDS)[0] == "['a question\\n']\n"


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="only /proc tells what a process has for its input")
def test_the_embedders_process_has_taken_its_own(embedder: "subprocess.Popen[str]") -> None:
    embedder.stdin.write('{"id": 1, "task": "nothing", "model": "none", "texts": []}\n')
    embedder.stdin.flush()
    assert '"id": 1' in embedder.stdout.readline()  # it answers what comes
    assert Path(f"/proc/{embedder.pid}/fd/0").readlink() == Path("/dev/null")
