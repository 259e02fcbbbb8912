"""`bigmind passphrase`: sets or removes the passphrase at a terminal, while BigMind is stopped."""

import sys
from collections.abc import Callable, Generator
from contextlib import contextmanager
from getpass import getpass
from typing import TYPE_CHECKING

import typer

from bigmind.cli.at_terminal import is_terminal
from bigmind.cli.groups import CommandGroup
from bigmind.core.errors import BigMindError, Code

if TYPE_CHECKING:
    from bigmind.settings.rows import Settings
    from bigmind.store.ownership import Ownership
    from bigmind.store.work import Work

HELP = "The passphrase that pages in a browser ask for, where there is no window to set it in, or when it is lost."


def add_passphrase_commands(app: typer.Typer) -> None:
    """Add the group. No operation of the server stands behind it: what a token can ask for, any program can."""
    group = typer.Typer(cls=CommandGroup, no_args_is_help=True)
    app.add_typer(group, name="passphrase", help=HELP)
    group.command("set")(_set)
    group.command("remove")(_remove)


def _set() -> None:
    """Set or change the passphrase: type it twice. Stop BigMind first."""
    from bigmind.people.passphrases import PassphrasePlace  # noqa: PLC0415 - for this command only
    from bigmind.server.passphrase_change import check_passphrase, set_passphrase  # noqa: PLC0415

    with _alone_at_terminal("bigmind passphrase set") as write:
        typer.echo("At least 10 characters; four words chosen at random are good. It is not shown.")
        text, again = getpass("Passphrase: "), getpass("The same again: ")
        check_passphrase(text, again)
        write(lambda work: set_passphrase(work, text, again, PassphrasePlace.TERMINAL))
    typer.echo("The passphrase is set. The pages tell when and where, until you put that away.")


def _remove() -> None:
    """Remove the passphrase: pages in a browser then do nothing in person. Stop BigMind first."""
    from bigmind.people.passphrases import PassphrasePlace  # noqa: PLC0415 - for this command only
    from bigmind.server.passphrase_change import remove_passphrase  # noqa: PLC0415

    with _alone_at_terminal("bigmind passphrase remove") as write:
        if not typer.confirm("Remove the passphrase?"):
            typer.echo("Nothing was changed.")
            raise typer.Exit(1)
        write(lambda work: remove_passphrase(work, PassphrasePlace.TERMINAL))
    typer.echo("The passphrase is removed: what is done in person is done in BigMind's window alone.")


@contextmanager
def _alone_at_terminal(command: str) -> "Generator[Callable[[Callable[[Work], None]], None]]":
    """What writes into the memory of this home, which nobody else opens while somebody types.

    Raises:
        BigMindError: `in_person`, where standard input is no terminal; `store_in_use`, while BigMind runs.
    """
    if not is_terminal(sys.stdin):
        raise BigMindError(
            Code.IN_PERSON,
            "The passphrase is typed at a terminal, and standard input is none. Nothing was changed.",
            f"Run `{command}` in a terminal, with nothing piped into it.",
        )
    from bigmind.settings.precedence import read_settings  # noqa: PLC0415 - behind the refusal
    from bigmind.store.ownership import Ownership  # noqa: PLC0415

    settings = read_settings()
    try:
        ownership = Ownership(settings.home, command, settings.store)
    except BigMindError as error:
        if error.code is not Code.STORE_IN_USE:
            raise
        raise BigMindError(error.code, error.message, "Stop BigMind first: `bigmind stop`.") from error
    try:
        yield lambda change: _write(settings, ownership, command, change)
    finally:
        ownership.release()


def _write(settings: "Settings", ownership: "Ownership", command: str, change: "Callable[[Work], None]") -> None:
    from bigmind.people.service import person  # noqa: PLC0415
    from bigmind.wiring import open_mind  # noqa: PLC0415

    mind = open_mind(
        settings.home,
        settings.user,
        ownership=ownership,
        mode=settings.mode,
        backups=settings.backup_folder,
        file=settings.store,
    )
    try:
        with mind.store.write(person(mind.store, settings.user), command, beside=True) as work:
            change(work)
    finally:
        mind.close()
