"""No secret of a contribution or a question is stored or logged, wherever in the input it stands."""

from typing import Any

import pytest
from sqlmodel import select

from bigmind.brain.contributing.storing import tag
from bigmind.brain.tables import BrainQuery, Thought
from bigmind.kinds import derive, texts_of
from tests.kinds.noting import INSTRUCTION, SECRET
from tests.memory.living import Memory
from tests.memory.traces import traces

TEXT = "The deploy of the gateway needs a token of the registry, which the runner takes from its vault at 6:00."
INPUTS: list[dict[str, Any]] = [
    {"prompt": f"{TEXT} It is {SECRET}"},
    {"prompt": TEXT, "context": f"with {SECRET}"},
    {"prompt": TEXT, "topic": f"deploy/{SECRET}"},
    {"prompt": TEXT, "tags": [SECRET]},
    {"prompt": TEXT, "source_ref": {"type": "url", "value": f"https://example.com/?token={SECRET}"}},
    {"prompt": TEXT, "alternatives_considered": f"using {SECRET}"},
    {"prompt": TEXT, "corrected_fact": f"it is {SECRET}", "correct_fact": "it is another"},
]


@pytest.mark.parametrize("given", INPUTS, ids="-".join)
def test_a_secret_is_masked_before_anything_is_kept(memory: Memory, given: dict[str, Any]) -> None:
    answer = memory("contribute_to_brain", **given)
    assert answer.masked
    with memory.mind.store.read(memory.caller, "test") as work:
        thought = work.session.exec(select(Thought)).one()
        kept = [*texts_of(work, thought), str(thought.tags), thought.terms, thought.source_value, thought.topic]
        kept += [each.text + each.context for each in work.session.exec(select(BrainQuery))]
    assert SECRET.casefold() not in " ".join(kept).casefold()
    assert SECRET not in answer.in_words()
    assert traces(memory.mind.store.home, [SECRET.encode(), SECRET.lower().encode()]) == {}


def test_a_secret_of_a_question_is_not_logged(memory: Memory) -> None:
    memory("query_brain", prompt=f"Does {SECRET} still work?", context=SECRET)
    with memory.mind.store.read(memory.caller, "test") as work:
        [row] = work.session.exec(select(BrainQuery))
    assert SECRET not in row.text + row.context
    assert traces(memory.mind.store.home, [SECRET.encode()]) == {}


PLACES = ("content", "context", "alternatives", "corrected_fact", "source_value", "topic", "agent_name", "tags")


@pytest.mark.parametrize("place", PLACES)
def test_one_that_is_there_already_is_found_and_masked(memory: Memory, place: str) -> None:
    uid = memory("contribute_to_brain", prompt=TEXT).trace.thought_id
    memory("query_brain", prompt="Which token does the gateway need?")
    with memory.mind.store.write(memory.caller, "test") as work:
        thought = work.session.exec(select(Thought).where(Thought.uid == uid)).one()
        setattr(thought, place, [SECRET] if place == "tags" else f"using {SECRET}")
        derive(work, thought)
        tag(work, thought)
        question = work.session.exec(select(BrainQuery)).all()[1]
        question.text = f"Is it {SECRET}?"
        work.session.add(question)
    scan = memory.as_person()("secrets_scan", mask=True)
    assert {(each.kind, each.field) for each in scan.items} == {("thought", place), ("brain_query", "text")}
    assert scan.is_overwritten
    assert traces(memory.mind.store.home, [SECRET.encode(), SECRET.lower().encode()]) == {}


def test_what_instructs_its_reader_stands_as_id_category_and_caution_until_a_person_accepts_it(memory: Memory) -> None:
    uid = memory(
        "contribute_to_brain", prompt=f"{INSTRUCTION} It was seen at 6:00 in the log.", topic="log"
    ).trace.thought_id
    told = memory("query_brain", prompt="system prompt reveal").model_dump_json()
    [source] = memory("query_brain", prompt="system prompt reveal").result.sources
    assert (source.thought_id, source.thought_category, bool(source.caution)) == (uid, "uncategorized", True)
    assert "reveal" not in told
    assert "reveal" not in memory("brain_get_thought", id=uid).in_words()
    flagged = memory.as_person()("memory_list_flagged")
    assert [(each.kind, each.id) for each in flagged.items] == [("thought", uid)]
    assert memory.as_person()("memory_accept", id=uid).kind == "thought"
    [source] = memory("query_brain", prompt="system prompt reveal").result.sources
    assert not source.caution
    assert "reveal" in source.content_preview
