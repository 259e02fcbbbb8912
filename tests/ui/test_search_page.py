"""What the search page answers, with no browser at work: this is the page as it is without JavaScript, too."""

import re
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from html import unescape

import httpx
import pytest
from sqlmodel import col, update

from bigmind.memory.answers import NO_SUCH_ID
from bigmind.memory.tables import Chunk
from tests.ui.data import EVIL
from tests.ui.searched import CHOICE, EVERY_FIELD, as_bob, searched
from tests.ui.serving import Running

pytestmark = pytest.mark.xdist_group("search page")

IN_PLACE = {"HX-Request": "true", "HX-Target": "found"}


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    """One for all of the tests here: what they add to it, none of the others looks for."""
    with searched(tmp_path_factory.mktemp("searched") / "home") as running:
        yield running


def settled(server: Running) -> str:
    """The id of the session in which psycopg was settled on."""
    found = server.call("memory_list_sessions", limit=100).sessions
    return next(each.session_id for each in found if each.one_liner == "Settled on psycopg for good")


def kinds(page: str) -> list[str]:
    """The kinds of the results, in their order."""
    return re.findall(r'<span class="chip kind" data-kind="(\w+)">', page)


def status(page: str) -> str:
    """What is said about the results as a whole."""
    return re.search(r'id="found-count"[^>]*>([^<]*)<', page)[1]


def test_every_kind_is_found_with_its_source_and_the_match_marked(server: Running, client: httpx.Client) -> None:
    session = settled(server)
    answer = client.get("/search", params={"q": "psycopg"})
    assert answer.status_code == 200
    text = answer.text
    assert sorted(kinds(text)) == ["fact", "hypothesis", "session", "session"]
    assert status(text) == "4 found, best first"
    assert f'href="/sessions/{session}?after=56#moment-61">We chose <mark>psycopg</mark> 3 over asyncpg' in text
    assert re.search(r"<time [^>]+>just now</time> · moment 61 · kept for: decision<", text)
    assert re.search(r"<time [^>]+>just now</time> · checkout-service · by cursor", text)
    assert re.search(r"in <a [^>]+>Settled on psycopg for good</a>", text), "a fact says where it was learned"
    for page in ("facts", "hypotheses"):
        link = re.search(rf'<a id="hit-[^"]+" data-row href="(/{page}/[0-9a-f-]{{36}})">', text)
        assert client.get(link[1]).status_code == 200, "what has a page of its own leads there"
    assert f'href="/sessions/{session}">Settled on <mark>psycopg</mark> for good</a>' in text
    assert 'value="psycopg"' in text


def test_an_older_fact_leads_to_the_newer_one_that_may_contradict_it(server: Running, client: httpx.Client) -> None:
    for day in ("Monday", "Friday"):
        newer = server.call(
            "memory_store_fact", category="decision", fact=f"Quokka deploys go out on {day}"
        ).fact.fact_id
    hits = client.get("/search", params={"q": "quokka"}).text.split('<li class="hit">')[1:]
    told = f'<a class="chip warn" href="/facts/{newer}">a newer fact may contradict this</a>'
    assert {("Monday" in each, told in each) for each in hits} == {(True, True), (False, False)}
    assert client.get(f"/facts/{newer}").status_code == 200


def test_a_refuted_hypothesis_says_so(server: Running, client: httpx.Client) -> None:
    said = server.call("memory_add_hypothesis", hypothesis="Numbats are slow because of the cache")
    text = client.get("/search", params={"q": "numbats"}).text
    assert "refuted</span>" not in text
    told = {"id": said.hypothesis.hypothesis_id, "status": "refuted", "resolution": "The cache was warm"}
    server.call("memory_resolve_hypothesis", **told)
    assert '<span class="chip warn">refuted</span>' in client.get("/search", params={"q": "numbats"}).text


def test_a_mistyped_word_is_looked_for_by_the_nearest_and_the_page_says_so(client: httpx.Client) -> None:
    text = client.get("/search", params={"q": "psycpog"}).text
    assert "Nothing that was searched has “psycpog”; looked for “psycopg”." in text
    assert "<mark>psycopg</mark>" in text


def test_a_question_for_a_time_is_answered_with_its_sessions(client: httpx.Client) -> None:
    text = client.get("/search", params={"q": "What did we do today?"}).text
    assert status(text).endswith(f" of {datetime.now(UTC).date()} (UTC), newest first")
    assert set(kinds(text)) == {"session"}


def test_a_moment_far_down_stands_on_the_page_that_it_is_linked_to(server: Running, client: httpx.Client) -> None:
    session = settled(server)
    page = client.get(f"/sessions/{session}?after=56").text
    assert 'id="moment-61"' in page
    assert CHOICE in page
    assert 'id="moment-56"' not in page
    assert "Show the moments from the first on" in page
    assert "Show the moments from the first on" not in client.get(f"/sessions/{session}").text


