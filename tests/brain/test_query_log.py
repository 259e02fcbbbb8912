"""The log: a row for each answered call, written by nothing else, on disk before the answer goes out."""

from contextlib import suppress
from typing import Any

import pytest

from bigmind.core.operation import Surface
from bigmind.registry import OPERATIONS
from bigmind.store.sqlite.driver import sound_driver
from tests.brain.agents import Agent, Brain, RefusedError

INSIGHT = "Learned: the Avocet mailer sends 90 mails a minute, because the provider slows it down."
QUESTION = "How many mails does the Avocet mailer send in a minute?"


def counts(brain: Brain) -> tuple[Any, ...]:
    """How many rows of each table of the brain there are."""
    tables = ("thought", "thought_use", "thought_reader", "brain_session", "brain_query", "brain_query_source")
    return tuple(brain.rows(f"SELECT count(*) FROM {each}")[0][0] for each in tables)


def test_each_answered_call_is_a_row_with_who_asked_what_and_what_came_back(brain: Brain, agent: Agent) -> None:
    thought = agent.learn(INSIGHT, context="mending the mailer")
    answer = agent.ask(QUESTION)
    brain.agent("another", "bob").contribute("mails?")
    assert brain.log() == [
        ("contribute_to_brain", "stored", INSIGHT, 0),
        ("query_brain", "answered", QUESTION, 1),
        ("contribute_to_brain", "too_short", "mails?", 1),
    ]
    joined = "brain_query JOIN user ON user.id = user_id ORDER BY brain_query.id"
    told = f"SELECT username, client, thought_uid, context FROM {joined}"
    assert brain.rows(told) == [
        ("ada", "tester", thought, "mending the mailer"),
        ("ada", "tester", None, ""),
        ("bob", "another", None, ""),
    ]
    of_sources = (
        "SELECT brain_session.uid, thought.uid, place, similarity FROM brain_query_source"
        " JOIN brain_query ON brain_query.id = query_id JOIN brain_session ON brain_session.id = session_id"
        " JOIN thought ON thought.id = thought_id ORDER BY query_id"
    )
    first = brain.rows(of_sources)[0]
    [source] = answer["result"]["sources"]
    assert first == (answer["trace"]["session_id"], thought, 1, source["similarity"])


@pytest.mark.parametrize(
    ("text", "outcome"),
    [
        ("It sends ninety mails a minute, says its owner Mara", "stored"),  # 51 characters
        ("It sends ninety mails a minute says its owner Mara", "too_short"),  # 50
        ("You told me that it sends ninety mails a minute, and that this is slow.", "follow_up"),
        ("How many mails may it send in a minute, and who decides about that?", "question"),
    ],
)
def test_the_log_says_whether_and_why_not_a_contribution_was_stored(
    brain: Brain, agent: Agent, text: str, outcome: str
) -> None:
    answer = agent.contribute(text)
    assert [row[:3] for row in brain.log()] == [("contribute_to_brain", outcome, text)]
    assert ("thought_id" in answer["trace"]) is (outcome == "stored") is answer["trace"]["contribution_threshold_met"]
    if outcome != "stored":
        assert answer["result"]["response"].startswith(f"Nothing was stored ({outcome})")


@pytest.mark.parametrize("text", [INSIGHT, QUESTION])
def test_asking_stores_nothing_whatever_the_text_looks_like(brain: Brain, agent: Agent, text: str) -> None:
    agent.ask(text)
    assert (counts(brain)[0], len(brain.log())) == (0, 1)


def test_a_row_is_on_disk_when_the_answer_is_there(brain: Brain, agent: Agent) -> None:
    """Another process sees it, and the writer commits with `synchronous=FULL`."""
    agent.ask(QUESTION)
    file = sound_driver().connect(str(brain.inside.home / "bigmind.db"))
    assert file.execute("SELECT text FROM brain_query").fetchall() == [(QUESTION,)]
    file.close()
    with brain.inside.mind.store.alone() as writer:
        assert writer.execute("PRAGMA synchronous").fetchone() == (2,)


