"""An agent that means well and knows nothing but what it is answered: it does what a refusal advises, once."""

import random
import re
from typing import Any

from tests.work.office import Office, Worker

THINGS = (
    *("ledger", "invoice", "clerk", "holiday", "terminal", "printer", "archive", "harbour", "turbine", "orchard"),
    *("violin", "glacier", "compiler", "lantern", "parrot", "volcano", "bakery", "satellite", "carpet", "telescope"),
)
DOES = ("overheats", "arrives late", "was repainted", "loses its index", "counts twice", "wakes the guard", "rusts")
WHY = ("a storm", "an old cable", "the new rota", "a leap second", "cheap paint", "two mice", "the strike of May")
_PROMPT = re.compile(r'prompt="((?:[^"\\]|\\.)*)"')
_REFINES = re.compile(r"refines=([0-9a-f]{8})")
_THOUGHT = re.compile(r'^Name the thought: fields={"memory_contribution_id": "([0-9a-f-]+)"}')
_SESSION = re.compile(r'"memory_query_session": "(q-[a-z0-9]+)"')


class StuckError(AssertionError):
    """Advice that did not help."""


class Honest:
    """Takes an item from `work_next` to handing it over; counts its calls, and the advice that it took."""

    def __init__(self, office: Office, worker: Worker, dice: random.Random) -> None:
        self.office, self.worker, self.dice = office, worker, dice
        self.calls = self.advised = 0
        self.fields: dict[str, str] = {}

    def call(self, operation: str, **arguments: Any) -> Any:
        self.calls += 1
        return self.worker(operation, **arguments)

    def move(self, slug: str, to: str) -> Any:
        """Move; where that is refused, do what the refusal advises, one call, and move again."""
        answer = self._try(slug, to)
        if answer.moved or answer.fault != "gates":
            return answer
        for gate in answer.blocked_by:
            self.follow(gate.remedy)
        again = self._try(slug, to)
        if not again.moved and again.fault == "gates":
            raise StuckError(f"{answer.in_words()}\n\nthen, after its advice:\n{again.in_words()}")
        return again

    def _try(self, slug: str, to: str) -> Any:
        return self.call("work_transition", slug=slug, to=to, fields=self.fields or None)

    def follow(self, remedy: str) -> None:
        """Do the one thing that a remedy says."""
        self.advised += 1
        if named := _SESSION.search(remedy):
            self.fields = {"memory_query_session": named[1]}
            return
        if named := _THOUGHT.search(remedy):
            self.fields = {"memory_contribution_id": named[1]}
            return
        prompt = _PROMPT.search(remedy)
        if prompt is None:
            raise StuckError(f"nothing to do: {remedy}")
        if "query_brain" in remedy:
            session = self.call("query_brain", prompt=prompt[1]).trace.session_id
            if "memory_query_session" in remedy:
                self.fields = {"memory_query_session": session}
            return
        refines = _REFINES.search(remedy)
        more = {"refines": refines[1]} if refines else {}
        told = prompt[1].replace("…", self.insight())
        thought = self.call("contribute_to_brain", prompt=told, **more).trace.thought_id
        if "memory_contribution_id" in remedy:
            self.fields = {"memory_contribution_id": thought}

    def insight(self) -> str:
        """Something that nobody knew."""
        one, other = self.dice.sample(THINGS, 2)
        told = f"the {one} {self.dice.choice(DOES)} beside a {other} because of {self.dice.choice(WHY)}"
        return f"{told}, {self.dice.randrange(3, 9_000)} times since 19{self.dice.randrange(10, 99)}"
