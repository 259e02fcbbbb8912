"""What a form may do, what its answer says, and what it refuses."""

import asyncio
import re
import sys
import threading
from collections.abc import Coroutine
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from html import unescape
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import httpx
import pytest

import app.core  # noqa: F401 - all that runs is loaded
from bigmind.core.errors import BigMindError
from bigmind.core.operation import Operation
from bigmind.portable.writing.finishing import hand_on
from tests.bench.long_work import write_facts
from tests.memory.test_secrets_scan import SECRET
from tests.ui.files import followed
from tests.ui.serving import Running
from ui.forms.actions import TOKEN_HEADER
from ui.forms.input import arguments_of
from ui.jobs import Job, Jobs
from ui.page import offers_of
from ui.pages import PAGES
from ui.render import STATIC

HTMX = {"HX-Request": "true"}


@pytest.fixture
def token(client: httpx.Client) -> str:
    return re.search(r'name="form_token" value="([0-9a-f]{64})"', client.get("/profile").text)[1]


def act(client: httpx.Client, name: str, token: str, **fields: object) -> httpx.Response:
    return client.post(f"/actions/{name}", data={"form_token": token, **fields}, headers=HTMX)


def test_an_action_is_done_and_said(client: httpx.Client, token: str) -> None:
    done = act(client, "memory_edit_profile", token, role="Engineer", preferences="", said="Saved.")
    assert done.status_code == 200
    assert "Saved." in done.text
    assert "acted" in done.headers["HX-Trigger"]
    assert "Engineer" in client.get("/profile").text


def test_it_can_be_taken_back_by_what_the_form_named(client: httpx.Client, token: str) -> None:
    undo = {"undo": "memory_edit_profile", "undo.role": '"><b>before</b>'}
    said = act(client, "memory_edit_profile", token, role="Engineer", **undo).text
    assert 'action="/actions/memory_edit_profile"' in said
    assert '<input type="hidden" name="role" value="&#34;&gt;&lt;b&gt;before&lt;/b&gt;">' in said


@pytest.mark.parametrize("sent", ["", "0" * 64, "é"])
def test_a_form_of_no_page_of_ours_does_nothing(client: httpx.Client, sent: str) -> None:
    refused = act(client, "memory_edit_profile", sent, role="Mallory")
    assert refused.status_code == 403
    assert "Load it again" in refused.text
    assert "Mallory" not in client.get("/profile").text


def test_without_scripts_it_leads_to_a_page_of_ours_and_nowhere_else(client: httpx.Client, token: str) -> None:
    nowhere = (
        "//elsewhere",
        "https://elsewhere",
        "/\\elsewhere",
        "/a\\b",
        "/a\r\nSet-Cookie: a=b",
        "/\u00e9",
        "/a b",
        "",
    )
    for then, where in [
        ("/facts", "/facts"),
        ("/sessions?topic=a#b", "/sessions?topic=a#b"),
        *((to, "/") for to in nowhere),
    ]:
        done = client.post("/actions/memory_edit_profile", data={"form_token": token, "role": "Engineer", "then": then})
        assert (done.status_code, done.headers["Location"]) == (303, where)


def test_what_is_wrong_is_said_field_by_field(client: httpx.Client, token: str) -> None:
    refused = act(client, "memory_add_hypothesis", token, hypothesis="I believe it leaks", confidence="9<i>")
    assert refused.status_code == 422
    assert "<b>Confidence</b>" in refused.text
    assert "<i>" not in refused.text
    assert act(client, "no_such", token).status_code == 404


def test_a_text_of_blanks_is_refused_in_the_words_of_the_page(client: httpx.Client, token: str) -> None:
    refused = act(client, "memory_store_fact", token, fact="   ", category="decision")
    assert refused.status_code == 422
    told, _, detail = refused.text.partition("<details>")
    assert "<b>Fact</b>: something must stand here" in told
    assert "memory_store_fact" not in told
    assert "memory_store_fact" not in detail
    assert "Fact: given nothing. Expected: something must stand here." in detail


