"""Whether the guide of the memory was served to the agent of a run; that it was is kept with the run's evidence."""

from datetime import timedelta

from sqlmodel import select

from bigmind.protocol.document.protocol_record import Phase
from bigmind.protocol.judging.run_record import SERVED
from bigmind.protocol.tables import ProtocolEvidence, ProtocolRun
from bigmind.store.work import Work

TOOL = "memory_get_instructions"
GUIDE = "guide"
"""How it is called among the texts that a run was served."""
BEFORE_RUN = timedelta(hours=1)
"""Of one conversation: an agent that reads the guide first begins its run within it."""
TOLD = "the guide was served to this assistant"


def how_known(work: Work, row: ProtocolRun) -> str:
    """In words, where it is known that the guide was served for a run; empty where nobody can know."""
    return TOLD if _is_kept(work, row) or _was_served(work, row) else ""


def keep(work: Work, row: ProtocolRun) -> None:
    """Write down that the guide was served: what was given last is kept in memory only, and for a while."""
    if _was_served(work, row) and not _is_kept(work, row):
        evidence = ProtocolEvidence(
            run_id=row.id or 0, at=work.now, client=row.client, phase=Phase.MEMORY_INIT.value, type=SERVED
        )
        evidence.step, evidence.text, evidence.is_verified = GUIDE, TOOL, True
        work.session.add(evidence)
        work.session.flush()


def _is_kept(work: Work, row: ProtocolRun) -> bool:
    found = select(ProtocolEvidence.id).where(
        ProtocolEvidence.run_id == row.id,
        ProtocolEvidence.phase == Phase.MEMORY_INIT.value,
        ProtocolEvidence.type == SERVED,
    )
    return work.session.exec(found.limit(1)).first() is not None


def _was_served(work: Work, row: ProtocolRun) -> bool:
    """Whether it is among the last texts that the caller's assistant was given, where it runs this run."""
    if row.ended_at is not None or row.client != work.caller.client:
        return False
    longest = (work.now - row.created_at + BEFORE_RUN).total_seconds()
    given = work.host.activity.deliveries(work.caller.user_id, work.caller.agent)
    return any(each.source == TOOL and not each.is_error and ago <= longest for ago, each in given)
