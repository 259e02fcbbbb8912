"""A command line is built as far as it is asked for; what it then says is what the whole one says."""

from pathlib import Path

import pytest
import typer
from typer.testing import CliRunner

from app.process_commands import group_asked_for
from bigmind.cli.commands import add_operations
from bigmind.cli.groups import HELP

GROUPS = sorted(HELP)


def line(alone: str | None = None) -> tuple[typer.Typer, dict[str, typer.Typer]]:
    app = typer.Typer()
    return app, add_operations(app, Path, alone)


def said(app: typer.Typer, *arguments: str) -> tuple[int, str]:
    done = CliRunner().invoke(app, list(arguments))
    return done.exit_code, done.output


@pytest.mark.parametrize("group", GROUPS)
def test_the_group_that_is_asked_for_is_whole_and_no_other_is_built(group: str) -> None:
    app, groups = line(group)
    whole, _ = line()
    assert {name for name, each in groups.items() if each.registered_commands} <= {group}
    for asked in ((group, "--help"), (group, "nonsense"), ("--help",), ("nonsense",)):
        assert said(app, *asked) == said(whole, *asked), asked


@pytest.mark.parametrize(
    ("arguments", "group"),
    [(["backup", "list"], "backup"), (["status"], "status"), ([], None), (["--help"], None), (["-h", "backup"], None)],
)
def test_the_first_word_says_which(arguments: list[str], group: str | None) -> None:
    assert group_asked_for(arguments, {"PATH": "/bin"}) == group


def test_a_shell_that_completes_a_word_is_offered_all_of_them() -> None:
    assert group_asked_for(["backup"], {"_BIGMIND_COMPLETE": "complete_bash"}) is None
