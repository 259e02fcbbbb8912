"""What stands at a path is told alike by every Python, also where it cannot be known.

A link to a name that is too long stands for that: nobody may look through it, root neither.
"""

import os
import sys
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path

import pytest

from bigmind.backup import scratch_files
from bigmind.backup.files import Reason, backups_in, manifest_of, new_name, write_manifest
from bigmind.backup.inventory import located, overview
from bigmind.backup.service import backup_now, verified
from bigmind.core.clock import system_clock
from bigmind.core.errors import BigMindError, Code
from bigmind.disk.existence import (
    identity,
    is_file_or_raises,
    is_folder_or_raises,
    is_gone,
    is_known_file,
    is_known_folder,
    is_known_socket,
    seen,
)
from bigmind.disk.windows_paths import is_link
from bigmind.maintenance.statistics import full_stats
from bigmind.paths import store_file
from bigmind.people.service import NOBODY
from bigmind.portable.older.location import old_file
from bigmind.portable.transfer_paths import documents_folder
from bigmind.store.ownership import Ownership
from bigmind.store.sqlite.presence import keep_lone_log
from bigmind.wiring import Mind
from tests.memory.living import living
from tests.portable.files import in_person

pytestmark = pytest.mark.skipif(os.name != "posix", reason="root may write anywhere")
TOO_LONG = "x" * 300
KNOWING = (is_known_file, is_known_folder, is_link, is_known_socket, is_gone)
ASKING = (seen, is_file_or_raises, is_folder_or_raises)


@pytest.mark.parametrize("known", KNOWING)
def test_what_cannot_be_known_is_not_known(known: Callable[[Path], bool], tmp_path: Path) -> None:
    assert known(tmp_path / TOO_LONG / "any") is False


@pytest.mark.parametrize("ask", ASKING)
def test_what_has_to_be_known_is_refused_then(ask: Callable[[Path], object], tmp_path: Path) -> None:
    with pytest.raises(OSError, match="too long"):
        ask(tmp_path / TOO_LONG / "any")


def test_what_is_there_and_what_is_not(tmp_path: Path) -> None:
    file, link = tmp_path / "file", tmp_path / "link"
    file.write_text("")
    link.symlink_to(file)
    assert [each(file) for each in KNOWING] == [True, False, False, False, False]
    assert [each(link) for each in KNOWING] == [True, False, True, False, False]
    assert [each(tmp_path) for each in KNOWING] == [False, True, False, False, False]
    for nothing in (tmp_path / "nothing", file / "below"):
        assert [each(nothing) for each in KNOWING] == [False, False, False, False, True]
        assert [each(nothing) for each in ASKING] == [None, False, False]
    assert (is_file_or_raises(link), is_folder_or_raises(link), is_folder_or_raises(tmp_path)) == (True, False, True)


def test_a_folder_of_a_database_that_cannot_be_looked_at_is_not_said_to_be_missing(home: Path, tmp_path: Path) -> None:
    with pytest.raises(BigMindError, match="File name too long") as refusal:
        Ownership(home, "first", file=tmp_path / TOO_LONG / "memory.db")
    assert refusal.value.code is Code.STORE_UNUSABLE


def test_the_log_of_a_database_that_cannot_be_looked_at_stays(home: Path) -> None:
    home.mkdir()
    file = store_file(home)
    file.symlink_to(TOO_LONG)
    log = file.with_name(f"{file.name}-wal")
    log.write_bytes(b"the last writes")
    with pytest.raises(OSError, match="too long"):
        keep_lone_log(file, system_clock)
    assert log.read_bytes() == b"the last writes"


def test_a_backup_that_cannot_be_looked_at_keeps_its_manifest_and_counts(home: Path, tmp_path: Path) -> None:
    folder = tmp_path / "drive"
    folder.mkdir()
    backup = folder / "bigmind-20260101-000000-manual.db"
    backup.symlink_to(TOO_LONG)
    manifest_of(backup).write_text("{}")
    os.utime(manifest_of(backup), (0, 0))
    scratch_files.sweep(home, folder)
    assert manifest_of(backup).exists()
    [found] = backups_in(folder)
    assert (found.path, found.info, found.bytes) == (backup, None, 0)
    assert found.problem == "it cannot be looked at: File name too long"


