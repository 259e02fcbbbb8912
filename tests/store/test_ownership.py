"""One process owns the store; a second one is told who has it."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from bigmind.core.errors import BigMindError, Code
from bigmind.paths import lock_file, owner_file
from bigmind.store.ownership import Ownership, is_held
from bigmind.store.store import Store
from tests.support import environment, start_server

OPEN = """
import sys
from pathlib import Path
from bigmind.core.errors import BigMindError
from bigmind.store.store import Store
try:
    Store(Path(sys.argv[1])).close()
except BigMindError as error:
    print(error.code, error, sep="|")
else:
    print("opened")
"""

HOLD = """
import sys
from pathlib import Path
from bigmind.store.ownership import Ownership
kept = Ownership(Path(sys.argv[1]), "a program of the test")
print("held", flush=True)
sys.stdin.read()
"""


def opened_elsewhere(home: Path) -> str:
    done = subprocess.run([sys.executable, "-c", OPEN, str(home)], check=True, capture_output=True, text=True)
    return done.stdout.strip()


def test_a_second_process_is_told_who_has_the_store(home: Path) -> None:
    store = Store(home)
    said = opened_elsewhere(home)
    assert said.startswith("store_in_use|")
    assert f"process {os.getpid()}, since 20" in said
    assert "`bigmind`" in said
    store.close()
    assert opened_elsewhere(home) == "opened"


def test_a_second_server_is_told_which_one_runs(home: Path) -> None:
    server = start_server(home)
    command = [sys.executable, "-m", "app", "serve"]
    done = subprocess.run(command, env=environment(home), check=False, capture_output=True, text=True)
    assert done.returncode == 1
    assert "Traceback" not in done.stderr
    words = " ".join(done.stderr.split())
    assert f"(process {server.process.pid}, since" in words
    assert "`bigmind stop`" in words
    assert server.stop() == 0
    server.process.stderr.close()


def test_the_right_falls_back_when_its_owner_is_killed(home: Path) -> None:
    with subprocess.Popen(
        [sys.executable, "-c", HOLD, str(home)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as holder:
        assert holder.stdout.readline() == "held\n"
        with pytest.raises(BigMindError, match=f"`a program of the test` \\(process {holder.pid}") as refusal:
            Store(home)
        assert refusal.value.code is Code.STORE_IN_USE
        assert is_held(home, holder.pid)
        holder.kill()
        holder.wait()
        assert owner_file(home).exists()  # it had no time to tidy up, and nobody needs to
        Store(home).close()
    assert not owner_file(home).exists()


def test_giving_it_back_twice_takes_nothing_from_the_next_owner(home: Path) -> None:
    first = Ownership(home, "first")
    first.release()
    second = Ownership(home, "second")
    first.release()
    assert json.loads(owner_file(home).read_text())["purpose"] == "second"
    with pytest.raises(BigMindError, match="`second`"):
        Ownership(home, "third")
    second.release()


@pytest.mark.parametrize("words", ["", "not json", "[]", "{}", '{"pid": 1}', "\x00"])
def test_an_owner_that_left_no_words_is_still_an_owner(home: Path, words: str) -> None:
    first = Ownership(home, "first")
    owner_file(home).write_text(words)
    with pytest.raises(BigMindError, match="already open in another process"):
        Ownership(home, "second")
    assert not is_held(home, os.getpid())
    first.release()


def test_a_lock_that_cannot_be_taken_is_told_in_words(home: Path) -> None:
    home.mkdir(0o700)
    lock_file(home).mkdir()  # stands for whatever keeps the file from being opened
    with pytest.raises(BigMindError, match="cannot be locked") as refusal:
        Ownership(home, "first")
    assert refusal.value.code is Code.STORE_UNUSABLE
    assert "BIGMIND_HOME" in refusal.value.hint


def test_a_home_that_cannot_be_made_is_told_in_words(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(BigMindError, match="cannot be used: there is a file in its place") as refusal:
        Store(tmp_path / "file" / "home")
    assert refusal.value.code is Code.STORE_UNUSABLE
