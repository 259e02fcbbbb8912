"""Judges a whole store by its rows alone, however many agents worked in it at once, and however often it was killed.

It asks no code of the program but the hash of the chain.
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from bigmind.flow.hash_chain import Row, broken

ANSWERED = "operation = 'query_brain' AND outcome = 'answered'"
STORED = "outcome = 'stored'"
PERSONS = {"window", "passphrase"}
HELD_BY_ANOTHER_MEANS = {"returned", "imported", "reviewed"}
"""Kinds of rows that may leave an item with another holder, or with none, and are no move."""


class ViolationError(AssertionError):
    """What must never be, was."""


@dataclass
class Left:
    """How the rows so far left an item."""

    state: str
    holder: str


@dataclass
class LedgerJudge:
    """What is known on the way along the ledger: by id, of which row and client an entry of the brain's log is."""

    questions: Mapping[str, tuple[int, str]]
    thoughts: Mapping[str, tuple[int, str]]
    items: dict[str, Left] = field(default_factory=dict[str, Left])
    spent: set[str] = field(default_factory=set[str])
    yeses: dict[str, str] = field(default_factory=dict[str, str])
    """The items that rows of confirmations are of."""
    claims: int = 0

    def follow(self, row: Row) -> None:
        """One row more."""
        body, uid = row.body, str(row.body["item"])
        is_human = body.get("actor") == "human" or body["kind"] == "confirmed"
        if is_human and body["surface"] not in PERSONS:
            raise ViolationError(f"row {row.number} says that a person was there, and came from {body['surface']}")
        if body["kind"] == "confirmed":
            self.yeses[str(row.number)] = uid
        after = body.get("after")
        if after is None or "holder" not in after:  # of a run of the session protocol, which nobody holds
            return
        before = self.items.setdefault(uid, Left(after["state"], after["holder"]))
        if body["kind"] == "moved":
            self._moved(row, uid, before)
        elif body["kind"] not in HELD_BY_ANOTHER_MEANS and after["holder"] != before.holder:
            raise ViolationError(f"row {row.number} ({body['kind']}) changed the holder of {uid}")
        before.state, before.holder = after["state"], after["holder"]

    def _moved(self, row: Row, uid: str, before: Left) -> None:
        body, used = row.body, _used(row)
        holder, told = body["after"]["holder"], f"row {row.number}, {body['from']} to {body['to']}"
        if (before.state, before.holder) != (body["from"], body["holder"]):
            raise ViolationError(f"{told}: the rows before left it {before}")
        is_claim = body["to"] == "active" and body["from"] != "blocked"
        if before.holder and holder not in {"", before.holder}:
            raise ViolationError(f"{told}: {holder} holds what {before.holder} held")
        if body["actor"] == "agent":
            self._rests(row, used, told)
            if is_claim and ("question" not in used or holder == ""):
                raise ViolationError(f"{told}: claimed without a question, or by nobody")
            if body["from"] == "active" and body["to"] in {"review", "approval"} and "thought" not in used:
                raise ViolationError(f"{told}: handed over without a thought")
            if body["to"] == "complete" and self.yeses.get(used.get("confirmation", "")) != uid:
                raise ViolationError(f"{told}: no person confirmed it")
        self.claims += is_claim

    def _rests(self, row: Row, used: Mapping[str, str], told: str) -> None:
        for kind, log in (("question", self.questions), ("thought", self.thoughts)):
            if kind in used:
                key, client = log.get(used[kind], (0, ""))
                if client != row.body["client"] or not 0 < key <= row.body["log"] or used[kind] in self.spent:
                    raise ViolationError(f"{told}: it rests on the {kind} {used[kind]}, entry {key} of {client!r}")
                self.spent.add(used[kind])


def _used(row: Row) -> dict[str, str]:
    seen = [each["seen"] for each in row.body["gates"] if each["passed"]]
    return {name: str(value) for each in seen for name, value in each.items()}


def judge_ledger(connection: Any) -> LedgerJudge:
    """Judge a store; returns what was seen on the way.

    Args:
        connection: the driver's own.

    Raises:
        ViolationError: the chain is broken; an item was held by two; a move rests on no event, on one that came after
            it, or on one that another rests on; nobody in person completed one; an item is not as it was left.
    """
    told = connection.execute("SELECT number, body, before, digest FROM work_ledger ORDER BY number").fetchall()
    rows = [Row(number, json.loads(body), before, digest) for number, body, before, digest in told]
    for fault in broken(rows):
        raise ViolationError(fault.message)
    judge = LedgerJudge(_log(connection, "uid", ANSWERED), _log(connection, "thought_uid", STORED))
    for row in rows:
        judge.follow(row)
    for uid, state, holder in connection.execute("SELECT uid, state, holder FROM work_item"):
        if judge.items.get(uid) != Left(state, holder):
            raise ViolationError(f"{uid} is {state} of {holder!r}, and the ledger left it {judge.items.get(uid)}")
    return judge


def _log(connection: Any, named: str, which: str) -> dict[str, tuple[int, str]]:
    found = connection.execute(f"SELECT {named}, id, client FROM brain_query WHERE {which} ORDER BY id DESC")
    return {uid: (key, client) for uid, key, client in found}
