"""One changed byte, or a missing end, of a backup is noticed: in the list that reads it, and when it is restored."""

import os
import random
import shutil
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from bigmind.backup.files import BackupInfo, backups_in, damage, manifest_of, write_manifest
from bigmind.backup.service import before_migration
from bigmind.core.errors import BigMindError, Code
from bigmind.store.store import Store
from tests.backup.keeping import backup, facts, folder_of, remember, rows_of
from tests.memory.living import Memory, living
from tests.store.past import first_store

POSITIONS = 60
pytestmark = pytest.mark.xdist_group("backup-damage")


@dataclass
class Kept:
    """A memory that has gone on since its backup, and the backup's file with its manifest, as they were written."""

    memory: Memory
    path: Path
    original: bytes
    manifest: bytes

    def spoil(self, file: bytes | None = None, manifest: bytes | None = None) -> None:
        self.path.write_bytes(self.original if file is None else file)
        manifest_of(self.path).write_bytes(self.manifest if manifest is None else manifest)

    def listed(self) -> str:
        """What the thorough list says is wrong with it."""
        rows = self.memory("backup_list", verify=True).backups
        return next(row.problem for row in rows if row.name == self.path.name)

    def assert_noticed(self, what: object) -> None:
        before = rows_of(self.memory.mind.store.path)
        assert self.listed(), what
        refusal = self.memory.refuses("backup_restore", backup=self.path.name)
        assert refusal.code is Code.CONFLICT, what
        assert refusal.hint
        assert rows_of(self.memory.mind.store.path) == before, what
        assert list((self.memory.mind.store.home / "scratch").iterdir()) == []
        assert {each.path for each in backups_in(self.path.parent)} == {self.path}, "nothing was kept aside"


@pytest.fixture(scope="module", params=["plain", "encrypted"])
def kept(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Kept]:
    with living(tmp_path_factory.mktemp("damage") / "home") as alive:
        memory = alive.as_person()
        remember(memory)
        if request.param == "encrypted":
            memory("backup_encrypt")
        path = folder_of(memory) / backup(memory).name
        memory("memory_store_fact", category="decision", fact="Since then.")
        yield Kept(memory, path, path.read_bytes(), manifest_of(path).read_bytes())


@pytest.fixture(autouse=True)
def undone(kept: Kept) -> Iterator[None]:
    kept.spoil()
    yield
    kept.spoil()


def flipped(data: bytes, position: int, bit: int) -> bytes:
    spoilt = bytearray(data)
    spoilt[position] ^= 1 << bit
    return bytes(spoilt)


def places(size: int, seed: int) -> list[int]:
    """The beginning, the end, and places all over."""
    draw = random.Random(seed)
    return [*range(4), *draw.sample(range(size), POSITIONS), size - 2, size - 1]


def test_any_flipped_byte_of_the_file_is_noticed(kept: Kept) -> None:
    for number, position in enumerate(places(len(kept.original), 1)):
        kept.spoil(file=flipped(kept.original, position, number % 8))
        kept.assert_noticed(position)


def test_any_flipped_byte_of_the_manifest_is_noticed(kept: Kept) -> None:
    for number, position in enumerate(places(len(kept.manifest), 2)):
        kept.spoil(manifest=flipped(kept.manifest, position, number % 8))
        kept.assert_noticed(position)


def is_manifest(data: bytes) -> bool:
    try:
        BackupInfo.of_manifest(data.decode())
    except ValueError:
        return False
    return True


def test_every_byte_of_the_manifest_is_sealed(kept: Kept) -> None:
    assert is_manifest(kept.manifest)
    for position in range(len(kept.manifest)):
        spoilt = flipped(kept.manifest, position, position % 8)
        assert not is_manifest(spoilt), position


@pytest.mark.parametrize("left", [0, 1, 15, 16, 100, 4_095, 4_096, 50_000, -1, -4_096])
def test_a_cut_file_is_noticed(kept: Kept, left: int) -> None:
    kept.spoil(file=kept.original[:left])
    [listed] = kept.memory("backup_list").backups
    assert "bytes where" in listed.problem  # without reading it
    kept.assert_noticed(left)


