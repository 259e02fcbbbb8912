"""Files of other programs are old or new, never half; nothing is written through a link that leads away."""

import os
import stat
import subprocess
import sys
import threading
from itertools import count
from pathlib import Path

import pytest

from bigmind.clients.files.changes import FileChange
from bigmind.clients.files.writer import MOST_BYTES, SCRATCH, Root, put_over, read_file, write_change
from bigmind.core.errors import BigMindError, Code
from tests.thorough import often

OLD, NEW = b"{\n  // old\n}\n", b"{\n  // new\n}\n"
LARGE = 512 * 1024
has_modes = pytest.mark.skipif(os.name != "posix", reason="Windows has no such permissions")


@pytest.fixture
def root(tmp_path: Path) -> Root:
    folder = tmp_path / "ada"
    folder.mkdir()
    return Root(folder, is_home=True)


def file_of(root: Root, name: str = ".tool/settings.json", data: bytes = OLD) -> Path:
    path = root.folder / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(data)
    return path


def link_folder(link: Path, folder: Path) -> None:
    """A link to a folder, as anybody may make one: on Windows a junction."""
    if sys.platform == "win32":
        import _winapi  # noqa: PLC0415 - there is none elsewhere

        _winapi.CreateJunction(str(folder), str(link))
    else:
        link.symlink_to(folder)


def left(folder: Path) -> list[str]:
    return [each.name for each in folder.rglob(f"*{SCRATCH}*")]


@has_modes
def test_a_file_that_runs_as_its_owner_does_so_no_more_once_it_is_replaced(root: Root) -> None:
    path = file_of(root)
    path.chmod(0o4755)

    write_change(root, FileChange(path, OLD, NEW))

    assert stat.S_IMODE(path.stat().st_mode) == 0o755


def test_a_file_is_replaced_with_its_permissions(root: Root) -> None:
    path = file_of(root)
    path.chmod(0o640)
    mode = path.stat().st_mode  # Windows knows of few

    assert write_change(root, FileChange(path, OLD, NEW)) == 0

    assert path.read_bytes() == NEW
    assert path.stat().st_mode == mode
    assert left(root.folder) == []


@has_modes
@has_modes
def test_a_file_still_belongs_to_whom_it_belonged(root: Root) -> None:
    path = file_of(root)
    # Only root gives files away; everybody may give one of their own to another of their groups.
    owner, group = (4_321, 1_234) if os.geteuid() == 0 else (os.geteuid(), os.getgroups()[-1])
    os.chown(path, owner, group)

    for change in (FileChange(path, OLD, NEW, is_private=True), FileChange(path, NEW, OLD, mode=0o640)):
        write_change(root, change)
        found = path.stat()
        assert (found.st_uid, found.st_gid) == (owner, group)


def test_a_file_with_a_token_is_private_and_gets_its_permissions_back(root: Root) -> None:
    path = file_of(root)
    path.chmod(0o644)

    write_change(root, FileChange(path, OLD, NEW, is_private=True))
    assert stat.S_IMODE(path.stat().st_mode) == 0o600

    write_change(root, FileChange(path, NEW, OLD, mode=0o644))
    assert stat.S_IMODE(path.stat().st_mode) == 0o644


def test_a_new_file_comes_with_its_folders_and_they_go_with_it(root: Root) -> None:
    (root.folder / ".tool").mkdir()
    path = root.folder / ".tool" / "rules" / "deep" / "ours.md"

    made = write_change(root, FileChange(path, None, NEW))

    assert made == 2
    assert os.name != "posix" or stat.S_IMODE(path.parent.stat().st_mode) == 0o700
    write_change(root, FileChange(path, NEW, None), made)
    assert list(root.folder.rglob("*")) == [root.folder / ".tool"]


def test_a_folder_in_which_somebody_else_put_something_stays(root: Root) -> None:
    path = root.folder / ".tool" / "rules" / "ours.md"
    made = write_change(root, FileChange(path, None, NEW))
    theirs = path.with_name("theirs.md")
    theirs.write_bytes(OLD)

    write_change(root, FileChange(path, NEW, None), made)

    assert theirs.read_bytes() == OLD
    assert not path.exists()


def test_folders_made_for_a_file_that_could_not_be_written_are_not_left(root: Root) -> None:
    path = root.folder / ".tool" / "rules" / "ours.md"

    with pytest.raises(BigMindError, match="changed by another program meanwhile"):
        write_change(root, FileChange(path, OLD, NEW, is_private=True))

    assert list(root.folder.rglob("*")) == []


