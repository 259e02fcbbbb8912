"""Which changes concern which resources, and how few notifications a burst becomes."""

import anyio
import pytest

from bigmind.core.events import Action, Change, EventBus, Kind
from bigmind.core.ids import new_id
from bigmind.mcp.addresses import (
    CONTEXT,
    DOMAINS,
    EVERYTHING,
    HIGHWAYS,
    HYPOTHESES,
    KNOWLEDGE,
    OF_RUNS,
    PROCESSES,
    PROFILE,
    SCOPE,
    SESSIONS,
    TASKS,
    THOUGHTS,
    TREE,
)
from bigmind.mcp.streams import OpenStream, OpenStreams
from bigmind.mcp.subscriptions import MOST_HEARD, MOST_PENDING, Subscriptions, Watch

pytestmark = pytest.mark.anyio

CHANGES = [
    (Kind.FACT, {CONTEXT, PROFILE}),
    (Kind.PROFILE, {CONTEXT, PROFILE}),
    (Kind.HYPOTHESIS, {CONTEXT, HYPOTHESES}),
    (Kind.KNOWLEDGE, {CONTEXT, KNOWLEDGE}),
    (Kind.CHUNK, {CONTEXT, SESSIONS}),
    (Kind.SESSION, {CONTEXT, f"{SESSIONS}/the-id"}),
    (Kind.THOUGHT, {CONTEXT, HIGHWAYS, DOMAINS}),
    (Kind.BRAIN_QUERY, {CONTEXT, HIGHWAYS}),
    (Kind.WORK_ITEM, {CONTEXT, TASKS, TREE, SCOPE}),
    (Kind.PROTOCOL_RUN, {CONTEXT, *OF_RUNS}),
    (Kind.STORE, {CONTEXT, *OF_RUNS, PROFILE, HYPOTHESES, KNOWLEDGE, SESSIONS, HIGHWAYS, DOMAINS, TASKS, TREE, SCOPE}),
    (Kind.TOKEN, set()),
    (Kind.USER, set()),
    (Kind.SETTINGS, set()),
    (Kind.CLIENT, set()),
]


def change(kind: Kind, number: int = 1, user: int = 1, entity: str = "the-id") -> Change:
    return Change(number, user, kind, entity, Action.UPDATED)


async def rest(watch: Watch) -> list[str]:
    """What a watch tells until it is told to end."""
    heard: list[str] = []
    async with anyio.create_task_group() as tasks:

        async def hear() -> None:
            async for uri in watch.updated():
                heard.append(uri)
                if uri == "memory://sessions/the-end":
                    watch.end()

        tasks.start_soon(hear)
    return heard


@pytest.mark.parametrize(("kind", "uris"), CHANGES)
async def test_a_change_concerns_some_resources(kind: Kind, uris: set[str]) -> None:
    watch = Watch(1, EVERYTHING)
    watch.note(change(kind))
    watch.note(change(Kind.SESSION, entity="the-end"))
    assert set(await rest(watch)) == uris | {CONTEXT, "memory://sessions/the-end"}


def test_every_kind_of_change_was_thought_of() -> None:
    assert {kind for kind, _ in CHANGES} == set(Kind)


@pytest.mark.parametrize("kind", Kind)
async def test_of_other_users_only_what_is_everybodys_is_told(kind: Kind) -> None:
    watch = Watch(1, EVERYTHING)
    watch.note(change(kind, user=2))
    watch.note(change(Kind.SESSION, entity="the-end"))
    expected = dict(CHANGES)[kind] if kind in {Kind.KNOWLEDGE, Kind.STORE} else set()
    assert set(await rest(watch)) == expected | {CONTEXT, "memory://sessions/the-end"}


@pytest.mark.parametrize("is_shared", [True, False])
async def test_of_anothers_thought_only_where_it_is_shared(is_shared: bool) -> None:
    whole, short, other = (f"{THOUGHTS}/{each}" for each in ("0190aaaa-7", "0190AAAA", "0190aaab"))
    watch = Watch(1, [DOMAINS, HIGHWAYS, whole, short, other, f"{THOUGHTS}/", f"{THOUGHTS}/0190", SESSIONS])
    watch.note(Change(1, 2, Kind.THOUGHT, "0190aaaa-7", Action.SHARED, is_shared))
    watch.note(change(Kind.SESSION, entity="the-end"))
    expected = {DOMAINS, HIGHWAYS, whole, short} if is_shared else set()
    assert set(await rest(watch)) == expected | {"memory://sessions/the-end"}


async def test_of_a_process_that_is_taken_who_listens_to_it() -> None:
    one, other = (f"{PROCESSES}/{each}" for each in ("door", "gate"))
    watch = Watch(1, [one, other, TASKS, SESSIONS])
    watch.note(change(Kind.SETTINGS, entity="process door"))
    watch.note(change(Kind.SETTINGS, entity="theme"))
    watch.note(change(Kind.SESSION, entity="the-end"))
    assert set(await rest(watch)) == {one, "memory://sessions/the-end"}


async def test_a_thousand_changes_at_once_are_one_notification_of_each_resource() -> None:
    watch = Watch(1, EVERYTHING)
    for number in range(1_000):
        watch.note(change(Kind.FACT, number))
    watch.note(change(Kind.SESSION, entity="the-end"))
    assert sorted(await rest(watch)) == [CONTEXT, PROFILE, "memory://sessions/the-end"]


async def test_what_a_slow_reader_has_to_read_is_bounded() -> None:
    watch = Watch(1, EVERYTHING)
    for number in range(MOST_PENDING * 5):
        watch.note(change(Kind.SESSION, number, entity=new_id()))
    watch.end()
    assert len(watch) < MOST_PENDING


async def test_an_import_is_told_of_as_a_whole() -> None:
    """Of more changes than anybody would read one by one, each kind is told of once, on the one hop to the loop."""
    events = EventBus()
    streams = OpenStreams(events)
    subscriptions = Subscriptions(events, streams, lambda _: True)
    watch = Watch(1, EVERYTHING)
    async with streams.run(), subscriptions.run():
        with subscriptions.watching(watch, OpenStream(lambda: True, watch.end, watch.end)):
            await anyio.to_thread.run_sync(
                events.publish, [change(Kind.SESSION, number, entity=new_id()) for number in range(MOST_HEARD + 1)]
            )
            told_of = watch.updated()
            assert {await anext(told_of), await anext(told_of)} == {CONTEXT, SESSIONS}
            assert len(watch) == 0
