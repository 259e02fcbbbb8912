"""The commands that concern the process itself, beside those of the catalogue."""

import json
import os
import sys
from collections.abc import Callable, Mapping
from enum import StrEnum
from errno import EDQUOT, EIO, ENOSPC
from typing import TYPE_CHECKING, Annotated, Any

import typer

from app.desktop.browser import open_signed_in
from app.greeting import greeting
from bigmind import VERSION
from bigmind.cli.client_commands import add_client_commands
from bigmind.cli.commands import add_operations
from bigmind.cli.exit_codes import exit_code_of
from bigmind.cli.groups import CommandGroup
from bigmind.cli.missing_argument import OperationCommand
from bigmind.cli.passphrase_commands import add_passphrase_commands
from bigmind.cli.printing import fail, show
from bigmind.cli.protocol_commands import add_protocol_commands
from bigmind.cli.remote import OtherVersionError, call, read_as
from bigmind.cli.unknown_command import with_help
from bigmind.cli.usage_command import add_usage_command
from bigmind.core.errors import BigMindError, Code
from bigmind.core.events import stored_name
from bigmind.core.plain_text import visible
from bigmind.local.command_line import typed_command
from bigmind.local.connection import NotRunningError
from bigmind.local.runfile import RunningServer
from bigmind.operations.day_words import ALSO, day_of
from bigmind.paths import data_folder
from bigmind.text.phrasing import megabytes

if TYPE_CHECKING:
    from bigmind.store.store import Store

ABOUT = (
    "BigMind: one long-term memory for every AI assistant on this machine.\n\n"
    "Begin with `bigmind app` (without a desktop, `bigmind serve`); `bigmind clients list` tells what to connect."
)
cli = typer.Typer(
    cls=CommandGroup,
    help=ABOUT,
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)


UNWRITABLE = frozenset((ENOSPC, EDQUOT, EIO))
UNWRITTEN = 2
"""The exit code where the answer could not be written."""
NO_PAGE = "Your browser opens. If it shows an error, or asks for a code, paste this link into it."


def run() -> None:
    """Run the command line; a fault is told in words, with the exit code of its kind."""
    sys.argv[1:] = with_help(sys.argv[1:])
    try:
        groups = add_operations(cli, data_folder, group_asked_for(sys.argv[1:], os.environ))
        add_client_commands(groups["clients"], data_folder)
        add_usage_command(groups["usage"], data_folder)
        add_protocol_commands(groups["protocol"], data_folder)
        add_passphrase_commands(cli)
        try:
            cli(standalone_mode=True)
        finally:
            if sys.stdout:  # a program without a terminal has none
                sys.stdout.flush()
    except BigMindError as error:
        sys.exit(_told(error, exit_code_of(error)))
    except OSError as error:
        if error.errno not in UNWRITABLE:
            raise
        sys.stdout = open(os.devnull, "w", encoding="utf-8")  # noqa: PTH123, SIM115 - what is left of it goes nowhere
        sys.exit(_told(f"The answer could not be written: {error.strerror}.", UNWRITTEN))


def _told(error: BigMindError | str, code: int) -> int:
    """Tell a fault; the exit code."""
    try:
        fail(error, code)
    except typer.Exit as stop:
        return stop.exit_code


def group_asked_for(arguments: list[str], environment: Mapping[str, str]) -> str | None:
    """The first word, which names a group, another command or nothing; None where any group may be asked for.

    That is where no word comes first, and while a shell completes one: typer is told so by a variable.
    """
    is_completed = any(name.startswith("_") and name.endswith("_COMPLETE") for name in environment)
    return None if is_completed or not arguments or arguments[0].startswith("-") else arguments[0]


