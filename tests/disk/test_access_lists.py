"""On Windows the data folder is made the person's alone, as its mode does elsewhere."""

import os
import sys
from pathlib import Path

import pytest

from bigmind.backup.files import narrow_backups
from bigmind.backup.scratch_files import paced, prepare
from bigmind.disk.access_lists import grants_others, keeps_lists, lists_here, private_list, take_from_others
from bigmind.paths import PRIVATE_FILE, is_ours_alone, make_private_folder, narrow, narrow_all

ADA = "S-1-5-21-1-2-3-1001"
BOB = "S-1-5-21-1-2-3-1002"
ALONE = {
    "a profile": f"O:{ADA}D:AI(A;OICIID;FA;;;SY)(A;OICIID;FA;;;BA)(A;OICIID;FA;;;{ADA})",
    "made by an elevated process": f"O:BAD:AI(A;OICIID;FA;;;SY)(A;OICIID;FA;;;{ADA})",
    "owner rights, as Python makes a folder": f"O:{ADA}D:P(A;OICI;FA;;;SY)(A;OICI;FA;;;BA)(A;OICI;FA;;;OW)",
    "nobody": f"O:{ADA}D:P",
    "somebody else is denied": f"O:SYD:(D;;FA;;;WD)(XD;;FA;;;WD;(@User.x))(A;;FA;;;{ADA})",
}
OTHERS = {
    "a drive": f"O:{ADA}D:AI(A;OICIID;FA;;;BA)(A;OICIID;0x1301bf;;;AU)(A;OICIID;0x1200a9;;;BU)(A;ID;FA;;;{ADA})",
    "everybody": f"O:{ADA}D:(A;;FA;;;{ADA})(A;;0x1200a9;;;WD)",
    "another user": f"O:{ADA}D:P(A;;FA;;;SY)(A;;FR;;;{BOB})",
    "of another user, who may change it at any time": f"O:{BOB}D:P(A;;FA;;;SY)(A;;FA;;;{ADA})",
    "owner rights of another user": f"O:{BOB}D:P(A;;FA;;;SY)(A;;FA;;;OW)",
    "owner rights of administrators, which keep the person out": "O:BAD:P(A;;FA;;;SY)(A;;FA;;;BA)(A;;FA;;;OW)",
    "on a condition": f'O:{ADA}D:(XA;;FR;;;WD;(@User.Project Any_of {{"x"}}))',
    "on a condition, of a kind of thing": f"O:{ADA}D:(ZA;;FR;;;WD;(@User.x))",
    "of a kind that is not known": f"O:{ADA}D:(NEW;;FR;;;WD)",
    "no list at all": f"O:{ADA}D:NO_ACCESS_CONTROL",
    "no list at all, and protected": f"O:{ADA}D:PNO_ACCESS_CONTROL",
    "no list at all, and inherited": f"O:{ADA}D:ARAINO_ACCESS_CONTROL",
    "no owner": f"D:P(A;;FA;;;{ADA})",
    "nothing": "",
}
EVERYBODY = "D:(A;OICI;FA;;;WD)"


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
    assert not grants_others(f"O:{ADA}{made}", ADA)


def test_the_system_itself_is_named_once():
    assert private_list("SY", is_folder=False) == "D:P(A;;FA;;;SY)(A;;FA;;;BA)"


def test_a_data_folder_is_the_persons_alone_also_where_it_was_wider(tmp_path: Path):
    home, wide = tmp_path / "new" / "home", wide_folder(tmp_path)
    for folder in (home, wide):
        make_private_folder(folder)
        assert is_alone(folder)
    assert (wide / "file").read_bytes() == b"x"


def test_what_is_in_a_private_folder_and_open_by_itself_is_narrowed(tmp_path: Path):
    home = wide_folder(tmp_path)
    make_private_folder(home)
    open_to_everybody(home / "file")  # as one that was moved here from a wider place
    assert not is_alone(home / "file")
    assert narrow_all(home) == []
    assert is_alone(home / "file")


def test_what_a_link_leads_to_is_left_as_it_is(tmp_path: Path):
    home, theirs = tmp_path / "home", tmp_path / "theirs"
    make_private_folder(home)
    theirs.write_bytes(b"x")
    open_to_everybody(theirs)
    try:
        (home / "link").symlink_to(theirs)
    except OSError:
        pytest.skip("Windows lets only some users make links")
    assert narrow_all(home) == []
    assert not is_alone(theirs)


def test_a_file_that_others_may_write_is_not_ours_alone(tmp_path: Path):
    file = wide_folder(tmp_path) / "file"
    assert not is_ours_alone(file)
    narrow(file, PRIVATE_FILE)
    assert is_ours_alone(file)


def test_a_chosen_folder_of_backups_is_left_as_it_is_and_on_windows_told(tmp_path: Path):
    home, chosen = tmp_path / "home", wide_folder(tmp_path)
    prepare(home, chosen)
    backup = chosen / "bigmind-20260301-120000-manual.db"
    with paced(backup) as target:
        target.write(b"x")
    prepare(home, tmp_path / "another" / "new")
    assert (tmp_path / "another" / "new").is_dir()
    assert narrow_backups(chosen) == ([chosen] if os.name == "nt" else [])
    assert not is_alone(chosen)
    assert os.name == "nt" or is_alone(backup)


def test_what_is_in_the_making_is_no_file_that_somebody_has_open(tmp_path: Path):
    theirs = wide_folder(tmp_path) / "file"
    with theirs.open("rb") as eye:
        if os.name == "posix":  # Windows removes no file that is open, and BigMind then makes none
            with paced(theirs) as target:
                target.write(b"secret")
            assert is_alone(theirs)
        assert eye.read() == b"x"


def test_what_is_not_there_is_an_error_with_the_systems_own_number(tmp_path: Path):
    with pytest.raises(FileNotFoundError):
        narrow(tmp_path / "nothing", PRIVATE_FILE)


def test_elsewhere_there_are_no_lists(tmp_path: Path):
    if sys.platform == "win32":
        assert lists_here().person()
        assert keeps_lists(tmp_path)
    else:
        assert not keeps_lists(tmp_path)
        assert not take_from_others(tmp_path)
        with pytest.raises(OSError, match="only Windows"):
            lists_here()


def wide_folder(tmp_path: Path) -> Path:
    """One with a file in it, both open to everybody."""
    wide = tmp_path / "wide"
    wide.mkdir()
    (wide / "file").write_bytes(b"x")
    for each in (wide, wide / "file"):
        open_to_everybody(each)
    assert not is_alone(wide)
    return wide


def open_to_everybody(path: Path) -> None:
    if sys.platform == "win32":
        lists_here().put(path, EVERYBODY)
    else:
        path.chmod(0o777)


def is_alone(path: Path) -> bool:
    if sys.platform != "win32":
        return not path.stat().st_mode & 0o077
    return not grants_others(lists_here().describe(path), lists_here().person())
