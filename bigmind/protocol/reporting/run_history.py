"""The last runs of a workspace, as the next one is told of them."""

from sqlmodel import col, select

from bigmind.caution.detect import pending
from bigmind.memory.tables import Chunk, Fact, MemorySession
from bigmind.operations.token_scope import tells_of
from bigmind.protocol.answers import MOST_HISTORY, PastRun
from bigmind.protocol.tables import ProtocolRun
from bigmind.store.work import Work
from bigmind.text.headline import headline

MOST_DECISIONS = 5
LONGEST_DECISION = 300


def history(work: Work, workspace_id: int | None, most: int = MOST_HISTORY, *, without: str = "") -> list[PastRun]:
    """The last runs of a workspace that ended, the newest first."""
    ended = select(ProtocolRun).where(
        ProtocolRun.user_id == work.caller.user_id,
        ProtocolRun.workspace_id == workspace_id,
        col(ProtocolRun.ended_at).is_not(None),
        ProtocolRun.uid != without,
    )
    newest = (col(ProtocolRun.ended_at).desc(), col(ProtocolRun.id).desc())
    return [past_run(work, each) for each in work.session.exec(ended.order_by(*newest).limit(most))]


def past_run(work: Work, row: ProtocolRun) -> PastRun:
    """A run that ended, as the next one is told of it, without what waits for a person's yes."""
    is_held_back = pending(row)
    return PastRun(
        session_id=row.name,
        objective="left out: it waits for a person" if is_held_back else row.objective,
        outcome=row.outcome,
        commit_sha=row.commit_sha,
        key_decisions=_decisions(work, row),
        next_session_notes="" if is_held_back else row.next_session_notes,
        is_from_file=row.is_imported,
    )


def _decisions(work: Work, row: ProtocolRun) -> list[str]:
    """The flagged moments and decision records of a run's memory session, at most 5, the newest first.

    They are of the memory: a token whose scope has none of it is told none.
    """
    scope = work.caller.scope
    if scope is not None and not tells_of(scope, {"memory"}):
        return []
    found = select(MemorySession.id).where(
        MemorySession.uid == row.memory_session, MemorySession.user_id == work.caller.user_id
    )
    session_id = work.session.exec(found).first()
    if session_id is None:
        return []
    facts = select(Fact.text).where(
        Fact.session_id == session_id,
        Fact.category == "decision",
        Fact.caution == "",
        col(Fact.deprecated_at).is_(None),
    )
    of_session = Chunk.session_id == session_id, Chunk.user_id == work.caller.user_id
    flagged = select(Chunk.content).where(*of_session, Chunk.caution == "", Chunk.flag_reason != "")
    told = [
        *work.session.exec(facts.order_by(col(Fact.id).desc()).limit(MOST_DECISIONS)),
        *work.session.exec(flagged.order_by(col(Chunk.id).desc()).limit(MOST_DECISIONS)),
    ]
    return [headline(each, LONGEST_DECISION) for each in told[:MOST_DECISIONS]]
