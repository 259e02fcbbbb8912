"""The page Usage over the recorded month: its numbers, pictures with their tables, exports, and a run's course."""

import csv
import io
import json
import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import APIResponse, Browser, Page, expect

from bigmind.trust.count_sheet import CountedUsage, UsageQuery
from bigmind.trust.measures import MEASURES, Theme
from bigmind.trust.usage_report import usage_report
from tests.thorough import THOROUGH
from tests.trust.month import FIRST, LAST, Month
from tests.ui.serving import ARTEFACTS, Noise, Running, serving

pytestmark = [pytest.mark.browser, pytest.mark.xdist_group("month")]

OVERFLOW = "document.documentElement.scrollWidth - document.documentElement.clientWidth"
RANGE = f"since={FIRST}&until={LAST}"
SHOWN = [each for each in Theme if each.name not in {"PEOPLE", "SERVER"}]


@pytest.fixture(scope="module")
def server(month: Month) -> Iterator[Running]:
    with serving(month.memory.mind, month.person) as running:
        yield running


@pytest.fixture(scope="module")
def signed_in(chromium: Browser, server: Running) -> Iterator[tuple[Page, Noise]]:
    context = chromium.new_context(base_url=server.url, viewport={"width": 1360, "height": 900})
    page, noise = context.new_page(), Noise(server.url)
    noise.watch(page)
    page.goto(server.link())
    yield page, noise
    context.close()


@pytest.fixture
def page(signed_in: tuple[Page, Noise]) -> Iterator[Page]:
    page, noise = signed_in
    page.set_viewport_size({"width": 1360, "height": 900})
    yield page
    assert (noise.console, noise.requests) == ([], [])


@pytest.fixture
def counted(month: Month) -> CountedUsage:
    with month.memory.mind.store.read(month.memory.caller, "test") as work:
        return usage_report(work, UsageQuery(FIRST, LAST)).counted


def at(page: Page, path: str) -> None:
    page.goto(path)
    page.locator("#connection[data-state=live]").wait_for()


def cells(page: Page, section: str) -> dict[str, dict[str, str]]:
    """A table of counts: of each row, each column's cell."""
    table = page.locator(f"{section} table.counts").first
    titles = table.locator("thead th").all_inner_texts()
    rows = table.locator("tbody tr").all()
    return {
        row.locator("th").inner_text(): dict(zip(titles[1:], row.locator("td").all_inner_texts(), strict=True))
        for row in rows
    }


def test_each_number_of_the_tables_is_the_counted_one(page: Page, counted: CountedUsage) -> None:
    at(page, f"/usage?{RANGE}")
    for theme in SHOWN:
        shown = cells(page, f"[aria-labelledby=theme-{theme.name.lower()}]")
        assert set(shown) == set(counted.by_client)
        for client, row in shown.items():
            for each in MEASURES.values():
                if each.theme is theme:
                    assert row[each.title] == f"{counted.by_client[client][each.name]:,}", (client, each.name)


def test_what_lies_outside_of_the_gates_is_told(page: Page, counted: CountedUsage) -> None:
    at(page, f"/usage?{RANGE}")
    told = dict(
        zip(page.locator("#outside dt").all_inner_texts(), page.locator("#outside dd").all_inner_texts(), strict=True)
    )
    for name in ("server_stops", "server_kills", "pauses", "hooks_altered", "terminal_tokens"):
        assert told[MEASURES[name].title] == f"{counted.totals[name]:,}"
    assert told["Conversations without a hook"] == f"{counted.totals['without_hook']:,}"
    window, passphrase = counted.totals["yes_in_window"], counted.totals["yes_by_passphrase"]
    expect(page.locator("#approvals header")).to_contain_text(f"{window} in the app’s window, {passphrase} with")


def test_each_bar_and_each_table_beneath_is_of_its_day(page: Page, counted: CountedUsage) -> None:
    at(page, f"/usage?{RANGE}&by=day")
    panel = page.locator(".panel").filter(has_text="codex").first
    panel.locator("summary").click()
    steps = counted.by_step(1)["codex"]
    rows = panel.locator("tbody tr").all()
    assert [row.locator("th").inner_text() for row in rows] == [each.isoformat() for each in sorted(steps)]
    names = ("sessions_by_model", "sessions_by_hook", "never_started", "questions", "contributions")
    names += ("gates_at_once", "gates_after_refusal", "gates_forced", "tokens_served")
    for row, day in zip(rows, sorted(steps), strict=True):
        assert row.locator("td").all_inner_texts() == [f"{steps[day][name]:,}" for name in names]
    drawn = panel.locator("svg").nth(1).locator("rect")
    asked = [day for day in sorted(steps) if steps[day]["questions"]] + [
        day for day in sorted(steps) if steps[day]["contributions"]
    ]
    assert drawn.count() == len(asked)
    titles = panel.locator("svg title").all_text_contents()
    assert {"Conversations", "Brain", "Gates", "Tokens served"} <= set(titles)
    assert all(panel.locator("svg desc").all_text_contents())


