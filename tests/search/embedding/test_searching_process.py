"""The process that embeds searches, too: it finds what the server finds, and the server tells nothing else."""

import subprocess
import sys
import threading
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from bigmind.embedding.embedder import Embedder
from bigmind.embedding.meaning import Meaning
from bigmind.local.program import embedder_command
from bigmind.search import engine
from bigmind.search.engine import Hit, SearchResult
from bigmind.search.finding import find
from bigmind.search.indexer import Indexer
from bigmind.search.process.search_messages import SearchRequest, answer_of, request_of, result_of, written_kinds
from bigmind.search.process.searcher import Searcher
from bigmind.search.ranking import MEASURED
from bigmind.search.scope import SearchQuery, searchable
from bigmind.store import store
from bigmind.store.descriptions import ChildCondition, PathCondition, RowCondition
from bigmind.store.search_process.search_file import SearchFile
from bigmind.store.sqlite import scrub
from bigmind.store.sqlite.driver import sound_driver
from bigmind.text.excerpts import SearchedWords
from tests.memory.living import Memory, living
from tests.patience import patient
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
EVERYTHING = ("chunk", "session", "fact", "thought")


@dataclass
class Searched:
    """A memory whose searches are made by the process, and by the server where a test says so."""

    memory: Memory
    meaning: Meaning
    embedder: Embedder

    def answer(self, operation: str, **asked: Any) -> dict[str, Any]:
        return self.memory(operation, **asked).model_dump(mode="json")

    def find(self, wanted: SearchQuery, kinds: Sequence[str], *, every: bool = False) -> SearchResult:
        with self.memory.mind.store.read(self.memory.caller, "test") as work:
            return find(work, wanted, list(kinds), every=every)

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
    with patient(), living(folder / "home", is_copy=True) as memory:
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
        memory("memory_store_fact", fact=fact, category="decision", confidence=0.9)
    memory("contribute_to_brain", prompt="Learned: weaving machines stall when the heddle is dry.", topic="loom/heddle")


@pytest.mark.parametrize("question", QUESTIONS)
@pytest.mark.parametrize("kinds", [["chunk"], ["fact"], EVERYTHING], ids=len)
def test_it_finds_what_the_server_finds(searched: Searched, question: str, kinds: Sequence[str]):
    shared = RowCondition("space", "shared")
    for wanted, where in (
        (SearchQuery(question, 5), kinds),
        (SearchQuery(question, 1, preferred="engine", since=datetime(2024, 1, 1, tzinfo=UTC)), kinds),
        (SearchQuery(question, 5, narrowed=(shared,)), ["thought"]),
    ):
        for every in (False, True):
            told = searched.find(wanted, where, every=every)
            with searched.by_the_server():
                assert told == searched.find(wanted, where, every=every)
            assert not told.words_only or "script" in told.words_only


def test_a_whole_answer_is_the_servers(searched: Searched):
    asked = {"query": "which port does the gateway listen on", "limit": 3}
    told = searched.answer("memory_semantic_search", **asked)
    with searched.by_the_server():
        assert told == searched.answer("memory_semantic_search", **asked)
    assert len(told["hits"]) == 2


def test_the_server_tells_nothing_that_its_own_snapshot_has_not(searched: Searched, monkeypatch: pytest.MonkeyPatch):
    for each in (store, scrub):
        monkeypatch.setattr(each, "LOG_TRIES", 2)  # forgetting waits for the reader of this very test
    memory = searched.memory
    wanted = SearchQuery("brass in the shuttle", 5)
    with memory.mind.store.read(memory.caller, "test") as work:
        before = find(work, wanted, ["fact"], every=True)
        later = memory("memory_store_fact", fact="The heddle of the shuttle is of brass.", category="decision")
        seen = {each.key for each in find(work, wanted, ["fact"], every=True).hits}
        assert seen <= {each.key for each in before.hits}
    with memory.mind.store.read(memory.caller, "test") as work:
        (first, *_) = find(work, wanted, ["fact"], every=True).hits
        assert first.has_words
        assert first.key not in seen
        memory.as_person()("memory_forget", id=later.fact.fact_id, kind="fact")
        # What was deleted since is not told either, though this unit of work still sees it.
        assert first.key not in {each.key for each in find(work, wanted, ["fact"], every=True).hits}


def test_nobody_finds_what_is_of_another_user(searched: Searched):
    stranger = searched.memory.of("mallory")
    assert stranger("memory_search_chunks", query="Which port does the gateway listen on?").hits == []
    assert stranger("memory_semantic_search", query="looms of oak", kinds=["fact"]).hits == []


