"""While several wait for what is found, the server's threads give way; with fewer, and after that, they run as ever."""

import _thread
import os
import sys
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from queue import SimpleQueue

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

Policy = Callable[[], int]


@pytest.fixture
def of_another_thread() -> Iterator[Policy]:
    """How a thread is scheduled that is not the first one."""
    asked, told = SimpleQueue[bool](), SimpleQueue[int]()

    def tell() -> None:
        while asked.get(timeout=SECONDS):
            told.put(os.sched_getscheduler(0))

    def policy() -> int:
        asked.put(True)
        return told.get(timeout=SECONDS)

    thread = threading.Thread(target=tell)
    thread.start()
    yield policy
    asked.put(False)
    thread.join()


def test_from_several_on_until_there_is_none_the_threads_give_way(of_another_thread: Policy) -> None:
    waiting = [0]
    scheduling = ThreadScheduling(lambda: waiting[0])
    for waiting[0] in range(SEVERAL):
        scheduling.follow()
        assert of_another_thread() == os.SCHED_OTHER
    for waiting[0] in (SEVERAL, SEVERAL + 5, 1, 2):
        scheduling.follow()
        assert of_another_thread() == os.SCHED_BATCH
    assert os.sched_getscheduler(0) == os.SCHED_OTHER  # the first one, which may hold windows
    waiting[0] = 0
    scheduling.follow()
    assert of_another_thread() == os.SCHED_OTHER


def test_a_thread_of_a_library_that_was_started_meanwhile_runs_as_ever_after_it(of_another_thread: Policy) -> None:
    waiting, ended = [SEVERAL], threading.Lock()
    scheduling = ThreadScheduling(lambda: waiting[0])
    ended.acquire()

    def start_another() -> int:
        scheduling.follow()
        _thread.start_new_thread(ended.acquire, ())  # of which `threading` does not know
        return threading.get_native_id()

    with ThreadPoolExecutor(1) as pool:
        pool.submit(threading.get_native_id).result()
        pool.submit(start_another).result()
        assert of_another_thread() == os.SCHED_BATCH
        waiting[0] = 0
        scheduling.follow()
    threads = [int(each.name) for each in Path("/proc/self/task").iterdir()]
    assert len(threads) > threading.active_count()
    assert {os.sched_getscheduler(each) for each in threads} == {os.SCHED_OTHER}
    ended.release()


@pytest.mark.parametrize("may_list", [True, False])
def test_at_the_end_they_run_as_ever_and_nothing_changes_that(
    may_list: bool, of_another_thread: Policy, monkeypatch: pytest.MonkeyPatch
) -> None:
    def none_left(_: str) -> list[str]:
        raise OSError("too many open files")

    scheduling = ThreadScheduling(lambda: SEVERAL)
    scheduling.follow()
    assert of_another_thread() == os.SCHED_BATCH
    if not may_list:
        monkeypatch.setattr(os, "listdir", none_left)
    for change in (scheduling.end, scheduling.follow):
        change()
        assert of_another_thread() == os.SCHED_OTHER


def test_who_was_started_in_another_way_stays_so(monkeypatch: pytest.MonkeyPatch) -> None:
    def unexpected(*_: object) -> None:
        pytest.fail("somebody chose how this process is scheduled")

    monkeypatch.setattr(thread_scheduling, "_is_ordinary", lambda: False)
    monkeypatch.setattr(os, "sched_setscheduler", unexpected)
    scheduling = ThreadScheduling(lambda: SEVERAL)
    scheduling.follow()
    scheduling.exempt(os.getpid())
    scheduling.end()


def test_where_it_is_forbidden_all_runs_as_ever(of_another_thread: Policy, monkeypatch: pytest.MonkeyPatch) -> None:
    tried: list[int] = []

    def forbidden(thread: int, *_: object) -> None:
        tried.append(thread)
        raise PermissionError("not here")

    monkeypatch.setattr(os, "sched_setscheduler", forbidden)
    scheduling = ThreadScheduling(lambda: SEVERAL)
    scheduling.exempt(7)
    for _ in range(3):
        scheduling.follow()
    scheduling.end()
    assert len(tried) == 2
    assert of_another_thread() == os.SCHED_OTHER


@pytest.mark.parametrize("starts", range(5))
def test_the_process_that_searches_never_gives_way_and_the_server_until_all_is_answered(
    starts: int, of_another_thread: Policy, tmp_path: Path
) -> None:
    gate, noted = tmp_path / f"gate {starts}", tmp_path / "noted"
    os.mkfifo(gate)
    note = f"import os; open({str(noted)!r}, 'a').write(str(os.sched_getscheduler(0)))"
    command = program(tmp_path, f"{note}; _ = open({str(gate)!r}).read(); {ANSWER}")
    process = EmbedderProcess(command, offline_environment(tmp_path), None, Limits())
    asked = [process.ask(QUESTION) for _ in range(SEVERAL)]  # before it is there
    for each in asked:
        with gate.open("w"):
            assert of_another_thread() == os.SCHED_BATCH
        assert each.result(SECONDS)
    process.end()
    assert of_another_thread() == os.SCHED_OTHER
    assert set(noted.read_text()) == {str(os.SCHED_OTHER)}


def test_a_process_that_ends_with_questions_unanswered_leaves_nothing_behind(
    of_another_thread: Policy, tmp_path: Path
) -> None:
    gate = tmp_path / "gate"
    os.mkfifo(gate)
    command = program(tmp_path, f"_ = open({str(gate)!r}).read(); import os; os._exit(3)")
    process = EmbedderProcess(command, offline_environment(tmp_path), None, Limits())
    asked = [process.ask(QUESTION) for _ in range(SEVERAL + 3)]
    with gate.open("w"):
        assert of_another_thread() == os.SCHED_BATCH
    for each in asked:
        with pytest.raises(EmbeddingError, match="exit code 3"):
            each.result(SECONDS)
    assert process.gone.wait(SECONDS)
    assert of_another_thread() == os.SCHED_OTHER