FILTERED = [
    ({"kind": "moment"}, ["session", "session"]),
    ({"kind": "fact"}, ["fact"]),
    ({"kind": "session"}, ["session"]),
    ({"kind": "hypothesis"}, ["hypothesis"]),
    ({"kind": "knowledge"}, []),
    ({"project": "platform-tools"}, ["session"]),
    ({"project": "platform-tools", "kind": "moment"}, ["session"]),
    ({"project": "elsewhere"}, []),
]


def test_results_are_filtered(client: httpx.Client) -> None:
    for filters, expected in FILTERED:
        page = client.get("/search", params={"q": "psycopg", **filters}).text
        assert kinds(page) == expected, filters
        if "kind" in filters:
            assert f'value="{filters["kind"]}" checked' in page
        if "project" in filters:
            assert f'<option value="{filters["project"]}" selected>' in page


def test_a_profile_is_found_and_leads_to_its_page(server: Running, client: httpx.Client) -> None:
    server.call("memory_update_profile", role="Falconer", pinned_facts=["Keeps a gyrfalcon"])
    as_bob(server).call("memory_update_profile", role="Breeds a gyrfalcon")
    for filters in ({}, {"kind": "profile"}):
        text = client.get("/search", params={"q": "gyrfalcon", **filters}).text
        assert kinds(text) == ["profile"]
        assert '<span class="field">Pinned fact:</span> <a id="hit-profile" data-row href="/profile">' in text
        assert "Keeps a <mark>gyrfalcon</mark>" in text
    assert re.search(r'data-kinds="[^"]*\bprofile\b', text), "it follows what changes"
    assert 'value="profile" checked' in text


def test_what_is_older_than_asked_for_is_left_out(server: Running, client: httpx.Client) -> None:
    kept_ago(server, timedelta(days=40))
    for since, count in (("", 2), ("year", 2), ("month", 1), ("week", 1)):
        page = client.get("/search", params={"q": "psycopg", "kind": "moment", "since": since}).text
        assert len(kinds(page)) == count, since
        assert f'<option value="{since}" selected>' in page
    kept_ago(server, timedelta())


def kept_ago(server: Running, ago: timedelta) -> None:
    """As if the choice had been kept so long ago."""
    with server.mind.store.write(server.caller, "test") as work:
        work.session.exec(update(Chunk).where(col(Chunk.content) == CHOICE).values(created_at=work.now - ago))


def test_where_nothing_is_kept_there_is_nothing_to_look_for(new_server: Running) -> None:
    with httpx.Client(base_url=new_server.url) as client:
        client.get(new_server.link())
        assert "Nothing to look for yet" in client.get("/search").text


@pytest.mark.parametrize(
    ("operation", "kept"),
    [
        ("memory_flag_important", {"content": "The gate takes turns", "flag_reason": "decision: it fits its time"}),
        ("memory_store_fact", {"category": "preference", "fact": "The gate takes turns"}),
    ],
)
def test_a_first_thing_kept_can_be_asked_for_before_any_session_has_topics(
    new_server: Running, operation: str, kept: dict[str, str]
) -> None:
    new_server.call(operation, **kept)
    with httpx.Client(base_url=new_server.url) as client:
        client.get(new_server.link())
        page = client.get("/search").text
    assert "Ask the way you would ask a colleague" in page
    assert "Topics you may look for" not in page


def test_what_is_kept_and_never_found_is_nothing_to_ask_for(new_server: Running) -> None:
    stored = new_server.call("memory_store_fact", category="preference", fact="The gate takes turns")
    new_server.call("memory_deprecate_fact", fact_id=stored.fact.fact_id, reason="It takes none any more")
    with httpx.Client(base_url=new_server.url) as client:
        client.get(new_server.link())
        assert "Nothing to look for yet" in client.get("/search").text


def test_nothing_asked_shows_how_to_ask(client: httpx.Client) -> None:
    for query in ("", "?q=", "?q=%20%20%0A"):
        page = client.get(f"/search{query}").text
        assert "Ask the way you would ask a colleague" in page
        assert '<a class="chip" href="/search?q=postgres">postgres</a>' in page
        assert (kinds(page), status(page)) == ([], "")


def test_nothing_found_says_what_to_try_and_why_meaning_had_no_part(client: httpx.Client) -> None:
    page = client.get("/search", params={"q": "gnu <wildebeest>", "kind": "fact"}).text
    assert status(page) == "Nothing found"
    assert status(client.get("/search", params={"q": "00000000"}).text).startswith(NO_SUCH_ID)
    assert "Nothing found for “gnu &lt;wildebeest&gt;”" in page
    assert "Say it in other words" in page
    assert re.search(r'<a href="/search\?q=gnu[^"&]*">Look through everything</a>', page)
    assert "Looked for by words only" in page
    assert "Look through everything" not in client.get("/search", params={"q": "gnu"}).text


