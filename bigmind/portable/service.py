"""Export and import, from the paths that were named to the answer."""

import os
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO

from bigmind.core.events import Action, Kind
from bigmind.core.lazy_module import LazyModule
from bigmind.portable.answers import Exported, Imported, imported
from bigmind.portable.exporter import Exporter
from bigmind.portable.format.kind_records import sections_of
from bigmind.portable.importer import import_records
from bigmind.portable.memory_release import returning_memory
from bigmind.portable.older.location import is_sqlite
from bigmind.portable.outcome import ImportMode
from bigmind.portable.reader import ExportFile
from bigmind.portable.transfer_paths import new_file, opened_for_import, place_for_export
from bigmind.store.access import Access

if TYPE_CHECKING:
    from bigmind.portable.older import conversion
    from bigmind.portable.older import source as older_source
else:
    conversion = LazyModule("bigmind.portable.older.conversion")
    older_source = LazyModule("bigmind.portable.older.source")


def export_to(access: Access, path: str | None) -> Exported:
    """Write everything of the caller into a new file; into the documents folder, where no path is named.

    Raises:
        BigMindError: as `place_for_export` and `new_file`.
    """
    place = place_for_export(access, path)
    with returning_memory(), new_file(place) as file, access.read() as work:
        exporter = Exporter(work)
        exporter.write(file, access.progress)
    if exporter.has_others:
        with access.write() as work:  # nobody reads what is private to others without a trace
            work.changed(Kind.STORE, "export", Action.EXPORTED)
    return Exported(path=str(place), bytes=place.stat().st_size, records=exporter.counts, nodes=exporter.nodes)


def import_from(access: Access, path: str, mode: ImportMode, *, dry_run: bool) -> Imported:
    """Bring in an export, or a file of the older BigMind.

    Raises:
        BigMindError: as `opened_for_import` and `import_records`.
    """
    with opened_for_import(access, path) as (place, file):
        if is_sqlite(file):
            return _import_older(access, place, file, mode, dry_run)
        return _import_export(access, place, file, mode, dry_run)


def _import_export(access: Access, place: Path, file: BinaryIO, mode: ImportMode, dry_run: bool) -> Imported:
    source = ExportFile(file, place.name, sections_of(access.store.kinds))
    outcome = import_records(access, source, mode, dry_run)
    return imported(source.name, mode, dry_run, outcome, is_person=access.caller.is_person)


def _import_older(access: Access, place: Path, file: BinaryIO, mode: ImportMode, dry_run: bool) -> Imported:
    with closing(conversion.OlderFile(place, access.caller.username, os.fstat(file.fileno()))) as older:
        outcome = import_records(access, older_source.OlderSource(older), mode, dry_run)
        answer = imported(older.name, mode, dry_run, outcome, is_person=access.caller.is_person)
        answer.not_taken = [f"{each.table} {each.row}: {each.reason}" for each in older.left_out]
        return answer
