"""The project of a folder: the remote of its repository, made by git itself, else a folder's name."""

import os
import shutil
import subprocess
import sys
import threading
import time
from pathlib import Path, PurePosixPath

import pytest

from bigmind.local.project import MOST_CHARACTERS, folder_of, normalised, project_elsewhere, project_of
from tests.support import HOMES

pytestmark = pytest.mark.xdist_group("project")

REMOTE = "git@github.com:acme/app.git"


def git(folder: Path, *arguments: str) -> None:
    about = ["-c", "user.name=ada", "-c", "user.email=ada@example.org", "-c", "protocol.file.allow=always"]
    subprocess.run(["git", *about, *arguments], cwd=folder, check=True, capture_output=True)


def repository(folder: Path, **remotes: str) -> Path:
    folder.mkdir(parents=True)
    git(folder, "init")
    for name, url in remotes.items():
        git(folder, "remote", "add", name, url)
    return folder


def committed(folder: Path) -> Path:
    git(folder, "commit", "--allow-empty", "-m", "begin")
    return folder


SAME = [
    "git@github.com:acme/app",
    "git@github.com:acme/app.git",
    "git@GitHub.com:/acme/app.git",
    "ssh://git@github.com:22/acme/app",
    "ssh://git@github.com/acme/app.git",
    "https://github.com/acme/app",
    "https://user:token@github.com/acme/app.git/",
    "https://ghp_abcdefghijklmnopqrstuvwxyz@GITHUB.COM:443//acme/app.git",
    "http://github.com:80/acme/app",
    "git://github.com:9418/acme/app.git",
    "https://github.com/acme/app?token=secret#fragment",
]


@pytest.mark.parametrize("url", SAME)
def test_every_address_of_a_repository_is_one_project(tmp_path: Path, url: str) -> None:
    assert project_of(repository(tmp_path / "clone", origin=url)) == "github.com/acme/app"
    assert normalised(url) == "github.com/acme/app"


OTHERS = {
    "https://git.example.org:8443/team/app.git": "git.example.org:8443/team/app",
    "ssh://git@[::1]:2222/team/app": "[::1]:2222/team/app",
    "https://dev.example.org/My%20Team/_git/App": "dev.example.org/My Team/_git/App",
    "https://gitlab.com/group/sub/App": "gitlab.com/group/sub/App",
    "work:acme/app.git": "work/acme/app",
    "ssh://host:no-port/acme/app": "clone",
    "https://": "clone",
}


@pytest.mark.parametrize(("url", "project"), OTHERS.items())
def test_other_addresses(tmp_path: Path, url: str, project: str) -> None:
    assert project_of(repository(tmp_path / "clone", origin=url)) == project


@pytest.mark.parametrize("url", ["/srv/git/app.git", "../app", "file:///srv/git/app.git", "C:\\repos\\app", "c:/app"])
def test_a_remote_on_this_machine_says_nothing(tmp_path: Path, url: str) -> None:
    assert project_of(repository(tmp_path / "clone", origin=url)) == "clone"


def test_origin_comes_before_the_first_remote(tmp_path: Path) -> None:
    assert project_of(repository(tmp_path / "a", fork="https://x.org/me/app", origin=REMOTE)) == "github.com/acme/app"
    assert project_of(repository(tmp_path / "b", fork="https://x.org/me/app", up=REMOTE)) == "x.org/me/app"


def test_a_folder_deep_within_is_of_the_repository(tmp_path: Path) -> None:
    within = repository(tmp_path / "clone", origin=REMOTE) / "src" / "deep"
    within.mkdir(parents=True)
    assert project_of(within) == "github.com/acme/app"
    assert project_of(within / "not" / "there") == "github.com/acme/app"
    assert project_of(within / ".." / "..") == "github.com/acme/app"


def test_without_a_remote_a_folder_gives_its_name(tmp_path: Path) -> None:
    within = repository(tmp_path / "engine") / "src"
    within.mkdir()
    assert project_of(within) == "engine"
    plain = tmp_path / "Notes für später"
    plain.mkdir()
    assert project_of(plain) == "Notes für später"
    assert project_of(tmp_path / "not there") == "not there"
    assert project_of(tmp_path / ("x" * 300)) == "x" * MOST_CHARACTERS


