"""What Windows makes of names and paths that somebody else wrote: they are told on every system, and count there."""

import os
import stat
import sys
from pathlib import Path, PureWindowsPath
from types import SimpleNamespace
from typing import cast

import pytest

from bigmind.disk.windows_paths import is_taken_for_another, mode_of, with_prefix
from bigmind.workspace import git_place
from bigmind.workspace.folder import Folder, WorkspaceFault
from bigmind.workspace.git_place import place_of
from bigmind.workspace.opened import real_folder
from bigmind.workspace.programs import find_program
from bigmind.workspace.windows_names import (
    bytes_of,
    link_bytes,
    path_of,
    without_prefix,
)
from bigmind.workspace.working_files import WorkingFiles, is_inside
from tests.workspace.yards import Yard

IS_WINDOWS = sys.platform == "win32"
OTHER_NAMES = (
    *("note.md.", "note.md ", "note.md . .", "note.md:stream", "note.md::$DATA", "a\\note.md", "...", " "),
    *("CON", "aux", "nul", "NUL.txt", "com1", "Com9.tar.gz", "lpt1 .md", "COM¹", "conin$", "CONOUT$", "prn."),
)
NAMES = ("note.md", ".note", "con-fig", "console", "com", "com0.md", "com10", "auxiliary.c", "a b", "nul_", ".git", "é")


@pytest.mark.parametrize("name", OTHER_NAMES)
def test_a_name_that_windows_takes_for_another_is_none_there(name: str) -> None:
    assert is_taken_for_another(name, "win32")
    assert not is_inside(f"docs/{name}/x", "win32")
    assert not is_taken_for_another(name, "linux")


@pytest.mark.parametrize("name", NAMES)
def test_other_names_are_names(name: str) -> None:
    assert not is_taken_for_another(name, "win32")
    assert is_inside(f"docs/{name}", "win32") == (name != ".git")


@pytest.mark.parametrize(
    ("path", "told"),
    [
        ("C:/work", "\\\\?\\C:\\work"),
        ("//server/share/work", "\\\\?\\UNC\\server\\share\\work"),
        ("\\\\?\\C:\\work", "\\\\?\\C:\\work"),
        ("work", "work"),
    ],
)
def test_a_path_is_taken_however_long_it_is(path: str, told: str) -> None:
    assert with_prefix(PureWindowsPath(path), "win32") == PureWindowsPath(told)
    assert with_prefix(PureWindowsPath(path), "linux") == PureWindowsPath(path)


def test_a_file_deeper_than_windows_takes_a_path_is_in_the_working_files(tmp_path: Path) -> None:
    # Windows alone can fail here: any other system takes such a path.
    names = ["a" * 100] * 3
    folder = with_prefix(tmp_path).joinpath(*names)
    folder.mkdir(parents=True)
    (folder / "deep.md").write_bytes(b"deep")
    assert list(WorkingFiles(tmp_path, "sha1").found(["/".join((*names, "deep.md"))])) != []


@pytest.mark.parametrize("name", [".GIT", ".Git", "git~1", "GIT~1"])
def test_the_repositorys_own_folder_is_known_by_its_other_names(name: str) -> None:
    assert not is_inside(f"{name}/config", "win32")
    assert is_inside(f"{name}/config", "linux")


@pytest.mark.skipif(IS_WINDOWS, reason="there nobody may look whether it is there")
def test_a_program_is_not_looked_for_on_another_machine(tmp_path: Path) -> None:
    (tmp_path / "lint.exe").touch(mode=0o755)
    named = f"/{tmp_path / 'lint.exe'}"
    assert find_program(named, tmp_path / "workspace", system="linux") is not None
    assert find_program(named, tmp_path / "workspace", system="win32") is None


@pytest.mark.parametrize("path", ["note.md.", "NOTE.md ", "note.md::$DATA", "nul", "docs/aux.txt", "docs./note.md"])
def test_a_file_is_read_by_its_own_name_alone(tmp_path: Path, path: str) -> None:
    (tmp_path / "docs").mkdir()
    for each in ("note.md", "docs/note.md"):
        (tmp_path / each).write_text("note", encoding="utf-8")
    with pytest.raises(WorkspaceFault) as caught:
        Folder(tmp_path).read(path)
    assert caught.value.reason == ("outside" if IS_WINDOWS else "missing")
    assert not Folder(tmp_path).is_there(path)


