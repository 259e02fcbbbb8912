"""What the memory gates of the ledger's moves rested on, against the brain's log and the list of what was used."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple, cast

from sqlmodel import col, select

from bigmind.brain.query_log import ANSWERED, STORED
from bigmind.brain.tables import BrainQuery
from bigmind.core.ids import short
from bigmind.core.shapes import as_object, is_list
from bigmind.store.work import Work
from bigmind.work.ledger.ledger_rows import Fault
from bigmind.work.tables import WorkEvidence

AT_ONCE = 400
MOVED = "moved"
QUESTION, THOUGHT, CONFIRMATION = "question", "thought", "confirmation"


@dataclass(frozen=True, slots=True)
class GateRest:
    """On what a gate of a move rested: a question, a thought, or a confirmation, by its id or its row.

    Attributes:
        number: the row of the move.
        item: its id.
        kind: of what it rested on.
        uid: its id; of a confirmation the number of its row.
        user: who moved, by number.
        client: as which agent.
        log: the newest entry of the brain's log then; None in rows that do not say.
    """

    number: int
    item: str
    kind: str
    uid: str
    user: Any
    client: str
    log: int | None


class _Logged(NamedTuple):
    key: int
    user: int
    client: str


def rests_of(number: int, item: str, body: Mapping[str, Any]) -> Iterator[GateRest]:
    """On what the gates of a move rested, as its row says."""
    gates = body.get("gates")
    if body.get("kind") != MOVED or not is_list(gates):
        return
    log = body.get("log")
    for gate in map(as_object, gates):
        seen = as_object(gate.get("seen"))
        for kind in (QUESTION, THOUGHT, CONFIRMATION):
            if gate.get("passed") and seen.get(kind):
                client = str(body.get("client", ""))
                yield GateRest(
                    number, item, kind, str(seen[kind]), body.get("user"), client, log if isinstance(log, int) else None
                )


def check_evidence(work: Work, rests: Sequence[GateRest], *, was_restored: bool) -> Iterator[Fault]:
    """Each question and thought that let an item pass: in the log before the move, of that agent, and used once.

    Args:
        work: reads.
        rests: of all rows.
        was_restored: whether users may have got other numbers since a row was written.
    """
    of_memory = [each for each in rests if each.kind in {QUESTION, THOUGHT}]
    logged = _questions(work, (each.uid for each in of_memory if each.kind == QUESTION))
    logged |= _thoughts(work, (each.uid for each in of_memory if each.kind == THOUGHT))
    for each in of_memory:
        if told := _why_not(each, logged.get(each.uid), was_restored=was_restored):
            yield Fault(each.number, each.item, f"it rests on the {each.kind} {short(each.uid)}: {told}")
    yield from _used(work, of_memory)


def _why_not(rest: GateRest, found: _Logged | None, *, was_restored: bool) -> str:
    if found is None:
        return "the brain's log has none of that id"
    if found.client != rest.client or (found.user != rest.user and not was_restored):
        return "the brain's log has it of another agent"
    if rest.log is not None and found.key > rest.log:
        return "the brain's log has it later than this row"
    return ""


def _questions(work: Work, uids: Iterable[str]) -> dict[str, _Logged]:
    columns = select(BrainQuery.uid, BrainQuery.id, BrainQuery.user_id, BrainQuery.client)
    return _logged(work, columns.where(BrainQuery.outcome == ANSWERED), BrainQuery.uid, uids)


def _thoughts(work: Work, uids: Iterable[str]) -> dict[str, _Logged]:
    """By the rows that stored them, which stay when a thought is forgotten."""
    columns = select(BrainQuery.thought_uid, BrainQuery.id, BrainQuery.user_id, BrainQuery.client)
    return _logged(work, columns.where(BrainQuery.outcome == STORED), BrainQuery.thought_uid, uids)


def _logged(work: Work, query: Any, column: Any, uids: Iterable[str]) -> dict[str, _Logged]:
    wanted, found = sorted(set(uids)), dict[str, _Logged]()
    for start in range(0, len(wanted), AT_ONCE):
        some = query.where(column.in_(wanted[start : start + AT_ONCE])).order_by(col(BrainQuery.id).desc())
        rows = cast("Iterable[Any]", work.session.exec(some))
        found |= {row[0]: _Logged(row[1], row[2], row[3]) for row in rows}
    return found


def _used(work: Work, rests: Sequence[GateRest]) -> Iterator[Fault]:
    """The list of what was used against the rows: each once."""
    first: dict[tuple[str, str], int] = {}
    kept = {(row.kind, row.uid): row.ledger_number for row in work.session.exec(select(WorkEvidence))}
    for each in rests:
        named = f"the {each.kind} {short(each.uid)}"
        by = first.setdefault((each.kind, each.uid), each.number)
        if by != each.number:
            yield Fault(each.number, each.item, f"it rests on {named}, which row {by} used")
        elif kept.get((each.kind, each.uid)) != each.number:
            yield Fault(each.number, each.item, f"it used {named}, and the list of what was used does not say so")
    for (kind, uid), number in kept.items():
        if (kind, uid) not in first:
            yield Fault(number, "", f"the list of what was used names the {kind} {short(uid)}, and this row does not")
