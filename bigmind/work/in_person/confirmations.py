"""A person's yes to an item as it was shown: which items wait for one, giving it, and taking it back until the move."""

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from sqlalchemy import and_, exists, false, func, or_
from sqlmodel import col, select

from bigmind.core.errors import BigMindError, Code
from bigmind.core.shapes import as_object, is_list
from bigmind.flow.workflow import ANYONE, HUMAN, OWN, Process, Transition
from bigmind.store.work import Work
from bigmind.work.items import depends_on, fields_of, items_by_state, tell
from bigmind.work.ledger.ledger_rows import Entry, append
from bigmind.work.moving import refuse_unless_agreed
from bigmind.work.processes import OF_TASKS_ONLY, known_processes
from bigmind.work.rules import MEMORY_FIELDS
from bigmind.work.tables import WorkConfirmation, WorkFieldValue, WorkItem, WorkLedgerRow, WorkLedgerText

YES = "human_confirmed"
"""The kind of gate that a confirmation opens."""
MOVES = ("moved", "returned", "migrated")
"""Rows of the ledger that say where an item went."""
EDITED_PARTS = {"depends_on": "what it waits for", "project": "its project"}
MOST_NAMED = 6
"""Changes that a refusal names."""


@dataclass(frozen=True, slots=True)
class ConfirmedItem:
    """An item as a person said yes to it last.

    Attributes:
        at: when.
        revision: that was shown.
        place: where it was said: the window, or a page with the passphrase.
        note: what the person wrote with it.
        texts: title, topic and description; what was forgotten is not there.
        fields: of its DNA, the memory fields aside.
        is_withdrawn: whether that yes was taken back.
        needs_added, needs_removed: the slugs of what it waits for now and did not then, and the other way round;
            nothing where the ledger does not say what it waited for.
        path: the states that it came through since, the first where it stood then; empty where it was not moved.
        led_to: the version of its process that it was led to since; 0 where it was not.
    """

    at: datetime
    revision: int
    place: str
    note: str
    texts: Mapping[str, str]
    fields: Mapping[str, Any] = field(default_factory=dict[str, Any])
    is_withdrawn: bool = False
    needs_added: Sequence[str] = ()
    needs_removed: Sequence[str] = ()
    path: Sequence[str] = ()
    led_to: int = 0


def asks(process: Process, state: str, role: str) -> bool:
    """Whether a move from there, for an item of that role, needs a person's yes."""
    return any(needs_yes(rule) and _somebody_may(rule, role) for rule in process.leaving(state))


def needs_yes(rule: Transition) -> bool:
    """Whether a transition names the gate that a person opens."""
    return any(part.kind == YES for gate in rule.gates for part in gate.each())


def _somebody_may(rule: Transition, role: str) -> bool:
    if rule.role not in {None, role}:
        return False
    return rule.is_open or bool(rule.actors & {role, OWN, ANYONE, HUMAN})


def count_open(work: Work, processes: Iterable[Process]) -> int:
    """How many items are not finished; nodes of the mindspace aside."""
    ends = {name for process in processes for name, state in process.states.items() if state.is_final}
    counts = items_by_state(work).items()
    return sum(count for (process, state), count in counts if process != OF_TASKS_ONLY and state not in ends)


def waiting_conditions(processes: Iterable[Process]) -> list[Any]:
    """The conditions of an item that waits for a person's yes."""
    return [_asking(processes), ~_is_confirmed()]


def count_waiting(work: Work) -> int:
    """How many items wait for a person's yes."""
    counted = select(func.count()).select_from(WorkItem).where(*waiting_conditions(known_processes(work)))
    return work.session.exec(counted).one()


def waiting_items(work: Work, limit: int) -> list[WorkItem]:
    """The items that wait for a person's yes, the longest waiting first."""
    found = select(WorkItem).where(*waiting_conditions(known_processes(work)))
    return list(work.session.exec(found.order_by(col(WorkItem.entered_at), col(WorkItem.id)).limit(limit)).all())


def confirmed_items(work: Work, limit: int) -> list[WorkItem]:
    """The items that have a yes and were not moved since, the latest first."""
    found = select(WorkItem).where(_asking(known_processes(work)), _is_confirmed())
    return list(work.session.exec(found.order_by(col(WorkItem.updated_at).desc()).limit(limit)).all())


