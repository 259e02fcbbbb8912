"""Statements that the driver runs: their rows are the mapper's, and SQLite plans each of them once."""

from typing import Any

import pytest
from sqlalchemy import bindparam, func
from sqlmodel import col, select

from bigmind.memory.tables import Fact
from bigmind.store.driver_statements import all_rows, first_row, limit_of
from bigmind.store.prepared_statements import MOST_LISTED, kept_rows
from tests.memory.living import Memory

NAMED = select(Fact.uid, Fact.created_at, Fact.confidence).where(col(Fact.category).in_(["rule", "it's mine"]))
NEWEST = NAMED.where(Fact.user_id == bindparam("user")).order_by(col(Fact.id).desc()).limit(limit_of("most")).offset(1)
"""Of a caller's facts of two categories the newest but one, and so many behind it."""


@pytest.fixture
def facts(memory: Memory) -> Memory:
    """Facts of three categories."""
    for number, category in enumerate(("rule", "decision", "rule", "rule", "context")):
        memory("memory_store_fact", category=category, fact=f"The pump of hall {number} is blue.")
    return memory


def test_an_in_over_values_of_the_statement_gives_the_rows_of_the_mapper(facts: Memory) -> None:
    with facts.mind.store.read(facts.caller, "test") as work:
        assert all_rows(work.session, NAMED, {}) == work.session.exec(NAMED).all()
        nothing = select(Fact.uid).where(col(Fact.category).in_([]))
        assert first_row(work.session, nothing, {}) is None
        for most in (1, 5, 0):
            found = all_rows(work.session, NEWEST, {"user": facts.caller.user_id, "most": most})
            with_values = NEWEST.params(user=facts.caller.user_id, most=most)
            assert found == work.session.exec(with_values).all()
            assert len(found) == min(most, 2)


LISTED = (
    select(Fact.uid, Fact.created_at)
    .where(col(Fact.created_at).in_(bindparam("times", expanding=True)))
    .where(Fact.user_id == bindparam("user"), col(Fact.category).in_(bindparam("names", expanding=True)))
    .order_by(col(Fact.id))
)


@pytest.mark.parametrize(
    "names", [[], ["rule"], ["rule", "it's mine", "context"], ["rule"] * MOST_LISTED + ["context"]]
)
def test_lists_that_come_with_a_call_give_the_rows_of_the_mapper(facts: Memory, names: list[str]) -> None:
    given = {"user": facts.caller.user_id, "names": names, "times": [facts.clock.now, facts.clock.now]}
    with facts.mind.store.read(facts.caller, "test") as work:
        by_mapper = work.session.exec(LISTED.params(**given)).all()
        assert len(by_mapper) == {0: 0, 1: 3}.get(len(names), 4)
        assert kept_rows(work, LISTED, **given) == by_mapper


def test_a_statement_whose_text_depends_on_the_values_of_a_call_is_refused(facts: Memory) -> None:
    some = select(Fact.uid).where(col(Fact.category).in_(bindparam("names", expanding=True)))
    with facts.mind.store.read(facts.caller, "test") as work, pytest.raises(ValueError, match="depends on its values"):
        all_rows(work.session, some, {"names": ("rule",)})
    with facts.mind.store.read(facts.caller, "test") as work, pytest.raises(ValueError, match="depends on its values"):
        first_row(work.session, some, {"names": ["rule"]})


@pytest.mark.parametrize("most", ["most", 7])
def test_a_statement_with_a_limit_is_planned_once_whatever_its_values(facts: Memory, most: int | str) -> None:
    some = select(Fact.uid).where(Fact.user_id == bindparam("user")).limit(limit_of(most)).subquery()
    statement = select(func.count()).select_from(some)
    planned: list[Any] = []

    def hear(*action: Any) -> int:
        planned.append(action)  # SQLite asks for what a statement may do whenever it plans it
        return 0

    with facts.mind.store.read(facts.caller, "test") as work:
        driver: Any = work.session.connection().connection.driver_connection
        driver.set_authorizer(hear)
        try:
            assert first_row(work.session, statement, {"user": facts.caller.user_id, "most": 3})[0] >= 3
            assert planned
            planned.clear()
            assert first_row(work.session, statement, {"user": 0, "most": 9}) == (0,)
            assert not planned
        finally:
            driver.set_authorizer(None)
