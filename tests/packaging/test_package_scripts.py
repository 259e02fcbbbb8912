"""What packages of Linux run around a change of their files, by a shell and with real processes.

Two seconds each: they look at every process of the machine, twice. Nothing cheaper shows whom they end.
"""

import os
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path
from signal import SIGTERM

import pytest

from tests.system_programs import ROOT

LINUX = ROOT / "packaging" / "linux"
WAITS = ["-c", "read line"]

pytestmark = pytest.mark.skipif(os.name != "posix", reason="they are scripts of a shell of POSIX")


@pytest.fixture
def program(tmp_path: Path) -> Path:
    """A stand-in of the installed program, which waits."""
    return Path(shutil.copy(Path("/bin/sh").resolve(), tmp_path / "bigmind"))


@pytest.fixture
def started() -> Iterator[list["subprocess.Popen[bytes]"]]:
    found: list[subprocess.Popen[bytes]] = []
    yield found
    for each in found:
        each.kill()
        each.communicate()


def start(program: Path, *words: str) -> "subprocess.Popen[bytes]":
    return subprocess.Popen([str(program), *WAITS, *words], stdin=subprocess.PIPE)


def run(program: Path, *names: str, argument: str = "") -> str:
    """Run scripts one behind the other, as packages.py puts them together, for that program."""
    text = "".join((LINUX / each).read_text() for each in names).replace("/usr/lib/bigmind/bigmind", str(program))
    done = subprocess.run(["sh", "-c", text, "script", argument], check=True, capture_output=True, text=True)
    return done.stdout


def test_programs_are_ended_also_of_files_that_are_replaced_and_bridges_go_on(
    program: Path, started: list["subprocess.Popen[bytes]"]
) -> None:
    old, bridge = start(program, "serve"), start(program, "mcp", "--client", "cursor")
    program.unlink()
    shutil.copy(Path("/bin/sh").resolve(), program)
    new = start(program, "app")
    started += [old, bridge, new]
    assert "asked to end" in run(program, "end_running.sh")
    assert (old.wait(10), new.wait(10)) == (-SIGTERM, -SIGTERM)
    assert bridge.poll() is None


def test_a_removal_ends_what_was_started_meanwhile_and_says_what_is_left(
    program: Path, started: list["subprocess.Popen[bytes]"]
) -> None:
    started.append(server := start(program, "serve"))
    program.unlink()
    told = run(program, "end_running.sh", "after_removal.sh", argument="remove")
    assert server.wait(10) == -SIGTERM
    assert ".local/share/BigMind" in told
    assert "clients remove" in told
    assert run(program, "end_running.sh", "after_removal.sh", argument="upgrade") == ""


def test_both_kinds_of_packages_run_them_before_and_behind_a_change() -> None:
    deb, rpm = ((LINUX / each).read_text() for each in ("nfpm.yaml", "rpm.spec"))
    for each in ("preinstall", "postinstall", "preremove"):
        assert f"{each}: ${{SCRIPTS}}/end_running.sh" in deb
    for each in ("pre", "post", "preun"):
        assert f"%{each} -f ${{SCRIPTS}}/end_running.sh" in rpm
    assert "postremove: ${AFTER_REMOVAL}" in deb
    assert "%postun -f ${AFTER_REMOVAL}" in rpm