def _asking(processes: Iterable[Process]) -> Any:
    places = [
        and_(
            col(WorkItem.process) == process.name,
            col(WorkItem.version) == process.version,
            col(WorkItem.state) == state,
            col(WorkItem.role).in_(roles),
        )
        for process in processes
        if process.name != OF_TASKS_ONLY
        for state in process.states
        if (roles := [each for each in process.roles if asks(process, state, each)])
    ]
    return or_(false(), *places)


def _is_confirmed() -> Any:
    yes = (
        col(WorkConfirmation.item_id) == WorkItem.id,
        col(WorkConfirmation.revision) == WorkItem.revision,
        col(WorkConfirmation.withdrawn_at).is_(None),
    )
    return exists().where(*yes)


def standing(work: Work, row: WorkItem) -> WorkConfirmation | None:
    """The yes that holds for an item as it is; None where there is none."""
    given = (WorkConfirmation.item_id == row.id, WorkConfirmation.revision == row.revision)
    found = select(WorkConfirmation).where(*given, col(WorkConfirmation.withdrawn_at).is_(None))
    return work.session.exec(found.order_by(col(WorkConfirmation.id).desc()).limit(1)).first()


def confirmations(work: Work, row: WorkItem) -> list[WorkConfirmation]:
    """All that were given to an item, the newest first."""
    found = select(WorkConfirmation).where(WorkConfirmation.item_id == row.id)
    return list(work.session.exec(found.order_by(col(WorkConfirmation.id).desc())).all())


def confirm(work: Work, row: WorkItem, process: Process, revision: int, note: str) -> WorkConfirmation:
    """Say yes to an item as it was shown.

    Args:
        work: the person's.
        row: the item.
        process: of it.
        revision: that was shown.
        note: at most 1,000 characters; stands in the ledger.

    Raises:
        BigMindError: `conflict`, when it was changed since, with what; when nothing of it waits; when it is confirmed.
    """
    refuse_unless_agreed(work, row)
    if revision != row.revision:
        changed = "; ".join(changes_since(work, row, revision)) or "it was set back to an older state"
        raise BigMindError(
            Code.CONFLICT,
            f"{row.slug} was changed since you saw it: {changed}. Nothing was confirmed.",
            "Load the page again, and read it as it is now.",
        )
    if not asks(process, row.state, row.role):
        raise BigMindError(Code.CONFLICT, f"{row.slug} is {row.state} with {row.role}: nothing there needs your yes.")
    if standing(work, row) is not None:
        raise BigMindError(Code.CONFLICT, f"{row.slug} is confirmed already.", "It waits for who makes the move.")
    return write_yes(work, row, revision, note, shown_words(row))


def shown_words(row: WorkItem) -> dict[str, str]:
    """The words of an item that a person says yes to; its DNA as JSON, the memory fields aside."""
    fields = {name: value for name, value in fields_of(row).items() if name not in MEMORY_FIELDS}
    dna = json.dumps(fields, ensure_ascii=False, sort_keys=True)
    return {"title": row.title, "topic": row.topic, "description": row.description, "dna": dna}


def write_yes(work: Work, row: WorkItem, revision: int, note: str, words: Mapping[str, str]) -> WorkConfirmation:
    """Write a yes down, with the words that it was said to; also one that a person gave by making the move."""
    needs = [each.uid for each in depends_on(work, row)]
    body = {"revision": revision, "actor": HUMAN, "depends_on": needs}
    number = append(work, Entry("confirmed", row.uid, body, {**words, "note": note}), row)
    yes = WorkConfirmation(
        item_id=row.id or 0,
        user_id=work.caller.user_id,
        revision=revision,
        at=work.now,
        place=work.caller.presence.value,
        note=note,
        ledger_number=number,
    )
    work.session.add(yes)
    tell(work, row)
    return yes


def withdraw(work: Work, row: WorkItem) -> None:
    """Take the yes back that holds for an item.

    Raises:
        BigMindError: `conflict`, when none holds: a move, or a change, has taken it back.
    """
    refuse_unless_agreed(work, row)
    yes = standing(work, row)
    if yes is None:
        raise BigMindError(Code.CONFLICT, f"No yes to {row.slug} holds now.", "A move or a change takes it back.")
    yes.withdrawn_at = work.now
    work.session.add(yes)
    append(work, Entry("withdrawn", row.uid, {"revision": yes.revision, "actor": HUMAN}), row)
    tell(work, row)


