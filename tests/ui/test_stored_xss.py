"""Strings by the hundred in every field that a page shows: none runs, none loads anything, all is text and seen."""

from collections.abc import Iterator
from pathlib import Path
from urllib.parse import quote, urlencode

import pytest
from playwright.sync_api import Browser

from bigmind.paths import log_file
from tests.thorough import often, spread
from tests.ui.serving import Running, opened, serving
from tests.ui.xss import FOUND_BY, PLANTED, STRINGS, Trap, batches, plant
from ui.page import Page as Record
from ui.pages import PAGES
from ui.show.markdown import rendered
from ui.show.visible_html import visible_html

pytestmark = [pytest.mark.browser, pytest.mark.xdist_group("xss")]

LEAST_FOUND = 250
LEAST_SHOWN = often(100, 40)
LEAST_ROWS = often(30, 10)
LINES_AROUND = 3
"""Of a file, beside what would be changed."""
CONNECTED = often(10, 3)
OF_ONE = {
    "/facts": ("", "/unfolded"),
    "/hypotheses": ("",),
    "/knowledge": ("", "?edit=1"),
    "/brain": ("",),
    "/work": ("", "/moves", "?to=nowhere"),
}
LISTS = ("/sessions", "/facts", "/hypotheses", "/knowledge", "/brain", "/work")
FILTERS = (
    "q",
    "prompt",
    "tag",
    "text",
    "topic",
    "project",
    "client",
    "category",
    "status",
    "kind",
    "sort",
    "role",
    "to",
)


@pytest.fixture(scope="module")
def planted(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Running, list[str]]]:
    """A memory that is full of them, and the sessions that hold many."""
    with opened(tmp_path_factory.mktemp("xss") / "home") as (mind, caller):
        with mind.store.write(caller, "plant") as work:
            sessions = plant(work)
        with serving(mind, caller) as running:
            yield running, sessions


@pytest.fixture(scope="module")
def trap(chromium: Browser, planted: tuple[Running, list[str]]) -> Iterator[Trap]:
    """A browser that enforces no policy: what holds must hold by itself."""
    context = chromium.new_context(viewport={"width": 1360, "height": 900}, bypass_csp=True)
    page = context.new_page()
    trap = Trap(page)
    trap.set()
    page.goto(planted[0].link())
    yield trap
    context.close()


@pytest.fixture(autouse=True)
def nothing_is_sprung(trap: Trap) -> Iterator[None]:
    trap.sprung.clear()
    yield
    assert not (found := trap.found()), found


def test_as_many_are_tried_as_security_says() -> None:
    text = (Path(__file__).parents[2] / "SECURITY.md").read_text(encoding="utf-8")
    assert f"{len(STRINGS)} hostile strings in every field" in text


def test_the_trap_knows_them_when_they_are_more_than_text(trap: Trap) -> None:
    found = trap.page.evaluate(
        """all => all.filter(text => {
            const html = `<body><p>${text}</p><a title="${text}" class='${text}'>x</a></body>`;
            return springs.inspect(new DOMParser().parseFromString(html, 'text/html')).length > 0;
        }).length""",
        list(STRINGS),
    )
    assert found >= LEAST_FOUND
    trap.page.evaluate("document.body.insertAdjacentHTML('beforeend', '<img src=x onerror=trap(1)>')")
    trap.page.wait_for_function("() => springs.sprung.length > 0")
    assert "run" in trap.page.evaluate("springs.sprung.splice(0)")[0]
    trap.sprung.clear()


def test_each_of_them_rendered_as_markdown_is_harmless(trap: Trap) -> None:
    documents = [visible_html(f'<body><div class="prose">{rendered(text)}</div></body>') for text in STRINGS]
    trap.sprung += trap.page.evaluate(
        """all => all.flatMap((html, place) => springs.inspect(new DOMParser().parseFromString(html, 'text/html'))
            .map(each => `${place}: ${each}`))""",
        documents,
    )


