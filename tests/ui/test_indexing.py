"""The line that says how far the memory is indexed by meaning: there while it is so, gone when it is done."""

import re
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from bigmind.embedding.meaning import Meaning
from bigmind.search.indexer import Indexer
from bigmind.store.sqlite.vectors import SqliteVectors
from tests.memory.rows import START, entry, fact
from tests.memory.tiny_embedder import Tiny, tiny
from tests.ui.serving import Running

pytestmark = [pytest.mark.browser]

MANY = 40


@pytest.fixture
def embedder(server: Running, tmp_path: Path) -> Iterator[Tiny]:
    """Search by meaning, without the thread: the test empties the queue."""
    with tiny(tmp_path) as made:
        store = server.mind.store
        meaning = Meaning(made.embedder, SqliteVectors())
        store.host = replace(store.host, meaning=meaning)
        yield made


def test_the_line_goes_away_when_all_is_indexed(server: Running, embedder: Tiny, page: Page):
    indexer = Indexer(server.mind.store, embedder.embedder)
    while indexer.step():
        pass
    page.goto(f"{server.url}/profile")
    expect(page.locator("#status")).to_contain_text("on this machine")
    expect(page.locator("#indexing")).to_have_count(0)
    with server.mind.store.write(server.caller, "test") as work:
        work.session.add_all(fact(START, f"fact {number}", user_id=server.caller.user_id) for number in range(MANY))
    page.reload()
    line = page.locator("#indexing")
    expect(line).to_have_text(re.compile(r"^[\d,]+ of [\d,]+ items are indexed by meaning$"))
    entries = [entry(START, f"Rule {number}") for number in range(MANY)]
    with server.mind.store.write(server.caller, "test") as work:
        work.session.add_all(entries)
    page.reload()
    expect(line).to_have_text(f"0 of {2 * MANY} items are indexed by meaning")
    before = line.text_content()
    indexer.step()
    expect(line).not_to_have_text(str(before))
    expect(line).to_be_visible()
    while indexer.step():
        pass
    expect(line).to_have_count(0)
