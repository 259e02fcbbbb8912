"""The ledger of an item, as people read it."""

import json
from collections.abc import Collection, Mapping
from datetime import datetime
from typing import Any

from sqlmodel import col, select

from bigmind.core.shapes import as_object
from bigmind.flow.workflow import Level, Process
from bigmind.people.agent_names import AgentNames, shown_agent
from bigmind.store.work import Work
from bigmind.tasks.answers import LedgerGate, LedgerLine
from bigmind.text.phrasing import counted
from bigmind.work.answers import sent_back_in_words
from bigmind.work.ledger.ledger_rows import rows, texts_of
from bigmind.work.processes import known_state
from bigmind.work.rules import MEMORY_FIELDS
from bigmind.work.tables import WorkItem, WorkLedgerRow, WorkLedgerText

LOOKED_BACK = 20
"""Moves of an item, among which the one that sent it back is."""


def ledger_of(work: Work, row: WorkItem) -> list[LedgerLine]:
    """The rows of an item, the oldest first."""
    texts, names, known = texts_of(work, row.uid), AgentNames(work), known_state(work, row)
    ends = _ends_of(known[0]) if known is not None else frozenset[str]()
    return [
        LedgerLine(
            number=each.number,
            at=datetime.fromisoformat(each.body["at"]),
            kind=each.body["kind"],
            by=actor_in_words(each.body, names),
            told=act_in_words(each.body),
            reason=texts.get((each.number, "reason"), "") or texts.get((each.number, "note"), ""),
            digest=each.digest,
            surface=each.body["surface"],
            process=str(each.body.get("process", "")),
            gates=[_gate(as_object(gate)) for gate in each.body.get("gates", ())],
            violations=[f"{gate} ({severity})" for gate, severity in each.body.get("violations", ())],
            forced_by=forced_by(each.body, ends),
        )
        for each in rows(work, row.uid)
    ]


def _gate(told: Mapping[str, Any]) -> LedgerGate:
    seen = {str(name): str(value) for name, value in as_object(told.get("seen")).items()}
    return LedgerGate(
        gate=str(told["gate"]), level=str(told.get("level", Level.MUST.value)), met=bool(told["passed"]), seen=seen
    )


def _ends_of(process: Process) -> frozenset[str]:
    """The states in which work is done, where what is owed by the end refuses a move too."""
    return frozenset(each.name for each in process.states.values() if each.is_final and not each.is_unfinished)


def forced_by(body: Mapping[str, Any], ends: Collection[str]) -> str:
    """The role that made a move past a gate that refuses it; empty where nobody did."""
    refuses = {Level.MUST, Level.BY_END} if body.get("to") in ends else {Level.MUST}
    past = any(each.get("level") in refuses and not each["passed"] for each in body.get("gates", ()))
    return str(body["role"]) if past and body["kind"] == "moved" else ""


def sent_back(work: Work, row: WorkItem, process: Process) -> str:
    """By whom an item was sent back, and why, in a line: while it waits for that, and while who claimed it works."""
    place = row.claimed_from if process.states[row.state].is_claimed else row.state
    sources = _sends_back_from(process, place)
    if not sources:
        return ""
    moves = select(WorkLedgerRow).where(WorkLedgerRow.item_uid == row.uid, WorkLedgerRow.kind == "moved")
    newest = work.session.exec(moves.order_by(col(WorkLedgerRow.number).desc()).limit(LOOKED_BACK))
    for number, body in ((each.number, json.loads(each.body)) for each in newest):
        if body["to"] == place and body["from"] in sources:
            reason = work.session.get(WorkLedgerText, (number, "reason"))
            by = "a person" if body.get("actor") == "human" else actor_in_words(body, AgentNames(work))
            return sent_back_in_words(by, reason.text if reason is not None else "")
    return ""


def _sends_back_from(process: Process, target: str) -> set[str]:
    """The states from which a move to that one sends work back: the brain has to be asked anew after it."""
    return {
        each.source
        for each in process.transitions
        if each.target == target
        and any(effect.kind == "clear_fields" and MEMORY_FIELDS[0] in effect.value for effect in each.effects)
    }


def actor_in_words(body: Mapping[str, Any], names: AgentNames) -> str:
    """Who did what a row tells."""
    if body.get("actor") == "system":
        return "BigMind"
    if body.get("actor") == "human" or body["kind"] in {"confirmed", "withdrawn"}:
        return names.person(body.get("user"), body["surface"])
    return names.agent(body.get("user"), str(body["client"]))


def _fallen_away(count: int) -> str:
    return f"; {counted(count, 'gate')} fell away" if count else ""


def act_in_words(body: Mapping[str, Any]) -> str:
    """What a row tells."""
    kind, source, target = body["kind"], body.get("from"), body.get("to")
    missing = [str(each["gate"]) for each in body.get("gates", ()) if not each["passed"]]
    match kind:
        case "moved":
            told = f"{source} → {target} as {body['role']}"
        case "refused":
            told = f"refused {source} → {target or 'an unknown state'}: {', '.join(missing) or body['fault']}"
        case "returned":
            told = f"returned {source} → {target}: the lease of {shown_agent(str(body['holder']))} had run out"
        case "migrated":
            told = f"migrated from version {body['from_version']} to {body['to_version']}"
            told += _fallen_away(int(body.get("dropped", 0)))
        case "withdrawn":
            told = f"took the yes to revision {body['revision']} back"
        case "confirmed" | "edited":
            told = f"{kind} at revision {body['revision']}"
        case _:
            told = str(kind)
    return told