def test_a_folder_goes_although_somebody_took_the_one_within_it_away_already(root: Root) -> None:
    path = root.folder / ".tool" / "rules" / "ours.md"
    made = write_change(root, FileChange(path, None, NEW))
    path.unlink()
    path.parent.rmdir()

    write_change(root, FileChange(path, None, None), made)

    assert list(root.folder.rglob("*")) == []


def test_names_like_those_of_files_in_the_making_are_in_nobodys_way(root: Root) -> None:
    """What somebody put into a workspace under such a name is no reason to fail, and not ours to take."""
    path = root.folder / "AGENTS.md"
    shape = f".AGENTS.md{SCRATCH}01234567-89a"
    (root.folder / f"{shape}b").symlink_to(root.folder / "not-there")
    (root.folder / f"{shape}c").mkdir()
    theirs = file_of(root, f".AGENTS.md{SCRATCH}old")
    ours = file_of(root, f"{shape}d")
    for each in (root.folder / f"{shape}c", theirs, ours):
        os.utime(each, (0, 0))
    if os.utime in os.supports_follow_symlinks:
        os.utime(root.folder / f"{shape}b", (0, 0), follow_symlinks=False)

    write_change(root, FileChange(path, None, NEW))

    assert sorted(left(root.folder)) == [f"{shape}b", f"{shape}c", theirs.name]


@pytest.mark.parametrize("before", [OLD, None], ids=["another text", "no file"])
def test_what_another_program_wrote_meanwhile_stays(root: Root, before: bytes | None) -> None:
    path = file_of(root, data=b"theirs")

    with pytest.raises(BigMindError, match="changed by another program meanwhile") as caught:
        write_change(root, FileChange(path, before, NEW))

    assert caught.value.code is Code.CONFLICT
    assert path.read_bytes() == b"theirs"
    assert left(root.folder) == []


def test_a_read_only_file_is_left_alone(root: Root) -> None:
    path = file_of(root)
    path.chmod(0o444)

    with pytest.raises(BigMindError, match="read-only"):
        write_change(root, FileChange(path, OLD, NEW))
    with pytest.raises(BigMindError, match="read-only"):
        write_change(root, FileChange(path, OLD, None))

    assert path.read_bytes() == OLD


@pytest.mark.parametrize("name", [".tool/settings.json", ".tool/new.json"])
def test_no_file_is_written_through_a_link_that_leaves_its_folder(root: Root, tmp_path: Path, name: str) -> None:
    elsewhere = tmp_path / "elsewhere.json"
    elsewhere.write_bytes(OLD)
    path = root.folder / name
    path.parent.mkdir()
    path.symlink_to(elsewhere if name.endswith("settings.json") else tmp_path / "not-there.json")

    for done in (lambda: read_file(root, path), lambda: write_change(root, FileChange(path, OLD, NEW))):
        with pytest.raises(BigMindError, match=r"leads out of .*\.tool") as caught:
            done()
        assert caught.value.code is Code.FORBIDDEN

    assert elsewhere.read_bytes() == OLD
    assert path.is_symlink()
    assert not (tmp_path / "not-there.json").exists()


def test_no_folder_that_is_a_link_leads_out_of_the_root(root: Root, tmp_path: Path) -> None:
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    link_folder(root.folder / ".tool", elsewhere)

    with pytest.raises(BigMindError, match="leads out of"):
        write_change(root, FileChange(root.folder / ".tool" / "settings.json", None, NEW))

    assert list(elsewhere.iterdir()) == []


def test_a_link_that_stays_in_its_folder_is_followed_and_stays_a_link(root: Root) -> None:
    real = file_of(root, ".tool/real.json")
    link = root.folder / ".tool" / "settings.json"
    link.symlink_to("real.json")

    write_change(root, FileChange(link, read_file(root, link), NEW))

    assert link.is_symlink()
    assert real.read_bytes() == NEW


def test_links_in_a_circle_are_an_error_in_words(root: Root) -> None:
    (root.folder / "one").symlink_to("two")
    (root.folder / "two").symlink_to("one")

    with pytest.raises(BigMindError):
        read_file(root, root.folder / "one")


@pytest.mark.parametrize("path", ["/etc/passwd", "../outside.json"])
def test_nothing_outside_of_the_root_is_touched(root: Root, path: str) -> None:
    with pytest.raises(BigMindError, match="outside of"):
        write_change(root, FileChange(root.folder / path, None, NEW))


@pytest.mark.parametrize("kind", ["folder", "large", *(["pipe"] if os.name == "posix" else [])])
def test_what_is_no_file_of_settings_is_not_read(root: Root, kind: str) -> None:
    path = root.folder / "it"
    if kind == "folder":
        path.mkdir()
    elif kind == "pipe":
        os.mkfifo(path)
    else:
        with path.open("wb") as file:
            file.truncate(MOST_BYTES + 1)

    with pytest.raises(BigMindError) as caught:
        read_file(root, path)

    assert caught.value.code is Code.CONFLICT


