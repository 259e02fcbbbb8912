"""Files that pass through: whose they are, how many and how long they are kept, and that nothing of them is left."""

import re
import shutil
from collections.abc import Iterator
from contextlib import ExitStack, suppress
from pathlib import Path
from typing import NamedTuple

import anyio
import httpx
import pytest

from bigmind.core.errors import BigMindError
from bigmind.core.operation import Caller, Role
from bigmind.paths import scratch_folder
from bigmind.people.service import NOBODY, ensure_user
from bigmind.portable.transfer_paths import MADE, remove_kept_exports
from tests.ui.files import MEGABYTE, act, an_export, begun, followed, form_token, passing, send, until
from tests.ui.serving import Running
from ui.forms import uploads
from ui.transfers import TransferFolder


class Disk(NamedTuple):
    """What the operating system says of a disk."""

    total: int
    used: int
    free: int


@pytest.fixture
def token(client: httpx.Client) -> str:
    return form_token(client)


@pytest.fixture
def eve(server: Running) -> Iterator[httpx.Client]:
    """The browser of another user."""
    with server.mind.store.write(NOBODY, "test") as work:
        other = ensure_user(work, "eve").id
    mine = server.caller
    server.caller = Caller(other or 0, "eve", Role.MEMBER, "browser", 0, is_person=True)
    with httpx.Client(base_url=server.url) as opened:
        opened.get(server.link())
        server.caller = mine
        yield opened


def exported(client: httpx.Client, token: str) -> str:
    """Where an export that was just made is fetched."""
    return re.search(r'href="(/downloads/[^"]+)"', followed(client, act(client, "portable/export", token))[-1])[1]


def folders(server: Running) -> list[Path]:
    return list(scratch_folder(server.mind.store.home).iterdir())


def test_no_copy_is_left_of_what_is_forgotten(server: Running, client: httpx.Client, token: str) -> None:
    fact = server.call("memory_store_fact", category="decision", fact="The door is shut").fact.fact_id
    link, path = exported(client, token), send(client, token, an_export(1)).json()["path"]
    assert len(passing(server)) == 2
    server.call("memory_deprecate_fact", fact_id=fact, reason="It opened")
    assert len(passing(server)) == 2
    server.call("memory_forget", id=fact)
    assert folders(server) == []
    gone = client.get(link)
    assert gone.status_code == 404
    assert "Export again" in gone.text
    assert "Choose it once more" in act(client, "portable/import", token, uploaded=path).text
    assert "The door is shut" not in client.get(exported(client, token)).text


def test_no_copy_is_left_when_bigmind_ends(server: Running, client: httpx.Client, token: str) -> None:
    exported(client, token)
    send(client, token, an_export(1))
    assert len(passing(server)) == 2
    server.close()
    assert folders(server) == []
    refused = send(client, token, b"x")
    assert refused.status_code == 503
    assert "BigMind is ending" in refused.text
    assert folders(server) == []


def test_of_an_export_that_fails_nothing_is_left(server: Running, client: httpx.Client, token: str) -> None:
    with server.mind.store.alone() as connection:
        connection.execute("ALTER TABLE fact RENAME TO lost")
    failed = followed(client, act(client, "portable/export", token))[-1]
    assert 'role="alert"' in failed
    assert folders(server) == []


def test_what_was_forgotten_while_it_was_written_is_not_kept(tmp_path: Path, caller: Caller) -> None:
    async def write() -> None:
        files = TransferFolder(tmp_path, "export-", "Export again.")
        path = files.place(caller, "memory.json")
        files.empty()
        assert not path.parent.exists()
        # As on Windows, where a file that is open outlives its removal.
        path.parent.mkdir()
        path.write_text("{}")
        with pytest.raises(BigMindError, match="here no more"):
            files.keep(path)
        with pytest.raises(BigMindError, match="here no more"):
            files.find(caller, path)
        files.remove(path)
        assert not path.parent.exists()

    anyio.run(write)


def test_the_newest_two_of_each_user_are_kept(
    server: Running, client: httpx.Client, token: str, eve: httpx.Client
) -> None:
    theirs = Path(send(eve, form_token(eve), b"theirs").json()["path"])
    paths = [Path(send(client, token, b"x").json()["path"]) for _ in range(3)]
    assert [each.exists() for each in (theirs, *paths)] == [True, False, True, True]
    links = [exported(client, token) for _ in range(3)]
    assert [client.get(link).status_code for link in links] == [404, 200, 200]
    # A file goes once its last byte was taken, which its reader sees first.
    assert until(lambda: len(passing(server)) == 3)


