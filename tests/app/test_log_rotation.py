"""The log keeps every record, also where what is full cannot be put aside: on Windows while somebody has it open."""

import logging
from pathlib import Path

from app.logs import PrivateLog


def test_a_log_that_cannot_be_put_aside_goes_on(home: Path) -> None:
    log = PrivateLog(home)
    aside, in_the_way = home / "logs" / "server.log.1", home / "logs" / "server.log.2"
    aside.write_text("older\n", encoding="utf-8")
    (in_the_way / "something").mkdir(parents=True)
    log.maxBytes = 10
    try:
        say(log, "the first of them")
        say(log, "the second of them")
        assert written(home) == ["the first of them", "the second of them"]
        (in_the_way / "something").rmdir()
        in_the_way.rmdir()
        say(log, "the third of them")
    finally:
        log.close()
    assert aside.read_text(encoding="utf-8").splitlines() == ["the first of them", "the second of them"]
    assert written(home) == ["the third of them"]


def test_a_log_that_is_open_elsewhere_loses_nothing(home: Path) -> None:
    log = PrivateLog(home)
    log.maxBytes = 10
    say(log, "the first of them")
    try:
        with (home / "logs" / "server.log").open("rb"):
            say(log, "the second of them")
    finally:
        log.close()
    files = sorted((home / "logs").iterdir(), reverse=True)
    assert [line for file in files for line in file.read_text(encoding="utf-8").splitlines()] == [
        "the first of them",
        "the second of them",
    ]


def say(log: PrivateLog, words: str) -> None:
    log.emit(logging.makeLogRecord({"msg": words}))


def written(home: Path) -> list[str]:
    return (home / "logs" / "server.log").read_text(encoding="utf-8").splitlines()
