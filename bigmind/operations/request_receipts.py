"""Receipts of requests that carried an idempotency key: a retry within an hour gets the first answer again.

Each keyed write reads one and writes one: by statements that are built once (docs/architecture.md, "Hot paths").
"""

import hashlib
import json
from collections.abc import Mapping
from datetime import timedelta
from typing import Any

from sqlalchemy import bindparam, delete, insert
from sqlmodel import col, select

from bigmind.core.errors import BigMindError, Code, shown
from bigmind.core.operation import Operation
from bigmind.operations.catalogue import Answer
from bigmind.store.driver_statements import carry_out, first_row
from bigmind.store.tables import Receipt
from bigmind.store.work import Work

RECEIPTS_KEPT = timedelta(hours=1)
RECEIPTS_SWEPT_EVERY = 256

_IS_THIS = (col(Receipt.token_id) == bindparam("of_token"), col(Receipt.key) == bindparam("of_key"))
_FIND = select(Receipt.at, Receipt.request, Receipt.operation, Receipt.answer).where(*_IS_THIS)
_REMOVE = delete(Receipt).where(*_IS_THIS)
_SWEEP = delete(Receipt).where(col(Receipt.at) < bindparam("oldest"))
_KEEP = insert(Receipt)


def digest_of(operation: Operation, arguments: Mapping[str, Any]) -> str:
    """What a request asked for, so that its key cannot be answered to another one."""
    asked = json.dumps([operation.name, arguments], sort_keys=True, default=str)
    return hashlib.sha256(asked.encode()).hexdigest()


def answered_before(work: Work, operation: Operation, key: str, request: str) -> Answer | None:
    """The answer that is kept under a key of the caller's token; None where there is none, or it is an hour old.

    Raises:
        BigMindError: `conflict`, where the key stands for another request, or its answer is shown only once.
    """
    found = first_row(work, _FIND, {"of_token": work.caller.token_id, "of_key": key})
    if found is None or found.at < work.now - RECEIPTS_KEPT:
        return None
    if found.request != request:
        raise BigMindError(
            Code.CONFLICT,
            f"The idempotency key {shown(key)} was used for another request, of {found.operation}.",
            "Use a new key.",
        )
    if not found.answer:
        raise BigMindError(
            Code.CONFLICT,
            f"{operation.name} was done with the idempotency key {shown(key)}; its answer is shown only once.",
            "If that answer was lost, undo what was done and do it again with a new key.",
        )
    return operation.output_model.model_validate_json(found.answer)


class Receipts:
    """Keeps the answers, and sweeps the old ones now and then."""

    def __init__(self) -> None:
        """Sweep with the first one that is kept."""
        self._kept = 0

    def keep(self, work: Work, operation: Operation, key: str, request: str, answer: Answer) -> None:
        """Keep an answer under a key that `answered_before` found none for: an old one makes room."""
        carry_out(work, _REMOVE, {"of_token": work.caller.token_id, "of_key": key})
        kept = {
            "token_id": work.caller.token_id,
            "key": key,
            "at": work.now,
            "operation": operation.name,
            "request": request,
            "answer": "" if answer.shown_once else answer.model_dump_json(),
        }
        carry_out(work, _KEEP, kept)
        if self._kept % RECEIPTS_SWEPT_EVERY == 0:
            carry_out(work, _SWEEP, {"oldest": work.now - RECEIPTS_KEPT})
        self._kept += 1
