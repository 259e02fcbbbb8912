"""A month of three clients, recorded by the operations that record it: hooks, sessions, the brain, work, runs."""

from collections.abc import Generator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from datetime import date
from pathlib import Path
from random import Random
from typing import Any

from bigmind.core.operation import Caller, Presence
from bigmind.memory.tables import MemorySession
from bigmind.people.service import mint_token
from bigmind.people.token_format import TokenKind
from bigmind.usage.keeper import keep_pauses, keep_use
from bigmind.usage.server_run import ServerRun
from bigmind.usage.usage_events import EventKind, note_event
from bigmind.work.ledger.ledger_rows import Entry, append
from tests.memory.living import Memory
from tests.protocol.places import Place
from tests.protocol.workshop import Runner, Workshop, workshop_in
from tests.work.office import Worker

FIRST, LAST = date(2026, 3, 1), date(2026, 3, 30)
CLIENTS = ("claude-code", "codex", "cursor/reviewer")
PROJECTS = ("example.org/ada/refunds", "example.org/ada/invoices", None)
TITLES = ("Round refunds to the cent", "Retry the gateway once", "Render invoices faster", "Rotate the vault keys")


@dataclass
class Month:
    """The recorded month, and who recorded it."""

    workshop: Workshop
    place: Place
    home: Path

    @property
    def memory(self) -> Memory:
        """Ada's."""
        return self.workshop.office.memory

    @property
    def person(self) -> Caller:
        """Ada, in the app's window."""
        return self.workshop.office.person.memory.caller


def _tokens(_: str, length: int) -> int:
    return length // 4


@contextmanager
def recorded_month(home: Path, base: Path) -> Generator[Month]:
    """Record it, for the length of a block; the clock then stands on its last day."""
    with workshop_in(home, base) as workshop:
        month = Month(workshop, workshop.place(), home)
        _Recorder(month).record()
        yield month


