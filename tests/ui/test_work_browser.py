"""Work in a browser: made, moved and confirmed by mouse and by keyboard; live while two assistants move items."""

import threading
from collections.abc import Iterator

import httpx
import pytest
from playwright.sync_api import Locator, Page, expect

from tests.ui.hands import Hand, Keys, Mouse
from tests.ui.serving import Noise, Running
from tests.ui.work_items import CONTENT, SECOND, Run, claimed, handed_over, runner

pytestmark = [pytest.mark.browser, pytest.mark.xdist_group("work")]

TITLE = "Round refunds to the cent"
OTHER = "Retry the gateway with an idempotency key"
BOTH = pytest.mark.parametrize("kind", [Mouse, Keys], ids=["mouse", "keys"])
"""By mouse alone, and by keyboard alone."""


@pytest.fixture
def run(server: Running) -> Run:
    return runner(server.mind, server.caller)


@pytest.fixture
def person(server: Running, page: Page) -> Page:
    """The page as BigMind's own window shows it."""
    page.goto(server.window_link())
    return page


@pytest.fixture
def reviewed(run: Run) -> str:
    slug = run("work_create_task", title=TITLE, type="solo", description="Off by a cent.", slug="pay-1").slug
    claimed(run, TITLE, "cursor", slug)
    handed_over(run, TITLE, "cursor", slug)
    return slug


def at_rest(page: Page, path: str) -> None:
    page.goto(path)
    page.locator("#connection[data-state=live]").wait_for()
    page.locator("#content").focus()


def state_of(server: Running, slug: str) -> str:
    return server.call("work_get_task", slug=slug).context.state


def column(page: Page, state: str) -> Locator:
    return page.locator(f"#column-{state}")


@BOTH
def test_an_item_is_made_and_edited(person: Page, kind: type[Hand]) -> None:
    hand = kind(person)
    at_rest(person, "/work")
    hand.press(person.get_by_role("button", name="New item"))
    dialog = person.locator("#add")
    hand.write(dialog.locator("#add-name"), TITLE)
    hand.choose(dialog.locator("#add-type"), "solo")
    hand.write(dialog.locator("#add-description"), "Off by a cent.")
    hand.press(dialog.get_by_role("button", name="Make it"))
    expect(column(person, "pending").locator(".item")).to_have_count(1)
    hand.press(person.locator(".item-title"))
    person.wait_for_url("**/work/round-refunds-to-the-cent")
    person.locator("#connection[data-state=live]").wait_for()
    hand.press(person.locator("#edit > summary"))
    hand.write(person.locator("#edit-topic"), "pay/refunds")
    hand.press(person.locator("#edit").get_by_role("button", name="Save"))
    expect(person.locator("#about-title")).to_have_text("pay/refunds")
    hand.press(person.locator("#add-field > summary"))
    hand.write(person.locator("#field-name"), "abstract_ref")
    hand.write(person.locator("#field-value"), "docs/a.md")
    hand.press(person.locator("#add-field").get_by_role("button", name="Add"))
    expect(person.locator(".dna")).to_contain_text("docs/a.md")
    hand.holds()


AHEAD = """edit => new Promise(told => {
  edit.addEventListener("toggle", () => setTimeout(() => told(document.activeElement.id)));
  edit.open = true;
  edit.querySelector("#edit-topic").focus();
})"""


def test_who_is_in_a_field_before_an_edit_has_opened_stays_there(person: Page, reviewed: str) -> None:
    """The event of opening comes a moment later; it took what was typed ahead into the first field."""
    at_rest(person, f"/work/{reviewed}")
    assert person.locator("#edit").evaluate(AHEAD) == "edit-topic"


@BOTH
def test_what_waits_is_completed_with_one_press(server: Running, person: Page, reviewed: str, kind: type[Hand]) -> None:
    hand = kind(person)
    at_rest(person, "/waiting")
    button = person.get_by_role("button", name="Complete")
    expect(button).to_be_enabled()
    hand.press(button)
    expect(person.locator("#items")).to_contain_text("Nothing to confirm")
    expect(person.locator("#nav-waiting .chip")).to_have_count(0)
    assert state_of(server, reviewed) == "complete"
    hand.holds()


def test_a_yes_has_no_focus_by_itself_and_takes_nothing_in_its_first_second(
    server: Running, person: Page, reviewed: str
) -> None:
    person.clock.install(time=0)
    person.clock.pause_at(1_000)
    at_rest(person, "/waiting")
    button = person.get_by_role("button", name="Complete")
    expect(button).to_be_disabled()
    expect(button).not_to_be_focused()
    asked: list[str] = []
    person.on("request", lambda request: asked.append(request.url) if request.method == "POST" else None)
    button.dispatch_event("click")
    button.focus()
    person.keyboard.press("Enter")
    person.get_by_label("Note (optional)").first.press("Enter")
    person.clock.run_for(900)
    button.dispatch_event("click")
    assert asked == []
    assert state_of(server, reviewed) == "review"
    person.clock.run_for(200)
    expect(button).to_be_enabled()
    button.click()
    expect(person.locator("#items")).to_contain_text("Nothing to confirm")
    assert len(asked) == 1


