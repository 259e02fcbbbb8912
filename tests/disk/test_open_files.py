"""What Windows refuses while another program has a file open is tried again; elsewhere, and for good, it is not."""

import os
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from bigmind.disk import open_files
from bigmind.disk.open_files import briefly, patiently, remove_tree
from bigmind.people.service import NOBODY
from bigmind.store.store import Store


class Refused:
    """Something that is refused a number of times."""

    def __init__(
        self, times: int, error: Callable[..., OSError] = PermissionError, names: tuple[str | None, ...] = ()
    ) -> None:
        self.times, self.error, self.tries = times, error, 0
        self._names = names

    def __call__(self) -> str:
        self.tries += 1
        if self.tries <= self.times:
            error = self.error(13, "The process cannot access the file")
            if self._names:
                error.filename, _, error.filename2 = self._names
            raise error
        return "done"


class InUseError(PermissionError):
    """A sharing violation; elsewhere than on Windows errors have no such number."""

    winerror = 32


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


def test_what_cannot_be_done_ever_is_refused_at_once(tmp_path: Path):
    read_only, other = tmp_path / "read-only", tmp_path / "other"
    read_only.touch()
    read_only.chmod(0o400)
    for names in ((str(tmp_path), None, None), (str(read_only), None, None), (str(other), None, str(tmp_path))):
        act = Refused(times=1_000_000, names=names)
        with pytest.raises(PermissionError):
            patiently(act, "nt")
        assert act.tries == 1, names
    read_only.chmod(0o600)


def test_a_file_that_is_in_use_is_waited_for_whatever_it_is(tmp_path: Path):
    act = Refused(times=2, error=InUseError, names=(str(tmp_path), None, None))
    assert patiently(act, "nt") == "done"


def test_whoever_has_others_wait_is_patient_for_a_moment_only():
    act = Refused(times=1_000_000)
    began = time.monotonic()
    with briefly(), pytest.raises(PermissionError):
        patiently(act, "nt", patience=600)
    assert act.tries > 1
    assert time.monotonic() - began < 60


def test_a_unit_of_work_has_others_wait(tmp_path: Path):
    store = Store(tmp_path / "home")
    refused = Refused(times=1_000_000)
    with store.write(NOBODY, "test"), pytest.raises(PermissionError):
        patiently(refused, "nt", patience=600)
    store.close()


def test_replacing_renaming_and_removing_are_tried_again(tmp_path: Path):
    file, name = tmp_path / "file", tmp_path / "name"
    file.write_bytes(b"new")
    name.write_bytes(b"old")
    open_files.replace(file, name, RefusedFirst(os.replace), "nt")
    assert name.read_bytes() == b"new"
    open_files.rename(name, file, RefusedFirst(os.rename), "nt")
    assert file.read_bytes() == b"new"
    open_files.remove(file, RefusedFirst(os.unlink), "nt")
    assert not file.exists()
    open_files.remove(file, RefusedFirst(os.unlink), "nt")


class RefusedFirst:
    """What is refused once, as while a scanner looks at a file."""

    def __init__(self, act: Callable[..., object]) -> None:
        self._act, self._is_open = act, True

    def __call__(self, *names: Path) -> None:
        if self._is_open:
            self._is_open = False
            raise PermissionError(13, "The process cannot access the file")
        self._act(*names)


class ClosedWhenRefused:
    """A program that has a file open until somebody is refused it; only Windows refuses it to anybody."""

    def __init__(self, path: Path, act: Callable[..., object]) -> None:
        self._file, self._act = path.open("rb"), act

    def __call__(self, *names: Path) -> None:
        try:
            self._act(*names)
        finally:
            self._file.close()


def test_a_file_that_a_program_really_has_open_is_waited_for(tmp_path: Path):
    file, name = tmp_path / "file", tmp_path / "name"
    file.write_bytes(b"new")
    name.write_bytes(b"old")
    open_files.replace(file, name, ClosedWhenRefused(name, os.replace))
    assert name.read_bytes() == b"new"
    open_files.rename(name, file, ClosedWhenRefused(name, os.rename))
    open_files.remove(file, ClosedWhenRefused(file, os.unlink))
    assert list(tmp_path.iterdir()) == []
