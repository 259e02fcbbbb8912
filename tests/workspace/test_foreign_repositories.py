"""Repositories that pretend, swap or lead elsewhere: none is believed, and what cannot be judged is a fault."""

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
from bigmind.workspace.repository import Repository
from tests.workspace.yards import Yard, is_whole, new_yard, posix, remove

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
    remove(yard.root / ".git")
    with pytest.raises(WorkspaceFault):
        repository.full("a" * 40)


def _link(yard: Yard, other: Yard) -> None:
    remove(yard.root / ".git")
    (yard.root / ".git").symlink_to(other.root / ".git")


def _file(told: str) -> Callable[[Yard, Yard], None]:
    def make(yard: Yard, other: Yard) -> None:
        remove(yard.root / ".git")
        yard.write(".git", told.format(other=other.root))

    return make


def _common_folder(yard: Yard, other: Yard) -> None:
    yard.write(".git/commondir", str(other.root / ".git"))


def _own_folder_of_other(yard: Yard, other: Yard) -> None:
    """A `.git` file to a folder that knows the workspace, and takes everything else from another repository."""
    remove(yard.root / ".git")
    yard.write("made/gitdir", str(yard.root / ".git"))
    yard.write("made/commondir", str(other.root / ".git"))
    yard.write("made/HEAD", "ref: refs/heads/main\n")
    yard.write(".git", "gitdir: made\n")


def _pipe(yard: Yard, _: Yard) -> None:
    remove(yard.root / ".git")
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
        remove(part)
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


@posix
def test_a_link_that_was_committed_is_whole_however_it_is_spelt(yard: Yard) -> None:
    for number, target in enumerate(("./README.md", "src/", "src//app.py", "gone", "\udcff")):
        (yard.root / f"link{number}").symlink_to(target)
    yard.commit()
    assert is_whole(yard)


def test_a_name_in_a_tree_that_is_no_text_is_a_file_that_is_missing(yard: Yard) -> None:
    blob = yard.git("hash-object", "-w", "--stdin", given=b"x")
    tree = yard.git("mktree", "-z", given=b"100644 blob " + blob.encode() + b"\tn\xff.txt\0")
    yard.git("update-ref", "HEAD", yard.git("commit-tree", "-p", "HEAD", "-m", "Odd", tree))
    assert "n\N{REPLACEMENT CHARACTER}.txt" in yard.repository.cleanliness().dirty
    assert yard.repository.committed_tree().files == 1


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
        remove(yard.root / ".git" / name)
    else:
        yard.write(f".git/{name}", data)
    assert look(yard).startswith("fault: ")


def test_missing_objects_are_a_fault_and_fetched_from_nowhere(yard: Yard) -> None:
    tree = yard.git("rev-parse", "HEAD^{tree}")
    remove(yard.root / ".git" / "objects" / tree[:2] / tree[2:])
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
