"""A process that neither answers nor ends is noticed, ended and replaced; what waits is told in words."""

import json
import sys
import threading
from concurrent.futures import ThreadPoolExecutor
from math import inf
from pathlib import Path
from queue import SimpleQueue
from typing import Any

import psutil
import pytest

from bigmind.embedding.embedder import EmbeddingError, State
from bigmind.embedding.environment import offline_environment
from bigmind.embedding.limits import Limits, PendingRequests
from bigmind.embedding.models import DEFAULT
from bigmind.embedding.process import EmbedderProcess
from bigmind.embedding.request_queue import MOST_QUESTIONS, QueuedRequest, RequestQueue
from bigmind.local.program import embedder_command
from tests.search.embedding.conftest import its_process
from tests.search.embedding.test_its_process import ANSWER, LONG, SECONDS, Made, gate, made, program
from tests.waiting_gate import Gate

__all__ = ["gate", "made"]

HUNG = "the embedder's process did not answer"
IMPATIENT = Limits(question=1.0, documents=1.0, thousand_characters=0)
QUESTION = {"task": "query", "model": "a model", "texts": [["", "a question"]]}
DEAF = [sys.executable, "-c", "import threading; threading.Event().wait()  # embedder"]


def test_a_stopped_process_is_ended_and_the_next_request_starts_another(made: Made, tmp_path: Path) -> None:
    embedder = made(embedder_command(), tmp_path, limits=IMPATIENT)
    first = embedder.query(DEFAULT, "one").result(SECONDS)
    stopped = its_process()
    stopped.suspend()
    waiting = [
        embedder.query(DEFAULT, "two"),
        embedder.documents(DEFAULT, [("", LONG)] * 20),  # more than a pipe holds
        embedder.query(DEFAULT, "three"),
    ]
    for each in waiting:
        with pytest.raises(EmbeddingError, match=HUNG):
            each.result(SECONDS)
    stopped.wait(SECONDS)
    assert embedder.state is State.FAILED
    assert HUNG in embedder.failure
    assert embedder.query(DEFAULT, "four").result(SECONDS) != first
    assert embedder.state is State.READY
    assert its_process() != stopped


def test_a_process_that_is_stopped_before_it_has_loaded_is_ended_too(made: Made, tmp_path: Path) -> None:
    embedder = made(DEAF, tmp_path, limits=Limits(question=0.3, documents=0.3, thousand_characters=0, loading=0.3))
    with pytest.raises(EmbeddingError, match=HUNG):
        embedder.documents(DEFAULT, [("", LONG)] * 20).result(SECONDS)


def test_loading_may_take_longer_than_an_answer(made: Made, gate: Gate, tmp_path: Path) -> None:
    body = f"_ = {gate.passing} if request['task'] == 'query' else ''; {ANSWER}"
    embedder = made(program(tmp_path, body), tmp_path, limits=Limits(question=0.2, documents=SECONDS))
    loading = embedder.query("a model", "one")
    with gate.reached(), pytest.raises(psutil.TimeoutExpired):
        its_process().wait(0.6)
    assert loading.result(SECONDS) == b"\1\2\3"
    with pytest.raises(EmbeddingError, match=HUNG):
        embedder.query("a model", "two").result(SECONDS)


def test_one_answer_after_the_other_is_in_time_however_many_wait() -> None:
    limits = Limits(question=SECONDS, documents=SECONDS, loading=0)
    in_hand = PendingRequests(limits)
    for number in range(3):
        in_hand.give(number, {"task": "documents", "model": "a model", "texts": []})
    for number in range(3):
        in_hand.answered(number, is_loaded=True)
    in_hand.answered(7, is_loaded=True)  # which nobody asked
    in_hand.end()
    assert not in_hand.is_late()


def test_long_texts_may_take_longer() -> None:
    def seconds(text: str) -> float:
        return Limits().of({"task": "documents", "texts": [["head", text], ["", text]]})

    assert 60 <= seconds("short") < 61
    assert seconds("a" * 256_000) > 2 * 256
    assert Limits().of(QUESTION) <= 20


