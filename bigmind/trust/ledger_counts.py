"""The ledger, counted: gates passed at once, after a refusal and forced; reviews; each yes with its place."""

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, NamedTuple

from pydantic_core import from_json
from sqlalchemy import select as columns_of
from sqlmodel import col, select

from bigmind.core.client_names import of_token, token_name
from bigmind.core.operation import Mode, Presence
from bigmind.core.shapes import as_object, is_list
from bigmind.flow.workflow import ActorKind, Level
from bigmind.protocol.tables import ProtocolRun
from bigmind.store.tables import table_of
from bigmind.store.work import Work
from bigmind.trust.count_sheet import CountSheet
from bigmind.work.processes import OF_TASKS_ONLY, known_processes
from bigmind.work.tables import WorkItem, WorkLedgerRow

MOVES = frozenset({"moved", "run_moved", "run_forced"})
REFUSALS = frozenset({"refused", "run_refused"})
KINDS = (*sorted(MOVES | REFUSALS), "confirmed", "judged")
AT_ONCE = 500
"""Values in one statement."""
PLACES = {Presence.WINDOW.value: "yes_in_window", Presence.PASSPHRASE.value: "yes_by_passphrase"}


class LedgerEntry(NamedTuple):
    """A row of the ledger, read."""

    number: int
    at: datetime
    item: str
    kind: str
    body: Mapping[str, Any]


@dataclass(slots=True)
class PieceOfWork:
    """An item or a run that agents moved on the days that are asked for: its gates, and who moved it last.

    Attributes:
        name: its slug or its run's name; empty where a person forgot it.
        address: of its page; empty where it has none.
        project: of it; empty for none.
        agent: who moved it last.
        moved_at: when.
        counts: of its gates and what they rested on, by measure.
    """

    name: str
    address: str
    project: str
    agent: str
    moved_at: datetime
    counts: dict[str, int] = field(default_factory=dict[str, int])


@dataclass(frozen=True, slots=True)
class PersonsYes:
    """A yes of a person to a piece of work, and the place where it was given."""

    at: datetime
    name: str
    address: str
    place: str
    is_self_reviewed: bool


@dataclass(frozen=True, slots=True)
class LedgerTale:
    """What the ledger tells beside its counts: the pieces of work, the latest moved first, and each yes, too."""

    pieces: Sequence[PieceOfWork]
    approvals: Sequence[PersonsYes]


class _Known(NamedTuple):
    """What is known of an item or a run by now."""

    name: str
    address: str
    project: str | None
    is_self_reviewed: bool = False


NOTHING = _Known("", "", None)


def count_ledger(work: Work, sheet: CountSheet) -> LedgerTale:
    """Count the rows of the caller's acts on the days that are asked for."""
    entries = list(_entries(work, sheet))
    return _LedgerReader(work, sheet, entries).read(entries)


class _LedgerReader:
    """Reads rows in their order, and remembers per item which gates refused it since it came into its state."""

    def __init__(self, work: Work, sheet: CountSheet, entries: Sequence[LedgerEntry]) -> None:
        self._work = work
        self._sheet = sheet
        self._known = _known(work, {each.item for each in entries if each.item})
        self._refused = _refused_before(work, entries)
        self._reviews = _review_states(work)
        self._pieces: dict[str, PieceOfWork] = {}
        self._approvals: list[PersonsYes] = []

    def read(self, entries: Sequence[LedgerEntry]) -> LedgerTale:
        """Count them all."""
        for each in entries:
            if each.kind in REFUSALS:
                self._refusal(each)
            elif each.kind in MOVES:
                self._move(each)
            elif each.kind == "judged":
                self._judgement(each)
            else:
                self._yes(each)
        pieces = sorted(self._pieces.values(), key=lambda each: each.moved_at, reverse=True)
        return LedgerTale(pieces, self._approvals[::-1])

    def _refusal(self, entry: LedgerEntry) -> None:
        self._refused[entry.item] |= refused_gates(entry)
        if entry.body.get("surface") not in PLACES:
            self._count(entry, "refusals")

    def _move(self, entry: LedgerEntry) -> None:
        refused, self._refused[entry.item] = self._refused[entry.item], set()
        if entry.body.get("actor") != ActorKind.AGENT.value:
            return
        if self._place(entry) is None:
            return
        passed = [(name, seen) for name, is_passed, seen in gates_of(entry) if is_passed]
        late = sum(name in refused for name, _ in passed)
        self._count(entry, "gates_at_once", len(passed) - late)
        self._count(entry, "gates_after_refusal", late)
        self._count(entry, "gate_questions", sum("question" in seen for _, seen in passed))
        self._count(entry, "gate_contributions", sum("thought" in seen for _, seen in passed))
        self._count(entry, "gates_forced", forced_gates(entry))
        after = as_object(entry.body.get("after"))
        if after.get("holder") and after.get("holder") != entry.body.get("holder"):
            self._count(entry, "work_claimed")
        if (entry.body.get("process"), entry.body.get("from")) in self._reviews and after.get("worked_by"):
            is_own = token_name(str(after["worked_by"])) == token_name(self._agent(entry))
            self._count(entry, "self_reviewed" if is_own else "reviewed_by_other")

    def _judgement(self, entry: LedgerEntry) -> None:
        if entry.body.get("in_person"):
            self._yes(entry)
        else:
            self._count(entry, "self_checked" if entry.body.get("self_checked") else "checked_by_other")

    def _yes(self, entry: LedgerEntry) -> None:
        place, known = str(entry.body.get("surface")), self._known.get(entry.item, NOTHING)
        if (measure := PLACES.get(place)) is None:
            return
        if self._sheet.add_other(entry.at, known.project, measure):
            self._approvals.append(PersonsYes(entry.at, known.name, known.address, place, known.is_self_reviewed))

    def _place(self, entry: LedgerEntry) -> tuple[str, str] | None:
        known = self._known.get(entry.item, NOTHING)
        return self._sheet.place(str(entry.body.get("client", "")), known.project)

    def _count(self, entry: LedgerEntry, measure: str, number: int = 1) -> None:
        known = self._known.get(entry.item, NOTHING)
        if number and self._sheet.add(entry.at, str(entry.body.get("client", "")), known.project, measure, number):
            agent, project = self._place(entry) or ("", "")
            piece = self._pieces.get(entry.item)
            if piece is None:
                piece = PieceOfWork(known.name, known.address, project, agent, entry.at)
                self._pieces[entry.item] = piece
            piece.agent, piece.moved_at = agent, entry.at
            piece.counts[measure] = piece.counts.get(measure, 0) + number

    def _agent(self, entry: LedgerEntry) -> str:
        """Who moved, as items name agents."""
        client = str(entry.body.get("client", ""))
        return client if self._work.mode is Mode.PERSONAL else f"{of_token(self._work.caller.username)}: {client}"


