"""The terminal speaks of its options, not of the fields of an API."""

import os
import re
import shlex
from collections.abc import Generator

import pytest

from bigmind.cli.operation_commands.command_records import CommandRecord, command_records
from bigmind.cli.operation_commands.option_words import Command, with_commands, with_options
from bigmind.local.command_line import LEFT_OUT, typed_argument
from bigmind.maintenance.answers import Finding, Health
from bigmind.memory.facts.answers import FactList
from bigmind.protocol.answers import OpenRun
from tests.local.wire import home_in
from tests.support import Server, completed, running_server


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Generator[Server]:
    with home_in(tmp_path_factory.mktemp("words")) as home, running_server(home) as running:
        yield running


def operation(name: str) -> CommandRecord:
    return command_records()[name]


def test_how_to_end_a_run_that_is_still_open_is_told_as_its_command() -> None:
    told = OpenRun(session_id="run-7", since="2026-11-28").hint(None)
    command = Command.of(operation("session_end"), "protocol end")
    assert with_commands({"session_end": command}, told).endswith(
        "To end it: `bigmind protocol end … --session-id run-7`."
    )


@pytest.mark.parametrize("category", ["naming (ui)", "naming [ui]", "a, b", "ada's (own)", 'the "new" (ui)', "$(echo)"])
def test_a_value_with_brackets_is_one_word_of_the_shell(category: str) -> None:
    command = Command.of(operation("memory_list_facts"), "memory list-facts")
    told = with_commands({"memory_list_facts": command}, f"3 facts: memory_list_facts(category={category!r}).")
    assert told.startswith("3 facts: `bigmind ")
    known = LEFT_OUT if os.name == "nt" and "$" in category else category
    assert shlex.split(told.split("`")[1])[1:] == ["memory", "list-facts", "--category", known]


def test_more_of_a_list_is_asked_for_by_the_option() -> None:
    more = FactList(facts=[], total=4).hints(None)
    told = "4 more: narrow by category or project, or pass a higher --limit."
    assert [with_options(operation("memory_list_facts"), each) for each in more] == [told]
    assert [with_options(operation("memory_vacuum"), each) for each in more] == list(more)


@pytest.mark.parametrize(
    ("said", "told"),
    [
        ("Pass all=true.", "Pass --all."),
        ("Pass dry_run=false.", "Pass --no-dry-run."),
        ("Pass days=30 or more.", "Pass days=30 or more."),
        ("Pass other=true.", "Pass other=true."),
    ],
)
def test_a_field_that_may_be_left_out_is_an_option(said: str, told: str) -> None:
    assert with_options(operation("memory_vacuum"), said) == told


WHEELS, TWO = map(typed_argument, ("Wheels: which?", "two words"))


@pytest.mark.parametrize(
    ("said", "told"),
    [
        ("memory_list_facts shows their ids.", "`bigmind memory list-facts` shows their ids."),
        (
            "Call session_start first, then `memory_list_facts`.",
            "Call `bigmind protocol start` first, then `memory_list_facts`.",
        ),
        (
            'Ask: query_brain(prompt="Wheels: which?").',
            f"Ask: `bigmind brain query {WHEELS}`.",
        ),
        ('Ask: query_brain(prompt="a", colour=red).', 'Ask: query_brain(prompt="a", colour=red).'),
        ("Call query_brain(topic=pay, session_id=…).", "Call `bigmind brain query PROMPT --topic pay --session-id …`."),
        ("Held under “session_start”: session_start.", "Held under “session_start”: `bigmind protocol start`."),
        (
            "memory_list_facts(category='two words')",
            f"`bigmind memory list-facts --category {TWO}`",
        ),
        ("memory_list_facts(category)", "`bigmind memory list-facts --category CATEGORY`"),
        ("Pass memory_list_facts_of and my_session_start.", "Pass memory_list_facts_of and my_session_start."),
        (
            "memory_list_facts(category='session_start('='query_brain(', session_start",
            "`bigmind memory list-facts`(category='session_start('='query_brain(', `bigmind protocol start`",
        ),
    ],
)
def test_what_operations_say_of_each_other_names_commands(said: str, told: str) -> None:
    words = {
        "memory_list_facts": "memory list-facts",
        "session_start": "protocol start",
        "query_brain": "brain query",
    }
    commands = {name: Command.of(operation(name), told) for name, told in words.items()}
    assert with_commands(commands, said) == told


