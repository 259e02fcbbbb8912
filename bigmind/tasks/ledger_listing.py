"""The ledger of an item, as people read it."""

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from bigmind.people.agent_names import AgentNames, shown_agent
from bigmind.store.work import Work
from bigmind.tasks.answers import LedgerLine
from bigmind.work.ledger.ledger_rows import rows, texts_of
from bigmind.work.tables import WorkItem


def ledger_of(work: Work, row: WorkItem) -> list[LedgerLine]:
    """The rows of an item, the oldest first."""
    texts, names = texts_of(work, row.uid), AgentNames(work)
    return [
        LedgerLine(
            number=each.number,
            at=datetime.fromisoformat(each.body["at"]),
            kind=each.body["kind"],
            by=actor_in_words(each.body, names),
            told=act_in_words(each.body),
            reason=texts.get((each.number, "reason"), "") or texts.get((each.number, "note"), ""),
            digest=each.digest,
        )
        for each in rows(work, row.uid)
    ]


def actor_in_words(body: Mapping[str, Any], names: AgentNames) -> str:
    """Who did what a row tells."""
    if body.get("actor") == "system":
        return "BigMind"
    if body.get("actor") == "human" or body["kind"] in {"confirmed", "withdrawn"}:
        return names.person(body.get("user"), body["surface"])
    return names.agent(body.get("user"), str(body["client"]))


def act_in_words(body: Mapping[str, Any]) -> str:
    """What a row tells."""
    kind, source, target = body["kind"], body.get("from"), body.get("to")
    missing = [str(each["gate"]) for each in body.get("gates", ()) if not each["passed"]]
    match kind:
        case "moved":
            told = f"{source} → {target} as {body['role']}"
        case "refused":
            told = f"refused {source} → {target}: {', '.join(missing) or body['fault']}"
        case "returned":
            told = f"returned {source} → {target}: the lease of {shown_agent(str(body['holder']))} had run out"
        case "migrated":
            told = f"migrated from version {body['from_version']} to {body['to_version']}"
        case "withdrawn":
            told = f"took the yes to revision {body['revision']} back"
        case "confirmed" | "edited":
            told = f"{kind} at revision {body['revision']}"
        case _:
            told = str(kind)
    return told
