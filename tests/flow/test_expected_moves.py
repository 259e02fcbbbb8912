"""The table of expected moves agrees with itself; nothing of the engine is looked at."""

from collections import Counter, deque
from collections.abc import Iterator
from typing import NamedTuple

import pytest

from tests.flow.expected_moves import (
    ACTORS,
    AGENTS,
    CLAIMED,
    CONDITIONS,
    EFFECTS,
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

every_process = pytest.mark.parametrize("process", STATES)


class Item(NamedTuple):
    """What of an item decides where it can go: `worked` is the role of its last active phase."""

    state: str
    role: str
    worked: str
    saved: str = ""


def rows(process: str) -> list[Expected]:
    return [row for row in EXPECTED if row.process == process]


def holds(row: Expected, item: Item) -> bool:
    """Whether a row is about such an item, all its gates being met."""
    if (row.from_state, row.item_role) != (item.state, item.role):
        return False
    return row.when not in {"work_of_liaison", "work_of_another"} or (
        (row.when == "work_of_liaison") == (item.worked == "liaison")
    )


def after(row: Expected, item: Item) -> Iterator[Item]:
    """The items that a row makes of one: several where a field names the role."""
    if row.to_state == RESTORE:
        yield Item(item.saved, item.role, item.worked)
        return
    roles = REWORK_TARGETS[row.process] if row.role_after == TARGET else (row.role_after or item.role,)
    saved = item.state if row.to_state in PAUSES[row.process] else ""
    for role in roles:
        yield Item(row.to_state, role, role if row.to_state in CLAIMED[row.process] else item.worked, saved)


def ways(process: str) -> dict[Item, set[Item]]:
    """Every item that can be reached from an initial one, and where each can go."""
    table = rows(process)
    queue = deque(Item(state, role, "") for state in INITIAL[process] for role in ROLES)
    found: dict[Item, set[Item]] = {}
    while queue:
        item = queue.popleft()
        if item not in found:
            found[item] = {new for row in table if holds(row, item) for new in after(row, item)}
            queue.extend(found[item])
    return found


def stops(process: str) -> set[str]:
    """States that anything can be put into, and that are no progress."""
    return {*PAUSES[process], "cancelled"}


def test_every_word_is_one_of_the_vocabulary() -> None:
    for row in EXPECTED:
        states = STATES[row.process]
        assert row.from_state in states, row
        assert row.to_state in (*states, RESTORE), row
        assert row.item_role in ROLES, row
        assert row.actor in ACTORS, row
        assert row.role_after in (*ROLES, TARGET, None), row
        assert row.gates <= GATES, row
        assert row.effects <= EFFECTS, row
        assert row.when in CONDITIONS, row
    assert {gate for row in EXPECTED for gate in row.gates} == GATES
    assert {effect for row in EXPECTED for effect in row.effects} == EFFECTS
    assert {row.when for row in EXPECTED} == CONDITIONS


def test_a_move_stands_once() -> None:
    # Twice with different holder's rules too would be a contradiction: the looser one would win.
    counted = Counter((row[:5], row.when) for row in EXPECTED)
    assert [key for key, times in counted.items() if times > 1] == []


def test_a_move_with_a_condition_has_no_row_without_one() -> None:
    free = {row[:5] for row in EXPECTED if not row.when}
    assert [row for row in EXPECTED if row.when and row[:5] in free] == []


@every_process
def test_named_states_are_states(process: str) -> None:
    for named in (INITIAL, CLAIMED, FINAL, PAUSES, KEEPING):
        assert set(named[process]) <= set(STATES[process])


@every_process
def test_every_state_is_reached(process: str) -> None:
    assert {item.state for item in ways(process)} == set(STATES[process])


@every_process
def test_every_row_begins_in_a_state_that_is_reached(process: str) -> None:
    reached = {item.state for item in ways(process)}
    assert {row.from_state for row in rows(process)} <= reached


@every_process
def test_whatever_is_not_at_its_end_has_a_way_on_that_is_neither_pause_nor_cancelling(process: str) -> None:
    for item, targets in ways(process).items():
        if item.state not in FINAL[process]:
            assert {new.state for new in targets} - stops(process), item


@every_process
def test_from_everywhere_the_work_can_be_completed(process: str) -> None:
    graph = ways(process)
    completed = {item for item in graph if item.state == "complete"}
    assert completed
    growing = True
    while growing:
        more = {
            item for item, targets in graph.items() if item not in completed and targets & completed
        }  # through a pause as well: its restore leads on
        completed |= more
        growing = bool(more)
    assert {item for item in graph if item not in completed and item.state != "cancelled"} == set()


@every_process
def test_cancelled_is_left_by_a_person_in_solo_alone_and_a_pause_by_its_restore_alone(process: str) -> None:
    for row in rows(process):
        assert row.from_state != "cancelled" or (process, row.to_state, row.actor) == ("solo", "pending", "human"), row
        assert (row.from_state in PAUSES[process]) == (row.to_state == RESTORE), row


@every_process
def test_whoever_claims_can_hand_over_in_the_same_role(process: str) -> None:
    reached = {(item.state, item.role) for item in ways(process)}
    for claim in rows(process):
        if "claim" in claim.effects and (claim.from_state, claim.item_role) in reached:
            held = (claim.to_state, claim.role_after or claim.item_role, claim.actor)
            assert [
                row
                for row in rows(process)
                if (row.from_state, row.item_role, row.actor) == held
                and row.holder_only
                and row.to_state not in stops(process)
            ], claim


@every_process
def test_a_claim_is_the_way_into_a_claimed_state_and_asks_the_brain(process: str) -> None:
    for row in rows(process):
        assert (row.to_state in CLAIMED[process]) == ("claim" in row.effects), row
        assert ("claim" in row.effects) == ("memory_queried" in row.gates), row
        assert "claim" not in row.effects or row.actor in AGENTS, row


@every_process
def test_out_of_a_claimed_state_agents_move_what_they_hold_blocking_and_cancelling_aside(process: str) -> None:
    for row in rows(process):
        if row.holder_only:
            assert row.from_state in (*CLAIMED[process], *PAUSES[process]), row
            assert row.actor in AGENTS, row
        elif row.from_state in CLAIMED[process]:
            assert row.actor not in AGENTS or row.to_state in {"blocked", "cancelled"}, row


@every_process
def test_a_state_that_is_held_is_left_released_or_saved_or_for_another_that_is(process: str) -> None:
    holding = {*CLAIMED[process], *KEEPING[process]}
    for row in rows(process):
        assert ("release" in row.effects) == (row.from_state in holding and row.to_state not in {*holding, RESTORE}), (
            row
        )
        assert ("save" in row.effects) == (row.to_state in PAUSES[process]), row
        assert ("restore" in row.effects) == (row.to_state == RESTORE), row


@every_process
def test_every_entry_into_rework_clears_the_memory_fields(process: str) -> None:
    for row in rows(process):
        is_anew = row.to_state == "rework" or row.from_state == "cancelled"
        assert is_anew == ("clear_memory_fields" in row.effects), row


@every_process
def test_nothing_is_completed_without_a_person_or_every_quality_gate(process: str) -> None:
    into = [row for row in rows(process) if row.to_state == "complete"]
    for row in into:
        assert row.gates & {"human_confirmed", "quality_gates_passed"} or row.actor == "human", row


def test_a_person_confirms_by_moving() -> None:
    assert [row for row in EXPECTED if row.actor == "human" and "human_confirmed" in row.gates] == []
    agents = {row[:3] for row in EXPECTED if "human_confirmed" in row.gates}
    confirming = [row for row in EXPECTED if "confirm" in row.effects]
    assert {row[:3] for row in confirming} <= agents
    assert {row.actor for row in confirming} == {"human"}


def test_a_role_is_taken_from_the_field_only_where_it_must_be_named() -> None:
    for row in EXPECTED:
        assert (row.role_after == TARGET) == ("field:rework_target_role" in row.gates), row
        assert row.role_after != TARGET or REWORK_TARGETS[row.process], row