def test_of_two_bigminds_that_write_at_once_none_loses_a_word(root: Root) -> None:
    path = file_of(root, data=b"")
    written: dict[str, list[bytes]] = {"one": [], "two": []}

    def adds(name: str) -> None:
        for number in count():
            if number >= often(1_000, 150) and written[name]:  # the other may have been faster each time until now
                return
            line = f"{name} {number}\n".encode()
            before = read_file(root, path) or b""
            try:
                write_change(root, FileChange(path, before, before + line))
            except BigMindError as error:
                assert error.code is Code.CONFLICT  # noqa: PT017 - either outcome is right; the file decides
            else:
                written[name].append(line)

    threads = [threading.Thread(target=adds, args=(name,)) for name in written]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

    # A line of a refused write may stay, where the other had read it by then; one that was written is never gone.
    lines = path.read_bytes().splitlines(keepends=True)
    assert len(lines) == len(set(lines))
    assert [each for each in written["one"] + written["two"] if each not in lines] == []
    assert written["one"]
    assert written["two"]
    assert left(root.folder) == []


WRITER = """
import sys
from pathlib import Path
from bigmind.clients.files.changes import FileChange
from bigmind.clients.files.writer import Root, write_change
path, size = Path(sys.argv[1]), int(sys.argv[2])
texts = [b"a" * size, b"b" * size]
root = Root(path.parent.parent, is_home=True)
print("ready", flush=True)
while True:
    for before, after in (texts, texts[::-1]):
        write_change(root, FileChange(path, before, after))
"""


def test_a_killed_writer_leaves_the_old_file_or_the_new_one(root: Root) -> None:
    texts = {b"a" * LARGE, b"b" * LARGE}
    path = file_of(root, data=b"a" * LARGE)
    for number in range(often(100, 30)):
        path.write_bytes(b"a" * LARGE)
        command = [sys.executable, "-c", WRITER, str(path), str(LARGE)]
        with subprocess.Popen(command, stdout=subprocess.PIPE) as process:
            assert process.stdout is not None
            process.stdout.readline()
            _let_it_write(path, number)
            process.kill()
        assert path.read_bytes() in texts
    current = path.read_bytes()
    for each in left(root.folder):
        os.utime(path.with_name(each), (0, 0))

    write_change(root, FileChange(path, current, NEW))  # one after a while clears what the killed ones left

    assert left(root.folder) == []


def _let_it_write(path: Path, times: int) -> None:
    """Watch a few replacements, so that each kill falls into another moment."""
    seen, changes = path.stat().st_ino, 0
    while changes <= times % 5:
        now = path.stat().st_ino
        changes += now != seen
        seen = now


def test_what_a_program_writes_while_it_is_waited_for_stays(root: Root, tmp_path: Path) -> None:
    path, new = file_of(root), tmp_path / "new"
    new.write_bytes(NEW)

    def is_being_written(_new: Path, real: Path) -> None:
        real.write_bytes(b"their words")
        raise PermissionError(13, "The process cannot access the file")

    with pytest.raises(BigMindError) as refused:
        put_over(FileChange(path, OLD, NEW), new, path, is_being_written, "nt")
    assert refused.value.code is Code.CONFLICT
    assert path.read_bytes() == b"their words"


@has_modes
def test_what_lies_where_nobody_may_look_is_refused_in_words(root: Root) -> None:
    (root.folder / ".tool").symlink_to("x" * 300)  # a name that is too long: root may look there neither
    for path in (root.folder / ".tool" / "settings.json", root.folder / ".tool" / "deep" / "settings.json"):
        with pytest.raises(BigMindError, match="cannot be read: File name too long"):
            read_file(root, path)


@pytest.mark.skipif(sys.platform != "linux", reason="limits this process as Linux does")
def test_a_full_disk_is_told_as_one_and_not_as_a_lack_of_permissions(root: Root) -> None:
    import resource  # noqa: PLC0415 - there is none on Windows

    path = file_of(root)
    limits = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (0, limits[1]))
    try:
        with pytest.raises(BigMindError) as told:
            write_change(root, FileChange(path, OLD, NEW))
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, limits)
    assert told.value.code is Code.STORAGE_FULL
    assert (told.value.hint, path.read_bytes()) == ("Make room on its disk, and try again.", OLD)
    assert [each.name for each in path.parent.iterdir()] == [path.name]
