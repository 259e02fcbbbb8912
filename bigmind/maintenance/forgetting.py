"""Forgetting for good: the row, its search entries, its copies in receipts and backups, and every byte of them."""

from dataclasses import dataclass
from datetime import datetime
from typing import Literal

from sqlalchemy import text
from sqlmodel import col, delete, select

from bigmind.backup.scrubbing import ScrubbedBackups, Tombstone, scrub_backups
from bigmind.core.errors import BigMindError, Code, invalid, not_found, unknown
from bigmind.core.events import Action
from bigmind.core.ids import SHORT, as_prefix, of_prefix
from bigmind.core.kind import Kind
from bigmind.core.plain_text import shortened
from bigmind.core.progress import CancelledError, Progress, nobody_waits
from bigmind.kinds import of_caller
from bigmind.maintenance.answers import ForgottenItem
from bigmind.memory.lookup import count
from bigmind.memory.rules import is_much
from bigmind.memory.tables import Chunk, Fact, Hypothesis
from bigmind.people.service import NOBODY
from bigmind.people.tables import Token, User
from bigmind.portable.transfer_paths import remove_kept_exports
from bigmind.store.access import Access
from bigmind.store.erasure import erasing
from bigmind.store.store import Store
from bigmind.store.tables import FORGETTING, Forgotten, Receipt, StoreProperty, addition_of, change_of
from bigmind.store.work import Work
from bigmind.text.phrasing import plain

Forgettable = Literal[
    "session",
    "chunk",
    "fact",
    "hypothesis",
    "knowledge",
    "profile",
    "thought",
    "brain_query",
    "work_item",
    "protocol_run",
]

FEW = 10
"""So many rows are no mass deletion, however little else there is."""

MOST_OF_A_FORECAST = 300
"""Characters of what would be forgotten."""

PENDING = FORGETTING


LEFT = (
    "It is forgotten already, and found nowhere; its bytes in the file and in backups are overwritten when BigMind "
    "starts next."
)


@dataclass(frozen=True, slots=True)
class ErasureTarget:
    """What is to be forgotten."""

    kind: str
    uid: str
    key: int


@dataclass(frozen=True, slots=True)
class Erasure:
    """What one erasure took, and what of it stays."""

    found: ErasureTarget
    at: datetime
    uids: dict[str, str]
    facts_kept: int = 0
    hypotheses_kept: int = 0


def forget(access: Access, reference: str, kind: str | None, *, confirm: bool) -> ForgottenItem:
    """Remove one thing of the caller for good, everywhere this machine's BigMind keeps it.

    Raises:
        BigMindError: `not_found`, also for somebody else's; `ambiguous`; `invalid_input`; `conflict`, when it is much
            and `confirm` was not given; `cancelled`, when it was told to stop.
    """
    access.cancellation.check()
    with access.write() as work:
        erased = _erase(work, _find(work, reference, kind), confirm=confirm)
    gone = [Tombstone(uid, kind, erased.at) for uid, kind in erased.uids.items()]
    try:
        clean, backups = leave_no_trace(access.store, gone, access.progress)
    except CancelledError as error:
        raise CancelledError(error.why, LEFT) from error
    return ForgottenItem(
        id=erased.found.uid,
        kind=erased.found.kind,
        moments=len(erased.uids) - 1,
        facts_kept=erased.facts_kept,
        hypotheses_kept=erased.hypotheses_kept,
        overwritten=clean,
        backups_cleaned=backups.cleaned,
        backups_left=[f"{name}: {why}" for name, why in backups.left.items()],
    )


def forecast(work: Work, reference: str, kind: str | None) -> ForgottenItem:
    """What `forget` would remove, with its words, so that a person can say yes to them; nothing is changed.

    Raises:
        BigMindError: `not_found`, `ambiguous`, `invalid_input`, as `forget`.
    """
    found = _find(work, reference, kind)
    moments = count(work, Chunk, Chunk.session_id == found.key) if found.kind == "session" else 0
    return ForgottenItem(
        dry_run=True,
        text=shortened(plain(_words(work, found)), MOST_OF_A_FORECAST),
        is_much=is_much(1 + moments, _remembered(work), FEW),
        id=found.uid,
        kind=found.kind,
        moments=moments,
        facts_kept=0,
        hypotheses_kept=0,
        overwritten=False,
        backups_cleaned=[],
        backups_left=[],
    )


def _words(work: Work, found: ErasureTarget) -> str:
    """By which a person recognises it."""
    kind = work.kinds[found.kind]
    row = work.session.get_one(kind.table, found.key)
    return " · ".join(text for name in kind.recognized_by if (text := getattr(row, name)))


def leave_no_trace(
    store: Store, gone: list[Tombstone], progress: Progress = nobody_waits
) -> tuple[bool, ScrubbedBackups]:
    """Overwrite what was deleted, in the store's files and in its backups; whether the files are clean, and which were.

    Exports that a team's server keeps are removed.

    What cannot be done now is done at the next start.
    """
    store.host.activity.forget_deliveries()
    remove_kept_exports(store.home)
    clean = store.scrub(progress)
    backups = scrub_backups(store, gone)
    if clean:
        with store.write(NOBODY, PENDING) as work:
            work.session.exec(delete(StoreProperty).where(col(StoreProperty.name) == PENDING))
    return clean, backups


