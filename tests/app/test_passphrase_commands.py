"""`bigmind passphrase`: at a real terminal, with BigMind stopped, and in no other way."""

import json
import subprocess
from collections.abc import Iterator
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path

import pytest

from bigmind.core.errors import BigMindError
from bigmind.people.passphrases import PassphrasePlace, Passphrases
from bigmind.store.sqlite.snapshots import connected
from tests.app.conftest import Bigmind
from tests.app.terminal import asked
from tests.support import bridge_command, environment, running_server

FIRST = "a gate under four rivers"
SECOND = "another gate over no river"
ASKED = ("Passphrase: ", "The same again: ")


@pytest.fixture
def user(home: Path) -> str:
    """Whose memory the command's environment names."""
    return environment(home).get("BIGMIND_USER", "")


def twice(text: str, again: str = "") -> list[tuple[str, str]]:
    return list(zip(ASKED, (text, again or text), strict=True))


def proves(home: Path, user: str, text: str) -> bool:
    try:
        Passphrases(home).prove(user, text, datetime.now(UTC))
    except BigMindError:
        return False
    return True


def ledger(home: Path) -> list[tuple[str, str, str]]:
    with closing(connected(home / "bigmind.db", read_only=True)) as store:
        found = store.execute("SELECT kind, body FROM work_ledger WHERE kind LIKE 'passphrase%' ORDER BY number")
        rows = [(kind, json.loads(body)) for kind, body in found.fetchall()]
    return [(kind, body["place"], body["surface"]) for kind, body in rows]


def test_it_is_set_changed_and_removed_and_each_is_told(home: Path, user: str) -> None:
    for text in (FIRST, SECOND):
        code, said = asked(home, twice(text), "passphrase", "set")
        assert (code, "The passphrase is set" in said, text in said) == (0, True, False), said
        assert proves(home, user, text)
    assert not proves(home, user, FIRST)
    code, said = asked(home, [("[y/N]", "n")], "passphrase", "remove")
    assert (code, "Nothing was changed" in said) == (1, True)
    assert proves(home, user, SECOND)
    assert [asked(home, [("[y/N]", "y")], "passphrase", "remove")[0] for _ in range(2)] == [0, 1]
    assert Passphrases(home).of(user) is None
    told = Passphrases(home).known(user)
    assert told is not None
    assert {each.place for each in told.changes} == {PassphrasePlace.TERMINAL}
    assert [each.is_set for each in told.changes] == [True, True, False]
    place = ("terminal", "command_line")
    assert ledger(home) == [("passphrase_set", *place), ("passphrase_set", *place), ("passphrase_removed", *place)]


@pytest.mark.parametrize(("text", "again", "why"), [(FIRST, SECOND, "not the same"), ("short", "short", "10 to 200")])
def test_what_is_no_passphrase_is_refused_in_words(home: Path, user: str, text: str, again: str, why: str) -> None:
    code, said = asked(home, twice(text, again), "passphrase", "set")
    assert (code, why in said, f"{text}\n" in said) == (2, True, False), said
    assert Passphrases(home).is_untouched(user)


@pytest.mark.parametrize("verb", ["set", "remove"])
def test_it_needs_a_terminal(home: Path, bigmind: Bigmind, user: str, verb: str) -> None:
    """Neither what is piped into it, nor an argument, nor the environment is asked."""
    piped = bigmind("passphrase", verb, BIGMIND_PASSPHRASE=FIRST)
    assert (piped.returncode, piped.stdout) == (1, "")
    assert "standard input is none" in piped.stderr
    for given in ((FIRST,), ("--passphrase", FIRST)):
        assert bigmind("passphrase", verb, *given).returncode == 2
    assert Passphrases(home).is_untouched(user)
    assert not (home / "bigmind.db").exists()


def test_what_comes_through_a_pipe_sets_none(home: Path, user: str) -> None:
    """The real command: of a forked one the input cannot be chosen."""
    command = [bridge_command()[0], "passphrase", "set"]
    typed = f"{FIRST}\n{FIRST}\n"
    piped = subprocess.run(
        command, env=environment(home), input=typed, capture_output=True, text=True, check=False, start_new_session=True
    )
    assert (piped.returncode, "standard input is none" in piped.stderr) == (1, True)
    assert Passphrases(home).is_untouched(user)


def test_bigmind_is_stopped_first(home: Path, user: str) -> None:
    with running_server(home):
        for verb in ("set", "remove"):
            code, said = asked(home, [], "passphrase", verb)
            assert (code, "Stop BigMind first: `bigmind stop`" in said) == (1, True), said
    assert Passphrases(home).is_untouched(user)


def test_nobody_starts_bigmind_while_it_is_typed(home: Path, bigmind: Bigmind) -> None:
    starts: list[int] = []

    def answers() -> Iterator[tuple[str, str]]:
        yield ASKED[0], FIRST
        starts.append(bigmind("serve").returncode)
        yield ASKED[1], FIRST

    assert asked(home, answers(), "passphrase", "set")[0] == 0
    assert starts == [1]
