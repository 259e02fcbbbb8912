"""What stands on the pages."""

import html
import json
import re
from dataclasses import replace
from pathlib import Path

import httpx
import pytest
from litestar import Litestar
from litestar.testing import TestClient
from playwright.sync_api import Page, expect

from bigmind.backup.files import Reason
from bigmind.backup.service import backup_now
from bigmind.people.service import NOBODY, ensure_user
from tests.ui.data import EVIL
from tests.ui.serving import ARTEFACTS, Running
from tests.ui.years import server, year
from ui.app import static_files

__all__ = ["server", "year"]

pytestmark = pytest.mark.xdist_group("pages")

ESCAPED = "&lt;img src=x onerror=alert(1)&gt;"


@pytest.mark.usefixtures("year")
def test_the_profile_tells_who_and_how_much(client: httpx.Client) -> None:
    answer = client.get("/")
    assert answer.status_code == 200
    assert client.get("/profile").status_code == 200
    text = answer.text
    assert "Principal engineer, platform" in text
    assert "small steps,\nthe truth" in text
    assert "Main repository: github.com/acme/billing" in text
    assert "Prefers small commits" in text
    assert 'aria-valuenow="0.55"' in text
    assert re.search(r"<dd>1,\d{3}</dd>", text), "moments, with a thousands separator"
    assert text.count('<rect class="heat-') - 5 == text.count("<title>") - 1, "every day says its count"


@pytest.mark.usefixtures("year")
def test_the_heatmap_and_the_topics_are_tables_too(client: httpx.Client) -> None:
    text = client.get("/").text
    heat = re.search(r'<table class="visually-hidden">.*?</table>', text, re.DOTALL)
    assert heat is not None
    assert heat.group().count('<th scope="row">') == 53
    days = [int(count) for count in re.findall(r"<td>(\d+)</td>", heat.group())]
    assert sum(days) == int(re.search(r"(\d+) sessions on \d+ days", heat.group())[1])
    assert re.search(
        r'<th scope="row"><a href="/sessions\?topic=postgres".*?<td class="count">\d+</td>', text, re.DOTALL
    )


@pytest.mark.parametrize("path", ["/", "/sessions", "/sessions?topic=%3Cimg%20src%3Dx%20onerror%3Dalert(1)%3E"])
@pytest.mark.usefixtures("year")
def test_stored_text_is_text(client: httpx.Client, path: str) -> None:
    text = client.get(path).text
    assert EVIL not in text
    assert ESCAPED in text


@pytest.mark.usefixtures("year")
def test_the_address_is_text_as_well(client: httpx.Client) -> None:
    for path in ("/sessions", "/sessions/"):
        answer = client.get(path + ("?" if path.endswith("s") else ""), params={"topic": f'"{EVIL}', "project": EVIL})
        assert EVIL not in answer.text


def test_a_new_user_is_shown_how_to_connect(server: Running, client: httpx.Client) -> None:
    text = client.get("/").text
    assert f"{server.url}/mcp" in text
    assert "bigmind mcp" in text
    assert "bigmind token create my-ide<" in text, "a shell would read what stands between < and >"
    assert 'href="/settings#tokens"' in text
    entries = [json.loads(html.unescape(each)) for each in re.findall(r"<pre[^>]*><code>(.*?)</code>", text, re.DOTALL)]
    over_http, over_stdio = (each["mcpServers"]["bigmind"] for each in entries)
    assert over_http["url"] == f"{server.url}/mcp"
    assert over_stdio["args"] == ["mcp"]
    assert "No sessions yet" in client.get("/sessions").text
    page = client.get("/ides").text
    entry = re.findall(r'<pre id="json-stdio"[^>]*><code>(.*?)</code>', page, re.DOTALL)
    assert json.loads(html.unescape(*entry))["mcpServers"]["bigmind"] == over_stdio
    assert "bigmind mcp" not in page, "what a shell reads is no field of a JSON file"


def test_the_foot_says_who_is_connected_who_wrote_last_and_whether_there_is_a_backup(
    server: Running, client: httpx.Client
) -> None:
    foot = client.get("/").text
    assert "0 clients connected" in foot
    assert "No backup yet" in foot
    assistant = replace(server.caller, is_person=False)
    store = server.mind.dispatcher.catalogue.get("memory_store_fact")
    server.mind.dispatcher.run(store, assistant, {"fact": "Cats sleep", "category": "other"})
    backup_now(server.mind.store, Reason.MANUAL)
    foot = client.get("/").text
    assert "1 client connected" in foot
    assert f"by {assistant.client}" in foot
    assert re.search(r"Backup <time [^>]+>just now</time>, verified", foot)
    server.mind.dispatcher.run(store, replace(server.caller, client="browser"), {"fact": "Owls", "category": "other"})
    assert "by you" in client.get("/").text


