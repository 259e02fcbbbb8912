"""How much is remembered, and how much room it takes."""

import logging
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

from sqlalchemy import func, literal, select
from sqlmodel import col

from bigmind.brain.finding.waiting_thoughts import queue_length
from bigmind.core.events import Action
from bigmind.core.lazy_module import LazyModule
from bigmind.embedding.embedder import State
from bigmind.flow.workflow import Process
from bigmind.kinds import of_caller, readable, waiting
from bigmind.maintenance.answers import Stats
from bigmind.memory.tables import Chunk, Fact, Hypothesis, Knowledge, MemorySession, Profile
from bigmind.search.model_choice import STOPPED
from bigmind.search.model_state import Progress, progress
from bigmind.store.driver_statements import first_row
from bigmind.store.tables import ChangeRow
from bigmind.store.work import Work
from bigmind.text.phrasing import counted
from bigmind.work.processes import known_processes
from bigmind.work.tables import WorkItem

if TYPE_CHECKING:
    from bigmind.brain import upkeep
    from bigmind.work.in_person import confirmations
else:
    confirmations = LazyModule("bigmind.work.in_person.confirmations")
    upkeep = LazyModule("bigmind.brain.upkeep")

log = logging.getLogger(__name__)

MOST_STATEMENTS = 64
_STATEMENTS: dict[Any, Any] = {}


def stats(work: Work, bytes_on_disk: int, *, is_whole: bool = False) -> Stats:
    """How much the caller's memory holds, by tier. Looks at no backup: pages ask for it each time they are shown.

    What is embedded is counted only while something waits, unless `is_whole`: that looks at every row.
    """
    # Where nothing is embedded, the queue only grows: it is not counted on each page.
    embedding = progress(work) if work.host.meaning.embedder is not None else Progress("", "", 0, 0)
    is_on = work.host.meaning.embedder is not None and bool(embedding.model or embedding.next)
    processes = list(known_processes(work))
    figures = first_row(work.session, _counting(work, processes), {})._asdict()
    written = figures.pop("profile_written")
    found = Stats(
        **figures,
        bytes_on_disk=bytes_on_disk,
        open_work=confirmations.count_open(work, processes),
        profile=written is not None,
        waiting=embedding.waiting if is_on else 0,
        meaning=meaning_in_words(work, embedding),
    )
    if is_on and (is_whole or embedding.waiting):
        found.embedded = max(0, _searched(work) - embedding.waiting - embedding.failed)
    return found


def _searched(work: Work) -> int:
    """How many items the caller may find: their own, and what is everybody's."""
    counts = (_number_of(each.table, readable(work, each)) for each in work.kinds.searched)
    return work.session.connection().execute(select(sum(counts, literal(0)))).scalar_one()


def _counting(work: Work, processes: Sequence[Process]) -> Any:
    """One statement with all counts of the caller's: building it takes longer than counting, so it is kept."""
    caller, kinds = work.caller, tuple(each.table for each in work.kinds)
    key = (caller.user_id, caller.role, kinds, tuple((each.name, each.version, each.digest) for each in processes))
    statement = _STATEMENTS.get(key)
    if statement is None:
        if len(_STATEMENTS) >= MOST_STATEMENTS:
            _STATEMENTS.clear()
        statement = _STATEMENTS[key] = select(*(each.label(name) for name, each in _counts(work, processes)))
    return statement


