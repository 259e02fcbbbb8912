"""On Windows the data folder is made the person's alone, as its mode does elsewhere."""

import sys
from pathlib import Path

import pytest

from bigmind.disk.access_lists import grants_others, lists_here, private_list, take_from_others
from bigmind.paths import make_private_folder

ADA = "S-1-5-21-1-2-3-1001"
ALONE = {
    "a profile": f"D:AI(A;OICIID;FA;;;SY)(A;OICIID;FA;;;BA)(A;OICIID;FA;;;{ADA})",
    "owner rights, as Python makes a folder": "D:P(A;OICI;FA;;;SY)(A;OICI;FA;;;BA)(A;OICI;FA;;;OW)",
    "nobody": "D:P",
    "somebody else is denied": f"D:(D;;FA;;;WD)(A;;FA;;;{ADA})",
}
OTHERS = {
    "a drive": f"D:AI(A;OICIID;FA;;;BA)(A;OICIID;0x1301bf;;;AU)(A;OICIID;0x1200a9;;;BU)(A;ID;FA;;;{ADA})",
    "everybody": f"D:(A;;FA;;;{ADA})(A;;0x1200a9;;;WD)",
    "another user": "D:P(A;;FA;;;SY)(A;;FR;;;S-1-5-21-1-2-3-1002)",
    "on a condition": 'D:(XA;;FR;;;WD;(@User.Project Any_of {"x"}))',
    "no list at all": "D:NO_ACCESS_CONTROL",
    "nothing": "",
}


@pytest.mark.parametrize("name", ALONE)
def test_a_list_that_grants_nothing_to_others_is_left_alone(name: str):
    assert not grants_others(ALONE[name], ADA)


@pytest.mark.parametrize("name", OTHERS)
def test_a_list_that_grants_something_to_others_is_seen(name: str):
    assert grants_others(OTHERS[name], ADA)


@pytest.mark.parametrize("is_folder", [True, False])
def test_the_list_that_is_put_grants_nothing_to_others(is_folder: bool):
    made = private_list(ADA, is_folder=is_folder)
    assert made.startswith("D:P(")
    assert f";FA;;;{ADA})" in made
    assert not grants_others(made, ADA)


def test_the_system_itself_is_named_once():
    assert private_list("SY", is_folder=False) == "D:P(A;;FA;;;SY)(A;;FA;;;BA)"


def test_a_data_folder_is_the_persons_alone_also_where_it_was_wider(tmp_path: Path):
    home, wide = tmp_path / "new" / "home", tmp_path / "wide"
    wide.mkdir()
    wide.chmod(0o755)
    for folder in (home, wide):
        make_private_folder(folder)
        assert is_alone(folder)
    (wide / "file").write_bytes(b"x")
    take_from_others(wide / "file")
    assert (wide / "file").read_bytes() == b"x"


def test_elsewhere_there_are_no_lists():
    if sys.platform == "win32":
        assert lists_here().own()
    else:
        with pytest.raises(OSError, match="only Windows"):
            lists_here()


def is_alone(path: Path) -> bool:
    if sys.platform != "win32":
        return not path.stat().st_mode & 0o077
    lists = lists_here()
    return not grants_others(lists.of(path), lists.own())
