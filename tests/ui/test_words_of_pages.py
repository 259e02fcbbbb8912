"""Words and numbers that stood on one page and not on another, or told what had not happened."""

import re
from datetime import date

import httpx
import pytest
from playwright.sync_api import Page, expect

from bigmind.registry import KINDS
from bigmind.trust.count_sheet import CountedUsage, CountKey, UsageQuery
from bigmind.wiring import catalogue
from tests.support import ROOT
from tests.ui.acting import act
from tests.ui.serving import Running
from tests.ui.test_mindspace_page import make
from tests.ui.work_items import runner
from ui.pages import PAGES
from ui.show.usage_chart import client_panels

ENTRY = {"category": "standard", "title": "Money is rounded half up", "content": "Half up, as the bank does."}


def test_search_can_be_narrowed_down_to_every_kind_that_it_finds(client: httpx.Client) -> None:
    page = client.get("/search").text
    chips = re.findall(r'name="kind" value="([^"]*)"[^>]*>([^<]+)<', page)
    assert [value for value, _ in chips] == ["", *(each.called for each in KINDS.searched)]
    assert {"Thoughts", "Work", "Knowledge", "Moments"} <= {label for _, label in chips}


@pytest.mark.parametrize("path", [each.path for each in PAGES])
def test_one_word_for_one_thing(client: httpx.Client, server: Running, path: str) -> None:
    fact = server.call(
        "memory_store_fact", fact="The queue is Rabbit", category="decision", confidence=0.9
    ).fact.fact_id
    for address in (path, f"/facts/{fact}", f"/facts/{fact}/unfolded"):
        words = re.sub(r"<[^>]+>", " ", client.get(address).text)
        assert re.findall(r"\bIDEs\b|[Rr]etired?\b|Keep it\b|indexes anew|\d %", words) == []


def test_the_title_says_what_was_typed(page: Page) -> None:
    page.goto("/search")
    expect(page).to_have_title("Search · BigMind")
    page.locator("#q").fill("refunds & <b>cents</b>")
    expect(page).to_have_title("refunds & <b>cents</b> · BigMind")


def test_processes_count_what_the_other_pages_count(server: Running, client: httpx.Client) -> None:
    run = runner(server.mind, server.caller)
    make(run, "The first walrus")
    make(run, "The second walrus")
    run("work_create_task", title="Round refunds to the cent", type="task")
    page = client.get("/work/processes").text
    told = dict(re.findall(r"<code>(\w+)</code>, version \d+ ·(.*?)</span>", page))
    assert "2 nodes" in told["node"]
    assert "1 item " in told["task"]
    assert "item" not in told["session"]
    assert '<a href="/mindspace">2 nodes</a>' in client.get("/work/processes/node").text
    assert "0 items" not in client.get("/work/processes/session").text
    assert "session" in client.get("/work/processes/nope").text.partition("card problem")[2]


def test_an_entry_is_said_to_be_there_already_only_when_it_is(client: httpx.Client) -> None:
    first = act(client, "memory_promote_to_global", **ENTRY, importance=5, said="Added.").text
    assert "Added." in first
    assert "word for word" not in first
    again = act(client, "memory_promote_to_global", **ENTRY, importance=5, said="Added.").text
    assert "Added." not in again
    assert "It was there before, word for word; nothing was stored." in again


def test_an_empty_memory_says_what_it_is_for_and_offers_each_way_once(client: httpx.Client) -> None:
    page = client.get("/profile").text
    assert "BigMind gives every AI assistant on this machine the same memory." in page
    assert page.count("Connect an assistant</a>") == 1
    main = page.partition("<main")[2]
    assert main.count('href="/learn"') == 1
    assert main.count('class="button primary"') == 1


def test_pages_and_what_they_tell_are_written_in_american_english() -> None:
    pages = [each.read_text() for each in (ROOT / "ui" / "templates").rglob("*.html")]
    titles = [each.title for each in catalogue()]
    assert len(pages) > 50
    assert [found for text in (*pages, *titles) for found in re.findall(r"(?i).*(?<![.\w])learnt\b.*", text)] == []


def test_one_is_said_of_one_and_a_column_is_named_after_many() -> None:
    day = date(2026, 3, 30)
    counts = {"questions": 1, "contributions": 2, "gates_forced": 1, "sessions_by_model": 1}
    usage = CountedUsage(
        UsageQuery(day, day), {CountKey(day, "codex", "", name): number for name, number in counts.items()}
    )
    [panel] = client_panels(usage, 1, 1)
    told = {name: number for strip in panel.strips for name, _, number in strip.legend}
    assert told["questions"] == "1 question"
    assert told["contributions"] == "2 contributions"
    assert told["tokens"] == "0 tokens"
    assert told["forced"] == "1 forced"
    assert "1 question, 2 contributions" in panel.strips[1].described


def test_the_focus_comes_back_where_a_dialog_is_replaced_before_it_says_that_it_closed(
    server: Running, page: Page
) -> None:
    server.call("memory_add_hypothesis", hypothesis="It holds, because it did")
    page.goto("/hypotheses")
    page.evaluate("addEventListener('close', (event) => event.stopImmediatePropagation(), true)")
    page.keyboard.press("n")
    dialog = page.locator("dialog[open]")
    dialog.get_by_label("I believe").fill("The importer commits each row")
    dialog.get_by_role("button", name="Add", exact=True).press("Enter")
    expect(page.locator("#page")).to_contain_text("The importer commits each row")
    expect(page.locator("#add-button")).to_be_focused()


@pytest.mark.parametrize(
    ("path", "field", "text", "button"),
    [
        ("/work", "Title", "Round refunds to the cent", "Make it"),
        ("/hypotheses", "I believe", "The importer commits each row", "Add"),
        ("/knowledge", "Title", "Half up", "Add"),
    ],
)
@pytest.mark.parametrize("is_first", [True, False])
def test_after_adding_the_focus_is_on_the_button_that_began_it(
    server: Running, page: Page, path: str, field: str, text: str, button: str, is_first: bool
) -> None:
    if not is_first:
        run = runner(server.mind, server.caller)
        run("work_create_task", title="Retry the gateway", type="solo")
        server.call("memory_add_hypothesis", hypothesis="It holds, because it did")
        server.call("memory_promote_to_global", **ENTRY)
    page.goto(path)
    page.keyboard.press("n")
    dialog = page.locator("dialog[open]")
    dialog.get_by_label(field).fill(text)
    if path == "/knowledge":
        dialog.get_by_label("What holds").fill("As the bank does.")
    dialog.get_by_role("button", name=button, exact=True).press("Enter")
    expect(page.locator("#page")).to_contain_text(text)
    expect(page.locator("#add-button")).to_be_focused()
