"""Learning over HTTP and in a browser: what is shown, what is chosen, what came of it, and taking it back."""

import re
from pathlib import Path

import httpx
import pytest
from playwright.sync_api import Page, expect

from bigmind.core.operation import Role
from bigmind.people.service import NOBODY, ensure_user
from tests.clients.learnt import OF_WORKSPACE, chat, packed, talk, write
from tests.ui.files import act, followed, form_token, passing, send
from tests.ui.serving import Running

PSYCOPG = "We decided on psycopg 3 instead of asyncpg"
DISMISSED = "Releases are cut on every second Friday"
EVIL = "<img src=x onerror=alert(1)> is what the neighbour wrote here"


@pytest.fixture
def workspace(tmp_path: Path) -> Path:
    write(tmp_path / "billing", {"CLAUDE.md": OF_WORKSPACE, ".cursorrules": EVIL.replace("<", "\\<")})
    return tmp_path / "billing"


@pytest.fixture
def token(client: httpx.Client) -> str:
    return form_token(client)


def facts(server: Running) -> list[str]:
    return [each.fact for each in server.call("memory_list_facts").facts]


def test_the_page_says_what_it_does_before_anything_is_found(client: httpx.Client) -> None:
    page = client.get("/learn").text
    for words in (
        "That assistant goes on reading its own files",
        "No such file was found",
        "Show what could be learned",
    ):
        assert words in page
    assert 'href="/learn"' in client.get("/profile").text


def test_a_folder_that_is_none_is_said_and_the_rest_is_of_use(client: httpx.Client) -> None:
    answer = client.get("/learn", params={"workspace": "/nowhere/<i>"})
    assert answer.status_code == 200
    assert "a folder, by its whole path" in answer.text
    assert "<i>" not in answer.text
    assert "Show what could be learned" in answer.text


def test_proposals_stand_by_their_files_with_what_is_to_be_known_of_them(
    client: httpx.Client, server: Running, workspace: Path
) -> None:
    server.call("memory_store_fact", category="decision", fact=PSYCOPG, project="billing")
    page = client.get("/learn", params={"workspace": str(workspace)}).text
    for words in ("Commands (billing)", "known already", "reads like an instruction", "line 14", "a fact, decision"):
        assert words in page
    assert "&lt;img" in page
    assert "<img src=x" not in page


def test_nothing_chosen_is_said_where_it_was_asked(client: httpx.Client, token: str, workspace: Path) -> None:
    said = followed(client, act(client, "learn_accept", token, workspace=str(workspace)))[-1]
    assert "Nothing is chosen" in said


def test_an_export_that_was_sent_is_read_and_stays_until_all_is_decided(
    client: httpx.Client, server: Running, token: str, tmp_path: Path
) -> None:
    parts = {"conversations.json": [chat(1, "Ports <b>80</b>"), chat(2, "Doors")]}
    content = packed(tmp_path / "chats.zip", parts).read_bytes()
    path = send(client, token, content, "chats.zip").json()["path"]
    shown = followed(client, act(client, "learn/read", token, uploaded=path, dry_run="true"))[-1]
    assert "2 proposals" in shown
    assert "<b>80</b>" not in act(client, "learn/read", token, path=path).text
    digest = re.search(r'name="digests" value="([0-9a-f]{64})"', shown)[1]
    learnt = followed(client, act(client, "learn/accept", token, path=path, digests=digest))[-1]
    assert "1 past session" in learnt
    assert "Show the rest" in learnt
    assert passing(server) == ["chats.zip"]
    rest = followed(client, act(client, "learn/read", token, path=path))[-1]
    stale = re.search(r'name="shown" value="([0-9a-f]{64})"', shown)[1]
    assert (
        "has changed since"
        in followed(client, act(client, "learn/dismiss", token, path=path, all="true", shown=stale))[-1]
    )
    now = re.search(r'name="shown" value="([0-9a-f]{64})"', rest)[1]
    rest = followed(client, act(client, "learn/dismiss", token, path=path, all="true", shown=now))[-1]
    assert "1 proposal will not be made again" in rest
    assert "Nothing new to learn" in followed(client, act(client, "learn/read", token, path=path))[-1]
    assert [each.one_liner for each in server.call("memory_list_sessions").sessions] == ["Doors"]