@pytest.mark.parametrize("entry", PAGES, ids=lambda entry: entry.name)
def test_a_page_shows_them_as_text(trap: Trap, planted: tuple[Running, list[str]], entry: Record) -> None:
    trap.unseen = set(PLANTED)
    trap.visit(planted[0].url + entry.path)
    if entry.path in LISTS:
        assert len(PLANTED) - len(trap.unseen) >= LEAST_SHOWN


def test_a_session_shows_them_in_its_story_and_its_moments(trap: Trap, planted: tuple[Running, list[str]]) -> None:
    running, sessions = planted
    trap.unseen = set(PLANTED)
    for session in sessions:
        trap.visit(f"{running.url}/sessions/{session}")
        trap.fetch([f"/sessions/{session}/moments/{seq}" for seq in (7, 14)])
    assert trap.unseen == set()


@pytest.mark.parametrize("path", spread(LISTS[1:], 2))
def test_a_thing_of_its_own_page_is_text_too(trap: Trap, planted: tuple[Running, list[str]], path: str) -> None:
    trap.page.goto(f"{planted[0].url}{path}")
    rows = trap.page.locator("main [data-row]").evaluate_all("all => all.map(each => each.id.replace(/^.-/, ''))")
    assert len(rows) >= LEAST_ROWS
    trap.fetch([f"{path}/{row}{also}" for row in rows[:LEAST_ROWS] for also in OF_ONE[path]])


def test_what_an_edit_would_change_is_text(trap: Trap, planted: tuple[Running, list[str]]) -> None:
    trap.page.goto(f"{planted[0].url}/knowledge")
    entry = trap.page.locator("main [data-row]").first.evaluate("each => each.pathname.split('/').pop()")
    for batch in batches(PLANTED):
        trap.post(f"/knowledge/{entry}/changes", title=batch[0], content="\n\n".join(batch), category=batch[1])


def test_what_an_import_would_change_is_text(trap: Trap, tmp_path: Path) -> None:
    """From one memory into another, both of this test's own: an import takes what operations take, and no more."""
    file = tmp_path / "<img src=x onerror=trap(1)>'\".json"
    page = trap.page.context.new_page()
    with opened(tmp_path / "one") as memory, serving(*memory) as full:
        for batch in batches(PLANTED):
            full.call("memory_update_profile", role=batch[0], pinned_facts=batch)
            full.call("memory_store_fact", category=batch[0][:40], fact="\n".join(batch)[:2_000], confidence=0.9)
            full.call("memory_add_hypothesis", hypothesis="\n".join(batch)[:2_000])
            full.call("memory_promote_to_global", category="glossary", title=batch[1][:100], content="\n".join(batch))
        full.call("memory_export", output_path=str(file))
    with opened(tmp_path / "two") as memory, serving(*memory) as empty:
        elsewhere = Trap(page)
        elsewhere.set()
        page.goto(empty.link())
        page.goto(f"{empty.url}/portable")
        for path, answer in ((file, ".job.done"), (f"{file}.missing", ".fault")):
            page.locator("#path").fill(str(path))
            page.get_by_role("button", name="Show what would change").click()
            page.locator(f"#import-told {answer}").wait_for()
            elsewhere.look()
        page.close()
    trap.sprung += elsewhere.sprung


def test_what_stands_in_the_log_is_text(trap: Trap, planted: tuple[Running, list[str]]) -> None:
    running = planted[0]
    log = log_file(running.mind.store.home)
    log.parent.mkdir(exist_ok=True)
    log.write_text("\n".join(f"2026-11-22 08:00:00 ERROR {text}" for text in STRINGS), encoding="utf-8")
    trap.visit(f"{running.url}/health")
    trap.fetch(["/health/log"])


