"""A repository as it is told: heads, commits, changes, and what is not committed, with a real git."""

import os
import sys
from pathlib import Path

import pytest

from bigmind.workspace.folder import Folder, WorkspaceFault
from bigmind.workspace.repository import Head, Repository
from tests.workspace.yards import Yard, is_whole, new_yard, posix


def test_a_folder_without_git_has_no_repository(tmp_path: Path) -> None:
    assert Repository.of(Folder(tmp_path)) is None


def test_a_bare_repository_is_none_of_a_workspace(tmp_path: Path, yard: Yard) -> None:
    yard.git("clone", "-q", "--bare", str(yard.root), str(tmp_path / "bare"))
    assert Repository.of(Folder(tmp_path / "bare")) is None


def test_the_repository_of_a_folder_above_is_none_of_the_workspace(yard: Yard) -> None:
    assert Repository.of(Folder(yard.root / "src")) is None


def test_the_head_is_a_branch_and_a_commit(yard: Yard) -> None:
    assert yard.repository.head() == Head("main", yard.git("rev-parse", "HEAD"))
    yard.git("switch", "-q", "-c", "fix/ключ-1")
    assert yard.repository.head().branch == "fix/ключ-1"


def test_a_detached_head_has_no_branch_and_counts_commits(yard: Yard) -> None:
    start = yard.git("rev-parse", "HEAD")
    yard.git("checkout", "-q", "--detach")
    yard.write("a")
    made = yard.commit()
    assert yard.repository.head() == Head("", made)
    assert [each.id for each in yard.repository.commits_since(start, 9)] == [made]


def test_an_unborn_branch_has_no_commit_and_all_files_are_new(tmp_path: Path) -> None:
    root = tmp_path / "new"
    root.mkdir()
    yard = Yard(root.resolve())
    yard.git("init", "-q", "-b", "first")
    yard.write("a.txt")
    repository = yard.repository
    assert repository.head() == Head("first", "")
    assert repository.cleanliness().dirty == ("a.txt",)
    assert repository.commits_after(0, 5) == []
    assert repository.tree().files == 1
    assert repository.committed_tree().files == 0
    with pytest.raises(WorkspaceFault, match="no id of a commit"):
        repository.commits_since("a" * 40, 5)


@pytest.mark.parametrize("asked", [(), ("--object-format=sha256",)])
def test_commits_are_told_with_what_they_change(tmp_path: Path, asked: tuple[str, ...]) -> None:
    yard = new_yard(tmp_path / "each", *asked)
    start = yard.git("rev-parse", "HEAD")
    assert len(start) == (64 if asked else 40)
    empty = yard.commit("Nothing at all")
    yard.git("switch", "-q", "-c", "side")
    yard.write("side.txt")
    side = yard.commit("Something aside")
    yard.git("switch", "-q", "main")
    yard.git("merge", "-q", "--no-ff", "-m", "Merge it", "side")
    merged = yard.git("rev-parse", "HEAD")
    yard.git("merge", "-q", "-s", "ours", "--allow-unrelated-histories", "-m", "Again", "side")
    found = {each.id: each for each in yard.repository.commits_since(start, 10)}
    assert {each: found[each].changes for each in (empty, side, merged)} == {empty: False, side: True, merged: True}
    assert found[side].subject == "Something aside"
    assert found[side].at == int(yard.git("show", "-s", "--format=%ct", side))
    assert len(yard.repository.commits_since(start, 1)) == 1
    assert len(yard.repository.commits_after(0, 10)) == 4
    assert yard.repository.commits_after(found[side].at + 1_000, 10) == []
    assert yard.repository.cleanliness().is_clean


def test_a_merge_that_takes_nothing_changes_nothing(yard: Yard) -> None:
    yard.git("switch", "-q", "-c", "side")
    yard.write("side.txt")
    yard.commit()
    yard.git("switch", "-q", "main")
    yard.git("merge", "-q", "--no-ff", "-s", "ours", "-m", "Take nothing", "side")
    merge, *_ = yard.repository.commits_since(yard.git("rev-parse", "HEAD^"), 5)
    assert (merge.subject, merge.changes) == ("Take nothing", False)


