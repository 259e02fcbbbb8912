"""Finding one's own rows by what people and models write: an id, or the beginning of one."""

from dataclasses import dataclass
from typing import Any, Protocol, TypeVar, cast

from sqlalchemy import ColumnElement, and_, case, func, or_
from sqlmodel import SQLModel, col, select
from sqlmodel.sql.expression import SelectOfScalar

from bigmind.core.client_names import BRIDGE, SLASH
from bigmind.core.errors import BigMindError, Code, invalid, unknown
from bigmind.core.ids import SHORT, as_prefix, of_prefix, short
from bigmind.core.operation import offered_only
from bigmind.kinds import readable
from bigmind.memory.tables import Chunk, Fact, Hypothesis, Knowledge, MemorySession
from bigmind.store.work import Work
from bigmind.text.import_marks import IMPORTED, is_imported
from bigmind.usage.offer import offer_to


class Keyed(Protocol):
    """A stored row, or what was read of one."""

    @property
    def id(self) -> int | None:
        """Its integer key; None while it has none."""
        ...


Row = TypeVar("Row", MemorySession, Chunk, Fact, Hypothesis)
Stored = TypeVar("Stored", MemorySession, Chunk, Fact, Hypothesis, Knowledge)


def key_of(row: Keyed) -> int:
    """The integer key of a stored row."""
    return cast("int", row.id)


@dataclass(frozen=True, slots=True)
class LookupSubject:
    """How an error speaks of what was looked for: its kind, what to do when there is none, and the input's field."""

    kind: str
    hint: str
    field: str

    @property
    def article(self) -> str:
        """The English article of its kind."""
        return "an" if self.kind[0] in "aeiou" else "a"


def count(work: Work, table: type[SQLModel], *conditions: Any) -> int:
    """How many rows of a table meet the conditions."""
    return work.session.exec(select(func.count()).select_from(table).where(*conditions)).one()


def of_agent(column: Any, agent: str) -> ColumnElement[bool]:
    """The condition of a column that names an agent's client, whatever it claimed to be; as `Caller.agent`."""
    behind = col(column).startswith(f"{agent}{SLASH}", autoescape=True)
    if agent == BRIDGE:
        return col(column) == agent
    return or_(col(column) == agent, col(column) == f"{BRIDGE}{SLASH}{agent}", behind)  # no IN: of a fixed text


def find_by_uid(work: Work, table: type[Row], reference: str, kind: str, hint: str, field: str = "") -> Row:
    """The caller's row of that id, or of that prefix when only one has it. `field` is the input's, where it is unusual.

    Somebody else's row is not found, exactly as if it did not exist.

    Raises:
        BigMindError: `invalid_input`, when it cannot be an id; `not_found`; `ambiguous`, naming the candidates.
    """
    mine = select(table).where(table.user_id == work.caller.user_id)
    return find_among(work, table, mine, reference, LookupSubject(kind, hint, field or f"{kind}_id"))


def find_among(
    work: Work, table: type[Stored], rows: SelectOfScalar[Stored], reference: str, named: LookupSubject
) -> Stored:
    """The row of that id or prefix among `rows`, a query of what the caller may see of `table`; errors as above."""
    prefix = as_prefix(reference)
    if prefix is None:
        raise invalid(
            named.field,
            reference,
            f"the id of {named.article} {named.kind}, or at least its first {SHORT} characters (0-9, a-f)",
            named.kind,
        )
    those = rows.where(*of_prefix(table.uid, prefix))
    found = work.session.exec(those.order_by(col(table.uid)).limit(2)).all()
    if not found:
        hints = (_of_another_kind(work, prefix), _where_to_look(work, named.hint))
        raise unknown(named.kind, reference, " ".join(filter(None, hints)))
    if len(found) > 1:
        told = " or ".join(_candidates(work, table, those))
        raise BigMindError(
            Code.AMBIGUOUS, f"More than one {named.kind} begins with {prefix!r}.", f"Give more of the id: {told}?"
        )
    return found[0]


def _of_another_kind(work: Work, prefix: str) -> str:
    """What has that id, or that prefix, of all that the caller may read; empty where nothing has."""
    for kind in work.kinds.with_ids:
        column = kind.table.uid
        uid = work.session.exec(select(column).where(readable(work, kind), *of_prefix(column, prefix)).limit(1)).first()
        if uid is not None:
            one = kind.words.one
            return f"{short(uid)} is the id of {'an' if one[0] in 'aeiou' else 'a'} {one}."
    return ""


def _candidates(work: Work, table: type[Stored], rows: SelectOfScalar[Stored]) -> list[str]:
    """The ids of the first two; what an assistant imported comes last and is marked, for a file can name any id."""
    is_waiting = and_(col(table.caution).contains(IMPORTED), col(table.accepted_at).is_(None))
    first = work.session.exec(rows.order_by(case((is_waiting, 1), else_=0), col(table.uid)).limit(2))
    return [f"{each.uid} (imported)" if is_imported(each.caution) else each.uid for each in first]


def _where_to_look(work: Work, hint: str) -> str:
    """The hint; what finds everything in its place, where its tool is not offered."""
    offer = offer_to(work)
    return next(iter(offered_only(offer, (hint, "memory_semantic_search finds things with their ids."))), "")