class _Recorder:
    def __init__(self, month: Month) -> None:
        self._month = month
        self._office = month.workshop.office
        self._random = Random(17)
        self._tokens = {name: self._token(name, TokenKind.CLIENT) for name in ("claude-code", "codex", "cursor")}
        self._browser = self._token("browser", TokenKind.UI)
        self._terminal = self._token("cli", TokenKind.CLI)

    def _token(self, name: str, kind: TokenKind) -> int:
        with self._month.memory.mind.store.write(self._month.memory.caller, "mint") as work:
            row = mint_token(work, self._month.memory.caller.user_id, name, kind).row
            work.session.flush()
            return row.id or 0

    def _agent(self, client: str, connection: str | None, project: str | None) -> Worker:
        caller = replace(
            self._month.memory.caller,
            client=client,
            token_id=self._tokens[client.partition("/")[0]],
            connection=connection,
            project=project,
            presence=Presence.CLIENT,
        )
        return Worker(replace(self._month.memory, caller=caller))

    def record(self) -> None:
        store, run = self._month.memory.mind.store, ServerRun(self._month.memory.mind.store)
        run.start()
        for day in range(30):
            for client in CLIENTS:
                self._conversation(day, client)
                self._office.forward(minutes=self._random.randint(5, 40))
            if day % 5 == 2:
                self._piece_of_work(day)
            if day % 9 == 4:
                self._server(day, run)
            self._served(day)
            keep_use(store)
            keep_pauses(store)
            if day < 29:
                self._office.forward(days=1)
                self._month.memory.clock.now = self._month.memory.clock.now.replace(hour=9, minute=day, second=0)
        self._runs()
        self._by_hand()
        self._others()

    def _conversation(self, day: int, client: str) -> None:
        """By hooks, by the model, by both or by neither, as it comes; with questions or without."""
        project, connection = PROJECTS[(day + len(client)) % 3], f"{client} on {day}"
        agent, has_hooks = self._agent(client, connection, project), client != "codex"
        hook = self._agent(client, None, project)
        if has_hooks:
            hook("hook_session_start", conversation=connection)
            for _ in range(self._random.randint(1, 4)):
                hook("hook_prompt", conversation=connection)
        is_diligent = self._random.random() < {"claude-code": 0.8, "codex": 0.9}.get(client, 0.3)
        if is_diligent:
            agent("memory_start_session", topics=["refunds"])
        for _ in range(self._random.randint(0, 3) if is_diligent else 0):
            self._office.forward(minutes=2)
            if self._random.random() < 0.6:
                agent.ask(f"What is known of {self._random.choice(TITLES)}?")
            else:
                agent.learn()
        if is_diligent and self._random.random() < 0.7:
            agent("memory_end_session", one_liner=f"Day {day}", topics=["refunds"], outcome="Done")
        if has_hooks and self._random.random() < 0.6:
            hook("hook_session_end", conversation=connection, last_message="It is done.")

    def _piece_of_work(self, day: int) -> None:
        client, title = CLIENTS[day % 3], f"{TITLES[day % 4]}, take {day}"
        worker = self._agent(client, f"work of {client}", PROJECTS[day % 3])
        slug = worker("work_create_task", title=title, type="bug", project=PROJECTS[day % 3]).slug
        worker.moves(slug, "ready")
        if day % 10 == 2:
            worker.stays(slug, "active", role="dev")
        worker.claim(slug, title, role="dev")
        if day % 15 == 2:
            worker.stays(slug, "review", role="dev")
        worker.learn(f"{title}: on 12 May {day + 3} of {day + 40} refunds were off by a cent, because halves went up.")
        worker.moves(slug, "review", role="dev")
        reviewer = worker if day % 2 else self._agent(CLIENTS[(day + 1) % 3], "review", None)
        reviewer.learn(f"{title}: the review on 13 May ran {day + 11} cases of rounding, because one had been missed.")
        reviewer.move(slug, "review", role="qa")
        self._judged(slug, reviewer, self_checked=day % 2 == 0)
        if day > 20:
            self._office.person("memory_forget", id=self._uid(slug), kind="work_item")

    def _uid(self, slug: str) -> str:
        return self._office.rows("SELECT uid FROM work_item WHERE slug = :slug", slug=slug)[0][0]

    def _judged(self, slug: str, by: Worker, *, self_checked: bool) -> None:
        """A quality gate of a node, judged by an agent and then by a person; as mindspace writes it down."""
        body: dict[str, Any] = {"gate": 1, "status": "pass", "self_checked": self_checked}
        places = (by.memory.caller, self._person(Presence.WINDOW), self._person(Presence.PASSPHRASE))
        for caller in places:
            with self._month.memory.mind.store.write(caller, "mindspace_record_gate") as work:
                in_person = caller.presence.is_in_person
                told = {**body, "in_person": in_person, "actor": "human" if in_person else "agent"}
                append(work, Entry("judged", self._uid(slug), {**told, "self_checked": self_checked and not in_person}))
        self._office.run(
            "UPDATE work_item SET ledger_number = (SELECT max(number) FROM work_ledger WHERE item_uid = uid)"
        )

    def _person(self, presence: Presence) -> Caller:
        client = "window" if presence is Presence.WINDOW else "browser"
        return replace(self._month.person, client=client, presence=presence)

    def _server(self, day: int, run: ServerRun) -> None:
        store = self._month.memory.mind.store
        if day % 2:
            run.stop()
        run.start()
        store.host.activity.pause(paused=True, place=Presence.TRAY)
        store.host.activity.pause(paused=False, place=Presence.WINDOW)
        with store.write(self._month.memory.caller, "note_hooks") as work:
            note_event(work, EventKind.HOOKS_ALTERED, client=CLIENTS[0])
            note_event(work, EventKind.HOOKS_WHOLE, client=CLIENTS[0])

    def _served(self, day: int) -> None:
        activity = self._month.memory.mind.store.host.activity
        for place, client in enumerate(CLIENTS):
            agent = self._agent(client, None, PROJECTS[(day + place) % 3])
            activity.note_delivery(
                agent.memory.caller, "memory_semantic_search", "x" * 400, _tokens, drawn_from=90 * day
            )
        activity.note_delivery(self._month.person, "memory_get_context", "x" * 400, _tokens)

    def _runs(self) -> None:
        """Three protocol runs: complete, forced, and left behind without its gates."""
        place = self._month.place
        self._office.forward(minutes=1)
        whole = Runner(self._agent("claude-code", "run 1", PROJECTS[0]), place)
        assert whole.whole().status == "COMPLETE"
        forced = Runner(self._agent("codex", "run 2", PROJECTS[1]), place)
        forced.begin("Round yen")
        self._office.forward(minutes=12)
        forced("advance_phase", target_phase="WORKING")
        self._office.forward(minutes=25)
        forced("advance_phase", target_phase="WORKING", force=True)
        self._office.forward(minutes=40)
        forced.read_handoff()
        forced("advance_phase", target_phase="DOCUMENTING")
        forced("session_end", summary="Stopped early.", next_session_notes="Go on.")
        Runner(self._agent("cursor/reviewer", "run 3", PROJECTS[2]), place).begin("Look at yen")
        opened = self._office.rows("SELECT project FROM workspace")[0][0]
        self._agent("codex", "no run", opened)("memory_start_session", topics=["without a run"])

    def _by_hand(self) -> None:
        """What people do with their own tools, and at the terminal."""
        person = replace(self._month.person, client="browser", token_id=self._browser, presence=Presence.PAGE)
        Worker(replace(self._month.memory, caller=person)).ask("What do my assistants know of refunds?")
        terminal = replace(
            person, client="cli", token_id=self._terminal, presence=Presence.COMMAND_LINE, connection=None
        )
        at_terminal = Worker(replace(self._month.memory, caller=terminal))
        at_terminal("memory_start_session", topics=["by hand"])
        at_terminal.ask("What does a script ask?")
        at_terminal("token_create", client="codex")
        at_terminal("user_add", username="Zoë", client="codex")
        self._office.person("token_create", client="claude-code")
        at_terminal("project_join_alias", alias="invoices-mirror", project=PROJECTS[1] or "")
        self._agent("codex", "mirrored", "invoices-mirror").ask("What is known of invoices?")

    def _others(self) -> None:
        """Another user of the same store, and what an import brought."""
        eve = self._office.agent("claude-code", user="eve")
        eve.ask("What is known of walruses?")
        eve("memory_start_session", topics=["walruses"])
        eve.moves(eve("work_create_task", title="Feed the walruses", type="bug").slug, "ready")
        now = self._month.memory.clock.now
        self._month.memory.insert(
            MemorySession(
                uid="00000000-0000-4000-8000-000000000001",
                user_id=self._month.memory.caller.user_id,
                client="import by cursor",
                started_at=now,
                updated_at=now,
                ended_at=now,
                one_liner="Imported",
            )
        )