def test_what_to_call_next_is_the_command_to_run(server: Server) -> None:
    assert "\n\n`bigmind work list-tasks` shows what there is.\n" in completed(server.home, "work", "next").stdout
    welcome = completed(server.home, "brain", "query", "which parrots sleep until noon?").stdout
    assert "Ask with `bigmind brain query` before you decide" in welcome
    assert not re.search(r"query_brain|contribute_to_brain", welcome)
    solo = completed(server.home, "work", "create-task", "Oil the brass wheels of the clock", "--type", "solo").stdout
    assert f"--fields {typed_argument('memory_query_session=q-…')}" in solo
    slug = server.call("work_create_task", title="Polish the brass wheels of the clock")["slug"]
    for state in ("ready", "active"):
        told = completed(server.home, "work", "transition", slug, state).stderr
    asked = typed_argument("Polish the brass wheels of the clock: what is known?")
    assert f"Ask about it: `bigmind brain query {asked}`." in told
    assert f"--fields {typed_argument('memory_query_session=q-…')}" in told
    assert "Next, by `bigmind work transition`:" in told


def test_notes_and_remedies_name_commands(server: Server) -> None:
    assert (
        "call `bigmind memory start-session` first"
        in completed(server.home, "memory", "end-session", "x", "y", "z").stdout
    )
    finding = {"code": "c", "severity": "note", "meaning": "memory_vacuum", "count": 1, "examples": []}
    health = Health(ok=True, findings=[Finding(**finding, remedy="memory_vacuum prunes.")], checked=[])
    told = health.in_words(hint=lambda said: said.replace("memory_vacuum", "`bigmind memory vacuum`"))
    assert "memory_vacuum → `bigmind memory vacuum` prunes." in told


def test_help_names_commands(server: Server) -> None:
    told = completed(server.home, "memory", "use-model", "--help").stdout
    assert "As `bigmind memory list-models` shows it" in " ".join(told.replace("│", " ").split())


def test_what_is_not_there_is_told_with_the_command_that_lists_it(server: Server) -> None:
    refused = completed(server.home, "memory", "deprecate-fact", "ffffffff", "It never held.")
    assert refused.returncode == 1
    assert "`bigmind memory list-facts` shows their ids" in refused.stderr


def test_a_number_is_an_option_too() -> None:
    assert with_options(operation("memory_list_facts"), "Pass limit=100.") == "Pass --limit 100."


def test_what_is_much_is_forgotten_with_an_option(server: Server) -> None:
    session = server.call("memory_start_session")["session_id"]
    for number in range(12):
        server.call("memory_append_chunk", role="user", content=f"wheel {number}", flag_reason="r", session_id=session)
    refused = completed(server.home, "memory", "forget", session, "--yes")
    assert refused.returncode == 1
    assert "Pass --confirm to do it" in refused.stderr
    done = completed(server.home, "memory", "forget", session, "--yes", "--confirm")
    assert f"Removed for good: session {session[:8]} with its detail, topics and 12 moments" in done.stdout


def test_a_bound_is_told_in_plain_words(server: Server) -> None:
    told = completed(server.home, "memory", "vacuum", "0").stderr
    assert "The input of `bigmind memory vacuum` is not valid." in told
    assert "- days: got '0'; expected at least 1" in told


def test_a_reindex_counts_its_indexes(server: Server) -> None:
    told = completed(server.home, "memory", "reindex").stdout
    assert "full-text indexes." in told
    assert "_fts" not in told


def test_one_is_one(server: Server) -> None:
    server.call("memory_store_fact", category="decision", fact="Brass wheels.")
    assert "; 1 fact (0 deprecated)" in completed(server.home, "memory", "get-stats").stdout


@pytest.mark.parametrize(
    ("said", "told"),
    [
        ('Pass fields={"session": "q-1"}.', "Pass --fields session=q-1."),
        ('Pass fields={"session": "q-1", "count": 2}.', "Pass --fields session=q-1 --fields count=2."),
        ('Pass fields={"session": "12"}.', f"""Pass --fields {typed_argument('{"session": "12"}')}."""),
        ("Pass fields={no JSON}.", f"Pass --fields {typed_argument('{no JSON}')}."),
        ('Pass fields={"a": ["x y"]}.', f"""Pass --fields {typed_argument('a=["x y"]')}."""),
    ],
)
def test_an_object_is_told_in_words_without_quotes_where_it_can_be(said: str, told: str) -> None:
    """PowerShell 5.1 takes quotes in an argument away, and for cmd an apostrophe is a letter."""
    assert with_options(operation("work_transition"), said) == told
