"""The process that embeds searches, too: it finds what the server finds, and the server tells nothing else."""

import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from bigmind.embedding.embedder import Embedder
from bigmind.embedding.meaning import Meaning
from bigmind.local.program import embedder_command
from bigmind.search.engine import Hit, SearchResult
from bigmind.search.finding import find
from bigmind.search.indexer import Indexer
from bigmind.search.process.search_messages import SearchRequest, answer_of, request_of, result_of
from bigmind.search.process.searcher import Searcher
from bigmind.search.ranking import MEASURED
from bigmind.search.scope import SearchQuery, searchable
from bigmind.store.descriptions import ChildCondition, PathCondition, RowCondition
from bigmind.text.excerpts import SearchedWords
from tests.memory.living import Memory, living
from tests.search.embedding.conftest import its_process

QUESTIONS = (
    "Which port does the gateway listen on?",
    "where did the loom move in May",
    "weaving machines",
    "what did Ada say about deploys",
    "getGatewayPort",
    "ateway por",
    "nothing of all this whatsoever",
    "the",
    "ポートは何番ですか",
)
ASKED = (
    ("memory_search_chunks", {}),
    ("memory_search_chunks", {"limit": 1, "project": "engine"}),
    ("memory_semantic_search", {"limit": 20}),
    ("memory_semantic_search", {"kinds": ["fact", "thought"], "since": "2025-01-01T00:00:00Z"}),
    ("query_brain", {}),
)


@dataclass
class Searched:
    """A memory whose searches are made by the process, and by the server where a test says so."""

    memory: Memory
    meaning: Meaning
    embedder: Embedder

    def answer(self, operation: str, **asked: Any) -> dict[str, Any]:
        return self.memory(operation, **asked).model_dump(mode="json", exclude={"log_id", "took_ms"})

    @contextmanager
    def by_the_server(self) -> Iterator[None]:
        store = self.memory.mind.store
        before = store.host
        store.host = replace(before, meaning=Meaning(self.embedder, store.backend.vectors))
        yield
        store.host = before


@pytest.fixture(scope="module")
def searched(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Searched]:
    """The model that comes with BigMind, and things of several kinds."""
    folder: Path = tmp_path_factory.mktemp("searched")
    with living(folder / "home", is_copy=True) as memory:
        store = memory.mind.store
        embedder = Embedder(embedder_command(), folder / "models")
        meaning = Meaning(embedder, store.backend.vectors, process_searches=True)
        store.host = replace(store.host, meaning=meaning)
        fill(memory)
        indexer = Indexer(store, embedder)
        while indexer.step():
            pass
        try:
            yield Searched(memory, meaning, embedder)
        finally:
            embedder.close()


def fill(memory: Memory) -> None:
    for said in (
        "Ada: Which port does the gateway listen on?",
        "On 8443, since the audit. See getGatewayPort in gateway.py.",
        "We moved the loom to another hall on 8 May 2025.",
        "Deploys go out on Tuesdays, said Ada.",
        "Lunch was late again, and nobody minded much about it.",
    ):
        memory("memory_append_chunk", role="user", content=said, flag_reason="kept")
    memory("memory_end_session", one_liner="The gateway and the loom", topics=["gateway"], outcome="over")
    for fact in ("The gateway listens on port 8443.", "Ada prefers looms of oak.", "Deploys need two approvals."):
        memory("memory_store_fact", text=fact, category="project", importance=7)
    memory("contribute", content="Weaving machines stall when the heddle is dry.", category="finding", topic="loom")


@pytest.mark.parametrize(("operation", "more"), ASKED, ids=lambda each: each if isinstance(each, str) else None)
def test_it_finds_what_the_server_finds(searched: Searched, operation: str, more: dict[str, Any]):
    name = "prompt" if operation == "query_brain" else "query"
    for question in QUESTIONS:
        told = searched.answer(operation, **{name: question}, **more)
        with searched.by_the_server():
            assert told == searched.answer(operation, **{name: question}, **more), question
        assert told.get("words_only", "") == "" or "script" in told["words_only"], question