def _counts(work: Work, processes: Sequence[Process]) -> Iterator[tuple[str, Any]]:
    mine = work.caller.user_id

    def own(table: Any, *conditions: Any) -> Any:
        return _number_of(table, table.user_id == mine, *conditions)

    yield "sessions", own(MemorySession)
    yield "open_sessions", own(MemorySession, col(MemorySession.ended_at).is_(None))
    yield "sessions_with_detail", own(MemorySession, col(MemorySession.has_detail).is_(True))
    yield "chunks", own(Chunk)
    yield "facts", own(Fact, col(Fact.deprecated_at).is_(None))
    yield "deprecated_facts", own(Fact, col(Fact.deprecated_at).is_not(None))
    yield "hypotheses", own(Hypothesis)
    yield "open_hypotheses", own(Hypothesis, Hypothesis.status == "open")
    yield "knowledge", _number_of(Knowledge, Knowledge.status == "approved")
    yield "pending_knowledge", _number_of(Knowledge, Knowledge.status == "pending", *of_whom(work))
    yield "brain_waiting", queue_length(work).scalar_subquery()
    yield "work_waiting", _number_of(WorkItem, *confirmations.waiting_conditions(processes))
    yield "flagged", _flagged(work)
    yield "profile_written", select(col(Profile.updated_at)).where(col(Profile.user_id) == mine).scalar_subquery()


def meaning_in_words(work: Work, embedding: Progress) -> str:
    """How search by meaning is: the model, what waits for it; or why there is none."""
    meaning = work.host.meaning
    if meaning.embedder is None:
        return f"not searched: {meaning.why_not}"
    told = [embedding.model or "not searched: no embedding model is chosen"]
    if embedding.next:
        told.append(f"changing to {embedding.next}")
    if embedding.waiting:
        told.append(f"{counted(embedding.waiting, 'item waits', 'items wait')} to be embedded")
    if embedding.failed:
        told.append(f"{counted(embedding.failed, 'item')} could not be embedded")
    if meaning.has_stopped():
        told.append(STOPPED)
    if meaning.embedder.state is State.FAILED:
        told.append(f"it does not work: {meaning.embedder.failure}")
    if meaning.downloads is not None and (last := meaning.downloads.last) is not None and not last.is_over:
        told.append(f"{last.model} is being downloaded: {last.percent} %")
    return "; ".join(told)


def of_whom(work: Work) -> list[Any]:
    """Whose pending entries the caller may know of: everybody's as a curator, else one's own."""
    return of_caller(work, work.kinds["knowledge"])


def flagged(work: Work) -> int:
    """How much waits for the caller to read and accept it: their own, and of company knowledge what they may judge."""
    return work.session.connection().execute(select(_flagged(work))).scalar_one()


def _flagged(work: Work) -> Any:
    return sum((_number_of(each.table, *of_caller(work, each), *waiting(each)) for each in work.kinds), literal(0))


def _number_of(table: Any, *conditions: Any) -> Any:
    """How many rows meet the conditions, as a part of a statement."""
    return select(func.count()).select_from(table).where(*conditions).scalar_subquery()


def full_stats(work: Work) -> Stats:
    """As `stats`, with what was forgotten, how much the brain holds, and the sizes of the log and of the backups."""
    brain = upkeep.holdings(work)
    return stats(work, work.store.size_in_bytes(), is_whole=True).model_copy(
        update={
            "thoughts": brain.living,
            "shared_thoughts": brain.shared,
            "noise": brain.noise,
            "questions": brain.questions,
            "bytes_of_log": work.store.log_in_bytes(),
            "forgotten": _forgotten(work),
            **_of_backups(work),
        }
    )


def _of_backups(work: Work) -> dict[str, Any]:
    from bigmind.backup.files import backups_in  # noqa: PLC0415 - not needed by the pages

    try:
        found = backups_in(work.store.safekeeping.folder)
    except OSError as error:
        log.info("the folder of the backups cannot be read: %s", error)
        return {"backups": None}
    verified = [each.taken_at for each in found if not each.problem]
    return {
        "backups": len(found),
        "bytes_of_backups": sum(each.bytes for each in found),
        "newest_backup_at": max(verified, default=None),
    }


def _forgotten(work: Work) -> int:
    """How often the caller forgot something. It reads all of the caller's audit rows, so no page counts it."""
    mine = (ChangeRow.user_id == work.caller.user_id, ChangeRow.action == Action.FORGOTTEN)
    return work.session.connection().execute(select(_number_of(ChangeRow, *mine))).scalar_one()
