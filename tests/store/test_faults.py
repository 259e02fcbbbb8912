"""What the disk refuses is told by a stable code, nothing half done stays, and it goes on when there is room."""

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import httpx
import pytest

from bigmind.core.errors import BigMindError, Code
from bigmind.core.events import Change
from bigmind.core.operation import Caller
from bigmind.store.disk_faults import TOLD_APART_SECONDS, DiskFaults
from bigmind.store.sqlite.backend import SQLITE
from bigmind.store.sqlite.driver import sound_driver
from bigmind.store.sqlite.faults import meaning
from bigmind.store.store import Store
from bigmind.wiring import Mind
from tests.store.using import Run, found, keep, opened, raw_connection
from tests.support import Server

NOBODY_ID = 65_534
LONG = "The loop repeats cards. " * 400


def driver_error(code: int) -> Exception:
    """An error of the driver with this result code and a message that says nothing."""
    error = sound_driver().OperationalError("?")
    error.sqlite_errorcode = code
    return error


@pytest.mark.parametrize(
    ("result", "code"),
    [
        (5, Code.STORE_IN_USE),  # BUSY
        (6, Code.STORE_IN_USE),  # LOCKED
        (8, Code.STORE_UNUSABLE),  # READONLY
        (10, Code.STORAGE_FULL),  # IOERR
        (11, Code.STORE_UNUSABLE),  # CORRUPT
        (13, Code.STORAGE_FULL),  # FULL
        (14, Code.STORE_UNUSABLE),  # CANTOPEN
        (26, Code.STORE_UNUSABLE),  # NOTADB
        (778, Code.STORAGE_FULL),  # IOERR_WRITE
        (1544, Code.STORE_UNUSABLE),  # READONLY_DIRECTORY
    ],
)
def test_a_fault_is_told_by_its_result_code(result: int, code: Code) -> None:
    fault = meaning(driver_error(result))
    assert fault is not None
    assert fault.code is code
    assert fault.message
    assert fault.hint


@pytest.mark.parametrize("result", [1, 19, 20, 21, 275])  # ERROR, CONSTRAINT, MISMATCH, MISUSE, CONSTRAINT_CHECK
def test_a_fault_of_ours_is_not_dressed_up(result: int) -> None:
    assert meaning(driver_error(result)) is None


def test_an_error_without_a_result_code_is_a_fault_of_ours() -> None:
    assert meaning(sound_driver().OperationalError("disk is full")) is None


@pytest.fixture
def heard(mind: Mind) -> list[Change]:
    changes: list[Change] = []
    mind.store.events.subscribe(changes.append)
    return changes


def pages(mind: Mind, most: int | None) -> None:
    """Let the file have so many pages more at most, None: any. SQLite then says FULL, as it does of a full disk."""
    with mind.store._writer.connect() as connection:
        cursor = connection.connection.cursor()
        [now] = cursor.execute("PRAGMA page_count").fetchone()
        cursor.execute(f"PRAGMA max_page_count={now + most if most is not None else 4_294_967_294}")


def test_a_full_disk_refuses_the_whole_write_and_goes_on_when_there_is_room(
    mind: Mind, run: Run, heard: list[Change]
) -> None:
    first = keep(run, "The first card.")
    heard.clear()
    pages(mind, 1)
    with pytest.raises(BigMindError) as refusal:
        keep(run, LONG)
    assert refusal.value.code is Code.STORAGE_FULL
    assert "nothing of this write was stored" in refusal.value.message
    assert heard == []
    assert found(run, "card") == [first]  # what was stored is read as before
    assert mind.store.integrity() == []
    pages(mind, None)
    kept = keep(run, LONG)
    assert set(found(run, "card cards")) == {first, kept}
    assert run("memory_list_sessions")["sessions"][0]["chunks"] == 2
    assert mind.store.integrity() == []


