"""What work costs in a store of 10,000 items and 50,000 rows of the ledger: beside the plain lookup of a fact.

The board is a page, and no lookup of a fact is one. So it stands beside three: the lookup that an agent makes (the
measure of the target), the same over the JSON API, which costs less, and the page of facts.
"""

import json
import os
from collections.abc import Callable, Iterator
from http.client import HTTPConnection
from pathlib import Path
from statistics import median
from time import perf_counter
from typing import Any

from bigmind.core.clock import system_clock
from bigmind.core.ids import new_id
from bigmind.core.operation import Caller, Role
from bigmind.people.service import NOBODY
from bigmind.wiring import open_mind
from bigmind.work.ledger.ledger_rows import Entry, append
from bigmind.work.tables import WorkDependency, WorkItem
from tests.bench.pages import signed_in
from tests.bench.report import Table, milliseconds, percentile, ratio, verdict
from tests.bench.wire import HttpClient
from tests.support import running_server

ITEMS, ROWS, DEPENDENTS, TIMES, WARMING = 10_000, 50_000, 1_000, 100, 10
MOST, MOST_SECONDS = 3.0, 1.0
TITLES = ("Round refunds to the cent", "Rotate the signing keys", "Drop stale sessions", "Print the tariff sheet")
STATES = ("backlog", "pending", "pending", "ready", "review", "complete", "complete")
AT_ONCE = 1_000
MEASURED = ("work_next", "a move: work_transition", "the board's first page")
"""What the target is for."""


def measure(folder: Path, *, quick: bool) -> Iterator[Table]:
    """`work_next`, a move, the board's first page, and an item that 1,000 others wait for."""
    items, rows, waiting, times = (200, 600, 20, 5) if quick else (ITEMS, ROWS, DEPENDENTS, TIMES)
    fill(folder / "home", items, rows, waiting)
    with running_server(folder / "home") as server:
        client = HttpClient(server.port, server.token("bridge"), modern=True, structured=True)
        client.call("memory_store_fact", category="decision", fact="Refunds are rounded half to even.")
        browser, api = signed_in(server), HTTPConnection("127.0.0.1", server.port, timeout=60)
        calls: dict[str, Callable[[int], Any]] = {
            "a fact's lookup: memory_list_facts": lambda _: client.call("memory_list_facts", limit=5),
            "work_next": lambda _: client.call("work_next", role="dev"),
            "a move: work_transition": lambda number: _moved(client, f"moved-{number}"),
            "the board's first page": lambda _: browser.get("/work"),
            "a fact's lookup: the JSON API": lambda _: _looked_up(api, server.token()),
            "the page of facts": lambda _: browser.get("/facts"),
        }
        taken: dict[str, list[float]] = {name: [] for name in calls}
        for number in range(times + WARMING):
            for name, call in calls.items():  # in turns, so that noise meets all of them
                begin = perf_counter()
                call(number)
                if number >= WARMING:
                    taken[name].append(perf_counter() - begin)
        seconds = _completed(client)
    yield _table(taken, items, rows)
    table = Table("Completing what others wait for", ("dependents", "seconds, one transaction", "target"))
    table.add(waiting, f"{seconds:.2f}", verdict(seconds, MOST_SECONDS, " s"))
    yield table


def _looked_up(api: HTTPConnection, token: str) -> None:
    headers = {"Authorization": f"Bearer {token}", "Content-Type": "application/json"}
    api.request("POST", "/api/v1/memory_list_facts", json.dumps({"limit": 5}), headers)
    answer = api.getresponse()
    told = answer.read()
    assert answer.status == 200, told[:300]


def _moved(client: HttpClient, slug: str) -> None:
    """Pending and back: a whole move without a memory gate, with its row of the ledger."""
    client.call("work_transition", slug=slug, to="backlog", role="pdsa")


def _completed(client: HttpClient) -> float:
    """A person completes the item that many wait for."""
    begin = perf_counter()
    client.call("work_transition", slug="first", to="complete", role="liaison")
    return perf_counter() - begin


def _table(taken: dict[str, list[float]], items: int, rows: int) -> Table:
    base, *_ = taken.values()
    table = Table(
        f"Work beside a fact's lookup, {items:,} items and {rows:,} rows of the ledger, over MCP",
        ("call", "p50 ms", "p95 ms", "median of ratios", "target"),
    )
    for name, seconds in taken.items():
        times = median(one / other for one, other in zip(seconds, base, strict=True))
        target = verdict(times, MOST, " ×") if name in MEASURED else ""
        table.add(name, milliseconds(median(seconds)), milliseconds(percentile(seconds, 0.95)), ratio(times, 1), target)
    return table


def fill(home: Path, items: int, rows: int, waiting: int) -> None:
    """A store with so many items, the first of which others wait for, and so many rows of the ledger."""
    mind = open_mind(home, os.environ.get("USER", "root"))
    caller = Caller(1, "root", Role.ADMIN, "planner", 1)
    made = 0
    while made < items:
        with mind.store.write(caller, "fill") as work:
            for number in range(made, min(made + AT_ONCE, items)):
                work.session.add(_item(number, waiting))
        made += AT_ONCE
    _write_ledger(mind, caller, rows, waiting)
    mind.close()


def _item(number: int, waiting: int) -> WorkItem:
    now = system_clock()
    slug, state = f"item-{number}", STATES[number % len(STATES)]
    if number == 0:
        slug, state = "first", "review"
    elif number <= waiting:
        slug, state = f"waits-{number}", "pending"
    elif number <= waiting + TIMES + WARMING:
        slug, state = f"moved-{number - waiting - 1}", "pending"
    role = "liaison" if number == 0 else "dev"
    return WorkItem(
        uid=new_id(),
        slug=slug,
        user_id=1,
        created_at=now,
        updated_at=now,
        project="refunds",
        client="planner",
        process="task",
        state=state,
        role=role,
        entered_at=now,
        title=f"{TITLES[number % len(TITLES)]} {number}",
        dna='{"abstract_ref": "docs/a.md"}' if number == 0 else "{}",
    )


def _write_ledger(mind: Any, caller: Caller, rows: int, waiting: int) -> None:
    """A row for each item, and refusals up to that number; what waits for the first, and a yes to it."""
    from sqlmodel import col, select  # noqa: PLC0415 - only to fill

    from bigmind.work.tables import WorkConfirmation  # noqa: PLC0415 - only to fill

    with mind.store.read(NOBODY, "fill") as work:
        keys = list(work.session.exec(select(WorkItem.id).order_by(col(WorkItem.id))).all())
    written = 0
    while written < rows:
        with mind.store.write(caller, "fill") as work:
            for number in range(written, min(written + AT_ONCE, rows)):
                row = work.session.get(WorkItem, keys[number % len(keys)])
                kind = "created" if number < len(keys) else "refused"
                append(work, Entry(kind, row.uid, {"from": "pending", "to": "active", "fault": "gates"}), row)
                work.session.add(row)
        written += AT_ONCE
    with mind.store.write(caller, "fill") as work:
        work.session.add_all(WorkDependency(item_id=keys[each], other_id=keys[0]) for each in range(1, waiting + 1))
        rest = range(waiting + TIMES + WARMING + 1, len(keys))  # each waits for the one before
        work.session.add_all(WorkDependency(item_id=keys[each], other_id=keys[each - 1]) for each in rest)
        first = work.session.get(WorkItem, keys[0])
        yes = WorkConfirmation(item_id=keys[0], user_id=1, revision=first.revision, at=system_clock(), place="window")
        work.session.add(yes)
