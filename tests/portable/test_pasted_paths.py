"""A path that Explorer copied stands in quotes: they are none of its letters."""

import sys
from pathlib import Path

import pytest

from bigmind.core.errors import BigMindError
from bigmind.paths import as_pasted, data_folder, expanded
from bigmind.portable.transfer_paths import place_for_export
from bigmind.store.access import Access
from tests.memory.living import Memory

IS_WINDOWS = sys.platform == "win32"


@pytest.mark.parametrize(
    ("text", "path"),
    [
        ('"C:\\My notes\\a.json"', "C:\\My notes\\a.json"),
        (' "C:\\a" ', "C:\\a"),
        ('C:\\My notes"', "C:\\My notes"),
        ("C:\\My notes", "C:\\My notes"),
        (" C:\\a", " C:\\a"),
        ("'C:\\a'", "'C:\\a'"),
    ],
)
def test_quotes_around_a_path_are_none_of_it_on_windows(text: str, path: str) -> None:
    assert as_pasted(text, "win32") == path
    assert expanded("backup", text, "win32") == Path(path)
    assert as_pasted(text, "linux") == text


@pytest.mark.parametrize("text", ['""', '"', ' "" '])
def test_quotes_alone_are_no_path(text: str) -> None:
    with pytest.raises(BigMindError, match="backup is"):
        expanded("backup", text, "win32")


def test_they_are_taken_off_where_paths_are_given_and_elsewhere_are_letters(ada: Memory, tmp_path: Path) -> None:
    access, named = Access(ada.mind.store, ada.caller, "test"), tmp_path / "a.json"
    if IS_WINDOWS:
        assert data_folder({"BIGMIND_HOME": f'"{tmp_path}"'}) == tmp_path
        assert place_for_export(access, f'"{named}"') == named
        return
    assert data_folder({"BIGMIND_HOME": f'{tmp_path}/"a"'}).name == '"a"'
    with pytest.raises(BigMindError, match="not valid"):
        place_for_export(access, f'"{named}"')
