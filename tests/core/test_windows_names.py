"""What Windows takes for a device is no name of a file."""

import pytest

from bigmind.paths import is_device


@pytest.mark.parametrize("name", ["con", "NUL.json", "Com1.tar.gz", "lpt9", "aux .txt", "COM².json", "nul:stream"])
def test_a_device_is_told_whatever_its_ending(name: str) -> None:
    assert is_device(name)


@pytest.mark.parametrize("name", ["console.json", "com.json", "com10.json", "null", "a.con", "export.json", ""])
def test_other_names_are_files(name: str) -> None:
    assert not is_device(name)