@cli.command()
def serve(
    *,
    open_browser: Annotated[bool, typer.Option("--open", help="Show the profile page once ready.")] = False,
    background: Annotated[bool, typer.Option("--background", help="Log to a file instead of the terminal.")] = False,
) -> None:
    """Start BigMind: the endpoint for every IDE, and the pages."""
    from app.core import serve as serve_here  # noqa: PLC0415
    from app.headless import serve_in_background  # noqa: PLC0415
    from bigmind.settings.precedence import read_settings  # noqa: PLC0415

    if background:
        raise typer.Exit(serve_in_background())

    settings = read_settings()

    def ready(server: RunningServer, store: "Store", printed_link: Callable[[], str]) -> None:
        from app.greeting import notices  # noqa: PLC0415

        link = printed_link()
        lines = (greeting(server.address, link), *notices(store, settings.user), "Ctrl+C stops it.")
        typer.echo("\n".join(lines))
        sys.stdout.flush()
        if open_browser:
            open_signed_in(settings.home, link)

    try:
        serve_here(settings, "bigmind serve", ready)
    except BigMindError as error:
        # A bridge may have started it before the person did: then there is only something to show.
        if error.code is not Code.STORE_IN_USE or not open_browser:
            raise
        show_running()


def show_running() -> None:
    """Show the server that runs already."""
    link = call(data_folder(), "server_sign_in_link", {}, start=False)["url"]
    typer.echo(greeting(link.partition("/sign-in")[0], link))
    typer.echo(f"It was running already; `{typed_command()} stop` ends it.")
    if open_signed_in(data_folder(), link):
        typer.echo(NO_PAGE, err=True)


@cli.command()
def app(
    *,
    hidden: Annotated[bool, typer.Option("--hidden", help="Begin in the tray, without the window.")] = False,
) -> None:
    """Start BigMind with its window and tray icon, or bring the window forward."""
    from app.starting import start_app  # noqa: PLC0415

    raise typer.Exit(start_app(hidden=hidden))


@cli.command()
def mcp(
    client: Annotated[
        str | None, typer.Option(help="As `bigmind clients list` names it: its own token is sent, where it has one.")
    ] = None,
    agent: Annotated[str | None, typer.Option(help="Which of its agents: stands behind the name of its token.")] = None,
) -> None:
    """Speak MCP over stdin and stdout: for clients without HTTP."""
    from bigmind.mcp.bridge import main  # noqa: PLC0415

    raise typer.Exit(main([*(["--client", client] if client else []), *(["--agent", agent] if agent else [])]))


@cli.command()
def hook(
    event: Annotated[str, typer.Argument(help="session-start, prompt, pre-compact, stop, session-end or edit.")],
    client: Annotated[str, typer.Option(help="The client that runs it, for example claude-code.")],
) -> None:
    """Run by IDEs at their own moments (docs/hooks.md): reads what they say on stdin, prints what they read."""
    from bigmind.hooks.run import main  # noqa: PLC0415

    main([event, "--client", client])


@cli.command("open")
def open_pages() -> None:
    """Show the memory: in BigMind's window where there is one, else in the browser by a link that signs it in."""
    home = data_folder()
    if call(home, "server_status", {})["desktop"]:
        call(home, "server_show", {})
        typer.echo("It is shown in BigMind's window.")
        return
    link = call(home, "server_sign_in_link", {})["url"]
    typer.echo(link)
    if open_signed_in(home, link):
        typer.echo(NO_PAGE, err=True)


class Kind(StrEnum):
    """What can be looked for, as people call it."""

    MOMENT = "moment"
    SESSION = "session"
    FACT = "fact"
    HYPOTHESIS = "hypothesis"
    KNOWLEDGE = "knowledge"
    PROFILE = "profile"
    THOUGHT = "thought"
    WORK = "work"
    RUN = "run"


SOUGHT = "What you look for, in your own words: `bigmind search why did we leave asyncpg`."


