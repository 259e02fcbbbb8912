"""The clock jumps by days and years, there and back: nothing acknowledged is lost, and nothing fails for it."""

import random
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import timedelta
from pathlib import Path
from typing import Any

import httpx
import pytest

from bigmind.people.token_format import TokenKind
from tests.http.inside import FakeClock, Inside, server_inside
from tests.store.judge import Promises
from tests.thorough import often, spread

JUMPS = (timedelta(days=1), timedelta(days=365), -timedelta(days=1), -timedelta(days=365))
STEPS = often(400, 40)
PAGES = (
    "/", "/sessions", "/facts", "/hypotheses", "/knowledge", "/search?q=kept", "/context", "/health", "/health/log",
    "/portable", "/portable/restore", "/ides", "/learn", "/settings", "/team",
)  # fmt: skip
"""What tells of times."""


class Life:
    """A client that works on, whatever the clock does; each write is a promise once it is acknowledged."""

    def __init__(self, inside: Inside, http: httpx.Client, clock: FakeClock) -> None:
        self.inside = inside
        self.clock = clock
        self.promises = Promises()
        self.session = ""
        self._http = http
        self._number = 0

    def ask(self, operation: str, **arguments: Any) -> dict[str, Any]:
        answer = self._http.post(f"/api/v1/{operation}", json=arguments)
        assert answer.status_code == httpx.codes.OK, f"{self.clock.now}: {operation}: {answer.text}"
        return answer.json()

    def text(self, kind: str) -> str:
        self._number += 1
        text = f"{kind} kept as number {self._number}"
        self.promises.made[kind].append(text)
        return text

    def start(self) -> None:
        self.session = self.ask("memory_start_session")["session_id"]

    def end(self) -> None:
        if self.session:
            self.ask(
                "memory_end_session", session_id=self.session, one_liner="Worked on", topics=["clocks"], outcome="Done."
            )
            self.session = ""

    def flag(self) -> None:
        if not self.session:
            self.start()
        flagged = {"flag_reason": "decision", "session_id": self.session}
        self.ask("memory_flag_important", content=self.text("chunk"), **flagged)

    def fact(self) -> None:
        self.ask("memory_store_fact", category="decision", fact=self.text("fact"))

    def hypothesis(self) -> None:
        self.ask("memory_add_hypothesis", hypothesis=self.text("hypothesis"))

    def read(self) -> None:
        for operation in ("memory_get_context", "memory_list_sessions", "memory_list_facts", "memory_health_check"):
            self.ask(operation)
        self.ask("memory_semantic_search", query="kept as number last week")

    def back_up(self) -> None:
        self.ask("backup_create")

    def jump(self, dice: random.Random) -> None:
        self.clock.forward(dice.choice(JUMPS))


@contextmanager
def living_on(home: Path, clock: FakeClock) -> Iterator[Life]:
    with server_inside(home, clock) as inside, inside.http(inside.token()) as http:
        yield Life(inside, http, clock)


def look_at_pages(life: Life) -> None:
    """With a sign-in of the moment: that one of another year has ended is right."""
    with life.inside.browser(life.inside.token(kind=TokenKind.UI)) as browser:
        for path in PAGES:
            assert browser.get(path).status_code == httpx.codes.OK, f"{life.clock.now}: {path}"


def everything_is_there(life: Life) -> list[str]:
    """What is missing when it is looked for as a client does."""
    found = {row["fact"] for row in life.ask("memory_list_facts", limit=100)["facts"]}
    found |= {row["hypothesis"] for row in life.ask("memory_list_hypotheses", limit=100)["hypotheses"]}
    for text in life.promises.made["chunk"]:
        found |= {hit["excerpt"].replace("**", "") for hit in life.ask("memory_search_chunks", query=text)["hits"]}
    return [text for made in life.promises.made.values() for text in made if text not in found]


@pytest.mark.parametrize("seed", range(often(6, 1)))
def test_what_was_acknowledged_stays_whatever_the_clock_says(seed: int, home: Path) -> None:
    dice, clock = random.Random(seed), FakeClock()
    with living_on(home, clock) as life:
        acts: tuple[Callable[[], None], ...] = (
            life.start, life.end, life.flag, life.flag, life.fact, life.hypothesis, life.read,
            lambda: life.jump(dice), lambda: life.jump(dice),
        )  # fmt: skip
        for _ in range(STEPS):
            dice.choice(acts)()
        look_at_pages(life)
        assert everything_is_there(life) == []


@pytest.mark.parametrize("jump", spread(JUMPS, 2), ids=lambda jump: f"{jump.days} days")
def test_no_backup_of_the_right_time_goes_for_one_jump(jump: timedelta, home: Path) -> None:
    clock = FakeClock()
    with living_on(home, clock) as life:
        life.fact()
        life.back_up()
        before = {each.name for each in life.inside.mind.store.safekeeping.folder.glob("*.db")}
        clock.forward(jump)
        look_at_pages(life)
        life.read()
        for _ in range(3):
            life.fact()
            life.back_up()
            clock.forward(timedelta(hours=1))
        clock.forward(-jump)
        life.back_up()
        look_at_pages(life)
        assert before <= {each.name for each in life.inside.mind.store.safekeeping.folder.glob("*.db")}
        assert everything_is_there(life) == []
