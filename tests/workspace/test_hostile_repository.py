"""Repositories that hide, pretend or swap: what is not committed is seen, and what cannot be judged is a fault."""

import os
import shutil
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from bigmind.workspace import git_command, repository, working_files
from bigmind.workspace.folder import Folder, WorkspaceFault
from bigmind.workspace.git_command import git
from bigmind.workspace.ignore_rules import CACHES
from bigmind.workspace.repository import Repository
from tests.workspace.yards import Yard, is_whole, new_yard, posix

SECRET = "token-of-the-machine-5f3a"


def look(yard: Yard, start: str = "") -> str:
    """All that a repository tells, as one text; a fault among it."""
    try:
        found = yard.repository
        told = [found.head(), found.identity, found.hiding(), found.cleanliness(), found.tree(), found.committed_tree()]
        if start:
            told += [found.full(start), found.commits_since(start, 9), found.changed_since(start, 9), found.hooks()]
    except WorkspaceFault as fault:
        return f"fault: {fault}"
    return repr(told)


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


def test_replacements_and_grafts_do_not_count(yard: Yard) -> None:
    start = yard.git("rev-parse", "HEAD")
    yard.write("a")
    second = yard.commit("Second")
    other = yard.git("commit-tree", "-m", "Unrelated", "HEAD^{tree}")
    yard.git("replace", second, other)
    assert yard.repository.is_ancestor(start, second)
    yard.git("replace", "-d", second)
    yard.write(".git/info/grafts", f"{other} {start}\n")
    assert not yard.repository.is_ancestor(start, other)


def test_a_commit_graph_that_lies_does_not_count(yard: Yard) -> None:
    """The graph is a copy of what commits say of their parents, and git believes it."""
    start = yard.git("rev-parse", "HEAD")
    other = yard.git("commit-tree", "-m", "Unrelated", "HEAD^{tree}")
    newest = yard.git("commit-tree", "-m", "On it", "-p", other, "HEAD^{tree}")
    yard.git("branch", "other", newest)
    yard.git("-c", "commitGraph.generationVersion=1", "commit-graph", "write", "--reachable")
    graph = yard.root / ".git" / "objects" / "info" / "commit-graph"
    data = bytearray(graph.read_bytes())
    chunks = {bytes(data[at : at + 4]): int.from_bytes(data[at + 4 : at + 12], "big") for at in range(8, 44, 12)}
    order = sorted((start, other, newest))
    at = chunks[b"CDAT"] + 36 * order.index(other) + 20
    data[at : at + 4] = order.index(start).to_bytes(4, "big")
    data[at + 8 : at + 12] = (2 << 2).to_bytes(4, "big")
    graph.chmod(0o644)
    graph.write_bytes(data)
    assert yard.git("merge-base", start, newest) == start
    assert not yard.repository.is_ancestor(start, newest)


def test_a_repository_in_the_place_of_another_is_another(yard: Yard) -> None:
    before = yard.repository.identity
    yard.write("a")
    yard.commit()
    assert yard.repository.identity == before
    (yard.root / ".git").rename(yard.root.parent / "old")
    yard.git("init", "-q", "-b", "main")
    yard.commit("Begin anew")
    assert yard.repository.identity != before


def test_a_repository_that_is_swapped_in_the_middle_of_a_look_is_a_fault(yard: Yard) -> None:
    repository = yard.repository
    repository.head()
    (yard.root / ".git").rename(yard.root.parent / "old")
    shutil.copytree(yard.root.parent / "old", yard.root / ".git")
    with pytest.raises(WorkspaceFault, match="replaced"):
        repository.cleanliness()
    shutil.rmtree(yard.root / ".git")
    with pytest.raises(WorkspaceFault):
        repository.full("a" * 40)


def _link(yard: Yard, other: Yard) -> None:
    shutil.rmtree(yard.root / ".git")
    (yard.root / ".git").symlink_to(other.root / ".git")


def _file(told: str) -> Callable[[Yard, Yard], None]:
    def make(yard: Yard, other: Yard) -> None:
        shutil.rmtree(yard.root / ".git")
        yard.write(".git", told.format(other=other.root))

    return make


def _common_folder(yard: Yard, other: Yard) -> None:
    yard.write(".git/commondir", str(other.root / ".git"))


def _own_folder_of_other(yard: Yard, other: Yard) -> None:
    """A `.git` file to a folder that knows the workspace, and takes everything else from another repository."""
    shutil.rmtree(yard.root / ".git")
    yard.write("made/gitdir", str(yard.root / ".git"))
    yard.write("made/commondir", str(other.root / ".git"))
    yard.write("made/HEAD", "ref: refs/heads/main\n")
    yard.write(".git", "gitdir: made\n")


def _pipe(yard: Yard, _: Yard) -> None:
    shutil.rmtree(yard.root / ".git")
    os.mkfifo(yard.root / ".git")