def test_what_nobody_waits_for_any_more_is_not_asked_and_what_was_asked_stays(tmp_path: Path) -> None:
    noted = tmp_path / "noted"
    command = program(tmp_path, f"open({str(noted)!r}, 'a').write(request['texts'][0][1] + '\\n'); {ANSWER}")
    environment = offline_environment(tmp_path)
    before = EmbedderProcess(DEAF, environment, None, Limits())
    process = EmbedderProcess(command, environment, before, Limits())  # starts when the one before it has ended
    first, given_up, last = (
        process.ask({**QUESTION, "task": task, "texts": [["", text]]})
        for text, task in (("first", "query"), ("given up", "query"), ("last", "documents"))
    )
    assert given_up.cancel()
    before.end()
    assert first.result(SECONDS)["id"] == 1
    assert last.result(SECONDS)["id"] == 3
    assert not last.cancel()
    process.end()
    assert noted.read_text().split("\n") == ["first", "last", ""]
    assert not process.is_busy


def test_while_one_is_answered_all_but_the_next_one_can_be_given_up(gate: Gate, tmp_path: Path) -> None:
    noted = tmp_path / "noted"
    note = f"open({str(noted)!r}, 'a').write(request['texts'][0][1] + ' ')"
    wait = f"_ = {gate.passing} if request['texts'][0][1] == '0' else ''"
    process = EmbedderProcess(
        program(tmp_path, f"{note}; {wait}; {ANSWER}"), offline_environment(tmp_path), None, Limits()
    )
    asked = [process.ask({**QUESTION, "texts": [["", str(number)]]}) for number in range(9)]
    with gate.reached():  # the first is in hand
        given_up = [each.cancel() for each in asked[MOST_QUESTIONS:-1]]
        assert not asked[0].cancel()
    assert all(given_up)
    assert asked[-1].result(SECONDS)["id"] == 9
    process.end()
    assert noted.read_text().split() == ["0", "1", "8"]


def queued(number: int, task: str = "query") -> QueuedRequest:
    return QueuedRequest.of(number, {"task": task})


def test_documents_are_not_kept_back_by_questions() -> None:
    queue = RequestQueue()
    for number in range(6):
        queue.put(queued(number, "documents" if number == 5 else "query"))
    assert [queue.next() for _ in range(MOST_QUESTIONS + 1)] == [
        *(queued(number) for number in range(MOST_QUESTIONS)),
        queued(5, "documents"),
    ]
    queue.answered(1)
    queue.answered(7)  # which is not one of them
    assert queue.next() == queued(MOST_QUESTIONS)
    queue.end()
    assert queue.next() is None


def test_a_request_is_written_as_one_line_of_ascii() -> None:
    for task in ("query", "documents"):
        request = {"task": task, "texts": [["", "über\nzwei Zeilen"]]}
        line = QueuedRequest.of(3, request).written()
        assert json.loads(line) == {"id": 3, **request}
        assert line.isascii()
        assert line.isprintable()


def test_a_question_is_taken_where_there_is_room_for_it_and_its_turn_has_come() -> None:
    queue = RequestQueue()
    first, second, third = (queued(number) for number in range(3))
    for each in (first, second, third):
        queue.put(each)
    assert queue.question(len(first.question) - 1) is None
    assert queue.question(len(first.question)) == first
    assert queue.question(4_000) == second
    assert queue.question(4_000) is None  # two are written
    queue.answered(0)
    assert queue.question(4_000) == third
    queue.end()
    assert queue.question(4_000) is None


def test_for_a_question_without_room_who_writes_is_woken() -> None:
    queue, found = RequestQueue(), SimpleQueue[QueuedRequest | None]()
    writing = threading.Thread(target=lambda: found.put(queue.next()), daemon=True)
    writing.start()
    queue.put(queued(1))
    while queue.question(0) is None and writing.is_alive():  # who is not yet asleep is not woken
        writing.join(0.01)
    assert found.get(timeout=SECONDS) == queued(1)