def test_the_filter_narrows_it_and_stands_in_the_address(page: Page, counted: CountedUsage) -> None:
    at(page, f"/usage?{RANGE}")
    page.locator("#client").select_option("codex")
    expect(page.locator(".panel")).to_have_count(1)
    page.wait_for_url("**client=codex**")
    shown = cells(page, "[aria-labelledby=theme-brain]")
    assert shown["codex"]["Questions"] == f"{counted.by_client['codex']['questions']:,}"
    expect(page.locator("#commits-found")).to_contain_text("commit")


def test_the_exports_are_files_with_the_same_numbers(page: Page, counted: CountedUsage) -> None:
    at(page, f"/usage?{RANGE}")
    answers: dict[str, APIResponse] = {}
    for ending in ("csv", "json"):
        address = page.locator(f"a[href*='export.{ending}']").get_attribute("href")
        answers[ending] = page.request.get(address or "")
        assert f'filename="bigmind_usage.{ending}"' in answers[ending].headers["content-disposition"]
    rows = list(csv.DictReader(io.StringIO(answers["csv"].text())))
    assert sum(int(row["count"]) for row in rows) == sum(counted.counts.values())
    told = json.loads(answers["json"].text())
    assert told["totals"] == {name: counted.totals[name] for name in MEASURES if counted.totals[name]}
    assert len(told["rows"]) == len(rows)


def test_a_run_has_its_course_drawn_and_told(page: Page) -> None:
    at(page, f"/usage?{RANGE}")
    forced = page.locator("#runs li").filter(has_text="INCOMPLETE").locator("a")
    forced.click()
    page.wait_for_url("**/usage/runs/*")
    expect(page.locator("h1")).to_have_text(re.compile(r"2026-03-30-session-02"))
    listed = page.locator("#course tbody tr").all()
    rows = [" ".join(row.locator("th, td.left").all_inner_texts()[1:]) for row in listed]
    assert "CONTEXT_RETRIEVAL refused" in rows
    assert "CONTEXT_RETRIEVAL forced" in rows
    assert "CONTEXT_RETRIEVAL made good" in rows
    assert page.locator("svg.timeline use").count() == len(rows)
    assert "forced" in (page.locator("svg.timeline desc").text_content() or "")


def test_the_links_of_days_keep_what_was_chosen(page: Page) -> None:
    at(page, "/usage?days=365")
    page.locator("#client").select_option("codex")
    link = page.locator("#ranges").get_by_role("link", name="90 days")
    expect(link).to_have_attribute("href", re.compile("client=codex"))
    link.click()
    page.wait_for_url("**/usage?*client=codex*")
    expect(page.locator("#client")).to_have_value("codex")
    expect(page.locator("#ranges [aria-current]")).to_have_text("90 days")


def test_no_run_of_another_is_shown(page: Page) -> None:
    assert page.request.get("/usage/runs/nonsense").status == 404


@pytest.mark.parametrize(("width", "scheme"), [(360, "light"), (360, "dark"), (1360, "light"), (1360, "dark")])
def test_it_fits_its_window_in_both_themes(page: Page, width: int, scheme: str) -> None:
    page.emulate_media(color_scheme="dark" if scheme == "dark" else "light")
    page.set_viewport_size({"width": width, "height": 900})
    for name, path in (("usage", f"/usage?{RANGE}"), ("usage-month-empty", "/usage?since=2020-01-01&until=2020-01-31")):
        at(page, path)
        expect(page.locator("#commits-found")).not_to_contain_text("Looking")
        assert page.evaluate(OVERFLOW) == 0, name
        if THOROUGH:
            page.screenshot(path=ARTEFACTS / f"{name}-{scheme}-{width}.png", full_page=True)
    page.locator("body").press("Escape")
    at(page, f"/usage?{RANGE}")
    page.locator("#runs li a").nth(1).click()
    page.wait_for_url("**/usage/runs/*")
    assert page.evaluate(OVERFLOW) == 0
    if THOROUGH:
        page.screenshot(path=ARTEFACTS / f"usage-run-{scheme}-{width}.png", full_page=True)
    page.emulate_media(color_scheme="light")


@pytest.mark.parametrize("path", ["/usage?since=nonsense&until=2026-13-45", "/usage?days=999999999", "/usage?by=%00"])
def test_an_address_that_says_nothing_counts_as_not_given(page: Page, path: str) -> None:
    at(page, path)
    expect(page.locator("#clients header")).to_contain_text("to")
