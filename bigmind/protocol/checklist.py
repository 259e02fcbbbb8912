"""The checklist of a run: each line of its protocol, with how it stands."""

from collections.abc import Mapping

from bigmind.flow.workflow import Level
from bigmind.protocol.answers import ChecklistLine
from bigmind.protocol.document.protocol_record import Phase, Protocol, Requirement
from bigmind.protocol.judging.gate_verdicts import Status, Verdict


def checklist(protocol: Protocol, verdicts: Mapping[Phase, Verdict]) -> list[ChecklistLine]:
    """The checklist of a protocol, each line with how its gate stands."""
    return [_line(each, verdicts.get(each.phase)) for each in protocol.checklist]


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
