"""How the memory is: each check says what it found, what that means, and which operation mends it.

Checks only read, each in a snapshot of its own, so that nobody who writes waits for them.
"""

import re
import shutil
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import timedelta
from typing import Any

from sqlmodel import col, select

from bigmind.core.errors import BigMindError, Code
from bigmind.core.operation import Offer, offered_only
from bigmind.core.progress import Progress
from bigmind.disk.trouble import disk_trouble
from bigmind.embedding.models import DEFAULT
from bigmind.kinds import of_caller, waiting
from bigmind.maintenance.answers import Finding, Health, Severity
from bigmind.maintenance.reindexing import is_orphan, is_up_to_date
from bigmind.maintenance.statistics import flagged, of_whom
from bigmind.maintenance.storage_findings import backup_findings, memory_of_app
from bigmind.memory.facts.contradictions import open_contradictions
from bigmind.memory.lookup import count
from bigmind.memory.rules import AUTO_CLOSE_AFTER
from bigmind.memory.tables import Chunk, Fact, Knowledge, MemorySession
from bigmind.people.other_account import memory_of_another
from bigmind.search.model_state import is_outdated, progress
from bigmind.search.reembedding import useless_vectors, without_vectors
from bigmind.store.access import Access
from bigmind.store.store import Store
from bigmind.store.work import Work
from bigmind.text.phrasing import counted, megabytes

EXAMPLES, EXAMPLES_OF_PAIRS = 5, 10
LOW_CONFIDENCE = 0.3
LEAST_FREE = 200 * 1_048_576
"""Bytes that should be free beside twice the store: a backup and writing the file anew need room."""

REINDEX = "`bigmind memory reindex` rebuilds the indexes from the rows."
RESTORE = "`bigmind backup restore` brings a backup back; what it replaces is kept aside."


@dataclass(frozen=True, slots=True)
class CheckContext:
    """What a check is given."""

    access: Access
    stale_days: int

    @property
    def store(self) -> Store:
        """The store."""
        return self.access.store


@dataclass(frozen=True, slots=True)
class Check:
    """Something that is looked at, in words, and the function that looks."""

    about: str
    look: Callable[[CheckContext], Iterator[Finding]]


def look_after(access: Access, stale_days: int) -> Health:
    """Run every check, the gravest first."""
    asked = CheckContext(access, stale_days)
    findings = list({each.code: each for check in _told(access.progress) for each in _looked(check, asked)}.values())
    offer = access.caller.offer
    findings = [each.model_copy(update={"remedy": _remedy(each.remedy, offer)}) for each in findings]
    return Health(
        ok=all(each.severity == "note" for each in findings),
        findings=findings,
        checked=[check.about for check in CHECKS],
    )


def _remedy(told: str, offer: Offer) -> str:
    """What of a remedy its reader can do; the rest is a person's."""
    return " ".join(offered_only(offer, re.split(r"(?<=[;.]) ", told))) or "A person can mend it, on the page Health."


def _told(progress: Progress) -> Iterator[Check]:
    """The checks, each told before it begins."""
    for done, check in enumerate(CHECKS):
        progress(done, len(CHECKS), f"Looking at {check.about}")
        yield check
    progress(len(CHECKS), len(CHECKS), "Done looking")


def _looked(check: Check, asked: CheckContext) -> list[Finding]:
    """What a check finds; where it cannot read because of damage, that."""
    try:
        return list(check.look(asked))
    except BigMindError as error:
        if error.code is not Code.STORE_UNUSABLE:
            raise
        if asked.store.condition.damage:
            return []  # told already
        meaning = f"{check.about} cannot be read: {error.message}"
        return [Finding.of("file_damaged", "problem", meaning, 1, RESTORE)]


def _file(asked: CheckContext) -> Iterator[Finding]:
    """Every page, every row, and what refers to what; where that is whole, the full-text indexes against the rows."""
    from bigmind.backup.restore_offer import offer_in_words  # noqa: PLC0415 - needed here only

    if found := asked.store.look():
        remedy = offer_in_words(asked.store)
        yield Finding.of("file_damaged", "problem", asked.store.condition.in_words, len(found), remedy)
        return
    with asked.access.read() as work:
        referring = work.backend.maintenance.broken_references(work.session.connection())
    # Moments whose session is missing have a check of their own.
    if lost := sum(table != "chunk" for table in referring):
        yield Finding.of("rows_without_owner", "problem", "Rows that refer to what does not exist.", lost, RESTORE)
    if differ := len(_index_problems(asked)):
        yield Finding.of(
            "fulltext_damaged", "problem", "A full-text index is damaged: search may miss things.", differ, REINDEX
        )


def _index_problems(asked: CheckContext) -> list[str]:
    from bigmind.backup.verification import index_problems  # noqa: PLC0415 - needed here only

    try:
        return index_problems(asked.store)
    except BigMindError as error:
        if error.code is not Code.STORAGE_FULL and not disk_trouble(asked.store.home):
            raise
        return []  # another finding says so