@cli.command(cls=OperationCommand)
def search(
    words: Annotated[list[str], typer.Argument(help=SOUGHT, metavar="WORDS")],
    *,
    kind: Annotated[list[Kind] | None, typer.Option(help="Look for this kind only; may be repeated.")] = None,
    project: Annotated[str | None, typer.Option(help="Look in one project only.")] = None,
    since: Annotated[str | None, typer.Option(help=f"A date (2026-03-30): nothing older.{ALSO}")] = None,
    limit: Annotated[int, typer.Option(min=1, max=100, help="How many at most.")] = 8,
    as_json: Annotated[bool, typer.Option("--json", help="Print the answer as JSON.")] = False,
) -> None:
    """Search everything that is remembered, by meaning and by words.

    Ends with 0 when something answers, with 1 when nothing does well, with 2 when the search failed.
    """
    kinds = [stored_name(each) for each in kind or ()]
    asked = {"query": " ".join(words), "kinds": kinds or None, "limit": limit, "project": project}
    given = {name: value for name, value in asked.items() if value is not None}
    try:
        if since is not None:
            given["since"] = day_of("since", since)
        answer = call(data_folder(), "memory_semantic_search", given, reads=True)
        code = 0 if answer["answers_well"] else 1
        if as_json:
            typer.echo(_as_json(answer))
        else:
            from bigmind.cli.search_command import show_findings  # noqa: PLC0415
            from bigmind.memory.recall.answers import Findings  # noqa: PLC0415

            show_findings(read_as(Findings, answer, reads=True))
    except BigMindError as error:
        fail(error, 2)
    raise typer.Exit(code)


@cli.command()
def status(*, as_json: Annotated[bool, typer.Option("--json", help="Print the answer as JSON.")] = False) -> None:
    """Say whether BigMind runs, and where. Ends with 1 when it does not run."""
    try:
        about = call(data_folder(), "server_status", {}, start=False, reads=True)
    except NotRunningError as error:
        code, told = _absence(error)
        plain = " ".join(told.replace("`", "").split("\n"))
        typer.echo(_as_json({"running": False, "code": code, "detail": plain}) if as_json else told)
        raise typer.Exit(1) from None
    if as_json:
        typer.echo(_as_json({"running": True, **about}))
        return
    try:
        lines = _status_lines(about)
    except OtherVersionError as error:
        lines = f"- Pages: {about['profile_url']}", f"- {error.message} {error.hint}"
    show(f"BigMind {about['version']} runs as process {about['pid']}.\n\n" + "\n".join(lines))


def _status_lines(about: dict[str, Any]) -> tuple[str, ...]:
    """What is told of the BigMind that runs; OtherVersionError where it does not say all of it."""
    return (
        *(f"- **{about[each]}**" for each in ("trouble", "moved") if about[each]),
        f"- Pages: {about['profile_url']}",
        f"- Memory of {about['user']}: {megabytes(about['bytes_on_disk'])} in {about['database']}",
        f"- Backups: {about['backups']}",
        f"- Search by meaning: {about['meaning']}",
        *(f"- Set, and ignored: {name}" for name in about["ignored"]),
    )


def _as_json(answer: dict[str, Any]) -> str:
    return visible(json.dumps(answer, indent=2, ensure_ascii=False))


def _absence(error: NotRunningError) -> tuple[str, str]:
    """Why none answers: a code for scripts, and words."""
    from app.stopping import absence, absence_code  # noqa: PLC0415
    from bigmind.settings.precedence import read_settings  # noqa: PLC0415

    if type(error) is NotRunningError:
        try:
            read_settings()
        except BigMindError as fault:  # in the words of the commands that would start it
            return "cannot_start", f"BigMind is not running, and cannot start: {fault}"
    return absence_code(data_folder(), error), absence(data_folder(), error)


@cli.command()
def stop() -> None:
    """End BigMind; everything acknowledged is stored."""
    from app.stopping import stop_running  # noqa: PLC0415

    said, has_stopped = stop_running(data_folder())
    typer.echo(said)
    if not has_stopped:
        raise typer.Exit(1)


@cli.command()
def version() -> None:
    """Print the version."""
    _tell_version(is_asked=True)


def _tell_version(is_asked: bool) -> None:
    if is_asked:
        typer.echo(f"BigMind {VERSION}, Python {sys.version.split()[0]}, {os.name}")
        raise typer.Exit


@cli.callback(help=ABOUT)
def command_line(
    *,
    version: Annotated[
        bool, typer.Option("--version", is_eager=True, callback=_tell_version, help="Print the version and exit.")
    ] = False,
) -> None:
    """What stands before every command; typer asks for it here."""
