"""The requirements of a protocol in Markdown: tables with the columns Req and Step, by hand or by the book. Pure."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace

from bigmind.core.errors import shown
from bigmind.flow.workflow import Level
from bigmind.protocol.document.document_faults import FaultList, Mark
from bigmind.protocol.document.markdown_tables import Cell, Table
from bigmind.protocol.document.protocol_record import STRICTEST_FIRST, Phase, Requirement
from bigmind.protocol.document.protocol_words import (
    EXPECTED,
    LevelWord,
    level_in_headings,
    level_in_step,
    level_of,
    phase_in_headings,
    phase_in_id,
    phase_in_step,
    phase_named,
)
from bigmind.protocol.document.value_rules import LONGEST_REQ, LONGEST_STEP, MOST_ROWS, req_of, step_of

REQ, STEP, PHASE, LEVEL = "req", "step", "phase", "level"
COLUMNS: Mapping[str, str] = {
    "req": REQ,
    "id": REQ,
    "step": STEP,
    "requirement": STEP,
    "action": STEP,
    "phase": PHASE,
    "phase/gate": PHASE,
    "phase / gate": PHASE,
    "gate": PHASE,
    "level": LEVEL,
    "requirement level": LEVEL,
    "rfc 2119": LEVEL,
    "must/should/may": LEVEL,
}
"""The columns that are read, by their headings in small letters; any other is left to its reader."""
_NO_CELL = Cell("", Mark(0, 0))


def is_requirement_table(table: Table) -> bool:
    """Whether a table says what is required: it has steps, and ids or levels of them."""
    columns = _columns(table)
    return STEP in columns and (REQ in columns or LEVEL in columns)


def is_half_a_table(table: Table) -> bool:
    """Whether a table has a column Req, and no steps."""
    return any(each.plain.lower() == REQ for each in table.header) and STEP not in _columns(table)


def requirements(tables: Iterable[Table], faults: FaultList) -> list[Requirement]:
    """What all the tables require, each step of a phase once, at the strictest level that is said of it."""
    found: dict[tuple[Phase, str], Requirement] = {}
    for row in (each for table in tables for each in _rows(table, faults)):
        requirement = row.requirement(faults)
        key = (requirement.phase, requirement.step.lower())
        known = found.get(key, requirement)
        level = min(known.level, requirement.level, key=STRICTEST_FIRST.index)
        found[key] = known if known.forbids != requirement.forbids else replace(known, level=level)
        if len(found) > MOST_ROWS:
            faults.add(row.step.mark, f"more than {MOST_ROWS} requirements: leave out the smaller ones")
            break
    return list(found.values())


@dataclass(frozen=True, slots=True)
class _Row:
    headings: tuple[str, ...]
    cells: Mapping[str, Cell] = field(default_factory=dict[str, Cell])

    @property
    def step(self) -> Cell:
        return self.cells[STEP]

    def requirement(self, faults: FaultList) -> Requirement:
        word, is_req = self._level(faults)
        req = self.cells.get(REQ, _NO_CELL)
        step = faults.taken(step_of, self.step.text, self.step.mark, "")
        if word.forbids and not is_req:
            step = f"Must not: {step}"[:LONGEST_STEP]
        told = faults.taken(req_of, req.plain, req.mark, "")[:LONGEST_REQ] or _told(word.level)
        return Requirement(told, self._phase(faults), step, word.level)

    def _level(self, faults: FaultList) -> tuple[LevelWord, bool]:
        """The level, and whether the cell Req is what says it."""
        cell, req = self.cells.get(LEVEL, _NO_CELL), self.cells.get(REQ, _NO_CELL)
        if cell.text:
            if word := level_of(cell.text):
                return word, False
            faults.add(cell.mark, f"{shown(cell.text)} is no level: write {EXPECTED}")
            return LevelWord(Level.MAY), False
        if word := level_of(req.text):
            return word, True
        if word := level_in_step(self.step.text) or level_in_headings(self.headings):
            return word, False
        at = cell if LEVEL in self.cells else req
        faults.add(at.mark, f"{shown(at.text)} says no level: write {EXPECTED}")
        return LevelWord(Level.MAY), False

    def _phase(self, faults: FaultList) -> Phase:
        cell, req = self.cells.get(PHASE, _NO_CELL), self.cells.get(REQ, _NO_CELL)
        if cell.text:
            if phase := phase_named(cell.text):
                return phase
            faults.add(cell.mark, f"{shown(cell.text)} is no phase: write one of {', '.join(Phase)}")
            return Phase.MEMORY_INIT
        found = phase_in_id(req.plain) or phase_in_headings(self.headings)
        if phase := found or phase_in_step(self.step.text, self.headings):
            return phase
        at = cell if PHASE in self.cells else self.step
        faults.add(at.mark, f"of which phase is {shown(self.step.text)}? Add a column Phase: one of {', '.join(Phase)}")
        return Phase.MEMORY_INIT


def _rows(table: Table, faults: FaultList) -> Iterator[_Row]:
    columns = _columns(table)
    for cells in table.rows:
        if not any(each.text for each in cells):
            continue
        if len(cells) > len(table.header):
            report_width(cells, table, faults)
            continue
        yield _Row(table.headings, {name: cells[number] for name, number in columns.items()})


def report_width(cells: tuple[Cell, ...], table: Table, faults: FaultList) -> None:
    """Note that a row has more cells than its table has columns."""
    width = len(table.header)
    told = f"the row has {len(cells)} cells, and the table {width} columns: write a bar within a cell as \\|"
    faults.add(cells[width].mark, told)


def _columns(table: Table) -> dict[str, int]:
    """The number of each column that is read, the first of its kind; a gate beside a phase is a step."""
    names = [" ".join(each.plain.lower().split()) for each in table.header]
    found: dict[str, int] = {}
    for number, name in enumerate(names):
        kind = COLUMNS.get(name)
        if name == "gate" and "phase" in names:
            kind = STEP
        if kind is not None:
            found.setdefault(kind, number)
    return found


def _told(level: Level) -> str:
    return "MUST" if level is Level.BY_END else level.value
