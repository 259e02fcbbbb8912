"""Files in and out over HTTP: what is sent, what is kept, what is refused, and how far an import is."""

import json
import os
import re
import stat
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace

import httpx
import psutil
import pytest

from bigmind.backup.service import backup_now
from bigmind.core.operation import Role
from bigmind.paths import is_open_to_others, scratch_folder
from bigmind.people.service import NOBODY, ensure_user
from bigmind.portable.answers import Imported, Sample, SectionCounts
from bigmind.portable.format.kind_records import section_words, sections_of
from bigmind.portable.outcome import Verdict
from bigmind.registry import KINDS
from bigmind.store.backup_keeping import FailedBackup
from tests.mindspace.grove import done
from tests.support import running_server
from tests.ui.files import MEGABYTE, act, an_export, begun, followed, form_token, passing, send, until
from tests.ui.serving import Running
from ui.forms.uploads import safe_name
from ui.render import environment, render
from ui.show.section_words import counted, title
from ui.transfers import TransferFolder


@pytest.fixture
def token(client: httpx.Client) -> str:
    return form_token(client)


def test_the_page_says_what_it_does_before_anything_is_there(client: httpx.Client) -> None:
    page = client.get("/portable").text
    for words in ("Export everything", "Show what would change", "New backup now", "Each backup becomes a line here"):
        assert words in page


def test_the_older_memory_is_offered_where_it_is_found(
    client: httpx.Client, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Path, "home", lambda: tmp_path)
    assert "older BigMind is on this machine" not in client.get("/portable").text
    older = tmp_path / ".mcp" / "bigmind" / "memory.db"
    older.parent.mkdir(parents=True)
    older.write_bytes(b"SQLite format 3\x00")
    page = client.get("/portable").text
    assert "older BigMind is on this machine" in page
    assert f'name="path" value="{older}"' in page


def test_what_was_sent_is_private_looked_at_and_removed_once_imported(
    server: Running, client: httpx.Client, token: str
) -> None:
    path = Path(send(client, token, an_export(3)).json()["path"])
    if os.name == "posix":
        assert stat.S_IMODE(path.stat().st_mode) == 0o600
        assert stat.S_IMODE(path.parent.stat().st_mode) == 0o700
    assert not is_open_to_others(path.parent)
    preview = followed(client, act(client, "portable/import", token, uploaded=path, dry_run="true"))[-1]
    assert "What would change" in preview
    assert "number 2" in preview
    assert server.call("memory_list_facts").total == 0
    assert passing(server) == ["memory.json"]
    done = followed(client, act(client, "portable/import", token, path=path, mode="merge"))[-1]
    assert "is part of your memory now" in done
    assert "before-import" in done
    assert server.call("memory_list_facts").total == 3
    assert passing(server) == []
    again = act(client, "portable/import", token, path=path)
    assert again.status_code == 404
    assert "Choose it once more" in again.text


def test_thoughts_come_in_and_the_log_of_questions_is_said_to_stay_out(
    server: Running, client: httpx.Client, token: str
) -> None:
    text = "The gateway repeats requests that time out, so that refunds over 500 EUR need a key."
    server.call("contribute_to_brain", prompt=text)
    exported = followed(client, act(client, "portable/export", token))[-1]
    assert "1 thought" in exported
    assert "1 question to the brain" in exported
    download = re.search(r'href="(/downloads/[^"]+)"', exported)
    assert download is not None
    content = client.get(download[1]).content.replace(text.encode(), text.upper().encode())
    path = send(client, token, content.replace(b'"updated_at":"2026', b'"updated_at":"2025')).json()["path"]
    would = followed(client, act(client, "portable/import", token, path=path, mode="replace", dry_run="true"))[-1]
    assert "Delete 1 thought of what is here now. What the file holds too is written again." in would
    assert "What is in both stays, or is written again: that counts as deleted and added." in would
    assert "What was asked of the brain is no part of an import" in would
    assert text.upper() in would


def test_an_export_names_what_is_in_every_section(server: Running, client: httpx.Client, token: str) -> None:
    server.call("work_create_task", title="Shut the door", slug="door")
    exported = followed(client, act(client, "portable/export", token))[-1]
    assert "1 task and 1 row of the work ledger." in exported
    assert "1 task and 0 mindspace nodes of everybody with their ledger" in client.get("/portable").text


