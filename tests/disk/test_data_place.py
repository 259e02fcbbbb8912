"""A data folder is refused in words where it cannot be one."""

from contextlib import nullcontext
from datetime import UTC, datetime
from pathlib import Path

import pytest

from bigmind.backup.files import Reason, manifest_of, new_name
from bigmind.backup.scratch_files import partial_of
from bigmind.core.errors import BigMindError, Code
from bigmind.disk.data_place import LONGEST_BELOW, check_data_folder, refuse_long_folder
from bigmind.paths import backups_folder


def test_a_data_folder_whose_files_could_not_be_made_is_refused_in_words(tmp_path: Path) -> None:
    fits, too_deep = (Path("C:/" + "a" * (letters - 3)) for letters in (169, 170))
    with pytest.raises(BigMindError, match="path has 170 letters") as refused:
        refuse_long_folder(too_deep, "win32", lambda: False)
    assert refused.value.code is Code.STORE_UNUSABLE
    assert refused.value.hint.endswith("at most 169; move a memory that is in there to it first.")
    refuse_long_folder(fits, "win32", lambda: False)
    refuse_long_folder(too_deep, "win32", lambda: True)
    refuse_long_folder(too_deep, "linux", lambda: False)
    check_data_folder(tmp_path)


def test_a_data_folder_that_was_taken_before_is_taken_while_what_is_needed_each_day_has_room(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    for letters, is_taken in ((199, True), (200, False)):
        folder = Path("a" * letters)
        folder.mkdir()
        with pytest.raises(BigMindError, match="letters"):
            refuse_long_folder(folder, "win32", lambda: False)
        (folder / "bigmind.db").touch()
        with nullcontext() if is_taken else pytest.raises(BigMindError, match="has 200 letters"):
            refuse_long_folder(folder, "win32", lambda: False)


def test_a_data_folder_that_is_taken_has_room_for_the_longest_name_of_a_backup(tmp_path: Path) -> None:
    folder, now, given = backups_folder(tmp_path), datetime(2026, 1, 31, 23, 59, 59, tzinfo=UTC), set[str]()
    for reason in Reason:
        for _ in range(100):
            given.add(new_name(folder, now, reason, given, encrypted=True))
    backups = [folder / name for name in given]
    manifests = [manifest_of(each) for each in backups]
    made = [*backups, *manifests, *(partial_of(tmp_path, each) for each in backups)]
    made += [each.with_name(f".{each.name}.partial") for each in manifests]
    assert max(len(str(each)) for each in made) - len(str(tmp_path)) <= LONGEST_BELOW
