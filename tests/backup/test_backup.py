"""A backup is a whole copy of one moment, made while others write, and it counts only once it was restored."""

import os
import shutil
import subprocess
import sys
import threading
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from bigmind.backup import scratch_files
from bigmind.backup.files import BackupInfo, backups_in, damage, manifest_of, read_manifest, remove_backup
from bigmind.backup.service import BackupState, backup_now, backups, before_migration, clean_up, state
from bigmind.core.errors import BigMindError, Code
from bigmind.store.migration import head
from bigmind.store.sqlite import snapshots
from bigmind.store.sqlite.driver import sound_driver
from bigmind.store.store import Store
from bigmind.wiring import open_mind
from tests.backup.keeping import backup, facts, folder_of, memories_of, names_in, remember, rows_of, whole
from tests.memory.living import Memory, living
from tests.privacy import grants, is_alone, open_up
from tests.store.past import first_store


def test_a_backup_holds_every_row_and_says_what_it_holds(memory: Memory) -> None:
    info = backup(memory)
    file = folder_of(memory) / info.name
    assert rows_of(file) == rows_of(memory.mind.store.path)
    assert read_manifest(file) == info
    assert info.name == "bigmind-20260301-120000-manual.db"
    assert info.taken_at == memory.clock()
    assert info.schema_revision == head()
    assert info.bytes == file.stat().st_size
    assert not info.encrypted
    assert info.tables["chunk"].rows == 12
    assert {name for name, table in info.tables.items() if table.rows} >= {"profile", "session", "fact", "knowledge"}
    assert [damage(each) for each in backups(memory.mind.store)] == [""]


def test_a_backup_is_one_file_that_needs_no_log(memory: Memory) -> None:
    info = backup(memory)
    names = whole(folder_of(memory), info)
    connection = sound_driver().connect(f"{(folder_of(memory) / info.name).as_uri()}?immutable=1", uri=True)
    assert connection.execute("SELECT count(*) FROM chunk").fetchone() == (12,)
    assert connection.execute("PRAGMA journal_mode").fetchone() != ("wal",)
    connection.close()
    assert names_in(folder_of(memory)) == names


def test_nobody_else_can_read_it(home: Path) -> None:
    before = os.umask(0)  # without effect on Windows, where a new file has the list of its folder
    try:
        with living(home) as memory:
            remember(memory)
            folder = folder_of(memory)
            backup(memory)
            assert all(is_alone(path) for path in (folder, *folder.iterdir()))
            open_up(folder)
            assert not is_alone(folder)
            backup(memory)
            assert is_alone(folder)
            assert is_alone(home / "scratch")
    finally:
        os.umask(before)


def test_a_chosen_folder_keeps_its_mode_and_its_other_files(home: Path, tmp_path: Path) -> None:
    chosen = tmp_path / "drive"
    chosen.mkdir()
    open_up(chosen)
    granted = grants(chosen)
    (chosen / "mine.txt").write_text("mine")
    mind = open_mind(home, "ada", backups=chosen)
    info = backup_now(mind.store, "manual")
    mind.close()
    assert grants(chosen) == granted
    assert names_in(chosen) == {"mine.txt", *whole(chosen, info)}
    assert is_alone(chosen / info.name)
    assert not (home / "backups").exists()


def test_a_chosen_folder_that_cannot_be_made_is_told_by_its_own_setting(home: Path, tmp_path: Path) -> None:
    (tmp_path / "drive").write_text("stands for a drive that is away")
    mind = open_mind(home, "ada", backups=tmp_path / "drive" / "backups")
    with pytest.raises(BigMindError, match="cannot be used") as refusal:
        backup_now(mind.store, "manual")
    mind.close()
    assert refusal.value.hint.endswith("set BIGMIND_BACKUP_FOLDER to another one.")


def test_nothing_is_left_in_the_making(memory: Memory, home: Path) -> None:
    backup(memory)
    assert list((home / "scratch").iterdir()) == []


def test_two_of_the_same_second_have_names_of_their_own(memory: Memory) -> None:
    names = [backup(memory).name for _ in range(3)]
    assert len(set(names)) == 3
    assert [each.path.name for each in backups(memory.mind.store)] == sorted(names, reverse=True)
    assert not [each.problem for each in backups(memory.mind.store) if each.problem]


