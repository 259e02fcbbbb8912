"""`bigmind clients install`, `remove` and `repair`: the changes are shown, and made after a yes; `doctor` tries it."""

import sys
from typing import Annotated, Any

import typer
from rich.console import Console

from bigmind.cli.at_terminal import is_terminal
from bigmind.cli.groups import Home
from bigmind.cli.printing import show
from bigmind.cli.remote import call, read_as
from bigmind.clients.answers import Checks, ClientChanged, Repaired, RepairPlan
from bigmind.core.plain_text import visible
from bigmind.paths import expanded
from bigmind.text.phrasing import counted

Client = Annotated[str, typer.Argument(help="Its name: `bigmind clients list` shows them.")]
Workspace = Annotated[
    str | None, typer.Option(help="The folder of one project, instead of the user as a whole.", metavar="FOLDER")
]
Edits = Annotated[
    bool | None,
    typer.Option(
        "--edits/--no-edits",
        help="In a workspace: refuse its edits of files while it holds no claimed item. Left out: as it is now.",
    ),
]
Yes = Annotated[bool, typer.Option("--yes", "-y", help="Do it without asking; what changes is shown all the same.")]


def add_client_commands(group: typer.Typer, home: Home) -> None:
    """Add the commands that ask before they write to `bigmind clients`."""

    @group.command("install", short_help="Connect a client")
    def install(client: Client, *, workspace: Workspace = None, edits: Edits = None, yes: Yes = False) -> None:
        """Connect an IDE or agent: its server entry, its instructions, its hooks. Shows the changes first, and asks."""
        more = {} if edits is None else {"edits": edits}
        _change(home, "clients_install", client, workspace, yes=yes, **more)

    @group.command("remove", short_help="Disconnect a client")
    def remove(client: Client, *, workspace: Workspace = None, yes: Yes = False) -> None:
        """Take a connection back: its files are as they were. Shows the changes first, and asks."""
        _change(home, "clients_remove", client, workspace, yes=yes)

    @group.command("repair", short_help="Repair all clients")
    def repair(*, yes: Yes = False) -> None:
        """Write the files of every connected client anew where they need it. Shows the changes first, and asks."""
        _repair(home, yes=yes)

    @group.command("doctor", short_help="Try the connections")
    def doctor(client: Annotated[str | None, typer.Option(help="This one only.")] = None) -> None:
        """Try each connected client's server entry as the client would. Ends with 1 when one of them fails."""
        checks = read_as(Checks, call(home(), "clients_doctor", {"client": client} if client else {}), reads=True)
        show(checks.in_words())
        if not all(each.ok for each in checks.checks):
            raise typer.Exit(1)


def _change(home: Home, operation: str, client: str, workspace: str | None, *, yes: bool, **more: bool) -> None:
    asked: dict[str, Any] = {"client": client, **more}
    if workspace:
        asked["workspace"] = str(expanded("--workspace", workspace).absolute())  # the server has another folder
    plan = call(home(), "clients_show", {**asked, "remove": operation == "clients_remove"}, reads=True)
    is_removal = operation == "clients_remove"
    if "paste" in plan:
        call(home(), operation, {**asked, "plan": plan["plan"]})  # refuses it, and says what to do by hand
    if not plan["changes"] and not plan["stores_token"] and plan["connected"] != is_removal:
        nothing = "not connected" if is_removal else "connected already, and nothing has to be changed"
        typer.echo(f"{plan['title']} is {nothing}.")
        return
    _show_changes(plan)
    if not yes:
        _agree(_question(plan))
    answer = call(home(), operation, {**asked, "plan": plan["plan"]})
    changed = read_as(ClientChanged, answer, reads=False)
    show(changed.in_words())
    if changed.check is not None and not changed.check.ok:
        raise typer.Exit(1)


def _repair(home: Home, *, yes: bool) -> None:
    plan = read_as(RepairPlan, call(home(), "clients_show_repair", {}, reads=True), reads=True)
    for each in plan.plans:
        typer.echo(visible(f"{each.place} {'needs a repair' if each.changes else 'needs a token of its own'}."))
        _show_changes({**each.model_dump(), "legend": ""})
    if legend := next((each.legend for each in plan.plans if each.legend), ""):
        typer.echo(legend)
    if plan.plans:
        for fault in plan.failed:
            typer.echo(visible(fault.as_text()))
        if not yes:
            _agree(_question_of_all(plan))
    repaired = read_as(Repaired, call(home(), "clients_repair", {"plan": plan.plan}), reads=False)
    show(repaired.in_words())
    if repaired.failed or not all(each.check is None or each.check.ok for each in repaired.repaired):
        raise typer.Exit(1)


def _question_of_all(plan: RepairPlan) -> str:
    files = len({change.path for each in plan.plans for change in each.changes})
    clients = counted(len(plan.plans), "client")
    if not files:
        return f"Give {clients} a token of its own? Files stay as they are."
    token = ", and make new tokens" if any(each.makes_token for each in plan.plans) else ""
    return f"Change {counted(files, 'file')} of {clients}{token}?"


def _agree(question: str) -> None:
    """Ask; raises typer.Exit when the answer is no, or there is no terminal to ask on."""
    if is_terminal(sys.stdin):
        agreed = typer.confirm(question, default=False)
    else:
        typer.echo("There is no terminal to ask on: --yes says yes.", err=True)
        agreed = False
    if not agreed:
        typer.echo("Nothing was changed.")
        raise typer.Exit(1)


def _question(plan: dict[str, Any]) -> str:
    if not plan["changes"] and plan["stores_token"]:
        return "Give it a token of its own? Its files stay as they are."
    if not plan["changes"]:
        return (
            "Note it as connected? Its files say already what BigMind would write."
            if not plan["connected"]
            else "Disconnect it?"
        )
    token = ", and make a token for it" if plan["makes_token"] else ""
    return f"Change {counted(len(plan['changes']), 'file')}{token}?"


def _show_changes(plan: dict[str, Any]) -> None:
    console = Console()
    for each in plan["changes"]:
        typer.echo(visible(f"{each['action']} {each['path']}"))
        difference = visible(each["difference"])
        if console.is_terminal:
            from rich.syntax import Syntax  # noqa: PLC0415 - Pygments, for this alone

            console.print(Syntax(difference, "diff", background_color="default", word_wrap=True))
        else:
            typer.echo(difference)
    if plan["legend"]:
        typer.echo(plan["legend"])
    for each in plan["warnings"]:
        typer.echo(visible(f"⚠ {each}"))