def test_tasks_and_nodes_are_told_apart(server: Running, client: httpx.Client, token: str) -> None:
    for slug in ("door", "window"):
        server.call("work_create_task", title="Shut it", slug=slug)
    server.call("mindspace_create_node", title="Build the house", owner="dev", definition_of_done=done())
    assert "2 tasks and 1 mindspace node of everybody with their ledger" in client.get("/portable").text
    exported = followed(client, act(client, "portable/export", token))[-1]
    assert "2 tasks, 1 mindspace node and 4 rows of the work ledger." in exported
    link = re.search(r'href="(/downloads/[^"]+)"', exported)
    assert link is not None
    path = send(client, token, client.get(link[1]).content).json()["path"]
    would = followed(client, act(client, "portable/import", token, path=path, dry_run="true"))[-1]
    table = re.sub(r"<[^>]+>", " ", would.partition("<tbody>")[2].partition("</tbody>")[0])
    assert re.search(r"Tasks\s.*\b2\b.*Mindspace nodes\s.*\b1\b", table, re.DOTALL)


def test_what_an_import_of_work_would_change_is_shown(server: Running, client: httpx.Client, token: str) -> None:
    server.call("work_create_task", title="Shut the door", slug="door")
    exported = followed(client, act(client, "portable/export", token))[-1]
    link = re.search(r'href="(/downloads/[^"]+)"', exported)
    assert link is not None
    content = client.get(link[1]).content
    server.call("memory_store_fact", category="decision", fact="The door is shut")
    server.call("contribute_to_brain", prompt="The gateway repeats requests that time out after 30 s, twice.")
    path = send(client, token, content).json()["path"]
    merged = followed(client, act(client, "portable/import", token, path=path, dry_run="true"))[-1]
    assert "is here already" in merged
    assert ">Tasks<" in merged
    would = followed(client, act(client, "portable/import", token, path=path, mode="replace", dry_run="true"))[-1]
    assert "Delete 1 fact and 1 thought of what is here now." in would


def test_every_section_of_an_import_is_shown() -> None:
    sections = [SectionCounts(section=each, new=1, removed=2, logged=1) for each in sections_of(KINDS)]
    told = {"source": "x.json", "dry_run": True, "changed": True, "sections": sections, "secrets": {}, "backup": None}
    samples = [Sample(section=each, verdict=Verdict.NEW, texts=["words"]) for each in sections_of(KINDS)]
    answer = Imported(mode="replace", samples=samples, **told)
    html = render("answers/memory_import.html", {"job": SimpleNamespace(answer=answer, given={"path": "x.json"})})
    for each in sections_of(KINDS):
        assert title("tasks" if each == "work_items" else each) in html
        assert counted({each: 2}) in html
    assert "Delete 2 people, " in html
    assert " and 2 protocol runs of what is here now." in html


@pytest.mark.parametrize("section", sections_of(KINDS))
def test_every_section_of_an_export_is_called_by_words(section: str) -> None:
    assert section in section_words(KINDS)
    assert "_" not in counted({section: 2})
    assert counted({section: 1}).startswith("1 ")
    assert counted({section: 1})[2:] != counted({section: 2})[2:]


def test_a_page_stands_whatever_the_answer_on_it_is(
    client: httpx.Client, token: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(environment().filters, "counted", {}.__getitem__)
    exported = followed(client, act(client, "portable/export", token))[-1]
    assert "cannot be shown as it should be" in exported
    assert 'href="/downloads/' in exported
    assert "Exported to " in exported
    page = client.get("/portable")
    assert page.status_code == 200
    assert "cannot be shown as it should be" in page.text
    assert "Each backup becomes a line here" in page.text


def test_a_large_import_is_seen_to_move(client: httpx.Client, token: str) -> None:
    path = send(client, token, an_export(1_500, "A word of many. " * 20)).json()["path"]
    pages = followed(client, act(client, "portable/import", token, path=path, mode="merge"))
    told = [
        (found[1], int(found[2].replace(",", "")), int(found[3].replace(",", "")))
        for page in pages
        if (found := re.search(r'role="status">([^<]+) <span class="note">([\d,]+) of ([\d,]+)</span>', page))
    ]
    of_records = [each for each in told if each[2] == 1_500]
    assert {each[0] for each in of_records} & {"Comparing with what is here", "Writing"}
    assert any(0 < done < total for _, done, total in of_records)
    for what in {each[0] for each in told}:
        steps = [done for name, done, _ in told if name == what]
        assert steps == sorted(steps)
    assert "is part of your memory now" in pages[-1]


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (b"", "The file is empty"),
        (b"PK\x03\x04", "is a zip archive; unpack it first"),
        (b'{"header": {"format": "other"}}', "is not an export of BigMind"),
        (an_export(2)[:-40], "ends before it is complete"),
        (an_export(1).replace(b'"confidence":0.9', b'"confidence":9'), "Record 1 of facts is not valid"),
    ],
)
def test_a_wrong_file_is_refused_where_it_was_chosen(
    client: httpx.Client, token: str, content: bytes, said: str
) -> None:
    path = send(client, token, content, "<b>x</b>.json").json()["path"]
    refused = followed(client, act(client, "portable/import", token, uploaded=path, dry_run="true"))[-1]
    assert said in refused
    assert 'role="alert"' in refused
    assert "<b>x</b>" not in refused