def test_the_first_commit_of_all_changes_something(yard: Yard) -> None:
    assert [each.changes for each in yard.repository.commits_after(0, 5)] == [True]


def test_ids_are_hexadecimal_and_never_names_or_options(yard: Yard) -> None:
    start, repository = yard.git("rev-parse", "HEAD"), yard.repository
    yard.git("tag", "v1")
    blob = yard.git("rev-parse", "HEAD:README.md")
    assert repository.full(start[:7]) == repository.full(start) == start
    odd = (
        "",
        "HEAD",
        "main",
        "v1",
        start[:6],
        start.upper(),
        f"{start}^",
        f"^{start}",
        "--all",
        blob,
        "f" * 40,
        "0" * 40,
    )
    assert {each: repository.full(each) for each in odd} == dict.fromkeys(odd, "")


def test_a_branch_that_is_named_as_an_id_leads_nowhere_else(yard: Yard) -> None:
    start = yard.git("rev-parse", "HEAD")
    yard.write("a")
    newest = yard.commit()
    yard.git("branch", start[:9], newest)
    repository = yard.repository
    assert repository.full(start[:9]) == ""
    assert not repository.is_ancestor(newest, start[:9])
    assert repository.is_ancestor(start, newest)
    assert not repository.is_ancestor(newest, start)
    assert repository.is_ancestor(start, start)


def test_a_rewritten_history_no_longer_leads_from_the_start(yard: Yard) -> None:
    yard.write("a")
    start = yard.commit()
    yard.git("commit", "-q", "--amend", "-m", "Rewritten")
    repository = yard.repository
    assert repository.full(start) == start
    assert not repository.is_ancestor(start, repository.head().commit)


def test_a_shallow_clone_knows_what_it_has(yard: Yard, tmp_path: Path) -> None:
    old = yard.git("rev-parse", "HEAD")
    yard.write("a")
    start = yard.commit()
    yard.git("clone", "-q", "--depth=1", yard.root.as_uri(), str(tmp_path / "shallow"))
    shallow = Yard((tmp_path / "shallow").resolve())
    shallow.write("b")
    made = shallow.commit()
    repository = shallow.repository
    assert [each.id for each in repository.commits_since(start, 5)] == [made]
    assert repository.full(old) == ""
    assert not repository.is_ancestor(old, made)
    assert repository.is_ancestor(start, made)
    assert is_whole(shallow)


def test_a_worktree_is_a_workspace_of_the_same_repository(yard: Yard, tmp_path: Path) -> None:
    yard.git("worktree", "add", "-q", "-b", "side", str(tmp_path / "side"))
    side = Yard((tmp_path / "side").resolve())
    side.write("only-here.txt")
    assert side.repository.identity == yard.repository.identity
    assert side.repository.head().branch == "side"
    assert side.repository.cleanliness().dirty == ("only-here.txt",)
    assert is_whole(yard)
    side.commit()
    assert is_whole(side)


def test_a_module_is_a_workspace_and_not_entered_from_above(yard: Yard, tmp_path: Path) -> None:
    other = new_yard(tmp_path / "other")
    yard.git("submodule", "--quiet", "add", other.root.as_uri(), "vendor/other")
    yard.commit()
    assert is_whole(yard)
    assert yard.repository.tree().not_judged == ("vendor/other",)
    module = Yard(yard.root / "vendor" / "other")
    assert module.repository.head().commit == other.git("rev-parse", "HEAD")
    module.write("inside.txt")
    assert module.repository.cleanliness().dirty == ("inside.txt",)
    assert is_whole(yard)
    module.commit()
    yard.git("add", "vendor/other")
    assert yard.repository.cleanliness().dirty == ("vendor/other",)


