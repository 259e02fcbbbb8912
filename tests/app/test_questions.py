"""What removes something for good is asked first: on a terminal, with what would go; elsewhere `--yes` is needed."""

import json
import random
from pathlib import Path

import pytest

from bigmind.cli.operation_commands.command_records import command_records
from bigmind.cli.operation_commands.command_words import command_words
from bigmind.cli.questions import QUESTIONS, UNASKED, question_of
from bigmind.core.operation import Effect, Surface
from bigmind.wiring import catalogue
from tests.app.conftest import Bigmind
from tests.app.terminal import typed
from tests.memory.forgettable import KINDS, Thing, fill
from tests.memory.traces import traces
from tests.support import Server
from tests.thorough import often, spread

SECRET = "ghp_" + "aB3dE5gH7jK9mN1pQ3sT5vW7yZ9bD1fG3hJ5"
NOES = ("\n", "n\n", "no\n", "N\n")


@pytest.fixture
def draw(request: pytest.FixtureRequest) -> random.Random:
    return random.Random(request.node.name)


@pytest.fixture
def things(server: Server) -> list[Thing]:
    filled = fill(server.call, often(8, 1))
    server.call("memory_update_profile", role="Keeper of the seal")
    return filled


def test_whatever_destroys_asks_or_says_why_it_does_not() -> None:
    destroying = {each.name for each in catalogue().on(Surface.CLI) if each.effect is Effect.DESTRUCTIVE}
    assert destroying == QUESTIONS.keys() | UNASKED.keys()
    assert not QUESTIONS.keys() & UNASKED.keys()
    assert all(each.name in QUESTIONS for each in command_records().values() if question_of(each))


@pytest.mark.parametrize("name", QUESTIONS)
def test_the_help_of_each_names_yes(bigmind: Bigmind, name: str) -> None:
    assert "--yes" in bigmind(*command_words(name), "--help").stdout


def test_nothing_is_forgotten_without_a_terminal_or_a_yes(
    server: Server, bigmind: Bigmind, things: list[Thing]
) -> None:
    for thing in (*spread(things[: len(KINDS)], 3), Thing("profile", "profile", frozenset())):
        done = bigmind("memory", "forget", thing.id)
        assert (done.returncode, done.stdout) == (1, "")
        assert "--yes" in done.stderr
        assert "Would be removed for good" in done.stderr
        assert server.call("memory_forget", id=thing.id, dry_run=True)["dry_run"]
    assert server.call("memory_get_context")["context"].count("Keeper of the seal") == 1


def test_it_is_shown_and_asked_and_only_a_yes_removes_it(
    server: Server, things: list[Thing], draw: random.Random
) -> None:
    for thing in draw.sample(things, often(len(things), 2)):
        told = server.call("memory_forget", id=thing.id, dry_run=True)
        returned, said = typed(server.home, draw.choice(NOES), "memory", "forget", thing.id[:8], "--kind", thing.kind)
        assert returned == 1, said
        assert "Nothing was changed." in said
        assert told["text"][:40].split()[0] in said
        assert traces(server.home, thing.patterns)
        returned, said = typed(server.home, draw.choice(["y\n", "yes\n"]), "memory", "forget", thing.id[:8])
        assert returned == 0, said
        assert "Removed for good" in said
        assert traces(server.home, thing.patterns) == {}


def test_a_yes_is_for_the_one_that_was_shown_and_holds_for_much(server: Server) -> None:
    session = server.call("memory_start_session")["session_id"]
    for number in range(120):
        server.call("memory_append_chunk", role="user", content=f"wheel {number}", flag_reason="r", session_id=session)
    told = server.call("memory_forget", id=session, dry_run=True)
    assert (told["is_much"], told["moments"]) == (True, 120)
    returned, said = typed(server.home, "y\n", "memory", "forget", session[:8])
    assert returned == 0, said
    assert "120 moments" in said


def test_answers_stay_json_while_the_question_is_on_the_other_stream(
    server: Server, bigmind: Bigmind, things: list[Thing]
) -> None:
    done = bigmind("memory", "forget", things[0].id, "--yes", "--json")
    assert json.loads(done.stdout)["id"] == things[0].id
    rehearsed = bigmind("memory", "forget", things[1].id, "--dry-run", "--json")
    assert json.loads(rehearsed.stdout)["dry_run"] is True
    assert server.call("memory_forget", id=things[1].id, dry_run=True)


def test_restoring_replacing_and_masking_ask_as_well(server: Server, bigmind: Bigmind, tmp_path: Path) -> None:
    server.call("memory_store_fact", category="decision", fact="Brass wheels.")
    backup = server.call("backup_create")["name"]
    export = server.call("memory_export", output_path=str(tmp_path / "memory.json"))["path"]
    server.call("memory_store_fact", category="preference", fact="Punched cards, always.")
    commands = (("backup", "restore", backup), ("memory", "import", export, "--mode", "replace"))
    for command in commands:
        done = bigmind(*command)
        assert (done.returncode, done.stdout) == (1, ""), done.stderr
        assert "--yes" in done.stderr
        returned, said = typed(server.home, "n\n", *command)
        assert (returned, "Nothing was changed." in said) == (1, True), said
        assert server.call("memory_list_facts")["total"] == 2
    for command in commands:
        returned, said = typed(server.home, "y\n", *command)
        assert returned == 0, said
        assert server.call("memory_list_facts")["total"] == 1
    assert bigmind("memory", "import", export).returncode == 0, "a merge removes nothing, and asks nothing"


def test_what_finds_nothing_to_remove_asks_nothing(bigmind: Bigmind, server: Server) -> None:
    del server
    for command in (("memory", "vacuum", "30"), ("secrets", "scan", "--mask")):
        done = bigmind(*command)
        assert (done.returncode, done.stderr) == (0, "")


def test_a_backup_that_there_is_not_is_told_before_a_yes_is_asked(server: Server, bigmind: Bigmind) -> None:
    for backup in ("nope", str(server.home / "nope.bmbackup")):
        done = bigmind("backup", "restore", backup)
        assert (done.returncode, done.stdout) == (1, "")
        assert "--yes" not in done.stderr
        assert "backup list" in done.stderr


def test_an_export_takes_its_file_in_place(server: Server, bigmind: Bigmind, tmp_path: Path) -> None:
    del server
    done = bigmind("memory", "export", str(tmp_path / "mine.json"))
    assert (done.returncode, (tmp_path / "mine.json").is_file()) == (0, True), done.stderr
    done = bigmind("memory", "export", "a.json", "--output-path", "b.json")
    assert done.returncode == 2
    assert "twice" in done.stderr


def test_what_cannot_be_understood_is_answered_with_what_can(server: Server, bigmind: Bigmind) -> None:
    told = bigmind("mindspace", "create-node", "A title of it", "dev", "text").stderr
    assert """JSON like {"action":""" in " ".join(told.split())
    assert "--port value" in bigmind("settings", "change").stderr
    told = bigmind("project", "join-alias", "one-name", "another-name").stdout
    assert "Nothing is stored for another-name yet" in told
    server.call("memory_start_session", project="loom")
    assert "Nothing is" not in bigmind("project", "join-alias", "mill", "loom").stdout
    for _ in range(2):
        server.call("memory_end_session", one_liner="Something was done", topics=["looms"], outcome="It holds")
        server.call("memory_start_session", project="loom")
    assert "call again with --cursor " in bigmind("memory", "list-sessions", "--limit", "1").stdout
