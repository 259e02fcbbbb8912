"""What texts say of the brain: to who is offered its tools, and to nobody else."""

import re

import pytest

from bigmind.brain.categories import TEMPLATES
from bigmind.core.operation import Mode, Offer
from bigmind.core.toolsets import Toolset
from bigmind.memory.context.instructions import (
    FIRST_LINE,
    LAST_LINE,
    LONGEST_RULES,
    end_prompt,
    file_text,
    guide,
    recall_prompt,
    rules,
)
from bigmind.operations.tools import tool_table
from bigmind.registry import KINDS
from bigmind.text.tokens import count_tokens
from bigmind.wiring import catalogue

TOOLS = tool_table(catalogue(), Mode.PERSONAL)
ASK, STATE = "query_brain", "contribute_to_brain"
ROW = "| what an agent learned at work and other agents can use | a thought | contribute_to_brain |"


def offered(*toolsets: Toolset, off: frozenset[str] = frozenset()) -> frozenset[str]:
    return TOOLS.names(toolsets, off)


EVERYDAY = offered(Toolset.DEFAULT)
WITH_BRAIN = offered(Toolset.DEFAULT, Toolset.BRAIN)


def texts(offer: Offer) -> dict[str, str]:
    return {
        "rules": rules(offer),
        "file": file_text(offer),
        "guide": guide(offer, KINDS),
        "end": end_prompt(offer),
        "recall": recall_prompt(offer, "refunds"),
    }


def test_who_is_offered_no_brain_is_told_of_none() -> None:
    assert [where for where, text in texts(EVERYDAY).items() if "brain" in text.lower()] == []
    assert ROW not in guide(EVERYDAY, KINDS)
    assert not any(form in guide(EVERYDAY, KINDS) for form in TEMPLATES.values())


@pytest.mark.parametrize("offer", [WITH_BRAIN, offered(Toolset.ALL), None])
def test_who_is_offered_the_brain_is_told_when_to_ask_and_when_to_state(offer: Offer) -> None:
    for where, text in texts(offer).items():
        assert ASK in text or where == "end", where
        assert STATE in text or where == "recall", where
    assert ROW in guide(offer, KINDS)
    for category, form in TEMPLATES.items():
        assert f"- `{category}`: {form}" in guide(offer, KINDS)
    for said in ("a finished task is a `task_outcome`", "refine that snapshot", "By custom the agent nearest to it"):
        assert said in guide(offer, KINDS)


def test_one_of_the_two_alone_is_named_alone() -> None:
    asks = offered(Toolset.DEFAULT, Toolset.BRAIN, off=frozenset({STATE}))
    assert [where for where, text in texts(asks).items() if STATE in text] == []
    assert ASK in rules(asks)
    assert ROW not in guide(asks, KINDS)
    assert "How a thought is told" not in guide(asks, KINDS)
    states = offered(Toolset.DEFAULT, Toolset.BRAIN, off=frozenset({ASK}))
    assert [where for where, text in texts(states).items() if ASK in text] == []
    assert STATE in rules(states)


def test_a_client_with_the_brain_alone_is_told_of_it_alone() -> None:
    told = rules(offered(Toolset.BRAIN))
    assert told.startswith(FIRST_LINE)
    assert told.endswith(LAST_LINE)
    assert "1. BEFORE you start a task" in told
    assert "2. WHEN you decided" in told
    assert "memory_" not in told


def test_the_rules_are_as_short_as_what_looks_for_them_expects() -> None:
    longest = max((rules(offer) for offer in (None, WITH_BRAIN, offered(Toolset.ALL))), key=len)
    assert len(longest) - len(FIRST_LINE) - len(LAST_LINE) <= LONGEST_RULES
    more = count_tokens(rules(WITH_BRAIN)) - count_tokens(rules(EVERYDAY))
    print(f"The brain's part of the rules takes {more} tokens.")
    assert more <= 70


@pytest.mark.parametrize(
    ("toolset", "heading"),
    [
        (Toolset.WORK, "## How a task is worked on"),
        (Toolset.MINDSPACE, "## How a node is worked on"),
        (Toolset.PROTOCOL, "## How a protocol run goes"),
    ],
)
def test_the_guide_tells_of_work_nodes_and_runs_to_who_is_offered_their_tools(toolset: Toolset, heading: str) -> None:
    offer = offered(Toolset.DEFAULT, toolset)
    assert heading in guide(offer, KINDS)
    assert heading not in guide(WITH_BRAIN, KINDS)
    named = set(re.findall(r"[a-z]+(?:_[a-z]+)+", guide(offer, KINDS))) & offered(Toolset.ALL)
    assert named <= set(offer)