def test_a_yes_that_another_change_came_before_rests_anew(person: Page, run: Run, reviewed: str) -> None:
    at_rest(person, "/waiting")
    button = person.get_by_role("button", name="Complete")
    expect(button).to_be_enabled()
    run("work_update_dna", by="cursor", slug=reviewed, fields={"abstract_ref": "docs/a.md"})
    expect(person.locator(".dna")).to_contain_text("docs/a.md")
    expect(button).to_be_disabled()
    expect(button).to_be_enabled()
    button.click()
    expect(person.locator("#items")).to_contain_text("Nothing to confirm")


@pytest.mark.usefixtures("reviewed")
def test_in_a_browser_the_passphrase_is_asked_for_each_time(server: Running, page: Page, noise: Noise) -> None:
    phrase = "walruses sleep in water"
    with httpx.Client(base_url=server.url) as window:
        window.get(server.window_link())
        headers = {"HX-Request": "true", "BigMind-Form-Token": form_token(window)}
        window.post("/actions/passphrase_set", data={"passphrase": phrase, "again": phrase}, headers=headers)
    at_rest(page, "/waiting")
    fields = page.locator(".yes-form").first.locator("[name=your_passphrase]")
    page.get_by_role("button", name="Complete").click()  # the browser itself says that the field is empty
    fields.fill("something else")
    page.get_by_role("button", name="Complete").click()
    expect(page.locator(".yes-form .fault")).to_be_visible()
    noise.console.clear()  # the browser tells of the refusal, as it should
    expect(fields).to_have_value("")
    fields.fill(phrase)
    page.get_by_role("button", name="Complete").click()
    expect(page.locator("#items")).to_contain_text("Nothing to confirm")


def form_token(client: httpx.Client) -> str:
    return client.get("/work").text.partition('name="form_token" value="')[2][:64]


@BOTH
def test_a_card_is_moved_by_its_button(server: Running, person: Page, run: Run, kind: type[Hand]) -> None:
    run("work_create_task", title=TITLE, type="solo", slug="pay-1")
    hand = kind(person)
    at_rest(person, "/work")
    hand.press(person.get_by_role("link", name="Move…"))
    dialog = person.locator("#moving")
    expect(dialog).to_contain_text("What assistants can do")
    expect(dialog).to_contain_text("The brain was asked about it")
    hand.choose(dialog.locator("#dialog-blocked"), "blocked")
    hand.write(dialog.locator("#dialog-blocked-blocked_reason"), "The vendor has to answer")
    expect(dialog.get_by_role("button", name="Move")).to_be_enabled()
    hand.press(dialog.get_by_role("button", name="Move"))
    expect(column(person, "blocked").locator(".item")).to_have_count(1)
    expect(dialog).to_be_hidden()
    assert state_of(server, "pay-1") == "blocked"
    hand.holds()


def test_a_card_is_dragged_to_a_state(server: Running, person: Page, run: Run, reviewed: str) -> None:
    run("work_create_task", title=OTHER, type="solo", slug="pay-2")
    at_rest(person, "/work")
    column(person, "review").locator(".item").drag_to(column(person, "rework"))
    dialog = person.locator("#moving")
    expect(dialog.locator("#dialog-rework")).to_be_checked()
    dialog.get_by_role("button", name="Move").click()
    expect(column(person, "rework").locator(".item")).to_have_count(1)
    assert state_of(server, reviewed) == "rework"
    column(person, "pending").locator(".item").drag_to(column(person, "active"))
    expect(dialog).to_contain_text("can move it to active")
    expect(dialog.get_by_role("link", name="Open the brain")).to_be_visible()
    person.keyboard.press("Escape")
    expect(dialog).to_be_hidden()
    assert state_of(server, "pay-2") == "pending"


def test_a_refused_move_says_what_is_missing_and_leads_there(person: Page, run: Run, noise: Noise) -> None:
    run("work_create_task", title=TITLE, type="solo", slug="pay-1")
    at_rest(person, "/work")
    person.get_by_role("link", name="Move…").click()
    dialog = person.locator("#moving")
    dialog.locator("#dialog-blocked").check()
    dialog.get_by_role("button", name="Move").click()
    fault = dialog.locator(".fault")
    expect(fault).to_contain_text("blocked_reason is written")
    noise.console.clear()
    fault.get_by_role("link", name="Write the field").click()
    person.wait_for_url("**/work/pay-1#fields")