def _indexes(asked: CheckContext) -> Iterator[Finding]:
    with asked.access.read() as work:
        differ = work.backend.maintenance.out_of_step(work.session.connection())
    if differ:
        yield Finding.of(
            "fulltext_out_of_step",
            "problem",
            "Rows that are not in their full-text index, or the reverse.",
            differ,
            REINDEX,
        )
    if not is_up_to_date(asked.store):
        meaning = "What is derived from the texts is of another version of BigMind."
        yield Finding.of("derived_out_of_date", "warning", meaning, 1, REINDEX)


def _vectors(asked: CheckContext) -> Iterator[Finding]:
    with asked.access.read() as work:
        differ = without_vectors(work) + useless_vectors(work)
    if differ:
        yield Finding.of(
            "vectors_out_of_step",
            "warning",
            "Things that meaning does not find and that do not wait for it, or vectors that are of no use.",
            differ,
            "`bigmind memory reindex` has all vectors made anew.",
        )
    yield from _former_default(asked)


def _former_default(asked: CheckContext) -> Iterator[Finding]:
    """The change to another default model, which nobody asked for."""
    with asked.access.read() as work:
        if not is_outdated(work) or work.host.meaning.embedder is None:
            return
        told = progress(work)
    meaning = (
        f"{DEFAULT} takes the place of {told.model}, the default of earlier versions: it is faster and takes less "
        f"memory. Until everything is embedded with it, {told.model} is searched."
    )
    remedy = f"`bigmind memory use-model {told.model}` keeps the former one."
    yield Finding.of("default_model_changes", "note", meaning, max(1, told.waiting), remedy)


def _orphans(asked: CheckContext) -> Iterator[Finding]:
    with asked.access.read() as work:
        lost = select(Chunk.uid).where(is_orphan(), Chunk.user_id == work.caller.user_id)
        uids = list(work.session.exec(lost))
    if uids:
        yield Finding.of(
            "moments_without_session",
            "problem",
            "Moments whose session does not exist: no list of sessions leads to them.",
            len(uids),
            "`bigmind memory reindex` puts them into a recovered session.",
            uids[:EXAMPLES],
        )


def _facts(asked: CheckContext) -> Iterator[Finding]:
    stale_before = asked.access.now - timedelta(days=asked.stale_days)
    active = col(Fact.deprecated_at).is_(None)
    with asked.access.read() as work:
        yield from _rows(
            (work, Fact, [active, Fact.updated_at < stale_before]),
            ("stale_facts", "note", f"Facts that nobody confirmed for {counted(asked.stale_days, 'day')}."),
            "memory_store_fact with the same words confirms one; memory_deprecate_fact takes it out of every recall.",
        )
        yield from _rows(
            (work, Fact, [active, Fact.confidence < LOW_CONFIDENCE]),
            ("low_confidence_facts", "note", f"Facts held for less than {LOW_CONFIDENCE * 100:.0f} %."),
            "memory_store_fact with the same words and a higher confidence, or memory_deprecate_fact.",
        )
        if pairs := open_contradictions(work):
            yield Finding.of(
                "facts_contradict",
                "note",
                "Pairs of facts of one project that may contradict each other; nobody said whether both hold.",
                len(pairs),
                "memory_deprecate_fact takes the one that does not hold out of every recall; "
                "memory_store_fact with the older one's words says that both hold.",
                [fact.uid for pair in pairs for fact in pair][:EXAMPLES_OF_PAIRS],
            )


def _sessions(asked: CheckContext) -> Iterator[Finding]:
    long_ago = asked.access.now - AUTO_CLOSE_AFTER
    is_open = col(MemorySession.ended_at).is_(None)
    with asked.access.read() as work:
        yield from _rows(
            (work, MemorySession, [is_open, MemorySession.started_at < long_ago]),
            ("forgotten_sessions", "warning", "Sessions that have been open for more than 24 hours."),
            "memory_end_session with its session_id; the next memory_start_session closes the others.",
        )
        yield from _rows(
            (work, MemorySession, [~is_open, col(MemorySession.has_detail).is_(False)]),
            ("sessions_without_detail", "note", "Closed sessions of which only a line is known."),
            "memory_end_session with its session_id, and a summary.",
        )


def _thoughts(asked: CheckContext) -> Iterator[Finding]:
    from bigmind.brain.upkeep import closed_lineage, weights_beyond  # noqa: PLC0415 - the brain is loaded when needed

    with asked.access.read() as work:
        closed, beyond = closed_lineage(work), weights_beyond(work)
    if closed:
        yield Finding.of(
            "lineage_closed",
            "problem",
            "Thoughts that rest on themselves, by way of others: none of them counts as living.",
            len(closed),
            f"`bigmind memory forget` takes one of them with its links. {RESTORE}",
            closed[:EXAMPLES],
        )
    if beyond:
        yield Finding.of(
            "weights_out_of_bounds",
            "warning",
            "Thoughts whose stored weight lies beyond its bounds, 0.1 and 10: the nearer bound counts.",
            len(beyond),
            "`bigmind memory reindex` sets each to the nearer bound.",
            beyond[:EXAMPLES],
        )


