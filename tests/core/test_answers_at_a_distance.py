"""What an answer says reaches the command line, which makes its words of the answer's data."""

from collections.abc import Iterator
from datetime import date
from typing import Any, get_args

import pytest
from pydantic import BaseModel

from bigmind.brain.answers import HighwayList
from bigmind.core.operation import Surface
from bigmind.memory.answers import ChunkHits, HypothesisList
from bigmind.memory.facts.answers import FactList
from bigmind.memory.knowledge.answers import EntryList
from bigmind.memory.recall.answers import Findings
from bigmind.operations.catalogue import Answer
from bigmind.protocol.in_person.workspace_answers import RunList
from bigmind.trust.answers import UsageAnswer
from bigmind.wiring import catalogue

ONLY_IN_THE_SERVER = {
    ("BrainAnswer", "refusal"): "a form of the pages reads it; the words are in the response",
    **dict.fromkeys(
        (("ThoughtSource", each) for each in ("told", "origin", "source", "at")), "the response is made of it"
    ),
    **dict.fromkeys(((each, "whole") for each in ("ThoughtSource", "MomentHit", "Finding")), "the server counts it"),
}
"""Fields that no JSON holds, each with why no words of the command line need it."""
TODAY = date(2026, 11, 28)


def models_of(annotation: Any) -> Iterator[type[BaseModel]]:
    """The models that a type is made of, with those of their fields."""
    if isinstance(annotation, type) and issubclass(annotation, BaseModel):
        yield annotation
        for field in annotation.model_fields.values():
            yield from models_of(field.annotation)
    for each in get_args(annotation):
        yield from models_of(each)


def test_no_field_that_words_are_made_of_stays_in_the_server() -> None:
    models = {model for each in catalogue().on(Surface.CLI) for model in models_of(each.output_model)}
    left_out = {
        (model.__name__, name) for model in models for name, field in model.model_fields.items() if field.exclude
    }
    assert left_out == ONLY_IN_THE_SERVER.keys()


@pytest.mark.parametrize(
    "answer",
    [
        FactList(facts=[], total=0, unmatched="No fact has the category 'nope'."),
        HypothesisList(hypotheses=[], total=0, unmatched="No hypothesis is refuted."),
        EntryList(entries=[], total=0, status="approved", unmatched="No approved entry has the category 'nope'."),
        ChunkHits(query="checkout", hits=[], unknown="Nothing is kept of a project 'nope'."),
        ChunkHits(query="checkout", hits=[], filters={"session_id": "0a1b2c3d"}),
        Findings(query="checkout", hits=[], filters={"kinds": "hypothesis", "since": "2026-11-29"}),
        Findings(query="decisions", hits=[], named_time=TODAY, named_category="decision", of_category=4),
        HighwayList(highways=[], topic="checkout"),
        RunList(runs=[], project="acme"),
        UsageAnswer(
            since=TODAY,
            until=TODAY,
            totals={},
            clients=[],
            agents=[],
            projects=[],
            rows=[],
            workspaces=[],
            client="cursor",
            project="acme",
        ),
    ],
    ids=lambda answer: type(answer).__name__,
)
def test_an_empty_answer_says_at_a_distance_what_it_says_here(answer: Answer) -> None:
    assert type(answer).model_validate_json(answer.model_dump_json()).in_words() == answer.in_words()


def test_what_has_nothing_to_say_takes_no_room() -> None:
    assert FactList(facts=[], total=0).model_dump(mode="json") == {"facts": [], "total": 0}