def test_the_server_tells_nothing_that_its_own_snapshot_has_not(searched: Searched):
    memory = searched.memory
    with memory.mind.store.read(memory.caller, "test") as work:
        assert [each.kind for each in find(work, SearchQuery("the heddle of the shuttle", 5), ["fact"]).hits] == []
        later = memory("memory_store_fact", text="The heddle of the shuttle is of brass.", category="project")
        assert find(work, SearchQuery("the heddle of the shuttle", 5), ["fact"]).hits == []
    with memory.mind.store.read(memory.caller, "test") as work:
        assert [each.kind for each in find(work, SearchQuery("the heddle of the shuttle", 5), ["fact"]).hits] == ["fact"]
        memory.as_person()("memory_forget", id=later.fact.id)
        # What was deleted since is not told either, though this unit of work still sees it.
        assert find(work, SearchQuery("the heddle of the shuttle", 5), ["fact"]).hits == []


def test_nobody_finds_what_is_of_another_user(searched: Searched):
    stranger = searched.memory.of("mallory")
    assert stranger("memory_search_chunks", query="Which port does the gateway listen on?").hits == []
    assert stranger("memory_semantic_search", query="looms of oak", kinds=["fact"]).hits == []


def test_a_process_that_is_killed_is_started_again(searched: Searched):
    asked = {"query": "which port does the gateway listen on"}
    expected = searched.answer("memory_search_chunks", **asked)
    process = its_process()
    process.kill()
    process.wait(30)
    answers = [searched.answer("memory_search_chunks", **asked) for _ in range(3)]
    assert all(each["hits"] for each in answers)
    assert all(each == expected or each["words_only"] for each in answers)
    while (again := searched.answer("memory_search_chunks", **asked))["words_only"]:
        assert "model" in again["words_only"]
    assert again == expected


def test_where_the_file_cannot_be_read_the_server_searches(searched: Searched, monkeypatch: pytest.MonkeyPatch):
    asked = {"query": "which port does the gateway listen on"}
    expected = searched.answer("memory_search_chunks", **asked)
    real = SearchRequest.written
    monkeypatch.setattr(SearchRequest, "written", lambda each: real(replace(each, file=f"{each.file}-gone")))
    assert searched.answer("memory_search_chunks", **asked) == expected
    assert expected["words_only"] == ""


def test_a_file_that_is_not_there_is_told_and_not_made(tmp_path: Path, searched: Searched):
    wanted = request(str(tmp_path / "none.db"), searched.memory)
    told = Searcher().answer(NoModel(), {"model": "any", "wanted": wanted.written()})  # pyright: ignore[reportArgumentType]
    assert "unable to open" in told["unsearchable"]
    assert not any(tmp_path.iterdir())


class NoModel:
    """Is never asked."""


def request(file: str, memory: Memory) -> SearchRequest:
    narrowed = (RowCondition("space", "shared"), PathCondition("topic", "a/b"), ChildCondition("tag", "of", "tag", "x"))
    wanted = SearchQuery("ü \U0001f9f6", 3, "engine", datetime(2025, 1, 2, tzinfo=UTC), 4, "other", narrowed)
    kinds = {each.name: searchable(each) for each in memory.mind.store.kinds.searched}
    return SearchRequest(file, 7, datetime(2026, 1, 2, 3, 4, 5, 6, tzinfo=UTC), wanted, kinds, MEASURED, every=True)


def test_a_request_arrives_as_it_was_sent(searched: Searched):
    sent = request("/there", searched.memory)
    assert request_of(sent.written()) == sent


def test_an_answer_arrives_as_it_was_found(searched: Searched):
    memory = searched.memory
    with memory.mind.store.read(memory.caller, "test") as work:
        found = find(work, SearchQuery("the gateway", 5), ["chunk", "session", "fact"], every=True)
    assert {type(each.near) for each in found.hits} > {type(None)}
    assert result_of(answer_of(found)) == found
    nothing = SearchResult([], SearchedWords([]), "no model")
    assert result_of(answer_of(nothing)) == nothing
    with pytest.raises((ValueError, TypeError, KeyError)):
        result_of({"hits": [["fact"]], "sought": [[], []], "words_only": ""})
    assert Hit("fact", 1, 1.0, has_words=True) in result_of(answer_of(SearchResult([Hit("fact", 1, 1.0, True)], found.sought))).hits


def test_the_process_loads_no_mapper():
    loads = (
        "import sys\n"
        "import bigmind.embedding.worker, bigmind.search.process.searcher, bigmind.search.process.search_messages\n"
        "import bigmind.search.engine, bigmind.store.search_file\n"
        "print(*sorted({'sqlalchemy', 'sqlmodel', 'pydantic', 'litestar', 'mcp'} & set(sys.modules)))"
    )
    done = subprocess.run([sys.executable, "-c", loads], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == ""