def test_a_name_is_not_given_again_when_its_backup_is_gone(memory: Memory) -> None:
    first = backup(memory).name
    remove_backup(folder_of(memory) / first)
    assert backup(memory).name != first


class SlowDisk:
    """Stands still at the n-th synchronisation that BigMind itself asks for, until it is let go."""

    def __init__(self, stands_at: int) -> None:
        self.standing, self._go_on = threading.Event(), threading.Event()
        self._stands_at, self._calls, self._fsync = stands_at, 0, os.fsync

    def fsync(self, file: int) -> None:
        self._calls += 1
        if self._calls == self._stands_at:
            self.standing.set()
            assert self._go_on.wait(60)
        self._fsync(file)

    def let_go(self) -> None:
        self._go_on.set()


@contextmanager
def half_way(memory: Memory, monkeypatch: pytest.MonkeyPatch) -> Generator[list[BackupInfo]]:
    """A backup that stands still in the middle of copying, for the length of a block; then it is finished."""
    monkeypatch.setattr(snapshots, "PAGES_AT_A_TIME", 8)
    disk, made = SlowDisk(3), list[BackupInfo]()
    monkeypatch.setattr(os, "fsync", disk.fsync)
    thread = threading.Thread(target=lambda: made.append(backup(memory)))
    thread.start()
    try:
        assert disk.standing.wait(60)
        yield made
    finally:
        disk.let_go()
        thread.join(60)


def test_writes_are_committed_and_read_while_a_backup_stands_still_half_way(
    memory: Memory, monkeypatch: pytest.MonkeyPatch
) -> None:
    memory.clock.forward(days=1)
    before = memories_of(memory.mind.store.path)
    with half_way(memory, monkeypatch) as made:
        for number in range(4):
            remember(memory, f"beacon {number}")
        assert len(facts(memory)) == 5
        other = sound_driver().connect(str(memory.mind.store.path))
        held = other.execute("SELECT count(*) FROM fact WHERE deprecated_at IS NULL").fetchone()
        assert held == (5,)  # committed: another program sees it
        other.close()
        assert not made
    # The backup is of the moment in which it began, and passed its own checks.
    assert memories_of(folder_of(memory) / made[0].name) == before
    assert memory.mind.store.integrity() == []


def test_two_backups_at_once_are_made_one_after_the_other(memory: Memory, monkeypatch: pytest.MonkeyPatch) -> None:
    with half_way(memory, monkeypatch) as first:
        others = [threading.Thread(target=lambda: first.append(backup(memory, "before-prune"))) for _ in range(3)]
        for each in others:
            each.start()
        assert not first
    for each in others:
        each.join(60)
    assert len({info.name for info in first}) == 4
    assert names_in(folder_of(memory)) == whole(folder_of(memory), *first)
    assert [damage(each) for each in backups(memory.mind.store)] == [""] * 4


def test_backups_while_others_write_are_each_of_one_moment(memory: Memory) -> None:
    """A fact and the first event of its history are one transaction: in no backup is there one without the other."""
    stop, written, faults = threading.Event(), [0], list[BaseException]()

    def write() -> None:
        try:
            while not stop.is_set():
                memory("memory_store_fact", category="decision", fact=f"fact {written[0]}")
                written[0] += 1
        except BaseException as fault:
            faults.append(fault)
            raise

    thread = threading.Thread(target=write)
    thread.start()
    counts = []
    try:
        for _ in range(8):
            rows = memories_of(folder_of(memory) / backup(memory).name)
            counts.append(len(rows["fact"]))
            assert {row[0] for row in rows["fact"]} == {row[1] for row in rows["fact_event"] if "stored" in row}
    finally:
        stop.set()
        thread.join(60)
    assert not faults
    assert written[0] > 0
    assert counts == sorted(counts)
    assert [each.problem for each in backups(memory.mind.store)] == [""] * 8


def test_an_older_schema_is_backed_up_before_it_is_migrated(home: Path) -> None:
    first_store(home)
    before = rows_of(home / "bigmind.db")
    open_mind(home, "ada").close()
    [kept] = backups_in(home / "backups")
    assert kept.info is not None
    assert (kept.info.reason, kept.info.schema_revision, kept.problem) == ("before-migration", "0001", "")
    assert rows_of(kept.path) == before
    open_mind(home, "ada").close()
    assert len(backups_in(home / "backups")) == 1  # the newest schema needs none