def test_no_file_and_a_file_that_is_not_there_are_said(client: httpx.Client, token: str, tmp_path: Path) -> None:
    assert "No file is chosen" in act(client, "portable/import", token, path=" ").text
    assert "There is no file" in act(client, "portable/import", token, path=str(tmp_path / "none.json")).text
    assert "<i>" not in act(client, "portable/import", token, path=str(tmp_path / "<i>.json")).text


def test_nothing_is_kept_of_a_file_that_no_page_of_ours_sends(
    server: Running, client: httpx.Client, token: str
) -> None:
    assert send(client, "0" * 64, b"x").status_code == 403
    assert send(client, "", b"x").status_code == 403
    assert send(client, token, b"x", **{"Content-Type": "multipart/form-data"}).status_code == 415
    assert send(client, token, b"x", Origin="http://evil.example").status_code == 403
    assert passing(server) == []


def test_a_file_that_is_cut_off_leaves_nothing(server: Running, client: httpx.Client, token: str) -> None:
    with begun(server, client, token, 3 * MEGABYTE, 20 * MEGABYTE):
        assert until(lambda: passing(server) == ["file"])
    assert until(lambda: passing(server) == [])


def test_a_file_of_another_users_browser_is_not_imported(server: Running, client: httpx.Client, token: str) -> None:
    path = send(client, token, an_export(1)).json()["path"]
    with server.mind.store.write(NOBODY, "test") as work:
        other = ensure_user(work, "eve").id
    server.caller = type(server.caller)(other or 0, "eve", Role.MEMBER, "browser", 0, is_person=True)
    with httpx.Client(base_url=server.url) as theirs:
        theirs.get(server.link())
        assert act(theirs, "portable/import", form_token(theirs), uploaded=path).status_code == 404
        assert "An admin looks after the backups" in theirs.get("/portable").text
        assert theirs.get("/portable/restore", params={"backup": "x"}).status_code == 404


@pytest.mark.parametrize(
    ("sent", "kept"),
    [
        ("my%20memory.json", "my memory.json"),
        ("..%2F..%2Fetc%2Fpasswd", "passwd"),
        ("C%3A%5CUsers%5Cada%5Cx.db", "x.db"),
        ("%00%0A<img src=x>.json", "_img src_x_.json"),
        ("\u0444\u0430\u0439\u043b.json".encode().hex(), "d184d0b0d0b9d0bb2e6a736f6e"),
        ("...", "file"),
        ("", "file"),
        ("CON", "file"),
        ("x" * 500 + ".json", "x" * 55 + ".json"),
    ],
)
def test_a_files_name_is_taken_as_every_system_takes_it(sent: str, kept: str) -> None:
    assert safe_name(sent) == kept


def test_an_export_is_fetched_once_by_whoever_made_it(server: Running, client: httpx.Client, token: str) -> None:
    server.call("memory_store_fact", category="decision", fact="The door is shut")
    ready = followed(client, act(client, "portable/export", token))[-1]
    link = re.search(r'href="(/downloads/[^"]+)"', ready)[1]
    assert len(passing(server)) == 1
    fetched = client.get(link)
    assert fetched.status_code == 200
    name = re.fullmatch(
        r'attachment; filename="(bigmind_export_\d{8}_\d{6}\.json)"', fetched.headers["Content-Disposition"]
    )
    assert name is not None
    assert int(fetched.headers["Content-Length"]) == len(fetched.content)
    assert fetched.headers["Cache-Control"] == "no-store"
    assert json.loads(fetched.content)["facts"][0]["text"] == "The door is shut"
    # It goes once its last byte was taken, which its reader sees first.
    assert until(lambda: passing(server) == [])
    gone = client.get(link)
    assert gone.status_code == 404
    assert "Export again" in gone.text


def test_what_an_earlier_run_left_is_gone_at_the_next_start(server: Running) -> None:
    left = scratch_folder(server.mind.store.home) / "upload-left"
    left.mkdir(parents=True)
    (left / "memory.json").write_text("x")
    kept = scratch_folder(server.mind.store.home) / "backup-other"
    kept.mkdir()
    TransferFolder(server.mind.store.home, "upload-", "Choose it once more.")
    assert not left.exists()
    assert kept.exists()


