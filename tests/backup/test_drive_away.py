"""Backups on a drive that is away: a mount point stays, and takes files as the drive would."""

import shutil
from collections.abc import Generator, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from bigmind.backup.schedule import Schedule
from bigmind.backup.service import backup_now, before_migration, in_words
from bigmind.core.errors import BigMindError
from bigmind.core.operation import Caller, Role
from bigmind.wiring import open_mind
from tests.memory.living import Clock, Memory


def at_noon() -> Clock:
    return Clock(datetime(2026, 3, 1, 12, tzinfo=UTC))


@contextmanager
def with_backups_in(home: Path, folder: Path, clock: Clock) -> Generator[Memory]:
    mind = open_mind(home, "ada", clock, backups=folder)
    caller = Caller(user_id=1, username="ada", role=Role.ADMIN, client="tester", token_id=1, connection="first")
    try:
        yield Memory(mind, clock, caller).as_person()
    finally:
        mind.close()


def unplug(drive: Path) -> None:
    """The folder in which it was mounted stays, without anything in it."""
    shutil.move(drive, drive.with_name("elsewhere"))
    drive.mkdir()


def plug_in(drive: Path) -> None:
    drive.rmdir()
    shutil.move(drive.with_name("elsewhere"), drive)


@pytest.fixture
def drive(tmp_path: Path) -> Path:
    (found := tmp_path / "drive").mkdir()
    return found


@pytest.fixture
def closed(home: Path, drive: Path) -> Path:
    with with_backups_in(home, drive, at_noon()) as memory:
        memory("memory_store_fact", category="decision", fact="The lantern burns oil.")
        memory("backup_create")
    unplug(drive)
    return home


@pytest.fixture
def away(closed: Path, drive: Path) -> Iterator[Memory]:
    with with_backups_in(closed, drive, at_noon()) as memory:
        yield memory


@pytest.mark.parametrize("reason", ["scheduled", "before-import", "before-prune", "before-restore"])
def test_none_is_made_in_its_place_by_itself(away: Memory, drive: Path, reason: str) -> None:
    with pytest.raises(BigMindError, match="None of the backups made in") as refusal:
        backup_now(away.mind.store, reason)
    assert refusal.value.hint.startswith("Connect the drive")
    assert list(drive.iterdir()) == []


def test_before_an_upgrade_no_command_is_named_that_needs_the_memory_open(away: Memory) -> None:
    with pytest.raises(BigMindError, match=r"The memory was not upgraded.*None of the backups made in") as refusal:
        before_migration(away.mind.store)
    assert refusal.value.hint.startswith("Connect the drive")
    assert "backup create" not in refusal.value.hint


def test_a_folder_on_it_is_not_made_anew(home: Path, drive: Path) -> None:
    with with_backups_in(home, drive / "BigMind", at_noon()) as memory:
        memory("backup_create")
        unplug(drive)
        with pytest.raises(BigMindError, match="None of the backups"):
            backup_now(memory.mind.store, "scheduled")
        assert list(drive.iterdir()) == []


def test_it_is_told_before_anything_failed_and_the_schedule_goes_on_when_it_is_back(away: Memory, drive: Path) -> None:
    told = in_words(away.mind.store)
    assert "None of the backups made in" in told
    assert "Connect the drive" in told
    [finding] = [each for each in away("memory_health_check").findings if each.code == "backups_away"]
    assert "None of the backups made in" in finding.meaning
    schedule = Schedule(away.mind.store, timedelta(days=1))
    assert schedule.look() is None
    plug_in(drive)
    assert schedule.look() is not None
    assert in_words(away.mind.store).startswith("the last verified one is of")
    assert "FAILED" not in in_words(away.mind.store)


def test_what_failed_while_it_was_away_is_told_no_longer_than_that(home: Path, drive: Path) -> None:
    with with_backups_in(home, drive, at_noon()) as memory:
        schedule = Schedule(memory.mind.store, timedelta(days=1))
        assert schedule.look() is not None
        unplug(drive)
        assert schedule.look() is None
        assert memory.mind.store.safekeeping.failure is not None
        plug_in(drive)
        assert schedule.look() is not None
        assert memory.mind.store.safekeeping.failure is None
        assert schedule.look() is None


def test_a_person_who_removed_them_begins_anew_and_is_told(away: Memory) -> None:
    made = away("backup_create").as_text()
    assert "If their drive is away, this one is not on it." in made
    assert "If their drive" not in away("backup_create").as_text()
    assert backup_now(away.mind.store, "before-import")


def test_another_folder_is_taken_at_once(closed: Path, tmp_path: Path) -> None:
    with with_backups_in(closed, tmp_path / "other", at_noon()) as memory:
        assert backup_now(memory.mind.store, "scheduled")


def test_a_memory_that_is_missing_too_is_told_and_none_begun_in_silence(closed: Path, drive: Path) -> None:
    for each in closed.glob("bigmind.db*"):
        each.unlink()
    with with_backups_in(closed, drive, at_noon()) as memory:
        loss = memory.mind.store.safekeeping.loss
        assert loss is not None
        assert "1 fact" in loss.in_words
        assert f"is not in {drive} now: connect its drive" in loss.in_words


def test_a_note_that_cannot_be_read_is_none(away: Memory, home: Path) -> None:
    (home / "last_backup.json").write_text('{"folder": "/nowhere", "manifest": 3}')
    assert backup_now(away.mind.store, "scheduled")


def test_while_the_memory_is_missing_too_no_empty_one_takes_the_place_of_what_is_known(
    closed: Path, drive: Path
) -> None:
    for each in closed.glob("bigmind.db*"):
        each.unlink()
    for _ in range(2):
        with with_backups_in(closed, drive, at_noon()) as memory:
            assert memory.mind.store.safekeeping.loss is not None
            refused = memory.refuses("backup_create")
            assert refused.message.startswith("None of the backups made in")
            assert "backup create" not in refused.hint + in_words(memory.mind.store)
            assert list(drive.iterdir()) == []


def test_a_folder_that_cannot_be_read_is_a_finding_and_ends_no_check(away: Memory, drive: Path) -> None:
    drive.rmdir()
    drive.symlink_to(drive)
    [finding] = [each for each in away("memory_health_check").findings if each.code == "backups_away"]
    assert finding.meaning.startswith(f"A backup in {drive} cannot be written or read")
    assert "BIGMIND_BACKUP_FOLDER" in finding.remedy
