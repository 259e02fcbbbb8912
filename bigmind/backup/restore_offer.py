"""Which backup a damaged memory is restored from, and what would be lost: all that was written since."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from bigmind.backup.files import BackupInfo, newest_in
from bigmind.backup.service import backups, own_id
from bigmind.core.clock import local, system_clock
from bigmind.core.errors import BigMindError
from bigmind.core.kind import Words
from bigmind.memory.growth import written_since
from bigmind.people.service import NOBODY
from bigmind.store.condition import DamagedError
from bigmind.store.store import Store
from bigmind.text.phrasing import counted


@dataclass(frozen=True, slots=True)
class Offer:
    """The newest verified backup of a store.

    Attributes:
        backup: which.
        lost: how many things of each kind, by how people call them, were written or changed since it was taken; None
            where that cannot be read.
    """

    backup: BackupInfo
    lost: Mapping[Words, int | None]

    @property
    def lost_in_words(self) -> str:
        """What a restore loses, and what of that cannot be told; one or two sentences."""
        told = [counted(number, *words) for words, number in self.lost.items() if number]
        unknown = [words.many for words, number in self.lost.items() if number is None]
        words = f"Written or changed since then, and lost: {', '.join(told) or 'nothing'}."
        return f"{words} How many {' and '.join(unknown)} cannot be read." if unknown else words


def offer(store: Store) -> Offer | None:
    """What to restore; None where there is no verified backup.

    Raises:
        BigMindError: `unavailable`, when the folder of the backups cannot be read.
    """
    found = [each.info for each in backups(store) if each.info and not each.problem]
    try:
        own = own_id(store)
        found = [each for each in found if each.store == own]
    except store.backend.faults.errors:
        pass  # whose store it is cannot be read either: the newest is the likeliest
    if not found:
        return None
    with store.read(NOBODY, "offer_backup") as work:
        since = written_since(work, found[0].taken_at, found[0].change)
    return Offer(found[0], {each.words: since.later[each.plural] for each in store.kinds.with_ids})


def offer_in_words(store: Store) -> str:
    """The same in words; empty while the store is whole."""
    if not store.condition.damage:
        return ""
    try:
        found = offer(store)
    except BigMindError as error:
        return error.message
    if found is None:
        return "There is no verified backup: keep a copy of the data folder, and export what can be read."
    return (
        f"`bigmind backup restore {found.backup.name}` brings back the backup of {local(found.backup.taken_at)}. "
        f"{found.lost_in_words}"
    )


def unopenable(fault: DamagedError, file: Path, folder: Path, *, is_named: bool) -> BigMindError:
    """What is said of a damaged memory that cannot even be opened: the way out, of which no start is a part.

    Args:
        fault: what opening it said.
        file: the database; it is left as it is, for a start that moved it could take a copy that is being made for it.
        folder: of its backups.
        is_named: whether a person named the file, and may have named another than the memory's.
    """
    try:
        newest = newest_in(folder, system_clock())
    except OSError as error:
        found, then = f"The backups in {folder} cannot be read ({error.strerror}).", "start BigMind again"
    else:
        found, then = f"There is no verified backup in {folder}.", "start BigMind again: it begins an empty memory"
        if newest is not None:
            found = f"The newest verified backup is {newest.path.name}, of {local(newest.taken_at)}."
            then = f"run `bigmind backup restore {newest.path.name}`"
    check = "If that is not the memory's file, set BIGMIND_DB_PATH to the right one. Else: " if is_named else ""
    hint = f"{check}{found} Move {file} to another folder and keep it there; then {then}."
    return BigMindError(fault.code, f"{fault.message} It was left as it is.", hint)