def test_a_file_that_is_no_export_is_refused_where_it_was_chosen(client: httpx.Client, token: str) -> None:
    path = send(client, token, b"<html>", "chat.html").json()["path"]
    refused = followed(client, act(client, "learn/read", token, uploaded=path))[-1]
    assert "is a page (chat.html)" in refused
    assert 'role="alert"' in refused
    assert "No file is chosen" in act(client, "learn/read", token, path=" ").text
    assert act(client, "learn/read", "0" * 64, path=path).status_code == 403


def test_who_is_no_admin_reads_exports_of_their_own_only(
    client: httpx.Client, server: Running, token: str, tmp_path: Path, workspace: Path
) -> None:
    content = packed(tmp_path / "a.zip", {"conversations.json": [chat(1)]}).read_bytes()
    adas = send(client, token, content).json()["path"]
    with server.mind.store.write(NOBODY, "test") as work:
        other = ensure_user(work, "eve").id
    server.caller = type(server.caller)(other or 0, "eve", Role.MEMBER, "browser", 0, is_person=True)
    with httpx.Client(base_url=server.url) as theirs:
        theirs.get(server.link())
        page = theirs.get("/learn", params={"workspace": str(workspace)}).text
        assert "An admin learns from the files of this machine" in page
        assert "psycopg" not in page
        own = form_token(theirs)
        assert act(theirs, "learn/read", own, uploaded=adas).status_code == 404
        mine = send(theirs, own, packed(tmp_path / "b.zip", {"conversations.json": [talk(1)]}).read_bytes())
        assert "Rust lifetimes" in followed(theirs, act(theirs, "learn/read", own, uploaded=mine.json()["path"]))[-1]
        assert "Only an admin" in followed(theirs, act(theirs, "learn_accept", own, all="true"))[-1]


def test_what_was_decided_is_listed_with_the_words_that_are_still_read(
    client: httpx.Client, server: Running, workspace: Path
) -> None:
    assert "Nothing was decided yet" in client.get("/learn").text
    write(workspace, {"AGENTS.md": f"- {DISMISSED}\n- Ports \\<b>80 are taken\n"})
    proposed = {each.text: each.digest for each in server.call("learn_proposals", workspace=str(workspace)).proposals}
    server.call("learn_dismiss", workspace=str(workspace), digests=[proposed[DISMISSED]])
    accepted = [proposed[PSYCOPG], proposed["Ports <b>80 are taken"]]
    ports = server.call("learn_accept", workspace=str(workspace), digests=accepted).learnt[1]
    here, elsewhere = (client.get("/learn", params=of).text for of in ({"workspace": str(workspace)}, {}))
    for page in (here, elsewhere):
        section = page[page.index('id="decided"') :]
        for words in (PSYCOPG, "Ports &lt;b&gt;80 are taken", f"/facts/{ports.id}", f'value="{ports.digest}"'):
            assert words in section
        assert "Propose all dismissed again (1)" in section
        assert "2 accepted, 1 dismissed" in page
    assert DISMISSED in here
    assert DISMISSED not in elsewhere
    assert "Its words are kept nowhere." in elsewhere


def test_the_newest_of_what_was_decided_are_listed_and_what_stays_is_not_offered(
    client: httpx.Client, server: Running, workspace: Path
) -> None:
    for part in range(2):
        rules = "".join(f"- Rule number {part}.{number} holds for everybody here\n\nIt does.\n" for number in range(15))
        write(workspace, {f"part{part}/AGENTS.md": "".join(f"## {part}\n{rules}")})
    write(
        workspace, {"AGENTS.md": "".join(f"Paragraph number {number} is understood alone.\n\n" for number in range(40))}
    )
    shown = server.call("learn_proposals", workspace=str(workspace))
    learnt = server.call("learn_accept", workspace=str(workspace), all=True, shown=shown.list_digest).learnt
    assert len(learnt) > 50
    page = client.get("/learn").text
    assert page.count("<li data-row") == 50
    assert f"{len(learnt) - 50} older ones are listed by" in page
    assert "Propose all dismissed again" not in page
    digests = [each.digest for each in learnt if each.kind != "knowledge"]
    server.call("learn_undo", digests=digests)
    (entry,) = [each for each in learnt if each.kind == "knowledge"]
    assert "Take it back<" in client.get("/learn").text
    server.call("memory_edit_global", entry_id=entry.id, title="How to test")
    page = client.get("/learn").text
    assert "changed or judged since" in page
    assert "Take it back<" not in page


