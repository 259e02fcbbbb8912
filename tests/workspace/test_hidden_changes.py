"""Files that are hidden from a status: by flags, rules, filters and other repositories; each is seen all the same."""

import os
import shutil
import sys
import time
from pathlib import Path

import pytest

from bigmind.workspace import working_files
from bigmind.workspace.ignore_rules import CACHES
from tests.workspace.yards import Yard, is_whole, new_yard, posix


@pytest.mark.parametrize("flag", ["--assume-unchanged", "--skip-worktree"])
def test_flags_of_the_index_hide_no_change(yard: Yard, flag: str) -> None:
    yard.git("update-index", flag, "src/app.py", "README.md")
    assert is_whole(yard)
    yard.write("src/app.py", "print('hidden')\n")
    (yard.root / "README.md").unlink()
    assert yard.git("status", "--porcelain") == ""
    assert yard.repository.cleanliness().dirty == ("README.md", "src/app.py")
    assert not is_whole(yard)


def test_a_change_of_the_same_size_and_time_is_seen(yard: Yard) -> None:
    file = yard.root / "src" / "app.py"
    os.utime(file, (1_000_000_000, 1_000_000_000))
    assert is_whole(yard)
    file.write_bytes(file.read_bytes().replace(b"hello", b"hullo"))
    os.utime(file, (1_000_000_000, 1_000_000_000))
    assert yard.repository.cleanliness().dirty == ("src/app.py",)


@posix
def test_a_hash_is_remembered_only_for_the_very_file(yard: Yard, monkeypatch: pytest.MonkeyPatch) -> None:
    """The clock is set on, so that what was just written counts as old enough to be remembered."""
    now = time.time_ns()
    monkeypatch.setattr(working_files.time, "time_ns", lambda: now + 10_000_000_000)
    opened: list[str] = []
    read = working_files.WorkingFiles._read

    def noted(self: working_files.WorkingFiles, whole: Path, path: str) -> tuple[str, str] | None:
        opened.append(path)
        return read(self, whole, path)

    monkeypatch.setattr(working_files.WorkingFiles, "_read", noted)
    yard.repository.tree()
    assert opened == ["README.md", "src/app.py"]
    yard.repository.tree()
    assert len(opened) == 2
    stamp = (yard.root / "README.md").stat()
    (yard.root / "README.md").write_bytes(b"# Yird\n")
    os.utime(yard.root / "README.md", ns=(stamp.st_atime_ns, stamp.st_mtime_ns))
    assert yard.repository.cleanliness().dirty == ("README.md",)
    assert opened[2:] == ["README.md"]


@pytest.mark.parametrize(
    ("file", "lines"),
    [
        (".git/info/exclude", "*.py\n"),
        ("src/.gitignore", "*\n"),
        ("new/.gitignore", "*\n"),
        (".gitignore", "*.py\n.gitignore\n"),
        ("new/deep/.gitignore", "/../deep\n*\n"),
    ],
)
def test_files_that_rules_hide_since_the_run_began_are_not_clean(yard: Yard, file: str, lines: str) -> None:
    yard.write(".git/info/exclude", "*.log\n")
    before = yard.repository.hiding()
    yard.write("noise.log")
    assert yard.repository.cleanliness(before).is_clean
    for path in ("new.py", "src/new.py", "new/new.py", "new/deep/new.py"):
        yard.write(path)
    yard.write(file, lines)
    hidden = yard.repository.cleanliness(before).hidden
    assert hidden
    assert "noise.log" not in hidden or file == ".git/info/exclude"
    for path in ("new.py", "src/new.py", "new/new.py", "new/deep/new.py"):
        is_seen = path in yard.repository.cleanliness(before).dirty or path in hidden
        assert is_seen or any(path.startswith(each) for each in hidden if each.endswith("/"))


def test_an_exception_that_is_taken_away_hides_what_it_showed(yard: Yard) -> None:
    yard.write(".git/info/exclude", "*.py\n!new.py\n")
    before = yard.repository.hiding()
    yard.write("new.py")
    assert yard.repository.cleanliness(before).dirty == ("new.py",)
    yard.write(".git/info/exclude", "!new.py\n*.py\n")
    told = yard.repository.cleanliness(before)
    assert (told.is_clean, told.hidden) == (False, ("new.py",))


def test_rules_that_are_only_moved_hide_nothing_new(yard: Yard) -> None:
    yard.write(".gitignore", "build/\n*.log\n")
    yard.commit()
    before = yard.repository.hiding()
    yard.write("build/out.o")
    yard.write("deep/noise.log")
    yard.write(".gitignore", "*.log\n# and\n\nbuild/\n")
    yard.commit()
    assert yard.repository.cleanliness(before).is_clean
    (yard.root / ".gitignore").unlink()
    yard.commit()
    assert yard.repository.cleanliness(before).count == 0


@pytest.mark.parametrize("name", sorted(CACHES))
def test_what_tools_make_hides_no_work(yard: Yard, name: str) -> None:
    before = yard.repository.hiding()
    yard.write(f"deep/{name}/.gitignore", "*\n")
    yard.write(f"deep/{name}/some/file", "{}")
    assert yard.repository.cleanliness(before).is_clean


