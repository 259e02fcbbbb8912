"""How long each unit of work of an import holds the writers' queue that brings more than one's own memory.

Others' facts, by an admin of a team; company knowledge, thoughts and work; each as new, and then in a later version.
"""

import json
from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path
from typing import Any

from bigmind.core.clock import iso
from bigmind.core.operation import Mode
from tests.bench.long_work import write_facts
from tests.bench.report import Table
from tests.bench.turns import add_turns, turns_table
from tests.memory.living import Memory, living
from tests.portable.files import Document, exported, written
from tests.portable.generator import Sizes, fill
from tests.work.office import Office

FACTS, RECORDS, ITEMS = 20_000, 1_000, 500
DESCRIPTION = "Cents get lost when the sum of the parts is rounded. " * 8


def measure(folder: Path, *, quick: bool) -> Iterator[Table]:
    """Imports of each, in this process."""
    table, part = turns_table(), 10 if quick else 1
    _add_team(table, folder / "team", FACTS // part)
    for what, sizes in (
        ("entries of company knowledge", {"knowledge": RECORDS // part, "thoughts": 0}),
        ("thoughts", {"knowledge": 0, "thoughts": RECORDS // part}),
    ):
        source = folder / what.replace(" ", "-")
        fill(source, Sizes(sessions=3, chunks=0, facts=0, hypotheses=0, longest=600, **sizes))
        with living(source) as memory:
            document = exported(memory, source.with_suffix(".json"))
        _add_both(table, source, f"{RECORDS // part:,} {what}", document, "content", Mode.PERSONAL)
    source = folder / "work"
    with living(source) as memory:
        document = _work(memory, ITEMS // part, source.with_suffix(".json"))
    _add_both(table, source, f"{ITEMS // part:,} tasks and their ledger", document, "title", Mode.PERSONAL)
    yield table


def _add_team(table: Table, folder: Path, facts: int) -> None:
    write_facts(folder.with_suffix(".facts"), facts)
    told: Document = json.loads(folder.with_suffix(".facts").read_text())
    with living(folder) as memory:
        memory.of("bob")("memory_store_fact", category="decision", fact="Bob's own")
        memory.mind.store.mode = Mode.TEAM
        document = exported(memory, folder.with_suffix(".json"))
    [bob] = [each["id"] for each in document["users"] if each["username"] == "bob"]
    document["facts"] += [each | {"user": bob} for each in told["facts"]]
    _add_both(table, folder, f"{facts:,} facts of another user", document, "text", Mode.TEAM)


def _work(memory: Memory, items: int, path: Path) -> Document:
    office = Office(memory)
    for number in range(items):
        others = [f"pay-{number - 1}"] if number % 3 == 1 else []
        office.task(f"Round refund {number}", slug=f"pay-{number}", description=DESCRIPTION, depends_on=others)
    return exported(memory, path)


def _add_both(table: Table, folder: Path, what: str, document: Document, text: str, mode: Mode) -> None:
    """The turns of an import of a document into a memory that is empty, and of its later version into the same."""
    with living(folder.with_name(f"{folder.name}-again"), mode) as memory:
        _add(table, f"import of {what}", memory, folder, document)
        memory.clock.forward(hours=2)
        later = iso(memory.clock() - timedelta(hours=1))
        for section, records in document.items():
            if section not in {"header", "users", "work_ledger"}:
                for each in records:
                    each.update({"updated_at": later} | ({text: f"Later: {each[text][:100]}"} if text in each else {}))
        _add(table, "import of later versions of all of them", memory, folder, document)


def _add(table: Table, what: str, memory: Memory, folder: Path, document: Any) -> None:
    add_turns(table, what, memory, "memory_import", path=written(folder.with_suffix(".told.json"), document))