def test_a_full_disk_is_logged_in_one_line_and_not_for_each_write(
    mind: Mind, run: Run, caplog: pytest.LogCaptureFixture
) -> None:
    keep(run, "The first card.")
    pages(mind, 1)
    for _ in range(4):
        with pytest.raises(BigMindError):
            keep(run, LONG)
    pages(mind, None)
    [told] = [each for each in caplog.records if each.name.startswith("bigmind.store")]
    assert told.exc_info is None
    assert told.getMessage() == "The disk is full; nothing of this write was stored. (database or disk is full)"


def test_what_lasts_is_logged_again_with_how_often_it_was_so(caplog: pytest.LogCaptureFixture) -> None:
    now = [0.0]
    faults, full = DiskFaults(lambda: now[0]), BigMindError(Code.STORAGE_FULL, "Full.", "")
    other = BigMindError(Code.STORE_UNUSABLE, "Closed.", "")
    for second in range(0, int(TOLD_APART_SECONDS) + 1, 60):
        now[0] = second
        faults.tell(full, OSError("no room"))
    faults.tell(other, None)
    for _ in range(2):
        faults.tell(full, OSError("no inodes\n(Background on this error)"))
    again = "Full. (no room) It was so 9 more times since it was logged last."
    told = [each.getMessage() for each in caplog.records]
    assert told == ["Full. (no room)", again, "Closed. (None)", "Full. (no inodes)"]


@pytest.mark.parametrize(
    ("result", "is_of_disk", "is_of_readers_disk"),
    [
        (5, False, False),  # BUSY
        (6, False, False),  # LOCKED
        (8, True, False),  # READONLY, which `query_only` says too
        (1288, True, True),  # READONLY_CANTINIT
        (13, True, True),  # FULL
        (778, True, True),  # IOERR_WRITE
        (14, True, True),  # CANTOPEN
        (267, True, True),  # CORRUPT_VTAB: of an index
        (11, False, False),  # CORRUPT
        (19, False, False),  # CONSTRAINT
    ],
)
def test_what_the_disk_refuses_is_told_apart(result: int, is_of_disk: bool, is_of_readers_disk: bool) -> None:
    error = driver_error(result)
    told = SQLITE.faults.is_of_disk(error, of_reader=False), SQLITE.faults.is_of_disk(error, of_reader=True)
    assert told == (is_of_disk, is_of_readers_disk)


def test_what_a_reader_writes_by_mistake_is_logged_each_time_with_where(
    mind: Mind, caller: Caller, caplog: pytest.LogCaptureFixture
) -> None:
    for statement in ("DELETE FROM fact", "UPDATE user SET username = 'eve'"):
        caplog.clear()
        with pytest.raises(BigMindError), mind.store.read(caller, "look") as work:
            work.connection().exec_driver_sql(statement)
        [told] = [each for each in caplog.records if each.name.startswith("bigmind.store")]
        assert told.exc_info is not None
        assert statement in caplog.text


NO_LIMIT = -1
"""RLIM_INFINITY of resource(3)."""


def bound_files(server: Server, size: int) -> None:
    """Let a real server make no file larger than `size`: its write then fails in the operating system."""
    import resource  # noqa: PLC0415 - there is none on Windows

    resource.prlimit(server.process.pid, resource.RLIMIT_FSIZE, (size, NO_LIMIT))


@pytest.mark.skipif(sys.platform != "linux", reason="sets a limit of another process, which only Linux offers")
def test_a_server_whose_disk_is_full_says_so_keeps_reading_and_recovers_by_itself(server: Server) -> None:
    with server.http() as http:

        def post(operation: str, **arguments: object) -> httpx.Response:
            return http.post(f"/api/v1/{operation}", json=arguments)

        session = post("memory_start_session").json()["session_id"]
        chunk = {"session_id": session, "role": "user", "flag_reason": "a reason"}
        kept = [post("memory_append_chunk", content="The first card.", **chunk).json()["chunk_id"]]
        log = server.home / "bigmind.db-wal"
        bound_files(server, log.stat().st_size + 4_096)
        refused = [post("memory_append_chunk", content=LONG, **chunk) for _ in range(3)]
        for answer in refused:
            assert answer.status_code == 507
            assert answer.json()["code"] == "storage_full"
            assert answer.json()["hint"]
        listed = post("memory_search_chunks", query="card", limit=100)
        assert [hit["chunk_id"] for hit in listed.json()["hits"]] == kept
        bound_files(server, NO_LIMIT)
        kept.append(post("memory_append_chunk", content=LONG, **chunk).json()["chunk_id"])
        listed = post("memory_search_chunks", query="card cards", limit=100)
        assert {hit["chunk_id"] for hit in listed.json()["hits"]} == set(kept)
    server.kill()
    store = Store(server.home)
    assert store.integrity() == []
    store.close()


