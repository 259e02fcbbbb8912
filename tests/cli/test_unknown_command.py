"""A command that there is not: the commands that may have been meant are told, whole."""

from typing import Any

import pytest
import typer
from typer.testing import CliRunner

from app.process_commands import cli
from bigmind.cli.client_commands import add_client_commands
from bigmind.cli.commands import add_operations
from bigmind.cli.groups import grouped_commands
from bigmind.cli.passphrase_commands import add_passphrase_commands
from bigmind.cli.protocol_commands import add_protocol_commands
from bigmind.cli.unknown_command import meant, with_help
from bigmind.cli.usage_command import add_usage_command


@pytest.mark.parametrize(
    ("word", "group", "first"),
    [
        ("serach", "memory", "memory search-chunks"),
        ("facts", None, "memory list-facts"),
        ("doctor", None, "clients doctor"),
        ("store-facts", None, "memory store-fact"),
        ("serch", None, "search"),
        ("contribute", "memory", "brain contribute"),
    ],
)
def test_the_likeliest_commands_are_told(word: str, group: str | None, first: str) -> None:
    assert first in meant(word, {"search", "serve", *grouped_commands()}, group)


def test_a_word_that_is_like_none_is_told_no_command() -> None:
    assert meant("xylophone", grouped_commands(), None) == []


@pytest.mark.parametrize(("word", "group"), [("ask", "brain"), ("stats", "brain"), ("statu", None)])
def test_what_is_only_a_little_like_a_command_of_another_group_does_not_name_it(word: str, group: str | None) -> None:
    assert set(meant(word, grouped_commands(), group)) <= {"memory get-stats"}


def test_the_own_group_is_enough_where_the_word_is_of_it() -> None:
    assert meant("sett", grouped_commands(), "passphrase") == ["passphrase set"]


def test_nothing_is_like_a_word_that_is_longer_than_any() -> None:
    longest = "memory-" * 20_000
    assert meant(longest, [longest, *grouped_commands()], None) == []


def test_the_commands_of_the_own_group_come_first() -> None:
    assert meant("serch", {"search", *grouped_commands()}, None)[0] == "search"
    assert meant("list", grouped_commands(), "work")[0] == "work list-tasks"


@pytest.mark.parametrize(("arguments", "told"), [(["facts"], "`bigmind memory list-facts`"), (["xylophone"], "-h")])
def test_the_refusal_names_them_and_ends_with_2(arguments: list[str], told: str) -> None:
    answer = CliRunner().invoke(cli, arguments, env={"COLUMNS": "200"})
    assert (answer.exit_code, told in answer.output, "No such command" in answer.output) == (2, True, True)


def test_help_is_a_word_for_the_option_of_that_name() -> None:
    assert with_help(["help"]) == ["--help"]
    assert with_help(["help", "memory", "store-fact"]) == ["memory", "store-fact", "--help"]
    assert with_help(["search", "help"]) == ["search", "help"]
    answer = CliRunner().invoke(cli, ["help"])
    assert (answer.exit_code, "Usage: " in answer.output, "No such" in answer.output) == (0, True, False)


def test_a_word_like_none_leads_to_the_commands_of_its_group() -> None:
    program = typer.Typer()
    add_operations(program, lambda: pytest.fail("no command runs"))
    answer = CliRunner().invoke(program, ["memory", "xylophone"], env={"COLUMNS": "200"})
    assert "`bigmind memory -h` shows what there is." in answer.output


def test_what_is_told_of_are_all_commands_of_groups() -> None:
    program = typer.Typer()
    groups = add_operations(program, lambda: pytest.fail("no command runs"))
    add_client_commands(groups["clients"], lambda: pytest.fail("no command runs"))
    add_usage_command(groups["usage"], lambda: pytest.fail("no command runs"))
    add_protocol_commands(groups["protocol"], lambda: pytest.fail("no command runs"))
    add_passphrase_commands(program)
    whole: Any = typer.main.get_command(program)
    there = {f"{name} {each}" for name, group in whole.commands.items() for each in getattr(group, "commands", ())}
    assert there == {*grouped_commands()}