def _entries(work: Work, sheet: CountSheet) -> Iterator[LedgerEntry]:
    row = table_of(WorkLedgerRow).c
    within = (row.at >= sheet.query.start, row.at < sheet.query.end, row.kind.in_(KINDS))
    for each in ledger_rows(work, *within):
        entry = entry_of(each)
        if entry.body.get("user") == work.caller.user_id:
            yield entry


def ledger_rows(work: Work, *conditions: Any) -> Iterator[Any]:
    """The rows of the ledger that meet the conditions, in their order, as `entry_of` reads them."""
    row = table_of(WorkLedgerRow).c
    found = columns_of(row.number, row.at, row.item_uid, row.kind, row.body).where(*conditions)
    yield from work.session.connection().execute(found.order_by(row.number))


def entry_of(row: Any) -> LedgerEntry:
    """A row, read."""
    return LedgerEntry(row.number, row.at, row.item_uid, row.kind, from_json(row.body))


def _refused_before(work: Work, entries: Sequence[LedgerEntry]) -> dict[str, set[str]]:
    """The gates that refused items since they came into the states in which the first of these rows finds them."""
    found: dict[str, set[str]] = defaultdict(set)
    if not entries:
        return found
    row, first = table_of(WorkLedgerRow).c, entries[0].number
    items = sorted({each.item for each in entries if each.item})
    for start in range(0, len(items), AT_ONCE):
        some = row.item_uid.in_(items[start : start + AT_ONCE])
        for each in ledger_rows(work, some, row.number < first, row.kind.in_(MOVES | REFUSALS)):
            if each.kind in MOVES:
                found[each.item_uid] = set()
            else:
                found[each.item_uid] |= refused_gates(entry_of(each))
    return found


def gates_of(entry: LedgerEntry) -> Iterator[tuple[str, bool, Mapping[str, Any]]]:
    """The gates of a row, each with whether it passed and what it rested on."""
    gates = entry.body.get("gates")
    for each in gates if is_list(gates) else ():
        if is_list(each):  # of a run: name, whether it passed, what was seen
            yield str(each[0]), bool(each[1]), as_object(each[2])
        elif isinstance(each, str):  # of a refused run: what blocked it
            yield each, False, {}
        else:
            told = as_object(each)
            yield str(told.get("gate", "")), bool(told.get("passed")), as_object(told.get("seen"))


def refused_gates(entry: LedgerEntry) -> set[str]:
    """The gates for which a row refuses."""
    return {name for name, passed, _ in gates_of(entry) if not passed}


def forced_gates(entry: LedgerEntry) -> int:
    """How many gates a move was forced past: what has to pass at once, and did not."""
    gates = entry.body.get("gates")
    if entry.kind.startswith("run_"):
        violations = entry.body.get("violations")
        return len(violations) if entry.kind == "run_forced" and is_list(violations) else 0
    found = [as_object(each) for each in gates] if is_list(gates) else []
    return sum(each.get("level") == Level.MUST.value and not each.get("passed") for each in found)


def _review_states(work: Work) -> set[tuple[str, str]]:
    """The states in which work is reviewed, each with its process as moves name it."""
    return {
        (f"{process.name}@{process.version}:{process.digest[:16]}", name)
        for process in known_processes(work)
        for name, state in process.states.items()
        if state.is_review
    }


def _known(work: Work, uids: set[str]) -> dict[str, _Known]:
    """What there still is of items and runs: what was forgotten is not named."""
    found: dict[str, _Known] = {}
    named = sorted(uids)
    for start in range(0, len(named), AT_ONCE):
        some = named[start : start + AT_ONCE]
        item = table_of(WorkItem).c
        items = columns_of(item.uid, item.slug, item.project, item.process, item.self_reviewed)
        for uid, slug, project, process, is_own in work.session.connection().execute(items.where(item.uid.in_(some))):
            place = "mindspace" if process == OF_TASKS_ONLY else "work"
            found[uid] = _Known(slug, f"/{place}/{slug}", project, is_own)
        runs = select(ProtocolRun.uid, ProtocolRun.name, ProtocolRun.project).where(col(ProtocolRun.uid).in_(some))
        for uid, name, project in work.session.exec(runs):
            found[uid] = _Known(name, f"/protocol/{uid}", project)
    return found