READ_ONLY = """
import os, sys
from pathlib import Path
from bigmind.core.errors import BigMindError
from bigmind.wiring import open_mind
scratch, home, user = Path(sys.argv[1]), Path(sys.argv[2]), int(sys.argv[3])
open_mind(scratch, "ada").close()  # everything is imported before the rights are given up
if os.geteuid() == 0:
    os.setgroups([])
    os.setegid(user)
    os.seteuid(user)
try:
    open_mind(home, "eve").close()  # writes her down
except BigMindError as error:
    print(error.code, error, sep="|")
else:
    print("opened")
"""


def open_without_rights(tmp_path: Path, home: Path) -> str:
    command = [sys.executable, "-c", READ_ONLY, str(tmp_path / "scratch"), str(home), str(NOBODY_ID)]
    done = subprocess.run(command, check=True, capture_output=True, text=True)
    return done.stdout.strip()


def give_away(home: Path) -> None:
    """Root may write to what is read-only, so there the folder goes to somebody who may not."""
    if os.geteuid() == 0:
        for each in (home, *home.rglob("*")):
            os.chown(each, NOBODY_ID, NOBODY_ID)
        for parent in list(home.parents)[:4]:
            if parent.stat().st_mode & 0o011 != 0o011 and parent.stat().st_uid == 0:
                parent.chmod(parent.stat().st_mode | 0o011)


@pytest.fixture
def home_of_its_own() -> Iterator[Path]:
    """Not below pytest's folder, which each pytest that starts on the machine closes to others again."""
    with TemporaryDirectory() as folder:
        yield Path(folder) / "home"


@pytest.mark.skipif(os.name != "posix", reason="POSIX permissions")
def test_a_store_that_may_not_be_written_is_refused_in_words(tmp_path: Path, home_of_its_own: Path) -> None:
    home = home_of_its_own
    with opened(home) as run:
        keep(run, "The first card.")
    give_away(home)
    (home / "bigmind.db").chmod(0o400)
    before = (home / "bigmind.db").read_bytes()
    said = open_without_rights(tmp_path, home)
    assert said.startswith("store_unusable|")
    assert "cannot be written to" in said
    assert (home / "bigmind.db").read_bytes() == before
    (home / "bigmind.db").chmod(0o600)
    assert open_without_rights(tmp_path, home) == "opened"


@pytest.mark.skipif(os.name != "posix", reason="POSIX permissions")
def test_a_folder_that_may_not_be_written_is_refused_in_words(tmp_path: Path, home_of_its_own: Path) -> None:
    home = home_of_its_own
    home.mkdir(0o700)
    give_away(home)
    home.chmod(0o500)
    said = open_without_rights(tmp_path, home)
    assert said.startswith("store_unusable|")
    assert "permissions" in said
    assert not list(home.iterdir())


def test_a_lock_of_another_program_is_told_and_waited_for(
    mind: Mind, caller: Caller, home: Path, run: Run, caplog: pytest.LogCaptureFixture
) -> None:
    other: Any = raw_connection(home)
    other.execute("BEGIN IMMEDIATE")
    with mind.store._writer.connect() as connection:
        connection.connection.cursor().execute("PRAGMA busy_timeout=1")  # the product waits for five seconds
    with pytest.raises(BigMindError) as refusal:
        keep(run, "The first card.")
    assert refusal.value.code is Code.STORE_IN_USE
    [told] = [each for each in caplog.records if each.name.startswith("bigmind.store")]
    assert told.exc_info is not None
    other.execute("ROLLBACK")
    other.close()
    assert found(run, "card") == []
    assert keep(run, "The first card.")
    assert caller.username == "ada"