def test_more_is_shown_on_demand_up_to_a_hundred(server: Running, client: httpx.Client) -> None:
    for number in range(105):
        server.call("memory_add_hypothesis", hypothesis=f"A parrot, the {number}th, sings")
    page, counts = client.get("/search?q=parrot").text, []
    while more := re.search(r'id="load-more" class="button" href="([^"]+)"', page):
        counts.append(len(kinds(page)))
        page = client.get(unescape(more[1])).text
    assert [*counts, len(kinds(page))] == [20, 40, 60, 80, 100]
    assert status(page) == "The best 100"
    ids = re.findall(r'id="(hit-[^"]+)"', page)
    assert len(ids) == len(set(ids))


def test_what_is_typed_is_answered_in_part_and_with_its_address(client: httpx.Client) -> None:
    asked = {"q": "psycopg", "kind": "", "project": "", "since": ""}
    typed = client.get("/search", params=asked, headers={**IN_PLACE, "HX-Trigger": "asking"})
    assert "<html" not in typed.text
    assert status(typed.text) == "4 found, best first"
    assert typed.headers["HX-Replace-Url"] == "/search?q=psycopg"
    assert "HX-Push-Url" not in typed.headers
    filtered = client.get("/search", params={**asked, "kind": "fact"}, headers={**IN_PLACE, "HX-Trigger": "filters"})
    assert filtered.headers["HX-Push-Url"] == "/search?q=psycopg&kind=fact"
    assert "HX-Replace-Url" not in filtered.headers
    odd = client.get("/search", params={"q": "ä&\r\nX-Evil: 1"}, headers=IN_PLACE)
    assert odd.headers["HX-Replace-Url"] == "/search?q=%C3%A4%26%0D%0AX-Evil%3A+1"


def test_markup_in_any_field_is_text(client: httpx.Client) -> None:
    for params in ({"q": "zebra"}, {"q": EVERY_FIELD}, {"q": "zebra", "project": f"zebra{EVIL}", "kind": EVIL}):
        for headers in ({}, IN_PLACE):
            page = client.get("/search", params=params, headers=headers).text
            for evil in (EVIL, "<script>alert", "<b>bold", "&amp; </mark>"):
                assert evil not in page
            assert "zebra &lt;img src=x onerror=alert(1)&gt;" in re.sub("</?mark>", "", page)
    assert set(kinds(page)) >= {"session", "fact", "hypothesis"}


def test_what_instructs_its_reader_is_named_so(client: httpx.Client) -> None:
    page = client.get("/search", params={"q": "ignore previous instructions", "kind": "moment"}).text
    assert "reads like an instruction (override" in page
    assert page.count("reads like an instruction") == 1


def test_what_another_user_keeps_is_never_found(server: Running) -> None:
    with httpx.Client(base_url=server.url) as client:
        assert client.get(as_bob(server).link()).status_code == 303
        for query in ("psycopg", "zebra", "Settled on psycopg for good", "drivers compared"):
            page = client.get("/search", params={"q": query}).text
            assert f'value="{query}"' in page
            assert kinds(page) == []
            assert 'checkout-service"' not in page
            assert "zebra&lt;" not in page


ODD = ("kind=nonsense", "since=yesterday", "shown=7", "shown=99999999999", "kind=chunk", "project=", "q=%00", "x=1")


def test_odd_addresses_are_answered(client: httpx.Client) -> None:
    for query in ODD:
        for headers in ({}, IN_PLACE):
            assert client.get(f"/search?q=psycopg&{query}", headers=headers).status_code == 200, query


QUERIES = ("a", "*", '"', "AND OR NOT", "foo->bar()", "'; DROP TABLE chunk; --", "🧠", "連", "NEAR(a b)", "x" * 60_000)


def test_any_text_is_a_question(client: httpx.Client) -> None:
    for query in QUERIES:
        page = client.get("/search", params={"q": query})
        assert page.status_code == 200, query[:20]
        assert status(page.text), query[:20]


def test_what_cannot_be_looked_for_is_refused_in_words(client: httpx.Client) -> None:
    for headers in ({}, IN_PLACE):
        answer = client.get("/search", params={"q": "psycopg", "project": "x" * 201}, headers=headers)
        assert answer.status_code == 422
        assert "This cannot be looked for." in answer.text
        assert "at most 200 characters" in answer.text


def test_a_long_question_is_answered_and_says_what_of_it_counts(client: httpx.Client) -> None:
    page = client.get("/search", params={"q": "psycopg " * 700}).text
    assert len(kinds(page)) == 4
    assert "The beginning of so long a question counts most" in page
    assert "The beginning of so long a question" not in client.get("/search", params={"q": "psycopg"}).text


def test_search_needs_a_signed_in_browser(server: Running) -> None:
    with httpx.Client(base_url=server.url) as stranger:
        assert stranger.get("/search?q=psycopg").status_code == 401
