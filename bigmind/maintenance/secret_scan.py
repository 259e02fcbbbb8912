"""Looks for secrets in what is stored already, and masks them in place when asked to.

Masking at the door keeps new ones out; this is for what came in before a rule knew it, or from an older file. What is
reported never says the secret: where it is, and what kind.
"""

import json
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from sqlmodel import col, func, select

from bigmind.brain.tables import Thought
from bigmind.core.events import Action
from bigmind.core.ids import short
from bigmind.core.kind import Kind
from bigmind.core.progress import Phase
from bigmind.core.shapes import is_list
from bigmind.kinds import derive, terms_of_texts
from bigmind.maintenance.scan_answers import FoundSecret, SecretScan
from bigmind.memory.lookup import key_of
from bigmind.memory.tables import MemorySession, SessionTopic
from bigmind.people.tables import Token
from bigmind.portable.transfer_paths import remove_kept_exports
from bigmind.store.access import Access
from bigmind.store.tables import Receipt
from bigmind.store.work import Work

BATCH = 25
"""Rows that are read at once, and whose masked texts are kept until they are written: each may be a megabyte."""

SESSION = "session"
MOST_TOLD = 1_000
"""Places that are named; all are counted."""


@dataclass(frozen=True, slots=True)
class ScannedTable:
    """Which texts a kind of rows has, and whose they are.

    Attributes:
        kind: of the thing that a row belongs to.
        table: the rows.
        fields: their texts; a list of texts counts as one field.
        key: the column that numbers the rows.
        mine: the condition that a row is the caller's.
        owned: the thing that the row belongs to, whose id is told and whose change is noted.
    """

    kind: Kind
    table: Any
    fields: Sequence[str]
    key: str
    mine: Any
    owned: Callable[[Work, Any], Any]


def _tables(work: Work) -> list[ScannedTable]:
    """The rows of every kind, each with its child tables."""
    return [table for kind in work.kinds for table in (_of_kind(work, kind), *_of_details(work, kind))]


def _of_kind(work: Work, kind: Kind) -> ScannedTable:
    mine = kind.owners == work.caller.user_id
    return ScannedTable(kind, kind.table, kind.masked, kind.key, mine, lambda _, row: row)


def _of_details(work: Work, kind: Kind) -> Iterator[ScannedTable]:
    mine = select(kind.keys).where(kind.owners == work.caller.user_id)
    for each in kind.details:
        parent = each.parent
        yield ScannedTable(
            *(kind, each.table, each.columns, each.key, getattr(each.table, parent).in_(mine)),
            lambda work, row, parent=parent: work.session.get(kind.table, getattr(row, parent)),
        )


def scan_secrets(access: Access, *, replace: bool) -> SecretScan:
    """Look through every text of the caller; with `replace`, put the name of its kind in place of each secret.

    Small units of work, and no text is looked through while others wait to write: a row is masked as it was read, and
    written when it still is so. When something was replaced, no byte of it is left in the
    database, its indexes and its log, unless the answer says otherwise; exports that a team's server keeps are removed.
    """
    found: list[FoundSecret] = []
    with access.read() as work:
        tables = _tables(work)
    phase = Phase(access.progress, "Looking for secrets", _total(access, tables))
    for texts in tables:
        for keys in _batches(access, texts):
            with access.read() as work:
                here = [change for row in _rows(work, texts, keys) if (change := _change(work, texts, row)).found]
            found += [each for change in here for each in change.found]
            if replace:
                for change in here:
                    _replace(access, texts, change)
            phase.add(len(keys))
    found += _topics(access, replace=replace)
    found += _ledger_texts(access, replace=replace)
    found += _foreign_ledger_texts(access, replace=replace)
    if replace and found:
        _blank_receipts(access)
    if replace and found:
        remove_kept_exports(access.store.home)
        access.progress(0, 0, "Overwriting what was replaced")
    counts = Counter(kind for each in found for kind in each.secrets)
    return SecretScan(
        items=found[:MOST_TOLD],
        total=len(found),
        by_kind=dict(counts.most_common()),
        is_replaced=replace,
        is_overwritten=access.store.scrub() if replace and found else True,
    )


