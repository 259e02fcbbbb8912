"""What BigMind itself repeated of something, in the record of a session that nobody told, goes with it."""

from pathlib import Path

import pytest

from bigmind.core.plain_text import one_line
from bigmind.memory.rules import AUTO_CLOSED, WORDLESS
from tests.hooks.test_after_the_end import ENDING, LONG, REWROTE, detail, ended_early, hook, rows, turn
from tests.memory.forgettable import own_words
from tests.memory.living import Memory
from tests.memory.traces import traces

SECRET = "Zanzibar's marmalade recipe is on the yellowish notepad."
OTHER = "Gooseberry jam is boiled twice."


def begun(client: Memory) -> None:
    hook(client, "session_start", source="startup")
    hook(client, "prompt")
    client("memory_start_session", topics=["kitchen"])


def kept(client: Memory, kind: str, words: str) -> str:
    """Something of that kind: its id."""
    if kind == "chunk":
        return client("memory_flag_important", content=words, flag_reason="open").chunk_id
    if kind == "hypothesis":
        return client("memory_add_hypothesis", hypothesis=words).hypothesis.hypothesis_id
    return client("memory_store_fact", category="decision", fact=words).fact.fact_id


@pytest.fixture
def client(memory: Memory) -> Memory:
    """The assistant, over its own connection."""
    return memory.over("bridge-1", "claude-code")


@pytest.mark.parametrize("is_over", [True, False])
@pytest.mark.parametrize("kind", ["fact", "hypothesis", "chunk"])
def test_no_byte_of_what_is_forgotten_stays_in_the_record(
    client: Memory, home: Path, kind: str, *, is_over: bool
) -> None:
    begun(client)
    kept(client, kind, OTHER)
    client.clock.forward(seconds=1)
    uid = kept(client, kind, SECRET)
    turn(client)
    if is_over:
        hook(client, "session_end")
    assert rows(client) == [(one_line(SECRET), is_over)]
    client.as_person()("backup_create")
    before = client("memory_list_sessions").sessions[0]
    assert client.as_person()("memory_forget", id=uid).overwritten
    assert traces(home, own_words(SECRET)) == {}
    assert rows(client) == [(OTHER, is_over)]
    after = client("memory_list_sessions").sessions[0]
    assert (after.ended_at, after.importance, after.topics) == (before.ended_at, before.importance, ["kitchen"])
    assert f"- {OTHER}" in detail(client)
    assert client("memory_semantic_search", query="marmalade recipe").hits == []
    assert client("memory_semantic_search", query="gooseberry").hits
    assert client.mind.store.integrity() == []
    hook(client, "session_end")
    assert rows(client)[0][0] == OTHER


def test_the_last_words_stay_here_and_in_the_backup(client: Memory, home: Path) -> None:
    begun(client)
    uid = kept(client, "chunk", SECRET)
    turn(client, REWROTE)
    client.as_person()("backup_create")
    client.as_person()("memory_forget", id=uid)
    assert rows(client) == [(REWROTE, False)]
    assert f"> {REWROTE}" in detail(client)
    [backup] = client.as_person()("backup_list", verify=True).backups
    assert backup.problem == ""
    kept_in = traces(home, {REWROTE.encode(), b"tokenizer"})
    assert any(name.startswith("backups/") for name in kept_in)
    assert traces(home, own_words(SECRET)) == {}


def test_a_backup_that_was_out_of_reach_is_cleaned_when_it_is_restored(client: Memory, home: Path) -> None:
    begun(client)
    uid = kept(client, "fact", SECRET)
    turn(client)
    hook(client, "session_end")
    person = client.as_person()
    name = person("backup_create").name
    aside = {each: each.read_bytes() for each in (home / "backups").iterdir()}
    person("memory_forget", id=uid)
    for path, content in aside.items():
        path.write_bytes(content)
    person("backup_restore", backup=name)
    assert rows(client) == [(WORDLESS, True)]
    assert SECRET not in detail(client)
    assert client("memory_semantic_search", query="marmalade recipe").hits == []


def test_what_the_assistant_told_stays_as_it_is(client: Memory) -> None:
    begun(client)
    uid = kept(client, "fact", SECRET)
    turn(client)
    client("memory_end_session", **ENDING, summary=f"Wrote down that {SECRET}")
    told = detail(client)
    client.as_person()("memory_forget", id=uid)
    assert rows(client) == [(ENDING["one_liner"], True)]
    assert detail(client) == told


def test_under_the_assistants_headline_the_detail_of_hooks_is_written_anew(client: Memory) -> None:
    begun(client)
    uid = kept(client, "fact", SECRET)
    turn(client)
    client("memory_end_session", **ENDING)
    assert SECRET in detail(client)
    client.as_person()("memory_forget", id=uid)
    assert rows(client) == [(ENDING["one_liner"], True)]
    assert SECRET not in detail(client)


def test_the_headline_of_a_session_left_open_for_a_day_loses_the_moment(client: Memory, home: Path) -> None:
    client("memory_start_session")
    kept(client, "chunk", OTHER)
    uid = kept(client, "chunk", SECRET)
    client.clock.forward(hours=25)
    client("memory_start_session")
    client.as_person()("backup_create")
    assert rows(client)[1][0] == f"{AUTO_CLOSED} {SECRET}"
    client.as_person()("memory_forget", id=uid)
    assert rows(client)[1][0] == f"{AUTO_CLOSED} {OTHER}"
    assert traces(home, own_words(SECRET)) == {}


def test_the_headline_of_a_session_left_open_for_a_day_loses_the_fact(client: Memory, home: Path) -> None:
    client("memory_start_session")
    uid = kept(client, "fact", SECRET)
    client.clock.forward(hours=25)
    client("memory_start_session")
    client.as_person()("backup_create")
    assert rows(client)[1][0] == f"{AUTO_CLOSED} {SECRET}"
    client.as_person()("memory_forget", id=uid)
    assert rows(client)[1][0] == AUTO_CLOSED
    assert traces(home, own_words(SECRET)) == {}


def test_a_fact_that_no_longer_holds_is_no_headline_any_more(client: Memory) -> None:
    begun(client)
    wrong = kept(client, "fact", "Money is stored as floats.")
    turn(client)
    client("memory_deprecate_fact", fact_id=wrong, reason="it is not")
    turn(client)
    assert rows(client) == [(WORDLESS, False)]
    hook(client, "session_end")
    assert rows(client) == [(WORDLESS, True)]


def test_an_ended_session_that_a_person_forgot_does_not_come_back(client: Memory) -> None:
    ended = ended_early(client)
    client.as_person()("memory_forget", id=ended, kind="session")
    for _ in range(3):
        client.clock.forward(minutes=1)
        assert turn(client, REWROTE, LONG) == ""
    hook(client, "session_end")
    assert rows(client) == []
    started = client("memory_start_session").session_id
    turn(client, REWROTE, LONG)
    assert client("memory_list_sessions").sessions[0].session_id == started
