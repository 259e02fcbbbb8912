"""What texts say to who is offered one toolset, or two: what its tools can do, all of that, and nothing else."""

import re
from itertools import combinations

import pytest

from bigmind.core.operation import NO_TOOLS, Mode
from bigmind.core.toolsets import GATE_TOOLS, Toolset
from bigmind.memory.context.instructions import (
    FIRST_LINE,
    LAST_LINE,
    end_prompt,
    guide,
    open_prompt,
    perhaps_open_prompt,
    recall_prompt,
    rule_steps,
    rules,
    start_prompt,
    work_begin_prompt,
    work_end_prompt,
)
from bigmind.operations.tools import tool_table
from bigmind.registry import KINDS
from bigmind.wiring import catalogue

TOOLS = tool_table(catalogue(), Mode.PERSONAL)
ALONE = [(each,) for each in Toolset]


def offered(*toolsets: Toolset, off: frozenset[str] = frozenset()) -> frozenset[str]:
    return TOOLS.names(toolsets, off)


def texts(offer: frozenset[str]) -> dict[str, str]:
    return {
        "rules": rules(offer),
        "guide": guide(offer, KINDS),
        "start": start_prompt(offer),
        "open": open_prompt(offer, "01a0"),
        "perhaps open": perhaps_open_prompt(offer, "01a0", "noon"),
        "end": end_prompt(offer),
        "recall": recall_prompt(offer, "refunds"),
        "work begins": work_begin_prompt(offer, "dev"),
        "work ends": work_end_prompt(offer),
    }


@pytest.mark.parametrize("toolsets", [*ALONE, *combinations(Toolset, 2)], ids=",".join)
def test_no_text_names_a_tool_of_another_toolset(toolsets: tuple[Toolset, ...]) -> None:
    offer = offered(*toolsets)
    for where, text in texts(offer).items():
        named = {*re.findall(r"[a-z]+(?:_[a-z]+)+", text)} & {*offered(Toolset.ALL)} - {*NO_TOOLS}
        assert named <= offer, where


@pytest.mark.parametrize("toolsets", [*ALONE, *combinations(Toolset, 2)], ids=",".join)
def test_a_text_has_a_step_or_is_none(toolsets: tuple[Toolset, ...]) -> None:
    told = texts(offered(*toolsets))
    for where in ("end", "recall", "work begins", "work ends"):
        assert not told[where] or "\n1. " in told[where], where
    assert "\n1. " in told["rules"]
    assert "## Good habits\n\n- " in told["guide"]


@pytest.mark.parametrize(
    ("toolset", "begins", "lacks"),
    [
        (Toolset.WORK, "TO take up a task: call work_next.", ()),
        (Toolset.MINDSPACE, "TO take up a node: call mindspace_get_ready_nodes.", ("work begins", "work ends")),
        (Toolset.PROTOCOL, "WHEN you begin a coding session: call session_start", ("end", "recall", "work begins")),
        (Toolset.BRAIN, "BEFORE you start a task", ("work begins", "work ends")),
    ],
)
def test_a_toolset_alone_is_told_its_own_steps_and_no_others(
    toolset: Toolset, begins: str, lacks: tuple[str, ...]
) -> None:
    told = texts(offered(toolset))
    assert any(each.startswith(begins) for each in rule_steps(offered(toolset)))
    assert [where for where in lacks if told[where]] == []
    assert told["start"] == told["open"] == told["perhaps open"]
    assert "session" not in told["start"]
    assert "in which session" not in told["recall"]
    for said in ("when you start", "Company knowledge is short", "Sessions that stay open", "One statement per fact"):
        assert said not in told["guide"]


@pytest.mark.parametrize(
    ("toolset", "moves"), [(Toolset.WORK, "work_transition"), (Toolset.MINDSPACE, "mindspace_book_transition")]
)
def test_who_moves_items_is_told_to_ask_and_to_contribute_where_the_step_needs_it(toolset: Toolset, moves: str) -> None:
    offer = offered(toolset)
    (step,) = (each for each in rule_steps(offer) if moves in each)
    for each in ("Ask query_brain about it", "memory_query_session", "call contribute_to_brain", "never go round it"):
        assert each in step
    assert "State with contribute_to_brain" in end_prompt(offer)
    assert "1. Call query_brain with a question" in recall_prompt(offer, "refunds")
    if toolset is Toolset.WORK:
        begun, ended = work_begin_prompt(offer, "dev"), work_end_prompt(offer)
        assert begun.index("call query_brain") < begun.index("memory_query_session: q-…") < begun.index("anew")
        assert ended.index("Call contribute_to_brain") < ended.index("memory_contribution_id")


def test_who_is_offered_both_is_told_once_what_holds_for_tasks_and_nodes() -> None:
    told = rules(offered(Toolset.WORK, Toolset.MINDSPACE))
    assert told.count("never go round it") == 1
    assert "TO take up a task" in told
    assert "TO take up a node" in told


def test_without_the_brains_tools_no_step_speaks_of_asking_it() -> None:
    offer = offered(Toolset.WORK, off=frozenset(GATE_TOOLS))
    told = texts(offer)
    assert "call work_transition(slug, to, role=dev)." in told["work begins"]
    assert "memory_contribution_id" not in told["work ends"]
    assert not any("Ask" in told[where] or "anew" in told[where] for where in ("rules", "work begins", "work ends"))
    assert told["recall"] == ""


def test_who_is_offered_nothing_is_told_no_step() -> None:
    nothing = frozenset[str]()
    assert rules(nothing) == f"{FIRST_LINE}\n{LAST_LINE}"
    assert rule_steps(nothing) == []
    assert [where for where in ("end", "recall", "work begins", "work ends") if texts(nothing)[where]] == []


def test_a_session_that_may_be_anothers_is_named_to_who_can_go_on_in_it() -> None:
    everyday = offered(Toolset.DEFAULT)
    assert "The session 01a0 of this conversation is open already" in open_prompt(everyday, "01a0")
    assert "pass its session_id; else call memory_start_session now." in perhaps_open_prompt(everyday, "01a0", "noon")
    without = everyday - {"memory_start_session"}
    assert perhaps_open_prompt(without, "01a0", "noon").endswith("go on in it and pass its session_id.")
