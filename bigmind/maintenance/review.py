"""What was flagged because it instructs its reader, and a person's word that it may be recalled unasked after all.

An agent can neither list nor accept: what it stores again, or imports, waits as the first did.
"""

import hashlib
import json
from typing import Any

from sqlalchemy import func
from sqlmodel import select

from bigmind.core.errors import BigMindError, Code, invalid, not_found
from bigmind.core.events import Action
from bigmind.core.ids import SHORT, as_prefix, of_prefix
from bigmind.core.kind import Kind
from bigmind.core.operation import Mode, Role
from bigmind.core.plain_text import shortened
from bigmind.kinds import of_caller, told_by, waiting
from bigmind.maintenance.review_answers import AcceptedItem, FlaggedItem, FlaggedList, FlaggedText
from bigmind.memory.facts.history import FactAction, record
from bigmind.memory.knowledge.service import accepted_by_person
from bigmind.memory.tables import Knowledge
from bigmind.store.work import Work

REVISION = 32
"""Hexadecimal digits of a revision: 128 bits."""

LONGEST_TEXT = 2_000
"""Characters of each text of a flagged row that are shown."""

WHERE_IDS_ARE = "memory_list_flagged shows what waits, with its ids."


def list_flagged(work: Work, limit: int) -> FlaggedList:
    """What of the caller's waits for a person, the newest of each kind first; nothing that was deprecated."""
    found: list[FlaggedItem] = []
    total = 0
    for kind in _in_order(work):
        which = [*waiting(kind), *of_caller(work, kind)]
        count = work.session.exec(select(func.count()).select_from(kind.table).where(*which)).one()
        total += count
        if not count:
            continue
        rows = work.session.exec(select(kind.table).where(*which).order_by(kind.times.desc()).limit(limit - len(found)))
        found += [_item(work, kind, row) for row in rows]
    return FlaggedList(items=found[:limit], total=total)


def _in_order(work: Work) -> list[Kind]:
    return sorted(work.kinds, key=lambda each: each.review)


def revision(work: Work, reference: str) -> str:
    """By what the words of something that was flagged are known, 32 hexadecimal digits: other words have another.

    Raises:
        BigMindError: as `accept`.
    """
    _, row = _find(work, reference)
    return _revision(work, row)


def _revision(work: Work, row: Any) -> str:
    told = json.dumps([(each.label, each.text) for each in told_by(work, row)])
    return hashlib.sha256(told.encode()).hexdigest()[:REVISION]


def accept(work: Work, reference: str, shown: str = "") -> AcceptedItem:
    """Let something that was flagged into the automatic context, for the words that it has now.

    Args:
        work: the person's.
        reference: which.
        shown: the `revision` that the person saw; empty where they saw none.

    Raises:
        BigMindError: `invalid_input`; `not_found`; `ambiguous`; `conflict`, when nothing of it waits, or its words are
            not those that were shown; `forbidden`, for company knowledge that somebody else must judge.
    """
    declared, row = _find(work, reference)
    kind, identifier = declared.name, declared.id_of(row)
    if shown and shown != _revision(work, row):
        raise BigMindError(
            Code.CONFLICT,
            f"The words of this {kind} were changed since you saw them. Nothing was accepted.",
            "Load the page anew, and read it again.",
        )
    if not row.caution or row.accepted_at is not None:
        raise BigMindError(
            Code.CONFLICT, f"The {kind} {identifier} is not waiting to be accepted.", "Nothing was changed."
        )
    if kind == "knowledge":
        _permit(work, row)
        accepted_by_person(work, row)
    row.accepted_at = work.now
    if hasattr(row, "updated_at"):
        row.updated_at = work.now
    work.session.add(row)
    if kind == "fact":
        record(work, row, FactAction.ACCEPTED, reason=row.caution)
    work.changed(kind, identifier, Action.ACCEPTED)
    return AcceptedItem(kind=kind, id=identifier, caution=row.caution, texts=_texts(work, row))


def _find(work: Work, reference: str) -> tuple[Kind, Any]:
    """The caller's row of any kind by its id or a prefix; of which there is one at most, by the kind's name."""
    name = reference.strip().lower()
    if name in work.kinds and work.kinds[name].is_single:
        single = work.session.get(work.kinds[name].table, work.caller.user_id)
        if single is None:
            raise not_found(name, reference, WHERE_IDS_ARE)
        return work.kinds[name], single
    prefix = as_prefix(reference)
    if prefix is None:
        raise invalid("id", reference, f"an id that memory_list_flagged shows, or its first {SHORT} characters")
    found: list[tuple[Kind, Any]] = []
    for kind in work.kinds.with_ids:
        mine = [*of_prefix(kind.table.uid, prefix), *of_caller(work, kind)]
        found += [(kind, row) for row in work.session.exec(select(kind.table).where(*mine).limit(2))]
    if not found:
        raise not_found("flagged item", reference, WHERE_IDS_ARE)
    if len(found) > 1:
        raise BigMindError(
            Code.AMBIGUOUS,
            f"More than one item begins with {prefix!r}.",
            f"Give more of the id: {found[0][1].uid} or {found[1][1].uid}?",
        )
    return found[0]


def _permit(work: Work, entry: Knowledge) -> None:
    """In a team, company knowledge is a curator's to judge, and nobody's own."""
    if work.mode is Mode.PERSONAL:
        return
    if not work.caller.role.includes(Role.CURATOR):
        raise BigMindError(Code.FORBIDDEN, f"Company knowledge needs the role curator; yours is {work.caller.role}.")
    if entry.promoted_by_id == work.caller.user_id:
        raise BigMindError(Code.FORBIDDEN, "Nobody accepts their own company knowledge in a team.", "Ask a curator.")


def _texts(work: Work, row: Any) -> list[FlaggedText]:
    """What was judged, and so what a person accepts."""
    told = told_by(work, row)
    return [FlaggedText(label=each.label, text=shortened(each.text, LONGEST_TEXT)) for each in told]


def _item(work: Work, kind: Kind, row: Any) -> FlaggedItem:
    return FlaggedItem(
        kind=kind.name,
        id=kind.id_of(row),
        caution=row.caution,
        client=getattr(row, "client", ""),
        project=getattr(row, "project", None),
        at=getattr(row, kind.time),
        texts=_texts(work, row),
    )
