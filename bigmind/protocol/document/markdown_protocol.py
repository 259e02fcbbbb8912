"""A protocol from `SESSION-PROTOCOL.md`: of its tables; what else stands there is for people. Pure."""

from typing import Any

from bigmind.protocol.document.built_in import completed
from bigmind.protocol.document.document_faults import FaultList, Mark
from bigmind.protocol.document.markdown_tables import Table, tables
from bigmind.protocol.document.place_tables import checks, is_check_table, is_place_table, places
from bigmind.protocol.document.requirement_tables import is_half_a_table, is_requirement_table, requirements

NO_TABLE = "no table of requirements: write one with the columns Req and Step"


def markdown_fields(text: str, faults: FaultList) -> dict[str, Any]:
    """The attributes of a protocol that a document says; `checklist` always.

    Args:
        text: Markdown, with lines that end in a line feed.
        faults: what is wrong is noted there.
    """
    known = tables(text)
    required = _required([each for each in known if is_requirement_table(each)])
    known = [each for each in known if not each.is_quoted]
    for table in (each for each in known if is_half_a_table(each)):
        faults.add(table.header[0].mark, "the table has a column Req and none for the steps: call one Step")
    placed = [each for each in known if is_place_table(each)]
    if not (required or placed):
        faults.add(Mark(1, 1), NO_TABLE)
    return {
        **places(placed, faults),
        "checklist": completed(requirements(required, faults)),
        "checks": checks([each for each in known if is_check_table(each)], faults),
    }


def _required(found: list[Table]) -> list[Table]:
    """Those of the text; where all stand in blocks of code, as a checklist that is copied into logs, those."""
    return [each for each in found if not each.is_quoted] or found
