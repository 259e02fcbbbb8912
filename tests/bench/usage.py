"""What the page Usage takes where a year left 100,000 changes and 50,000 rows of the ledger."""

import json
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime, timedelta
from pathlib import Path
from random import Random
from time import perf_counter
from typing import Any

from bigmind.brain.tables import BrainQuery, BrainSession
from bigmind.core.ids import new_id
from bigmind.core.operation import Caller
from bigmind.memory.tables import MemorySession
from bigmind.people.service import mint_token
from bigmind.people.token_format import TokenKind
from bigmind.store.tables import ChangeRow
from bigmind.store.work import Work
from bigmind.trust.count_sheet import UsageQuery
from bigmind.trust.usage_report import usage_report
from bigmind.usage.tables import UsageDay
from bigmind.wiring import Mind
from bigmind.work.tables import WorkItem, WorkLedgerRow
from tests.bench.pages import Browser
from tests.bench.report import Table, milliseconds, percentile, verdict
from tests.ui.serving import opened, serving

CHANGES, LEDGER, QUESTIONS, SESSIONS, ITEMS = 100_000, 50_000, 20_000, 5_000, 4_000
DAYS, TIMES = 365, 20
RANGES, USUAL = (7, 30, 90, 365), 30
AGENTS = ("claude-code", "codex", "cursor/reviewer", "zed", "gemini-cli")
PROJECTS = tuple(f"example.org/ada/project-{number}" for number in range(8))
MOST = 0.200


@dataclass
class Filler:
    """Fills a store with a year."""

    work: Work
    dice: Random

    def fill(self) -> None:
        """Write all of it."""
        tokens = {name: mint_token(self.work, 1, name.split("/")[0], TokenKind.CLIENT).row for name in AGENTS}
        self.work.session.flush()
        keys = {name: row.id for name, row in tokens.items()}
        now = self.work.now
        chain = BrainSession(uid="q-bench", user_id=1, client="codex", started_at=now, last_used_at=now)
        self.work.session.add(chain)
        self.work.session.flush()
        parts: tuple[tuple[Any, Iterator[dict[str, Any]]], ...] = (
            (ChangeRow, self._changes()),
            (WorkItem, self._items()),
            (WorkLedgerRow, self._ledger()),
            (BrainQuery, self._questions(chain.id or 0)),
            (MemorySession, self._sessions(keys)),
            (UsageDay, self._served()),
        )
        for table, rows in parts:
            self.work.session.add_all(table(**each) for each in rows)
            self.work.session.flush()
            self.work.session.expunge_all()

    def _at(self, place: float) -> datetime:
        return self.work.now - timedelta(days=DAYS * (1 - place))

    def _changes(self) -> Iterator[dict[str, Any]]:
        for number in range(CHANGES):
            told = {"user_id": 1, "client": self.dice.choice(AGENTS), "operation": "memory_store_fact", "kind": "fact"}
            yield {**told, "at": self._at(number / CHANGES), "entity": new_id(), "action": "created"}

    def _items(self) -> Iterator[dict[str, Any]]:
        for number in range(ITEMS):
            at = self._at(number / ITEMS)
            yield {
                "uid": f"item-{number}",
                "slug": f"item-{number}",
                "user_id": 1,
                "client": "codex",
                "state": "review",
                "process": "solo",
                "role": "dev",
                "created_at": at,
                "updated_at": at,
                "entered_at": at,
                "title": f"Item {number}",
                "project": self.dice.choice(PROJECTS),
                "due": [],
            }

    def _ledger(self) -> Iterator[dict[str, Any]]:
        gate = {"gate": "memory_queried", "level": "MUST", "passed": True, "seen": {"question": new_id()}}
        for number in range(1, LEDGER + 1):
            agent, at = self.dice.choice(AGENTS), self._at(number / LEDGER)
            item = f"item-{min(ITEMS - 1, number * ITEMS // LEDGER)}"
            refused = self.dice.random() < 0.2
            body: dict[str, Any] = {
                "kind": "moved",
                "item": item,
                "at": at.isoformat(),
                "user": 1,
                "client": agent,
                "actor": "agent",
                "surface": "client",
                "operation": "work_transition",
                "from": "pending",
                "to": "active",
                "log": number,
                "process": "solo@1:0123456789abcdef",
                "holder": "",
                "gates": [{**gate, "passed": not refused}] * 2,
                "violations": [],
                "texts": {"reason": "0" * 64},
                "role": "dev",
                "after": {"holder": agent, "worked_by": agent, "state": "active", "due": [], "saved": None},
            }
            kind = "refused" if refused else "moved"
            row = {"number": number, "at": at, "item_uid": item, "kind": kind, "body": json.dumps(body)}
            yield {**row, "before": f"{number:064}", "digest": f"{number:064}"}

    def _questions(self, chain: int) -> Iterator[dict[str, Any]]:
        for number in range(QUESTIONS):
            told = {"uid": new_id(), "user_id": 1, "session_id": chain, "created_at": self._at(number / QUESTIONS)}
            told |= {"client": self.dice.choice(AGENTS), "project": self.dice.choice(PROJECTS)}
            told["operation"] = "query_brain"
            yield {**told, "outcome": self.dice.choice(("answered", "stored")), "text": "What is known?", "returned": 0}

    def _sessions(self, keys: dict[str, int | None]) -> Iterator[dict[str, Any]]:
        for number in range(SESSIONS):
            agent, at = self.dice.choice(AGENTS), self._at(number / SESSIONS)
            told = {"uid": new_id(), "user_id": 1, "client": agent, "token_id": keys[agent], "started_at": at}
            told |= {"updated_at": at, "ended_at": at + timedelta(minutes=30), "connection": f"c{number}"}
            yield {**told, "project": self.dice.choice(PROJECTS), "one_liner": f"Session {number}"}

    def _served(self) -> Iterator[dict[str, Any]]:
        for day in range(DAYS):
            for agent in AGENTS:
                told = {"user_id": 1, "day": self._at(day / DAYS).date().isoformat(), "client": agent.split("/")[0]}
                yield {**told, "project": PROJECTS[day % 8], "calls": 9, "tokens": 9_000, "sources": 900, "spared": 90}


