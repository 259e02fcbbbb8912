"""`bigmind search`: what it prints where, and how it ends."""

import json
import os
import re
import subprocess
import sys
from pathlib import Path

from bigmind.memory.answers import NO_SUCH_ID
from tests.app.conftest import Bigmind
from tests.app.terminal import opened_terminal
from tests.local.wire import SECONDS, servers_of
from tests.support import Server, environment, have_ended

EVIL = "\x1b]0;TITLE\x07\x1b[2J [bold]not ours[/bold] \u202egnp.exe parrot"


def _remember(server: Server) -> str:
    session = server.call("memory_start_session", project="github.com/acme/birds")["session_id"]
    server.call("memory_flag_important", content="The parrot sleeps until noon", flag_reason="habits")
    server.call("memory_end_session", one_liner="Watched the birds", topics=["birds"], outcome="All were there")
    server.call("memory_start_session", project="feeding")
    server.call("memory_store_fact", category="codebase", fact="A parrot eats [seeds] only", confidence=0.9)
    return session


def test_results_say_what_they_are_where_they_are_from_and_why(server: Server, bigmind: Bigmind) -> None:
    session = _remember(server)
    done = bigmind("search", "where", "is", "the", "parrot")
    lines = done.stdout.splitlines()
    assert (done.returncode, len(lines)) == (0, 6)
    at = next(number for number, line in enumerate(lines) if line.startswith(f"session · {session[:8]} · "))
    assert lines[at].endswith(" · github.com/acme/birds · its moments"), "the client is the reader's own"
    assert lines[at + 1] == "  Watched the birds"
    assert lines[at + 2].startswith("  moment · ")
    assert lines[at + 2].endswith(" · words: parrot")
    assert lines[at + 3] == "    The **parrot** sleeps until noon"
    fact = next(number for number, line in enumerate(lines) if line.startswith("fact · "))
    assert lines[fact + 1] == "  A **parrot** eats [seeds] only"
    assert done.stderr == "Looked for by words only: it is switched off (BIGMIND_MEANING).\n"


def test_nothing_found_ends_with_1_and_says_so_on_standard_error(server: Server, bigmind: Bigmind) -> None:
    _remember(server)
    done = bigmind("search", "walrus")
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr.startswith("Nothing found. Try other words, or fewer.\n")
    assert bigmind("search", "walrus", "--json").returncode == 1


def test_the_options_that_narrow_it_are_named_where_nothing_answers(server: Server, bigmind: Bigmind) -> None:
    _remember(server)
    done = bigmind("search", "parrot", "--since", "9999-01-01", "--kind", "hypothesis")
    told = "Nothing found of kind hypothesis since 9999-01-01. Leave --kind and --since out to search all, or try"
    assert done.stderr.startswith(f"{told} other words, or fewer.\n")
    assert "Nothing is kept of a project 'zoo'." in bigmind("search", "parrot", "--project", "zoo").stderr


def test_a_time_and_a_category_that_a_question_names_are_told_as_options(server: Server, bigmind: Bigmind) -> None:
    server.call("memory_store_fact", category="pet food", fact="A canary eats seeds")
    told = bigmind("search", "what did the canary do in May 2019?").stderr
    assert "For what was stored in the time that you name: --since 2019-05-01\n" in told
    told = bigmind("search", "pet foods").stderr
    assert "1 fact has the category pet food: bigmind memory list-facts --category 'pet food'\n" in told


def test_an_id_that_nothing_has_is_told_so(server: Server, bigmind: Bigmind) -> None:
    _remember(server)
    fact = server.call("memory_store_fact", category="codebase", fact="A parrot bites")["fact"]["fact_id"]
    assert bigmind("search", fact[:8]).returncode == 0
    server.call("memory_deprecate_fact", fact_id=fact, reason="It was tamed")
    for asked in (fact[:8], fact):
        done = bigmind("search", asked)
        assert done.returncode == 1
        assert done.stderr.startswith(NO_SUCH_ID)


