"""Questions that arrive together are answered of one moment of the file, and never of one before they were asked."""

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from io import StringIO
from pathlib import Path
from queue import SimpleQueue
from typing import Any

import pytest

from bigmind.embedding.models import MINILM
from bigmind.embedding.worker import RequestLoop, arrived
from bigmind.search.process.search_messages import SearchRequest, result_of, written_kinds
from bigmind.search.process.searcher import Searcher
from bigmind.search.ranking import MEASURED
from bigmind.search.scope import SearchQuery, searchable
from bigmind.store.sqlite.driver import sound_driver
from tests.memory.living import Memory, living
from tests.search.embedding.one_vector import OneVector


@pytest.fixture
def memory(tmp_path: Path) -> Iterator[Memory]:
    with living(tmp_path / "home", is_copy=True) as memory:
        yield memory


def told(searcher: Searcher, memory: Memory, *, measurings: int = 0, file: str = "") -> set[str]:
    """What a searcher finds of looms, by the texts; or why it finds nothing."""
    kinds = written_kinds(
        {each.name: searchable(each) for each in memory.mind.store.kinds.searched if each.name == "chunk"}
    )
    path = file or str(memory.mind.store.path)
    now = datetime(2026, 1, 2, tzinfo=UTC)
    asked = SearchRequest(
        path, measurings, memory.caller.user_id, now, SearchQuery("looms", 9), kinds, MEASURED, every=True
    )
    request = {"model": MINILM.name, "wanted": asked.written(), "is_busy": True}
    answer = searcher.answer(OneVector(bytes(384)), request)  # pyright: ignore[reportArgumentType]
    if "unsearchable" in answer:
        return {answer["unsearchable"]}
    keys = [each.key for each in result_of(answer).hits]
    with memory.mind.store.read(memory.caller, "test") as work:
        texts = work.session.connection().exec_driver_sql("SELECT id, content FROM chunk").all()
    return {text for key, text in texts if key in keys}


def say(memory: Memory, what: str) -> None:
    memory("memory_append_chunk", role="user", content=what, flag_reason="kept")


def is_reading(searcher: Searcher) -> bool:
    """Whether a transaction of its own is open, which would keep the log from being folded in."""
    assert searcher._opened is not None
    return bool(searcher._opened[1]._connection._opened.connection.in_transaction)


def test_all_questions_of_a_round_are_answered_of_one_moment(memory: Memory) -> None:
    searcher = Searcher()
    say(memory, "Looms of oak.")
    with searcher.round():
        assert told(searcher, memory) == {"Looms of oak."}
        say(memory, "Looms of brass.")
        assert told(searcher, memory) == {"Looms of oak."}
        assert is_reading(searcher)
    assert not is_reading(searcher)
    with searcher.round():
        assert told(searcher, memory) == {"Looms of oak.", "Looms of brass."}


def test_outside_a_round_each_is_answered_of_its_own(memory: Memory) -> None:
    searcher = Searcher()
    say(memory, "Looms of oak.")
    assert told(searcher, memory) == {"Looms of oak."}
    assert not is_reading(searcher)
    say(memory, "Looms of brass.")
    assert told(searcher, memory) == {"Looms of oak.", "Looms of brass."}


def test_a_round_goes_on_after_the_file_was_opened_anew_and_after_one_that_is_gone(memory: Memory) -> None:
    searcher = Searcher()
    say(memory, "Looms of oak.")
    with searcher.round():
        assert told(searcher, memory) == {"Looms of oak."}
        assert told(searcher, memory, measurings=1) == {"Looms of oak."}
        (why,) = told(searcher, memory, file=f"{memory.mind.store.path}-gone")
        assert "unable to open" in why
        assert told(searcher, memory) == {"Looms of oak."}
    assert not is_reading(searcher)


def test_a_fault_at_the_end_of_a_round_is_told_by_none(memory: Memory, monkeypatch: pytest.MonkeyPatch) -> None:
    searcher = Searcher()
    say(memory, "Looms of oak.")
    file = searcher._file(str(memory.mind.store.path), 0)
    real = file.snapshot

    @contextmanager
    def spoilt() -> Iterator[Any]:
        with real() as snapshot:
            yield snapshot
        raise sound_driver().OperationalError("spoilt")

    monkeypatch.setattr(file, "snapshot", spoilt)
    for _ in range(2):
        with searcher.round():
            assert told(searcher, memory) == {"Looms of oak."}


def test_what_has_arrived_is_one_round_and_each_is_answered_at_once() -> None:
    queue: SimpleQueue[dict[str, Any]] = SimpleQueue()
    for number in range(3):
        queue.put({"id": number, "task": "search", "model": "one"})
    answers, events = StringIO(), list[str]()

    @contextmanager
    def together() -> Iterator[None]:
        events.append("opened")
        yield
        events.append("closed")

    def answer(_model: object, request: dict[str, Any]) -> dict[str, Any]:
        events.append(f"{request['id']}, {len(answers.getvalue().splitlines())} told")
        return {}

    serving = RequestLoop(answers, {"search": answer})
    serving._loaded["one"] = OneVector(b"")  # pyright: ignore[reportArgumentType]
    serving.answer(arrived(queue), together)
    assert events == ["opened", "0, 0 told", "1, 1 told", "2, 2 told", "closed"]
    assert queue.empty()