def test_worktrees_are_of_their_repository(tmp_path: Path) -> None:
    main = committed(repository(tmp_path / "engine"))
    git(main, "worktree", "add", str(tmp_path / "elsewhere"))
    within = tmp_path / "elsewhere" / "src"
    within.mkdir()
    assert project_of(within) == "engine"
    git(main, "remote", "add", "origin", REMOTE)
    assert project_of(within) == "github.com/acme/app"


def test_worktrees_of_a_bare_repository(tmp_path: Path) -> None:
    bare = tmp_path / "engine.git"
    git(tmp_path, "clone", "--bare", str(committed(repository(tmp_path / "source"))), str(bare))
    git(bare, "remote", "remove", "origin")
    git(bare, "worktree", "add", str(tmp_path / "tree"))
    assert project_of(tmp_path / "tree") == "engine"


def test_a_submodule_is_a_project_of_its_own(tmp_path: Path) -> None:
    library = committed(repository(tmp_path / "library"))
    outer = committed(repository(tmp_path / "outer", origin=REMOTE))
    git(outer, "submodule", "add", str(library), "vendored")
    assert project_of(outer / "vendored") == "vendored"  # its remote is a folder of this machine
    git(outer / "vendored", "remote", "set-url", "origin", "https://example.org/acme/library")
    assert project_of(outer / "vendored") == "example.org/acme/library"
    assert project_of(outer) == "github.com/acme/app"


def test_a_separate_git_folder_is_followed(tmp_path: Path) -> None:
    folder = tmp_path / "engine"
    git(tmp_path, "init", "--separate-git-dir", str(tmp_path / "kept apart"), str(folder))
    assert project_of(folder) == "engine"
    git(folder, "remote", "add", "origin", REMOTE)
    assert project_of(folder) == "github.com/acme/app"


@pytest.mark.skipif(os.name != "posix", reason="only there a path with two slashes is of this machine too")
def test_on_windows_no_git_file_leads_to_another_machine(tmp_path: Path) -> None:
    kept, linked, tree, worktree = (tmp_path / name for name in ("kept", "linked", "tree", "worktree"))
    for each in (kept, linked, tree, worktree):
        each.mkdir()
    (kept / "config").write_text(f'[remote "origin"]\n\turl = {REMOTE}\n')
    (linked / "commondir").write_text(f"/{kept}\n")
    (tree / ".git").write_text(f"gitdir: /{kept}\n")
    (worktree / ".git").write_text(f"gitdir: {linked}\n")

    for each in (tree, worktree):
        assert project_of(each, system="linux") == "github.com/acme/app"
        assert project_of(each, system="win32") == each.name


@pytest.mark.skipif(os.name != "posix", reason="links need a right of their own on Windows")
@pytest.mark.parametrize("name", ["tree/.git", "tree/.git/HEAD", "tree/.git/config", "kept/config", "kept/commondir"])
def test_on_windows_no_link_of_a_repository_leads_to_another_machine(tmp_path: Path, name: str) -> None:
    tree, kept = tmp_path / "tree", tmp_path / "kept"
    (tree / ".git").mkdir(parents=True)
    for file in ("tree/.git/config", "away/config"):
        (tmp_path / file).parent.mkdir(exist_ok=True)
        (tmp_path / file).write_text(f'[remote "origin"]\n\turl = {REMOTE}\n')
    (tmp_path / "away" / "HEAD").touch()
    (tmp_path / "away" / "commondir").write_text("../away\n")
    (tree / ".git" / "HEAD").touch()
    if name.startswith("kept"):
        shutil.rmtree(tree / ".git")
        (tree / ".git").write_text("gitdir: ../kept\n")
        kept.mkdir()
    elif name == "tree/.git":
        shutil.rmtree(tree / ".git")
    (tmp_path / name).unlink(missing_ok=True)
    target = tmp_path / "away" / ("" if name == "tree/.git" else Path(name).name)
    (tmp_path / name).symlink_to(f"/{target}")  # with two slashes, which are one here
    assert project_of(tree, system="linux") == "github.com/acme/app"
    assert project_of(tree, system="win32") == "tree"


def test_on_windows_a_repository_of_this_machine_is_read(tmp_path: Path) -> None:
    main = committed(repository(tmp_path / "engine", origin=REMOTE))
    git(main, "worktree", "add", str(tmp_path / "elsewhere"))
    for folder in (main, main / "src", tmp_path / "elsewhere"):
        assert project_of(folder, system="win32") == "github.com/acme/app"


