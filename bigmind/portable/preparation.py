"""Makes a record ready to be stored: secrets masked, terms for the full-text index, what instructs a later reader."""

import json
from collections import Counter
from collections.abc import Callable, Iterable
from typing import Any, TypeVar

from pydantic import BaseModel

from bigmind.brain.kinds import about_of
from bigmind.caution.detect import cautions
from bigmind.core.client_names import imported_by
from bigmind.core.operation import Caller
from bigmind.core.shapes import is_list, is_object
from bigmind.kinds import terms_of_texts
from bigmind.memory.facts.history import FactAction
from bigmind.memory.kinds import FACT, HYPOTHESIS, KNOWLEDGE, MOMENT, pinned_text_of
from bigmind.memory.projects.names import PERSONAL
from bigmind.memory.sessions.texts import of_session, retold
from bigmind.portable.format.brain_records import ThoughtRecord
from bigmind.portable.format.kind_records import KindRecord
from bigmind.portable.format.records import (
    AcceptableRecord,
    ChunkRecord,
    FactEventRecord,
    FactRecord,
    HypothesisRecord,
    KnowledgeRecord,
    ProfileRecord,
    Record,
    SessionRecord,
)
from bigmind.portable.format.work_records import LedgerRecord, LedgerTextRecord, WorkItemRecord
from bigmind.portable.staging import PreparedRecord
from bigmind.secrets.json_masking import masked_json
from bigmind.secrets.masking import mask
from bigmind.text.import_marks import as_imported

Model = TypeVar("Model", bound=BaseModel)

WRITER = "bigmind"
"""The client of what nobody asked for."""

KINDS = {ChunkRecord: MOMENT, FactRecord: FACT, HypothesisRecord: HYPOTHESIS, KnowledgeRecord: KNOWLEDGE}


def prepare(record: Record, caller: Caller) -> PreparedRecord:
    """A record as the caller's import stores it, with how many of its texts held which kind of secret."""
    kinds: Counter[str] = Counter()

    def masked(text: str) -> str:
        found = mask(text)
        kinds.update(found.kinds)
        return found.text

    owned = _of_the_person(record) if isinstance(record, FactRecord) else record
    ready = _with_texts(owned, masked)
    if isinstance(ready, WorkItemRecord):
        ready = ready.model_copy(update={"dna": _masked_fields(ready, kinds)})
    if isinstance(ready, LedgerRecord) and isinstance(owned, LedgerRecord):
        ready = ready.model_copy(update={"words": _unproven(owned, ready)})
    if caller.is_person:
        return PreparedRecord(ready, _terms(ready), cautions(*_texts(ready)), dict(kinds))
    told = _by_agent(ready, caller.client)
    is_waiting = isinstance(told, AcceptableRecord)
    found = cautions(*_texts(told))
    return PreparedRecord(told, _terms(told), as_imported(found) if is_waiting else found, dict(kinds))


def _masked_fields(item: WorkItemRecord, kinds: Counter[str]) -> dict[str, Any]:
    dna, found = masked_json(item.dna)
    kinds.update(found)
    return dna


def _unproven(before: LedgerRecord, after: LedgerRecord) -> list[LedgerTextRecord]:
    """The words of a row; those that were masked without a salt, for they are no longer what its hash is over."""
    both = zip(before.words, after.words, strict=True)
    return [new if new.text == old.text else new.model_copy(update={"salt": ""}) for old, new in both]


def _by_agent(record: Record, client: str) -> Record:
    """A record as an assistant brings it in: it is its source, whatever the file says, and no session stays open."""
    changed: dict[str, Any] = {}
    if "client" in type(record).model_fields:
        changed["client"] = imported_by(client, getattr(record, "client", ""))
    if isinstance(record, SessionRecord):
        changed["ended_at"] = record.ended_at or record.updated_at
    if isinstance(record, FactRecord):
        changed["history"] = [
            each.model_copy(update={"client": imported_by(client, each.client)}) for each in record.history
        ]
    if isinstance(record, ThoughtRecord):
        readers = [each.model_copy(update={"client": imported_by(client, each.client)}) for each in record.readers]
        # No file says for an agent how another one is shown, or that a gate rests on something.
        changed |= {"readers": readers, "agent_name": "", "gated_at": None}
    return record.model_copy(update=changed)


def accepts(caller: Caller, ready: PreparedRecord) -> bool:
    """Whether storing a record accepts text that instructs its reader, which whoever imports it may not have seen."""
    record = ready.record
    is_told = isinstance(record, AcceptableRecord) and record.accepted_at is not None
    return is_told and bool(ready.caution) and caller.presence.is_in_person


def _of_the_person(fact: FactRecord) -> FactRecord:
    """A fact as it belongs: what its owner is and likes to no project, which its history tells as a migration would."""
    if fact.project is None or fact.category.lower() not in PERSONAL:
        return fact
    moved = FactEventRecord(
        at=fact.updated_at,
        client=WRITER,
        action=FactAction.MOVED,
        other=None,
        reason=f"project was: {fact.project}",
        confidence=fact.confidence,
    )
    return fact.model_copy(update={"project": None, "history": [*fact.history, moved]})


def _with_texts(record: Model, change: Callable[[str], str]) -> Model:
    """A copy in which each text of a person or a model is changed, also in the records within."""
    changed = {name: _changed(getattr(record, name), change) for name in _text_fields(record)}
    return record.model_copy(update=changed)


def _changed(value: Any, change: Callable[[str], str]) -> Any:
    if isinstance(value, str):
        return change(value)
    if isinstance(value, BaseModel):
        return _with_texts(value, change)
    if is_object(value):
        return {name: _changed(each, change) for name, each in value.items()}
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
        case ProfileRecord():
            texts = [record.role, record.preferences, pinned_text_of(record.pinned_facts)]
        case SessionRecord():
            texts = [record.one_liner, retold_of(record)]
        case ThoughtRecord():
            about = about_of(record.topic, record.tags)
            texts = [record.content, about, record.corrected_fact, record.correct_fact]
        case WorkItemRecord():
            texts = [record.title, record.topic, record.description, json.dumps(record.dna)]
        case KindRecord():
            texts = [getattr(record, column) for column in record.kind.searched]
        case ChunkRecord() | FactRecord() | HypothesisRecord() | KnowledgeRecord():
            texts = [getattr(record, field) for field in KINDS[type(record)].searched]
        case _:
            texts = list[str]()
    return terms_of_texts(texts)


def retold_of(record: SessionRecord) -> str:
    """What a session's `told` is derived as."""
    return retold(of_session(record.one_liner, record.outcome, record.topics, record.summary))
