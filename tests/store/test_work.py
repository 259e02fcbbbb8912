"""A unit of work is one transaction: all of it or nothing, told after its commit, one writer and readers beside it."""

import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path
from typing import Any
from unittest.mock import patch

import pytest
from sqlalchemy.exc import IntegrityError, PendingRollbackError
from sqlmodel import Session, select

from bigmind.core.events import Action, Change, Kind
from bigmind.core.operation import Caller, Role
from bigmind.people.tables import User
from bigmind.store import transaction
from bigmind.store.store import Store
from bigmind.store.tables import ChangeRow
from bigmind.store.work import Work
from bigmind.wiring import Mind

SECONDS = 30


class Refusal(Exception):  # noqa: N818 - what a use case raises to be undone
    """A use case changed its mind."""


@pytest.fixture
def heard(mind: Mind) -> list[Change]:
    """What the store tells."""
    changes: list[Change] = []
    mind.store.events.subscribe(changes.append)
    return changes


def rename(work: Work, name: str) -> None:
    user = work.session.exec(select(User)).one()
    user.display_name = name
    work.session.add(user)
    work.changed(Kind.USER, user.uid, Action.UPDATED)


def user(work: Work, name: str) -> User:
    """A new one; each name is one user's."""
    of_now = {"created_at": work.now, "last_seen_at": work.now}
    return User(uid=f"user of {name}", username=name, display_name=name, role=Role.MEMBER, **of_now)


def rename_and_refuse(store: Store, caller: Caller) -> None:
    with store.write(caller, "rename") as work:
        rename(work, "Countess")
        work.session.flush()
        raise Refusal


def name(store: Store, caller: Caller) -> str:
    with store.read(caller, "look") as work:
        return work.session.exec(select(User)).one().display_name


def numbers(store: Store, caller: Caller) -> list[int]:
    with store.read(caller, "look") as work:
        return [row.id or 0 for row in work.session.exec(select(ChangeRow).order_by(ChangeRow.id))]


def test_a_block_that_ends_is_committed(mind: Mind, caller: Caller) -> None:
    with mind.store.write(caller, "rename") as work:
        rename(work, "Countess")
    assert name(mind.store, caller) == "Countess"


def test_a_block_that_raises_leaves_nothing_and_tells_nothing(mind: Mind, caller: Caller, heard: list[Change]) -> None:
    before = numbers(mind.store, caller)
    with pytest.raises(Refusal):
        rename_and_refuse(mind.store, caller)
    assert name(mind.store, caller) == "ada"
    assert numbers(mind.store, caller) == before
    assert heard == []


def test_what_the_mapper_and_the_driver_write_is_undone_together(mind: Mind, caller: Caller) -> None:
    before = numbers(mind.store, caller)

    def write_both_ways(*, refuse: bool) -> None:
        with mind.store.write(caller, "rename") as work:
            work.changed(Kind.USER, "by the driver", Action.UPDATED)
            rename(work, "Countess")
            if refuse:
                raise Refusal

    with pytest.raises(Refusal):
        write_both_ways(refuse=True)
    assert (name(mind.store, caller), numbers(mind.store, caller)) == ("ada", before)
    write_both_ways(refuse=False)
    assert name(mind.store, caller) == "Countess"
    assert len(numbers(mind.store, caller)) == len(before) + 2


def test_a_savepoint_that_is_undone_leaves_the_rest(mind: Mind, caller: Caller) -> None:
    with mind.store.write(caller, "rename") as work:
        rename(work, "Countess")
        part = work.session.begin_nested()
        rename(work, "Lady Lovelace")
        work.session.flush()
        part.rollback()
    assert name(mind.store, caller) == "Countess"


