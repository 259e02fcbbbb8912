"""Exports to look into and to change, and what a store holds, to compare."""

import hashlib
import json
import re
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import text

from bigmind.core.operation import Presence
from bigmind.people.service import NOBODY
from bigmind.store.store import Store
from tests.memory.living import Memory

Document = dict[str, Any]

# Kept by SQLite for itself, or derived from the rows beside them.
_NOT_ROWS = re.compile("sqlite_|.*_(fts|grams)(_|$)|embedding")
_COUNTER = re.compile(r"\w+_text_changes|embedding_deletes")


def in_person(memory: Memory) -> Memory:
    """The same caller, as a person in the app's window."""
    return replace(memory, caller=replace(memory.caller, is_person=True, presence=Presence.WINDOW))


def in_units(patched: pytest.MonkeyPatch) -> None:
    """Have every import write as a large one does: hidden, noted, and late."""
    patched.setattr("bigmind.portable.importer.WRITTEN_AT_ONCE", -1)
    for module in ("late_notes", "hiding"):
        patched.setattr(f"bigmind.portable.writing.{module}.FEW", -1)


def exported(memory: Memory, path: Path) -> Document:
    """What an export to that path holds."""
    in_person(memory)("memory_export", output_path=str(path))
    return json.loads(path.read_text(encoding="utf-8"))


def contents(path: Path) -> bytes:
    """An export without its header, byte for byte."""
    first, header, rest = path.read_bytes().split(b"\n", 2)
    assert first == b"{"
    assert header.startswith(b'"header": ')
    return rest


def written(path: Path, document: Document) -> str:
    """A document as a file; its path, as an operation takes it."""
    path.write_text(json.dumps(document, ensure_ascii=False), encoding="utf-8")
    return str(path)


def changed(path: Path, to: Path, change: Callable[[Document], object]) -> str:
    """A copy of an export in which something is different."""
    document = json.loads(path.read_text(encoding="utf-8"))
    change(document)
    return written(to, document)


def everything(store: Store) -> dict[str, str]:
    """The number of rows of each table, and a digest of them; how often something was changed is none of it."""
    digests: dict[str, str] = {}
    with store.read(NOBODY, "test") as work:
        connection = work.session.connection()
        names = connection.execute(text("SELECT name FROM sqlite_master WHERE type = 'table' ORDER BY name"))
        for (name,) in names.all():
            if not _NOT_ROWS.match(name):
                digest, count = hashlib.sha256(), 0
                for row in connection.execute(text(f'SELECT * FROM "{name}"')):
                    if name == "store_property" and _COUNTER.fullmatch(row.name):
                        continue
                    digest.update(repr(tuple(row)).encode("utf-8", "backslashreplace"))
                    count += 1
                digests[name] = f"{count} rows, {digest.hexdigest()}"
    return digests


def left_behind(home: Path) -> list[str]:
    """Scratch files that should be gone."""
    return [file.name for file in home.rglob(".*") if file.is_file()]


def counts(answer: Any, verdict: str) -> dict[str, int]:
    """The sections with records of that verdict, and how many."""
    return {each.section: number for each in answer.sections if (number := getattr(each, verdict))}


def whole(path: Path) -> dict[str, int]:
    document = json.loads(path.read_text(encoding="utf-8"))
    return {name: len(records) for name, records in document.items() if name != "header" and records}


def agent_of(memory: Memory) -> Memory:
    return replace(memory, caller=replace(memory.caller, is_person=False, presence=Presence.CLIENT))