def test_asked_by_many_at_once_it_finds_the_same(searched: Searched):
    alone = [searched.find(SearchQuery(each, 5), ["chunk"]).hits for each in QUESTIONS]
    # Of the words one more stands in each, so that none is known by its vector.
    asked = [SearchQuery(f"{each} really", 5) for each in QUESTIONS]
    with ThreadPoolExecutor(4) as threads:
        found = list(threads.map(lambda each: searched.find(each, ["chunk"]), asked))
        again = list(threads.map(lambda each: searched.find(SearchQuery(each, 5), ["chunk"]).hits, QUESTIONS))
    assert again == alone
    with searched.by_the_server():
        assert found == [searched.find(each, ["chunk"]) for each in asked]


def test_a_process_that_is_killed_is_started_again(searched: Searched):
    asked = {"query": "which port does the gateway listen on"}
    expected = searched.answer("memory_search_chunks", **asked)
    process = its_process()
    process.kill()
    process.wait(30)
    answers = [searched.answer("memory_search_chunks", **asked) for _ in range(3)]
    assert all(each["hits"] for each in answers)
    assert all(each == expected or each["words_only"] for each in answers)
    assert answers[-1] == expected


def test_where_the_file_cannot_be_read_the_server_searches(searched: Searched, monkeypatch: pytest.MonkeyPatch):
    asked = {"query": "which port does the gateway listen on"}
    expected = searched.answer("memory_search_chunks", **asked)
    real = SearchRequest.written
    monkeypatch.setattr(SearchRequest, "written", lambda each: real(each._replace(file=f"{each.file}-gone")))
    assert searched.answer("memory_search_chunks", **asked) == expected
    assert expected["words_only"] == ""


def test_a_file_that_is_not_there_is_told_and_not_made(tmp_path: Path, searched: Searched):
    wanted = request(str(tmp_path / "none.db"), searched.memory)
    told = Searcher().answer(NoModel(), {"model": "any", "wanted": wanted.written()})  # pyright: ignore[reportArgumentType]
    assert "unable to open" in told["unsearchable"]
    assert not any(tmp_path.iterdir())


class NoModel:
    """Is never asked."""


class OneVector:
    """Has the same vector for each question."""

    def __init__(self, vector: bytes) -> None:
        self._vector = vector

    def query(self, text: str) -> bytes:
        del text
        return self._vector