def test_an_upgrade_that_fails_again_makes_no_other_backup_of_the_same_bytes(home: Path) -> None:
    def fails(store: Store) -> None:
        before_migration(store)
        assert any("before-migration" in each for each in store.safekeeping.given)
        raise BigMindError(Code.STORE_UNUSABLE, "It fails.")

    first_store(home)
    for _ in range(3):
        with pytest.raises(BigMindError, match=r"It fails\."):
            Store(home, before_migration=fails)
    [kept] = backups_in(home / "backups")
    assert damage(kept) == ""
    raw = sound_driver().connect(str(home / "bigmind.db"), isolation_level=None)
    raw.execute("UPDATE fact SET confidence = 0.25")
    raw.close()
    with pytest.raises(BigMindError, match=r"It fails\."):
        Store(home, before_migration=fails)
    newest, older = backups_in(home / "backups")
    assert older.path == kept.path
    assert rows_of(newest.path)["fact"] != rows_of(older.path)["fact"]
    newest.path.write_bytes(newest.path.read_bytes()[:-1] + b"?")
    with pytest.raises(BigMindError, match=r"It fails\."):
        Store(home, before_migration=fails)
    assert len(backups_in(home / "backups")) == 3, "a damaged one is none"


def test_a_new_store_needs_no_backup(home: Path) -> None:
    open_mind(home, "ada").close()
    assert not (home / "backups").exists()


def test_a_store_that_cannot_be_backed_up_is_not_migrated(home: Path, tmp_path: Path) -> None:
    first_store(home)
    before = (home / "bigmind.db").read_bytes()
    (tmp_path / "file").write_text("no folder")
    with pytest.raises(BigMindError, match=r"not upgraded, because no backup of it could be made") as refusal:
        open_mind(home, "ada", backups=tmp_path / "file")
    assert "BIGMIND_BACKUP_FOLDER" in refusal.value.hint
    assert (home / "bigmind.db").read_bytes() == before
    open_mind(home, "ada").close()  # the store was given free, and the next start succeeds


def test_a_damaged_store_makes_no_backup_and_keeps_the_older_ones(home: Path) -> None:
    with living(home) as memory:
        remember(memory)
        good = backup(memory)
    raw = sound_driver().connect(str(home / "bigmind.db"), isolation_level=None)
    raw.execute("DELETE FROM chunk_fts_docsize WHERE id = 1")
    raw.close()
    with living(home) as memory:
        with pytest.raises(BigMindError, match="is damaged"):
            backup(memory)
        assert names_in(folder_of(memory)) == whole(folder_of(memory), good)
        now = state(memory.mind.store)
        assert now.newest == good
        assert now.failure is not None
        assert "is damaged" in now.failure.message
    assert list((home / "scratch").iterdir()) == []


def test_a_failure_is_noted_until_a_backup_succeeds(memory: Memory) -> None:
    folder = folder_of(memory)
    folder.write_text("a file where the folder should be")
    with pytest.raises(BigMindError):
        backup(memory)
    failure = state(memory.mind.store).failure
    assert failure is not None
    assert (failure.at, failure.reason) == (memory.clock(), "manual")
    folder.unlink()
    info = backup(memory)
    assert state(memory.mind.store) == BackupState(info, None)


@pytest.fixture
def small_disk(tmp_path: Path) -> Generator[Path]:
    """A file system of eight megabytes: room for a store, its copy and a backup, until something fills it."""
    folder = tmp_path / "disk"
    folder.mkdir()
    mounting = ["mount", "-t", "tmpfs", "-o", "size=8m", "none", str(folder)]
    if sys.platform != "linux" or subprocess.run(mounting, check=False, capture_output=True).returncode:
        pytest.skip("mounting is not allowed here")
    yield folder
    subprocess.run(["umount", str(folder)], check=True)


def refused(memory: Memory) -> BigMindError:
    with pytest.raises(BigMindError) as refusal:
        backup(memory)
    return refusal.value


