"""What an agent is told whose work a person took for good: the ledger keeps who held it, and no word of it."""

import json
from datetime import timedelta

from sqlmodel import col, select

from bigmind.core.shapes import as_object
from bigmind.store.work import Work
from bigmind.work.roles import agent_of
from bigmind.work.tables import WorkLedgerRow

GONE = {"deleted": "deleted", "forgotten": "forgot"}
"""Kinds of rows that say so, and how it is told."""
TOLD_FOR = timedelta(days=1)


def missing_hint(work: Work, find: str) -> str:
    """What who names an item that is not there is told: what shows the others; first, whether one it held was taken."""
    return f"{taken} Otherwise, {find}" if (taken := _taken_from_caller(work)) else find


def _taken_from_caller(work: Work) -> str:
    lately = (col(WorkLedgerRow.at) > work.now - TOLD_FOR, col(WorkLedgerRow.kind).in_(GONE))
    rows = select(WorkLedgerRow).where(*lately).order_by(col(WorkLedgerRow.number).desc())
    agent = agent_of(work)
    for each in work.session.exec(rows):
        if as_object(json.loads(each.body)).get("holder") == agent:
            told = f"A person {GONE[each.kind]} work that you held, at {each.at:%H:%M} UTC."
            return f"{told} If you mean that, stop: nothing is left to hand over."
    return ""
