"""What the engine makes of the documents `task`, `bug`, `solo` and `node` is what the table of expected moves says.

Every state, target, actor, role of the item, earlier work and holder is asked for, with every choice of the gates
that the table names met and the others missing: what stands in the table is a move exactly when all its gates are
met, and everything else is a refusal that names all that is missing.
"""

from collections.abc import Iterator, Mapping
from functools import cache
from itertools import combinations, product
from typing import Any, NamedTuple

import pytest

from bigmind.flow.decision import Decision, Fault, Move, MoveRequest, Refusal, decide, gates_to
from bigmind.flow.gates import GATES as KINDS
from bigmind.flow.gates import Finding, Findings
from bigmind.flow.workflow import Actor, ActorKind, Interruption, Item
from tests.flow.expected_moves import (
    ACTORS,
    AGENTS,
    CLAIMED,
    EXPECTED,
    FINAL,
    GATES,
    INITIAL,
    KEEPING,
    PAUSES,
    RESTORE,
    REWORK_TARGETS,
    ROLES,
    STATES,
    TARGET,
    Expected,
)
from tests.flow.shipped import shipped

every_process = pytest.mark.parametrize("process", STATES)

ASKING, OTHER, EARLIER = "asking", "other", "earlier"
MEMORY = {"memory_query_session": "B-1", "memory_contribution_id": "T-1"}
KEPT = {**MEMORY, "kept": "yes"}
GIVEN = {"pdsa_ref": "https://docs.example/plan", "abstract_ref": "docs/abstract.md", "blocked_reason": "no answer yet"}
FIELDS = sorted(each.removeprefix("field:") for each in GATES if each.startswith("field:"))
WRONG_ROLES = (None, "", " ", "human", "system", "own", "nobody")
RECORDED = sorted(each for each in GATES if not each.startswith("field:"))
TABLE: dict[tuple[str, str, str, str], list[Expected]] = {}
for each in EXPECTED:
    TABLE.setdefault((each.process, each.from_state, each.item_role, each.actor), []).append(each)
REASON, REMEDY = "It did not happen.", "Let it happen."
MOST_TOLD = 25


class Case(NamedTuple):
    """An item, and who asks for which move."""

    process: str
    item: Item
    target: str
    actor: str

    def __hash__(self) -> int:  # the fields of an item are a dict
        return hash((self.process, self.target, self.actor, self.item.state, self.item.role, self.item.worked_as))

    def __str__(self) -> str:
        item, worked = self.item, f", worked as {self.item.worked_as}" if self.item.worked_as else ""
        held = f", held by {item.holder}" if item.holder else ""
        saved = f", saved {item.saved.state}" if item.saved else ""
        return f"{self.process}: {item.state} -> {self.target} by {self.actor} ({item.role}{held}{saved}{worked})"


def actor_of(word: str) -> Actor:
    if word in AGENTS:
        return Actor(ActorKind.AGENT, ASKING, word, AGENTS)
    return Actor(ActorKind(word))


@cache
def cases(process: str) -> dict[Case, Expected | None]:
    """Each item that can be, with each move that can be asked for, and its row where it is allowed."""
    targets = (*STATES[process], RESTORE, "nowhere")
    asked = (Case(process, *each) for each in product(items(process), targets, ACTORS))
    return {each: expected_of(each) for each in asked}


def items(process: str) -> Iterator[Item]:
    for state, role, worked in product(STATES[process], ROLES, ("", "dev", "liaison")):
        if worked == "dev" and state != "review":
            continue  # only a review may look at the work before
        worked_by = EARLIER if worked else ""
        if state in PAUSES[process]:
            for saved, holder in saved_states(process):
                was = Interruption(saved, role, holder)
                yield Item(state, role, 7, holder, KEPT, worked_by, worked, was)
        else:
            for holder in holders(process, state):
                yield Item(state, role, 7, holder, KEPT, worked_by, worked)


def holders(process: str, state: str) -> tuple[str, ...]:
    return (ASKING, OTHER) if state in {*CLAIMED[process], *KEEPING[process]} else ("",)


def saved_states(process: str) -> list[tuple[str, str]]:
    sources = dict.fromkeys(row.from_state for row in EXPECTED if row.process == process and "save" in row.effects)
    return [(state, holder) for state in sources for holder in holders(process, state)]


