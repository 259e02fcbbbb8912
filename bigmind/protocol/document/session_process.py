"""The engine's process of a protocol run: `assets/processes/session.yaml`, with the levels of a protocol."""

from collections.abc import Mapping
from dataclasses import replace
from functools import cache

from bigmind.flow.process_document import read_process
from bigmind.flow.workflow import Gate, Level, Process, Transition
from bigmind.paths import asset
from bigmind.protocol.document.protocol_record import Phase, Protocol

AGENT = "agent"
"""The one work role of the process: whoever runs the session."""
INCOMPLETE = "incomplete"
"""The state of a run that ended while something was not met; BigMind alone leads there."""


@cache
def session_process() -> Process:
    """The process as its document has it, with the levels of the built-in protocol."""
    file = asset("processes/session.yaml")
    return read_process(file.read_text(encoding="utf-8"), file.name)


def process_of(protocol: Protocol) -> Process:
    """The process of runs under a protocol: its gates have that protocol's levels."""
    return _levelled_process(tuple(sorted(protocol.levels.items())))


@cache
def _levelled_process(levels: tuple[tuple[Phase, Level], ...]) -> Process:
    process = session_process()
    known = dict(levels)
    return replace(process, transitions=tuple(_levelled(each, known) for each in process.transitions))


def _levelled(rule: Transition, levels: Mapping[Phase, Level]) -> Transition:
    return replace(rule, gates=tuple(replace(each, level=levels[phase_of(each)]) for each in rule.gates))


def phase_of(gate: Gate) -> Phase:
    """The phase that a gate of the process stands for."""
    return Phase(str(gate.options["name"]))


def gate_of(process: Process, phase: Phase) -> Gate:
    """The gate of a phase."""
    return transition_of(process, phase).gates[0]


def transition_of(process: Process, phase: Phase) -> Transition:
    """The transition that a phase leads along; its own gate is the first there."""
    return next(each for each in process.transitions if each.gates and phase_of(each.gates[0]) is phase)
