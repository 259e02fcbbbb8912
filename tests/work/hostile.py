"""An agent that tries everything, with what it has: several tokens and names, replays, made-up ids, a clock that jumps.

Beside it stands a judge that trusts no word of the program: it reads the rows after each step, remembers what it saw
in which order, and says what must never be.
"""

import random
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from itertools import count
from typing import Any

from bigmind.core.errors import BigMindError
from bigmind.core.operation import Presence
from bigmind.flow.hash_chain import broken
from bigmind.work.ledger.ledger_rows import rows as ledger
from tests.work.office import NOTHING, Office, Worker, as_command_line

TITLES = ("Round refunds to the cent", "Rotate the signing keys", "Drop the stale sessions")
STATES = (
    *("backlog", "pending", "ready", "active", "approval", "approved", "testing", "review", "rework", "complete"),
    *("blocked", "cancelled", "restore", "", "ACTIVE", "any", "*", "'; DROP TABLE work_item; --"),
)
ROLES = ("pdsa", "dev", "qa", "liaison", "orchestrator", "human", "system", "", "admin")
LEASE = timedelta(hours=2)
WORKED_ON = ("review", "approval", "testing", "approved", "complete")
MADE_UP = ("q-aaaaaaaaaaaa", "00000000-0000-4000-8000-000000000000", "x" * 90, "%", "")


class ViolationError(AssertionError):
    """What must never be, was."""


@dataclass
class Seen:
    """An item, as the judge saw it last, and the newest question to the brain at that time."""

    state: str
    holder: str
    title: str
    since_state: int
    since_title: int
    claimed_at: int = 0
    heard_of_holder: datetime | None = None
    passed: bool = False
    """Whether its work was handed over with a contribution, since it came to be what it is."""


@dataclass
class Judge:
    """Remembers, and objects."""

    office: Office
    items: dict[int, Seen] = field(default_factory=dict[int, Seen])
    spent: set[tuple[str, str]] = field(default_factory=set[tuple[str, str]])
    yes: set[int] = field(default_factory=set[int])
    """Items that a person moved, or said yes to, in this very step."""
    ledger_rows: int = 0
    passed: dict[str, int] = field(default_factory=dict[str, int])

    def look(self, by: Worker, in_person: bool) -> None:
        """Judge what stands now against what stood before the step that `by` made."""
        newest = self.office.rows("SELECT coalesce(max(id), 0) FROM brain_query")[0][0]
        for key, state, holder, title in self.office.rows("SELECT id, state, holder, title FROM work_item"):
            before = self.items.get(key)
            if before is None:
                if state not in {"pending", "backlog"}:
                    raise ViolationError(f"item {key} began in {state}")
                self.items[key] = Seen(state, holder, title, newest, newest)
                continue
            self._judge(key, before, state, holder, by, in_person)
            if (state, holder) != (before.state, before.holder):
                self.passed[f"{before.state} {state}"] = self.passed.get(f"{before.state} {state}", 0) + 1
                is_pause = "blocked" in (state, before.state)
                before.since_state = before.since_state if is_pause else newest
                if state == "active" and not is_pause:
                    before.claimed_at = newest
                before.state, before.holder = state, holder
            if title != before.title:
                before.title, before.since_title = title, newest
            if holder == by.name:
                before.heard_of_holder = self.office.memory.clock.now
        [[found]] = self.office.rows("SELECT count(*) FROM work_ledger")
        if found < self.ledger_rows:
            raise ViolationError("a row of the ledger vanished")
        self.ledger_rows = found

    def _judge(self, key: int, before: Seen, state: str, holder: str, by: Worker, in_person: bool) -> None:
        if (state, holder) == (before.state, before.holder) or before.state == "blocked" or state == "blocked":
            if before.state == "blocked" and holder != before.holder:
                raise ViolationError(f"item {key} changed hands while it was blocked")
            return
        if state == "active":
            self._claimed(key, before, holder, by)
        if before.state == "active" and state in WORKED_ON and state != "testing":
            self._spend(key, before, by, "thought", before.claimed_at)
        if state == "complete" and not in_person and key not in self.yes:
            raise ViolationError(f"item {key} was completed without a person")

    def _claimed(self, key: int, before: Seen, holder: str, by: Worker) -> None:
        if holder != by.name:
            raise ViolationError(f"{by.name} made {holder} the holder of item {key}")
        if before.state == "active":
            heard = before.heard_of_holder
            if heard is not None and self.office.memory.clock.now < heard + LEASE:
                raise ViolationError(f"item {key} was held by {before.holder} and taken by {holder}")
        since = before.since_title if before.state == "active" else max(before.since_state, before.since_title)
        self._spend(key, before, by, "question", since)

    def _spend(self, key: int, before: Seen, by: Worker, kind: str, since: int) -> None:
        """There is an event of that agent, after that row, which no other move rested on; it is spent now."""
        wanted = "operation = 'query_brain' AND outcome = 'answered'" if kind == "question" else "outcome = 'stored'"
        found = self.office.rows(
            f"SELECT id FROM brain_query WHERE client = :client AND id > :since AND {wanted}",
            client=by.memory.caller.client,
            since=since,
        )
        named = "uid" if kind == "question" else "thought_uid"
        free = [row for (row,) in found if (kind, str(row)) not in self.spent]
        if not free:
            raise ViolationError(f"item {key} went from {before.state} to its next state without a {kind} of {by.name}")
        used = self.office.rows(
            f"SELECT q.id FROM work_evidence e JOIN brain_query q ON q.{named} = e.uid WHERE e.kind = :kind"
            " ORDER BY e.ledger_number DESC LIMIT 1",
            kind=kind,
        )
        if not used or used[0][0] not in free:
            raise ViolationError(f"item {key} rests on a {kind} that was spent, is another's, or came too early")
        self.spent.add((kind, str(used[0][0])))

    def close(self) -> None:
        """The chain holds together."""
        with self.office.memory.mind.store.read(self.office.memory.caller, "test") as work:
            faults = list(broken(ledger(work)))
        if faults:
            raise ViolationError(str(faults[0]))