@pytest.mark.parametrize("operation", ["query_brain", "contribute_to_brain"])
def test_the_same_request_under_the_same_key_is_one_row_and_one_answer(
    brain: Brain, agent: Agent, operation: str
) -> None:
    agent.learn(INSIGHT)
    before = counts(brain)
    first = agent(operation, key="once", prompt="The Avocet mailer was moved to Lyon on 4 March, to be nearer to it.")
    after = counts(brain)
    assert after[4] == before[4] + 1
    again = agent(operation, key="once", prompt="The Avocet mailer was moved to Lyon on 4 March, to be nearer to it.")
    assert again == first
    assert counts(brain) == after
    assert agent.refused(operation, key="once", prompt=QUESTION).code == "conflict"
    agent(operation, key="twice", prompt="The Avocet mailer was moved to Lyon on 4 March, to be nearer to it.")
    assert counts(brain)[4] == after[4] + 1


@pytest.mark.parametrize("operation", ["query_brain", "contribute_to_brain"])
def test_while_bigmind_is_paused_both_are_refused_and_no_row_is_written(
    brain: Brain, agent: Agent, operation: str
) -> None:
    agent.learn(INSIGHT)
    before = counts(brain)
    brain.person()("server_pause", paused=True)
    try:
        assert agent.refused(operation, prompt=QUESTION).code == "unavailable"
    finally:
        brain.person()("server_pause", paused=False)
    assert counts(brain) == before


@pytest.mark.parametrize("given", [{"prompt": ""}, {"prompt": "x" * 10_001}, {"prompt": QUESTION, "limit": 0}, {}])
def test_what_is_refused_leaves_no_row(brain: Brain, agent: Agent, given: dict[str, Any]) -> None:
    assert agent.refused("query_brain", **given).code == "invalid_input"
    assert counts(brain) == (0,) * 6


def test_asking_is_a_write_of_which_clients_are_told_that_it_only_reads(brain: Brain) -> None:
    [asking] = [each for each in OPERATIONS if each.name == "query_brain"]
    assert (asking.effect, asking.is_harmless) == ("write", True)
    with brain.inside.http(brain.inside.token()) as http:
        listed = http.post("/mcp?toolsets=all", json={"jsonrpc": "2.0", "id": 1, "method": "tools/list"}).json()
    hints = {each["name"]: each["annotations"]["readOnlyHint"] for each in listed["result"]["tools"]}
    assert hints["query_brain"]
    assert not hints["contribute_to_brain"]


def test_nothing_else_than_asking_and_contributing_writes_the_log(brain: Brain, agent: Agent) -> None:
    """Each operation with a text for each of its inputs: whatever it does, no row appears."""
    del agent
    person, before = brain.person(), brain.rows("SELECT * FROM brain_query")
    logging = {"query_brain", "contribute_to_brain", "brain_promote"}
    for each in OPERATIONS:
        if each.name in logging or Surface.API not in each.surfaces or each.name.startswith(("server_", "token_")):
            continue
        given = {name: "Avocet" for name, field in each.input_model.model_fields.items() if field.annotation is str}
        with suppress(RefusedError):  # most want other inputs, and say so
            person(each.name, **given)
        assert brain.rows("SELECT * FROM brain_query") == before, each.name


def test_forgetting_takes_a_rows_words_and_leaves_the_row(brain: Brain, agent: Agent) -> None:
    thought = agent.learn(INSIGHT, context="mending the mailer")
    agent.ask(QUESTION)
    brain.person()("memory_forget", id=thought, confirm=True)
    assert [row[2] for row in brain.log()] == ["", QUESTION]
    [(question,)] = brain.rows("SELECT uid FROM brain_query WHERE text <> ''")
    brain.person()("memory_forget", id=question, confirm=True)
    assert brain.log() == [("contribute_to_brain", "stored", "", 0), ("query_brain", "answered", "", 1)]
    assert brain.rows("SELECT count(*) FROM brain_query_source") == [(0,)]
