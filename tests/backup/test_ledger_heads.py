"""The head of the ledger stands in each backup's manifest, and in the system's log where that cannot be rewritten."""

import json
import os
import socket
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from bigmind.backup.files import BackupInfo, manifest_of, read_manifest
from bigmind.backup.system_log import system_socket, write_to_system_log
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