def test_without_scripts_a_card_leads_to_a_form_that_moves_it(server: Running, page: Page, reviewed: str) -> None:
    browser = page.context.browser
    assert browser is not None
    plain = browser.new_context(base_url=server.url, java_script_enabled=False)
    bare = plain.new_page()
    bare.goto(server.window_link())
    bare.goto("/work?process=solo")
    bare.get_by_role("link", name="Move…").click()
    bare.locator("#here-rework").check()
    bare.get_by_label("Why (optional, in the ledger)").fill("Tests are missing")
    bare.locator("#moves").get_by_role("button", name="Move").click()
    assert state_of(server, reviewed) == "rework"
    plain.close()


@BOTH
def test_a_process_is_checked_and_taken_and_items_led_over(
    person: Page, run: Run, kind: type[Hand], noise: Noise
) -> None:
    run("work_take_process", text=CONTENT, replaces=0)
    run("work_create_task", title="Announce the release", type="content")
    hand = kind(person)
    at_rest(person, "/work/processes")
    hand.write(person.locator("#text"), SECOND.replace("to: published", "to: nowhere"))
    hand.press(person.get_by_role("button", name="Check it"))
    expect(person.locator("#offer .fault")).to_contain_text("there is no state 'nowhere'")
    noise.console.clear()
    hand.write(person.locator("#text"), SECOND)
    hand.press(person.get_by_role("button", name="Check it"))
    expect(person.locator(".offer .warning")).to_contain_text("falls away")
    take = person.get_by_role("button", name="Take it")
    expect(take).to_be_enabled()
    hand.press(take)
    person.wait_for_url("**/work/processes/content")
    person.locator("#connection[data-state=live]").wait_for()
    lead = person.get_by_role("button", name="Lead 1 item over")
    expect(lead).to_be_enabled()
    hand.press(lead)
    expect(person.locator("#migrate")).to_have_count(0)
    hand.holds()


def test_a_document_is_read_from_its_file(person: Page) -> None:
    at_rest(person, "/work/processes")
    person.locator("#file").set_input_files(
        {"name": "content.yaml", "mimeType": "text/yaml", "buffer": CONTENT.encode()}
    )
    expect(person.locator("#text")).to_have_value(CONTENT)


@BOTH
def test_the_roles_of_an_assistant_are_set(server: Running, person: Page, kind: type[Hand]) -> None:
    server.call("token_create", client="codex")
    hand = kind(person)
    at_rest(person, "/work/assistants")
    card = person.locator(".agent", has=person.get_by_role("heading", name="codex"))
    box = card.get_by_label("qa")
    box.click() if kind is Mouse else box.press("Space")
    save = card.get_by_role("button", name="Save")
    expect(save).to_be_enabled()
    hand.press(save)
    expect(card).to_contain_text("as you said")
    expect(card.get_by_label("qa")).not_to_be_checked()


@pytest.fixture
def agents(server: Running) -> Iterator[list[httpx.Client]]:
    """Two assistants with tokens of their own, over HTTP."""
    opened = []
    for name in ("codex", "cursor"):
        token = server.call("token_create", client=name).token
        headers = {"Authorization": f"Bearer {token}", "Mcp-Session-Id": name}
        opened.append(httpx.Client(base_url=server.url, headers=headers))
    yield opened
    for each in opened:
        each.close()


def test_the_board_follows_two_assistants_that_move_items(page: Page, run: Run, agents: list[httpx.Client]) -> None:
    titles = [TITLE, OTHER]
    for number, title in enumerate(titles):
        run("work_create_task", title=title, type="solo", slug=f"pay-{number}")
    at_rest(page, "/work?process=solo")
    expect(column(page, "pending").locator(".item")).to_have_count(2)

    def work(client: httpx.Client, number: int) -> None:
        def call(name: str, **given: object) -> dict:
            answer = client.post(f"/api/v1/{name}", json=given)
            assert answer.status_code == 200, answer.text
            return answer.json()

        session = call("query_brain", prompt=f"{titles[number]}: what is known?")["trace"]["session_id"]
        call("work_transition", slug=f"pay-{number}", to="active", fields={"memory_query_session": session})

    threads = [threading.Thread(target=work, args=(client, number)) for number, client in enumerate(agents)]
    for each in threads:
        each.start()
    for each in threads:
        each.join()
    expect(column(page, "active").locator(".item")).to_have_count(2)
    expect(column(page, "active")).to_contain_text("codex")
    expect(column(page, "active")).to_contain_text("cursor")
    expect(column(page, "pending").locator(".item")).to_have_count(0)


@pytest.mark.usefixtures("reviewed")
def test_what_is_typed_stays_while_an_assistant_hands_over(person: Page, run: Run) -> None:
    at_rest(person, "/waiting")
    note = person.get_by_label("Note (optional)").first
    note.fill("Half typed")
    note.focus()
    run("work_create_task", title=OTHER, type="solo", slug="pay-2")
    claimed(run, OTHER, "codex", "pay-2")
    handed_over(run, OTHER, "codex", "pay-2")
    expect(person.locator("#nav-waiting .chip")).to_contain_text("2")
    expect(note).to_have_value("Half typed")