@pytest.mark.parametrize("confidence", [f"it's {SECRET}\nx", f"it's {'so ' * 15}{SECRET}"], ids=["whole", "cut off"])
def test_the_details_of_an_error_are_words_and_hold_no_secret(
    client: httpx.Client, token: str, confidence: str
) -> None:
    refused = act(client, "memory_add_hypothesis", token, hypothesis="It leaks", confidence=confidence)
    detail = unescape(refused.text.partition("<details>")[2])
    assert re.search("Confidence: given “it's .+”. Expected: a number", detail)
    for raw in (SECRET, SECRET[:12], "got ", "memory_add_hypothesis", "\\n"):
        assert raw not in detail


def test_while_it_is_paused_a_form_says_so_and_how_to_go_on(client: httpx.Client, server: Running, token: str) -> None:
    server.mind.store.host.activity.pause(paused=True)
    refused = act(client, "memory_store_fact", token, fact="It rains", category="decision")
    assert refused.status_code == 503
    assert "BigMind is paused, so nothing was stored." in refused.text
    assert "Resume it" in refused.text
    assert "memory_store_fact" not in refused.text


def test_what_takes_long_is_followed_until_it_is_done(client: httpx.Client, token: str) -> None:
    page = act(client, "memory_health_check", token).text
    while following := re.search(r'hx-get="(/jobs/[^"]+)"', page):
        page = client.get(following[1]).text
    assert 'class="job done"' in page
    assert client.get("/jobs/0190aaaa-0000-7000-8000-000000000000", headers=HTMX).status_code == 404


def _operation(server: Running, name: str) -> Operation:
    return next(each for each in server.mind.dispatcher.catalogue if each.name == name)


def test_form_fields_become_the_operations_input(server: Running) -> None:
    ending = _operation(server, "memory_end_session")
    sent = [("one_liner", ""), ("topics.lines", " a \n\nb"), ("topics", "c"), ("importance", ""), ("form_token", "x")]
    assert arguments_of(ending, sent) == {"one_liner": "", "topics": ["a", "b", "c"]}
    assert arguments_of(ending, [("importance", "7")]) == {"importance": "7"}


def test_a_form_may_ask_for_what_a_page_offers_and_for_nothing_else(
    server: Running, client: httpx.Client, token: str
) -> None:
    templates = " ".join(each.read_text(encoding="utf-8") for each in (STATIC.parent / "templates").rglob("*.html"))
    named = set(re.findall(r"\w+", templates))
    names = {each.name for each in server.mind.dispatcher.catalogue}
    offers = offers_of(PAGES)
    assert named & names == offers
    for name in sorted(names - offers):
        refused = act(client, name, token, output_path="~/no.json", path="~/no.json")
        assert refused.status_code == 404, name
    assert client.get("/profile").status_code == 200, "the server was stopped"


def test_no_error_is_made_once_and_raised_again_and_again() -> None:
    """One that is raised keeps its traceback, and with it all that the request held."""
    ours = [each for name, each in list(sys.modules.items()) if name.split(".")[0] in {"app", "bigmind", "ui"}]
    kept = [
        f"{each.__name__}.{name}" for each in ours for name, value in vars(each).items() if isinstance(value, Exception)
    ]
    assert len(ours) > 100
    assert kept == []


def test_undo_works_without_scripts(client: httpx.Client, token: str) -> None:
    fields = {"form_token": token, "role": "Engineer", "undo": "memory_edit_profile", "undo.role": "before"}
    assert client.post("/actions/memory_edit_profile", data=fields).status_code == 303
    toast = client.get("/profile").text.partition('id="toasts"')[2]
    assert 'name="role" value="before"' in toast
    sent = dict(re.findall(r'<input type="hidden" name="([a-z_]+)" value="([^"]*)">', toast))
    assert client.post("/actions/memory_edit_profile", data=sent).status_code == 303
    assert "before" in client.get("/profile").text


def finished(work: Coroutine[Any, Any, None]) -> None:
    """Run it on a loop of its own; this thread's may be a browser's."""
    with ThreadPoolExecutor(1) as pool:
        pool.submit(asyncio.run, work).result()


async def _begun(jobs: Jobs, server: Running, name: str, **given: object) -> Job:
    job = await jobs.start(server.caller, _operation(server, name), given)
    await asyncio.wait_for(job.over.wait(), 60)
    return job


