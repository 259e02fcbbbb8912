"""`bigmind usage` by itself, as tables, JSON and CSV; bad days are told in words."""

import csv
import io
import json
from collections.abc import Iterator

import pytest
import typer

from bigmind.cli.usage_command import add_usage_command
from tests.support import Server, completed, running_server

pytestmark = pytest.mark.xdist_group("usage_command")


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    with running_server(tmp_path_factory.mktemp("usage") / "home") as running:
        yield running


def usage(server: Server, *arguments: str) -> tuple[int, str, str]:
    done = completed(server.home, "usage", *arguments)
    return done.returncode, done.stdout, done.stderr


def test_by_itself_it_shows_the_last_thirty_days(server: Server) -> None:
    code, told, _ = usage(server)
    assert code == 0
    assert told.startswith("What was recorded from ")


def test_json_and_csv_are_whole(server: Server) -> None:
    code, told, _ = usage(server, "--json", "--days", "7")
    assert code == 0
    assert json.loads(told)["rows"] == []
    code, told, _ = usage(server, "--csv")
    assert [code, *csv.reader(io.StringIO(told))] == [0, ["day", "client", "agent", "project", "measure", "count"]]


def test_csv_has_no_empty_lines_where_standard_output_makes_each_line_end_as_windows_does(
    server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    printed = io.BytesIO()
    monkeypatch.setattr("sys.stdout", io.TextIOWrapper(printed, encoding="utf-8", newline="\r\n"))
    commands = typer.Typer()
    add_usage_command(commands, lambda: server.home)
    assert typer.main.get_command(commands).main(["--csv"], standalone_mode=False) in {None, 0}
    assert printed.getvalue() == b"day,client,agent,project,measure,count\r\n"


def test_days_that_end_before_they_begin_are_told_in_words(server: Server) -> None:
    code, _, fault = usage(server, "--since", "2026-03-30", "--until", "2026-03-01")
    assert code == 2
    assert "a day that is not before 2026-03-30" in fault


def test_the_words_for_days_that_people_write_are_taken(server: Server) -> None:
    code, told, fault = usage(server, "--since", "yesterday", "--until", "today")
    assert (code, fault) == (0, "")
    assert "Nothing was." in told


def test_a_day_that_is_none_and_two_forms_at_once_are_told_in_words(server: Server) -> None:
    code, _, fault = usage(server, "--since", "foo")
    assert (code, "or today, yesterday, this week" in fault) == (2, True)
    code, told, fault = usage(server, "--csv", "--json")
    assert (code, told) == (2, "")
    assert "two forms of one answer" in fault
