"""The token of a connected client, one for each: kept in the data folder, where its bridge and its hooks find it.

All that is installed of a client on this machine shares it: for the user, in workspaces, over HTTP and over the bridge.
"""

import json
from collections.abc import Generator, Sequence
from contextlib import contextmanager
from pathlib import Path

from bigmind.clients.files.ledger import Ledger, Owner
from bigmind.clients.leftovers import TOKENS
from bigmind.clients.parts import Entry, Part
from bigmind.clients.target import Target
from bigmind.core.errors import BigMindError, Code
from bigmind.disk.open_files import remove
from bigmind.paths import client_token, read_private_file, token_file, write_private_file
from bigmind.people.service import active_tokens
from bigmind.people.tables import Token
from bigmind.people.token_format import TokenKind, digest, looks_right
from bigmind.store.work import Work


def needs_token(target: Target, parts: Sequence[Part]) -> bool:
    """Whether an install connects a client: by a server entry that it writes, or that the person pastes."""
    return target.paste is not None or any(isinstance(each, Entry) for each in parts)


def kept_secret(home: Path, client: str) -> str:
    """The token in the client's file; empty where there is none, or something else."""
    try:
        secret = read_private_file(_file(home, client)).strip()
    except (OSError, ValueError):
        return ""
    return secret if looks_right(secret) else ""


def valid_token(work: Work, home: Path, client: str, entries: Sequence[object]) -> tuple[Token, str] | None:
    """A token of the client that is still good, with its secret: that of its file, else one in its server entries.

    Args:
        work: reads.
        home: the data folder.
        client: its name.
        entries: the server entries that stand in its files.
    """
    mine = {
        each.digest: each
        for each in active_tokens(work, work.caller.user_id)
        if each.kind == TokenKind.CLIENT and each.client == client
    }
    standing = (found for each in entries for found in TOKENS.findall(json.dumps(each, default=str)))
    for secret in (kept_secret(home, client), *standing):
        if looks_right(secret) and digest(secret) in mine:
            return mine[digest(secret)], secret
    return None


def was_sent_elsewhere(entries: Sequence[object], url: str) -> bool:
    """Whether a client sent its token to another address than `url`: to whatever listens there."""
    return any(each is not None and url not in json.dumps(each, default=str) for each in entries)


def ending_tokens(work: Work, ledger: Ledger, home: Path, owner: Owner) -> tuple[set[int], bool]:
    """The tokens that end with an install, and whether nothing of the client is left that needs one."""
    others = {
        number
        for each in ledger.owners()
        if each.target == owner.target and each != owner
        for number in ledger.token_ids(each)
    }
    kept = valid_token(work, home, owner.target, ())
    shared = {kept[0].id or 0} if kept is not None else set[int]()
    noted = ledger.token_ids(owner)
    return (noted - others - shared, False) if others else (noted | shared, True)


@contextmanager
def keeping(home: Path, client: str, secret: str) -> Generator[None]:
    """Have a token in the client's file, if there is one; what was there is there again when the block fails.

    Raises:
        BigMindError: when it cannot be written.
    """
    before = kept_secret(home, client)
    if secret == before or not secret:
        yield
        return
    write_private_file(_file(home, client), secret)
    try:
        yield
    except BaseException:
        _put_back(home, client, before)
        raise


@contextmanager
def dropping(home: Path, client: str) -> Generator[None]:
    """Have no file of the client; it is there again when the block fails.

    Raises:
        BigMindError: `store_unusable`, when it cannot be removed.
    """
    before, file = kept_secret(home, client), _file(home, client)
    try:
        for each in (file, *file.parent.glob(f".{file.name}.*")):  # also what a killed process left in the making
            remove(each)
    except OSError as error:
        said = f"The file {file} cannot be removed: {error.strerror}."
        raise BigMindError(Code.STORE_UNUSABLE, said, "Remove it, and try again.") from error
    try:
        yield
    except BaseException:
        _put_back(home, client, before)
        raise


def _put_back(home: Path, client: str, before: str) -> None:
    if before:
        write_private_file(_file(home, client), before)
    else:
        remove(_file(home, client))


def _file(home: Path, client: str) -> Path:
    return token_file(home, client_token(client))
