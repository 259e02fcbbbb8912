"""Everything in the data folder is for its owner alone, whatever the process's umask and whatever was there before."""

import os
import random
import shutil
import stat
from collections.abc import Generator
from pathlib import Path

import pytest

from app.logs import PrivateLog
from bigmind.paths import make_private_folder, write_private_file
from bigmind.store.store import Store
from bigmind.wiring import open_mind
from tests.store.using import caller_of, keep, opened, runner
from tests.support import completed, running_server
from tests.thorough import often, spread

pytestmark = pytest.mark.skipif(os.name != "posix", reason="POSIX permissions")


@pytest.fixture
def open_umask() -> Generator[None]:
    before = os.umask(0)
    yield
    os.umask(before)


def modes(home: Path) -> dict[str, str]:
    """The permissions of everything at and below `home`."""
    return {
        str(each.relative_to(home.parent)): oct(stat.S_IMODE(each.stat().st_mode)) for each in (home, *home.rglob("*"))
    }


def wanted(home: Path) -> dict[str, str]:
    return {
        str(each.relative_to(home.parent)): "0o700" if each.is_dir() or each.parent.name == "bin" else "0o600"
        for each in (home, *home.rglob("*"))
    }


@pytest.mark.usefixtures("open_umask")
def test_an_open_store_is_private(home: Path) -> None:
    with opened(home) as run:
        keep(run, "The loop repeats cards.")
        names = {each.name for each in home.iterdir()}
        assert {"bigmind.db", "bigmind.db-wal", "bigmind.db-shm", "store.lock", "store.owner", "tokens"} <= names
        assert modes(home) == wanted(home)


@pytest.mark.usefixtures("open_umask")
def test_a_running_server_is_private(home: Path) -> None:
    with running_server(home) as server:
        server.call("memory_start_session")
        assert {"run.json", "logs", "bigmind.db-wal"} <= {each.name for each in home.iterdir()}
        assert modes(home) == wanted(home)


@pytest.mark.usefixtures("open_umask")
def test_the_log_stays_private_when_it_begins_anew(home: Path) -> None:
    log = PrivateLog(home)
    log.doRollover()
    log.close()
    assert {each.name for each in (home / "logs").iterdir()} == {"server.log", "server.log.1"}
    assert modes(home / "logs") == wanted(home / "logs")


def test_a_store_that_was_restored_wider_is_narrowed(home: Path) -> None:
    mind = open_mind(home, "ada")
    keep(runner(mind, caller_of(mind, home)), "The loop repeats cards.")
    crash = {each.name: each.read_bytes() for each in home.glob("bigmind.db*")}
    mind.close()
    for name, content in crash.items():  # as a copy of the folder of a killed server would be
        (home / name).write_bytes(content)
        (home / name).chmod(0o644)
    home.chmod(0o755)
    store = Store(home)
    assert modes(home) == wanted(home)
    store.close()


@pytest.mark.usefixtures("open_umask")
def test_a_private_file_is_replaced_whole(tmp_path: Path) -> None:
    file = tmp_path / "folder" / "file"
    write_private_file(file, "first")
    file.chmod(0o644)
    write_private_file(file, "second")
    assert file.read_text() == "second"
    assert modes(tmp_path / "folder") == wanted(tmp_path / "folder")


def test_a_folder_that_exists_wider_is_narrowed(tmp_path: Path) -> None:
    folder = tmp_path / "folder"
    folder.mkdir(0o755)
    make_private_folder(folder)
    assert stat.S_IMODE(folder.stat().st_mode) == 0o700


BACKUP = "bigmind-20260301-120000-manual.db"
WIDE = (0o644, 0o664, 0o666, 0o604, 0o640, 0o755, 0o777, 0o700, 0o660, 0o601)


def old_files(home: Path) -> None:
    """What a server, its clients and older versions may have left there."""
    for name in ("logs/server.log.1", "logs/server.log.2", "logs/start.log", "logs/window.log", "logs/crash.log"):
        (home / name).parent.mkdir(exist_ok=True)
        (home / name).write_text("")
    (home / "logs" / "server.log").write_text("what was said\n")
    for folder in ("client-files", "damaged", "backups", "models/some/model", "bin"):
        (home / folder).mkdir(parents=True, exist_ok=True)
        (home / folder / "left").write_text("left")
    (home / "backups" / BACKUP).write_bytes(b"old")
    (home / "settings.toml").write_text("")
    (home / "store.lock").touch()


@pytest.mark.parametrize("seed", range(often(20, 1)))
def test_a_start_puts_right_whatever_was_opened_to_others(home: Path, tmp_path: Path, seed: int) -> None:
    draw = random.Random(seed)
    with running_server(home) as server:
        server.call("backup_create")
    old_files(home)
    drive = tmp_path / "drive"
    shutil.copytree(home / "backups", drive)
    (drive / "holiday.jpg").write_text("mine")
    theirs = tmp_path / "theirs"
    theirs.write_text("theirs")
    (home / "logs" / "link.log").symlink_to(theirs)
    for each in (home, *home.rglob("*"), drive, *drive.rglob("*"), theirs):
        if not each.is_symlink():
            each.chmod(draw.choice(WIDE) | (0o700 if each.is_dir() else 0o600))
    shared = {each: each.stat().st_mode for each in (drive, drive / "holiday.jpg", theirs)}
    with running_server(home, BIGMIND_BACKUP_FOLDER=str(drive)) as server:
        server.call("memory_start_session")
        wide = [each for each in (home, *home.rglob("*")) if not each.is_symlink() and each.stat().st_mode & 0o077]
        assert wide == []
        assert all(not each.stat().st_mode & 0o077 for each in drive.glob("bigmind-*"))
        assert {each: each.stat().st_mode for each in shared} == shared, "what is the person's keeps its mode"
        assert os.access(home / "bin" / "bigmind", os.X_OK)


@pytest.mark.parametrize("mode", spread([0o600, 0o644, 0o755, 0o777, 0o400], 2))
def test_the_launcher_can_be_started_by_its_owner_alone(home: Path, mode: int) -> None:
    with running_server(home):
        launcher = home / "bin" / "bigmind"
        assert launcher.is_file()
    launcher.chmod(mode)
    with running_server(home):
        assert stat.S_IMODE(launcher.stat().st_mode) == 0o700


def test_the_lock_of_a_database_elsewhere_is_narrowed_and_its_folder_is_not(home: Path, tmp_path: Path) -> None:
    folder = tmp_path / "elsewhere"
    folder.mkdir(0o755)
    lock = folder / "memory.db.lock"
    lock.touch()
    lock.chmod(0o666)
    with running_server(home, BIGMIND_DB_PATH=str(folder / "memory.db")):
        assert stat.S_IMODE(lock.stat().st_mode) == 0o600
        assert stat.S_IMODE(folder.stat().st_mode) == 0o755
    assert completed(home, "status").returncode == 1