@pytest.mark.parametrize("then", ["nothing", "by the driver", "by the mapper"])
def test_a_failure_of_the_mapper_that_is_caught_is_not_told_as_committed(
    mind: Mind, caller: Caller, heard: list[Change], then: str
) -> None:
    before = numbers(mind.store, caller)

    def write_and_catch() -> None:
        with mind.store.write(caller, "rename") as work:
            rename(work, "Countess")
            work.session.add(user(work, "ada"))
            with suppress(IntegrityError):
                work.session.flush()
            if then == "by the driver":  # which, outside of a transaction, commits each statement
                with suppress(PendingRollbackError):
                    work.changed(Kind.USER, "after it", Action.UPDATED)
            elif then == "by the mapper":
                work.session.add(user(work, "eve"))

    with pytest.raises(PendingRollbackError):
        write_and_catch()
    assert (name(mind.store, caller), numbers(mind.store, caller)) == ("ada", before)
    assert heard == []
    with mind.store.write(caller, "rename") as work:
        rename(work, "Countess")
    assert name(mind.store, caller) == "Countess"
    assert len(heard) == 1


def test_what_is_written_after_all_was_undone_on_purpose_is_one_transaction_too(mind: Mind, caller: Caller) -> None:
    before = numbers(mind.store, caller)

    def begin_anew(*, refuse: bool) -> None:
        with mind.store.write(caller, "rename") as work:
            rename(work, "Countess")
            work.session.rollback()
            work.changed(Kind.USER, "by the driver", Action.UPDATED)
            if refuse:
                raise Refusal

    with pytest.raises(Refusal):
        begin_anew(refuse=True)
    assert numbers(mind.store, caller) == before
    begin_anew(refuse=False)
    assert name(mind.store, caller) == "ada"
    assert len(numbers(mind.store, caller)) == len(before) + 1


def test_what_goes_past_the_mapper_asks_for_no_session_of_it(mind: Mind, caller: Caller) -> None:
    remember = mind.dispatcher.catalogue.get("memory_flag_important")
    assert remember is not None
    made: list[Session] = []

    def noted(*given: Any, **named: Any) -> Session:
        made.append(Session(*given, **named))
        return made[-1]

    with patch.object(transaction, "Session", noted):
        for number in range(2):  # the first one opens a session of the memory, which is the mapper's
            made.clear()
            arguments = {"content": f"The {number}th of them.", "flag_reason": "It counts."}
            mind.dispatcher.run(remember, caller, arguments, f"key {number}")
    assert made == []


def test_the_next_write_after_an_error_is_not_affected(mind: Mind, caller: Caller, heard: list[Change]) -> None:
    with pytest.raises(Refusal):
        rename_and_refuse(mind.store, caller)
    with mind.store.write(caller, "rename") as work:
        rename(work, "Lady Lovelace")
    assert name(mind.store, caller) == "Lady Lovelace"
    assert len(heard) == 1


def test_a_change_is_told_after_its_commit_and_before_the_next_write(mind: Mind, caller: Caller) -> None:
    seen: list[str] = []
    mind.store.events.subscribe(lambda _: seen.append(name(mind.store, caller)))
    for told, each in enumerate(("Countess", "Lady Lovelace")):
        with mind.store.write(caller, "rename") as work:
            rename(work, each)
            work.session.flush()
            assert len(seen) == told
    assert seen == ["Countess", "Lady Lovelace"]


def test_changes_are_numbered_in_the_order_of_commits(mind: Mind, caller: Caller, heard: list[Change]) -> None:
    for each in ("Countess", "Lady Lovelace"):
        with mind.store.write(caller, "rename") as work:
            rename(work, each)
            rename(work, each + "!")
    told = [change.number for change in heard]
    assert told == sorted(set(told))
    assert len(told) == 4
    assert told == numbers(mind.store, caller)[-4:]
    assert {(change.kind, change.action, change.user_id) for change in heard} == {
        (Kind.USER, Action.UPDATED, caller.user_id)
    }


def test_a_number_is_never_used_twice(mind: Mind, caller: Caller, heard: list[Change]) -> None:
    with mind.store.write(caller, "rename") as work:
        rename(work, "Countess")
    with mind.store.write(caller, "clean") as work:
        for row in work.session.exec(select(ChangeRow)):
            work.session.delete(row)
    with mind.store.write(caller, "rename") as work:
        rename(work, "Lady Lovelace")
    assert heard[1].number > heard[0].number


