"""Makes a record ready to be stored: secrets masked, terms for the full-text index, what instructs a later reader."""

from collections import Counter
from collections.abc import Callable, Iterable
from typing import Any, TypeVar

from pydantic import BaseModel

from bigmind.core.operation import Caller
from bigmind.core.shapes import is_list
from bigmind.memory.caution import cautions
from bigmind.memory.indexed import FIELDS, retold, terms_of_texts
from bigmind.memory.judged import of_session
from bigmind.memory.tables import Chunk, Fact, Hypothesis, Knowledge
from bigmind.portable.records import (
    ChunkRecord,
    FactRecord,
    HypothesisRecord,
    KnowledgeRecord,
    OwnedRecord,
    Record,
    SessionRecord,
)
from bigmind.portable.scratch import Prepared
from bigmind.secrets.masking import mask

Model = TypeVar("Model", bound=BaseModel)

TABLES = {ChunkRecord: Chunk, FactRecord: Fact, HypothesisRecord: Hypothesis, KnowledgeRecord: Knowledge}


def prepare(record: Record) -> Prepared:
    """A record as it will be stored, with how many of its texts held which kind of secret."""
    kinds: Counter[str] = Counter()

    def masked(text: str) -> str:
        found = mask(text)
        kinds.update(found.kinds)
        return found.text

    ready = _with_texts(record, masked)
    return Prepared(ready, _terms(ready), cautions(*_texts(ready)), dict(kinds))


def accepts(caller: Caller, ready: Prepared) -> bool:
    """Whether storing a record accepts text that instructs its reader, which whoever imports it may not have seen."""
    record = ready.record
    is_told = isinstance(record, OwnedRecord) and record.accepted_at is not None
    return is_told and bool(ready.caution) and caller.is_person


def _with_texts(record: Model, change: Callable[[str], str]) -> Model:
    """A copy in which each text of a person or a model is changed, also in the records within."""
    changed = {name: _changed(getattr(record, name), change) for name in _text_fields(record)}
    return record.model_copy(update=changed)


def _changed(value: Any, change: Callable[[str], str]) -> Any:
    if isinstance(value, str):
        return change(value)
    if isinstance(value, BaseModel):
        return _with_texts(value, change)
    return [_changed(each, change) for each in value] if is_list(value) else value


def _text_fields(record: BaseModel) -> Iterable[str]:
    """The fields that hold words, and those that hold records with words."""
    texts: tuple[str, ...] = getattr(record, "texts", ())
    return (*texts, *(name for name in ("summary", "history") if name not in texts and hasattr(record, name)))


def _texts(record: BaseModel) -> list[str]:
    found: list[str] = []
    _with_texts(record, lambda text: found.append(text) or text)
    return found


def _terms(record: Record) -> str:
    match record:
        case SessionRecord():
            return terms_of_texts([record.one_liner, retold_of(record)])
        case ChunkRecord() | FactRecord() | HypothesisRecord() | KnowledgeRecord():
            return terms_of_texts(getattr(record, field) for field in FIELDS[TABLES[type(record)]])
        case _:
            return ""


def retold_of(record: SessionRecord) -> str:
    """What a session's `told` is derived as."""
    return retold(of_session(record.one_liner, record.outcome, record.topics, record.summary))
