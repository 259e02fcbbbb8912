"""The pages of facts and of the profile in a browser: by mouse and by keyboard, live, and taken back."""

import pytest
from playwright.sync_api import Page, expect

from tests.ui.serving import Noise, Running


def stored(server: Running, text: str) -> str:
    return server.call("memory_store_fact", category="decision", fact=text, confidence=0.9).fact.fact_id


def now_says(server: Running, fact: str) -> str:
    return server.call("memory_get_fact_history", fact_id=fact).fact.fact


def test_by_keyboard_a_fact_is_edited_in_place_and_taken_back(server: Running, page: Page) -> None:
    fact = stored(server, "The queue is Rabbit")
    stored(server, "Small steps")
    page.goto("/facts")
    for key in ("j", "j", "Enter"):
        page.keyboard.press(key)
    text = page.locator(f"#text-{fact}")
    expect(text).to_have_value("The queue is Rabbit")
    page.keyboard.press("Tab")
    expect(text).to_be_focused()
    page.keyboard.press("Control+a")
    page.keyboard.type("Nobody saves this")
    page.keyboard.press("Escape")
    page.keyboard.press("Escape")
    expect(page.locator(f"#fact-{fact}")).not_to_have_attribute("open", "")
    expect(page.locator(f"#f-{fact}")).to_be_focused()
    page.keyboard.press("Enter")
    expect(text).to_have_value("The queue is Rabbit")
    text.fill("The queue is Redis")
    page.locator(f"#category-{fact}").press("Enter")
    expect(page.locator("[data-toast]")).to_contain_text("Saved.")
    expect(page.locator("#rows")).to_contain_text("The queue is Redis")
    assert now_says(server, fact) == "The queue is Redis"
    page.get_by_role("button", name="Undo").press("Enter")
    expect(page.locator("#rows")).to_contain_text("The queue is Rabbit")
    assert now_says(server, fact) == "The queue is Rabbit"


def test_a_text_that_nobody_edited_keeps_its_line_ends(server: Running, page: Page) -> None:
    """Only a browser shows what a browser makes of a carriage return."""
    fact = stored(server, "Rabbit\rRedis\nKafka")
    page.goto("/facts")
    page.locator(f"#f-{fact}").click()
    page.locator(f"#category-{fact}").fill("tech")
    page.locator(f"#category-{fact}").press("Enter")
    expect(page.locator("[data-toast]")).to_contain_text("Saved.")
    assert now_says(server, fact) == "Rabbit\rRedis\nKafka"
    page.get_by_role("button", name="Undo").press("Enter")
    expect(page.locator("[data-toast]").last).not_to_contain_text("Saved.")
    assert now_says(server, fact) == "Rabbit\rRedis\nKafka"


def test_by_mouse_one_is_added_put_away_and_forgotten(server: Running, page: Page) -> None:
    old = stored(server, "The queue is Rabbit")
    page.goto("/facts")
    page.locator("#add summary").click()
    page.get_by_label("What is true").fill("The queue is Redis")
    page.get_by_role("button", name="Add it").click()
    expect(page.locator("#rows")).to_contain_text("The queue is Redis")
    expect(page.locator("#add")).not_to_have_attribute("open", "")
    page.locator(f"#f-{old}").click()
    page.locator(f"#fact-{old}").get_by_role("button", name="Archive…").click()
    page.get_by_label("Why").fill("It was replaced")
    page.get_by_label("Replaced by").select_option(label="The queue is Redis")
    page.get_by_role("button", name="Archive", exact=True).click()
    expect(page.locator("#rows")).not_to_contain_text("Rabbit")
    page.locator(".kinds").get_by_text("Archived").click()
    expect(page.locator("#rows")).to_contain_text("Rabbit")
    page.locator(f"#f-{old}").click()
    page.get_by_role("button", name="Forget for good").click()
    expect(page.get_by_role("dialog")).to_contain_text("cannot be brought back")
    page.get_by_role("dialog").get_by_role("button", name="Forget for good").click()
    expect(page.locator("[data-toast]").last).to_contain_text("Forgotten for good")
    expect(page.locator("#rows")).to_contain_text("Nothing archived yet")