def claim_room(monkeypatch: pytest.MonkeyPatch) -> None:
    """As if there had been room when it was looked, and another program took it meanwhile."""
    lying = SimpleNamespace(disk_usage=lambda _: SimpleNamespace(free=10**12), rmtree=shutil.rmtree)
    monkeypatch.setattr(scratch_files, "shutil", lying)


def test_a_disk_without_room_is_told_before_it_is_full(home: Path, small_disk: Path) -> None:
    mind = open_mind(home, "ada", backups=small_disk / "backups")
    told = r"This needs [\d.]+ MB in .*, of which 16\.8 MB stay free for the memory itself; [\d.]+ MB are free\."
    with pytest.raises(BigMindError, match=told) as refusal:
        backup_now(mind.store, "manual")
    assert refusal.value.code is Code.STORAGE_FULL
    assert "or set BIGMIND_BACKUP_FOLDER to a folder on another disk" in refusal.value.hint
    assert names_in(small_disk / "backups") == set()
    mind.close()


@pytest.mark.parametrize("where", ["backups", "home"])
def test_a_disk_that_fills_leaves_no_half_backup_and_the_store_as_it_was(
    tmp_path: Path, small_disk: Path, monkeypatch: pytest.MonkeyPatch, where: str
) -> None:
    claim_room(monkeypatch)
    home = small_disk / "home" if where == "home" else tmp_path / "home"
    with living(home) as memory:
        memory.mind.store.safekeeping.folder = small_disk / "backups"
        remember(memory)
        good = backup(memory)
        ballast = small_disk / "ballast"
        free = os.statvfs(small_disk)
        ballast.write_bytes(bytes(free.f_bavail * free.f_bsize - 100_000))
        before = rows_of(memory.mind.store.path)
        error = refused(memory)
        assert error.code is Code.STORAGE_FULL
        assert error.hint
        assert names_in(small_disk / "backups") == whole(small_disk / "backups", good)
        assert list((home / "scratch").iterdir()) == []
        assert rows_of(memory.mind.store.path) == before
        ballast.unlink()
        memory("memory_store_fact", category="decision", fact="Written when there was room.")
        later = backup(memory)
        assert damage(next(each for each in backups(memory.mind.store) if each.info == later)) == ""


def test_what_a_killed_process_left_is_swept_and_what_is_anothers_is_not(memory: Memory, home: Path) -> None:
    folder = folder_of(memory)
    good = backup(memory)
    ours = scratch_files.partial_of(Path(os.path.normcase(home)), folder / "bigmind-20260101-000000-manual.db")
    others = scratch_files.partial_of(home.with_name("other"), folder / "bigmind-20260101-000000-manual.db")
    orphan = manifest_of(folder / "bigmind-20260101-000000-manual.db")
    left = home / "scratch" / "backup-left" / "snapshot.db"
    left.parent.mkdir()
    for each in (ours, others, orphan, left):
        each.write_text("half")
    clean_up(memory.mind.store)
    assert names_in(folder) == {others.name, *whole(folder, good)}
    assert list((home / "scratch").iterdir()) == []


def test_backups_of_another_store_in_the_same_folder_are_let_alone(tmp_path: Path) -> None:
    shared = tmp_path / "drive"
    minds = [open_mind(tmp_path / name, "ada", backups=shared) for name in ("one", "two")]
    for mind in minds * 4:
        backup_now(mind.store, "scheduled")
    left = backups_in(shared)
    assert len(left) == 2  # of this day, one of each
    newest = [state(mind.store).newest for mind in minds]
    assert sorted(each.name for each in newest if each) == sorted(each.path.name for each in left)
    for mind in minds:
        mind.close()


def test_many_backups_stay_bounded(memory: Memory) -> None:
    for _ in range(40):
        memory.clock.forward(days=1)
        backup(memory, "scheduled")
    assert len(backups(memory.mind.store)) == 9
    assert all(each.problem == "" for each in backups(memory.mind.store))
    assert len(names_in(folder_of(memory))) == 18


def test_a_store_opened_alone_can_be_told_what_to_do_before_a_migration(home: Path) -> None:
    first_store(home)
    seen: list[Any] = []
    Store(home, before_migration=lambda store: seen.append(rows_of(store.path)["alembic_version"])).close()
    Store(home, before_migration=seen.append).close()
    assert seen == [[("0001",)]]