def test_a_setting_that_names_an_ignore_file_or_folds_case_does_not_count(yard: Yard, tmp_path: Path) -> None:
    (tmp_path / "ignore").write_text("*.py\n")
    yard.write(".gitignore", "NEW.txt\n")
    yard.commit()
    yard.git("config", "core.excludesFile", str(tmp_path / "ignore"))
    yard.git("config", "core.ignoreCase", "true")
    yard.write("new.py")
    if sys.platform == "linux":
        yard.write("new.txt")
        assert yard.repository.cleanliness().dirty == ("new.py", "new.txt")
    assert "new.py" in yard.repository.cleanliness().dirty


@pytest.mark.parametrize("hiding", ["", "{", "[]", "null", '{"filter": 1}'])
def test_a_record_of_rules_that_cannot_be_read_breaks_nothing(yard: Yard, hiding: str) -> None:
    yard.write(".gitignore", "*.log\n")
    yard.commit()
    assert yard.repository.cleanliness(hiding).is_clean


def test_files_under_a_filter_are_named_and_not_judged(yard: Yard) -> None:
    """Git LFS: a pointer is committed, and the working file is its content."""
    yard.write(".gitattributes", "*.psd filter=lfs diff=lfs merge=lfs -text\n")
    yard.git("config", "filter.lfs.clean", "sed s/.*/pointer/")
    yard.git("config", "filter.lfs.smudge", "cat")
    yard.write("art/picture.psd", "large")
    start = yard.commit()
    before = yard.repository.hiding()
    told = yard.repository.cleanliness(before)
    assert (told.is_clean, told.not_judged) == (True, ("art/picture.psd",))
    assert yard.repository.tree() == yard.repository.committed_tree()
    assert yard.repository.tree().not_judged == ("art/picture.psd",)
    assert yard.repository.changed_since(start, 9) == []
    yard.write("src/app.py", "other")
    assert yard.repository.cleanliness(before).dirty == ("src/app.py",)


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ({}, {".git/info/attributes": "*.py filter=x\n"}),
        ({}, {".gitattributes": "*.py filter=x\n"}),
        ({".gitattributes": "[attr]big filter=x\n*.psd big\n"}, {".gitattributes": "[attr]big filter=x\n*.py big\n"}),
        ({".gitattributes": "* filter=x\n*.py -filter\n"}, {".gitattributes": "* filter=x\n"}),
        ({".gitattributes": "* filter=x\n*.py -filter\n"}, {".gitattributes": "*.py -filter\n* filter=x\n"}),
        ({}, {".git/info/attributes": "*.py working-tree-encoding=UTF-16\n"}),
        ({}, {".git/info/attributes": "*.py ident\n"}),
    ],
)
def test_a_filter_since_the_run_began_does_not_make_files_clean(
    yard: Yard, before: dict[str, str], after: dict[str, str]
) -> None:
    for path, text in before.items():
        yard.write(path, text)
    yard.commit()
    recorded = yard.repository.hiding()
    for path, text in after.items():
        yard.write(path, text)
    yard.git("add", "-A", "--", ":!src")
    yard.git("commit", "-q", "--allow-empty", "-m", "Filter")
    assert yard.repository.cleanliness(recorded).is_clean is False
    yard.write("src/app.py", "print('behind the filter')\n")
    told = yard.repository.cleanliness(recorded)
    assert not told.is_clean
    assert "src/app.py" in told.hidden


def test_attributes_of_another_tree_do_not_count(yard: Yard) -> None:
    yard.git("switch", "-q", "-c", "side")
    yard.write(".gitattributes", "* filter=x\n")
    yard.commit()
    yard.git("switch", "-q", "main")
    yard.git("config", "attr.tree", "side")
    yard.write("src/app.py", "other")
    assert yard.repository.cleanliness().dirty == ("src/app.py",)


def test_a_repository_within_the_files_is_not_committed_work(yard: Yard) -> None:
    new_yard(yard.root / "vendor")
    told = yard.repository.cleanliness()
    assert (told.is_clean, told.dirty) == (False, ("vendor/",))
    assert not is_whole(yard)


def test_a_folder_that_calls_itself_a_repository_hides_nothing(yard: Yard) -> None:
    yard.write("fake/.git/HEAD", "ref: refs/heads/main\n")
    yard.write("fake/work.py")
    new_yard(yard.root / "src" / "real")
    shutil.move(yard.root / "src" / "real" / ".git", yard.root / "src" / ".git")
    told = yard.repository.cleanliness().dirty
    assert "fake/work.py" in told
    assert any(each.startswith("src/real") for each in told)


def test_folders_that_stand_in_the_index_as_modules_are_named_and_not_judged(yard: Yard) -> None:
    start = yard.git("rev-parse", "HEAD")
    yard.git("rm", "-q", "--cached", "-r", "src")
    yard.git("update-index", "--add", "--cacheinfo", f"160000,{start},src")
    yard.git("commit", "-q", "-m", "Hide it")
    assert "src" in yard.repository.cleanliness().not_judged
    assert yard.repository.changed_since(start, 9) == ["src", "src/app.py"]
