"""An agent that tries everything: with tokens, names, replays, made-up ids, forged exports, and a clock that jumps."""

import random
from collections.abc import Callable
from itertools import count
from pathlib import Path
from typing import Any

from bigmind.core.errors import BigMindError
from tests.work.hostile_judge import StepJudge
from tests.work.hostile_means import IN_PERSON, Smuggler, arguments_by_chance, operations_of, workers_of
from tests.work.office import NOTHING, Office, Worker
from tests.work.short_way import SHORT, shortly

TITLES = ("Round refunds to the cent", "Rotate the signing keys", "Drop the stale sessions")
STATES = (
    *("backlog", "pending", "ready", "active", "approval", "approved", "testing", "review", "rework", "complete"),
    *("blocked", "cancelled", "restore", "", "ACTIVE", "any", "*", "'; DROP TABLE work_item; --"),
)
ROLES = ("pdsa", "dev", "qa", "liaison", "orchestrator", "human", "system", "", "admin")
MADE_UP = ("q-aaaaaaaaaaaa", "00000000-0000-4000-8000-000000000000", "x" * 90, "%", "")


class Attacker:
    """Takes one step after the other, as its seed says.

    Args:
        office: where.
        seed: what it throws its dice with.
        folder: for its files.
        whole: the share of its moves, questions and thoughts that goes through the dispatcher; see `short_way`.
    """

    def __init__(self, office: Office, seed: int, folder: Path, whole: float = 1.0) -> None:
        self.office, self.dice, self.whole = office, random.Random(seed), whole
        self.smuggler = Smuggler(office, folder)
        self.judge = StepJudge(office)
        self.workers = workers_of(office)
        self.operations = operations_of(office)
        self.slugs: list[str] = []
        self.sessions: list[str] = [*MADE_UP]
        self.thoughts: list[str] = [*MADE_UP]
        self.requests: list[tuple[Worker, str, dict[str, Any], str]] = []
        self.numbers = count(1)
        self.steps, self.focus, self.has_called = 0, self.workers[0], False
        self.judge.begin()

    def run(self, steps: int) -> None:
        """So many steps, each judged."""
        weights: dict[Callable[[Worker], Worker | None], float] = {
            self._go_on: 60, self._ask: 4, self._learn: 0.5, self._move: 18, self._make: 0.5, self._edit: 1,
            self._write: 1, self._replay: 2, self._jump: 6, self._person: 2, self._act_as_person: 8,
            self._spoil: 0.3, self._fumble: 1, self._smuggle: 0.1,
        }  # fmt: skip
        acts, chances = list(weights), list(weights.values())
        for _ in range(steps):
            act = self.dice.choices(acts, chances)[0]
            if self.dice.random() < 0.1 or not self.slugs:
                self.focus = self.dice.choice(self.workers)
            worker = self.focus if self.dice.random() < 0.7 else self.dice.choice(self.workers)
            self.has_called = False
            by = act(worker) or worker
            self.judge.look(by, has_called=self.has_called)
            self.steps += 1
        self.judge.close()

    def _go_on(self, worker: Worker) -> Worker | None:
        """What an honest agent would do next, or nearly."""
        slug = self.slugs[-1] if self.slugs and self.dice.random() < 0.8 else self._slug()
        found = self.judge.rows("SELECT state, title, revision, role FROM work_item WHERE slug = ?", slug)
        state, title, revision, role = found[0] if found else ("cancelled", "", 0, "")
        if state in {"complete", "cancelled", "blocked", "backlog"}:
            self._make(worker)
        elif state in {"review", "approval"} and self.dice.random() < 0.3:
            given = {"slug": slug, "to": self.dice.choice(("complete", "rework")), "revision": revision}
            self._send(self.office.person, "work_transition", given, f"yes-{next(self.numbers)}")
            return self.office.person
        elif self.dice.random() < (0.2 if state == "active" else 0.35):
            (self._learn if state == "active" else self._ask)(worker, title)
        else:
            forward = {"active": {"pdsa": "approval", "qa": "testing"}.get(role, "review"), "review": "review"}
            to = forward.get(state) or self.dice.choice(("active", "active", "ready"))
            fields = {"pdsa_ref": "docs/a.md"} if role == "pdsa" else {}
            self._try(worker, "work_transition", slug=slug, to=to, fields=fields)
        return None

    def _try(self, worker: Worker, operation: str, **arguments: Any) -> Any:
        """Ask for something; its answer, which on the short way is only an id."""
        key = f"key-{next(self.numbers)}"
        if operation not in SHORT or operation == "work_transition" or self.dice.random() < 0.2:
            self.requests.append((worker, operation, arguments, key))
            del self.requests[:-50]
        if operation not in SHORT or self.dice.random() < self.whole:
            return self._send(worker, operation, arguments, key)
        try:
            self.has_called = True
            return shortly(worker, operation, arguments)
        except BigMindError:
            return None

    def _send(self, worker: Worker, operation: str, arguments: dict[str, Any], key: str) -> Any:
        """The whole way."""
        found = worker.memory.mind.dispatcher.catalogue.get(operation)
        assert found is not None, operation
        try:
            answer = worker.memory.mind.dispatcher.run(found, worker.memory.caller, arguments, key)
        except BigMindError:
            return None
        self.has_called = True
        return answer

    def _slug(self) -> str:
        return self.dice.choice(self.slugs[-6:]) if self.slugs and self.dice.random() < 0.95 else "nothing"

    def _title(self) -> str:
        return self.dice.choice(TITLES)

    def _ask(self, worker: Worker, title: str = "") -> None:
        others = ("How long do walruses sleep?", "May I start the task now?")
        prompt = title or self.dice.choice([*TITLES, *TITLES, *others])
        answer = self._try(worker, "query_brain", prompt=prompt)
        if answer is not None:
            self.sessions.append(answer if isinstance(answer, str) else answer.trace.session_id)

    def _learn(self, worker: Worker, title: str = "") -> None:
        number = next(self.numbers)
        about = title or self._title()
        text = f"{about}: {number} of {number + 9} runs in 19{number:02} showed that Zurich counts half to even."
        spoilt = None if title else self.dice.choice([None, None, NOTHING, "see above", self._title()])
        if spoilt is not None:  # whether it is stored, and with which flags, is said on the whole way alone
            self._send(worker, "contribute_to_brain", {"prompt": spoilt}, f"key-{number}")
            return
        answer = self._try(worker, "contribute_to_brain", prompt=text)
        thought = answer if isinstance(answer, str) or answer is None else answer.trace.thought_id
        if thought:
            self.thoughts.append(thought)

    def _move(self, worker: Worker) -> None:
        fields: dict[str, Any] = {}
        if self.dice.random() < 0.5:
            fields |= {"pdsa_ref": "docs/a.md", "abstract_ref": "docs/b.md", "blocked_reason": "no", "x": "y"}
            fields["rework_target_role"] = self.dice.choice(ROLES)
        if self.dice.random() < 0.25:
            fields["memory_query_session"] = self.dice.choice(self.sessions)
        if self.dice.random() < 0.25:
            fields["memory_contribution_id"] = self.dice.choice(self.thoughts)
        likely = ("active", "active", "review", "ready", "approval", "complete")
        more = {"role": self.dice.choice(ROLES)} if self.dice.random() < 0.4 else {}
        to = self.dice.choice(likely if self.dice.random() < 0.8 else STATES)
        self._try(worker, "work_transition", slug=self._slug(), to=to, fields=fields, **more)

    def _make(self, worker: Worker) -> None:
        state = self.dice.choice(("pending", "active", "review", "complete", "backlog"))
        more = {"state": state} if self.dice.random() < 0.4 else {}
        kind = self.dice.choice(("solo", "solo", "task", "bug", "node", "session"))
        dna: dict[str, Any] = {"memory_query_session": self.dice.choice(self.sessions), "note": worker.name}
        if self.dice.random() < 0.3:  # is refused
            dna |= {"holder": worker.name, "state": "complete"}
        answer = self._try(worker, "work_create_task", title=self._title(), type=kind, dna=dna, **more)
        if answer is not None:
            self.slugs.append(answer.slug)

    def _edit(self, worker: Worker) -> None:
        change = self.dice.choice(({"title": self._title()}, {"depends_on": self.slugs[-2:]}, {"description": "new"}))
        self._try(worker, "work_edit_task", slug=self._slug(), role=self.dice.choice(ROLES), **change)

    def _write(self, worker: Worker) -> None:
        fields = {
            "memory_contribution_id": self.dice.choice(self.thoughts),
            "note": self._title(),
            **({"human_confirmed": True} if self.dice.random() < 0.3 else {}),  # is refused
        }
        self._try(worker, "work_update_dna", slug=self._slug(), fields=fields)

    def _replay(self, worker: Worker) -> Worker:
        if not self.requests:
            return worker
        first, operation, arguments, key = self.dice.choice(self.requests)
        sender = self.dice.choice((first, worker))
        self._send(sender, operation, arguments, key)
        return sender

    def _jump(self, worker: Worker) -> None:
        """The clock goes on, or is set back, by a minute or by a day."""
        del worker
        self.office.forward(minutes=self.dice.choice((1, 5, 30, 61, 121, 200, 1_500, -1, -10, -300, -1_500)))

    def _person(self, worker: Worker) -> Worker:
        """Somebody at the window, who looks and decides."""
        del worker
        slug, to = self._slug(), self.dice.choice(("complete", "rework", "approved", "cancelled", "active", "review"))
        for (revision,) in self.judge.rows("SELECT revision FROM work_item WHERE slug = ?", slug):
            given = {"slug": slug, "to": to, "revision": revision}
            self._send(self.office.person, "work_transition", given, f"yes-{next(self.numbers)}")
        return self.office.person

    def _act_as_person(self, worker: Worker) -> None:
        """What is a person's alone, asked for with a token, a cookie, or at the terminal, and with what was shown."""
        slug = self._slug()
        for (revision,) in self.judge.rows("SELECT revision FROM work_item WHERE slug = ?", slug):
            given = {"slug": slug, "revision": revision}
            more = {"work_move": {"to": "complete"}, "work_set_roles": {"agent": worker.name, "roles": ["liaison"]}}
            operation = self.dice.choice(IN_PERSON)
            arguments = more[operation] if operation == "work_set_roles" else given | more.get(operation, {})
            self._send(worker, operation, arguments, f"key-{next(self.numbers)}")

    def _fumble(self, worker: Worker) -> None:
        """Any operation of any surface, with names that are there and with made-up ones."""
        found = self.dice.choice(self.operations)
        names = [*self.slugs[-3:], *self.sessions[-3:], *self.thoughts[-3:], *MADE_UP, *STATES, *ROLES, *TITLES]
        self._send(worker, found.name, arguments_by_chance(found, self.dice, names), f"key-{next(self.numbers)}")

    def _smuggle(self, worker: Worker) -> None:
        """An export, edited by hand, comes back."""
        path = self.smuggler.path(self.dice, worker, self.slugs)
        mode = "replace" if self.dice.random() < 0.1 else "merge"
        self._send(worker, "memory_import", {"path": path, "mode": mode}, f"key-{next(self.numbers)}")

    def _spoil(self, worker: Worker) -> None:
        """What an agent may do to what its own gates rest on."""
        thought = self.dice.choice(self.thoughts)
        operation, arguments = self.dice.choice(
            (
                ("brain_update_thought", {"id": thought, "category": "task_outcome"}),
                ("memory_forget", {"id": thought, "kind": "thought"}),
                ("brain_mark_noise", {"id": thought}),
                ("memory_forget", {"id": self._slug(), "kind": "work_item"}),
            )
        )
        self._try(worker, operation, **arguments)