def looks_beside(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The names of the threads that look at a file beside another, from now on."""
    threads: list[str] = []
    look = SearchFile.look_beside

    def looked(self: SearchFile, *given: Any) -> Any:
        threads.append(threading.current_thread().name)
        return look(self, *given)

    monkeypatch.setattr(SearchFile, "look_beside", looked)
    return threads


def asked_alone(searched: Searched, *, is_busy: bool = False) -> dict[str, Any]:
    """What a searcher of its own answers, of the question that the first moment would be."""
    with searched.memory.mind.store.read(searched.memory.caller, "test") as work:
        model, vector = work.session.connection().exec_driver_sql("SELECT model, vector FROM embedding").first()
    told = request(str(searched.memory.mind.store.path), searched.memory)
    told = told._replace(user_id=searched.memory.caller.user_id, wanted=SearchQuery("gateway", 5))
    asked = {"model": model, "wanted": told.written(), "is_busy": is_busy}
    return Searcher().answer(OneVector(vector), asked)  # pyright: ignore[reportArgumentType]


def test_the_file_is_opened_anew_when_its_tables_have_grown(searched: Searched):
    path, searcher = str(searched.memory.mind.store.path), Searcher()
    file = searcher._file(path, 0)
    vectors, connection = file.vectors, file._connection
    assert searcher._file(path, 0)._connection is connection
    assert searcher._file(path, 1) is file
    assert file.vectors is vectors
    assert file._connection is not connection
    file.close()


def test_what_is_near_is_looked_for_beside_unless_others_wait(searched: Searched, monkeypatch: pytest.MonkeyPatch):
    threads = looks_beside(monkeypatch)
    alone = asked_alone(searched, is_busy=True)
    assert threads == []
    assert asked_alone(searched) == alone
    assert threads
    assert threading.current_thread().name not in threads
    assert any(each.near is not None for each in result_of(alone).hits)


class Counted:
    """Has the same vector for each question but the first, which fails; and tells who asked."""

    def __init__(self, vector: bytes) -> None:
        self._vector = vector
        self.threads: list[str] = []

    def query(self, text: str) -> bytes:
        self.threads.append(threading.current_thread().name)
        if len(self.threads) == 1:
            raise MemoryError(text)
        return self._vector


def test_a_vector_is_begun_when_its_question_is_read_and_made_anew_where_that_failed(searched: Searched):
    with searched.memory.mind.store.read(searched.memory.caller, "test") as work:
        name, vector = work.session.connection().exec_driver_sql("SELECT model, vector FROM embedding").first()
    wanted = request(str(searched.memory.mind.store.path), searched.memory)
    wanted = wanted._replace(user_id=searched.memory.caller.user_id, wanted=SearchQuery("gateway", 5))
    asked = {"model": name, "wanted": wanted.written(), "is_busy": True}
    model, searcher = Counted(vector), Searcher()
    searcher.prepare(lambda: model, asked)  # pyright: ignore[reportArgumentType]
    (coming,) = searcher._vectors.values()
    assert isinstance(coming.exception(), MemoryError)
    for _ in range(2):
        searcher.prepare(lambda: model, asked)  # pyright: ignore[reportArgumentType]
        told = searcher.answer(model, asked)  # pyright: ignore[reportArgumentType]
        assert result_of(told).hits
        assert not told["words_only"]
    assert len(model.threads) == 2
    assert threading.current_thread().name not in model.threads


def test_no_look_goes_on_after_an_error_beside_it(searched: Searched, monkeypatch: pytest.MonkeyPatch):
    begun, ended = threading.Event(), threading.Event()

    def near(*_: object) -> None:
        begun.set()
        ended.wait(0.2)  # the error is there first
        ended.set()

    def spoilt(*_: object, **__: object) -> None:
        begun.wait(10)
        raise sound_driver().OperationalError("spoilt")

    monkeypatch.setattr(engine, "_near", near)
    monkeypatch.setattr(engine, "_with_words", spoilt)
    assert "spoilt" in asked_alone(searched)["unsearchable"]
    assert ended.is_set()


def request(file: str, memory: Memory) -> SearchRequest:
    narrowed = (RowCondition("space", "shared"), PathCondition("topic", "a/b"), ChildCondition("tag", "of", "tag", "x"))
    wanted = SearchQuery("ü \U0001f9f6", 3, "engine", datetime(2025, 1, 2, tzinfo=UTC), 4, "other", narrowed)
    kinds = written_kinds({each.name: searchable(each) for each in memory.mind.store.kinds.searched})
    return SearchRequest(file, 0, 7, datetime(2026, 1, 2, 3, 4, 5, 6, tzinfo=UTC), wanted, kinds, MEASURED, every=True)


def test_a_request_arrives_as_it_was_sent(searched: Searched):
    sent = request("/there", searched.memory)
    arrived = request_of(sent.written())
    assert arrived == sent
    assert arrived.searchable() == {each.name: searchable(each) for each in searched.memory.mind.store.kinds.searched}


def test_an_answer_arrives_as_it_was_found(searched: Searched):
    memory = searched.memory
    with memory.mind.store.read(memory.caller, "test") as work:
        found = find(work, SearchQuery("the gateway", 5), EVERYTHING, every=True)
    assert any(each.near is not None for each in found.hits)
    assert result_of(answer_of(found)) == found
    nothing = SearchResult([], SearchedWords([], []), "no model")
    assert result_of(answer_of(nothing)) == nothing
    with pytest.raises((ValueError, TypeError, KeyError)):
        result_of({"hits": [["fact"]], "sought": [[], []], "words_only": ""})
    without = SearchResult([Hit("fact", 1, 1.0, has_words=True)], found.sought)
    assert result_of(answer_of(without)) == without


def test_the_process_loads_no_mapper():
    loads = (
        "import sys\n"
        "import bigmind.embedding.worker, bigmind.search.process.searcher, bigmind.search.process.search_messages\n"
        "import bigmind.search.engine, bigmind.store.search_process.search_file\n"
        "print(*sorted({'sqlalchemy', 'sqlmodel', 'pydantic', 'litestar', 'mcp'} & set(sys.modules)))"
    )
    done = subprocess.run([sys.executable, "-c", loads], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == ""


def test_the_server_loads_nothing_of_the_process():
    loads = (
        "import sys\n"
        "import app.running, bigmind.search.finding\n"
        "parts = {'numpy', 'bigmind.store.search_process.sign_index', 'bigmind.search.process.searcher'}\n"
        "print(*sorted(parts & set(sys.modules)))"
    )
    done = subprocess.run([sys.executable, "-c", loads], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == ""
