"""`bigmind protocol check` and the hook that calls it: without the server, from files and git alone."""

import json
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from bigmind.cli.groups import Home
from bigmind.core.errors import BigMindError
from bigmind.core.lazy_module import LazyModule
from bigmind.core.plain_text import visible
from bigmind.paths import expanded

if TYPE_CHECKING:
    from bigmind.protocol.offline import git_hook, note_file, run_check
    from bigmind.protocol.offline.run_check import CheckReport
else:
    git_hook = LazyModule("bigmind.protocol.offline.git_hook")
    note_file = LazyModule("bigmind.protocol.offline.note_file")
    run_check = LazyModule("bigmind.protocol.offline.run_check")

Run = Annotated[str, typer.Option("--run", help="As 2025-12-21-session-01; left out, the newest that has a log.")]
BeforeCommit = Annotated[bool, typer.Option("--before-commit", help="The work is just going to be committed.")]
SkipQa = Annotated[bool, typer.Option("--skip-qa", help="No QA report, where nothing but docs changed.")]
NoNote = Annotated[bool, typer.Option("--no-note", help="Leave no note of a run that BigMind did not see.")]
AsJson = Annotated[bool, typer.Option("--json", help="Print what was found as JSON.")]
Workspace = Annotated[str, typer.Option("--workspace", help="The workspace; left out, this folder.", metavar="FOLDER")]
Workflow = Annotated[bool, typer.Option("--workflow", help="The workflow for a hosted CI, in place of the hook.")]
HERE = ""
CANNOT_TELL = 2


def add_protocol_commands(group: typer.Typer, home: Home) -> None:
    """Add the commands that need no server to `bigmind protocol`."""

    @group.command("check", short_help="Check a run without the server")
    def check(
        *,
        run: Run = "",
        before_commit: BeforeCommit = False,
        skip_qa: SkipQa = False,
        no_note: NoNote = False,
        as_json: AsJson = False,
        workspace: Workspace = HERE,
    ) -> None:
        """Judge a run from files and git alone. Ends with 0 for a complete run, 1 for another, 2 if it cannot tell."""
        try:
            root = _root(workspace)
            report = run_check.check_run(root, home(), run, before_commit=before_commit, skips_qa=skip_qa)
        except BigMindError as error:
            typer.echo(visible(str(error)), err=True)
            raise typer.Exit(CANNOT_TELL) from None
        if not (report.has_receipt or before_commit or no_note):
            note_file.leave(root, report)
        typer.echo(visible(json.dumps(report.as_json(), indent=2, ensure_ascii=False) if as_json else _words(report)))
        if not report.is_good:
            raise typer.Exit(1)

    @group.command("install-hook", short_help="Check before each commit")
    def install_hook(*, workflow: Workflow = False, workspace: Workspace = HERE) -> None:
        """Have git check the run before each commit; a hook that is there goes on, and is run first."""
        typer.echo(visible(f"Written: {git_hook.install(_root(workspace), workflow=workflow)}"))

    @group.command("remove-hook", short_help="Check before commits no more")
    def remove_hook(*, workflow: Workflow = False, workspace: Workspace = HERE) -> None:
        """Take the hook out: what was there before is there again, byte for byte."""
        typer.echo(visible(f"As it was: {git_hook.remove(_root(workspace), workflow=workflow)}"))


def _root(workspace: str) -> Path:
    """The folder that a person names; raises BigMindError when it is no path."""
    return expanded("--workspace", workspace).absolute()


def _words(report: "CheckReport") -> str:
    head = f"{report.run}: {report.outcome}" + (f" at {report.commit[:12]}" if report.commit else "")
    lines = [head]
    if report.stays_incomplete:
        lines.append("  It ended so: BigMind's page Protocol says why. A new run with a log is judged in its place.")
    for each in report.verdicts.values():
        told = each.evidence or each.reason
        lines.append(f"  {each.status.value:8} {each.phase.value} ({each.level.value.replace('_', ' ')}): {told}")
        lines += [f"           {each.remedy}"] * bool(each.remedy and not each.passed)
    lines += [f"  ALTERED  {each}" for each in report.altered]
    return "\n".join(lines)