@pytest.mark.parametrize("written", ["{path}", "{folder}/../{name}/memory.json", "{folder}/./memory.json", "{linked}"])
def test_a_file_of_another_user_is_not_imported_however_its_path_is_written(
    server: Running, client: httpx.Client, token: str, eve: httpx.Client, tmp_path: Path, written: str
) -> None:
    path = Path(send(client, token, an_export(1)).json()["path"])
    (tmp_path / "linked").symlink_to(path.parent)
    linked = tmp_path / "linked" / "memory.json"
    named = written.format(path=path, folder=path.parent, name=path.parent.name, linked=linked)
    assert act(eve, "portable/import", form_token(eve), path=named, dry_run="true").status_code == 404
    assert act(eve, "portable/import", form_token(eve), uploaded=named).status_code == 404
    assert act(eve, "memory_import", form_token(eve), path=named).status_code == 404
    assert passing(server) == ["memory.json"]
    mine = followed(client, act(client, "portable/import", token, path=named, dry_run="true"))[-1]
    assert "What would change" in mine


def test_a_path_that_leads_elsewhere_is_the_operations_to_judge(tmp_path: Path, caller: Caller) -> None:
    files = TransferFolder(tmp_path, "upload-", "Choose it once more.")
    for elsewhere in ("/etc/hostname", "~nobody-of-that-name/x", "x\0y", "relative"):
        assert files.find(caller, Path(elsewhere)) is None


def test_a_user_sends_two_files_at_once(server: Running, client: httpx.Client, token: str, eve: httpx.Client) -> None:
    with ExitStack() as sent:
        for _ in range(2):
            sent.enter_context(begun(server, client, token, 1, MEGABYTE))
        assert until(lambda: len(passing(server)) == 2)
        refused = send(client, token, b"x")
        assert refused.status_code == 409
        assert "2 files are being sent already" in refused.text
        assert send(eve, form_token(eve), b"x").status_code == 200
    assert until(lambda: len(passing(server)) == 1)
    assert send(client, token, b"x").status_code == 200


def test_what_is_promised_already_counts_as_taken(
    server: Running, client: httpx.Client, token: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    free = uploads.SPARE_BYTES + 30 * MEGABYTE
    monkeypatch.setattr(shutil, "disk_usage", lambda _: Disk(2 * free, free, free))
    with begun(server, client, token, 1, 20 * MEGABYTE):
        assert until(lambda: len(passing(server)) == 1)
        refused = send(client, token, b"x" * (11 * MEGABYTE))
        assert refused.status_code == 507
        assert "stay free for the memory itself" in refused.text
        assert send(client, token, b"x" * (9 * MEGABYTE)).status_code == 200


def test_room_is_asked_for_while_a_file_of_unknown_size_comes(
    server: Running, client: httpx.Client, token: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    def disk(folder: Path) -> Disk:
        used = sum(each.stat().st_size for each in folder.iterdir())
        return Disk(0, used, uploads.SPARE_BYTES + 6 * MEGABYTE - used)

    def parts() -> Iterator[bytes]:
        for _ in range(64):
            yield b"x" * MEGABYTE

    monkeypatch.setattr(shutil, "disk_usage", disk)
    assert send(client, token, iter([b"x" * MEGABYTE])).status_code == 200
    # The answer comes before all was sent: a client may see only that the connection has ended.
    with suppress(httpx.TransportError):
        assert send(client, token, parts()).status_code == 507
    assert until(lambda: len(passing(server)) == 1)


def test_a_file_of_which_nothing_more_comes_is_given_up(
    server: Running, client: httpx.Client, token: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(uploads, "QUIET_SECONDS", 0.05)
    with begun(server, client, token, 3, MEGABYTE) as sending:
        answer = b""
        while part := sending.recv(65_536):
            answer += part
    assert b" 503 " in answer.splitlines()[0]
    assert b"nothing was kept" in answer
    assert folders(server) == []


def test_no_copy_is_left_of_what_is_pruned_while_it_is_written(tmp_path: Path, caller: Caller) -> None:
    async def write() -> None:
        files = TransferFolder(tmp_path, MADE, "Export again.")
        path = files.place(caller, "memory.json")
        path.write_text("{}")
        remove_kept_exports(tmp_path)
        with pytest.raises(BigMindError, match="here no more"):
            files.keep(path)

    anyio.run(write)
