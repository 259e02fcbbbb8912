"""A page is one record: the navigation, the routes and what a browser may ask for follow from it."""

import re
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest
from jinja2 import ChoiceLoader, DictLoader
from litestar import get
from litestar.handlers import HTTPRouteHandler

from bigmind.core.operation import Caller
from bigmind.http.api import AnyRequest
from bigmind.wiring import Mind
from tests.ui.serving import serving
from ui.page import EVERYWHERE, Page
from ui.pages import PAGES
from ui.render import STATIC, environment
from ui.shell import Html
from ui.site import Site

TEMPLATES = STATIC.parent / "templates"
HTMX = {"HX-Request": "true"}
OFFER = "tools_list"
"""An operation that no page of ours offers."""


def garden_routes(site: Site) -> list[HTTPRouteHandler]:
    @get("/garden")
    async def garden(request: AnyRequest) -> Html:
        return await site.shell.page(request, "garden.html", "garden", lambda work: {"beds": work.caller.username})

    return [garden]


GARDEN = Page("garden", "Garden", "/garden", "q", garden_routes, offers=frozenset({OFFER}), group="Outside")
TEMPLATE = '{% extends "base.html" %}{% block content %}<p>The beds of {{ beds }}</p>{% endblock %}'


@pytest.fixture
def visitor(memory: tuple[Mind, Caller], monkeypatch: pytest.MonkeyPatch) -> Iterator[httpx.Client]:
    """A browser that is signed in where there is one more page."""
    kept = environment().loader
    assert kept is not None
    monkeypatch.setattr(environment(), "loader", ChoiceLoader([DictLoader({"garden.html": TEMPLATE}), kept]))
    with (
        serving(*memory, (*PAGES, GARDEN)) as server,
        httpx.Client(base_url=server.url, follow_redirects=True, trust_env=False) as client,
    ):
        assert client.get(server.link()).status_code == 200
        yield client


def test_one_record_makes_a_page(visitor: httpx.Client) -> None:
    shown = visitor.get("/garden")
    assert shown.status_code == 200
    assert "The beds of ada" in shown.text
    assert '<a id="nav-garden" href="/garden" data-key="q" aria-current="page">Garden</a>' in shown.text
    assert "<small>Outside</small>" in shown.text
    assert "Garden</th><td><kbd>g</kbd> <kbd>q</kbd>" in shown.text, "among the keys"
    assert 'id="nav-garden"' in visitor.get("/facts").text


def test_a_browser_may_ask_for_what_it_offers(visitor: httpx.Client) -> None:
    token = re.search(r'name="form_token" value="([0-9a-f]{64})"', visitor.get("/garden").text)
    assert token is not None
    sent = {"form_token": token[1]}
    assert visitor.post(f"/actions/{OFFER}", data=sent, headers=HTMX).status_code == 200


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_a_page_offers_what_its_own_forms_name(page: Page, mind: Mind) -> None:
    file = Path(page.routes.__code__.co_filename)
    files = [file] if file.parent.name == "pages" else sorted(file.parent.glob("*.py"))
    module = "\n".join(each.read_text(encoding="utf-8") for each in files)
    own = _with_parts(re.findall(r'"([\w/]+\.html)"', module)) - _with_parts(["base.html"])
    words = {word for each in own for word in re.findall(r"\w+", (TEMPLATES / each).read_text(encoding="utf-8"))}
    names = {each.name for each in mind.dispatcher.catalogue}
    assert own, "its templates"
    assert words & names - EVERYWHERE == page.offers - EVERYWHERE


def test_what_stands_around_every_page_is_offered_everywhere() -> None:
    around = (TEMPLATES / "base.html").read_text(encoding="utf-8")
    assert [name for name in sorted(EVERYWHERE) if name not in around] == []


def test_no_two_pages_share_a_name_an_address_or_a_key() -> None:
    for field in ("name", "path", "key"):
        values = [getattr(each, field) for each in PAGES]
        assert len(set(values)) == len(values), field


def _with_parts(templates: list[str]) -> set[str]:
    """They, and all that they include."""
    found: set[str] = set()
    while templates:
        name = templates.pop()
        if name not in found and (TEMPLATES / name).is_file():
            found.add(name)
            templates += re.findall(r"""["']([\w/]+\.html)["']""", (TEMPLATES / name).read_text(encoding="utf-8"))
    return found
