"""A kind that declares an address has its pages there: the list, one in full, what waits, what is forgotten."""

from collections.abc import Iterator
from contextlib import closing
from datetime import timedelta
from pathlib import Path

import httpx
import pytest
from playwright.sync_api import Page, expect

from bigmind.core.clock import system_clock
from bigmind.core.events import Action
from bigmind.core.ids import new_id
from bigmind.core.operation import Caller, Presence
from bigmind.kinds import save
from bigmind.people.service import NOBODY, ensure_user
from bigmind.wiring import Mind, open_mind
from tests.kinds.note import WITH_NOTES, Note, make_table
from tests.kinds.noting import INSTRUCTION, WORDS
from tests.ui.serving import Noise, Running

HOSTILE = "<script>document.title = 'taken'</script><img src=x onerror=alert(1)>"


@pytest.fixture
def memory(tmp_path: Path) -> Iterator[tuple[Mind, Caller]]:
    """A memory that knows of notes."""
    make_table(tmp_path / "home", system_clock)
    with closing(open_mind(tmp_path / "home", "ada", kinds=WITH_NOTES)) as mind:
        with mind.store.write(NOBODY, "test") as work:
            ada = ensure_user(work, "ada").id or 0
        yield mind, Caller(ada, "ada", NOBODY.role, "cursor", 0, is_person=True, presence=Presence.WINDOW)


def noted(server: Running, *texts: str, user_id: int = 0) -> list[str]:
    """Notes, the last one the newest; their ids."""
    rows = [Note(uid=new_id(), user_id=user_id or server.caller.user_id, text=each, caution="") for each in texts]
    with server.mind.store.write(server.caller, "test") as work:
        for age, row in enumerate(reversed(rows)):
            row.created_at = row.updated_at = work.now - timedelta(minutes=age)
            row.client = "tester"
            save(work, row, Action.CREATED)
        return [each.uid for each in rows]


def test_before_there_is_any_the_page_says_what_will_stand_there(server: Running, page: Page) -> None:
    page.goto(f"{server.url}/notes")
    expect(page.get_by_role("heading", name="No notes yet")).to_be_visible()
    expect(page.locator("#nav-notes")).to_have_attribute("aria-current", "page")
    noted(server, WORDS)
    expect(page.get_by_role("link", name=WORDS)).to_be_visible()  # by itself: the page is live


def test_they_are_listed_newest_first_and_read_in_full(server: Running, page: Page) -> None:
    uids = noted(server, "The first", WORDS)
    page.goto(f"{server.url}/notes")
    expect(page.get_by_role("status").filter(has_text="2 notes, newest first")).to_be_visible()
    expect(page.locator("a[data-row]")).to_have_text([WORDS, "The first"])
    page.get_by_role("link", name=WORDS).click()
    expect(page).to_have_url(f"{server.url}/notes/{uids[1]}")
    expect(page.get_by_role("heading", name=WORDS)).to_be_visible()
    expect(page.locator("#thing .prose")).to_have_text(WORDS)


def test_a_long_list_shows_more_when_asked(server: Running, window: httpx.Client) -> None:
    noted(server, *(f"Note number {number}" for number in range(51)))
    first = window.get("/notes").text
    assert first.count("data-row") == 50
    assert 'href="/notes?shown=100"' in first
    whole = window.get("/notes?shown=100").text
    assert whole.count("data-row") == 51
    assert "Show more" not in whole


def test_search_leads_to_it(server: Running, page: Page) -> None:
    (uid,) = noted(server, WORDS)
    page.goto(f"{server.url}/search?q=walrus")
    hit = page.locator(f"#hit-{uid}")
    expect(page.locator(".chip.kind")).to_have_text("Note")
    hit.click()
    expect(page).to_have_url(f"{server.url}/notes/{uid}")


def test_what_instructs_its_reader_says_so_until_it_is_accepted(server: Running, page: Page) -> None:
    (uid,) = noted(server, INSTRUCTION)
    page.goto(server.window_link())
    page.goto(f"{server.url}/notes/{uid}")
    page.get_by_role("button", name="Accept it as it is").click()
    page.locator("#accept").get_by_role("button", name="Accept it").click()
    expect(page.locator(".flagged")).to_have_count(0)
    assert server.call("memory_list_flagged").total == 0


def test_health_leads_to_what_waits(server: Running, window: httpx.Client) -> None:
    (uid,) = noted(server, INSTRUCTION)
    assert f'<a href="/notes/{uid}">Open the note</a>' in window.get("/health").text


def test_it_is_forgotten_from_its_page(server: Running, page: Page) -> None:
    (uid,) = noted(server, WORDS)
    page.goto(server.window_link())
    page.goto(f"{server.url}/notes/{uid}")
    page.get_by_role("button", name="Forget for good").click()
    page.locator("#forget").get_by_role("button", name="Forget for good").click()
    expect(page.get_by_role("heading", name="No notes yet")).to_be_visible()
    answer = page.request.get(f"{server.url}/notes/{uid}")
    assert answer.status == 404


def test_stored_text_is_text(server: Running, page: Page, noise: Noise) -> None:
    (uid,) = noted(server, HOSTILE)
    for path in ("/notes", f"/notes/{uid}"):
        page.goto(f"{server.url}{path}")
        expect(page.get_by_text("document.title").first).to_be_visible()
        assert page.title() != "taken"
        assert page.locator("#content img").count() == 0
    assert noise.requests == []


def test_nobody_sees_anothers(server: Running, window: httpx.Client) -> None:
    with server.mind.store.write(NOBODY, "test") as work:
        bob = ensure_user(work, "bob")
        work.session.flush()
        key = bob.id or 0
    (uid,) = noted(server, WORDS, user_id=key)
    assert WORDS not in window.get("/notes").text
    answer = window.get(f"/notes/{uid}")
    assert answer.status_code == 404
    assert WORDS not in answer.text


@pytest.mark.parametrize("reference", ["nonsense", "%00", "0" * 4_000])
def test_what_is_no_id_is_answered_by_a_page(reference: str, server: Running, window: httpx.Client) -> None:
    del server
    answer = window.get(f"/notes/{reference}")
    assert 400 <= answer.status_code < 500
    assert "<h1" in answer.text
