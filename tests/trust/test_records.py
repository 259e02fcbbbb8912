"""What is written down for the page Usage where nothing else records it: thinly, at the one place where it happens."""

from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path

import pytest
from sqlmodel import select

from bigmind.core.activity import Activity
from bigmind.core.operation import Presence
from bigmind.people.service import NOBODY
from bigmind.store.store import Store
from bigmind.usage.keeper import keep_pauses, keep_use
from bigmind.usage.server_run import ServerRun
from bigmind.usage.tables import UsageDay, UsageEvent
from bigmind.usage.usage_events import EventKind, note_event
from tests.memory.living import Memory, living


@pytest.fixture
def memory(home: Path) -> Iterator[Memory]:
    with living(home, is_copy=True) as opened:
        yield opened


def events(memory: Memory) -> list[tuple[str, str, str, int]]:
    with memory.mind.store.read(NOBODY, "test") as work:
        found = work.session.exec(select(UsageEvent)).all()
        return [(each.kind, each.client, each.entity, each.amount) for each in found]


def days(memory: Memory) -> dict[tuple[str, str, str], tuple[int, int, int, int]]:
    with memory.mind.store.read(NOBODY, "test") as work:
        found = work.session.exec(select(UsageDay)).all()
        return {
            (each.day, each.client, each.project): (each.calls, each.tokens, each.sources, each.spared)
            for each in found
        }


def served(memory: Memory, project: str | None, drawn_from: int = 0) -> None:
    caller = memory.over(None, "codex").working_in(project or "").caller
    activity = memory.mind.store.host.activity
    activity.note_delivery(caller, "memory_semantic_search", "x" * 40, lambda *_: 10, drawn_from=drawn_from)


def test_what_is_served_is_kept_by_day_and_project(memory: Memory) -> None:
    served(memory, "refunds")
    served(memory, "refunds", drawn_from=400)
    served(memory, None)
    assert keep_use(memory.mind.store) == 2
    memory.clock.forward(days=1)
    served(memory, "refunds", drawn_from=20)
    assert keep_use(memory.mind.store) == 1
    assert days(memory) == {
        ("2026-03-01", "codex", "refunds"): (0, 20, 100, 90),
        ("2026-03-01", "codex", ""): (0, 10, 0, 0),
        ("2026-03-02", "codex", "refunds"): (0, 10, 5, 0),
    }, "an answer that is longer than its sources spares nothing, and takes nothing from others"


def test_a_search_says_how_much_it_draws_from(memory: Memory) -> None:
    told = ("Refunds are rounded half to even, as the bank does. " * 36).strip()
    memory("memory_store_fact", category="rule", fact=told)
    found = memory("memory_semantic_search", query="refunds rounded")
    assert found.drawn_from == len(told)
    assert memory("memory_semantic_search", query="zzqqy").drawn_from == 0
    assert "whole" not in found.model_dump_json()


def test_the_brain_says_how_much_it_draws_from(memory: Memory) -> None:
    told = "Refunds over 500 EUR were off by a cent on 12 May, because halves went up. " * 20
    memory("contribute_to_brain", prompt=told.strip())
    answer = memory.over("other", "codex")("query_brain", prompt="Refunds off by a cent")
    assert answer.drawn_from == len(told.strip())


def test_pauses_are_kept_with_their_place_and_moment(memory: Memory) -> None:
    activity = memory.mind.store.host.activity
    activity.pause(paused=True, place=Presence.TRAY)
    activity.pause(paused=True, place=Presence.WINDOW)
    activity.pause(paused=False, place=Presence.WINDOW)
    assert keep_pauses(memory.mind.store) == 2
    assert keep_pauses(memory.mind.store) == 0
    assert [each[:2] for each in events(memory)] == [("paused", "tray"), ("resumed", "window")]


def test_a_pause_is_kept_while_it_lasts(memory: Memory) -> None:
    memory.mind.store.host.activity.pause(paused=True)
    assert keep_pauses(memory.mind.store) == 1


def test_pauses_wait_within_a_bound() -> None:
    activity = Activity()
    for number in range(3_000):
        activity.pause(paused=number % 2 == 0)
    assert len(activity.pauses()) == 1_000


def test_a_server_that_ends_says_so_and_one_that_is_killed_does_not(memory: Memory) -> None:
    first, second = ServerRun(memory.mind.store), ServerRun(memory.mind.store)
    first.start()
    second.start()
    second.stop()
    assert [kind for kind, *_ in events(memory)] == ["started", "started", "stopped"]


def test_a_start_that_could_not_be_written_down_has_no_end(memory: Memory, caplog: pytest.LogCaptureFixture) -> None:
    run = ServerRun(memory.mind.store)
    with memory.mind.store.write(NOBODY, "test") as work:
        work.session.connection().exec_driver_sql("ALTER TABLE usage_event RENAME TO elsewhere")
    run.start()
    run.stop()
    assert "not written down" in caplog.text
    with memory.mind.store.write(NOBODY, "test") as work:
        work.session.connection().exec_driver_sql("ALTER TABLE elsewhere RENAME TO usage_event")
    assert events(memory) == []


def test_a_conversation_that_is_known_no_longer_stays_written_down(memory: Memory) -> None:
    client = memory.over(None, "claude-code").working_in("refunds")
    client("hook_session_start", conversation="first")
    for _ in range(3):
        client("hook_prompt", conversation="first")
    memory.clock.forward(hours=25)
    client("hook_session_start", conversation="second")
    assert events(memory) == [("conversation", "claude-code", "", 3)]
    assert memory.mind.store.path.exists()


def test_a_conversation_with_a_session_stays_written_down_with_it(memory: Memory) -> None:
    client = memory.over("one", "claude-code")
    memory.over(None, "claude-code")("hook_session_start", conversation="first")
    session = client("memory_start_session").session_id
    client("memory_end_session", one_liner="Done", topics=["x"], outcome="Done")
    memory.clock.forward(days=31)
    memory.over(None, "claude-code")("hook_session_start", conversation="second")
    assert events(memory) == [("conversation", "claude-code", session, 0)]


def test_of_a_forgotten_conversation_nothing_stays(memory: Memory) -> None:
    hook = memory.over(None, "claude-code")
    for _ in range(2):
        hook("hook_prompt", conversation="first")
    hook("hook_session_end", conversation="first", last_message="It is done.")
    uid = memory("memory_list_sessions").sessions[0].session_id
    memory.as_person()("memory_forget", id=uid)
    memory.clock.forward(days=31)
    hook("hook_session_start", conversation="second")
    assert events(memory) == []


def test_an_event_of_the_server_has_no_user(memory: Memory) -> None:
    with memory.mind.store.write(memory.caller, "test") as work:
        note_event(work, EventKind.PAUSED)
        note_event(work, EventKind.HOOKS_ALTERED, client="codex")
    with memory.mind.store.read(NOBODY, "test") as work:
        assert [each.user_id for each in work.session.exec(select(UsageEvent))] == [None, memory.caller.user_id]


def test_a_pause_is_dated_when_it_was_not_when_it_is_kept(home: Path) -> None:
    seconds = [0.0]
    store = Store(home)
    try:
        activity = Activity(lambda: seconds[0])
        object.__setattr__(store.host, "activity", activity)
        activity.pause(paused=True)
        seconds[0] = 90.0
        before = store.clock()
        assert keep_pauses(store) == 1
        with store.read(NOBODY, "test") as work:
            [event] = work.session.exec(select(UsageEvent)).all()
        assert abs(event.at - (before - timedelta(seconds=90))) < timedelta(seconds=30)
    finally:
        store.close()
