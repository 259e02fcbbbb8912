"""Everything in the data folder is for its owner alone, whatever the process's umask and whatever was there before."""

import os
import stat
from collections.abc import Generator
from pathlib import Path

import pytest

from app.logs import PrivateLog
from bigmind.paths import make_private_folder, write_private_file
from bigmind.store.store import Store
from bigmind.wiring import open_mind
from tests.store.using import caller_of, keep, opened, runner
from tests.support import running_server

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