def test_jobs_may_be_looked_at_while_others_begin(server: Running) -> None:
    """Pages are built on threads of their own."""
    jobs = Jobs(server.mind)

    async def look() -> None:
        checked = [await _begun(jobs, server, "memory_health_check") for _ in range(3)]
        # What happens on another thread between one job and the next.
        checked[0].over = SimpleNamespace(is_set=lambda: jobs.forget(checked[2]) or True)
        assert jobs.running(server.caller) == []
        assert jobs.latest_done(server.caller, "memory_health_check") is checked[1]

    finished(look())


def test_what_is_shown_once_is_not_kept_when_nobody_comes_for_it(server: Running) -> None:
    async def wait() -> None:
        gone = asyncio.Event()

        class Watched(Jobs):
            def forget(self, job: Job) -> None:
                super().forget(job)
                gone.set()

        jobs = Watched(server.mind, once_seconds=0)
        job = await _begun(jobs, server, "backup_encrypt")
        assert job.answer is not None, job.error
        await asyncio.wait_for(gone.wait(), 5)
        assert jobs.latest(server.caller, "backup_encrypt") is None

    finished(wait())


def test_a_page_asks_operations_by_the_way_that_everybody_takes(server: Running) -> None:
    dispatcher, agent = server.mind.dispatcher, replace(server.caller, is_person=False)
    with server.mind.store.read(agent, "test") as work:
        assert dispatcher.within(work, _operation(server, "memory_get_stats"), {}).sessions == 0
        with pytest.raises(BigMindError, match="is for people"):
            dispatcher.within(work, _operation(server, "token_list"), {})
        with pytest.raises(BigMindError, match="not valid"):
            dispatcher.within(work, _operation(server, "memory_search_chunks"), {})
        for name in ("memory_edit_profile", "memory_health_check"):
            with pytest.raises(ValueError, match=name):
                dispatcher.within(work, _operation(server, name), {})


def test_what_takes_long_is_cancelled_by_its_button(
    client: httpx.Client, server: Running, token: str, tmp_path: Path
) -> None:
    file = tmp_path / "facts.json"
    write_facts(file, 1_000)
    page = act(client, "portable/import", token, path=str(file)).text
    button = re.search(r'hx-post="(/actions/jobs/[^"]+/cancel)"', page)
    assert button is not None
    form = {"Content-Type": "application/x-www-form-urlencoded", **HTMX}
    assert client.post(button[1], headers=form).status_code == 403  # no page of ours sent it
    page = client.post(button[1], headers={**form, TOKEN_HEADER: token}).text
    assert "Stopping" in page
    while following := re.search(r'hx-get="(/jobs/[^"]+)"', page):
        page = client.get(following[1], headers=HTMX).text
    assert "It was told to stop." in page
    assert server.call("memory_list_facts").facts == []


def test_what_can_no_longer_be_cancelled_says_so(
    client: httpx.Client, server: Running, token: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write_facts(tmp_path / "facts.json", 150)  # more are shown by themselves, when all of them are written
    shown, go = threading.Event(), threading.Event()

    def hand_on_later(*given: Any, **counts: int) -> None:
        shown.set()
        assert go.wait(20)
        hand_on(*given, **counts)

    monkeypatch.setattr("bigmind.portable.importer.hand_on", hand_on_later)
    page = act(client, "portable/import", token, path=str(tmp_path / "facts.json"), mode="merge")
    job = re.search(r'hx-get="(/jobs/[^"]+)"', page.text)
    assert job is not None
    assert shown.wait(20)
    page = client.get(job[1], headers=HTMX)
    assert "/cancel" not in page.text
    assert "This can no longer be canceled" in page.text
    assert "HX-Retarget" not in page.headers  # the button goes with it
    form = {"Content-Type": "application/x-www-form-urlencoded", **HTMX, TOKEN_HEADER: token}
    late = client.post(f"/actions{job[1]}/cancel", headers=form).text  # a click that came too late
    assert "This can no longer be canceled" in late
    assert "Stopping" not in late
    go.set()
    page = followed(client, httpx.Response(200, text=late))[-1]
    assert "This was done before it could be canceled." in page
    assert "is part of your memory now" in page
    assert server.call("memory_list_facts").total == 150