def test_packed_references_and_objects_are_read(yard: Yard) -> None:
    before = yard.repository.identity
    yard.git("gc", "-q")
    yard.git("pack-refs", "--all")
    assert yard.repository.head().branch == "main"
    assert is_whole(yard)
    assert yard.repository.identity == before


def test_what_is_written_staged_deleted_or_moved_is_not_clean(yard: Yard) -> None:
    yard.write("src/app.py", "print('other')\n")
    yard.write("new.txt")
    yard.write("staged.txt")
    yard.git("add", "staged.txt")
    yard.git("mv", "README.md", "LIESMICH.md")
    told = yard.repository.cleanliness()
    assert told.dirty == ("LIESMICH.md", "README.md", "new.txt", "src/app.py", "staged.txt")
    assert (told.is_clean, told.count) == (False, 5)
    assert not is_whole(yard)
    yard.commit()
    assert is_whole(yard)


def test_work_that_was_staged_and_then_put_back_is_clean(yard: Yard) -> None:
    """The index is of no account: what lies in the files is what is committed."""
    before = (yard.root / "README.md").read_bytes()
    yard.write("README.md", "other\n")
    yard.git("add", "README.md")
    yard.write("README.md", before)
    assert is_whole(yard)


def test_only_the_first_twenty_paths_are_told_and_all_are_counted(yard: Yard) -> None:
    for number in range(25):
        yard.write(f"new/{number:02}")
    told = yard.repository.cleanliness()
    assert (len(told.dirty), told.count, told.dirty[0]) == (20, 25, "new/00")


def test_changes_since_a_commit_are_those_of_commits_and_of_files(yard: Yard) -> None:
    start = yard.git("rev-parse", "HEAD")
    yard.write("committed.txt")
    yard.git("rm", "-q", "README.md")
    yard.commit()
    yard.write(".gitignore", "*.log\n")
    yard.write("noise.log")
    assert yard.repository.changed_since(start, 99) == [".gitignore", "README.md", "committed.txt"]
    assert yard.repository.changed_since(start, 1) == [".gitignore"]
    yard.git("revert", "--no-edit", "HEAD")
    (yard.root / ".gitignore").unlink()
    (yard.root / "noise.log").unlink()
    assert yard.repository.changed_since(start, 99) == []


def test_notes_of_the_check_make_nothing_unclean_until_they_are_tracked(yard: Yard) -> None:
    note = "docs/sessions/2025-12-21-session-01.degraded.json"
    before = yard.repository.tree().digest
    yard.write(note, "{}")
    assert is_whole(yard)
    assert yard.repository.tree().digest == before
    yard.commit()
    yard.write(note, '{"other": 1}')
    assert yard.repository.cleanliness().dirty == (note,)


def test_a_tree_is_the_same_before_files_are_committed_and_after(yard: Yard) -> None:
    first = yard.repository.tree()
    yard.write("a.txt")
    second = yard.repository.tree()
    assert first.digest != second.digest
    assert second.files == first.files + 1
    yard.commit()
    assert yard.repository.tree() == yard.repository.committed_tree() == second


def test_paths_that_are_set_aside_and_what_is_below_them_are_not_in_a_tree(yard: Yard) -> None:
    before = yard.repository.tree(["docs/qa", "HANDOFF.md"])
    yard.write("docs/qa/report.md")
    yard.write("HANDOFF.md")
    assert yard.repository.tree(["docs/qa", "HANDOFF.md"]) == before
    yard.write("docs/qa.md")
    assert yard.repository.tree(["docs/qa", "HANDOFF.md"]) != before


@pytest.mark.parametrize("converts", ["true", "input", "false"])
def test_line_ends_make_no_difference_however_git_keeps_them(yard: Yard, converts: str) -> None:
    yard.git("config", "core.autocrlf", converts)
    yard.write("dos.txt", "one\r\ntwo\r\n")
    uncommitted = yard.repository.tree().digest
    yard.commit()
    assert is_whole(yard)
    assert yard.repository.tree().digest == uncommitted
    yard.write("dos.txt", "one\r\nthree\r\n")
    assert yard.repository.cleanliness().dirty == ("dos.txt",)