def expected_of(case: Case) -> Expected | None:
    item = case.item
    found = [row for row in TABLE.get((case.process, item.state, item.role, case.actor), ()) if is_about(row, case)]
    assert len(found) <= 1, f"{case}: {found}"
    return next((row for row in found if not row.holder_only or item.holder == ASKING), None)


def is_about(row: Expected, case: Case) -> bool:
    item = case.item
    if row.when and (row.when == "work_of_liaison") != (item.worked_as == "liaison"):
        return False
    return case.target in ({RESTORE, item.saved.state} if row.to_state == RESTORE and item.saved else {row.to_state})


def findings_of(met: frozenset[str]) -> Findings:
    known = {name: Finding(passed=True, evidence="seen") for name in RECORDED if name in met}
    return {name: Finding(passed=False, reason=REASON, remedy=REMEDY) for name in RECORDED} | known


def fields_of(met: frozenset[str], named: str | None) -> dict[str, Any]:
    """The fields that meet those gates, and none of the others."""
    fields = {name: value for name, value in GIVEN.items() if f"field:{name}" in met}
    return fields if named is None else {**fields, "rework_target_role": named}


def ask(case: Case, met: frozenset[str], named: str | None = None, *, stands: bool = False) -> Decision:
    """Ask for the move, with the fields given along, or as they stand already."""
    fields: Mapping[str, Any] = fields_of(met, named)
    item = case.item
    if stands:
        item, fields = Item(*(getattr(item, name) if name != "fields" else {**KEPT, **fields} for name in PARTS)), {}
    request = MoveRequest(case.target, actor_of(case.actor), fields, item.revision)
    return decide(shipped(case.process), item, request, findings_of(met))


PARTS = ("state", "role", "revision", "holder", "fields", "worked_by", "worked_as", "saved")


def choices(gates: frozenset[str]) -> Iterator[frozenset[str]]:
    for count in range(len(gates) + 1):
        yield from (frozenset(each) for each in combinations(sorted(gates), count))


def names_of(row: Expected, met: frozenset[str]) -> tuple[str | None, ...]:
    if "field:rework_target_role" not in row.gates:
        return (None,)
    right = REWORK_TARGETS[row.process]
    wrong = (*WRONG_ROLES, *(each for each in ROLES if each not in right))
    return right if "field:rework_target_role" in met else wrong


def item_after(case: Case, row: Expected, fields: Mapping[str, Any]) -> Item:
    """The item as the table has it once the move is made."""
    item, cleared = case.item, set[str]()
    if "clear_memory_fields" in row.effects:
        cleared |= MEMORY.keys()
    if "restore" in row.effects and item.state == "blocked":
        cleared |= {"blocked_reason"}
    if row.role_after == TARGET:
        cleared |= {"rework_target_role"}
    role = fields["rework_target_role"] if row.role_after == TARGET else row.role_after or item.role
    left = {name: value for name, value in {**KEPT, **fields}.items() if name not in cleared}
    if row.to_state == RESTORE:
        assert item.saved is not None
        was = item.saved
        return Item(was.state, was.role, 8, was.holder, left, item.worked_by, item.worked_as)
    saved = Interruption(item.state, item.role, item.holder) if "save" in row.effects else None
    ended = row.from_state in CLAIMED[row.process] and "save" not in row.effects
    worked = (item.holder, item.role) if ended else (item.worked_by, item.worked_as)
    holder = ASKING if "claim" in row.effects else "" if "release" in row.effects else item.holder
    return Item(row.to_state, role, 8, holder, left, *worked, saved)


def wrong_with_a_move(decision: Decision, wanted: Item) -> str:
    if isinstance(decision, Refusal):
        missing = ", ".join(each.gate.name for each in decision.blocked_by)
        return f"is refused ({decision.fault}: {decision.message} {missing})"
    if decision.item != wanted:
        return f"makes\n    {decision.item}, not\n    {wanted}"
    return "leaves violations" if decision.violations else ""


def wrong_with_a_refusal(decision: Decision, missing: frozenset[str]) -> str:
    if isinstance(decision, Move):
        return f"is allowed without {', '.join(sorted(missing))}"
    told = {each.gate.name: each.finding for each in decision.blocked_by}
    if decision.fault is not Fault.GATES or told.keys() != missing or len(decision.blocked_by) != len(missing):
        return f"says that {', '.join(sorted(told)) or decision.fault} is missing, not {', '.join(sorted(missing))}"
    silent = sorted(name for name, finding in told.items() if not (finding.reason and finding.remedy))
    return f"gives no reason or remedy for {', '.join(silent)}" if silent else ""