CONFIGS = {
    "quotes and escapes": ('[remote "a\\"b\\\\c"]\n\turl = "https://example.org/a b.git" ; why\n', "example.org/a b"),
    "on one line": ('[core] bare = false\n[ReMoTe "origin"] URL = https://example.org/a # why\n', "example.org/a"),
    "old form": ("[remote.origin]\nurl=https://example.org/a\n", "example.org/a"),
    "continued": ('[remote "origin"]\n  url = https://example\\\n.org/a\n', "example.org/a"),
    "byte order mark, windows": ('\ufeff[remote "origin"]\r\n\turl = https://example.org/a\r\n', "example.org/a"),
    "the first of several": ('[remote "origin"]\nurl=https://a.org/a\nurl=https://b.org/b\n', "a.org/a"),
    "other keys": ('[remote "origin"]\npushurl=https://b.org/b\n[url "x"]\nurl=https://c.org/c\n', "clone"),
    "nothing behind": ('[remote "origin"]\nurl\nurl =\n', "clone"),
    "comments": ('# [remote "origin"]\n;url = https://a.org/a\n', "clone"),
    "no config": ("", "clone"),
    "no syntax": ("\x00\x01[[[ = ]\n[remote \n url = https://a.org/a", "clone"),
}


@pytest.mark.parametrize(("config", "project"), CONFIGS.values(), ids=CONFIGS.keys())
def test_the_config_is_read_as_git_reads_it(tmp_path: Path, config: str, project: str) -> None:
    folder = repository(tmp_path / "clone")
    (folder / ".git" / "config").write_bytes(config.encode())
    assert project_of(folder) == project


@pytest.mark.parametrize("name", [name for name, (_, project) in CONFIGS.items() if project != "clone"])
def test_git_itself_reads_the_same(tmp_path: Path, name: str) -> None:
    config, project = CONFIGS[name]
    (tmp_path / "config").write_bytes(config.encode())
    asked = ["git", "config", "--file", str(tmp_path / "config"), "--get-regexp", r"^remote\..*\.url$"]
    told = subprocess.run(asked, cwd=tmp_path, check=True, capture_output=True, text=True).stdout
    assert project in told.splitlines()[0]


@pytest.mark.parametrize("words", [b"", b"gitdir:", b"gitdir: ../not/there", b"\xff\xfe\x00", b"hello\ngitdir: x"])
def test_a_damaged_git_file_costs_only_the_remote(tmp_path: Path, words: bytes) -> None:
    folder = tmp_path / "broken"
    folder.mkdir()
    (folder / ".git").write_bytes(words)
    assert project_of(folder) == "broken"


@pytest.mark.skipif(os.name != "posix", reason="pipes that have a name")
@pytest.mark.parametrize("name", [".git", ".git/config", "commondir"])
def test_a_pipe_in_place_of_a_git_file_is_not_waited_for(tmp_path: Path, name: str) -> None:
    folder = tmp_path / "app"
    (folder / ".git").mkdir(parents=True)
    (folder / ".git" / "HEAD").write_text("ref: refs/heads/main\n")
    if name == ".git":
        shutil.rmtree(folder / name)
    elif name == "commondir":
        shutil.move(folder / ".git", tmp_path / "elsewhere")
        (folder / ".git").write_text(f"gitdir: {tmp_path / 'elsewhere'}\n")
    os.mkfifo((tmp_path / "elsewhere" / name) if name == "commondir" else folder / name)
    found = list[str | None]()
    reader = threading.Thread(target=lambda: found.append(project_of(folder)), daemon=True)
    reader.start()
    reader.join(10)
    assert found == ["app"]


def test_a_config_of_nothing_but_sections_is_read_in_time(tmp_path: Path) -> None:
    folder = repository(tmp_path / "clone")
    (folder / ".git" / "config").write_text("[a]" * 300_000 + '[remote "origin"] url = https://a.org/b\n')
    began = time.process_time()
    assert project_of(folder) == "a.org/b"
    assert time.process_time() - began < 3


@pytest.mark.parametrize(("folder", "project"), [("/home/ada/app", "app"), ("/", None), ("/tmp", None)])  # noqa: S108
def test_a_folder_of_another_machine_is_a_project_by_its_name(folder: str, project: str | None) -> None:
    assert project_elsewhere(PurePosixPath(folder)) == project


