"""What is longer than Windows takes is refused in words: it says of it that it is not there."""

import sys
from pathlib import Path, PureWindowsPath

import pytest

from bigmind.core.errors import BigMindError, Code
from bigmind.disk.long_paths import check_data_folder, is_too_long, refuse_long_folder, takes_long_paths


@pytest.mark.parametrize(
    ("letters", "room", "is_long"), [(259, 0, False), (260, 0, True), (250, 9, False), (250, 10, True)]
)
def test_a_path_is_too_long_where_windows_is_not_set_to_take_it(letters: int, room: int, is_long: bool) -> None:
    path = PureWindowsPath("C:/" + "a" * (letters - 3))
    assert is_too_long(path, room, lambda: False) is is_long
    assert not is_too_long(path, room, lambda: True)
    assert sys.platform == "win32" or takes_long_paths()


def test_a_data_folder_whose_files_could_not_be_made_is_refused_in_words(tmp_path: Path) -> None:
    fits, too_deep = (Path("C:/" + "a" * (letters - 3)) for letters in (199, 200))
    with pytest.raises(BigMindError, match="path has 200 letters") as refused:
        refuse_long_folder(too_deep, "win32", lambda: False)
    assert refused.value.code is Code.STORE_UNUSABLE
    assert refused.value.hint.endswith("at most 199.")
    refuse_long_folder(fits, "win32", lambda: False)
    refuse_long_folder(too_deep, "win32", lambda: True)
    refuse_long_folder(too_deep, "linux", lambda: False)
    check_data_folder(tmp_path)
