"""The chain of a ledger: each row is bound to the one before by a hash, and its texts stand beside it under salts.

So a row that was changed or removed is found, and forgetting can take the words and leave the chain. Pure.
"""

import hashlib
import json
import secrets
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

FIRST = "0" * 64
"""What the first row of a chain is bound to."""
SALT_BYTES = 16


@dataclass(frozen=True, slots=True)
class Row:
    """A row of a ledger, as far as the chain goes.

    Attributes:
        number: its place in the chain, from 1, without gaps.
        body: what it says, as JSON has it; no words of anybody, only their salted hashes.
        before: the hash of the row before.
        digest: of this one.
    """

    number: int
    body: Mapping[str, Any]
    before: str
    digest: str


@dataclass(frozen=True, slots=True)
class ChainFault:
    """Where a chain is broken, and how."""

    number: int
    message: str


def digest_of(number: int, body: Mapping[str, Any], before: str) -> str:
    """The hash of a row: SHA-256 over its number, what it says, and the hash before, in hexadecimal."""
    return digest_of_text(number, canonical(body), before)


def canonical(body: Mapping[str, Any]) -> str:
    """What a row says, as JSON of one form: sorted, without spaces."""
    return json.dumps(body, sort_keys=True, separators=(",", ":"), ensure_ascii=False)


def digest_of_text(number: int, body: str, before: str) -> str:
    """The same of what `canonical` made."""
    told = f"[{number},{body},{json.dumps(before)}]"
    return hashlib.sha256(told.encode("utf-8", "surrogatepass")).hexdigest()


def salted(text: str, salt: str) -> str:
    """What a row holds in place of a text: nothing tells the text from it once the salt is gone."""
    return hashlib.sha256(f"{salt}\n{text}".encode("utf-8", "surrogatepass")).hexdigest()


def new_salt() -> str:
    """A fresh one, of 128 random bits."""
    return secrets.token_hex(SALT_BYTES)


def broken(rows: Iterable[Row], head: str | None = None) -> Iterator[ChainFault]:
    """Where a chain does not hold together; nothing where it does.

    Args:
        rows: all of them, in their order.
        head: a hash that the chain is known to have had; it must be one of them.
    """
    before, number, is_met = FIRST, 0, head in {None, FIRST}
    for row in rows:
        number += 1
        if row.number != number:
            yield ChainFault(number, f"row {number} is missing" if row.number > number else f"row {row.number} twice")
            number = row.number
        if row.before != before:
            yield ChainFault(row.number, f"row {row.number} does not follow the one before it")
        if digest_of(row.number, row.body, row.before) != row.digest:
            yield ChainFault(row.number, f"row {row.number} was changed")
        before = row.digest
        is_met = is_met or before == head
    if not is_met:
        yield ChainFault(number, "the chain lacks rows that it is known to have had")
