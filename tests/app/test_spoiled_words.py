"""A Python told to leave out docstrings, or to know ASCII alone, says so before anything is shown or stored."""

import subprocess
import sys
from pathlib import Path

import pytest

from tests.support import bridge_command, environment

ASCII = {"PYTHONUTF8": "0", "LC_ALL": "C", "PYTHONCOERCECLOCALE": "0"}
not_on_windows = pytest.mark.skipif(sys.platform != "linux", reason="Windows and macOS always read names as Unicode")


def ran(home: Path, *arguments: str, **more: str) -> subprocess.CompletedProcess[bytes]:
    command = [bridge_command()[0], *arguments]
    return subprocess.run(
        command, env=environment(home, **more), stdin=subprocess.DEVNULL, capture_output=True, timeout=60, check=False
    )


@pytest.mark.parametrize("asked", [("--help",), ("version",)])
def test_without_docstrings_no_command_runs(home: Path, asked: tuple[str, ...]) -> None:
    done = ran(home, *asked, PYTHONOPTIMIZE="2")
    assert (done.returncode, done.stdout) == (1, b"")
    assert b"Unset PYTHONOPTIMIZE, or set it to 1." in done.stderr
    assert b"Traceback" not in done.stderr


@not_on_windows
def test_what_would_be_stored_damaged_is_not_taken(home: Path) -> None:
    done = ran(home, "memory", "store-fact", "preference", "Zoë", **ASCII)
    assert (done.returncode, done.stdout) == (1, b"")
    assert b"PYTHONUTF8=0" not in done.stderr  # other locales and options of Python make it so as well
    assert b"Set PYTHONUTF8 to 1, or LC_ALL to a locale with UTF-8, such as C.UTF-8." in done.stderr
    assert not home.exists()


@not_on_windows
@pytest.mark.parametrize("mended", [{"PYTHONUTF8": "1"}, {"LC_ALL": "C.UTF-8"}])
def test_what_the_refusal_says_mends_it(home: Path, mended: dict[str, str]) -> None:
    assert ran(home, "version", **ASCII | mended).returncode == 0


@not_on_windows
def test_in_the_locale_c_alone_it_is_taken_whole(home: Path) -> None:
    done = ran(home, "Zoë", LC_ALL="C")
    assert "No such command 'Zoë'" in done.stderr.decode()


@not_on_windows
@pytest.mark.parametrize("named", [{"LC_ALL": "POSIX"}, {"LANG": "C"}, {"LANG": "POSIX"}, {}])
def test_by_whatever_name_the_locale_c_is_no_hindrance(
    home: Path, named: dict[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("LC_ALL", "LC_CTYPE", "LANG", "PYTHONUTF8"):
        monkeypatch.delenv(name, raising=False)
    done = ran(home, "version", **named)
    assert (done.returncode, done.stderr) == (0, b"")


@pytest.mark.parametrize("spoilt", [{"PYTHONOPTIMIZE": "2"}, pytest.param(ASCII, marks=not_on_windows)])
def test_a_hook_answers_all_the_same(home: Path, spoilt: dict[str, str]) -> None:
    done = ran(home, "hook", "prompt", "--client", "claude-code", **spoilt)
    assert (done.returncode, done.stderr) == (0, b"")