def _ledger(asked: CheckContext) -> Iterator[Finding]:
    from bigmind.maintenance.ledger_check import is_large, verified_ledger  # noqa: PLC0415 - needed here only

    if is_large(asked.access):
        meaning = "The ledger of work is too long to be looked through here."
        yield Finding.of("ledger_not_verified", "note", meaning, 1, "`bigmind work verify` looks through all of it.")
        return
    found = verified_ledger(asked.access)
    if found.total:
        yield Finding.of(
            "ledger_differs",
            "problem",
            "Work items, or what they rest on, were changed behind BigMind's back: they differ from the ledger.",
            found.total,
            "`bigmind work verify` names each row and item; a person looks at the item, and accepts it in BigMind's "
            f"window. {RESTORE}",
            list(dict.fromkeys(each.item or f"row {each.number}" for each in found.faults))[:EXAMPLES],
        )


def _waiting(asked: CheckContext) -> Iterator[Finding]:
    with asked.access.read() as work:
        number = flagged(work)
        examples = [
            uid
            for kind in work.kinds.with_ids
            for uid in work.session.exec(
                select(kind.table.uid).where(*of_caller(work, kind), *waiting(kind)).limit(EXAMPLES)
            )
        ]
        if number:
            yield Finding.of(
                "flagged_items",
                "note",
                "Texts that read like an instruction: no assistant is told them unasked.",
                number,
                "A person reads each, and accepts it in BigMind's window (Health) or forgets it.",
                examples[:EXAMPLES],
            )
        pending = [Knowledge.status == "pending", *of_whom(work)]
        uids = list(work.session.exec(select(Knowledge.uid).where(*pending).limit(EXAMPLES)))
        if uids:
            yield Finding.of(
                "pending_knowledge",
                "note",
                "Company knowledge that waits for a curator.",
                count(work, Knowledge, *pending),
                "memory_approve_global, by a curator or admin.",
                uids,
            )


def _user(asked: CheckContext) -> Iterator[Finding]:
    with asked.access.read() as work:
        told = memory_of_another(work)
    if told:
        meaning, between, remedy = told.partition("to you. ")  # a name may hold a dot: J. Smith
        yield Finding.of("memory_of_another", "warning", f"{meaning}{between}".strip(), 1, remedy)


def _clients(asked: CheckContext) -> Iterator[Finding]:
    from bigmind.clients.port_change import REPAIR, moved  # noqa: PLC0415 - clients import memory

    with asked.access.read() as work:
        away = moved(work)
    if away is not None:
        meaning = f"{away.in_words} {away.consequence}"
        yield Finding.of("clients_on_old_port", "warning", meaning, len(away.still), REPAIR)


def _process(asked: CheckContext) -> Iterator[Finding]:
    if failed := asked.store.host.failed.told():
        meaning = " ".join(f"What is missing is {part}: {why}." for part, why in failed.items())
        yield Finding.of("part_failed", "problem", meaning, len(failed), "Install BigMind again; its log says more.")
    if number := asked.store.host.newer.number:
        remedy = "Install it as you installed this one; a backup is made before anything is changed."
        yield Finding.of("newer_version", "note", f"BigMind {number} is there.", 1, remedy)


def _disk(asked: CheckContext) -> Iterator[Finding]:
    if trouble := disk_trouble(asked.store.path.parent):
        remedy = "Make room there, or look at the disk and at the permissions of the folder."
        yield Finding.of("disk_refuses", "problem", trouble, 1, remedy)
        return
    places = {"the data folder": asked.store.home, "the database": asked.store.path}
    free, place = min((shutil.disk_usage(where).free, name) for name, where in places.items())
    if free < LEAST_FREE + 2 * asked.store.size_in_bytes():
        yield Finding.of(
            "disk_low",
            "warning",
            f"Only {megabytes(free)} are free on the disk of {place}.",
            1,
            "Make room there. memory_vacuum with some days prunes old moments, after a dry run.",
        )


CHECKS = (
    Check("the store's file", _file),
    Check("the full-text indexes", _indexes),
    Check("the vectors", _vectors),
    Check("moments without a session", _orphans),
    Check("backups", lambda asked: backup_findings(asked.access)),
    Check("whose memory it is", _user),
    Check("the port that clients call", _clients),
    Check("the running program", _process),
    Check("room on the disk", _disk),
    Check("where Windows keeps the memory", lambda asked: memory_of_app(asked.store.path)),
    Check("sessions", _sessions),
    Check("facts", _facts),
    Check("thoughts", _thoughts),
    Check("the ledger of work", _ledger),
    Check("what waits for a person", _waiting),
)


def _rows(among: tuple[Work, Any, list[Any]], said: tuple[str, Severity, str], remedy: str) -> Iterator[Finding]:
    """A finding about the caller's rows that meet the conditions, when there are any; the oldest are its examples."""
    work, table, conditions = among
    which = [table.user_id == work.caller.user_id, *conditions]
    if number := count(work, table, *which):
        uids = work.session.exec(select(table.uid).where(*which).order_by(table.updated_at).limit(EXAMPLES))
        yield Finding.of(*said, number, remedy, list(uids))