def test_a_change_row_says_who_did_what_and_holds_no_content(mind: Mind, caller: Caller) -> None:
    with mind.store.write(caller, "rename") as work:
        rename(work, "a-secret-name")
    with mind.store.read(caller, "look") as work:
        row = work.session.exec(select(ChangeRow).order_by(ChangeRow.id.desc())).first()
    assert (row.user_id, row.client, row.operation, row.kind, row.action) == (
        caller.user_id,
        caller.client,
        "rename",
        "user",
        "updated",
    )
    assert "a-secret-name" not in row.model_dump_json()


def test_one_moment_stands_in_everything_a_unit_writes(home: Path, caller_free: Caller) -> None:
    moments = iter([datetime(2026, 1, 1, 12, tzinfo=UTC), datetime(2026, 1, 1, 13, tzinfo=UTC)])
    store = Store(home, clock=lambda: next(moments))
    with store.write(caller_free, "one") as work:
        assert work.now is work.now == datetime(2026, 1, 1, 12, tzinfo=UTC)
    with store.read(caller_free, "two") as work:
        assert work.now == datetime(2026, 1, 1, 13, tzinfo=UTC)
    store.close()


@pytest.fixture
def caller_free() -> Caller:
    from bigmind.people.service import NOBODY  # noqa: PLC0415

    return NOBODY


def test_a_reader_sees_the_old_state_while_a_write_is_open_and_does_not_wait(mind: Mind, caller: Caller) -> None:
    with ThreadPoolExecutor(1) as pool, mind.store.write(caller, "rename") as work:
        rename(work, "Countess")
        work.session.flush()
        # Were it to wait for this block, it would never end.
        assert pool.submit(name, mind.store, caller).result(SECONDS) == "ada"
    assert name(mind.store, caller) == "Countess"


def test_a_reader_keeps_its_snapshot_while_others_write(mind: Mind, caller: Caller) -> None:
    def fresh(session: Session) -> str:
        session.expire_all()
        return session.exec(select(User)).one().display_name

    def write() -> None:
        with mind.store.write(caller, "rename") as work:
            rename(work, "Countess")

    with ThreadPoolExecutor(1) as pool, mind.store.read(caller, "look") as snapshot:
        assert fresh(snapshot.session) == "ada"
        pool.submit(write).result(SECONDS)  # a writer does not wait for readers either
        assert fresh(snapshot.session) == "ada"
    assert name(mind.store, caller) == "Countess"


def test_a_second_writer_waits_and_sees_what_the_first_wrote(mind: Mind, caller: Caller) -> None:
    asked = threading.Event()

    def second() -> str:
        asked.set()
        with mind.store.write(caller, "rename") as work:
            before = work.session.exec(select(User)).one().display_name
            rename(work, f"{before}, then B")
            return before

    with ThreadPoolExecutor(1) as pool:
        with mind.store.write(caller, "rename") as work:
            waiting = pool.submit(second)
            assert asked.wait(SECONDS)
            rename(work, "A")
        assert waiting.result(SECONDS) == "A"
    assert name(mind.store, caller) == "A, then B"


def test_no_update_is_lost_between_threads(mind: Mind, caller: Caller, heard: list[Change]) -> None:
    with mind.store.write(caller, "rename") as work:
        rename(work, "0")

    def count() -> None:
        for _ in range(25):
            with mind.store.write(caller, "count") as work:
                rename(work, str(int(work.session.exec(select(User)).one().display_name) + 1))

    with ThreadPoolExecutor(8) as pool:
        for future in [pool.submit(count) for _ in range(8)]:
            future.result(SECONDS)
    assert name(mind.store, caller) == "200"
    told = [change.number for change in heard]
    assert told == sorted(told)
    assert len(told) == 201


def test_more_readers_than_connections_take_turns(mind: Mind, caller: Caller) -> None:
    read: Callable[[int], str] = lambda _: name(mind.store, caller)  # noqa: E731 - what map wants
    with ThreadPoolExecutor(16) as pool:
        assert set(pool.map(read, range(200), timeout=SECONDS)) == {"ada"}