@pytest.mark.skipif(sys.platform == "win32", reason="a pipe does not tell there whether it has room")
def test_short_questions_need_no_thread_that_writes(
    made: Made, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    embedder, writers, send = made(program(tmp_path, ANSWER), tmp_path), set[str](), EmbedderProcess._send

    def noted(self: EmbedderProcess, *given: Any) -> None:
        writers.add(threading.current_thread().name)
        send(self, *given)

    assert embedder.query("a model", "the first waits until the process has started").result(SECONDS)
    monkeypatch.setattr(EmbedderProcess, "_send", noted)
    several = [embedder.query("a model", f"question {number}") for number in range(9)]
    assert {each.result(SECONDS) for each in several} == {b"\1\2\3"}
    assert writers
    assert writers <= {threading.current_thread().name, "embedder"}
    long = [("", LONG)] * 20
    assert embedder.documents("a model", long).result(SECONDS)
    assert "embedder-input" in writers


@pytest.mark.parametrize("room", [0, 60, 4_000])
def test_long_and_short_questions_are_all_answered_however_little_room_there_is(
    room: int, made: Made, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("bigmind.embedding.process._room", lambda _: room)
    embedder = made(program(tmp_path, ANSWER), tmp_path)
    with ThreadPoolExecutor(8) as clients:
        asked = [
            clients.submit(embedder.query, "a model", f"{number} {'long ' * (number % 3 * 300)}")
            for number in range(200)
        ]
        assert {each.result(SECONDS).result(SECONDS) for each in asked} == {b"\1\2\3"}


def test_who_watches_is_woken_for_what_is_overdue_sooner_and_for_nothing_else(monkeypatch: pytest.MonkeyPatch) -> None:
    pending, woken = PendingRequests(Limits(question=15.0, documents=60.0, loading=120.0)), list[int]()
    monkeypatch.setattr(pending._changed, "notify", lambda: woken.append(len(woken)))
    pending.give(1, {**QUESTION, "id": 1})
    assert len(woken) == 1  # it watched for nothing
    pending._looks_at = pending._overdue_at()
    pending.give(2, {"task": "documents", "model": "a model", "texts": []})
    pending.give(3, QUESTION)
    assert len(woken) == 1
    pending.answered(1, is_loaded=True)  # from here on no time is given for loading
    assert len(woken) == 2
    pending._looks_at = pending._overdue_at()
    pending.answered(3, is_loaded=True)
    pending.answered(2, is_loaded=True)
    assert pending._overdue_at() == inf
    assert len(woken) == 2


def test_who_sleeps_until_long_from_now_is_woken_for_a_question(monkeypatch: pytest.MonkeyPatch) -> None:
    pending, found = PendingRequests(Limits(question=0.02, documents=600.0, loading=0.0)), list[bool]()
    sleeps, wait = threading.Event(), pending._changed.wait

    def noted(seconds: float | None) -> bool:
        sleeps.set()
        return wait(seconds)

    monkeypatch.setattr(pending._changed, "wait", noted)
    pending.give(1, {"task": "documents", "model": "a model", "texts": []})
    watching = threading.Thread(target=lambda: found.append(pending.is_late()), daemon=True)
    watching.start()
    assert sleeps.wait(SECONDS)
    pending.give(2, QUESTION)  # which is held back until the other one waits
    watching.join(SECONDS)
    assert found == [True]


def test_a_question_is_given_up_as_a_whole_or_not_at_all(made: Made, gate: Gate, tmp_path: Path) -> None:
    embedder = made(program(tmp_path, f"_ = {gate.passing}; {ANSWER}"), tmp_path)
    coming = embedder.query("a model", "one")
    with gate.reached():  # it has it in hand
        assert not coming.cancel()
    assert coming.result(SECONDS) == b"\1\2\3"
    waiting = embedder.query("a model", "two")
    assert waiting.cancel() == waiting.cancelled()