def test_bytes_that_look_like_line_ends_in_a_binary_file_count(yard: Yard) -> None:
    yard.write("image.bin", b"\0one\r\ntwo")
    yard.commit()
    yard.write("image.bin", b"\0one\ntwo")
    assert yard.repository.cleanliness().dirty == ("image.bin",)


@posix
def test_a_file_that_can_be_run_and_a_link_in_its_place_are_other_files(yard: Yard) -> None:
    yard.write("tool", "target")
    yard.commit()
    (yard.root / "tool").chmod(0o755)
    assert yard.repository.cleanliness().dirty == ("tool",)
    yard.git("config", "core.fileMode", "false")
    assert yard.repository.cleanliness().is_clean
    (yard.root / "tool").unlink()
    (yard.root / "tool").symlink_to("target")
    assert yard.repository.cleanliness().dirty == ("tool",)
    yard.git("config", "core.fileMode", "true")
    yard.commit()
    assert is_whole(yard)


@posix
def test_a_link_is_known_by_where_it_leads_and_not_followed(yard: Yard, tmp_path: Path) -> None:
    (tmp_path / "outside").write_text("first")
    (yard.root / "link").symlink_to(tmp_path / "outside")
    yard.commit()
    before = yard.repository.tree().digest
    (tmp_path / "outside").write_text("second, and longer")
    assert yard.repository.tree().digest == before
    assert is_whole(yard)


@posix
def test_names_of_any_kind_are_told_as_text(yard: Yard) -> None:
    names = ["a\nb", '"q"', "-x", "ключ", "tab\tbed", "* [a]?"]
    names += [] if sys.platform == "darwin" else [os.fsdecode(b"raw\xff")]
    for name in names:
        yard.write(name)
    told = yard.repository.cleanliness()
    assert told.count == len(names)
    assert all(each.isprintable() and each.encode() for each in told.dirty)
    assert {"-x", "ключ", '"q"'} <= set(told.dirty)
    changed = yard.repository.changed_since(yard.git("rev-parse", "HEAD"), 99)
    assert "a\nb" in changed
    assert all(each.encode() for each in changed)
    yard.commit()
    assert is_whole(yard)


def test_the_text_of_a_file_at_a_commit(yard: Yard) -> None:
    start = yard.git("rev-parse", "HEAD")
    yard.write("README.md", "other")
    yard.commit()
    repository = yard.repository
    assert repository.text_at(start, "README.md", 100) == "# Yard\n"
    assert repository.text_at(start, "README.md", 3) is None
    assert repository.text_at(start, "gone", 100) is None
    assert repository.text_at(start, "src", 100) is None
    with pytest.raises(WorkspaceFault):
        repository.text_at("main", "README.md", 100)


def test_odd_commits_are_told_all_the_same(yard: Yard) -> None:
    """Times and words that no honest git writes."""
    start, tree = yard.git("rev-parse", "HEAD"), yard.git("rev-parse", "HEAD^{tree}")
    newest = start
    for when in ("9" * 30, "-5", "99999999999999"):
        who = f"A <a> {when} +0000"
        text = f"tree {tree}\nparent {newest}\nauthor {who}\ncommitter {who}\n\nOdd \udcff\x1b[31m\n"
        newest = yard.git(
            *("hash-object", "-t", "commit", "-w", "--stdin", "--literally"),
            given=text.encode("utf-8", "surrogateescape"),
        )
    yard.git("update-ref", "HEAD", newest)
    found = yard.repository.commits_since(start, 9)
    assert len(found) == 3
    assert all(0 <= each.at <= 253_402_300_799 and each.subject.isprintable() for each in found)
    assert all(each.subject.encode() and not each.changes for each in found)
