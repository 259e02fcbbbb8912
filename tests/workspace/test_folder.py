"""Files of a workspace: read where they are ordinary and inside; anything else is a fault at once, told why."""

import hashlib
import os
import socket
import sys
from pathlib import Path

import pytest

from bigmind.disk.windows_paths import of_any_length
from bigmind.workspace import folder as folder_module
from bigmind.workspace.folder import Folder, WorkspaceFault
from tests.workspace.yards import posix


@pytest.fixture
def root(tmp_path: Path) -> Path:
    made = tmp_path / "workspace"
    (made / "docs").mkdir(parents=True)
    (made / "docs" / "note.md").write_bytes(b"# Note\n")
    (tmp_path / "secret.txt").write_text("a secret of the machine", encoding="utf-8")
    (tmp_path / "outside").mkdir()
    (tmp_path / "outside" / "note.md").write_text("a secret of the machine", encoding="utf-8")
    return made


def fault_of(root: Path, path: str, most: int = 1_000_000) -> WorkspaceFault:
    with pytest.raises(WorkspaceFault) as caught:
        Folder(root).read(path, most)
    told = str(caught.value)
    assert "secret of" not in told
    assert told.isprintable()
    assert told.endswith(".")
    assert len(told) < 300
    return caught.value


def test_a_file_is_told_with_its_bytes_counted_and_hashed(root: Path) -> None:
    read = Folder(root).read("docs//./note.md")
    assert (read.path, read.size, read.text) == ("docs/note.md", 7, "# Note\n")
    assert read.digest == hashlib.sha256(b"# Note\n").hexdigest()


def test_bytes_that_are_no_text_are_replaced_and_hashed_as_they_are(root: Path) -> None:
    (root / "raw").write_bytes(b"a\xff\0b")
    read = Folder(root).read("raw")
    assert read.text == "a\N{REPLACEMENT CHARACTER}\0b"
    assert read.digest == hashlib.sha256(b"a\xff\0b").hexdigest()


def test_an_empty_file_is_a_file(root: Path) -> None:
    (root / "empty").touch()
    assert Folder(root).read("empty").size == 0


@pytest.mark.parametrize(
    "path",
    ["", "/etc/hostname", "../secret.txt", "docs/../../secret.txt", "docs/..", "a\0b", "x" * 5_000, "..", "/"],
)
def test_a_path_that_is_none_inside_is_refused_before_anything_is_opened(root: Path, path: str) -> None:
    assert fault_of(root, path).reason == "outside"


@pytest.mark.parametrize(
    "path", ["gone.md", "docs/gone/note.md", "docs/note.md/more", "\ud800", "\udcff.md", "~", "-rf"]
)
def test_what_is_not_there_is_no_evidence(root: Path, path: str) -> None:
    assert fault_of(root, path).reason in {"missing", "unreadable"}


@pytest.mark.parametrize("path", ["docs", "."])
def test_a_folder_in_place_of_a_file_is_no_evidence(root: Path, path: str) -> None:
    assert fault_of(root, path).reason == "no_file"


@pytest.mark.parametrize("size", [10, 11])
def test_a_file_of_just_so_many_bytes_is_read_and_one_more_is_too_large(root: Path, size: int) -> None:
    (root / "sized").write_bytes(b"x" * size)
    if size == 10:
        assert Folder(root).read("sized", 10).size == 10
    else:
        assert fault_of(root, "sized", 10).reason == "too_large"


@posix
def test_a_sparse_file_of_a_terabyte_is_refused_unread(root: Path) -> None:
    with (root / "sparse").open("wb") as file:
        file.truncate(1 << 40)
    assert fault_of(root, "sparse").reason == "too_large"


@posix
@pytest.mark.parametrize(
    ("links", "path"),
    [
        ({"l": "../secret.txt"}, "l"),
        ({"l": "{base}/secret.txt"}, "l"),
        ({"l": "../outside"}, "l/note.md"),
        ({"docs/l": "../../outside"}, "docs/l/note.md"),
        ({"a": "b", "b": "../secret.txt"}, "a"),
        ({"a": "docs/b", "docs/b": "../c", "c": "../outside"}, "a/note.md"),
        ({"l": "/dev/zero"}, "l"),
        ({"l": "/proc/self/environ"}, "l"),
        ({"l": ".."}, "l/secret.txt"),
        ({"l": "/"}, "l/etc/hosts"),
    ],
)
def test_a_link_that_leads_out_is_no_evidence(root: Path, links: dict[str, str], path: str) -> None:
    for name, target in links.items():
        (root / name).symlink_to(target.format(base=root.parent))
    assert fault_of(root, path).reason in ({"outside", "missing"} if "proc" in str(links) else {"outside"})


@posix
def test_a_link_that_stays_inside_is_read_where_it_leads(root: Path) -> None:
    (root / "first").symlink_to("second")
    (root / "second").symlink_to("docs/note.md")
    (root / "round").symlink_to("../workspace/docs")
    assert Folder(root).read("first").text == Folder(root).read("round/note.md").text == "# Note\n"


@posix
def test_links_in_a_circle_and_links_to_nothing_are_no_evidence(root: Path) -> None:
    (root / "a").symlink_to("b")
    (root / "b").symlink_to("a")
    (root / "nothing").symlink_to("gone")
    assert fault_of(root, "a").reason == "link"
    assert fault_of(root, "nothing").reason == "missing"