def test_what_stands_in_the_files_of_clients_and_in_their_names_is_text(
    trap: Trap, planted: tuple[Running, list[str]], tmp_path: Path
) -> None:
    """Shown with what would be changed, refused, connected and told."""
    running, asked = planted[0], []
    for number, batch in enumerate(batches(PLANTED, LINES_AROUND)):
        named = "".join(each for each in batch[0] if each.isprintable()).replace("/", "|")
        folder = tmp_path / f"{number} {named[:60]}"
        folder.mkdir()
        (folder / "AGENTS.md").write_text("\n".join(each.replace("\n", " ") for each in batch), encoding="utf-8")
        here = {"client": "agents-md", "workspace": str(folder)}
        asked.append(here)
        if number < CONNECTED:
            running.call("clients_install", **here, plan=running.call("clients_show", **here).plan)
            asked += [here | {"remove": "true"}, {"client": batch[0], "workspace": batch[-1]}]
    trap.visit(f"{running.url}/ides")
    trap.fetch([f"/ides/plan?{urlencode(each)}" for each in asked])
    trap.act("clients_install", **asked[-1], plan=running.call("clients_show", **asked[-1]).plan)
    trap.visit(f"{running.url}/ides")
    assert trap.page.locator("#ides-told .job.done").count() == 1
    trap.act("clients_install", client=STRINGS[0], workspace=STRINGS[1], plan="0" * 64)
    trap.visit(f"{running.url}/ides")
    assert (
        trap.page.locator("#ides-told .fault").count() == 0
    )  # the form's answer told it, and was looked at as it came


@pytest.mark.parametrize("kind", spread(["chunk", "session", "fact", "hypothesis", "knowledge", "thought"], 3))
def test_what_a_search_finds_is_text(trap: Trap, planted: tuple[Running, list[str]], kind: str) -> None:
    trap.visit(f"{planted[0].url}/search?{urlencode({'q': FOUND_BY, 'kind': kind})}")


def test_what_is_typed_into_an_address_is_text(trap: Trap) -> None:
    for batch in batches(PLANTED, 40):
        asked = urlencode(dict.fromkeys(FILTERS, " ".join(batch)))
        trap.fetch([f"{path}?{asked}" for path in (*LISTS, "/search")])
        trap.fetch([f"{path}/{quote('-'.join(batch).replace('/', '|'), safe='')}" for path in ("", *LISTS)])


def test_what_an_action_says_is_text(trap: Trap) -> None:
    for batch in batches(PLANTED, 40):
        said = "\n".join(batch)
        undo = {"undo": "memory_edit_profile", "undo.role": said, "undo.preferences": batch[0]}
        trap.act("memory_edit_profile", role=said, said=said, **undo)
        trap.act("memory_add_hypothesis", hypothesis=said, confidence=said)
        trap.act("memory_accept", id=batch[0], then=said)
        trap.post("/actions/portable/import", path=batch[0], mode=batch[1])
        trap.act(batch[0])


def test_an_edit_leaves_what_nobody_sees_as_it_is_and_shows_it(trap: Trap, planted: tuple[Running, list[str]]) -> None:
    """In the browser: what it sends of a field that nobody touched is its own doing."""
    running, text = planted[0], "Paid by \u202eada\u202c.\n\U000e0041\x1b[8m\x9b\ttold"
    stored = running.call("memory_store_fact", category="te\u2066ch", fact=text, confidence=0.5).fact
    fact, page = stored.fact_id, trap.page
    trap.visit(f"{running.url}/facts/{fact}")
    told = page.locator(f"#edit-{fact} .unseen")
    assert told.all_text_contents()[0].endswith("Paid by \ufffdada\ufffd.\n\ufffd\ufffd[8m\ufffd\ttold")
    assert told.all_text_contents()[1].endswith("te\ufffdch")
    page.locator(f"#confidence-{fact}").select_option("0.9")
    for button, confidence in (("Save", 0.9), ("Undo", 0.5)):
        page.get_by_role("button", name=button).click()
        page.locator("[data-toast]", has_text="Saved." if button == "Save" else "Undone").wait_for()
        now = running.call("memory_get_fact_history", fact_id=fact).fact
        assert (now.fact, now.category, now.confidence) == (text, stored.category, confidence)
    trap.look()