@pytest.mark.usefixtures("year")
def test_a_filter_that_finds_nothing_says_so(client: httpx.Client) -> None:
    text = client.get("/sessions", params={"topic": "nowhere", "project": "neither"}).text
    assert "No session is about <b>nowhere</b>" in text
    assert "in <b>neither</b>" in text
    assert "Show all sessions" in text


@pytest.mark.usefixtures("year")
def test_sessions_are_filtered_by_topic_and_project(client: httpx.Client) -> None:
    text = client.get("/sessions", params={"topic": "postgres", "project": "checkout-service"}).text
    rows = re.findall(r'<li class="entry">.*?</li>', text, re.DOTALL)
    assert rows
    assert all(">postgres</a>" in row and "· checkout-service" in row for row in rows)
    assert '<option value="postgres" selected>' in text


def test_a_session_shows_its_story_code_facts_and_moments(filled: Running, client: httpx.Client) -> None:
    filled.call("memory_start_session", project="acme")
    filled.call("memory_flag_important", content=f"  kept {EVIL}\n  as it is", flag_reason="why it matters")
    filled.call("memory_store_fact", category="codebase", fact="Born right here", confidence=0.8)
    ended = filled.call(
        "memory_end_session",
        one_liner="Told in full",
        topics=["story"],
        outcome="It works",
        summary="First line\nsecond line",
        key_facts=["A key fact"],
        code_refs=["src/app.py"],
    )
    text = client.get(f"/sessions/{ended.session_id}").text
    for wanted in (
        "Told in full",
        "It works",
        "<p>First line<br>\nsecond line</p>",
        "A key fact",
        "src/app.py",
        "Born right here",
    ):
        assert wanted in text
    assert f"  kept {ESCAPED}\n  as it is" in text
    assert client.get(f"/sessions/{ended.session_id[:8]}").status_code == 200


def test_long_moments_are_cut_and_shown_whole_on_demand(filled: Running, client: httpx.Client) -> None:
    opened = filled.call("memory_start_session")
    filled.call("memory_flag_important", content="x" * 5_000 + "END", flag_reason="long")
    path = f"/sessions/{opened.session_id}"
    assert "END" not in client.get(path).text
    assert "END" in client.get(f"{path}/moments/1").text
    assert client.get(f"{path}/moments/2").status_code == 404


@pytest.mark.parametrize("reference", ["nonsense", "00000000-0000-4000-8000-000000000000", "%3Cscript%3E"])
@pytest.mark.usefixtures("year")
def test_an_unknown_session_is_a_page_that_says_so(client: httpx.Client, reference: str) -> None:
    answer = client.get(f"/sessions/{reference}")
    assert answer.status_code == 404
    assert "There is no such session" in answer.text
    assert '<a class="button" href="/sessions">Sessions</a>' in answer.text
    assert "<script>" not in answer.text.replace("</script>", "")


@pytest.mark.parametrize("path", ["/nowhere", "/sessionsx", "/%3Cscript%3Ealert(1)%3C/script%3E"])
@pytest.mark.usefixtures("year")
def test_an_address_that_leads_nowhere_is_a_page_that_says_so(client: httpx.Client, path: str) -> None:
    answer = client.get(path)
    assert answer.status_code == 404
    assert "There is no page" in answer.text
    assert "<script>alert" not in answer.text


@pytest.mark.parametrize("name", ["none.css", "tokens.css%00", "a" * 5000, "a/" * 3000], ids=len)
@pytest.mark.usefixtures("year")
def test_a_static_file_of_a_name_that_none_can_have_is_not_found(client: httpx.Client, name: str) -> None:
    assert client.get(f"/static/{name}").status_code == 404


@pytest.mark.parametrize(("name", "status", "is_logged"), [("loop", 500, True), ("none", 404, False)])
def test_a_fault_of_the_disk_under_a_static_file_is_logged(
    tmp_path: Path, caplog: pytest.LogCaptureFixture, name: str, status: int, is_logged: bool
) -> None:
    (tmp_path / "loop").symlink_to("loop")  # no name is wrong here: following it fails, as a disk does
    with TestClient(Litestar([static_files(tmp_path)], logging_config=None)) as opened:
        answer = opened.get(f"/static/{name}")
    assert answer.status_code == status
    assert ("/static/loop failed" in caplog.text, "Too many levels" in caplog.text) == (is_logged, is_logged)


