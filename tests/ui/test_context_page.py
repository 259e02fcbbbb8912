"""What an assistant sees: the block as it is sent, what a person does about its lines, and the last answers."""

import html
import re
from dataclasses import dataclass, replace

import httpx
import pytest
from playwright.sync_api import Page, expect

from bigmind.core.operation import Caller
from bigmind.wiring import Mind
from tests.ui.acting import act, take_back

EVIL = "<img src=x onerror=alert(1)>"
MINUTE = re.compile(r"loaded \d{4}-\d\d-\d\d \d\d:\d\d")
APOLLO = "example.org/ada/apollo"


@dataclass(frozen=True)
class Agent:
    """A client of Ada's, as the endpoint and the hooks know it."""

    mind: Mind
    caller: Caller

    def __call__(self, operation: str, **arguments: object):
        found = self.mind.dispatcher.catalogue.get(operation)
        assert found is not None
        return self.mind.dispatcher.run(found, self.caller, arguments)

    def given(self, source: str, text: str) -> None:
        self.mind.store.host.activity.note_delivery(self.caller, source, text, lambda _, length: length // 4)


@pytest.fixture
def cursor(mind: Mind, caller: Caller) -> Agent:
    return Agent(mind, replace(caller, client="cursor", is_person=False, project=APOLLO, connection="cursor"))


@pytest.fixture
def facts(cursor: Agent) -> dict[str, str]:
    """Three facts that the context shows; their ids by their first word."""
    said = ("Builds run on Fridays", f"Markup is {EVIL}", "Queues end in -q")
    return {text.split()[0]: cursor("memory_store_fact", category="codebase", fact=text).fact.fact_id for text in said}


def exact(page: str) -> str:
    """The block, as the page shows it whole; its minute is left open."""
    found = re.search(r'<pre id="exact"[^>]*>(.*?)</pre>', page, re.DOTALL)
    assert found is not None
    return MINUTE.sub("loaded", html.unescape(found[1]).removeprefix("\n"))


def shown(client: httpx.Client, of: str = "cursor", project: str = APOLLO) -> str:
    answer = client.get("/context", params={"client": of, "project": project})
    assert answer.status_code == 200
    return answer.text


@pytest.mark.usefixtures("facts")
def test_the_block_is_what_the_answer_to_a_start_holds(client: httpx.Client, cursor: Agent) -> None:
    block = exact(shown(client))
    started = cursor("memory_start_session", project=APOLLO).in_words()
    assert "Builds run on Fridays" in block
    assert block in MINUTE.sub("loaded", started)


def test_every_line_of_it_is_there_to_be_unfolded_with_its_tokens(client: httpx.Client, facts: dict) -> None:
    page = shown(client)
    lines = re.findall(r'<span class="line-text" dir="auto">(.*?)</span>', page, re.DOTALL)
    assert [line for line in map(html.unescape, lines) if line not in exact(page)] == []
    for uid in facts.values():
        assert f'id="line-fact-{uid}"' in page
        unfolded = client.get("/context/line", params={"kind": "fact", "id": uid})
        assert unfolded.status_code == 200
        assert 'action="/actions/memory_edit_fact"' in unfolded.text
        assert "Stored by cursor" in unfolded.text


def test_what_is_pinned_stands_with_the_pinned_and_what_is_hidden_nowhere(client: httpx.Client, facts: dict) -> None:
    pinned = act(client, "memory_place", kind="fact", id=facts["Queues"], placement="pinned", said="Pinned.")
    assert pinned.status_code == 200
    assert re.search(
        r"### 📌 Pinned facts\n- \*\*\[codebase\]\*\* Queues end in -q `[0-9a-f]{8}`", exact(shown(client))
    )
    act(client, "memory_place", kind="fact", id=facts["Builds"], placement="hidden", said="Hidden.")
    page = shown(client)
    assert "Builds run on Fridays" not in exact(page)
    assert f'id="hidden-{facts["Builds"]}"' in page
    assert "more: memory_list_facts" not in exact(page)
    act(client, "memory_place", kind="fact", id=facts["Builds"], placement="automatic", said="Shown again.")
    assert "Builds run on Fridays" in exact(shown(client))


def test_it_is_taken_back_from_the_toast(client: httpx.Client, facts: dict) -> None:
    uid = facts["Builds"]
    undo = {"undo": "memory_place", "undo.kind": "fact", "undo.id": uid, "undo.placement": "automatic"}
    toast = act(client, "memory_place", kind="fact", id=uid, placement="hidden", said="Hidden.", **undo).text
    assert "Builds run on Fridays" not in exact(shown(client))
    assert take_back(client, toast).status_code == 200
    assert "Builds run on Fridays" in exact(shown(client))


def test_a_fact_is_corrected_where_it_stands(client: httpx.Client, facts: dict) -> None:
    assert act(client, "memory_edit_fact", fact_id=facts["Builds"], fact="Builds run on Mondays").status_code == 200
    assert "Builds run on Mondays" in exact(shown(client))


def test_every_kind_of_line_has_a_form_that_corrects_it(client: httpx.Client, cursor: Agent) -> None:
    cursor("memory_update_profile", role="Engineer", preferences="Small steps", pinned_facts=["Works in Berlin"])
    guess = cursor("memory_add_hypothesis", hypothesis="The cache pays off").hypothesis.hypothesis_id
    entry = cursor("memory_promote_to_global", category="standard", title="Commits", content="Small.").entry.entry_id
    open_one = cursor("memory_start_session").session_id
    done = cursor("memory_end_session", one_liner="Cut the build", topics=["ci"], outcome="4 minutes").session_id
    assert done == open_one
    wanted = {
        ("profile", "role"): "memory_edit_profile",
        ("profile", "preferences"): "memory_edit_profile",
        ("pinned", ""): "memory_edit_profile",
        ("hypothesis", guess): "memory_edit_hypothesis",
        ("knowledge", entry): "memory_edit_global",
        ("session", done): "memory_end_session",
    }
    for (kind, uid), operation in wanted.items():
        form = client.get("/context/line", params={"kind": kind, "id": uid}).text
        assert f'action="/actions/{operation}"' in form, kind
        assert (f"kind={kind}&amp;id={uid}" in shown(client)) or kind == "pinned"


def test_a_thought_is_shown_and_opened_and_neither_pinned_nor_hidden(client: httpx.Client, cursor: Agent) -> None:
    text = f"Refunds over 500 EUR need an idempotency key, because the gateway retries. {EVIL}"
    uid = cursor("contribute_to_brain", prompt=text).trace.thought_id
    page = shown(client)
    assert f"### 🧭 Thoughts on this, not read yet\n- {text} `{uid[:8]}`" in exact(page)
    assert EVIL not in page
    assert 'class="share-thought"' in page
    line = re.search(r'<details id="line-thought-0".*?</li>', page, re.DOTALL)
    assert line is not None
    assert "memory_place" not in line[0]
    assert f"/context/line?kind=thought&amp;id={uid}" in line[0]
    unfolded = client.get("/context/line", params={"kind": "thought", "id": uid}).text
    assert "Stored by cursor" in unfolded
    assert f'href="/brain/{uid}"' in unfolded
    assert "<form" not in unfolded


def test_a_session_in_progress_is_opened_and_not_closed_by_correcting_it(client: httpx.Client, cursor: Agent) -> None:
    uid = cursor("memory_start_session").session_id
    form = client.get("/context/line", params={"kind": "session", "id": uid}).text
    assert f'href="/sessions/{uid}"' in form
    assert "memory_end_session" not in form


@pytest.mark.parametrize("given", [{"kind": "fact", "id": "x"}, {"kind": "x", "id": ""}, {}, {"kind": "profile"}])
def test_a_line_that_is_none_is_said(client: httpx.Client, given: dict[str, str]) -> None:
    assert client.get("/context/line", params=given).status_code in {404, 422}


def test_the_last_answers_are_shown_word_for_word_as_text(client: httpx.Client, cursor: Agent) -> None:
    cursor.given("memory_get_context", f"What is known: {EVIL}")
    Agent(cursor.mind, replace(cursor.caller, client="zed")).given("memory_semantic_search", "of another assistant")
    page = shown(client)
    assert EVIL not in page
    assert html.escape(f"What is known: {EVIL}") in page
    assert "of another assistant" not in page
    assert "of another assistant" in shown(client, "zed")


def test_another_person_s_answers_are_not_shown(client: httpx.Client, cursor: Agent) -> None:
    stranger = Agent(cursor.mind, replace(cursor.caller, user_id=cursor.caller.user_id + 1))
    stranger.given("memory_get_context", "a stranger's")
    assert "a stranger's" not in shown(client)


def test_forgetting_clears_what_quoted_it(client: httpx.Client, cursor: Agent, facts: dict) -> None:
    cursor.given("memory_get_context", "They said: Builds run on Fridays")
    assert "They said: Builds run on Fridays" in shown(client)
    forget = replace(cursor, caller=replace(cursor.caller, is_person=True))
    forget("memory_forget", id=facts["Builds"], kind="fact")
    assert "Builds run on Fridays" not in shown(client)


def test_an_empty_memory_teaches(client: httpx.Client) -> None:
    page = client.get("/context").text
    assert "Nothing is stored yet" in page
    assert "Add your role and preferences" in page
    assert 'href="/context"' in client.get("/profile").text


@pytest.mark.browser
def test_pinning_and_hiding_by_keyboard_keeps_the_focus_and_shows_at_once(page: Page, facts: dict) -> None:
    page.goto(f"/context?client=cursor&project={APOLLO}")
    page.locator("#connection[data-state=live]").wait_for()
    page.locator(f"#pin-fact-{facts['Queues']}").focus()
    page.keyboard.press("Enter")
    expect(page.locator(f"#pin-fact-{facts['Queues']}")).to_have_text(re.compile("Unpin"))
    expect(page.locator(f"#pin-fact-{facts['Queues']}")).to_be_focused()
    page.locator(f"#l-fact-{facts['Builds']}").focus()
    page.keyboard.press("Enter")
    page.locator(f"#correct-fact-{facts['Builds']}").fill("Builds run at noon")
    page.keyboard.press("Control+Enter")
    expect(page.locator("#block")).to_contain_text("Builds run at noon")
