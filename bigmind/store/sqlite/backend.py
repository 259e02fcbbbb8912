"""SQLite as a store's database: its parts, put together."""

from bigmind.store.backend import Backend
from bigmind.store.sqlite import (
    checks,
    damage,
    engine,
    faults,
    page_cleaning,
    presence,
    scrub,
    seals,
    snapshots,
    typed_filter,
)
from bigmind.store.sqlite.driver import sound_driver
from bigmind.store.sqlite.renewal.filling import renew
from bigmind.store.sqlite.renewal.spares import discard
from bigmind.store.sqlite.search_parts import SqliteRowLookup, SqliteTextSearch
from bigmind.store.sqlite.vectors import SqliteVectors


class SqliteEngines:
    """As `bigmind.store.backend.Engines` has it."""

    readers = engine.READERS
    prepare = staticmethod(presence.prepare)
    writing = staticmethod(engine.writing_engine)
    reading = staticmethod(engine.reading_engine)
    glancing = staticmethod(engine.glancing_engine)
    rebuilding = staticmethod(engine.rebuilding)

    def version(self) -> str:
        """The version of the SQLite library."""
        return sound_driver().sqlite_version


class SqliteFullText(SqliteTextSearch):
    """As `bigmind.store.backend.FullText` has it."""

    typed_filter = staticmethod(typed_filter.narrowed)
    indexes = staticmethod(checks.indexes)
    rebuild = staticmethod(checks.rebuild)
    renew = staticmethod(renew)
    discard_unfinished = staticmethod(discard)


class SqliteMaintenance:
    """As `bigmind.store.backend.Maintenance` has it."""

    damage = staticmethod(damage.damage_of)
    problems = staticmethod(checks.problems)
    full_text_problems = staticmethod(checks.full_text_problems)
    out_of_step = staticmethod(checks.out_of_step)
    broken_references = staticmethod(checks.broken_references)
    put_off_words = staticmethod(scrub.put_off_words)
    pages = staticmethod(page_cleaning.PageFile)
    make_able_to_shrink = staticmethod(snapshots.make_able_to_shrink)
    overwrite = staticmethod(scrub.overwrite)
    shrink = staticmethod(scrub.shrink)
    empty_log = staticmethod(scrub.empty_log)
    settle = staticmethod(scrub.settle)
    measure_tables = staticmethod(scrub.measure_tables)
    keep_sealed = staticmethod(seals.keep_sealed)
    seal_all = staticmethod(seals.seal_all)
    size = staticmethod(scrub.size)
    size_of_log = staticmethod(scrub.size_of_log)


class SqliteSnapshots:
    """As `bigmind.store.backend.Snapshots` has it: SQLite's backup API."""

    copy = staticmethod(snapshots.copy)
    copy_as_it_is = staticmethod(snapshots.copy_as_it_is)
    connected = staticmethod(snapshots.connected)
    contents = staticmethod(snapshots.contents)
    put_in_place = staticmethod(snapshots.put_in_place)


class SqliteFaults:
    """As `bigmind.store.disk_faults.Faults` has it: SQLite's result codes."""

    meaning = staticmethod(faults.meaning)
    is_damage = staticmethod(damage.is_damage)
    is_of_disk = staticmethod(faults.is_of_disk)

    @property
    def errors(self) -> tuple[type[Exception], ...]:
        """The base of all that the driver raises."""
        return (sound_driver().Error,)


SQLITE = Backend(
    "sqlite",
    SqliteEngines(),
    SqliteFullText(),
    SqliteRowLookup(),
    SqliteVectors(),
    SqliteMaintenance(),
    SqliteSnapshots(),
    SqliteFaults(),
    is_one_file=True,
)