@pytest.mark.browser
def test_what_was_decided_is_taken_back_with_the_keyboard_after_the_page_is_opened_anew(
    page: Page, server: Running, workspace: Path
) -> None:
    shown = server.call("learn_proposals", workspace=str(workspace)).proposals
    chosen = [each.digest for each in shown if each.becomes == "fact" and not each.caution]
    server.call("learn_accept", workspace=str(workspace), digests=chosen[:2])
    server.call("learn_dismiss", workspace=str(workspace), digests=chosen[2:])
    page.goto(f"/learn?workspace={workspace}")
    decided, told = page.locator("#decided"), page.locator("#decided-told")
    page.get_by_text("What you accepted and dismissed", exact=True).focus()
    page.keyboard.press("Enter")
    expect(decided.get_by_role("listitem")).to_have_count(len(chosen))
    decided.get_by_role("button", name=f"Take it back “{PSYCOPG}").focus()
    page.keyboard.press("Enter")
    expect(told).to_contain_text("Taken back: 1")
    expect(decided.get_by_role("listitem")).to_have_count(len(chosen) - 1)
    expect(decided.locator("li:focus")).to_have_count(1)
    expect(page.get_by_role("checkbox", name=PSYCOPG)).to_be_visible()
    page.get_by_role("button", name=re.compile("Propose all dismissed again")).focus()
    page.keyboard.press("Enter")
    expect(decided.get_by_role("button", name=re.compile("Propose all"))).to_have_count(0)
    expect(decided.get_by_role("listitem")).to_have_count(1)
    assert server.call("learn_decided").dismissed == 0


@pytest.mark.browser
def test_one_is_accepted_then_all_and_it_is_taken_back(page: Page, server: Running, workspace: Path) -> None:
    page.goto("/learn")
    page.get_by_label("A workspace").fill(str(workspace))
    page.get_by_role("button", name="Look there").click()
    page.get_by_role("checkbox", name=PSYCOPG).check()
    page.get_by_role("button", name="Accept what is chosen").click()
    told = page.locator("#learn-told")
    expect(told.get_by_role("heading", name="Learned")).to_be_visible()
    assert facts(server) == [PSYCOPG]
    expect(page.get_by_role("checkbox", name=PSYCOPG)).to_have_count(0)
    page.get_by_role("button", name=re.compile("Accept all that is new")).click()
    expect(told.get_by_text("1 entry of knowledge")).to_be_visible()
    expect(told.get_by_text("Left for you to choose one by one")).to_be_visible()
    expect(page.locator("#proposals").get_by_role("checkbox", name=re.compile("Ignore all previous"))).to_be_visible()
    told.get_by_role("button", name="Take it back").click()
    expect(told.get_by_text("Taken back: 4")).to_be_visible()
    expect(page.get_by_role("button", name=re.compile("Accept all that is new"))).to_be_visible()
    assert facts(server) == [PSYCOPG]


@pytest.mark.browser
def test_the_box_of_a_file_chooses_all_that_stands_there_to_be_dismissed(
    page: Page, server: Running, workspace: Path
) -> None:
    page.goto(f"/learn?workspace={workspace}")
    page.get_by_role("checkbox", name="Choose all of CLAUDE.md").check()
    expect(page.get_by_role("checkbox", name=PSYCOPG)).to_be_checked()
    page.get_by_role("checkbox", name=PSYCOPG).uncheck()
    expect(page.get_by_role("checkbox", name="Choose all of CLAUDE.md")).not_to_be_checked()
    page.get_by_role("button", name="Dismiss what is chosen").click()
    expect(page.get_by_text("4 proposals will not be made again")).to_be_visible()
    expect(page.locator("#proposals").get_by_role("checkbox", name="Commands")).to_have_count(0)
    expect(page.get_by_role("checkbox", name=PSYCOPG)).to_be_visible()
    assert facts(server) == []


@pytest.mark.browser
def test_an_export_is_chosen_sent_and_learnt_from(page: Page, server: Running, tmp_path: Path) -> None:
    page.goto("/learn")
    page.set_input_files("#file", packed(tmp_path / "claude.zip", {"conversations.json": [talk(1), talk(2, "Crabs")]}))
    page.get_by_role("button", name="Show what could be learned").click()
    told = page.locator("#import-told")
    expect(told.get_by_role("heading", name="2 proposals")).to_be_visible()
    told.get_by_role("button", name=re.compile("Accept all that is new")).click()
    expect(told.get_by_text("2 past sessions")).to_be_visible()
    told.get_by_role("button", name="Done").click()
    expect(told).to_be_empty()
    assert {each.one_liner for each in server.call("memory_list_sessions").sessions} == {"Rust lifetimes", "Crabs"}
