"""What Windows refuses while another program has a file open is tried again; elsewhere, and for good, it is not."""

import threading
from collections.abc import Callable
from pathlib import Path

import pytest

from bigmind.disk import open_files
from bigmind.disk.open_files import patiently, remove_tree


class Refused:
    """Something that is refused a number of times."""

    def __init__(self, times: int, error: type[OSError] = PermissionError) -> None:
        self.times, self.error, self.tries = times, error, 0

    def __call__(self) -> str:
        self.tries += 1
        if self.tries <= self.times:
            raise self.error(13, "The process cannot access the file")
        return "done"


def test_what_is_refused_for_a_moment_is_done_after_it_on_windows():
    act = Refused(times=3)
    assert patiently(act, "nt") == "done"
    assert act.tries == 4


def test_elsewhere_a_refusal_is_one_at_once():
    act = Refused(times=1)
    with pytest.raises(PermissionError):
        patiently(act, "posix")
    assert act.tries == 1


def test_what_is_refused_for_good_is_refused_when_patience_ends():
    act = Refused(times=1_000_000)
    with pytest.raises(PermissionError):
        patiently(act, "nt", patience=0.02)
    assert act.tries > 1


def test_what_fails_for_another_reason_fails_at_once():
    act = Refused(times=1, error=FileNotFoundError)
    with pytest.raises(FileNotFoundError):
        patiently(act, "nt")
    assert act.tries == 1


def test_a_folder_goes_with_all_in_it(tmp_path: Path):
    (tmp_path / "scratch" / "inner").mkdir(parents=True)
    (tmp_path / "scratch" / "inner" / "a.db").write_bytes(b"a")
    for system in ("nt", "posix"):
        remove_tree(tmp_path / "scratch", system)
        assert not (tmp_path / "scratch").exists()


def _replaced(path: Path) -> None:
    new = path.with_name("new")
    new.write_bytes(b"new")
    open_files.replace(new, path)
    assert path.read_bytes() == b"new"


def _renamed(path: Path) -> None:
    open_files.rename(path, path.with_name("name"))
    assert path.with_name("name").read_bytes() == b"old"


def _removed(path: Path) -> None:
    open_files.remove(path)
    assert not path.exists()


def _tree_removed(path: Path) -> None:
    remove_tree(path.parent)
    assert not path.parent.exists()


@pytest.mark.parametrize("act", [_replaced, _renamed, _removed, _tree_removed])
def test_a_file_that_a_program_has_open_for_a_moment_is_waited_for(act: Callable[[Path], None], tmp_path: Path):
    path = tmp_path / "folder" / "file"
    path.parent.mkdir()
    path.write_bytes(b"old")
    scanner = path.open("rb")
    threading.Timer(0.1, scanner.close).start()
    act(path)