def _total(access: Access, tables: Sequence[ScannedTable]) -> int:
    """How many rows there are to look through."""
    with access.read() as work:
        counts = (select(func.count()).select_from(texts.table).where(texts.mine) for texts in tables)
        return sum(work.session.exec(each).one() for each in counts)


def _batches(access: Access, texts: ScannedTable) -> Iterator[list[int]]:
    with access.read() as work:
        key = getattr(texts.table, texts.key)
        keys = list(work.session.exec(select(key).where(texts.mine).order_by(key)).all())
    for start in range(0, len(keys), BATCH):
        yield keys[start : start + BATCH]


def _rows(work: Work, texts: ScannedTable, keys: list[int]) -> Sequence[Any]:
    return work.session.exec(select(texts.table).where(getattr(texts.table, texts.key).in_(keys))).all()


@dataclass(slots=True)
class _Change:
    """What becomes of a row: its texts as they were read, those that change, and the terms of what is then there."""

    key: int
    before: dict[str, Any]
    after: dict[str, Any]
    found: list[FoundSecret]


def _change(work: Work, texts: ScannedTable, row: Any) -> _Change:
    change = _Change(getattr(row, texts.key), {field: getattr(row, field) for field in texts.fields}, {}, [])
    for field, text in change.before.items():
        value, kinds = _masked(text)
        if kinds:
            change.after[field] = value
            identifier = texts.kind.id_of(texts.owned(work, row))
            change.found.append(FoundSecret(kind=texts.kind.name, id=identifier, field=field, secrets=list(kinds)))
    kind = texts.kind
    if change.found and texts.table is kind.table and kind.is_searched and kind.derived is None:
        said = change.before | change.after
        change.after["terms"] = terms_of_texts(said[field] for field in kind.searched)
    return change


def _masked(value: Any) -> tuple[Any, tuple[str, ...]]:
    """A text or a list of texts without secrets, and the kinds that were in it."""
    from bigmind.secrets.json_masking import masked_json  # noqa: PLC0415 - its rules are loaded at the first use
    from bigmind.secrets.masking import mask  # noqa: PLC0415

    if is_list(value):
        parts = [mask(str(each)) for each in value]
        kinds = dict.fromkeys(kind for part in parts for kind in part.kinds)
        return [part.text for part in parts], tuple(kinds)
    found = mask(value or "")
    if found.kinds and (read := _as_json(value)) is not None:  # the fields of an item
        bare, kinds = masked_json(read)
        return json.dumps(bare, ensure_ascii=False, sort_keys=True), kinds
    return (found.text if found.kinds else value), found.kinds


def _as_json(text: str) -> Any:
    """The object, list or text that a text is in JSON; None where it is none."""
    try:
        return json.loads(text) if text.startswith(("{", "[", '"')) else None
    except ValueError:
        return None


def _replace(access: Access, texts: ScannedTable, change: _Change) -> None:
    """Write one row as it was masked; one that was written meanwhile is masked anew."""
    while not _is_written(access, texts, change):
        with access.read() as work:
            rows = _rows(work, texts, [change.key])
            if not rows:
                return
            change = _change(work, texts, rows[0])


def _is_written(access: Access, texts: ScannedTable, change: _Change) -> bool:
    """Whether nothing is left to do for a row: it is written now, has nothing to mask, or is gone."""
    if not change.found:
        return True
    with access.write() as work:
        for row in _rows(work, texts, [change.key]):
            if any(getattr(row, field) != text for field, text in change.before.items()):
                return False
            for field, value in change.after.items():
                setattr(row, field, value)
            work.session.add(row)
            _note(work, texts.kind, texts.owned(work, row))
    return True


