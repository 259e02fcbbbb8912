"""How much is remembered, and how much room it takes."""

from typing import TYPE_CHECKING, Any

from sqlmodel import col

from bigmind.brain.finding.waiting_thoughts import count_queue
from bigmind.brain.tables import Thought
from bigmind.core.events import Action
from bigmind.core.lazy_module import LazyModule
from bigmind.core.operation import Space
from bigmind.embedding.embedder import State
from bigmind.kinds import of_caller, waiting
from bigmind.maintenance.answers import Stats
from bigmind.memory.facts.service import get_profile
from bigmind.memory.lookup import count
from bigmind.memory.tables import Chunk, Fact, Hypothesis, Knowledge, MemorySession
from bigmind.search.indexer import Progress, progress
from bigmind.search.model_choice import STOPPED
from bigmind.store.tables import ChangeRow
from bigmind.store.work import Work

if TYPE_CHECKING:
    from bigmind.brain import upkeep
    from bigmind.work.in_person import confirmations
else:
    confirmations = LazyModule("bigmind.work.in_person.confirmations")
    upkeep = LazyModule("bigmind.brain.upkeep")


def stats(work: Work, bytes_on_disk: int) -> Stats:
    """How much the caller's memory holds, by tier. Looks at no backup: pages ask for it each time they are shown."""
    mine = work.caller.user_id

    def own(table: Any, *conditions: Any) -> int:
        return count(work, table, table.user_id == mine, *conditions)

    embedding = progress(work)
    is_on = work.host.meaning.embedder is not None and bool(embedding.model or embedding.next)
    found = Stats(
        bytes_on_disk=bytes_on_disk,
        sessions=own(MemorySession),
        open_sessions=own(MemorySession, col(MemorySession.ended_at).is_(None)),
        sessions_with_detail=own(MemorySession, col(MemorySession.has_detail).is_(True)),
        chunks=own(Chunk),
        facts=own(Fact, col(Fact.deprecated_at).is_(None)),
        deprecated_facts=own(Fact, col(Fact.deprecated_at).is_not(None)),
        hypotheses=own(Hypothesis),
        open_hypotheses=own(Hypothesis, Hypothesis.status == "open"),
        profile=get_profile(work).updated_at is not None,
        knowledge=count(work, Knowledge, Knowledge.status == "approved"),
        pending_knowledge=count(work, Knowledge, Knowledge.status == "pending", *of_whom(work)),
        brain_waiting=count_queue(work),
        open_work=confirmations.count_open(work),
        work_waiting=confirmations.count_waiting(work),
        flagged=flagged(work),
        forgotten=own(ChangeRow, ChangeRow.action == Action.FORGOTTEN),
        waiting=embedding.waiting if is_on else 0,
        meaning=meaning_in_words(work, embedding),
    )
    if is_on:
        everything = found.sessions + found.chunks + found.facts + found.deprecated_facts + found.hypotheses
        everything += own(Thought, Thought.space == Space.PRIVATE.value, col(Thought.noise_at).is_(None))
        found.embedded = max(0, everything - embedding.waiting - embedding.failed)
    return found


def meaning_in_words(work: Work, embedding: Progress) -> str:
    """How search by meaning is: the model, what waits for it; or why there is none."""
    meaning = work.host.meaning
    if meaning.embedder is None:
        return f"not searched: {meaning.why_not}"
    told = [embedding.model or "not searched: no embedding model is chosen"]
    if embedding.next:
        told.append(f"changing to {embedding.next}")
    if embedding.waiting:
        told.append(f"{embedding.waiting:,} items wait to be embedded")
    if embedding.failed:
        told.append(f"{embedding.failed:,} items could not be embedded")
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
    return sum(count(work, each.table, *of_caller(work, each), *waiting(each)) for each in work.kinds)


def full_stats(work: Work) -> Stats:
    """As `stats`, with how much the brain holds, and the sizes of the log and of the backups."""
    from bigmind.backup.files import backups_in  # noqa: PLC0415 - not needed by the pages

    found = backups_in(work.store.safekeeping.folder)
    verified = [each.taken_at for each in found if not each.problem]
    brain = upkeep.holdings(work)
    return stats(work, work.store.size_in_bytes()).model_copy(
        update={
            "thoughts": brain.living,
            "shared_thoughts": brain.shared,
            "noise": brain.noise,
            "questions": brain.questions,
            "bytes_of_log": work.store.log_in_bytes(),
            "backups": len(found),
            "bytes_of_backups": sum(each.path.stat().st_size for each in found),
            "newest_backup_at": max(verified, default=None),
        }
    )