@pytest.mark.parametrize(
    ("file", "text"),
    [
        (".git", "gitdir: //127.0.0.1/share/x\n"),
        (".git", "gitdir: \\\\127.0.0.1\\share\\x\n"),
        (".git", "gitdir: made\n"),
        (".git/objects/info/alternates", "//127.0.0.1/share/objects\n"),
        (".git/objects/info/alternates", '"//127.0.0.1/share/objects"\n'),
        (".git/objects/info/alternates", '"\\057/127.0.0.1/share/objects"\n'),
        (".git/objects/info/alternates", "../../borrowed\n"),
        (".git/objects/info/alternates", "../../link/objects\n"),
        (".git", "gitdir: link/x\n"),
    ],
)
def test_a_repository_leads_to_no_other_machine(tmp_path: Path, file: str, text: str) -> None:
    yard = Yard(tmp_path.resolve())
    yard.write("made/gitdir", "//127.0.0.1/share/.git\n")
    yard.write("borrowed/info/alternates", "//127.0.0.1/share/objects\n")
    (yard.root / "link").symlink_to("//127.0.0.1/share")
    yard.write(file, text)
    with pytest.raises(WorkspaceFault, match="another machine"):
        place_of(yard.folder, "win32")
    if not IS_WINDOWS:
        assert "another machine" not in _fault(yard)


def _fault(yard: Yard) -> str:
    try:
        place_of(yard.folder)
    except WorkspaceFault as fault:
        return str(fault)
    return ""


def test_too_many_folders_of_objects_are_not_looked_through(yard: Yard) -> None:
    for number in range(30):
        yard.write(f"objects{number}/info/alternates", f"{yard.root}/objects{number + 1}\n")
    yard.write(".git/objects/info/alternates", f"{yard.root}/objects0\n")
    with pytest.raises(WorkspaceFault, match="too many places"):
        place_of(yard.folder, "win32")
    yard.write("objects1/info/alternates", f"{yard.root}/objects0\n")
    assert place_of(yard.folder, "win32") is not None


@pytest.mark.parametrize("told", ["[include]\n\tpath = x\n", '[core] [IncludeIf "gitdir:/"] path = x\n'])
@pytest.mark.parametrize("file", ["config", "config.worktree"])
def test_settings_of_other_files_are_not_read_on_windows(yard: Yard, told: str, file: str) -> None:
    with (yard.root / ".git" / file).open("a", encoding="utf-8") as settings:
        settings.write(told)
    with pytest.raises(WorkspaceFault, match="includes settings"):
        place_of(yard.folder, "win32")
    assert place_of(yard.folder, "linux") is not None


def test_hooks_of_another_machine_are_outside(yard: Yard) -> None:
    (yard.root / "link").symlink_to(f"/{yard.root}")
    for named in (f"/{yard.root}/hooks", "link/hooks"):
        yard.git("config", "core.hooksPath", named)
        if not IS_WINDOWS:
            assert yard.repository.hooks("linux") == yard.root / "hooks"
        with pytest.raises(WorkspaceFault, match="outside"):
            yard.repository.hooks("win32")


def test_a_link_to_another_machine_is_not_followed(tmp_path: Path) -> None:
    workspace = tmp_path / "workspace"
    workspace.mkdir()
    (workspace / "link").symlink_to("//127.0.0.1/share")
    folder = Folder(workspace)
    if IS_WINDOWS:
        assert not folder.is_there("link/note.md")
    with pytest.raises(WorkspaceFault, match="leads out") as caught:
        folder._real("link/note.md", "win32")
    assert caught.value.reason == "outside"


@pytest.mark.parametrize(
    ("mode", "tag", "is_link"),
    [
        (stat.S_IFDIR, 0xA000_0003, True),  # a junction
        (stat.S_IFLNK, 0xA000_000C, True),  # a symbolic link
        (stat.S_IFREG, 0x9000_601A, False),  # a file that a cloud holds
        (stat.S_IFDIR, 0, False),
    ],
)
def test_a_junction_is_a_link(mode: int, tag: int, is_link: bool) -> None:
    state = cast("os.stat_result", SimpleNamespace(st_mode=mode, st_reparse_tag=tag))
    assert stat.S_ISLNK(mode_of(state)) == is_link
    assert is_link or mode_of(state) == mode


@pytest.mark.parametrize(
    ("path", "name"),
    [
        (r"\\?\C:\work\one", r"C:\work\one"),
        (r"\\?\UNC\server\share\one", r"\\server\share\one"),
        (r"\\?\Volume{1}\one", r"\\?\Volume{1}\one"),
        (r"C:\work", r"C:\work"),
        (r"\\server\share", r"\\server\share"),
    ],
)
def test_a_folder_has_one_name(path: str, name: str) -> None:
    assert without_prefix(path, "win32") == name
    assert without_prefix(path, "linux") == path


