"""Export, import and restore by the page alone, with the mouse and with the keyboard."""

import json
import re
from pathlib import Path

from playwright.sync_api import Browser, Page, expect

from bigmind.backup.service import backup_now, backups
from tests.bench.long_work import write_facts
from tests.support import lasting_port, running_server
from tests.ui.conftest import Noise
from tests.ui.files import deaf_server
from tests.ui.serving import Running

DOOR = "The door is shut"


def facts(server: Running) -> list[str]:
    return [each.fact for each in server.call("memory_list_facts").facts]


def downloaded(page: Page, to: Path) -> Path:
    """Export by the page, into a file."""
    page.goto("/portable")
    page.get_by_role("button", name="Export everything").click()
    with page.expect_download() as begun:
        page.get_by_role("link", name=re.compile("^Download")).click()
    assert re.fullmatch(r"bigmind_export_\d{8}_\d{6}\.json", begun.value.suggested_filename)
    begun.value.save_as(to)
    return to


def test_what_was_exported_comes_back_with_the_mouse(page: Page, server: Running, tmp_path: Path) -> None:
    server.call("memory_store_fact", category="decision", fact=DOOR)
    file = downloaded(page, tmp_path / "memory.json")
    fact = json.loads(file.read_text(encoding="utf-8"))["facts"][0]["id"]
    server.call("memory_deprecate_fact", fact_id=fact, reason="It opened")
    page.set_input_files("#file", file)
    page.get_by_role("radio", name=re.compile("Start anew")).check()
    page.get_by_role("button", name="Show what would change").click()
    expect(page.get_by_role("heading", name="What would change")).to_be_visible()
    expect(page.get_by_role("row", name=re.compile("Facts 1 1"))).to_be_visible()
    assert facts(server) == []
    page.get_by_role("checkbox", name=re.compile("Delete 1 fact")).check()
    page.get_by_role("button", name="Delete and import").click()
    expect(page.get_by_role("heading", name="Imported")).to_be_visible()
    assert facts(server) == [DOOR]
    expect(page.get_by_role("row", name=re.compile("Before import"))).to_be_visible()
    page.locator("#import-told").get_by_role("button", name="Done").click()
    expect(page.locator("#import-told")).to_be_empty()


def test_a_file_of_this_machine_is_imported_with_the_keyboard_alone(
    page: Page, server: Running, tmp_path: Path
) -> None:
    server.call("memory_store_fact", category="decision", fact=DOOR)
    file = tmp_path / "memory.json"
    server.call("memory_export", output_path=str(file))
    document = json.loads(file.read_text(encoding="utf-8"))
    document["facts"][0] |= {"id": "0190aaaa-0000-4000-8000-000000000001", "text": "<b>Another</b> door"}
    file.write_text(json.dumps(document), encoding="utf-8")
    page.goto("/portable")
    page.locator("#path").focus()
    page.keyboard.type(str(file))
    page.keyboard.press("Tab")  # how it is done
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", name="What would change")).to_be_focused()
    page.keyboard.press("Tab")  # the table, which scrolls
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    expect(page.get_by_text("<b>Another</b> door")).to_be_visible()
    assert facts(server) == [DOOR]
    page.keyboard.press("Tab")
    expect(page.get_by_role("button", name="Import", exact=True)).to_be_focused()
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", name="Imported")).to_be_focused()
    assert sorted(facts(server)) == ["<b>Another</b> door", DOOR]


def test_a_backup_is_made_and_restored_from_the_page(page: Page, server: Running) -> None:
    backup_now(server.mind.store, "manual")
    server.call("memory_store_fact", category="decision", fact=DOOR)
    page.goto("/portable")
    page.get_by_role("button", name="New backup now").click()
    expect(page.get_by_text("Backed up and verified")).to_be_visible()
    expect(page.locator(".list-of-backups tbody tr")).to_have_count(2)
    oldest = page.locator("#restore-2")
    oldest.click()
    expect(page.get_by_role("dialog")).to_contain_text("What was changed since then goes: 1 fact")
    page.keyboard.press("Escape")
    expect(oldest).to_be_focused()
    assert facts(server) == [DOOR]
    page.keyboard.press("Enter")
    expect(page.get_by_role("button", name="Keep what is here")).to_be_focused()
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", name="Restored")).to_be_visible()
    assert facts(server) == []
    # The page goes on: it is signed in still, and shows what was kept aside.
    expect(page.get_by_role("row", name=re.compile("Before restore"))).to_be_visible()
    expect(page.locator("#holds")).to_contain_text("0 facts")


def test_backups_are_encrypted_and_the_key_goes_from_the_page(page: Page, server: Running) -> None:
    page.goto("/portable")
    page.get_by_role("button", name="Encrypt backups").click()
    page.get_by_role("button", name="Encrypt, and show the key").click()
    expect(page.locator("#recovery-key-shown")).to_contain_text("AGE-SECRET-KEY-1")
    page.get_by_role("button", name="I wrote it down").click()
    expect(page.locator("#recovery-key-shown")).to_have_count(0)
    page.get_by_role("button", name="New backup now").click()
    expect(page.get_by_text("Backed up, encrypted and verified")).to_be_visible()
    assert [each.path.suffix for each in backups(server.mind.store)] == [".age"]
    page.get_by_role("button", name="Stop encrypting").click()
    page.get_by_role("dialog").get_by_role("button", name="Stop encrypting").click()
    expect(page.get_by_role("button", name="Encrypt backups")).to_be_visible()