def test_options_restrict_what_is_looked_through(server: Server, bigmind: Bigmind) -> None:
    _remember(server)
    for options, expected in (
        ((), {"session", "fact"}),
        (("--kind", "fact"), {"fact"}),
        (("--kind", "moment"), {"session"}),
        (("--kind", "session"), set()),
        (("--kind", "moment", "--kind", "fact"), {"session", "fact"}),
        (("--project", "feeding"), {"fact"}),
        (("--since", "2026-01-01"), {"session", "fact"}),
        (("--since", "yesterday"), {"session", "fact"}),
        (("--since", "9999-01-01"), set()),
    ):
        done = bigmind("search", "parrot", *options, "--json")
        assert {each["kind"] for each in json.loads(done.stdout)["hits"]} == expected, options
        assert done.returncode == (0 if expected else 1)
    assert len(json.loads(bigmind("search", "parrot", "--limit", "1", "--json").stdout)["hits"]) == 1


def test_a_profile_is_named_once(server: Server, bigmind: Bigmind) -> None:
    server.call("memory_update_profile", role="Keeper of a parrot")
    label, excerpt = bigmind("search", "parrot", "--kind", "profile").stdout.splitlines()
    assert re.fullmatch(r"profile · \d{4}-\d\d-\d\d \d\d:\d\d · words: parrot", label)
    assert excerpt == "  role: Keeper of a **parrot**"


def test_json_is_what_the_operation_answers(server: Server, bigmind: Bigmind) -> None:
    _remember(server)
    done = bigmind("search", "parrot", "--json")
    assert (done.returncode, done.stderr) == (0, "")
    assert json.loads(done.stdout) == server.call("memory_semantic_search", query="parrot")


def test_a_search_that_fails_ends_with_2(server: Server, bigmind: Bigmind) -> None:
    for arguments, words in (
        (("parrot", "--since", "2026-13-30"), "since: got '2026-13-30'; expected a date or time like 2026-03-30"),
        (("x" * 100_001,), "at most 100,000 characters"),
        (("parrot", "--limit", "101"), "'--limit'"),
        (("parrot", "--kind", "walrus"), "walrus"),
        ((), "WORDS"),
    ):
        done = bigmind("search", *arguments)
        assert (done.returncode, done.stdout) == (2, ""), arguments
        assert words in done.stderr
        assert "Traceback" not in done.stderr
    server.stop()
    (server.home / "bigmind.db").write_bytes(b"Dear diary, " * 1_000)
    done = bigmind("search", "parrot")
    assert (done.returncode, done.stdout) == (2, "")
    assert "BigMind could not start" in done.stderr


def test_it_starts_the_server_when_there_is_none(bigmind: Bigmind, home: Path) -> None:
    assert bigmind("search", "--", "--parrot").returncode == 1
    servers = servers_of(home)
    assert len(servers) == 1
    assert bigmind("stop").returncode == 0
    assert have_ended(servers, SECONDS)


def test_stored_text_drives_neither_the_terminal_nor_its_colours(server: Server, bigmind: Bigmind) -> None:
    server.call("memory_start_session", project=EVIL)
    server.call("memory_flag_important", content=EVIL, flag_reason=EVIL)
    server.call("memory_end_session", one_liner=EVIL, topics=["birds"], outcome="Done")
    for arguments in ((), ("--json",)):
        done = bigmind("search", "parrot", *arguments)
        assert done.returncode == 0
        assert "gnp.exe" in done.stdout
        assert "[bold]not ours[/bold]" in done.stdout
        assert not set(done.stdout + done.stderr) & set("\x1b\x07\x9b\u202e\r"), arguments


def test_on_a_terminal_matches_are_highlighted_without_asterisks(server: Server) -> None:
    _remember(server)
    ours, theirs = opened_terminal()
    command = [str(Path(sys.executable).with_name("bigmind")), "search", "parrot", "--kind", "moment"]
    terminal = environment(server.home, COLUMNS="100", TERM="xterm-256color")
    terminal.pop("NO_COLOR", None)
    with subprocess.Popen(command, env=terminal, stdin=theirs, stdout=theirs, stderr=subprocess.PIPE) as process:
        process.wait(SECONDS)
    os.close(theirs)
    shown = os.read(ours, 10_000).decode()
    os.close(ours)
    assert process.returncode == 0
    assert "The \x1b[1;33mparrot\x1b[0m sleeps until noon" in shown
    assert "**" not in shown
    assert "\x1b[1;36mmoment\x1b[0m · " in shown