def test_a_workspace_is_opened_by_its_one_name(tmp_path: Path) -> None:
    (tmp_path / "One").mkdir()
    real = (tmp_path / "One").resolve()
    names = [str(real), f"{real}{os.sep}.{os.sep}"]
    if IS_WINDOWS:
        names += [str(real).swapcase(), f"\\\\?\\{real}", str(real).replace("\\", "/")]
    assert {str(real_folder(each)) for each in names} == {str(real)}


def test_a_link_leads_where_git_says_it_does() -> None:
    for told, kept in (("..\\docs\\a b", b"../docs/a b"), ("\\\\?\\C:\\x", b"C:/x"), ("x", b"x")):
        assert link_bytes(told, "win32") == kept
        assert link_bytes(told, "linux") == told.encode()


def test_what_is_no_text_in_a_path_stays_what_it_is() -> None:
    for system in ("win32", sys.platform):
        assert bytes_of(path_of(b"a/\xff\xc3\xa9", system), system) == b"a/\xff\xc3\xa9"


def test_a_repository_of_this_machine_is_found(yard: Yard) -> None:
    yard.write(".git/objects/info/alternates", f"# none{os.linesep}")
    assert place_of(yard.folder) is not None


@pytest.mark.skipif(os.name != "posix", reason="links need a right of their own on Windows")
@pytest.mark.parametrize("name", ["refs/heads/work/main", "objects/ab", "objects/pack/pack-1.pack"])
def test_no_link_among_objects_and_branches_is_followed_on_windows(tmp_path: Path, name: str) -> None:
    yard = Yard(tmp_path)
    yard.write(".git/objects/pack/pack-2.pack")
    link = tmp_path / ".git" / name
    link.parent.mkdir(parents=True, exist_ok=True)
    link.symlink_to(tmp_path / "elsewhere")
    with pytest.raises(WorkspaceFault, match="is a link") as refused:
        place_of(yard.folder, "win32")
    assert refused.value.reason == "link"
    assert place_of(yard.folder, "linux") is not None


@pytest.mark.parametrize(
    ("told", "reason"),
    [
        ("//127.0.0.1/share" + "\n" * 1_100_000, "too_large"),
        ("#../..\n", "outside"),
        ("../..\n# more\n", "outside"),
        ("../..\0\n", "outside"),
    ],
    ids=["padded", "a comment", "lines", "a zero"],
)
def test_what_worktrees_share_is_judged_by_all_that_git_reads(yard: Yard, told: str, reason: str) -> None:
    yard.git("worktree", "add", "-q", str(yard.root.parent / "tree"))
    tree = Folder(yard.root.parent / "tree")
    assert place_of(tree) is not None
    yard.write(".git/worktrees/tree/commondir", told)
    for system in ("win32", "linux"):
        with pytest.raises(WorkspaceFault) as refused:
            place_of(tree, system)
        assert refused.value.reason == reason


def test_no_repository_is_looked_through_without_end(yard: Yard, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(git_place, "MOST_PARTS", 3)
    with pytest.raises(WorkspaceFault, match="more than 3 loose objects") as refused:
        place_of(yard.folder, "win32")
    assert refused.value.reason == "too_large"
    assert place_of(yard.folder, "linux") is not None


@pytest.mark.skipif(os.name != "posix", reason="links need a right of their own on Windows")
def test_nothing_is_looked_at_behind_a_link(yard: Yard, monkeypatch: pytest.MonkeyPatch) -> None:
    looked, look = list[str](), os.lstat
    (yard.root / "link").symlink_to(yard.root / "src")
    (yard.root / ".git" / "info").rename(yard.root / "info")
    (yard.root / ".git" / "info").symlink_to(yard.root / "info")

    def noted(path: Path) -> os.stat_result:
        looked.append(str(path))
        return look(path)

    monkeypatch.setattr(os, "lstat", noted)
    assert WorkingFiles(yard.root, "sha1").found(["link/deep/app.py", "link/app.py"]) == {}
    with pytest.raises(WorkspaceFault, match="info of this workspace's repository is a link"):
        place_of(yard.folder, "win32")
    assert f"{yard.root}/link" in looked
    assert [each for each in looked if "/link/" in each or "/info/" in each.replace("objects/info", "")] == []


@pytest.mark.skipif(os.name != "posix", reason="links need a right of their own on Windows")
def test_rules_behind_a_link_do_not_count(yard: Yard) -> None:
    yard.write("src/.gitattributes", "* filter=x\n")
    yard.write("src/.gitignore", "*\n")
    yard.git("add", "-f", ".")
    yard.commit()
    (yard.root / "src").rename(yard.root.parent / "away")
    (yard.root / "src").symlink_to(yard.root.parent / "away")
    repository = yard.repository
    assert "src" not in repository.hiding()
    assert "src/app.py" in repository.cleanliness().dirty
