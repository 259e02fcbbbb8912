"""Export and import, as they are offered to the outside."""

import os
from contextlib import closing
from pathlib import Path
from typing import Annotated, BinaryIO

from pydantic import Field

from bigmind.core.events import Action, Kind
from bigmind.core.operation import Effect
from bigmind.operations.catalogue import operation
from bigmind.operations.inputs import FilePath
from bigmind.portable.answers import Exported, Imported, imported
from bigmind.portable.outcome import ImportMode
from bigmind.store.access import Access


@operation("Export the memory", Effect.WRITE, takes_access=True, while_paused=True, masks=False)
def memory_export(
    access: Access,
    output_path: Annotated[FilePath, Field(description="A new .json file; the documents folder, if left out.")]
    | None = None,
) -> Exported:
    """Call this when the user wants their memory as a file: everything of theirs as JSON, in a new file."""
    from bigmind.portable.exporter import Exporter  # noqa: PLC0415 - rare
    from bigmind.portable.memory_release import returning_memory  # noqa: PLC0415
    from bigmind.portable.transfer_paths import new_file, place_for_export  # noqa: PLC0415

    place = place_for_export(access, output_path)
    with returning_memory(), new_file(place) as file, access.read() as work:
        exporter = Exporter(work)
        exporter.write(file, access.progress)
    if exporter.has_others:
        with access.write() as work:  # nobody reads what is private to others without a trace
            work.changed(Kind.STORE, "export", Action.EXPORTED)
    return Exported(path=str(place), bytes=place.stat().st_size, records=exporter.counts)


@operation("Import a memory", Effect.DESTRUCTIVE, takes_access=True, masks=False, idempotent=True)
def memory_import(
    access: Access,
    path: Annotated[FilePath, Field(description="An export, or a file of the older BigMind (memory.db).")],
    mode: Annotated[ImportMode, Field(description="replace deletes what the user has first.")] = "merge",
    dry_run: Annotated[bool, Field(description="Only say what would change.")] = False,
) -> Imported:
    """Call this when the user wants to bring in an export. Run it with dry_run first and show what would change.

    merge keeps what is here, the newer of two winning. A bad file changes nothing.
    """
    from bigmind.portable.older.location import is_sqlite  # noqa: PLC0415 - rare
    from bigmind.portable.transfer_paths import opened_for_import  # noqa: PLC0415

    with opened_for_import(access, path) as (place, file):
        if is_sqlite(file):
            return _import_older(access, place, file, mode, dry_run)
        return _import_export(access, place, file, mode, dry_run)


def _import_export(access: Access, place: Path, file: BinaryIO, mode: ImportMode, dry_run: bool) -> Imported:
    from bigmind.portable.importer import import_records  # noqa: PLC0415 - rare
    from bigmind.portable.kind_records import sections_of  # noqa: PLC0415
    from bigmind.portable.reader import ExportFile  # noqa: PLC0415

    source = ExportFile(file, place.name, sections_of(access.store.kinds))
    outcome = import_records(access, source, mode, dry_run)
    return imported(source.name, mode, dry_run, outcome, is_person=access.caller.is_person)


def _import_older(access: Access, place: Path, file: BinaryIO, mode: ImportMode, dry_run: bool) -> Imported:
    from bigmind.portable.importer import import_records  # noqa: PLC0415 - rare
    from bigmind.portable.older.conversion import OlderFile  # noqa: PLC0415
    from bigmind.portable.older.source import OlderSource  # noqa: PLC0415

    with closing(OlderFile(place, access.caller.username, os.fstat(file.fileno()))) as older:
        outcome = import_records(access, OlderSource(older), mode, dry_run)
        answer = imported(older.name, mode, dry_run, outcome, is_person=access.caller.is_person)
        answer.not_taken = [f"{each.table} {each.row}: {each.reason}" for each in older.left_out]
        return answer


OPERATIONS = (memory_export, memory_import)