@posix
@pytest.mark.parametrize(
    "make",
    [
        _link,
        _common_folder,
        _own_folder_of_other,
        _pipe,
        *map(_file, ("gitdir: {other}/.git", "gitdir: /", "gitdir:", "", "{other}/.git", "gitdir: gone", "x" * 9_000)),
    ],
)
def test_a_git_that_leads_to_another_repository_is_a_fault(
    yard: Yard, tmp_path: Path, make: Callable[[Yard, Yard], None]
) -> None:
    other = new_yard(tmp_path / "other")
    other.write(f"{SECRET}.txt")
    other.commit(SECRET)
    make(yard, other)
    told = look(yard)
    assert told.startswith("fault: ")
    assert SECRET not in told


@posix
@pytest.mark.parametrize(
    "name",
    [
        *("HEAD", "config", "index", "packed-refs", "shallow", "info/exclude", "info/attributes", "info/grafts"),
        *("config.worktree", "objects/info/alternates", "refs/heads/main", "refs", "refs/heads", "objects", "info"),
        *("ORIG_HEAD", "logs", "hooks", "objects/info/commit-graph", "objects/pack/multi-pack-index", "description"),
    ],
)
def test_a_part_of_a_repository_that_is_a_link_tells_nothing_of_the_machine(
    yard: Yard, tmp_path: Path, name: str
) -> None:
    start = yard.git("rev-parse", "HEAD")
    (tmp_path / "secrets").mkdir()
    (tmp_path / "secrets" / SECRET).write_text(SECRET)
    (tmp_path / "secret").write_text(f"{SECRET}\n{SECRET} {SECRET}\n")
    part = yard.root / ".git" / name
    target = "secrets" if part.is_dir() else "secret"
    if part.is_dir():
        shutil.rmtree(part)
    part.unlink(missing_ok=True)
    part.symlink_to(tmp_path / target)
    assert SECRET not in look(yard, start)


@posix
@pytest.mark.parametrize("name", ["HEAD", "config", "index", "packed-refs", "shallow", "info/exclude", "commondir"])
def test_a_pipe_in_place_of_a_part_of_a_repository_is_a_fault_at_once(yard: Yard, name: str) -> None:
    part = yard.root / ".git" / name
    part.unlink(missing_ok=True)
    os.mkfifo(part)
    begun = time.monotonic()
    assert look(yard).startswith("fault: ")
    assert time.monotonic() - begun < git_command.SECONDS / 2