def _note(work: Work, kind: Kind, owned: Any) -> None:
    if kind.derived is not None:
        derive(work, owned)
    if isinstance(owned, Thought):
        from bigmind.brain.contributing.storing import tag  # noqa: PLC0415 - needed here only

        tag(work, owned)
    if kind.changed:
        setattr(owned, kind.changed, work.now)
        work.session.add(owned)
    work.changed(kind.name, kind.id_of(owned), Action.UPDATED)


def _topics(access: Access, *, replace: bool) -> list[FoundSecret]:
    """Secrets in topics, which are keys of their rows and so are written anew."""
    with access.read() as work:
        of_caller = select(SessionTopic, MemorySession).join(
            MemorySession, col(SessionTopic.session_id) == col(MemorySession.id)
        )
        rows = work.session.exec(of_caller.where(MemorySession.user_id == work.caller.user_id)).all()
        hits = [(topic, session, kinds) for topic, session in rows if (kinds := _masked(topic.topic)[1])]
        found = [
            FoundSecret(kind=SESSION, id=session.uid, field="topics", secrets=list(kinds)) for _, session, kinds in hits
        ]
        names = [(topic.session_id, topic.topic, _masked(topic.topic)[0]) for topic, _, _ in hits]
    for key, old, new in names if replace else ():
        with access.write() as work:
            topic, session = work.session.get(SessionTopic, (key, old)), work.session.get(MemorySession, key)
            if topic is not None and session is not None:  # else it was written anew, or forgotten, meanwhile
                _rename(work, topic, session, new)
    return found


def _rename(work: Work, topic: SessionTopic, session: MemorySession, name: str) -> None:
    position = topic.position
    work.session.delete(topic)
    work.session.flush()
    if work.session.get(SessionTopic, (key_of(session), name)) is None:
        work.session.add(SessionTopic(session_id=key_of(session), topic=name, position=position))
    work.session.flush()
    _note(work, work.kinds[SESSION], session)


def _ledger_texts(access: Access, *, replace: bool) -> list[FoundSecret]:
    """Secrets in the words beside the ledger: the words go, and a new row holds them masked."""
    from bigmind.work.ledger.ledger_words import put_in_place_of, words_of  # noqa: PLC0415 - needed here only

    with access.read() as work:
        hits = [(each, kinds) for each in words_of(work) if (kinds := _masked(each.text)[1])]
        found = [
            FoundSecret(kind="work_item", id=each.item_uid, field=f"ledger {each.number}", secrets=list(kinds))
            for each, kinds in hits
        ]
        places = [(each.number, each.name) for each, _ in hits]
    for place in places if replace else ():
        with access.write() as work:
            put_in_place_of(work, *place, lambda text: _masked(text)[0])
    return found


def _foreign_ledger_texts(access: Access, *, replace: bool) -> list[FoundSecret]:
    """Secrets in the words of other stores' ledgers, which nobody looked through since they were brought in."""
    from bigmind.work.ledger.ledger_words import foreign_words_of, mask_foreign  # noqa: PLC0415 - needed here only

    with access.read() as work:
        hits = [(each, kinds) for each in foreign_words_of(work) if (kinds := _masked(each.text)[1])]
    for each, _ in hits if replace else ():
        with access.write() as work:
            mask_foreign(work, each.key, each.name, lambda text: _masked(text)[0])
    return [
        FoundSecret(
            kind="work_item",
            id=each.item,
            field=f"ledger {each.number} of store {short(each.store)}",
            secrets=list(kinds),
        )
        for each, kinds in hits
    ]


def _blank_receipts(access: Access) -> None:
    """Answers that are kept for retries hold the texts too: such a retry is told that its answer is gone."""
    access.store.host.activity.forget_deliveries()
    with access.read() as work:
        tokens = select(Token.id).where(Token.user_id == work.caller.user_id)
        receipts = work.session.exec(select(Receipt).where(col(Receipt.token_id).in_(tokens)))
        telling = [(receipt.token_id, receipt.key) for receipt in receipts if _masked(receipt.answer)[1]]
    with access.write() as work:
        for key in telling:
            if (receipt := work.session.get(Receipt, key)) is not None:
                receipt.answer = ""
                work.session.add(receipt)
