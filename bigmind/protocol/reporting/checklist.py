"""The checklist of a run: each line of its protocol, with how it stands.

A line is as its gate is, but where the gate looks at something else: that a guide was read is known only where BigMind
served it, and checks that none declares were not passed.
"""

import re
from collections.abc import Mapping
from dataclasses import replace

from bigmind.flow.workflow import Level
from bigmind.protocol.answers import ChecklistLine
from bigmind.protocol.document.protocol_record import Phase, Protocol, Requirement
from bigmind.protocol.judging.gate_verdicts import Status, Verdict
from bigmind.protocol.reporting import guide_reading
from bigmind.protocol.tables import ProtocolRun
from bigmind.store.work import Work

_GUIDE = re.compile(r"\bguide\b", re.IGNORECASE)


def checklist(
    work: Work, row: ProtocolRun, protocol: Protocol, verdicts: Mapping[Phase, Verdict]
) -> list[ChecklistLine]:
    """The checklist of a run, each line with how it stands."""
    return [_line(each, _verdict(work, row, protocol, each, verdicts.get(each.phase))) for each in protocol.checklist]


def ended_checklist(work: Work, row: ProtocolRun, protocol: Protocol) -> list[ChecklistLine]:
    """How the checklist stood when the run ended."""
    levels = protocol.levels
    marks = {phase: Status.PASS if phase.value in row.passed else Status.FAIL for phase in Phase}
    return checklist(work, row, protocol, {phase: Verdict(phase, levels[phase], marks[phase]) for phase in Phase})


def _verdict(
    work: Work, row: ProtocolRun, protocol: Protocol, required: Requirement, verdict: Verdict | None
) -> Verdict | None:
    """How the gate of a line stands, as far as it is about that line."""
    if verdict is None:
        return None
    if required.phase is Phase.MEMORY_INIT and _GUIDE.search(required.step):
        told = guide_reading.how_known(work, row)
        return replace(verdict, status=Status.PASS if told else Status.UNKNOWN, evidence=told)
    if required.phase is Phase.QUALITY_CHECKS and not protocol.checks and verdict.passed:
        return replace(verdict, status=Status.SKIPPED, evidence="none is declared")
    return verdict


def _line(required: Requirement, verdict: Verdict | None) -> ChecklistLine:
    status = "PENDING" if verdict is None or verdict.status is Status.UNKNOWN else verdict.status.value
    return ChecklistLine(
        req=required.req,
        step=required.step,
        phase=required.phase.value,
        status=status,
        evidence=verdict.evidence or None if verdict is not None else None,
        is_by_end=required.level is Level.BY_END,
    )
