"""What stands beside every text: a client's name, its project, a conversation's id, a user's name; no secret in any."""

from dataclasses import replace
from pathlib import Path

import pytest

from bigmind.core.errors import BigMindError, Code
from bigmind.people.service import NOBODY, ensure_user
from tests.hooks.test_conversations import begin, prompt, stop
from tests.memory.living import Memory
from tests.memory.traces import traces
from tests.secrets.samples import Sample, samples

TOKENS = {
    sample.kind: sample
    for sample in samples(seed=31, number=1)
    if len(sample.secret) <= 80 and sample.secret.isascii() and len(sample.secret.split()) == 1
}


def each_sample() -> list[Sample]:
    return list(TOKENS.values())


def assert_nowhere(memory: Memory, home: Path, secrets: list[str]) -> None:
    memory.mind.close()
    assert traces(home, {secret.encode() for secret in secrets}) == {}


def test_there_are_many_kinds():
    assert len(TOKENS) > 15


def test_a_client_and_a_project_are_named_without_their_secret(memory: Memory, home: Path):
    for number, sample in enumerate(each_sample()):
        named = replace(
            memory.caller,
            client=f"ide {sample.written}"[:120],
            project=f"apollo/{number} {sample.written}"[:200],
            connection=f"c{number}",
        )
        asked = replace(memory, caller=named)
        session = asked("memory_start_session").session_id
        asked("memory_store_fact", fact=f"Fact {number} is kept.", category="technical")
        asked("memory_end_session", session_id=session, one_liner=f"Kept {number}", topics=["names"], outcome="Done.")
    assert_nowhere(memory, home, [sample.secret for sample in each_sample()])


def test_a_conversation_is_known_by_an_id_that_holds_a_secret_and_the_id_is_not_kept(memory: Memory, home: Path):
    keys = [f"{number} {sample.written}"[:120] for number, sample in enumerate(each_sample())]
    for key in keys:
        begin(memory, key)
        prompt(memory, key)
        stop(memory, key)
    assert_nowhere(memory, home, [sample.secret for sample in each_sample()])


@pytest.mark.parametrize("kind", TOKENS)
def test_no_user_is_called_like_a_secret(memory: Memory, kind: str):
    with pytest.raises(BigMindError) as refused, memory.mind.store.write(NOBODY, "test") as work:
        ensure_user(work, TOKENS[kind].written[:120])
    assert refused.value.code is Code.INVALID_INPUT
    assert "BIGMIND_USER" in str(refused.value)
    assert TOKENS[kind].secret not in str(refused.value)


@pytest.mark.parametrize(
    "name", ["ada", "Petra.Müller", "svc-build_2", "j.o'neil", "李雷", "ada@example.com", "CORP\\ada"]
)
def test_ordinary_names_are_taken(memory: Memory, name: str):
    with memory.mind.store.write(NOBODY, "test") as work:
        assert ensure_user(work, name).username == name
