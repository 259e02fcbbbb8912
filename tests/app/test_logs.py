"""The log of a server that nobody watches: it is there again when it was lost, and failures of its own stay small."""

import logging
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from shutil import rmtree

import pytest

from app.logs import PrivateLog
from bigmind.paths import log_file

posix_only = pytest.mark.skipif(sys.platform == "win32", reason="Windows deletes and moves no file that is open")


@pytest.fixture
def logs(home: Path) -> Iterator[PrivateLog]:
    handler = PrivateLog(home)
    yield handler
    handler.close()


@pytest.fixture
def log(logs: PrivateLog) -> Callable[..., None]:
    """Writes a line."""

    def write(told: str, *values: object) -> None:
        logs.handle(logging.LogRecord("test", logging.WARNING, __file__, 1, told, values, None))

    return write


@posix_only
@pytest.mark.parametrize("lose", [Path.unlink, lambda file: rmtree(file.parent), lambda file: file.rename("moved")])
def test_a_log_that_is_lost_begins_anew(
    home: Path,
    log: Callable[..., None],
    lose: Callable[[Path], object],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.chdir(tmp_path)
    log("before")
    lose(log_file(home))
    log("after")
    log("more")
    assert log_file(home).read_text() == "after\nmore\n"
    assert log_file(home).stat().st_mode & 0o777 == 0o600


@posix_only
def test_no_log_is_made_while_the_home_is_away(home: Path, log: Callable[..., None]) -> None:
    log("before")
    home.rename(home.with_name("away"))
    log("meanwhile")
    assert not home.exists()
    home.mkdir()
    log("in another one")
    assert not list(home.iterdir())
    home.rmdir()
    home.with_name("away").rename(home)
    log("after")
    assert log_file(home).read_text() == "before\nmeanwhile\nin another one\nafter\n"


def test_a_log_that_fails_tells_so_once(log: Callable[..., None], capsys: pytest.CaptureFixture[str]) -> None:
    for _ in range(3):
        log("%d", "no number")
    assert capsys.readouterr().err.count("--- Logging error ---") == 1
