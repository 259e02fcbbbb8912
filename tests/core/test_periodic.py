"""A thread that does something now and then, and ends when it is told to."""

import threading

from bigmind.core.periodic import PeriodicThread

SECONDS = 30.0


def test_it_goes_on_until_it_is_stopped():
    done, times = threading.Event(), list[int]()

    def job() -> None:
        times.append(len(times))
        if len(times) == 3:
            done.set()

    thread = PeriodicThread("test", job, first=0.0, apart=0.0)
    thread.start()
    assert done.wait(SECONDS)
    thread.stop(SECONDS)
    assert len(times) >= 3
    assert "test" not in {each.name for each in threading.enumerate()}


def test_it_does_nothing_before_its_first_time_and_may_be_stopped_unstarted():
    times: list[int] = []
    thread = PeriodicThread("test", lambda: times.append(1), first=SECONDS, apart=SECONDS)
    thread.start()
    thread.stop(SECONDS)
    PeriodicThread("never", lambda: times.append(1), first=0.0, apart=0.0).stop(SECONDS)
    assert times == []