class Attacker:
    """Takes one step after the other, as its seed says."""

    def __init__(self, office: Office, seed: int) -> None:
        self.office, self.dice = office, random.Random(seed)
        self.judge = Judge(office)
        self.workers = [
            office.agent("cursor"),
            office.agent("cursor/reviewer"),
            office.agent("codex"),
            office.agent("codex", connection=None),
            as_command_line(office.agent()),
            self._at_page(),
        ]
        self.slugs: list[str] = []
        self.sessions: list[str] = [*MADE_UP]
        self.thoughts: list[str] = [*MADE_UP]
        self.requests: list[tuple[Worker, str, dict[str, Any], str]] = []
        self.numbers = count(1)
        self.steps, self.focus = 0, self.workers[0]

    def _at_page(self) -> Worker:
        """A browser's cookie without the passphrase."""
        worker = self.office.agent("browser", connection=None)
        object.__setattr__(worker.memory.caller, "presence", Presence.PAGE)
        object.__setattr__(worker.memory.caller, "is_person", True)
        return worker

    def run(self, steps: int) -> None:
        """So many steps, each judged."""
        weights = {
            self._go_on: 60, self._ask: 6, self._learn: 4, self._move: 16, self._make: 2, self._edit: 1, self._write: 3,
            self._replay: 3, self._jump: 2, self._person: 2, self._spoil: 1,
        }  # fmt: skip
        acts, chances = list(weights), list(weights.values())
        for _ in range(steps):
            act = self.dice.choices(acts, chances)[0]
            if self.dice.random() < 0.1 or not self.slugs:
                self.focus = self.dice.choice(self.workers)
            worker = self.focus if self.dice.random() < 0.7 else self.dice.choice(self.workers)
            by = act(worker) or worker
            self.judge.look(by, by.memory.caller.presence.is_in_person)
            self.steps += 1
        self.judge.close()

    def _go_on(self, worker: Worker) -> Worker | None:
        """What an honest agent would do next, or nearly."""
        slug = self.slugs[-1] if self.slugs and self.dice.random() < 0.8 else self._slug()
        found = self.office.rows("SELECT state, title, revision, role FROM work_item WHERE slug = :s", s=slug)
        state, title, revision, role = found[0] if found else ("cancelled", "", 0, "")
        if state in {"complete", "cancelled", "blocked", "backlog"}:
            self._make(worker)
        elif state in {"review", "approval"} and self.dice.random() < 0.3:
            given = {"slug": slug, "to": self.dice.choice(("complete", "rework")), "revision": revision}
            self._send(self.office.person, "work_transition", given, f"yes-{next(self.numbers)}")
            return self.office.person
        elif self.dice.random() < 0.4:
            (self._learn if state == "active" else self._ask)(worker, title)
        else:
            forward = {"active": {"pdsa": "approval", "qa": "testing"}.get(role, "review"), "review": "review"}
            to = forward.get(state) or self.dice.choice(("active", "active", "ready"))
            fields = {"pdsa_ref": "docs/a.md"} if role == "pdsa" else {}
            self._try(worker, "work_transition", slug=slug, to=to, fields=fields)
        return None

    def _try(self, worker: Worker, operation: str, **arguments: Any) -> Any:
        key = f"key-{next(self.numbers)}"
        self.requests.append((worker, operation, arguments, key))
        del self.requests[:-50]
        return self._send(worker, operation, arguments, key)

    def _send(self, worker: Worker, operation: str, arguments: dict[str, Any], key: str) -> Any:
        found = worker.memory.mind.dispatcher.catalogue.get(operation)
        assert found is not None, operation
        try:
            return worker.memory.mind.dispatcher.run(found, worker.memory.caller, arguments, key)
        except BigMindError:
            return None

    def _slug(self) -> str:
        return self.dice.choice(self.slugs[-6:]) if self.slugs and self.dice.random() < 0.97 else "nothing"

    def _title(self) -> str:
        return self.dice.choice(TITLES)

    def _ask(self, worker: Worker, title: str = "") -> None:
        others = ("How long do walruses sleep?", "May I start the task now?")
        prompt = title or self.dice.choice([*TITLES, *TITLES, *others])
        answer = self._try(worker, "query_brain", prompt=prompt)
        if answer is not None:
            self.sessions.append(answer.trace.session_id)

    def _learn(self, worker: Worker, title: str = "") -> None:
        number = next(self.numbers)
        about = title or self._title()
        text = f"{about}: {number} of {number + 9} runs in 19{number:02} showed that Zurich counts half to even."
        prompt = text if title else self.dice.choice([text, text, text, NOTHING, "see above", self._title()])
        answer = self._try(worker, "contribute_to_brain", prompt=prompt)
        if answer is not None and answer.trace.thought_id:
            self.thoughts.append(answer.trace.thought_id)

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
        dna = {"memory_query_session": self.dice.choice(self.sessions), "holder": worker.name, "state": "complete"}
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
            "human_confirmed": True,
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
        del worker
        self.office.forward(minutes=self.dice.choice((1, 5, 30, 61, 121, 200, -1)))

    def _person(self, worker: Worker) -> Worker:
        """Somebody at the window, who looks and decides."""
        del worker
        slug, to = self._slug(), self.dice.choice(("complete", "rework", "approved", "cancelled", "active", "review"))
        known = [revision for (revision,) in self.office.rows("SELECT revision FROM work_item WHERE slug = :s", s=slug)]
        if known:
            self._send(
                self.office.person,
                "work_transition",
                {"slug": slug, "to": to, "revision": known[0]},
                f"yes-{next(self.numbers)}",
            )
        return self.office.person

    def _spoil(self, worker: Worker) -> None:
        """What an agent may do to what its own gates rest on."""
        thought = self.dice.choice(self.thoughts)
        acts: list[Callable[[], Any]] = [
            lambda: self._try(worker, "brain_update_thought", id=thought, category="task_outcome"),
            lambda: self._try(worker, "memory_forget", id=thought, kind="thought"),
            lambda: self._try(worker, "brain_mark_noise", id=thought),
            lambda: self._try(worker, "memory_forget", id=self._slug(), kind="work_item"),
        ]
        self.dice.choice(acts)()
