"""Which sessions the context tells of: the project's newest, whoever closed them; what says nothing comes last."""

from datetime import timedelta

import pytest

from bigmind.memory.rules import AUTO_CLOSED, CLOSED_FROM_KNOWN, NOT_ENDED, WORDLESS
from bigmind.memory.tables import MemorySession
from tests.memory.living import Memory
from tests.memory.parts import SESSIONS, parts_of
from tests.memory.rows import START, session

LOOM, ENGINE = "git.example.org/ada/loom", "git.example.org/ada/engine"


def headlines(memory: Memory, **arguments: object) -> list[str]:
    """What the rows say, in their order, without their ids and where they come from."""
    context = memory("memory_get_context", **arguments).context
    cells = [row.split(" | ")[1].removeprefix("📄 ") for row in parts_of(context)[SESSIONS].lines]
    return [each.split(" `")[0].split(" (")[0] for each in cells]


def ended(hours: int, line: str, project: str | None = LOOM, **given: object) -> MemorySession:
    """A session that its assistant ended."""
    return session(START + timedelta(hours=hours), one_liner=line, outcome="done", project=project, **given)


def by_hooks(hours: int, line: str, project: str | None = LOOM, **given: object) -> MemorySession:
    """A session that hooks closed from what is known."""
    known = {"outcome": CLOSED_FROM_KNOWN, "importance": 2}
    return session(START + timedelta(hours=hours), one_liner=line, project=project, **(known | given))


def told(memory: Memory, project: str | None = LOOM, **more: object) -> set[str]:
    return {*headlines(memory, project=project, **more)}


@pytest.mark.parametrize("project", [LOOM, None])
@pytest.mark.parametrize("elsewhere", [LOOM, ENGINE])
def test_the_newest_session_is_told_though_hooks_closed_it(memory: Memory, elsewhere: str, project: str | None):
    memory.insert(*[ended(n, f"proper {n}", elsewhere) for n in range(6)], by_hooks(30, "The retry is missing"))
    assert told(memory, project) == {"The retry is missing", *(f"proper {n}" for n in range(2, 6))}


def test_the_project_s_sessions_come_before_newer_ones_of_others(memory: Memory):
    memory.insert(
        *[ended(20 + n, f"engine {n}", ENGINE, importance=9) for n in range(6)],
        *[by_hooks(n, f"loom {n}") for n in range(3)],
    )
    assert told(memory) == {"loom 0", "loom 1", "loom 2", "engine 4", "engine 5"}


def test_sessions_of_little_importance_come_behind_the_others_of_their_project(memory: Memory):
    memory.insert(
        *[ended(20 + n, f"a small question {n}", ENGINE, importance=1) for n in range(6)],
        *[ended(n, f"engine {n}", ENGINE) for n in range(2)],
        ended(3, "loom"),
        ended(4, "a word on the loom", importance=2),
    )
    assert told(memory) == {"loom", "a word on the loom", "engine 0", "engine 1", "a small question 5"}
    assert told(memory, ENGINE, sessions=3) == {"engine 0", "engine 1", "a small question 5"}


@pytest.mark.parametrize("line", [WORDLESS, f"{NOT_ENDED} {WORDLESS}"])
def test_what_says_nothing_comes_behind_all_that_says_something(memory: Memory, line: str):
    memory.insert(
        *[by_hooks(50 + n, line, has_detail=True) for n in range(9)],
        session(START, project=LOOM),
        ended(1, "engine", ENGINE),
        by_hooks(2, "loom"),
        by_hooks(3, f"{AUTO_CLOSED} the shuttle", ENGINE, outcome="", has_detail=True),
    )
    assert headlines(memory, project=LOOM) == [line, line, f"{AUTO_CLOSED} the shuttle", "loom", "engine"]


def test_what_nobody_closed_is_told_only_where_nothing_better_is_left(memory: Memory):
    memory.insert(
        by_hooks(90, f"{AUTO_CLOSED} the shuttle", outcome="", has_detail=True),
        by_hooks(91, AUTO_CLOSED, outcome=""),
        *[by_hooks(n, f"engine {n}", ENGINE) for n in range(4)],
    )
    assert told(memory, sessions=4) == {f"engine {n}" for n in range(4)}
    assert told(memory) == {*(f"engine {n}" for n in range(4)), f"{AUTO_CLOSED} the shuttle"}


def test_of_wordless_sessions_the_project_s_come_first(memory: Memory):
    memory.insert(by_hooks(1, WORDLESS), by_hooks(2, WORDLESS, ENGINE), by_hooks(3, WORDLESS, ENGINE))
    assert headlines(memory, project=LOOM, sessions=1) == [WORDLESS]


def test_without_room_for_all_the_project_s_newest_stays_though_hooks_closed_it(memory: Memory):
    long = "why the cards must be sorted before the loop begins, and who said so in which of the letters of that summer"
    memory.insert(
        *[ended(n, f"engine {n} {long}", ENGINE, importance=9) for n in range(40)],
        *[ended(50 + n, f"loom {n} {long}") for n in range(28)],
        by_hooks(80, f"newest {long}"),
        by_hooks(90, WORDLESS),
    )
    shown = headlines(memory, project=LOOM, sessions=50)
    assert 3 < len(shown) < 28
    assert [each.split(" ")[0] for each in shown] == ["newest", *["loom"] * (len(shown) - 1)]