def test_places_that_are_no_project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    home = repository(tmp_path / "home of ada", origin="https://example.org/ada/settings")
    for name in HOMES:
        monkeypatch.setenv(name, str(home))
    assert project_of(home) is None
    assert project_of(Path("/")) is None
    assert project_of(Path("/tmp")) is None  # noqa: S108
    assert project_of(tmp_path, {"TMPDIR": str(tmp_path)}) is None
    # A home that is a repository of settings is not the project of what lies in it.
    (home / "engine").mkdir()
    assert project_of(home / "engine") == "engine"


def test_what_lies_among_programs_of_windows_is_no_project_but_for_its_repositories(tmp_path: Path) -> None:
    """Clients without an open folder start a bridge in System32, or where they are installed."""
    system, local = tmp_path / "Windows", tmp_path / "AppData" / "Local"
    own = {"SystemRoot": str(system), "LOCALAPPDATA": str(local), "TEMP": str(local / "Temp")}
    settings = repository(local / "editor")
    for folder in (system, system / "System32", local / "Claude" / "app-1.2.3"):
        folder.mkdir(parents=True)
        assert project_of(folder, own, "win32") is None
        assert project_of(folder, own, "linux") == folder.name
    assert project_of(settings / "lua", own, "win32") == "editor"
    assert project_of(local / "Temp" / "engine", own, "win32") == "engine"
    assert project_of(tmp_path / "Windows tools", own, "win32") == "Windows tools"


def test_a_folder_of_windows_is_one_project_however_its_name_is_typed(tmp_path: Path) -> None:
    """Elsewhere other letters name another folder."""
    for folder in (tmp_path / "My App", repository(tmp_path / "Engine")):
        folder.mkdir(exist_ok=True)
        typed = Path(str(folder).swapcase())
        assert project_of(typed) == (folder.name if sys.platform == "win32" else typed.name)


@pytest.mark.skipif(os.name != "posix", reason="links need a right of their own on Windows")
def test_a_link_is_a_project_by_its_own_name(tmp_path: Path) -> None:
    (tmp_path / "engine").mkdir()
    (tmp_path / "mine").symlink_to(tmp_path / "engine", target_is_directory=True)
    for system in ("linux", "win32"):
        assert project_of(tmp_path / "mine", system=system) == "mine"


@pytest.mark.parametrize(
    "name",
    ["engine", "acme/app", "github.com/acme/app", "BigMind: the server", "a:b", "v1.2:beta", "", "日本語", "C:\\app"],
)
def test_a_name_that_is_no_address_stays(name: str) -> None:
    assert normalised(f" {name} ") == name


@pytest.mark.parametrize(
    ("uri", "folder"),
    [
        ("file:///c%3A/Users/J%C3%BCrgen%20Gro%C3%9F", "c:/Users/Jürgen Groß"),
        ("file:///C:/work", "C:/work"),
        ("file://localhost/C:/work", "C:/work"),
        ("file://C:/work", "C:/work"),
        ("file://c%3A/work", "c:/work"),
        (r"file://C:\Users\Ada Lovelace\app", "C:/Users/Ada Lovelace/app"),
        (r"file:///C:\work", "C:/work"),
        ("file://server/share/work", "//server/share/work"),
        ("file:////server/share/work", "//server/share/work"),
        ("file://wsl%24/Ubuntu/home/ada", "//wsl$/Ubuntu/home/ada"),
        ("file://wsl.localhost/Ubuntu/home/ada", "//wsl.localhost/Ubuntu/home/ada"),
    ],
)
def test_the_folder_of_a_root_on_windows(uri: str, folder: str) -> None:
    assert folder_of(uri, "nt") == Path(folder)


@pytest.mark.parametrize("host", ["%2F", "a%5Cb", "a%2Fb", "C:", "server%3A80", "%3F", ".", "%2E", "a%00"])
def test_what_is_no_name_of_a_machine_names_no_folder_of_windows(host: str) -> None:
    assert folder_of(f"file://{host}/C:/work", "nt") is None


def test_the_folder_of_a_root() -> None:
    assert folder_of("file:///home/ada/My%20App") == Path("/home/ada/My App")
    for uri in (
        "https://example.org/app",
        "file://",
        "app",
        "file:///a%00b",
        "http://[",
        f"file:///{'x' * 5_000}",
        "file:///\ud800",
    ):
        assert folder_of(uri) is None
