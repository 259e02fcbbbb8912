"""How sessions came to be, and what was asked of the brain and contributed to it."""

from datetime import timedelta

from sqlmodel import col, func, select

from bigmind.brain.tables import BrainQuery
from bigmind.memory.tables import Chunk, Conversation, MemorySession, SessionSummary
from bigmind.store.tables import ChangeRow
from bigmind.store.work import Work
from bigmind.trust.tally import Tally
from bigmind.usage.tables import UsageDay

STARTS = frozenset({"memory_start_session", "session_start"})
"""Operations by which a model starts a session."""
HOOK = "hook_"
CONTRIBUTES = "contribute_to_brain"
CONTEXT_TOKENS = 1_300
CHARACTERS = 4
"""Of a token, about."""


def count_sessions(work: Work, tally: Tally) -> None:
    """Sessions by who started them, those without hook or question, and what their starts spared."""
    period, mine = tally.period, MemorySession.user_id == work.caller.user_id
    within = (col(MemorySession.started_at) >= period.begin, col(MemorySession.started_at) < period.end)
    rows = work.session.exec(select(MemorySession).where(mine, *within).order_by(col(MemorySession.id))).all()
    openers = _openers(work, tally)
    told = set(work.session.exec(select(Conversation.session_id).where(Conversation.user_id == work.caller.user_id)))
    for row in rows:
        use, day = tally.of(row.client, row.project), tally.day(row.client, row.started_at)
        if use is None or day is None:
            continue
        day.sessions += 1
        opener = openers.get(row.uid, "")
        use.by_model += opener in STARTS
        use.by_hook += opener.startswith(HOOK)
        use.by_write += opener not in STARTS and not opener.startswith(HOOK)
        use.hookless += row.id not in told
        use.unasked += not _asked_in(work, row)
        use.spared += _spared(work, row) if opener in STARTS else 0
    _count_never(work, tally)


def _openers(work: Work, tally: Tally) -> dict[str, str]:
    """By which operation each session came to be."""
    changes = select(ChangeRow.entity, ChangeRow.operation).where(
        ChangeRow.user_id == work.caller.user_id,
        ChangeRow.kind == "session",
        ChangeRow.action == "created",
        col(ChangeRow.at) >= tally.period.begin,
        col(ChangeRow.at) < tally.period.end,
    )
    return dict(work.session.exec(changes).all())


def _asked_in(work: Work, row: MemorySession) -> bool:
    """Whether its agent put a question to the brain while the session was open."""
    asked = select(BrainQuery.id).where(
        BrainQuery.user_id == row.user_id,
        BrainQuery.client == row.client,
        BrainQuery.operation != CONTRIBUTES,
        col(BrainQuery.created_at) >= row.started_at,
        col(BrainQuery.created_at) <= (row.ended_at or row.started_at + timedelta(hours=24)),
    )
    return work.session.exec(asked.limit(1)).first() is not None


def _spared(work: Work, row: MemorySession) -> int:
    """What the session before it in its project holds, beyond what a context takes; in tokens, about."""
    if not row.project:
        return 0
    before = select(MemorySession.id).where(
        MemorySession.user_id == row.user_id,
        MemorySession.project == row.project,
        col(MemorySession.ended_at).is_not(None),
        col(MemorySession.started_at) < row.started_at,
    )
    key = work.session.exec(before.order_by(col(MemorySession.started_at).desc()).limit(1)).first()
    if key is None:
        return 0
    moments = select(func.coalesce(func.sum(func.length(Chunk.content)), 0)).where(col(Chunk.session_id) == key)
    detail = work.session.get(SessionSummary, key)
    words = work.session.exec(moments).one()
    if detail is not None:
        words += len(detail.summary) + sum(map(len, detail.key_facts))
    return max(0, words // CHARACTERS - CONTEXT_TOKENS)


def _count_never(work: Work, tally: Tally) -> None:
    """Conversations that hooks told of, and in which nobody started a session."""
    period = tally.period
    found = select(Conversation).where(
        Conversation.user_id == work.caller.user_id,
        col(Conversation.started_at) >= period.begin,
        col(Conversation.started_at) < period.end,
        col(Conversation.session_id).is_(None),
    )
    for row in work.session.exec(found):
        use = tally.of(row.client, row.project)
        if use is not None:
            use.never += 1


def count_brain(work: Work, tally: Tally) -> None:
    """Questions and contributions."""
    period = tally.period
    found = select(BrainQuery.client, BrainQuery.project, BrainQuery.operation, BrainQuery.created_at).where(
        BrainQuery.user_id == work.caller.user_id,
        col(BrainQuery.created_at) >= period.begin,
        col(BrainQuery.created_at) < period.end,
    )
    for client, project, operation, at in work.session.exec(found):
        use, day = tally.of(client, project), tally.day(client, at)
        if use is None or day is None:
            continue
        if operation == CONTRIBUTES:
            use.contributions += 1
            day.contributions += 1
        else:
            use.questions += 1
            day.questions += 1


def count_served(work: Work, tally: Tally) -> None:
    """Calls and tokens, as they are kept by day."""
    found = select(UsageDay).where(
        UsageDay.user_id == work.caller.user_id,
        col(UsageDay.day) >= tally.period.first.isoformat(),
        col(UsageDay.day) <= tally.period.last.isoformat(),
    )
    for row in work.session.exec(found):
        use = tally.of(row.client, row.project)
        if use is not None:
            use.calls += row.calls
            use.tokens += row.tokens
