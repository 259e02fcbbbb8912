"""A person's word on the context that conversations start with: a thing comes first there, never, or when it fits."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal

from sqlalchemy import func
from sqlmodel import col, select

from bigmind.core.errors import BigMindError, Code
from bigmind.core.events import Action, Kind
from bigmind.core.operation import Mode, Role
from bigmind.memory.context.answers import PlacedItem
from bigmind.memory.lookup import LookupSubject, find_among, find_by_uid
from bigmind.memory.tables import Fact, Hypothesis, Knowledge, MemorySession
from bigmind.store.work import Work

PlaceableKind = Literal["fact", "hypothesis", "session", "knowledge"]
Placement = Literal["pinned", "hidden", "automatic"]

Placeable = Fact | Hypothesis | MemorySession | Knowledge

STORED: dict[Placement, str] = {"pinned": "pinned", "hidden": "hidden", "automatic": ""}
"""What the column `placement` holds for each."""


def place(work: Work, kind: PlaceableKind, reference: str, placement: Placement) -> PlacedItem:
    """Pin a thing of the caller to the context, hide it there, or leave it to its worth again.

    It stays stored and found as before, and counts as no change of what it says.

    Raises:
        BigMindError: `not_found`; `ambiguous`; `invalid_input`; `conflict`, when it no longer holds; `forbidden`, for
            company knowledge of a team that the caller does not curate.
    """
    row = _row(work, kind, reference)
    before = row.placement
    row.placement = STORED[placement]
    work.session.add(row)
    if before != row.placement:
        work.changed(Kind(kind), row.uid, Action.PLACED)
    return PlacedItem(kind=kind, id=row.uid, placement=placement)


def _row(work: Work, kind: PlaceableKind, reference: str) -> Placeable:
    match kind:
        case "fact":
            fact = find_by_uid(work, Fact, reference, kind, "memory_list_facts shows their ids.", "id")
            if fact.deprecated_at is not None:
                raise _over("fact", "archived")
            return fact
        case "hypothesis":
            found = find_by_uid(work, Hypothesis, reference, kind, "memory_list_hypotheses shows their ids.", "id")
            if found.status != "open":
                raise _over("hypothesis", found.status)
            return found
        case "session":
            return find_by_uid(work, MemorySession, reference, kind, "memory_list_sessions shows their ids.", "id")
        case "knowledge":
            return _entry(work, reference)


def _entry(work: Work, reference: str) -> Knowledge:
    """An approved entry: in a team it stands in everybody's context, so a curator decides."""
    if work.mode is Mode.TEAM and not work.caller.role.includes(Role.CURATOR):
        raise BigMindError(
            Code.FORBIDDEN,
            f"Company knowledge is in everybody's context: that needs the role curator, yours is {work.caller.role}.",
            "Ask a curator to pin or hide it.",
        )
    approved = select(Knowledge).where(Knowledge.status == "approved")
    named = LookupSubject("entry", "memory_list_global shows their ids.", "id")
    return find_among(work, Knowledge, approved, reference, named)


def _over(kind: str, state: str) -> BigMindError:
    return BigMindError(
        Code.CONFLICT, f"The {kind} is {state}, so no context shows it.", "Nothing was changed; restore it first."
    )


@dataclass(frozen=True, slots=True)
class HiddenItem:
    """A thing that a person hid from the context: its kind, its id, and what it says."""

    kind: PlaceableKind
    uid: str
    text: str


def hidden_things(work: Work, limit: int) -> tuple[Sequence[HiddenItem], int]:
    """What the caller hid, at most `limit` of it, the newest of each kind first; and how much there is."""
    mine = work.caller.user_id
    kinds: tuple[tuple[PlaceableKind, Any, Any, list[Any]], ...] = (
        ("fact", Fact, Fact.text, [Fact.user_id == mine, col(Fact.deprecated_at).is_(None)]),
        ("hypothesis", Hypothesis, Hypothesis.text, [Hypothesis.user_id == mine, Hypothesis.status == "open"]),
        ("session", MemorySession, MemorySession.one_liner, [MemorySession.user_id == mine]),
        ("knowledge", Knowledge, Knowledge.title, [Knowledge.status == "approved"]),
    )
    found: list[HiddenItem] = []
    total = 0
    for kind, kept_in, text, conditions in kinds:
        table: Any = kept_in
        hidden = [*conditions, table.placement == STORED["hidden"]]
        total += work.session.exec(select(func.count()).select_from(table).where(*hidden)).one()
        rows = work.session.exec(select(table.uid, text).where(*hidden).order_by(table.id.desc()).limit(limit))
        found += [HiddenItem(kind, uid, words) for uid, words in rows]
    return found[:limit], total
