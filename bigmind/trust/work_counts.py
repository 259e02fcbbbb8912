"""How gates were passed: at once, after a refusal, by force; and who judged whose work. By the rows of the ledger."""

import json
from datetime import timedelta
from typing import Any

from sqlmodel import col, select

from bigmind.brain.tables import BrainQuery
from bigmind.core.shapes import as_object, is_list
from bigmind.protocol.tables import ProtocolRun, ProtocolViolation
from bigmind.store.work import Work
from bigmind.trust.memory_counts import CONTRIBUTES
from bigmind.trust.tally import Tally
from bigmind.work.node_tables import WorkNodeGate
from bigmind.work.tables import WorkConfirmation, WorkItem, WorkLedgerRow

MOVED, REFUSED = frozenset({"moved", "run_moved"}), frozenset({"refused", "run_refused"})
FORCED = "run_forced"
CLAIMED = "active"
ASKED_WITHIN = timedelta(hours=1)
SYSTEM = "system"


def count_moves(work: Work, tally: Tally) -> None:
    """Gates that were passed, and moves that were held back, of items and of runs.

    A move with gates passed them at once, unless the same move of the same thing was held back since it moved last.
    """
    period, projects = tally.period, _projects(work)
    found = select(WorkLedgerRow).where(col(WorkLedgerRow.at) < period.end).order_by(col(WorkLedgerRow.number))
    held_back: set[tuple[str, str]] = set()
    for row in work.session.exec(found.where(col(WorkLedgerRow.kind).in_([*MOVED, *REFUSED, FORCED]))):
        body = as_object(json.loads(row.body))
        if body.get("user") != work.caller.user_id or body.get("actor") == SYSTEM:
            continue
        place = row.item_uid, str(body.get("to", ""))
        if row.at >= period.begin:
            _count_row(work, tally, row, body, projects.get(row.item_uid), was_held=place in held_back)
        if row.kind in REFUSED:
            held_back.add(place)
        else:
            held_back = {each for each in held_back if each[0] != row.item_uid}


def _count_row(
    work: Work, tally: Tally, row: WorkLedgerRow, body: dict[str, Any], project: str | None, *, was_held: bool
) -> None:
    client = str(body.get("client", ""))
    use, day = tally.of(client, project), tally.day(client, row.at)
    if use is None or day is None:
        return
    if row.kind in REFUSED:
        use.refused += 1
        return
    day.moves += 1
    gates = body.get("gates")
    if row.kind == FORCED or body.get("violations"):
        use.forced += 1
    elif is_list(gates) and gates:
        use.after_refusal += was_held
        use.at_once += not was_held
    if row.kind == "moved" and body.get("to") == CLAIMED:
        use.claims += 1
        use.asked_claims += _asked_before(work, row, client)


def _asked_before(work: Work, row: WorkLedgerRow, client: str) -> bool:
    asked = select(BrainQuery.id).where(
        BrainQuery.user_id == work.caller.user_id,
        BrainQuery.client == client,
        BrainQuery.operation != CONTRIBUTES,
        col(BrainQuery.created_at) >= row.at - ASKED_WITHIN,
        col(BrainQuery.created_at) <= row.at,
    )
    return work.session.exec(asked.limit(1)).first() is not None


def _projects(work: Work) -> dict[str, str | None]:
    """The project of each item and run."""
    items = work.session.exec(select(WorkItem.uid, WorkItem.project)).all()
    runs = work.session.exec(select(ProtocolRun.uid, ProtocolRun.project)).all()
    return dict([*items, *runs])


def count_reviews(work: Work, tally: Tally) -> dict[str, int]:
    """Work that was reviewed or checked by who made it; returns the yeses of the person by their places."""
    period = tally.period
    reviewed = select(WorkItem).where(
        col(WorkItem.self_reviewed).is_(True),
        WorkItem.user_id == work.caller.user_id,
        col(WorkItem.updated_at) >= period.begin,
        col(WorkItem.updated_at) < period.end,
    )
    for item in work.session.exec(reviewed):
        use = tally.of(item.worked_by, item.project)
        if use is not None:
            use.self_reviewed += 1
    checked = select(WorkNodeGate, WorkItem).join(WorkItem, col(WorkItem.id) == col(WorkNodeGate.item_id))
    checked = checked.where(col(WorkNodeGate.self_checked).is_(True), WorkItem.user_id == work.caller.user_id)
    for gate, item in work.session.exec(
        checked.where(col(WorkNodeGate.at) >= period.begin, col(WorkNodeGate.at) < period.end)
    ):
        use = tally.of(gate.by, item.project)
        if use is not None:
            use.self_checked += 1
    yeses: dict[str, int] = {}
    given = select(WorkConfirmation.place).where(
        WorkConfirmation.user_id == work.caller.user_id,
        col(WorkConfirmation.at) >= period.begin,
        col(WorkConfirmation.at) < period.end,
    )
    for place in work.session.exec(given):
        yeses[place] = yeses.get(place, 0) + 1
    return yeses


def count_runs(work: Work, tally: Tally) -> None:
    """Protocol runs, and their violations with what was made good."""
    period, mine = tally.period, ProtocolRun.user_id == work.caller.user_id
    begun = select(ProtocolRun).where(
        mine,
        col(ProtocolRun.is_imported).is_(False),
        col(ProtocolRun.created_at) >= period.begin,
        col(ProtocolRun.created_at) < period.end,
    )
    for run in work.session.exec(begun):
        use = tally.of(run.client, run.project)
        if use is not None:
            use.runs += 1
            use.complete_runs += run.outcome == "COMPLETE"
    told = select(ProtocolViolation, ProtocolRun).join(
        ProtocolRun, col(ProtocolRun.id) == col(ProtocolViolation.run_id)
    )
    for violation, run in work.session.exec(
        told.where(mine, col(ProtocolViolation.at) >= period.begin, col(ProtocolViolation.at) < period.end)
    ):
        use = tally.of(run.client, run.project)
        if use is not None:
            use.violations += 1
            use.made_good += violation.recovered_at is not None