def test_the_backups_are_listed_with_why_they_are_kept(server: Running, client: httpx.Client, token: str) -> None:
    store = server.mind.store
    names = [backup_now(store, reason).name for reason in ("manual", "scheduled", "before-import")]
    page = client.get("/portable").text
    for words in ("until you remove it", "the newest of its day", "among the newest five", "verified", "schema"):
        assert words in page
    (store.safekeeping.folder / names[1]).write_bytes(b"short")
    store.safekeeping.failure = FailedBackup(store.clock(), "manual", "No <b>room</b>.")
    page = client.get("/portable").text
    assert "not to rely on" in page
    assert "The last backup failed: No &lt;b&gt;room&lt;/b&gt;." in page
    verified = followed(client, act(client, "backup_list", token, verify="true"))[-1]
    assert "1 of 3 backups is not to rely on" in verified


def test_before_a_restore_it_is_said_what_would_go(server: Running, client: httpx.Client) -> None:
    made = backup_now(server.mind.store, "manual").name
    assert "Nothing was changed since" in client.get("/portable/restore", params={"backup": made}).text
    assert "nothing yet" in client.get("/portable").text
    server.call("memory_store_fact", category="decision", fact="The door is shut")
    server.call("contribute_to_brain", prompt="The gateway repeats requests that time out after 30 s, twice.")
    server.call("work_create_task", title="Shut the door", slug="door")
    asked = client.get("/portable/restore", params={"backup": made}).text
    assert "What was changed since then goes: 1 fact, 1 thought, 1 question to the brain and 1 work item, " in asked
    rows = re.findall(r'<th scope="row">([^<]+)</th><td class="count">(\d+)</td><td class="count">(\d+)</td>', asked)
    kinds = ("Facts", "Thoughts", "Questions to the brain", "Work items")
    assert {name: (int(held), int(now)) for name, held, now in rows} == dict.fromkeys(kinds, (0, 1))
    backup_now(server.mind.store, "manual")
    assert "1 fact, 1 thought, 1 question to the brain and 1 work item" in client.get("/portable").text
    assert "verified backup of the memory as it is now" in asked
    nowhere = client.get("/portable/restore", params={"backup": "<i>.db"}).text
    assert "cannot be restored" in nowhere
    assert "<i>" not in nowhere


def test_before_a_restore_what_was_imported_counts_whatever_its_time_is(
    server: Running, client: httpx.Client, token: str
) -> None:
    made = backup_now(server.mind.store, "manual").name
    path = send(client, token, an_export(3)).json()["path"]
    followed(client, act(client, "portable/import", token, path=path))
    asked = client.get("/portable/restore", params={"backup": made}).text
    assert "What was changed since then goes: 3 facts, written or changed." in asked


def test_a_restore_is_asked_for_by_a_form_that_puts_no_recovery_key_into_the_address(
    server: Running, client: httpx.Client, token: str
) -> None:
    made = backup_now(server.mind.store, "manual").name
    asked = client.get("/portable/restore", params={"backup": made}).text
    assert '<form class="action" method="post" action="/actions/backup_restore"' in asked
    assert f'<input type="hidden" name="form_token" value="{token}">' in asked


def test_a_recovery_key_is_shown_once(client: httpx.Client, token: str) -> None:
    shown = followed(client, act(client, "backup_encrypt", token))[-1]
    assert "AGE-SECRET-KEY-1" in shown
    assert "I wrote it down" in shown
    assert "AGE-SECRET-KEY-1" not in client.get("/portable").text
    assert "Stop encrypting" in client.get("/portable").text


def test_sending_a_large_file_takes_no_memory(tmp_path: Path) -> None:
    with (
        running_server(tmp_path / "home", by_command=True) as server,
        httpx.Client(base_url=server.address, timeout=60) as client,
    ):
        client.get(server.call("server_sign_in_link")["url"])
        token = form_token(client)
        # What is loaded at its first use, and what threads keep for themselves, is there after this.
        for _ in range(30):
            client.get("/portable")
        send(client, token, b"x" * MEGABYTE)
        process = psutil.Process(server.process.pid)
        before, most = process.memory_info().rss, 0

        def parts() -> Iterator[bytes]:
            nonlocal most
            for _ in range(64):
                yield b"x" * MEGABYTE
                most = max(most, process.memory_info().rss)

        assert send(client, token, parts()).json()["bytes"] == 64 * MEGABYTE
        assert most - before < 8 * MEGABYTE
