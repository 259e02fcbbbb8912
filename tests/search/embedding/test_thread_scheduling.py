"""While several wait for what is found, the server's threads give way; with fewer, and after that, they run as ever."""

import os
import sys
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from bigmind.embedding import thread_scheduling
from bigmind.embedding.embedder import EmbeddingError
from bigmind.embedding.environment import offline_environment
from bigmind.embedding.limits import Limits
from bigmind.embedding.process import EmbedderProcess
from bigmind.embedding.thread_scheduling import SEVERAL, ThreadScheduling
from tests.search.embedding.test_a_hung_process import QUESTION
from tests.search.embedding.test_its_process import ANSWER, SECONDS, program

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="there is no SCHED_BATCH")


def policies() -> set[int]:
    """How the threads of this process are scheduled."""
    return {os.sched_getscheduler(int(each.name)) for each in thread_scheduling.THREADS.iterdir()}


@pytest.fixture
def other_thread() -> Iterator[None]:
    """A thread beside that of the test."""
    over = threading.Event()
    with ThreadPoolExecutor(1) as pool:
        pool.submit(over.wait, SECONDS)
        yield
        over.set()


@pytest.mark.usefixtures("other_thread")
def test_from_several_on_until_there_is_none_all_threads_give_way() -> None:
    scheduling = ThreadScheduling()
    for waiting in range(SEVERAL):
        scheduling.follow(waiting)
        assert policies() == {os.SCHED_OTHER}
    for waiting in (SEVERAL, SEVERAL + 5, 1, 2):
        scheduling.follow(waiting)
        assert policies() == {os.SCHED_BATCH}
    scheduling.follow(0)
    assert policies() == {os.SCHED_OTHER}


@pytest.mark.usefixtures("other_thread")
def test_at_the_end_they_run_as_ever_and_nothing_changes_that() -> None:
    scheduling = ThreadScheduling()
    scheduling.follow(SEVERAL)
    scheduling.end()
    assert policies() == {os.SCHED_OTHER}
    scheduling.follow(SEVERAL)
    assert policies() == {os.SCHED_OTHER}


def test_a_thread_that_is_left_out_runs_as_ever() -> None:
    scheduling, left_out, over = ThreadScheduling(), threading.Event(), threading.Event()

    def leave_out() -> int:
        scheduling.leave_out_this_thread()
        left_out.set()
        over.wait(SECONDS)
        return os.sched_getscheduler(0)

    scheduling.follow(SEVERAL)
    with ThreadPoolExecutor(1) as pool:
        coming = pool.submit(leave_out)
        assert left_out.wait(SECONDS)
        assert policies() == {os.SCHED_BATCH, os.SCHED_OTHER}
        over.set()
        assert coming.result(SECONDS) == os.SCHED_OTHER
    scheduling.end()


def test_who_was_started_in_another_way_stays_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(thread_scheduling, "_is_ordinary", lambda: False)
    os.sched_setscheduler(0, os.SCHED_BATCH, os.sched_param(0))
    try:
        scheduling = ThreadScheduling()
        scheduling.follow(SEVERAL)
        scheduling.follow(0)
        scheduling.leave_out_this_thread()
        scheduling.end()
        assert os.sched_getscheduler(0) == os.SCHED_BATCH
    finally:
        os.sched_setscheduler(0, os.SCHED_OTHER, os.sched_param(0))


def test_where_it_is_forbidden_all_runs_as_ever(monkeypatch: pytest.MonkeyPatch) -> None:
    tried: list[int] = []

    def forbidden(thread: int, *_: object) -> None:
        tried.append(thread)
        raise PermissionError("not here")

    monkeypatch.setattr(os, "sched_setscheduler", forbidden)
    scheduling = ThreadScheduling()
    scheduling.leave_out_this_thread()
    assert tried == [0]
    tried.clear()
    for waiting in (SEVERAL, 0, SEVERAL):
        scheduling.follow(waiting)
    scheduling.leave_out_this_thread()
    scheduling.end()
    assert len(tried) == 1


def test_the_process_that_searches_never_gives_way_and_the_server_only_until_all_is_answered(tmp_path: Path) -> None:
    gate, noted = tmp_path / "gate", tmp_path / "noted"
    os.mkfifo(gate)
    note = f"import os; open({str(noted)!r}, 'a').write(str(os.sched_getscheduler(0)))"
    command = program(tmp_path, f"{note}; _ = open({str(gate)!r}).read(); {ANSWER}")
    scheduling = ThreadScheduling()
    scheduling.follow(SEVERAL)  # as where it is started again while others wait
    process = EmbedderProcess(command, offline_environment(tmp_path), None, Limits())
    asked = [process.ask(QUESTION) for _ in range(SEVERAL)]
    for each in asked:
        with gate.open("w"):
            assert os.sched_getscheduler(0) == os.SCHED_BATCH
        assert each.result(SECONDS)
    scheduling.end()
    process.end()
    assert policies() == {os.SCHED_OTHER}
    assert set(noted.read_text()) == {str(os.SCHED_OTHER)}


def test_a_process_that_ends_with_questions_unanswered_leaves_nothing_behind(tmp_path: Path) -> None:
    gate = tmp_path / "gate"
    os.mkfifo(gate)
    command = program(tmp_path, f"_ = open({str(gate)!r}).read(); import os; os._exit(3)")
    process = EmbedderProcess(command, offline_environment(tmp_path), None, Limits())
    asked = [process.ask(QUESTION) for _ in range(SEVERAL + 3)]
    with gate.open("w"):
        assert policies() >= {os.SCHED_BATCH}
    for each in asked:
        with pytest.raises(EmbeddingError, match="exit code 3"):
            each.result(SECONDS)
    assert process.gone.wait(SECONDS)
    assert policies() == {os.SCHED_OTHER}
