"""The token files of BigMind's own clients, and who may read what is in a home."""

import os
import stat
from collections.abc import Callable, Iterator
from datetime import timedelta
from pathlib import Path

import pytest

from bigmind.core.operation import Caller
from bigmind.paths import token_file
from bigmind.people.service import NOBODY, active_tokens, end_token, ensure_user, mint_token
from bigmind.people.tables import Token
from bigmind.people.token_format import TokenKind, new_secret
from bigmind.wiring import Mind, open_mind
from tests.support import running_server

OWN = (TokenKind.CLI, TokenKind.BRIDGE)


@pytest.fixture
def no_umask() -> Iterator[None]:
    """What a careless shell gives its children: everything is readable by everybody."""
    before = os.umask(0)
    yield
    os.umask(before)


def modes(home: Path) -> dict[str, str]:
    """Whatever in a home others may touch; nothing where no file has a mode."""
    found = {}
    if os.name != "posix":
        return found
    for path in (home, *home.rglob("*")):
        mode = stat.S_IMODE(path.stat().st_mode)
        is_started = path.is_dir() or path == home / "bin" / "bigmind"
        if mode != (0o700 if is_started else 0o600):
            found[str(path.relative_to(home))] = oct(mode)
    return found


def opened_again(home: Path, **more) -> None:
    open_mind(home, "ada", **more).close()


@pytest.mark.skipif(os.name != "posix", reason="Windows has lists of rights instead of modes")
@pytest.mark.usefixtures("no_umask")
def test_a_home_is_private_whatever_the_umask_while_a_server_runs_and_after(home: Path) -> None:
    with running_server(home) as server:
        server.call("memory_store_fact", category="decision", fact="private")
        assert {"bigmind.db", "bigmind.db-wal", "run.json"} <= {file.name for file in home.iterdir()}
        assert modes(home) == {}
    assert modes(home) == {}


@pytest.mark.skipif(os.name != "posix", reason="Windows has lists of rights instead of modes")
@pytest.mark.usefixtures("no_umask")
def test_what_was_opened_up_is_private_again_after_the_next_start(home: Path) -> None:
    opened_again(home)
    for path in (home, home / "tokens", *(token_file(home, kind) for kind in OWN), home / "bigmind.db"):
        path.chmod(0o777)
    opened_again(home)
    assert modes(home) == {}


def test_the_two_files_hold_a_token_each_of_its_own_kind(home: Path, mind: Mind) -> None:
    for kind in OWN:
        principal = mind.authenticator.principal(token_file(home, kind).read_text())
        assert principal is not None
        assert principal.kind is kind
        assert principal.caller.username == "ada"
        assert principal.caller.is_person == (kind is TokenKind.CLI)
        assert principal.expires_at is None
    assert sorted(file.name for file in (home / "tokens").iterdir()) == ["bridge", "cli"]


def test_good_files_are_left_alone(home: Path) -> None:
    opened_again(home)
    before = [token_file(home, kind).read_text() for kind in OWN]
    opened_again(home)
    assert [token_file(home, kind).read_text() for kind in OWN] == before
    assert len(own_tokens(home)) == len(OWN)


Damage = Callable[[Path, Path], None]


def remove(_: Path, file: Path) -> None:
    file.unlink()


def remove_folder(_: Path, file: Path) -> None:
    for each in file.parent.iterdir():
        each.unlink()
    file.parent.rmdir()


def writing(content: bytes) -> Damage:
    def write(_: Path, file: Path) -> None:
        file.write_bytes(content)

    return write


def swap(home: Path, file: Path) -> None:
    """The other client's token, valid as it is: the bridge must not become a person by it."""
    other = next(kind for kind in OWN if kind != file.name)
    file.write_text(token_file(home, other).read_text())


def revoke(home: Path, file: Path) -> None:
    mind = open_mind(home, "ada")
    principal = mind.authenticator.principal(file.read_text())
    assert principal is not None
    with mind.store.write(principal.caller, "test") as work:
        end_token(work, work.session.get_one(Token, principal.caller.token_id))
    mind.close()


def of_another_user(home: Path, file: Path) -> None:
    mind = open_mind(home, "ada")
    with mind.store.write(NOBODY, "test") as work:
        bob = ensure_user(work, "bob").id or 0
    with mind.store.write(Caller(bob, "bob", NOBODY.role, "test", 0), "test") as work:
        secret = mint_token(work, bob, "cli", TokenKind(file.name)).secret
    file.write_text(secret)
    mind.close()


def expired(home: Path, file: Path) -> None:
    mind = open_mind(home, "ada")
    principal = mind.authenticator.principal(file.read_text())
    assert principal is not None
    with mind.store.write(principal.caller, "test") as work:
        minted = mint_token(work, principal.caller.user_id, "cli", TokenKind(file.name), timedelta(seconds=-1))
        file.write_text(minted.secret)
    mind.close()


DAMAGES: dict[str, Damage] = {
    "missing": remove,
    "missing with its folder": remove_folder,
    "empty": writing(b""),
    "cut off": writing(new_secret()[:20].encode()),
    "unknown": writing(new_secret().encode()),
    "not UTF-8": writing(b"bm_\xff\xfe\x00"),
    "another thing": writing(b"#!/bin/sh\n" * 1_000),
    "the other client's": swap,
    "revoked": revoke,
    "another user's": of_another_user,
    "expired": expired,
}


@pytest.mark.parametrize("kind", OWN)
@pytest.mark.parametrize("damage", DAMAGES)
def test_a_file_that_is_no_good_is_made_anew(home: Path, kind: TokenKind, damage: str) -> None:
    opened_again(home)
    file = token_file(home, kind)
    before = file.read_text()
    DAMAGES[damage](home, file)
    mind = open_mind(home, "ada")
    principal = mind.authenticator.principal(file.read_text())
    assert principal is not None
    assert principal.kind is kind
    assert principal.caller.username == "ada"
    assert mind.authenticator.principal(before) is None, "the token that was lost still opens the door"
    mind.close()
    assert modes(home) == {}
    assert sorted(own_tokens(home)) == sorted(OWN)


def test_a_token_with_white_space_around_it_is_good(home: Path) -> None:
    opened_again(home)
    file = token_file(home, "cli")
    written = f"{file.read_text()}\n"
    file.write_text(written)
    opened_again(home)
    assert file.read_text() == written


def own_tokens(home: Path) -> list[str]:
    """The kinds of the valid tokens of Ada's own clients."""
    mind = open_mind(home, "ada")
    principal = mind.authenticator.principal(token_file(home, "cli").read_text().strip())
    assert principal is not None
    with mind.store.read(principal.caller, "test") as work:
        kinds = [token.kind for token in active_tokens(work, principal.caller.user_id)]
    mind.close()
    return kinds
