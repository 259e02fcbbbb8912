"""What a fact said before an import put other words in their place: kept in its history, as of an edit by hand."""

from typing import Any

from sqlmodel import select

from bigmind.memory.facts.history import FactAction
from bigmind.memory.tables import Fact
from bigmind.portable.format.records import MOST_TEXT, FactRecord
from bigmind.portable.outcome import Verdict
from bigmind.portable.verdicts import Decision
from bigmind.store.work import Work


def replaced_words(work: Work, decision: Decision, record: FactRecord) -> list[dict[str, Any]]:
    """The step of its history that keeps them, before the fact is written; none where nothing is lost, or it is told.

    A history that comes with the file, of an edit elsewhere, may have the step already.
    """
    if decision.key is None or decision.verdict is not Verdict.NEWER:
        return []
    said = work.session.exec(select(Fact.text).where(Fact.id == decision.key)).one()
    reason = f"fact was: {said}"[:MOST_TEXT]
    if said == record.text or any(reason in each.reason for each in record.history):
        return []
    event = {"fact_id": decision.key, "at": work.now, "client": work.caller.client, "action": FactAction.EDITED.value}
    return [event | {"reason": reason, "confidence": record.confidence, "other_uid": None}]
