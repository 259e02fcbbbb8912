"""The places and checks of a protocol in Markdown: a table Place | Path, and a table Check | Command. Pure."""

from collections.abc import Callable, Iterable, Mapping
from typing import Any

from bigmind.core.errors import shown
from bigmind.protocol.document.document_faults import FaultList
from bigmind.protocol.document.markdown_tables import Cell, Table
from bigmind.protocol.document.protocol_record import USUAL_SECONDS, Check
from bigmind.protocol.document.requirement_tables import report_width
from bigmind.protocol.document.value_rules import (
    MOST_CHECKS,
    MOST_PATHS,
    command_of,
    name_of,
    note_of,
    path_of,
    pattern_of,
    seconds_of,
)

PLACE, PATH = "place", "path"
CHECK, COMMAND, DEFINED_BY, SECONDS = "check", "command", "defined by", "seconds"
ONE: Mapping[str, str] = {
    "handoff": "handoff",
    "session logs": "logs",
    "log template": "template",
    "qa reports": "reports",
    "skills": "skills",
}
"""Places that are one path, by their names in small letters, and the attributes of a protocol that they are."""
SEVERAL: Mapping[str, tuple[str, Callable[[str], str]]] = {
    "mandatory notes": ("mandatory", note_of),
    "docs": ("docs", pattern_of),
}
"""Places that are several."""


def is_place_table(table: Table) -> bool:
    """Whether a table says where things are."""
    return {PLACE, PATH} <= _columns(table).keys()


def is_check_table(table: Table) -> bool:
    """Whether a table says which commands have to pass."""
    return {CHECK, COMMAND} <= _columns(table).keys()


def places(tables: Iterable[Table], faults: FaultList) -> dict[str, Any]:
    """The attributes of a protocol that the tables of places say."""
    found: dict[str, Any] = {}
    for row in _rows(tables, faults):
        name, value = row[PLACE], row[PATH]
        place = name.plain.lower()
        attribute = ONE.get(place) or SEVERAL.get(place, ("",))[0]
        if not attribute:
            known = ", ".join(each.capitalize() for each in (*ONE, *SEVERAL))
            faults.add(name.mark, f"{shown(name.text)} is no place that is known: write one of {known}")
        elif attribute in found:
            faults.add(name.mark, f"{shown(name.text)} stands there twice: leave one out")
        else:
            found[attribute] = _one(value, faults) if place in ONE else _several(value, SEVERAL[place][1], faults)
    return found


def _one(cell: Cell, faults: FaultList) -> str:
    if len(cell.values) != 1:
        faults.add(cell.mark, f"{shown(cell.text)} is {len(cell.values)} paths: write one")
        return ""
    return faults.taken(path_of, cell.values[0], cell.mark, "")


def _several(cell: Cell, read: Callable[[str], str], faults: FaultList) -> tuple[str, ...]:
    if len(cell.values) > MOST_PATHS:
        faults.add(cell.mark, f"{len(cell.values)} of them: write at most {MOST_PATHS}")
        return ()
    return tuple(dict.fromkeys(faults.taken(read, each, cell.mark, "") for each in cell.values))


def checks(tables: Iterable[Table], faults: FaultList) -> tuple[Check, ...]:
    """The checks that the tables of checks say."""
    found: dict[str, Check] = {}
    for row in _rows(tables, faults):
        name = faults.taken(name_of, row[CHECK].plain, row[CHECK].mark, "")
        if name in found:
            faults.add(row[CHECK].mark, f"{shown(name)} stands there twice: give each check a name of its own")
        if len(found) == MOST_CHECKS:
            faults.add(row[CHECK].mark, f"more than {MOST_CHECKS} checks: put several in one script")
            break
        found[name] = Check(
            name,
            _command(row[COMMAND], faults),
            _several(row[DEFINED_BY], path_of, faults) if DEFINED_BY in row else (),
            _seconds(row[SECONDS], faults) if SECONDS in row else USUAL_SECONDS,
        )
    return tuple(found.values())


def _command(cell: Cell, faults: FaultList) -> tuple[str, ...]:
    told = cell.values if cell.text.startswith("`") else [cell.text]
    if len(told) != 1:
        faults.add(cell.mark, f"{len(told)} commands: write each as a check of its own")
        return ()
    return faults.taken(command_of, told[0], cell.mark, ())


def _seconds(cell: Cell, faults: FaultList) -> int:
    return faults.taken(seconds_of, cell.plain, cell.mark, USUAL_SECONDS) if cell.text else USUAL_SECONDS


def _rows(tables: Iterable[Table], faults: FaultList) -> "Iterable[dict[str, Cell]]":
    for table in tables:
        for cells in (each for each in table.rows if any(cell.text for cell in each)):
            if len(cells) > len(table.header):
                report_width(cells, table, faults)
            else:
                yield {name: cells[number] for name, number in _columns(table).items()}


def _columns(table: Table) -> dict[str, int]:
    return {" ".join(each.plain.lower().split()): number for number, each in reversed([*enumerate(table.header)])}