@pytest.mark.parametrize(
    "change",
    [
        pytest.param(lambda data: data + b"\x00", id="a byte more"),
        pytest.param(lambda data: data * 2, id="twice"),
        pytest.param(lambda data: bytes(len(data)), id="zeros"),
        pytest.param(lambda data: data[4_096:8_192] + data[:4_096] + data[8_192:], id="pages exchanged"),
    ],
)
def test_other_damage_is_noticed(kept: Kept, change: Callable[[bytes], bytes]) -> None:
    kept.spoil(file=change(kept.original))
    kept.assert_noticed("change")


def refusal_elsewhere(kept: Kept, home: Path) -> BigMindError | None:
    """What another memory says to the file alone; its own is whole, and as it was when it refuses."""
    with living(home) as other:
        if kept.path.suffix == ".age":
            shutil.copy(kept.memory.mind.store.home / "backup.key", home)
        try:
            other.as_person()("backup_restore", backup=str(kept.path))
        except BigMindError as refusal:
            assert facts(other) == set()
            return refusal
        finally:
            assert other.mind.store.integrity() == []
    return None


def test_without_its_manifest_what_sqlite_or_age_notices_is_still_refused(kept: Kept, tmp_path: Path) -> None:
    """Of an encrypted file every byte is vouched for, of a plain one what the checks can see."""
    refusals = []
    positions = [20, 100, 4_096, 8_192, *places(len(kept.original), 3)[4:12]]
    for number, position in enumerate(positions):
        kept.spoil(file=flipped(kept.original, position, number % 8))
        manifest_of(kept.path).unlink()
        [listed] = kept.memory("backup_list", verify=True).backups
        assert "never verified" in listed.problem
        refusals.append(refusal_elsewhere(kept, tmp_path / str(number)))
    noticed = [each for each in refusals if each]
    assert {each.code for each in noticed} <= {Code.CONFLICT, Code.STORE_UNUSABLE}
    assert len(noticed) == len(positions) if kept.path.suffix == ".age" else len(noticed) >= 4


@pytest.mark.skipif(sys.platform == "win32", reason="pipes in a folder are POSIX's")
@pytest.mark.timeout(20)
def test_a_pipe_in_the_place_of_a_manifest_is_not_waited_for(kept: Kept) -> None:
    """Whoever shares a folder of backups can put one there; all that looks through the folder would wait for ever."""
    planted = kept.path.with_name("bigmind-20260101-000000-manual.db")
    planted.write_bytes(b"theirs")
    os.mkfifo(manifest_of(planted))
    try:
        found = {each.path: each.problem for each in backups_in(planted.parent)}
    finally:
        manifest_of(planted).unlink()
        planted.unlink()
    assert found == {kept.path: "", planted: "it has no manifest, so it was never verified"}


def test_undamaged_it_is_restored(kept: Kept) -> None:
    """The control, and the last test: what was noticed above was the damage."""
    assert kept.listed() == ""
    assert [damage(each) for each in backups_in(kept.path.parent)] == [""]
    assert kept.memory("backup_restore", backup=kept.path.name).vouched_for
    assert facts(kept.memory) == {"The lantern burns oil."}
    for each in backups_in(kept.path.parent):
        if each.path != kept.path:
            each.path.unlink()
            manifest_of(each.path).unlink()
    kept.memory("memory_store_fact", category="decision", fact="Since then.")


@pytest.mark.skipif(sys.platform != "linux", reason="takes a file of Linux whose bytes cannot be read")
def test_an_older_backup_that_cannot_be_read_is_not_in_the_way_of_an_upgrade(home: Path) -> None:
    def fails(store: Store) -> None:
        before_migration(store)
        raise BigMindError(Code.STORE_UNUSABLE, "It fails.")

    first_store(home)
    with pytest.raises(BigMindError, match=r"It fails\."):
        Store(home, before_migration=fails)
    [older] = backups_in(home / "backups")
    assert older.info is not None
    older.path.unlink()
    older.path.symlink_to("/proc/self/mem")  # nothing stands at its address 0
    write_manifest(older.path, older.info.model_copy(update={"bytes": 0}))
    [unread] = [each for each in backups_in(home / "backups") if each.path == older.path]
    assert damage(unread) == "it cannot be read: Input/output error"
    with pytest.raises(BigMindError, match=r"It fails\."):
        Store(home, before_migration=fails)
    assert [damage(each) for each in backups_in(home / "backups") if each.path != older.path] == [""]
