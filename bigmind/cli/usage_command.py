"""`bigmind usage`: what each assistant really did, as tables, JSON or CSV."""

import json
from typing import Annotated, Any

import typer

from bigmind.cli.groups import Home
from bigmind.cli.printing import show
from bigmind.cli.remote import call, read_as
from bigmind.core.plain_text import visible
from bigmind.operations.day_words import ALSO, day_of
from bigmind.trust.rules import MOST_DAYS, USUAL_DAYS

Days = Annotated[int, typer.Option(min=1, max=MOST_DAYS, help="So many days until today.")]
Since = Annotated[str | None, typer.Option(help=f"The first day (2026-03-30), in place of a number of days.{ALSO}")]
Until = Annotated[str | None, typer.Option(help="The last day; today, where left out.")]
Client = Annotated[str | None, typer.Option(help="This assistant only.")]
Project = Annotated[str | None, typer.Option(help="This project only; - for none.")]
Commits = Annotated[bool, typer.Option("--commits/--no-commits", help="Look for commits that nothing covers.")]
Json = Annotated[bool, typer.Option("--json", help="Print all of it as JSON, with each day's counts.")]
Csv = Annotated[bool, typer.Option("--csv", help="Print each day's counts as CSV.")]


def add_usage_command(group: typer.Typer, home: Home) -> None:
    """Have `bigmind usage` by itself show the usage."""

    @group.callback(invoke_without_command=True, no_args_is_help=False)
    def usage(
        context: typer.Context,
        *,
        days: Days = USUAL_DAYS,
        since: Since = None,
        until: Until = None,
        client: Client = None,
        project: Project = None,
        commits: Commits = True,
        as_json: Json = False,
        as_csv: Csv = False,
    ) -> None:
        """Show what each assistant really did: what was recorded, not what was claimed."""
        if context.invoked_subcommand is not None:
            return
        if as_json and as_csv:
            raise typer.BadParameter("--json and --csv are two forms of one answer; pass one of them.")
        ends = {name: day_of(name, day) for name, day in (("since", since), ("until", until)) if day is not None}
        named = {**ends, "client": client, "project": project}
        asked: dict[str, Any] = {name: value for name, value in named.items() if value is not None}
        asked |= {"days": days, "commits": commits and not as_csv, "by_day": as_json or as_csv}
        _print(call(home(), "usage_show", asked, reads=True), as_json=as_json, as_csv=as_csv)


def _print(answer: dict[str, Any], *, as_json: bool, as_csv: bool) -> None:
    from bigmind.trust.answers import UsageAnswer  # noqa: PLC0415 - needed once there is something to show

    told = read_as(UsageAnswer, answer, reads=True)
    if as_json:
        typer.echo(visible(json.dumps(answer, indent=2, ensure_ascii=False)))
    elif as_csv:
        # as bytes: standard output of Windows would end each of its lines, which have their ends, once more
        typer.echo(visible(told.as_csv()).encode("utf-8", "replace"), nl=False)
    else:
        show(told.in_words())
