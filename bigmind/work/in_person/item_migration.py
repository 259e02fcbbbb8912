"""Leading items to a newer version of their process: in person, shown before, past no gate; in each item's ledger."""

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from sqlmodel import col, select

from bigmind.core.errors import BigMindError, Code, FieldProblem
from bigmind.flow.process_document import dropped_gates
from bigmind.flow.workflow import HUMAN, RESTORE, Gate, Level, Process
from bigmind.store.work import Work
from bigmind.work.items import item_named, tell
from bigmind.work.ledger.ledger_rows import Entry, agrees, append
from bigmind.work.processes import process_of
from bigmind.work.tables import WorkItem

MOST_MIGRATED = 1_000
"""Items that one migration leads over; the next takes the rest."""
SHOWN_DIGITS = 32


@dataclass(frozen=True, slots=True)
class MigrationStep:
    """An item that would be led over, or why it cannot be.

    Attributes:
        row: the item.
        why_not: why it stays; empty where it goes.
        dropped: the gates that still lay ahead of it and fall away with its version, each with its move, in words.
    """

    row: WorkItem
    why_not: str = ""
    dropped: Sequence[str] = ()


@dataclass(frozen=True, slots=True)
class MigrationPlan:
    """What a migration would do.

    Attributes:
        process: the version that items would be led to.
        steps: each item that stands in an older one.
        shown: by what the plan is known: another standing of its items has another.
    """

    process: Process
    steps: Sequence[MigrationStep]
    shown: str

    @property
    def ready(self) -> list[WorkItem]:
        """The items that can be led over."""
        return [each.row for each in self.steps if not each.why_not]

    @property
    def dropped(self) -> list[str]:
        """The gates that fall away ahead of any of them, each once."""
        return list(dict.fromkeys(gate for each in self.steps for gate in each.dropped))


def plan(work: Work, name: str, version: int, slugs: Sequence[str] = ()) -> MigrationPlan:
    """Say what a migration would do, and to which items it cannot be done. Only reads.

    Args:
        work: the person's.
        name: of the process.
        version: that items would be led to; only forward.
        slugs: of the items; none: all of the process that stand in an older version, at most 1,000.

    Raises:
        BigMindError: `not_found`; `invalid_input` for an item of another process.
    """
    process = process_of(work, name, version)
    rows = [item_named(work, each) for each in slugs] if slugs else _older(work, process)
    strangers = tuple(
        FieldProblem("slugs", each.slug, f"an item of {name} in a version before {version}")
        for each in rows
        if each.process != name or each.version >= version
    )
    if strangers:
        raise BigMindError(Code.INVALID_INPUT, "Not every item can be led over.", problems=strangers)
    dropped: dict[tuple[object, ...], Sequence[str]] = {}
    steps = [_step(work, each, process, dropped) for each in rows]
    return MigrationPlan(process, steps, _shown(process, steps))


def migrate(work: Work, name: str, version: int, slugs: Sequence[str], shown: str) -> list[str]:
    """Lead items to a newer version, as it was shown; those that cannot go stay. Returns the slugs of those that went.

    Raises:
        BigMindError: as `plan`; `conflict`, when an item changed since, or none can be led over.
    """
    found = plan(work, name, version, slugs)
    if found.shown != shown:
        raise BigMindError(
            Code.CONFLICT, "Some of these items changed since you looked. Nothing was migrated.", "Look once more."
        )
    if not found.ready:
        why = "; ".join(f"{each.row.slug}: {each.why_not}" for each in found.steps[:5])
        raise BigMindError(Code.CONFLICT, f"No item can be led to version {version}. {why}".strip())
    for row, dropped in ((each.row, each.dropped) for each in found.steps if not each.why_not):
        before = process_of(work, row.process, row.version)
        row.version = found.process.version
        row.revision += 1
        body = {
            "actor": HUMAN,
            "from_version": before.version,
            "to_version": row.version,
            "process": f"{name}@{row.version}:{found.process.digest[:16]}",
            "revision": row.revision,
            "dropped": len(dropped),
        }
        append(work, Entry("migrated", row.uid, body, {"dropped": "\n".join(dropped)}), row)
        tell(work, row)
    return [each.slug for each in found.ready]


def _older(work: Work, process: Process) -> list[WorkItem]:
    found = select(WorkItem).where(WorkItem.process == process.name, WorkItem.version < process.version)
    return list(work.session.exec(found.order_by(col(WorkItem.id)).limit(MOST_MIGRATED)).all())


def _step(work: Work, row: WorkItem, after: Process, known: dict[tuple[object, ...], Sequence[str]]) -> MigrationStep:
    """What becomes of an item; what falls away is looked for once for all that stand alike."""
    if why_not := _why_not(work, row, after):
        return MigrationStep(row, why_not)
    places = row.state, *([row.saved["state"]] if row.saved else [])
    alike = row.version, places
    if alike not in known:
        known[alike] = dropped_gates(process_of(work, row.process, row.version), after, places)
    return MigrationStep(row, "", known[alike])


def _why_not(work: Work, row: WorkItem, after: Process) -> str:
    if not agrees(work, row):
        return "it does not stand as the ledger says it was left"
    before = process_of(work, row.process, row.version)
    saved: Mapping[str, str] = row.saved or {}
    places = [(row.state, row.role), *([(saved["state"], saved["role"])] if saved else [])]
    for state, role in places:
        if state not in after.states:
            return f"version {after.version} has no state {state}"
        if role not in after.roles:
            return f"version {after.version} has no role {role}"
        if skipped := sorted(_inevitable(after)[state] - _inevitable(before).get(state, frozenset())):
            return f"it would come past {', '.join(skipped)}, which leads to {state} in version {after.version}"
    return ""


def _inevitable(process: Process) -> dict[str, frozenset[str]]:
    """The gates that an item has passed in a state whichever way it came: of each state, by their names."""
    all_gates = frozenset(name for rule in process.transitions for name in _musts(rule.gates))
    found = {name: frozenset[str]() if state.begins else all_gates for name, state in process.states.items()}
    while True:
        after = dict(found)
        for source in process.states:
            for rule in process.leaving(source):
                if rule.target != RESTORE:
                    after[rule.target] = after[rule.target] & (after[source] | _musts(rule.gates))
        if after == found:
            return found
        found = after


def _musts(gates: Sequence[Gate]) -> frozenset[str]:
    return frozenset(each.name for each in gates if each.level is Level.MUST)


def _shown(process: Process, steps: Sequence[MigrationStep]) -> str:
    of_items = [[each.row.uid, each.row.revision, each.row.version, each.why_not, [*each.dropped]] for each in steps]
    told = [process.digest, of_items]
    return hashlib.sha256(json.dumps(told).encode()).hexdigest()[:SHOWN_DIGITS]