def begin_import(page: Page, file: Path) -> None:
    """Have it shown what the import of a file would change."""
    page.locator("#path").fill(str(file))
    page.get_by_role("button", name="Show what would change").click()


def test_a_second_tab_shows_what_the_first_one_began(page: Page, noise: Noise, server: Running, tmp_path: Path) -> None:
    write_facts(tmp_path / "facts.json", 6_000)
    second = page.context.new_page()
    for tab in (page, second):
        tab.goto("/portable")
        begin_import(tab, tmp_path / "facts.json")
        expect(tab.locator("#import-told").get_by_role("progressbar")).to_be_visible()
    told = second.locator("#import-told")
    expect(told).to_contain_text("What you just asked for was not started")
    progress = told.locator(".job-progress")
    expect(progress).not_to_have_text(progress.inner_text())
    second.get_by_role("button", name="Cancel").click()
    expect(told).to_contain_text("It was told to stop")
    expect(page.locator("#import-told")).to_contain_text("It was told to stop")
    assert facts(server) == []
    noise.console.clear()  # the answer to what was stopped


def test_what_is_under_way_is_followed_again_once_the_server_answers(page: Page, noise: Noise, tmp_path: Path) -> None:
    write_facts(tmp_path / "facts.json", 3_000)
    page.goto("/portable")
    told = page.locator("#import-told")
    page.route("**/jobs/*", lambda route: route.abort())
    begin_import(page, tmp_path / "facts.json")
    expect(told).to_contain_text("What is under way may go on, or be finished.")
    expect(told.get_by_role("progressbar")).to_be_visible()
    assert "Nothing was done" not in told.inner_text()
    page.unroute("**/jobs/*")
    expect(page.get_by_role("heading", name="What would change")).to_be_visible(timeout=20_000)
    noise.console.clear()  # the answers that never came


def test_what_became_of_an_import_is_said_when_the_server_was_started_again(chromium: Browser, tmp_path: Path) -> None:
    write_facts(tmp_path / "facts.json", 20_000)
    context = chromium.new_context()
    try:
        page = context.new_page()
        with running_server(tmp_path / "home", BIGMIND_PORT=str(lasting_port())) as first:
            page.goto(first.call("server_sign_in_link")["url"])
            page.goto(f"{first.address}/portable")
            begin_import(page, tmp_path / "facts.json")
            page.locator("#import-told").get_by_role("progressbar").wait_for()
            first.process.kill()
            expect(page.locator("#import-told")).to_contain_text("BigMind does not answer.")
        with running_server(tmp_path / "home", BIGMIND_PORT=str(first.port)):
            expect(page.locator("#import-told")).to_contain_text("either finished or taken back", timeout=20_000)
    finally:
        context.close()


def test_nothing_is_said_to_be_undone_that_was_sent(page: Page, noise: Noise) -> None:
    page.goto("/portable")
    told = page.locator("#export-told")
    page.route("**/actions/**", lambda route: route.abort())
    page.get_by_role("button", name="Export everything").click()
    expect(told).to_contain_text("Nothing was done; try again when it runs.")
    page.unroute("**/actions/**")
    with deaf_server() as port:
        page.route("**/actions/**", lambda route: route.continue_(url=f"http://127.0.0.1:{port}/"))
        page.get_by_role("button", name="Export everything").click()
        expect(told).to_contain_text("Whether this was done is not known")
    noise.console.clear()  # the answers that never came


def test_what_is_too_large_is_said_before_it_is_sent(page: Page, tmp_path: Path) -> None:
    page.goto("/portable")
    page.locator("#import").evaluate("form => { form.dataset.most = '3'; }")
    (tmp_path / "x.json").write_text("four")
    page.set_input_files("#file", tmp_path / "x.json")
    page.get_by_role("button", name="Show what would change").click()
    expect(page.get_by_role("alert")).to_contain_text("at most")


def test_a_click_on_cancel_counts_however_long_it_takes(
    page: Page, server: Running, noise: Noise, tmp_path: Path
) -> None:
    file = tmp_path / "facts.json"
    write_facts(file, 6_000)
    page.goto("/portable")
    page.locator("#path").fill(str(file))
    page.get_by_role("button", name="Show what would change").click()
    progress, cancel = page.locator("#import-told .job-progress"), page.get_by_role("button", name="Cancel")
    at = cancel.bounding_box()
    assert at is not None
    page.mouse.move(at["x"] + 5, at["y"] + 5)
    page.mouse.down()
    expect(progress).not_to_have_text(progress.inner_text())  # it was put anew meanwhile
    page.mouse.up()
    expect(page.locator("#import-told")).to_contain_text("It was told to stop")
    assert facts(server) == []
    assert all("409" in each or "responseError" in each or "Response Status" in each for each in noise.console)
    noise.console.clear()  # the answer to what was stopped
