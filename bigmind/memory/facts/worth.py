"""Which facts a conversation should start with: what was confirmed, is sure, binds, and is fresh."""

from datetime import datetime, timedelta
from typing import Any

from sqlalchemy import ColumnElement, case, func
from sqlmodel import col, select

from bigmind.memory.facts.history import FactAction
from bigmind.memory.tables import Fact, FactEvent

OF_CONFIRMATION = 2.0
MOST_CONFIRMATIONS = 5
OF_CONFIDENCE = 4.0
"""From a fact that is certain to one that is as likely as not, half of it."""

OF_CATEGORY = {"constraint": 2.0, "decision": 1.0, "identity": 2.0, "preference": 2.0}
"""What binds is worth more than what can be looked up."""

FRESH = ((timedelta(days=14), 2.0), (timedelta(days=90), 1.0))
"""What was written or confirmed so lately is worth more."""


def by_worth(now: datetime) -> list[Any]:
    """The order of facts, the most useful first; equal ones by confidence, then the newest."""
    event = (FactEvent.fact_id == col(Fact.id), FactEvent.action == FactAction.CONFIRMED)
    confirmed: Any = select(func.count()).select_from(FactEvent).where(*event).correlate(Fact).scalar_subquery()
    worth: ColumnElement[float] = (
        OF_CONFIRMATION * func.min(confirmed, MOST_CONFIRMATIONS)
        + OF_CONFIDENCE * col(Fact.confidence)
        + case(OF_CATEGORY, value=col(Fact.category), else_=0.0)
        + case(*((col(Fact.updated_at) > now - age, points) for age, points in FRESH), else_=0.0)
    )
    return [worth.desc(), col(Fact.confidence).desc(), col(Fact.updated_at).desc(), col(Fact.id).desc()]