@posix
def test_a_pipe_a_socket_and_a_device_are_refused_at_once(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    os.mkfifo(root / "pipe")
    assert fault_of(root, "pipe").reason == "no_file"
    monkeypatch.chdir(root)
    with socket.socket(socket.AF_UNIX) as listening:
        listening.bind("listening")
        assert fault_of(root, "listening").reason == "no_file"


@posix
@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() == 0, reason="root may write anywhere, and read")
def test_a_file_without_permission_is_told_as_one(root: Path) -> None:
    (root / "closed").touch(mode=0o000)
    assert fault_of(root, "closed").reason == "unreadable"


@posix
@pytest.mark.parametrize("swapped", ["docs/note.md", "docs"])
def test_a_part_that_becomes_a_link_between_check_and_use_is_not_followed(
    root: Path, monkeypatch: pytest.MonkeyPatch, swapped: str
) -> None:
    """The path is found good; then it is swapped for a link that leads out; then it is opened."""
    found = Folder._real

    def swap_afterwards(self: Folder, path: str) -> Path:
        real = found(self, path)
        (root / swapped).rename(root.parent / "moved")
        (root / swapped).symlink_to(root.parent / ("outside/note.md" if swapped.endswith(".md") else "outside"))
        return real

    monkeypatch.setattr(Folder, "_real", swap_afterwards)
    assert fault_of(root, "docs/note.md").reason in {"link", "missing"}


@posix
def test_what_is_judged_is_what_was_read_though_the_file_is_replaced_meanwhile(
    root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    read = folder_module._read

    def replace_first(handle: int, most: int) -> bytes:
        (root / "new").write_text("another text", encoding="utf-8")
        (root / "new").rename(root / "docs" / "note.md")
        return read(handle, most)

    monkeypatch.setattr(folder_module, "_read", replace_first)
    told = Folder(root).read("docs/note.md")
    assert (told.text, told.digest) == ("# Note\n", hashlib.sha256(b"# Note\n").hexdigest())


@posix
def test_a_file_that_grows_while_it_is_read_is_still_bounded(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    read = folder_module._read

    def grow_first(handle: int, most: int) -> bytes:
        with (root / "docs" / "note.md").open("ab") as file:
            file.truncate(1 << 30)
        return read(handle, most)

    monkeypatch.setattr(folder_module, "_read", grow_first)
    assert fault_of(root, "docs/note.md", 100).reason == "too_large"


@posix
@pytest.mark.parametrize(
    "name", ["with\nline", "\"quoted\" 'too'", "-rf", "--help", "naïve-ключ-鍵", "$(id)", "a;b|c", "\u202egnp.exe", " "]
)
def test_odd_names_are_names(root: Path, name: str) -> None:
    (root / name).write_text("odd", encoding="utf-8")
    assert Folder(root).read(name).text == "odd"
    assert name in Folder(root).names(".")
    assert Folder(root).is_there(name)
    assert fault_of(root, f"{name}-gone").reason == "missing"


def test_names_are_in_order_and_bounded(root: Path) -> None:
    for number in range(30):
        (root / "docs" / f"{number:02}.md").touch()
    assert Folder(root).names("docs", 3) == ["00.md", "01.md", "02.md"]
    assert len(Folder(root).names("docs")) == 31


@posix
@pytest.mark.skipif(sys.platform == "darwin", reason="its file system takes no such name")
def test_names_that_are_no_text_are_left_out(root: Path) -> None:
    (root / os.fsdecode(b"docs/a\xff.md")).touch()
    assert Folder(root).names("docs") == ["note.md"]


@posix
@pytest.mark.parametrize("path", ["../outside", "l", "docs/note.md", "gone", "pipe", ""])
def test_names_are_listed_of_folders_inside_alone(root: Path, path: str) -> None:
    (root / "l").symlink_to("../outside")
    os.mkfifo(root / "pipe")
    with pytest.raises(WorkspaceFault):
        Folder(root).names(path)


def test_is_there_tells_of_files_and_folders_inside(root: Path) -> None:
    told = Folder(root)
    found = {path: told.is_there(path) for path in ("docs", "docs/note.md", "gone", "../secret.txt")}
    assert found == {"docs": True, "docs/note.md": True, "gone": False, "../secret.txt": False}


@pytest.mark.parametrize(("name", "reason"), [("gone", "missing"), ("secret.txt", "no_file"), ("a\0b", "missing")])
def test_a_workspace_that_is_no_folder_is_a_fault(root: Path, name: str, reason: str) -> None:
    with pytest.raises(WorkspaceFault) as caught:
        Folder(root.parent / name)
    assert caught.value.reason == reason


@posix
def test_a_workspace_is_known_by_its_real_path(root: Path) -> None:
    (root.parent / "alias").symlink_to(root)
    assert Folder(root.parent / "alias").root == root.resolve()


@posix
def test_no_handle_stays_open(root: Path) -> None:
    (root / "l").symlink_to("../secret.txt")
    os.mkfifo(root / "pipe")
    folder, before = Folder(root), sorted(Path("/dev/fd").iterdir())
    for path in ("docs/note.md", "docs", "l", "pipe", "gone", "docs/note.md/x"):
        for act in (folder.read, folder.names, folder.is_there):
            try:
                act(path)
            except WorkspaceFault:
                continue
    assert sorted(Path("/dev/fd").iterdir()) == before


def test_a_file_deeper_than_windows_takes_a_path_is_read(tmp_path: Path) -> None:
    names = ["a" * 100] * 3
    deep = of_any_length(tmp_path.joinpath(*names))
    deep.mkdir(parents=True)
    (deep / "deep.md").write_bytes(b"deep")
    folder, path = Folder(tmp_path), "/".join(names)
    assert folder.read(f"{path}/deep.md").text == "deep"
    assert folder.names(path) == ["deep.md"]
    assert folder.is_there(path)
