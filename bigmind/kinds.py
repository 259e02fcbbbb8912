"""Reading and writing rows of any kind (`core/kind.py`): the texts of a row, what is derived of them, and `save`."""

from collections.abc import Iterable, Sequence
from typing import Any

from sqlalchemy import and_, literal_column, or_
from sqlmodel import col

from bigmind.caution.detect import judge
from bigmind.core.events import Action
from bigmind.core.kind import Kind, LabeledText
from bigmind.core.operation import Role
from bigmind.core.shapes import is_list
from bigmind.store import prepared_statements
from bigmind.store.work import Work
from bigmind.text.words import index_terms


def told_by(work: Work, row: Any) -> list[LabeledText]:
    """The texts of a row that are looked through for what instructs a later reader, with their labels; none is empty.

    They are every one that a client may choose: use cases flag by them, derivation flags by them anew, and a person
    who accepts is shown them.
    """
    kind = work.kinds.of(row)
    if kind.read is not None:
        return [each for each in kind.read(work, row) if each.text]
    chosen = (each for each in kind.texts if each.is_cautioned)
    return [LabeledText(each.label, text) for each in chosen for text in _parts(getattr(row, each.column)) if text]


def texts_of(work: Work, row: Any) -> list[str]:
    """The same without their labels."""
    return [each.text for each in told_by(work, row)]


def of_caller(work: Work, kind: Kind) -> list[Any]:
    """The conditions of the rows that the caller may judge or forget: their own; of everybody's, a curator all."""
    mine = kind.owners == work.caller.user_id
    if not work.caller.role.includes(Role.CURATOR):
        return [mine]
    if kind.is_everybodys:
        return []
    return [mine if kind.shared_when is None else or_(mine, kind.shared_when.over(kind.table))]


def readable(work: Work, kind: Kind) -> Any:
    """The condition of the rows that the caller may read: their own, and what is shared; found or not."""
    if kind.is_everybodys:
        return and_(True, *(each.over(kind.table) for each in kind.found_when))
    mine = kind.owners == work.caller.user_id
    return mine if kind.shared_when is None else or_(mine, kind.shared_when.over(kind.table))


def waiting(kind: Kind) -> list[Any]:
    """The conditions of a row that was flagged and that nobody accepted; what is deprecated waits for nobody."""
    # Written out, not bound: else the partial index of moments would not be known to fit.
    flagged = [col(kind.table.caution) != literal_column("''"), col(kind.table.accepted_at).is_(None)]
    return [*flagged, *(each.over(kind.table) for each in kind.waits_when)]


def save(work: Work, row: Any, action: Action, before: Sequence[str] | None = None) -> None:
    """Store a row whose columns were written: flagged by its texts, found by its words, told as a change.

    Args:
        work: writes.
        row: of any kind that the store knows.
        action: what happened to it.
        before: its texts (`texts_of`) before they were written, where it is not new: what a person accepted holds for
            those words only.
    """
    flag(work, row, before)
    write(work, row, action)


def save_new(work: Work, row: Any, action: Action) -> None:
    """As `save` of a row that is new, and not changed again in this unit of work: past the mapper (`Hot paths`)."""
    flag(work, row)
    _derive(work, row)
    prepared_statements.add(work, row)
    _tell(work, row, action)


def flag(work: Work, row: Any, before: Sequence[str] | None = None) -> None:
    """Note what in a row's texts instructs a later reader; the first half of `save`."""
    judge(row, texts_of(work, row), before)


def write(work: Work, row: Any, action: Action) -> None:
    """Derive what a row is found by, add it, and note the change; the second half of `save`.

    It is called by itself where the caution decides about more of the row. The row has its key then.
    """
    derive(work, row)
    work.session.flush()
    _tell(work, row, action)


def _tell(work: Work, row: Any, action: Action) -> None:
    kind = work.kinds.of(row)
    work.changed(kind.name, kind.id_of(row), action, is_shared=kind.is_shared(row))


def _parts(value: Any) -> Sequence[str]:
    return [str(each) for each in value] if is_list(value) else (value or "",)


def derive(work: Work, row: Any) -> None:
    """Derive anew what a row is found by, after anything of it was written, and add the row."""
    _derive(work, row)
    work.session.add(row)


def _derive(work: Work, row: Any) -> None:
    kind = work.kinds.of(row)
    if kind.derived is not None:
        column, derived = kind.derived
        setattr(row, column, derived(work, row))
    if kind.is_searched:
        row.terms = terms_of(work, row)


def terms_of(work: Work, row: Any) -> str:
    """The split terms of a row; none of a kind that is not searched."""
    return terms_of_texts(getattr(row, column) for column in work.kinds.of(row).searched)


def terms_of_texts(texts: Iterable[str]) -> str:
    """The split terms of the searched texts of one row, in their order."""
    return index_terms("\n".join(texts))
