"""SQLite plans what a search asks once, whatever is looked for: of short statements planning is most of the time."""

from dataclasses import replace
from typing import Any

import pytest

from bigmind.search.finding import find
from bigmind.search.scope import SearchQuery
from tests.memory.living import Memory

QUESTIONS = (SearchQuery("gateway eway", 3), SearchQuery("loom of oak oak atew", 9))
KINDS = ["chunk", "fact", "session"]


@pytest.mark.parametrize("preferred", [None, "engine"])
def test_a_question_plans_nothing_that_one_like_it_had_planned(memory: Memory, preferred: str | None) -> None:
    for number in range(3):
        memory("memory_flag_important", content=f"The gateway listens on port 844{number}.", flag_reason="kept")
        memory("memory_store_fact", fact=f"Loom {number} is made of oak.", category="decision", confidence=0.9)
    planned: list[Any] = []

    def hear(*action: Any) -> int:
        planned.append(action)  # SQLite asks for what a statement may do whenever it plans it
        return 0

    with memory.mind.store.read(memory.caller, "test") as work:
        driver: Any = work.session.connection().connection.driver_connection
        driver.set_authorizer(hear)
        try:
            for each in QUESTIONS:
                assert find(work, replace(each, preferred=preferred), KINDS).hits
            assert planned
            planned.clear()
            for each in QUESTIONS:
                assert find(work, replace(each, preferred=preferred), KINDS).hits
            assert planned == []
        finally:
            driver.set_authorizer(None)