def wrong_with(case: Case, row: Expected) -> Iterator[str]:
    for met in choices(row.gates):
        missing = row.gates - met
        for named, stands in product(names_of(row, met), (False, True)):
            decision = ask(case, met, named, stands=stands)
            wanted = item_after(case, row, fields_of(met, named)) if not missing else None
            wrong = wrong_with_a_move(decision, wanted) if wanted else wrong_with_a_refusal(decision, missing)
            if wrong:
                yield f"{case} with {', '.join(sorted(met)) or 'nothing'}: {wrong}"


def undeclared_but_allowed(case: Case) -> Iterator[str]:
    for named in (None, "dev"):
        if isinstance(ask(case, frozenset(GATES), named), Move):
            yield f"{case}: is allowed, and stands nowhere"


def told(wrong: list[str]) -> str:
    more = f"\nand {len(wrong) - MOST_TOLD} more" if len(wrong) > MOST_TOLD else ""
    return "\n".join(["", *wrong[:MOST_TOLD]]) + more


@every_process
def test_what_stands_in_the_table_is_a_move_exactly_when_its_gates_are_met(process: str) -> None:
    found = [(case, row) for case, row in cases(process).items() if row is not None]
    wrong = [each for case, row in found for each in wrong_with(case, row)]
    assert not wrong, told(wrong)
    used = {id(row) for _, row in found}
    assert [row for row in EXPECTED if row.process == process and id(row) not in used] == []


@every_process
def test_everything_else_is_refused_with_all_gates_met(process: str) -> None:
    wrong = [each for case, row in cases(process).items() if row is None for each in undeclared_but_allowed(case)]
    assert not wrong, told(wrong)


@every_process
def test_an_agent_that_may_take_every_role_makes_each_move_that_one_of_them_allows(process: str) -> None:
    wrong: list[str] = []
    for case in (each for each in cases(process) if each.actor == AGENTS[0]):
        in_any = any(cases(process)[case._replace(actor=role)] for role in AGENTS)
        for named in REWORK_TARGETS[process] or (None,):
            request = MoveRequest(case.target, Actor(ActorKind.AGENT, ASKING, "", AGENTS), fields_of(GATES, named))
            if isinstance(decide(shipped(process), case.item, request, findings_of(GATES)), Move) != in_any:
                wrong.append(f"{case._replace(actor='any')}: {'is refused' if in_any else 'is allowed'}")
    assert not wrong, told(wrong)


@every_process
def test_what_nobody_looked_up_did_not_pass(process: str) -> None:
    for case, row in cases(process).items():
        recorded = row.gates & {*RECORDED} if row else frozenset[str]()
        if recorded:
            request = MoveRequest(case.target, actor_of(case.actor), fields_of(GATES, "dev"))
            decision = decide(shipped(process), case.item, request, {})
            assert isinstance(decision, Refusal), case
            assert {each.gate.name for each in decision.blocked_by} == recorded, case
            assert all(each.finding.reason for each in decision.blocked_by), case


@every_process
def test_what_has_to_be_looked_up_for_a_move_is_told(process: str) -> None:
    for case, row in cases(process).items():
        if row:
            assert row.gates <= {each.name for each in gates_to(shipped(process), case.item, case.target)}, case


@every_process
def test_the_document_has_the_states_of_the_table(process: str) -> None:
    states = shipped(process).states.values()
    assert {each.name for each in states} == set(STATES[process])
    assert {each.name for each in states if each.begins} == set(INITIAL[process])
    assert {each.name for each in states if each.is_final} == set(FINAL[process])
    assert {each.name for each in states if each.is_claimed} == set(CLAIMED[process])
    assert {each.name for each in states if each.saves} == set(PAUSES[process])
    assert {each.name for each in states if each.keeps_holder} == set(KEEPING[process])


def test_the_gates_of_the_table_are_kinds_of_the_engine() -> None:
    assert {each.partition(":")[0] for each in GATES} <= KINDS.keys()
    assert {f"field:{each}" for each in FIELDS} == {f"field:{each}" for each in (*GIVEN, "rework_target_role")}
