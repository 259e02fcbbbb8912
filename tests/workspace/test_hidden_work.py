"""Work that is kept out of sight by rules which are large, many or no text, or by what may not be read."""

import os
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from bigmind.workspace import repository
from bigmind.workspace.folder import WorkspaceFault
from bigmind.workspace.working_files import LOCKED, WorkingFiles
from tests.workspace.yards import Yard, new_yard, posix

PADDING = "# padding\n" * 110_000
"""More than a megabyte of nothing; git reads on behind it."""
NOBODY = 65_534
"""A user of every Unix who owns nothing."""
IS_ROOT = sys.platform != "win32" and os.geteuid() == 0


@pytest.mark.parametrize(
    ("file", "rule"),
    [
        (".gitignore", "*\n"),
        ("src/.gitignore", "*\n"),
        (".git/info/exclude", "late.py\n"),
        (".gitattributes", "* filter=any\n"),
        (".git/info/attributes", "* filter=any\n"),
    ],
)
def test_rules_behind_much_padding_are_a_fault_and_hide_nothing(yard: Yard, file: str, rule: str) -> None:
    before = yard.repository.hiding()
    yard.write("src/late.py")
    yard.write("late.py")
    yard.write(file, PADDING + rule)
    with pytest.raises(WorkspaceFault, match=r"more than 1,000,000 bytes") as told:
        yard.repository.cleanliness(before)
    assert told.value.reason == "too_large"
    yard.write(file, rule)
    assert not yard.repository.cleanliness(before).is_clean


@posix
@pytest.mark.parametrize("file", [".gitignore", ".git/info/exclude"])
def test_rules_are_told_apart_by_their_bytes_though_they_are_no_text(yard: Yard, file: str) -> None:
    yard.write(file, b"\xe9\xfe*\n.gitignore\n")
    before = yard.repository.hiding()
    assert before.isascii()
    yard.write(os.fsdecode(b"\xe9\xfeknown"))
    assert yard.repository.cleanliness(before).is_clean
    yard.write(file, b"\xff\xfe*\n\xe9\xfe*\n.gitignore\n")
    yard.write(os.fsdecode(b"\xff\xfelate"))
    assert yard.repository.cleanliness(before).hidden == ("\N{REPLACEMENT CHARACTER}" * 2 + "late",)


def test_more_ignore_files_than_are_looked_through_are_a_fault(yard: Yard, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(repository, "MOST_RULES", 3)
    for each in ("a/.gitignore", "b/.gitattributes", "c/.gitignore"):
        yard.write(each, "*.log\n")
    assert "a/.gitignore" in yard.repository.hiding()
    yard.write("d/.gitignore", "*\n")
    with pytest.raises(WorkspaceFault, match="more than 3 ignore files"):
        yard.repository.hiding()


@pytest.fixture
def open_yard() -> Iterator[Yard]:
    """A workspace that every user of this machine may look into, which pytest's own folders are not."""
    with tempfile.TemporaryDirectory(prefix="bigmind-open-") as base:
        Path(base).chmod(0o755)
        yield new_yard(Path(base) / "workspace")


@contextmanager
def as_nobody() -> Iterator[None]:
    """For the length of a block, no root: root may read whatever there is."""
    if IS_ROOT:
        os.seteuid(NOBODY)
    try:
        yield
    finally:
        if IS_ROOT:
            os.seteuid(0)


@posix
def test_a_file_that_may_not_be_read_is_something_that_is_there(open_yard: Yard) -> None:
    open_yard.write("src/late.py").chmod(0)
    with as_nobody():
        found = WorkingFiles(open_yard.root, "sha1").found(["README.md", "src/late.py", "gone.py", "README.md/x.py"])
    assert {path: file.kind for path, file in found.items()} == {"README.md": "", "src/late.py": LOCKED}


@posix
@pytest.mark.skipif(IS_ROOT, reason="root may write anywhere, and read it")
def test_a_file_that_may_not_be_read_is_not_clean(yard: Yard) -> None:
    yard.write("src/late.py").chmod(0)
    told = yard.repository.cleanliness()
    assert (told.is_clean, told.dirty) == (False, ("src/late.py",))