def test_what_cannot_be_removed_keeps_nothing_else_from_being_swept_up(home: Path, tmp_path: Path) -> None:
    left = [scratch_files.partial_of(home, tmp_path / f"bigmind-2026010{day}-000000-manual.db") for day in range(1, 9)]
    for number, each in enumerate(left):
        each.mkdir() if number % 2 else each.touch()  # a folder nothing removes as a file
    scratch_files.sweep(home, tmp_path)
    assert sorted(tmp_path.iterdir()) == left[1::2]


def test_no_name_is_given_to_a_backup_where_it_cannot_be_known_what_has_it(tmp_path: Path) -> None:
    (tmp_path / "bigmind-20260101-000000-manual.db").symlink_to(TOO_LONG)
    with pytest.raises(OSError, match="too long"):
        new_name(tmp_path, datetime(2026, 1, 1, tzinfo=UTC), Reason.MANUAL, encrypted=False)


def test_an_older_memory_and_documents_that_cannot_be_looked_at_are_none(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert old_file(tmp_path / TOO_LONG) is None
    monkeypatch.setenv("XDG_DOCUMENTS_DIR", str(tmp_path / TOO_LONG / "Documents"))
    assert documents_folder() == Path.home()


def test_links_that_lead_in_a_circle_are_nothing(tmp_path: Path) -> None:
    link = tmp_path / "link"
    link.symlink_to(link)
    assert [each(link) for each in ASKING] == [None, False, False]
    assert is_gone(link)


@pytest.mark.skipif(sys.platform != "linux", reason="takes a file of Linux whose bytes cannot be read")
def test_one_backup_that_cannot_be_looked_at_or_read_leaves_the_others_in_the_list(mind: Mind) -> None:
    store = mind.store
    good = backup_now(store, Reason.MANUAL)
    folder = store.safekeeping.folder
    bad, circle, unread = (folder / f"bigmind-2020010{day}-000000-manual.db" for day in (1, 2, 3))
    bad.symlink_to(TOO_LONG)
    circle.symlink_to(circle)
    unread.symlink_to("/proc/self/mem")
    write_manifest(unread, good.model_copy(update={"bytes": 0, "name": unread.name}))
    told = {each.name: each.problem for each in overview(store, verify=True).backups}
    assert told.pop(unread.name).startswith("it cannot be read: ")
    assert told == {good.name: "", bad.name: "it cannot be looked at: File name too long"}
    assert good in verified(store)
    with store.read(NOBODY, "test") as work:
        assert full_stats(work).backups == len(told) + 1
        folder.rename(folder.with_name("elsewhere"))
        folder.symlink_to(TOO_LONG)
        assert "Backups: their folder cannot be read" in full_stats(work).as_text()


def test_a_backup_that_cannot_be_looked_at_is_not_said_to_be_missing(mind: Mind, tmp_path: Path) -> None:
    with pytest.raises(BigMindError, match="cannot be written or read: File name too long"):
        located(mind.store, str(tmp_path / TOO_LONG / "any.db"))


def test_an_export_into_a_folder_that_cannot_be_looked_at_is_refused_in_words(home: Path, tmp_path: Path) -> None:
    with living(home, is_copy=True) as memory:
        refused = in_person(memory).refuses("memory_export", output_path=str(tmp_path / TOO_LONG / "all.json"))
    assert refused.code is Code.FORBIDDEN
    assert "File name too long" in str(refused)


def test_a_file_is_known_again_by_another_name_and_not_by_another_file_of_its_own(tmp_path: Path) -> None:
    one, other = tmp_path / "one", tmp_path / "other"
    one.touch()
    known = identity(one)
    one.rename(other)
    one.touch()
    assert identity(other) == known
    assert known not in {None, identity(one)}
    assert identity(tmp_path / "none") is None