@posix
@pytest.mark.parametrize("name", [".gitignore", ".git/refs/heads/main", ".gitattributes"])
def test_a_pipe_that_git_waits_for_is_left_after_its_time(
    yard: Yard, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    monkeypatch.setattr(git_command, "SECONDS", 0.5)
    (yard.root / name).unlink(missing_ok=True)
    os.mkfifo(yard.root / name)
    told = look(yard)
    assert name == ".gitattributes" or "longer than" in told


@posix
@pytest.mark.parametrize("kind", ["pipe", "link", "folder", "nothing"])
def test_other_things_in_the_place_of_a_committed_file_are_changes(yard: Yard, tmp_path: Path, kind: str) -> None:
    file = yard.root / "src" / "app.py"
    text = file.read_bytes()
    file.unlink()
    if kind == "pipe":
        os.mkfifo(file)
    elif kind == "folder":
        file.mkdir()
    elif kind == "link":
        (tmp_path / "app.py").write_bytes(text)
        file.symlink_to(tmp_path / "app.py")
    assert yard.repository.cleanliness().dirty == ("src/app.py",)


@posix
def test_a_folder_that_became_a_link_is_not_entered(yard: Yard, tmp_path: Path) -> None:
    shutil.move(yard.root / "src", tmp_path / "src")
    (yard.root / "src").symlink_to(tmp_path / "src")
    assert yard.repository.cleanliness().dirty == ("src", "src/app.py")


def test_a_tree_made_by_hand_names_nothing_outside(yard: Yard, tmp_path: Path) -> None:
    """Git checks names out with care; objects may hold any."""
    text = b"outside the workspace\n"
    (tmp_path / "outside.txt").write_bytes(text)
    blob = yard.git("hash-object", "-w", "--stdin", given=text)
    raw = b"100644 outside.txt\0" + bytes.fromhex(blob)
    inner = yard.git("hash-object", "-t", "tree", "-w", "--literally", "--stdin", given=raw)
    raw = b"40000 ..\0" + bytes.fromhex(inner)
    outer = yard.git("hash-object", "-t", "tree", "-w", "--literally", "--stdin", given=raw)
    start = yard.git("rev-parse", "HEAD")
    yard.git("update-ref", "HEAD", yard.git("commit-tree", "-p", start, "-m", "Out", outer))
    assert "../outside.txt" in yard.repository.cleanliness().dirty


@posix
def test_a_sparse_file_of_a_terabyte_is_refused_unread(yard: Yard) -> None:
    with (yard.root / "sparse").open("wb") as file:
        file.truncate(1 << 40)
    with pytest.raises(WorkspaceFault, match="too much to hash"):
        yard.repository.tree()


def test_a_workspace_of_too_many_files_is_a_fault(yard: Yard, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(working_files, "MOST_FILES", 2)
    assert yard.repository.tree().files == 2
    yard.write("third")
    with pytest.raises(WorkspaceFault, match="more than 2 files"):
        yard.repository.tree()


def test_an_answer_of_git_is_bounded(yard: Yard, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(git_command, "MOST_OUTPUT", 10)
    with pytest.raises(WorkspaceFault, match="too large"):
        yard.repository.head()


def test_ignore_files_are_bounded(yard: Yard, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(repository, "MOST_RULE_CHARACTERS", 5)
    yard.write(".gitignore", "*.log\n*.txt\n")
    with pytest.raises(WorkspaceFault, match="too large"):
        yard.repository.hiding()


@pytest.mark.parametrize("path", ["", "relative/bin", ".", "{workspace}/bin", "{base}/alias"])
def test_git_is_never_taken_from_the_workspace_or_a_relative_entry(
    yard: Yard, monkeypatch: pytest.MonkeyPatch, path: str
) -> None:
    """Without another git there is none, however many the workspace holds."""
    for name in ("git", "bin/git", "relative/bin/git"):
        yard.write(name, f"#!/bin/sh\ntouch {yard.root}/ran\n").chmod(0o755)
    if sys.platform != "win32":
        (yard.root.parent / "alias").symlink_to(yard.root / "bin")
    monkeypatch.chdir(yard.root)
    monkeypatch.setenv("PATH", path.format(workspace=yard.root, base=yard.root.parent))
    with pytest.raises(WorkspaceFault, match="no git") as caught:
        Repository.of(Folder(yard.root))
    assert caught.value.reason == "missing"
    assert not (yard.root / "ran").exists()


@posix
def test_a_git_that_is_too_old_is_told(yard: Yard, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    (tmp_path / "old").mkdir()
    (tmp_path / "old" / "git").write_text("#!/bin/sh\necho git version 2.17.1\n")
    (tmp_path / "old" / "git").chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path / 'old'}{os.pathsep}{os.environ['PATH']}")
    with pytest.raises(WorkspaceFault, match=r"Git 2\.30 or newer is needed; the one here is 2\.17"):
        Repository.of(Folder(yard.root))


@pytest.mark.parametrize(
    ("name", "data"),
    [
        ("HEAD", b"nonsense"),
        ("config", b"[core\n\xff"),
        ("config", b"[core]\nrepositoryformatversion = 99\n"),
        ("config", b"[core]\nrepositoryformatversion = 1\n[extensions]\nunknown = true\n"),
        ("index", b"DIRC\0\0\0\x02garbage"),
        ("objects", None),
        ("refs", None),
    ],
)
def test_a_damaged_repository_is_a_fault_in_a_sentence(yard: Yard, name: str, data: bytes | None) -> None:
    if data is None:
        shutil.rmtree(yard.root / ".git" / name)
    else:
        yard.write(f".git/{name}", data)
    assert look(yard).startswith("fault: ")


def test_missing_objects_are_a_fault_and_fetched_from_nowhere(yard: Yard) -> None:
    tree = yard.git("rev-parse", "HEAD^{tree}")
    (yard.root / ".git" / "objects" / tree[:2] / tree[2:]).unlink()
    with pytest.raises(WorkspaceFault, match="Git could not be asked"):
        yard.repository.cleanliness()


def test_git_writes_nothing_into_the_repository(yard: Yard) -> None:
    yard.write("new.txt")
    os.utime(yard.root / "README.md", (5, 5))  # the index would be refreshed

    def state() -> dict[str, int]:
        return {str(each): each.stat().st_mtime_ns for each in (yard.root / ".git").rglob("*")}

    before = state()
    look(yard, yard.git("rev-parse", "HEAD"))
    assert state() == before


def test_settings_of_the_repository_change_no_answer(yard: Yard) -> None:
    start = yard.git("rev-parse", "HEAD")
    yard.write("ключ.txt")
    yard.commit("Rounding, naïve")
    before = look(yard, start)
    for setting in (
        *("core.worktree=/", "core.quotePath=true", "core.bare=true", "core.abbrev=4", "log.showSignature=true"),
        *(
            "i18n.logOutputEncoding=UTF-16",
            "core.sparseCheckout=true",
            "core.untrackedCache=true",
            "diff.renames=copies",
        ),
        *("core.splitIndex=true", "log.date=relative", "format.pretty=oneline", "core.precomposeUnicode=true"),
        *("status.showUntrackedFiles=no", "core.trustctime=false", "core.checkStat=minimal", "core.eol=crlf"),
        *("diff.ignoreSubmodules=all", "color.ui=always", "core.commentChar=x", "core.logAllRefUpdates=always"),
    ):
        name, _, value = setting.partition("=")
        yard.git("config", "--file", str(yard.root / ".git" / "config"), name, value)
    assert look(yard, start) == before


def test_git_itself_can_be_asked_only_in_its_place(yard: Yard, tmp_path: Path) -> None:
    place = git_command.GitPlace(tmp_path, tmp_path, yard.root)
    with pytest.raises(WorkspaceFault):
        git(place, "rev-parse", "HEAD")
