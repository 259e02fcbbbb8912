"""Findings of where things are kept: is there a backup to rely on, and does the memory go with an app of Windows."""

from collections.abc import Callable, Iterator
from datetime import timedelta
from pathlib import Path

from sqlmodel import select

from bigmind.core.clock import local
from bigmind.core.errors import BigMindError, Code
from bigmind.disk.app_packages import kept_by_package
from bigmind.disk.existence import is_known_file
from bigmind.maintenance.answers import Finding
from bigmind.memory.tables import MemorySession
from bigmind.store.access import Access

BACKUP_TOO_OLD = timedelta(days=3)
MAKES_ONE = "`bigmind backup create` makes one now."
LOOK_AT_ALL = "`bigmind backup list --verify` reads all of them. Remove those that are damaged, and look at their disk."
MOST_NAMED = 3


def backup_findings(access: Access) -> Iterator[Finding]:
    """What is found; reads every byte of the newest backup, and of the others sizes and manifests."""
    try:
        yield from _backups(access)
    except BigMindError as error:
        if error.code is not Code.UNAVAILABLE:
            raise
        yield Finding.of("backups_away", "warning", error.message, 1, error.hint)


def _backups(access: Access) -> Iterator[Finding]:
    from bigmind.backup.chosen_folder import backups_away  # noqa: PLC0415 - needed here only
    from bigmind.backup.service import state  # noqa: PLC0415 - needed here only

    keeping = access.store.safekeeping
    if loss := keeping.loss:
        yield Finding.of("memory_missing", "problem", loss.in_words, 1, loss.remedy)
        return
    if away := backups_away(access.store):
        yield Finding.of("backups_away", "warning", away.in_words, 1, away.remedy)
        return
    known = state(access.store)
    if known.failure is not None:
        meaning = f"The last backup failed on {local(known.failure.at)}: {known.failure.message}"
        yield Finding.of("backup_failed", "warning", meaning, 1, MAKES_ONE)
    if known.newest is None:
        if _holds_anything(access):
            yield Finding.of("backup_missing", "warning", "There is no verified backup.", 1, MAKES_ONE)
    elif access.now - known.newest.taken_at > BACKUP_TOO_OLD:
        meaning = f"The newest verified backup is of {local(known.newest.taken_at)}."
        yield Finding.of("backup_old", "warning", meaning, 1, MAKES_ONE)
    yield from _damaged(access)


def memory_of_app(database: Path, package: Callable[[Path], str] = kept_by_package) -> Iterator[Finding]:
    """A finding, where the memory goes when an app is removed, because Windows keeps it in a folder of that app."""
    if name := package(database):
        meaning = (
            f"BigMind runs as a part of the app {name}, and Windows keeps the memory in a folder of that app: "
            "it goes when the app is removed, and no BigMind of another Python sees it."
        )
        remedy = "Export the memory, set BIGMIND_HOME to a folder outside of AppData, and import it there."
        yield Finding.of("memory_of_app", "warning", meaning, 1, remedy)


def _damaged(access: Access) -> Iterator[Finding]:
    from bigmind.backup.files import damage, manifest_of  # noqa: PLC0415 - needed here only
    from bigmind.backup.service import backups, own_id  # noqa: PLC0415 - needed here only

    own = own_id(access.store)
    # One without a manifest is a copy that somebody laid there; of one that is damaged nobody knows whose it was.
    found = [
        each
        for each in backups(access.store)
        if (each.info.store == own if each.info else is_known_file(manifest_of(each.path)))
    ]
    newest = next((each for each in found if not each.problem), None)
    told = {each.path.name: damage(each) if each is newest else each.problem for each in found}
    if bad := [f"{name}: {problem}" for name, problem in told.items() if problem]:
        more = f", and {len(bad) - MOST_NAMED} more" if len(bad) > MOST_NAMED else ""
        meaning = f"Backups are not as they were written: {'; '.join(bad[:MOST_NAMED])}{more}."
        yield Finding.of("backup_damaged", "warning", meaning, len(bad), f"{MAKES_ONE} {LOOK_AT_ALL}")


def _holds_anything(access: Access) -> bool:
    with access.read() as work:
        return work.session.exec(select(MemorySession.id).limit(1)).first() is not None