def finish_forgetting(store: Store) -> None:
    """Do what a process that ended while it forgot left to do; call it once, when the store was opened."""
    with store.read(NOBODY, PENDING) as work:
        if work.session.get(StoreProperty, PENDING) is None:
            return
        gone = [Tombstone(each.uid, each.kind, each.at) for each in work.session.exec(select(Forgotten))]
    leave_no_trace(store, gone)


def _find(work: Work, reference: str, kind: str | None) -> ErasureTarget:
    """The caller's one thing of that id or prefix, of whatever kind."""
    if reference in work.kinds and work.kinds[reference].is_single and kind in {None, reference}:
        return _single(work, work.kinds[reference])
    prefix = as_prefix(reference)
    if prefix is None or (kind is not None and work.kinds[kind].is_single):
        raise invalid("id", reference, f"an id, at least its first {SHORT} characters (0-9, a-f), or the word profile")
    found: list[ErasureTarget] = []
    for each in work.kinds.with_ids:
        if kind in {None, each.name}:
            table = each.table
            mine = (*of_caller(work, each), *of_prefix(table.uid, prefix))
            query = select(table.uid, table.id).where(*mine).order_by(table.uid).limit(2)
            found += [ErasureTarget(each.name, uid, key) for uid, key in work.session.exec(query)]
    if not found:
        raise unknown(
            kind or "memory",
            reference,
            "memory_list_sessions, memory_list_facts, memory_list_hypotheses, memory_list_global and "
            "memory_search_chunks show ids. query_brain shows those of thoughts. What somebody else promoted, or "
            "shared, is forgotten by a curator.",
        )
    if len(found) > 1:
        candidates = " or ".join(f"{each.uid} (a {each.kind})" for each in found[:2])
        raise BigMindError(
            Code.AMBIGUOUS, f"More than one thing begins with {prefix!r}.", f"Give more of the id: {candidates}?"
        )
    return found[0]


def _single(work: Work, kind: Kind) -> ErasureTarget:
    if work.session.get(kind.table, work.caller.user_id) is None:
        raise not_found(kind.name, work.caller.username, "Nothing was ever written into it.")
    return ErasureTarget(kind.name, work.session.get_one(User, work.caller.user_id).uid, work.caller.user_id)


def _erase(work: Work, found: ErasureTarget, *, confirm: bool) -> Erasure:
    """Delete what was found, with what is only a part of it, and note that it was forgotten."""
    uids = {found.uid: found.kind}
    facts = hypotheses = 0
    if found.kind == "session":
        chunks = work.session.exec(select(Chunk.uid).where(Chunk.session_id == found.key))
        uids |= dict.fromkeys(chunks, "chunk")
        facts, hypotheses = (
            count(work, table, table.session_id == found.key)  # they stay, and lose their session
            for table in (Fact, Hypothesis)
        )
    _brake(work, len(uids), confirm=confirm)
    # Out of the indexes one by one, the words of a long moment take a tenth of a second; `leave_no_trace` merges them.
    maintenance = work.backend.maintenance
    maintenance.put_off_words(
        work.session.connection().connection.driver_connection, [each.name for each in work.kinds]
    )
    kind = work.kinds[found.kind]
    is_shared = not kind.is_single and kind.is_shared(work.session.get_one(kind.table, found.key))
    _delete(work, found)
    for uid, name in uids.items():
        work.session.merge(Forgotten(uid=uid, kind=name, at=work.now))
    unfinished = change_of(found.uid), addition_of(found.uid)  # what an import is about to change of it, or to bring
    work.session.exec(delete(StoreProperty).where(col(StoreProperty.name).in_(unfinished)))
    work.session.merge(StoreProperty(name=PENDING, value="pending"))
    work.changed(found.kind, found.kind if kind.is_single else found.uid, Action.FORGOTTEN, is_shared=is_shared)
    return Erasure(found, work.now, uids, facts, hypotheses)


def _delete(work: Work, found: ErasureTarget) -> None:
    """Delete the row, what refers to nothing else, and the answers kept for retries, which may repeat its words."""
    kind = work.kinds[found.kind]
    if kind.before_forgetting is not None:
        kind.before_forgetting(work, work.session.get_one(kind.table, found.key))
    if kind.is_single:
        work.session.exec(delete(kind.table).where(kind.keys == found.key))
    else:
        for statement in erasing(kind):
            work.session.connection().execute(text(statement), {"uid": found.uid})
    receipts = delete(Receipt)
    if not kind.is_everybodys and kind.shared_when is None:  # of which others may have been told
        own = select(Token.id).where(Token.user_id == work.caller.user_id)
        receipts = receipts.where(col(Receipt.token_id).in_(own))
    work.session.exec(receipts)


def _brake(work: Work, rows: int, *, confirm: bool) -> None:
    """Refuse to take much at once by accident."""
    if confirm or not is_much(rows, 0, FEW):  # to count all that is remembered takes as long as to forget
        return
    total = _remembered(work)
    if is_much(rows, total, FEW):
        raise BigMindError(
            Code.CONFLICT,
            f"This would forget {rows:,} of the {total:,} things that are remembered. Nothing was removed.",
            "Pass confirm=true to do it: what is forgotten cannot be brought back, not from a backup either.",
        )


def _remembered(work: Work) -> int:
    """How many things of the caller there are."""
    own = (each for each in work.kinds.owned if not each.is_single and not each.leaves_row)
    return sum(count(work, each.table, each.owners == work.caller.user_id) for each in own)
