"""The memory session of a run, closed as the run ends. Several runs of one connection may share it."""

from sqlmodel import col, select

from bigmind.memory.sessions.service import Ending, end_session
from bigmind.memory.tables import MemorySession
from bigmind.operations.inputs import LONGEST_HEADLINE
from bigmind.protocol.tables import ProtocolRun
from bigmind.store.work import Work
from bigmind.text.headline import headline


def end_memory(work: Work, row: ProtocolRun) -> str:
    """Close the memory session of a run that ended, where it is there and open, with what its runs did.

    Returns:
        The name of the run that it stays open for; empty where there is none.
    """
    runs = _sharing(work, row)
    if still := next((each for each in runs if each.ended_at is None), None):
        return still.name
    mine = MemorySession.user_id == work.caller.user_id
    session = work.session.exec(select(MemorySession).where(mine, MemorySession.uid == row.memory_session)).first()
    if session is None or session.ended_at is not None:
        return ""
    outcome = " ".join(f"Protocol run {each.name}: {each.outcome}." for each in runs)
    summary = "\n\n".join(each.summary for each in runs if each.summary)
    line = headline(row.summary, LONGEST_HEADLINE) or row.objective[:LONGEST_HEADLINE]
    end_session(work, session.uid, Ending(line, (), outcome, summary=summary))
    return ""


def _sharing(work: Work, row: ProtocolRun) -> list[ProtocolRun]:
    """The runs of that memory session, itself among them, the one that ended first first."""
    mine = select(ProtocolRun).where(ProtocolRun.user_id == work.caller.user_id)
    shared = mine.where(ProtocolRun.memory_session == row.memory_session, ProtocolRun.memory_session != "")
    return list(work.session.exec(shared.order_by(col(ProtocolRun.ended_at), col(ProtocolRun.id)))) or [row]