def measure(folder: Path, *, quick: bool = False) -> list[Table]:
    """What the counts and the page take, for ranges of several lengths."""
    times = TIMES // 10 if quick else TIMES
    table = Table("Usage", ("what", "median", "p95", "target"))
    with opened(folder / "home") as (mind, caller):
        with mind.store.write(caller, "fill") as work:
            Filler(work, Random(5)).fill()
        with serving(mind, caller) as server:
            browser = Browser(server.port)
            browser.get(server.link().removeprefix(server.url))
            for days in RANGES:
                last = mind.store.clock().date()
                query = UsageQuery(last - timedelta(days=days - 1), last)
                counts = [_counted(mind, caller, query) for _ in range(times)]
                browser.close()
                browser = Browser(server.port, browser.cookie)  # a server of tests keeps no connection for long
                pages = [browser.get(f"/usage?days={days}")[0] for _ in range(times)]
                for what, seconds in (("counts", counts), ("page", pages)):
                    p95 = percentile(seconds, 0.95)
                    target = verdict(p95, MOST, " s") if (what, days) == ("page", USUAL) else ""
                    told = milliseconds(percentile(seconds, 0.5)), milliseconds(p95), target
                    table.add(f"{what} of {days} days", *told)
            browser.close()
    table.notes.append(
        f"In milliseconds; {CHANGES:,} changes, {LEDGER:,} ledger rows, {QUESTIONS:,} questions in a year."
    )
    return [table]


def _counted(mind: Mind, caller: Caller, query: UsageQuery) -> float:
    with mind.store.read(caller, "bench") as work:
        begin = perf_counter()
        usage_report(work, query)
        return perf_counter() - begin