def test_several_are_chosen_archived_and_taken_back(server: Running, page: Page) -> None:
    for text in ("The queue is Rabbit", "Rabbit runs on host 3", "Small steps"):
        stored(server, text)
    page.goto("/facts")
    expect(page.locator("#connection")).to_have_attribute("data-state", "live")
    for key in ("j", "j", "x", "j", "x"):
        page.keyboard.press(key)
    stored(server, "Learned meanwhile")
    expect(page.locator("#rows")).to_contain_text("Learned meanwhile")
    expect(page.locator("#rows :checked")).to_have_count(2)
    page.get_by_role("button", name="Archive chosen").press("Enter")
    expect(page.get_by_role("dialog")).to_contain_text("Archive 2 facts?")
    expect(page.get_by_role("dialog").get_by_role("listitem")).to_have_text(
        ["Rabbit runs on host 3", "The queue is Rabbit"]
    )
    page.keyboard.type("We moved to Redis")
    page.keyboard.press("Enter")
    expect(page.locator("[data-toast]")).to_contain_text("2 facts archived.")
    expect(page.locator("#list-head")).to_contain_text("2 facts")
    expect(page.locator("#rows")).not_to_contain_text("Rabbit")
    expect(page.locator("#archive-chosen")).to_be_focused()
    page.keyboard.press("z")
    expect(page.locator("#list-head")).to_contain_text("4 facts")
    expect(page.locator("#rows :checked")).to_have_count(0)
    page.get_by_label("Choose all shown").check()
    expect(page.locator("#rows :checked")).to_have_count(4)


def test_what_an_assistant_learns_appears_and_nobody_loses_what_they_type(server: Running, page: Page) -> None:
    fact = stored(server, "The first")
    page.goto("/facts")
    expect(page.locator("#connection")).to_have_attribute("data-state", "live")
    stored(server, "The second")
    expect(page.locator("#rows")).to_contain_text("The second")
    page.locator(f"#f-{fact}").click()
    page.locator(f"#text-{fact}").fill("Half typed")
    stored(server, "The third")
    expect(page.locator("#list-head")).to_contain_text("3 facts")
    expect(page.locator(f"#text-{fact}")).to_have_value("Half typed")
    page.keyboard.press("Escape")
    page.keyboard.press("Escape")
    expect(page.locator("#rows")).to_contain_text("The third")


def test_the_filter_answers_as_one_types(server: Running, page: Page) -> None:
    stored(server, "About queues")
    stored(server, "About tests")
    page.goto("/facts")
    page.keyboard.press("f")
    page.keyboard.type("queu")
    expect(page.locator("#rows")).not_to_contain_text("About tests")
    expect(page.locator("#rows")).to_contain_text("About queues")
    expect(page.locator("#text")).to_be_focused()
    expect(page).to_have_url(f"{server.url}/facts?text=queu")


def test_the_first_click_behind_the_filter_opens_a_row(server: Running, page: Page) -> None:
    """Leaving the field asked for the list once more, which closed what the click had opened."""
    fact = stored(server, "About queues")
    page.goto("/facts")
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url) if "/facts?" in request.url else None)
    page.keyboard.press("f")
    page.keyboard.type("queu")
    expect(page).to_have_url(f"{server.url}/facts?text=queu")
    page.locator(f"#f-{fact}").click()
    expect(page.locator(f"#text-{fact}")).to_have_value("About queues")
    page.locator("#sort").select_option("oldest")
    expect(page).to_have_url(f"{server.url}/facts?text=queu&sort=oldest")
    assert len(asked) == 2


@pytest.mark.parametrize(
    ("path", "field"), [("/facts", "text"), ("/knowledge", "text"), ("/hypotheses", "text"), ("/brain", "prompt")]
)
def test_back_leads_before_the_words_that_were_typed(server: Running, page: Page, path: str, field: str) -> None:
    stored(server, "About queues")
    server.call("memory_promote_to_global", category="decision", title="Queues", content="All of them are Redis.")
    server.call("memory_add_hypothesis", hypothesis="The queue is slow", confidence=0.5)
    server.call("contribute_to_brain", prompt="The queue of 2 million rows is emptied in 11 minutes by one worker.")
    page.goto("/settings")
    page.goto(path)
    for typed, words in (("que", "que"), ("ue", "queue")):
        page.locator(f"#{field}").press_sequentially(typed)
        expect(page).to_have_url(f"{server.url}{path}?{field}={words}")
    page.go_back()
    expect(page).to_have_url(f"{server.url}/settings")


