"""The head of the ledger stands in each backup's manifest, and in the system's log where that cannot be rewritten."""

import json
import os
import socket
import sys
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from bigmind.backup import system_log
from bigmind.backup.files import BackupInfo, manifest_of, read_manifest
from bigmind.backup.service import own_id
from bigmind.backup.system_log import head_line, logged_heads, system_socket, write_to_system_log
from bigmind.core.ids import new_id
from tests.work.office import Office, office_in

pytestmark = pytest.mark.skipif(os.name != "posix", reason="the log of POSIX systems")


@pytest.fixture
def office(home: Path) -> Iterator[Office]:
    with office_in(home) as opened:
        yield opened


def manifest(office: Office, name: str) -> BackupInfo | None:
    return read_manifest(office.memory.mind.store.safekeeping.folder / name)


def test_a_manifest_says_where_the_ledger_stood(office: Office):
    office.task()
    office.task("Another one about walruses")
    info = manifest(office, office.person("backup_create").name)
    [(number, digest)] = office.rows("SELECT number, digest FROM work_ledger ORDER BY number DESC LIMIT 1")
    assert info is not None
    assert info.ledger is not None
    assert (info.ledger.number, info.ledger.digest) == (number, digest)


def test_one_of_a_store_without_work_reads_as_those_of_before(office: Office):
    name = office.person("backup_create").name
    place = manifest_of(office.memory.mind.store.safekeeping.folder / name)
    assert "ledger" not in json.loads(place.read_text())
    info = manifest(office, name)
    assert info is not None
    assert info.ledger is None


def test_a_line_is_handed_to_the_log_and_a_missing_log_is_no_fault():
    with tempfile.TemporaryDirectory() as folder, socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as log:
        place = Path(folder) / "log"
        log.bind(str(place))
        assert write_to_system_log("ledger of a store, row 3", place)
        assert b"bigmind: ledger of a store, row 3" in log.recv(1_000)
        assert not write_to_system_log("row 4", place.with_name("none"))


@pytest.mark.skipif(os.name != "posix" or os.geteuid() != 0, reason="only root may rewrite the log")
def test_for_an_account_that_may_rewrite_the_log_nothing_is_written():
    assert system_socket() is None


class Journal:
    """Stands in for journalctl: prints lines as that does, and notes what it was asked for."""

    def __init__(self, folder: Path) -> None:
        self.program, self._lines, self._asked = (folder / name for name in ("journalctl", "lines", "asked"))
        self._lines.touch()
        told = f"import sys\nopen({str(self._asked)!r}, 'w').write(chr(10).join(sys.argv[1:]))\n"
        told += f"sys.stdout.write(open({str(self._lines)!r}).read())\n"
        self.program.write_text(f"#!{sys.executable}\n{told}", encoding="utf-8")
        self.program.chmod(0o700)

    @property
    def asked(self) -> list[str]:
        return self._asked.read_text(encoding="utf-8").split("\n")

    def tell(self, *messages: object) -> None:
        lines = [json.dumps({"MESSAGE": each, "__REALTIME_TIMESTAMP": "1772366400000000"}) for each in messages]
        self._lines.write_text("".join(f"{each}\n" for each in lines), encoding="utf-8")


@pytest.fixture
def journal(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Journal:
    """A journal that this account cannot rewrite."""
    found = Journal(tmp_path)
    monkeypatch.setattr(system_log, "READERS", (found.program,))
    monkeypatch.setattr(os, "geteuid", lambda: 1_000)
    monkeypatch.setattr(sys, "platform", "linux")
    return found


def told_head(office: Office, *, digest: str = "") -> tuple[int, str]:
    """The newest row, and its line in the log; with `digest`, as if it had been another."""
    [(number, found)] = office.rows("SELECT number, digest FROM work_ledger ORDER BY number DESC LIMIT 1")
    return number, head_line(own_id(office.memory.mind.store), number, digest or found)


def test_a_chain_that_was_rewritten_whole_lacks_the_heads_of_the_system_log(office: Office, journal: Journal):
    office.task()
    number, line = told_head(office)
    journal.tell("something else", [104, 105], line)
    answer = office.person("work_verify")
    assert (answer.logged, answer.covered, answer.log_unread, answer.faults) == (number, 0, "", [])
    assert "The system's log covers the rows up to 1." in answer.as_text()
    assert {"_UID=1000", "SYSLOG_IDENTIFIER=bigmind"} < set(journal.asked)
    journal.tell(line, told_head(office, digest="f" * 64)[1])
    [fault] = office.person("work_verify").faults
    assert (fault.number, "the chain lacks this row as the system's log of" in fault.message) == (1, True)
    assert "ledger_differs" in [each.code for each in office.person("memory_health_check").findings]


def test_what_the_log_says_of_another_store_or_in_another_form_says_nothing(office: Office, journal: Journal):
    office.task()
    _, line = told_head(office, digest="f" * 64)
    store = str(own_id(office.memory.mind.store))
    journal.tell(line.replace(store, new_id()), f"{line} and more", line.replace("row", "line"), "", None)
    answer = office.person("work_verify")
    assert (answer.logged, answer.faults) == (0, [])
    assert "The system's log covers none of it." in answer.as_text()


def test_what_a_restore_put_aside_is_no_fault_in_the_log_either(office: Office, journal: Journal):
    office.task()
    backup = office.person("backup_create").name
    office.task("Another one about walruses")
    journal.tell(told_head(office)[1])
    office.forward(minutes=1)
    office.person("backup_restore", backup=backup)
    assert office.person("work_verify").faults == []


@pytest.mark.parametrize(
    ("change", "why"),
    [
        (lambda patch: patch.setattr(os, "geteuid", lambda: 0), "this account may rewrite that log"),
        (lambda patch: patch.setattr(sys, "platform", "win32"), "BigMind keeps none in the log of Windows"),
        (lambda patch: patch.setattr(sys, "platform", "darwin"), "does not read the log of this system"),
        (lambda patch: patch.setattr(system_log, "READERS", (Path("/nowhere/journalctl"),)), "there is no journalctl"),
        (lambda patch: patch.setattr(system_log, "READERS", (Path("/bin/false"),)), "journalctl could not be run"),
    ],
)
def test_where_the_log_is_not_read_that_is_said(
    journal: Journal, monkeypatch: pytest.MonkeyPatch, change: Callable[[pytest.MonkeyPatch], None], why: str
):
    journal.tell(head_line("store", 3, "f" * 64))
    change(monkeypatch)
    found = logged_heads("store")
    assert (found.heads, why in found.unread) == ((), True)


def test_the_answer_says_why_the_log_was_not_read(office: Office):
    office.task()
    assert "Heads in the system's log were not compared: " in office.person("work_verify").as_text()