def last_yes(work: Work, row: WorkItem) -> ConfirmedItem | None:
    """An item as a person confirmed it last, or moved it on by a yes; None where none did."""
    given = (WorkConfirmation.item_id == row.id, WorkConfirmation.ledger_number > 0)
    newest = select(WorkConfirmation).where(*given).order_by(col(WorkConfirmation.id).desc())
    yes = work.session.exec(newest.limit(1)).first()
    if yes is None:
        return None
    found = select(WorkLedgerText).where(WorkLedgerText.number == yes.ledger_number)
    texts = {each.name: each.text for each in work.session.exec(found)}
    fields = as_object(json.loads(texts.pop("dna", "{}")))
    texts.pop("note", "")
    added, removed = _needs_since(work, row, yes.ledger_number)
    later = list(_later(work, row, yes.ledger_number))
    moved = [each for each in later if "from" in each]
    led_to = [each["to_version"] for each in later if "to_version" in each]
    return ConfirmedItem(
        at=yes.at,
        revision=yes.revision,
        place=yes.place,
        note=yes.note,
        texts=texts,
        fields=fields,
        is_withdrawn=yes.withdrawn_at is not None,
        needs_added=added,
        needs_removed=removed,
        path=[*(str(each["from"]) for each in moved[:1]), *(str(each["to"]) for each in moved)],
        led_to=led_to[-1] if led_to else 0,
    )


def _needs_since(work: Work, row: WorkItem, number: int) -> tuple[list[str], list[str]]:
    """The slugs of what an item waits for since a row of the ledger that says it, and of what it does no more."""
    told = work.session.get(WorkLedgerRow, number)
    then = as_object(json.loads(told.body)).get("depends_on") if told is not None else None
    if not is_list(then):  # the row is of an earlier version
        return [], []
    now = depends_on(work, row)
    gone = {str(each) for each in then} - {each.uid for each in now}
    known = work.session.exec(select(WorkItem.slug).where(col(WorkItem.uid).in_(gone)).order_by(WorkItem.slug)).all()
    forgotten = ["an item that was forgotten"] * (len(gone) - len(known))
    return [each.slug for each in now if each.uid not in then], [*known, *forgotten]


def _later(work: Work, row: WorkItem, number: int) -> Iterator[dict[str, Any]]:
    """What moved an item, or led it to another version, after a row of the ledger."""
    moves = (WorkLedgerRow.item_uid == row.uid, col(WorkLedgerRow.kind).in_(MOVES), WorkLedgerRow.number > number)
    for each in work.session.exec(select(WorkLedgerRow).where(*moves).order_by(col(WorkLedgerRow.number))):
        yield as_object(json.loads(each.body))


def changes_since(work: Work, row: WorkItem, revision: int) -> list[str]:
    """What was changed of an item since a revision, in words, the latest first; at most six changes."""
    count = max(0, row.revision - revision)
    dated: dict[datetime, list[str]] = {}
    for at, told in (*_field_changes(work, row), *_moves_and_edits(work, row)):
        dated.setdefault(at, []).append(told)
    latest = sorted(dated, reverse=True)[: min(count, MOST_NAMED)]
    return [", ".join(dict.fromkeys(dated[at])) for at in latest]


def _field_changes(work: Work, row: WorkItem) -> Iterator[tuple[datetime, str]]:
    found = select(WorkFieldValue).where(WorkFieldValue.item_id == row.id)
    newest = found.where(col(WorkFieldValue.name).not_in(MEMORY_FIELDS)).order_by(col(WorkFieldValue.id).desc())
    for each in work.session.exec(newest.limit(10 * MOST_NAMED)):
        yield each.at, f"{each.name} by {each.client}"


def _moves_and_edits(work: Work, row: WorkItem) -> Iterator[tuple[datetime, str]]:
    kinds = (*MOVES, "edited", "reviewed")
    found = select(WorkLedgerRow).where(WorkLedgerRow.item_uid == row.uid, col(WorkLedgerRow.kind).in_(kinds))
    for each in work.session.exec(found.order_by(col(WorkLedgerRow.number).desc()).limit(MOST_NAMED)):
        body = as_object(json.loads(each.body))
        yield each.at, _act(each.kind, body)


def _act(kind: str, body: Mapping[str, Any]) -> str:
    if "from" in body:
        return f"{body['from']} → {body['to']}"
    if kind == "edited":  # a row of an earlier version does not say which part
        parts = [str(each) for each in body.get("changed", ())]
        return ", ".join(EDITED_PARTS.get(each, f"its {each}") for each in parts) or "its text"
    return "it was accepted as it stands" if kind == "reviewed" else kind
