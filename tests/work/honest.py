"""An agent that means well and knows nothing but what it is answered: it does what a refusal advises, once."""

import random
import re
from itertools import count
from typing import Any

from tests.work.office import Office, Worker

FACTS = ("ledger", "invoice", "cent", "branch", "clerk", "tariff", "holiday", "terminal", "printer", "archive")
_numbers = count(1)
_PROMPT = re.compile(r'prompt="((?:[^"\\]|\\.)*)"')
_REFINES = re.compile(r"refines=([0-9a-f]{8})")
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
        self.call("contribute_to_brain", prompt=prompt[1].replace("…", self.insight()), **more)

    def insight(self) -> str:
        """Something that nobody knew."""
        number, (one, other) = next(_numbers), self.dice.sample(FACTS, 2)
        return (
            f"the {one} of branch {number} differs from its {other} since 19{number % 90 + 10}, in {number + 3} cases"
        )