@pytest.mark.parametrize("query", ["shown=x", "shown=99999999999", "shown=-3", "shown=%C2%B2", "topic=", "project="])
@pytest.mark.usefixtures("year")
def test_odd_addresses_are_answered(client: httpx.Client, query: str) -> None:
    assert client.get(f"/sessions?{query}").status_code == 200
    assert client.get(f"/sessions/more?{query}").status_code == 200


@pytest.mark.usefixtures("year")
def test_a_cursor_that_is_none_is_explained(client: httpx.Client) -> None:
    assert client.get("/sessions?cursor=nonsense").status_code == 422
    answer = client.get("/sessions/more?cursor=nonsense", headers={"HX-Request": "true"})
    assert answer.status_code == 422
    assert "<html" not in answer.text


@pytest.mark.usefixtures("year")
def test_older_sessions_follow_until_all_are_shown(client: httpx.Client) -> None:
    text = client.get("/sessions?topic=api").text
    total = int(re.search(r"(\d+) sessions?\s+on", text)[1])
    seen = re.findall(r'id="s-([0-9a-f-]{36})"', client.get("/sessions").text)
    more = re.search(r'hx-get="(/sessions/more[^"]+)"', client.get("/sessions").text)[1].replace("&amp;", "&")
    while more:
        text = client.get(more).text
        seen += re.findall(r'id="s-([0-9a-f-]{36})"', text)
        link = re.search(r'hx-get="(/sessions/more[^"]+)"', text)
        more = link[1].replace("&amp;", "&") if link else ""
    assert total > 0
    assert len(seen) == len(set(seen))
    assert f"{len(seen)} of {len(seen)} shown" in text


def test_another_users_session_does_not_exist(filled: Running, client: httpx.Client) -> None:
    with filled.mind.store.write(NOBODY, "test") as work:
        other = ensure_user(work, "bob")
    operation = filled.mind.dispatcher.catalogue.get("memory_start_session")
    theirs = filled.mind.dispatcher.run(
        operation, replace(filled.caller, user_id=other.id or 0, username="bob"), {"project": "secret-project"}
    )
    assert client.get(f"/sessions/{theirs.session_id}").status_code == 404
    for path in ("/", "/sessions", "/sessions?project=secret-project"):
        assert theirs.session_id not in client.get(path).text


@pytest.mark.browser
@pytest.mark.usefixtures("year")
def test_the_filter_works_in_place_and_in_the_address(page: Page) -> None:
    page.goto("/sessions")
    page.evaluate("window.marker = 1")
    page.select_option("#topic", "deploy")
    expect(page.locator("#list-count")).to_contain_text("on deploy")
    page.wait_for_url("**/sessions?topic=deploy")
    assert page.evaluate("window.marker") == 1
    page.go_back()
    expect(page.locator("#list-count")).not_to_contain_text("on deploy")


@pytest.mark.browser
@pytest.mark.usefixtures("year")
def test_no_markup_from_memory_becomes_an_element(page: Page) -> None:
    for path in ("/", "/sessions"):
        page.goto(path)
        assert page.locator("main img").count() == 0
    page.locator(".headline").first.click()
    expect(page.locator("h1")).to_contain_text(EVIL)
    assert page.locator("main img").count() == 0


@pytest.mark.browser
@pytest.mark.usefixtures("year")
def test_a_time_is_exact_on_hover(page: Page) -> None:
    page.goto("/")
    stamp = page.locator(".recent time").first
    assert re.match(r"\w+day, \d{1,2} \w{3} \d{4}, \d\d:\d\d ", stamp.get_attribute("title") or "")
    assert re.match(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$", stamp.get_attribute("datetime") or "")


@pytest.mark.browser
def test_empty_states_and_the_missing_page_look_right(page: Page, server: Running) -> None:
    for name, path in (("empty-profile", "/"), ("empty-sessions", "/sessions")):
        page.goto(path)
        page.locator("#connection[data-state=live]").wait_for()
        page.screenshot(path=ARTEFACTS / f"{name}.png")
    page.goto("/")
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    expect(page.locator("#endpoint")).to_be_hidden()
    page.locator("#by-hand > summary").click()
    page.locator("[data-copies=endpoint]").click()
    expect(page.locator("[data-copies=endpoint]")).to_have_text("Copied")
    assert page.evaluate("navigator.clipboard.readText()") == f"{server.url}/mcp"