def test_the_profile_is_edited_in_place_by_keyboard_and_taken_back(server: Running, page: Page) -> None:
    server.call("memory_update_profile", role="Engineer", preferences="Short\nanswers", pinned_facts=["One", "Two"])
    page.goto("/profile")
    page.keyboard.press("e")
    expect(page.locator("#role")).to_be_focused()
    page.keyboard.type("Nobody")
    page.keyboard.press("Escape")
    page.keyboard.press("Escape")
    expect(page.locator("#who-title")).to_have_text("Engineer")
    page.keyboard.press("e")
    expect(page.locator("#role")).to_have_value("Engineer")
    page.locator("#role").fill("Principal engineer")
    page.locator("#preferences").fill("**Long** answers")
    page.locator("#pinned").fill("Only this one")
    page.locator("#role").press("Enter")
    expect(page.locator("#who-title")).to_have_text("Principal engineer")
    expect(page.locator("#who .prose strong")).to_have_text("Long")
    expect(page.locator(".pinned")).to_have_text("Only this one")
    page.get_by_role("button", name="Undo").click()
    expect(page.locator("#who-title")).to_have_text("Engineer")
    expect(page.locator(".pinned li")).to_have_text(["One", "Two"])
    told = server.call("memory_update_profile")
    assert (told.preferences, told.pinned_facts) == ("Short\nanswers", ["One", "Two"])


def test_badges_unfold_and_stay_so_while_the_page_is_brought_up_to_date(server: Running, page: Page) -> None:
    server.call("memory_start_session", project="acme")
    page.goto("/profile")
    expect(page.locator("#connection")).to_have_attribute("data-state", "live")
    page.locator("#badges summary").click()
    expect(page.locator(".badge-list .ahead").first).to_be_visible()
    expect(page.locator(".badge-list .ahead").first).to_have_css("position", "static")  # not over the page's heading
    stored(server, "The first of all")
    expect(page.locator(".badge-row")).to_contain_text("First fact")
    expect(page.locator(".badge-list .ahead").first).to_be_visible()


def test_what_was_saved_in_another_tab_meanwhile_is_shown_before_it_is_replaced(
    server: Running, page: Page, noise: Noise
) -> None:
    fact = stored(server, "The queue is Rabbit")
    page.goto(f"/facts/{fact}")
    page.keyboard.press("e")
    text = page.get_by_label("What it says")
    text.fill("The queue is Kafka")
    server.call("memory_edit_fact", fact_id=fact, fact="The queue is Redis")
    page.get_by_role("button", name="Save").click()
    expect(page.get_by_role("alert")).to_contain_text("changed meanwhile to “The queue is Redis”")
    expect(text).to_have_value("The queue is Kafka")
    assert now_says(server, fact) == "The queue is Redis"
    page.get_by_role("button", name="Save").click()
    expect(page.locator("[data-toast]")).to_contain_text("Saved.")
    assert now_says(server, fact) == "The queue is Kafka"
    assert [each for each in noise.console if "409" not in each] == []  # the browser tells of the refusal
    noise.console.clear()


def test_without_scripts_a_row_leads_to_the_page_of_its_fact(server: Running, page: Page) -> None:
    fact = stored(server, "The queue is Rabbit")
    browser = page.context.browser
    assert browser is not None
    plain = browser.new_context(base_url=server.url, java_script_enabled=False)
    reader = plain.new_page()
    reader.goto(server.link())
    reader.goto("/facts")
    reader.locator("[data-row]").click()
    expect(reader.get_by_text("Loading …")).to_be_hidden()
    reader.get_by_role("link", name="Open this fact").click()
    reader.wait_for_url(f"**/facts/{fact}")
    plain.close()
