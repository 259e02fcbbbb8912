"""What is loaded after a start, so that the first hook is answered in its time."""

import time
from collections.abc import Generator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import Engine, event
from sqlalchemy.engine.interfaces import CacheStats

from app.warming import WarmUp
from bigmind.core.operation import Caller
from bigmind.wiring import Mind
from tests.sharing import statements
from tests.support import running_server


@contextmanager
def compiled() -> Generator[list[str]]:
    """The queries that have to be compiled while the block runs."""
    found: list[str] = []

    def note(
        _connection: object, _cursor: object, statement: str, _values: object, context: Any, _many: object
    ) -> None:
        if context is not None and context.cache_hit is CacheStats.CACHE_MISS:
            found.append(statement)

    event.listen(Engine, "before_cursor_execute", note)
    try:
        yield found
    finally:
        event.remove(Engine, "before_cursor_execute", note)


def session_start(mind: Mind, caller: Caller, **given: str) -> str:
    operation = mind.dispatcher.catalogue.get("hook_session_start")
    assert operation is not None
    return mind.dispatcher.run(operation, replace(caller, client="claude-code"), given).context


def test_the_first_conversation_finds_the_queries_of_its_context_compiled(mind: Mind, caller: Caller) -> None:
    statements.clear()
    warm_up = WarmUp(mind.store, caller)
    with compiled() as by_warm_up:
        warm_up.start()
        warm_up.wait()
    assert len(by_warm_up) > 10
    with compiled() as by_hook:
        assert "BigMind, your memory" in session_start(mind, caller)
    assert by_hook == []


def test_it_writes_nothing_and_counts_as_nobodys_use(mind: Mind, caller: Caller) -> None:
    with mind.store.read(caller, "test") as work:
        before = work.session.connection().exec_driver_sql("PRAGMA data_version").scalar()
        warm_up = WarmUp(mind.store, caller)
        warm_up.start()
        warm_up.wait()
        work.session.rollback()
        assert work.session.connection().exec_driver_sql("PRAGMA data_version").scalar() == before
    assert mind.store.host.activity.uses() == []


@pytest.mark.parametrize("table", ["session", "fact"], ids=["of the driver", "of the mapper"])
def test_an_error_of_the_file_leaves_out_one_step_alone(
    mind: Mind, caller: Caller, table: str, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level("INFO")
    with mind.store.write(caller, "test") as work:
        work.session.connection().exec_driver_sql(f"ALTER TABLE {table} RENAME TO elsewhere")
    warm_up = WarmUp(mind.store, caller)
    warm_up.start()
    warm_up.wait()
    assert "the warm-up was left: " in caplog.text
    assert "warmed up" in caplog.text


def test_what_was_stopped_before_it_began_does_nothing(mind: Mind, caller: Caller) -> None:
    warm_up = WarmUp(mind.store, caller)
    warm_up.stop()
    with compiled() as queries:
        warm_up.start()
        warm_up.stop()
    assert queries == []


def test_a_server_does_it_once_it_answers(home: Path) -> None:
    with running_server(home) as server:
        deadline = time.monotonic() + 60
        while not any("warmed up" in each.read_text() for each in (home / "logs").glob("*.log")):
            assert time.monotonic() < deadline
            server.call("memory_get_stats")
