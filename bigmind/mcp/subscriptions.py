"""Tells clients what changed: `resources/subscribe` up to 2025-11-25, `subscriptions/listen` since.

A notification says that a resource may read differently now, or that other tools are served, never how. It comes
within a moment of the commit, and at most once per resource in a quarter of a second.
"""

import asyncio
import logging
import threading
from collections.abc import AsyncGenerator, Awaitable, Callable, Collection, Generator, Iterable, Iterator
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass

import anyio
import mcp_types as types
from anyio.abc import TaskGroup
from mcp.server.session import ServerSession
from mcp.shared.exceptions import MCPError
from mcp.shared.subscriptions import (
    SUBSCRIPTION_ID_META_KEY,
    ResourceUpdated,
    ToolsListChanged,
    event_to_notification,
)

from bigmind.core.events import Action, Change, EventBus, Kind
from bigmind.core.operation import Caller
from bigmind.core.toolsets import TOOLS
from bigmind.mcp.addresses import (
    CONTEXT,
    DOMAINS,
    HIGHWAYS,
    HYPOTHESES,
    KNOWLEDGE,
    LONGEST_URI,
    MOST_URIS,
    NODES,
    OF_RUNS,
    PROCESSES,
    PROFILE,
    RUNS,
    SCOPE,
    SESSIONS,
    SHORTEST,
    TASKS,
    THOUGHTS,
    TOO_MUCH,
    TREE,
    told_by,
)
from bigmind.mcp.calls import Context, caller_of, is_allowed, session_of
from bigmind.mcp.streams import OpenStream, OpenStreams, on_loop
from bigmind.operations.token_scope import refusal

log = logging.getLogger(__name__)

GATHER_SECONDS = 0.02
"""One use case often makes several changes at once; they are waited for, even by the first notification."""

APART_SECONDS = 0.25
STALLED_SECONDS = 10.0
MOST_WATCHES = 1_000
"""Beside each of the sessions, which follow the tools, as many streams of their own."""
MOST_PENDING = 200
MOST_HEARD = 500

_KINDS = {
    CONTEXT: frozenset(Kind) - {Kind.TOKEN, Kind.USER, Kind.SETTINGS, Kind.CLIENT},
    PROFILE: frozenset({Kind.PROFILE, Kind.FACT, Kind.STORE}),
    HYPOTHESES: frozenset({Kind.HYPOTHESIS, Kind.STORE}),
    KNOWLEDGE: frozenset({Kind.KNOWLEDGE, Kind.STORE}),
    SESSIONS: frozenset({Kind.SESSION, Kind.CHUNK, Kind.STORE}),
    HIGHWAYS: frozenset({Kind.THOUGHT, Kind.BRAIN_QUERY, Kind.STORE}),
    DOMAINS: frozenset({Kind.THOUGHT, Kind.STORE}),
    THOUGHTS: frozenset({Kind.THOUGHT, Kind.STORE}),
    TASKS: frozenset({Kind.WORK_ITEM, Kind.STORE}),
    PROCESSES: frozenset({Kind.SETTINGS, Kind.STORE}),
    **dict.fromkeys((TREE, SCOPE, NODES), frozenset({Kind.WORK_ITEM, Kind.STORE})),
    **dict.fromkeys((*OF_RUNS, RUNS), frozenset({Kind.PROTOCOL_RUN, Kind.STORE})),
}
_OF_EACH = (SESSIONS, THOUGHTS, TASKS, PROCESSES, NODES, RUNS)
"""What has a resource of each thing, below its own address."""


class Watch:
    """What one stream listens to: resources, and whether other tools are served.

    For the event loop only, as all here but `Subscriptions.hear`.
    """

    def __init__(self, user_id: int, uris: Iterable[str] = (), *, tools: bool = False) -> None:
        self.uris = set(uris)
        self.tools = tools
        self.tasks: dict[str, str] = {}
        """The ids of tasks by the address that somebody listens to; of one that is not there, none."""
        self._user_id = user_id
        self._pending: dict[str, None] = {}
        self._news = asyncio.Event()
        self._is_over = False

    def __len__(self) -> int:
        """How many resources are still to be told of."""
        return len(self._pending)

    def note(self, change: Change) -> None:
        """Take in a change, where it concerns this stream."""
        if self.tools and change.kind is Kind.SETTINGS and change.entity == TOOLS:
            self._pending[TOOLS] = None
            self._news.set()
        if not change.concerns(self._user_id):
            return
        for uri in self.uris:
            if change.kind is not Kind.WORK_ITEM or self.tasks.get(uri, change.entity) == change.entity:
                self._pending.update(dict.fromkeys(_updated(uri, change)))
        if len(self._pending) > MOST_PENDING:  # only sessions can be so many
            self._pending = {uri: None for uri in self._pending if not uri.startswith(SESSIONS)} | {SESSIONS: None}
        if self._pending:
            self._news.set()

    async def updated(self) -> AsyncGenerator[str]:
        """The address of each resource that changed, each at most once per `APART_SECONDS`, until the watch ends.

        A slow reader finds one entry per resource, however often it changed meanwhile.
        """
        while True:
            await self._news.wait()
            if self._is_over:
                return
            await asyncio.sleep(GATHER_SECONDS)
            pending, self._pending = self._pending, {}
            self._news.clear()
            for uri in pending:
                yield uri
            await asyncio.sleep(APART_SECONDS)
            if self._is_over:
                return

    def end(self) -> None:
        """Let `updated` come to its end."""
        self._is_over = True
        self._news.set()


def _updated(uri: str, change: Change) -> Iterator[str]:
    """What to tell of a change to who listens to `uri`."""
    name = next((each for each in _OF_EACH if uri.startswith(f"{each}/")), uri)
    if change.kind not in _KINDS.get(name, ()):
        return
    if change.kind is Kind.SETTINGS and change.entity != f"process {uri.removeprefix(f'{PROCESSES}/')}":
        return  # another setting, or another process was taken
    if name == THOUGHTS and change.kind is Kind.THOUGHT:
        if not change.entity or _is_named(change.entity, uri.removeprefix(f"{THOUGHTS}/")):
            yield uri
    elif name != SESSIONS or change.kind is not Kind.SESSION:  # of a moment it is not told which session it is of
        yield uri
    elif uri == SESSIONS:
        yield f"{SESSIONS}/{change.entity}"
    elif _is_named(change.entity, uri.removeprefix(f"{SESSIONS}/")):
        yield uri


def _is_named(entity: str, reference: str) -> bool:
    return len(reference) >= SHORTEST and entity.startswith(reference.lower())


def _condensed(heard: Collection[Change]) -> Collection[Change]:
    """What to spread of a burst: of a very long one, such as an import, one change of each kind."""
    if len(heard) <= MOST_HEARD:
        return heard
    # A change of a moment stands for one of any session: whose, is not told.
    kinds = {(each.user_id, Kind.CHUNK if each.kind is Kind.SESSION else each.kind, each.is_shared) for each in heard}
    return [Change(0, user_id, kind, "", Action.UPDATED, is_shared) for user_id, kind, is_shared in kinds]


def _is_resource(uri: str) -> bool:
    return len(uri) <= LONGEST_URI and (uri in _KINDS or uri.startswith(tuple(f"{each}/" for each in _OF_EACH)))


@dataclass(frozen=True, slots=True)
class _Subscriber:
    """A session of the eras with sessions, and what tells it."""

    watch: Watch
    scope: anyio.CancelScope


class Subscriptions:
    """All subscriptions of one server."""

    def __init__(
        self,
        events: EventBus,
        streams: OpenStreams,
        is_live: Callable[[str], bool],
        may_read: Callable[[Caller, str], bool] = lambda _, __: True,
        tasks: Callable[[Caller, str], Awaitable[str]] | None = None,
    ) -> None:
        """Subscriptions over a store's events.

        Args:
            events: what changed.
            streams: ends what must not stay open.
            is_live: whether a session, by its id, is still open.
            may_read: whether the scope of a caller's token allows that operation.
            tasks: finds the id of a task by its slug; empty where there is none.
        """
        self._may_read = may_read
        self._task_named = tasks
        self._events = events
        self._streams = streams
        self._is_live = is_live
        self._watches: set[Watch] = set()
        self._sessions: dict[str, _Subscriber] = {}
        self._tasks: TaskGroup | None = None
        self._lock = threading.Lock()
        self._heard: dict[Change, None] = {}

    def __len__(self) -> int:
        return len(self._watches)

    @asynccontextmanager
    async def run(self) -> AsyncGenerator[None]:
        """Listen to the store."""
        loop = asyncio.get_running_loop()
        unsubscribe = self._events.subscribe(lambda change: self._hear(change, loop))
        try:
            async with anyio.create_task_group() as self._tasks:
                yield
                self._tasks.cancel_scope.cancel()
        finally:
            unsubscribe()

    def _hear(self, change: Change, loop: asyncio.AbstractEventLoop) -> None:
        """Called on the thread that committed: one hop to the loop for a whole burst."""
        if not self._watches:
            return
        with self._lock:
            first = not self._heard
            self._heard[change] = None
        if first:
            on_loop(loop, self._spread)

    def _spread(self) -> None:
        with self._lock:
            heard, self._heard = self._heard, {}
        for change in _condensed(heard.keys()):
            for watch in self._watches:
                watch.note(change)

    async def listen(
        self, context: Context, given: types.SubscriptionsListenRequestParams
    ) -> types.SubscriptionsListenResult:
        """One stream of the era without sessions: says first what it listens to, then what changed, until it ends."""
        wanted = given.notifications.resource_subscriptions or ()
        caller = caller_of(context)
        readable = (uri for uri in dict.fromkeys(wanted) if _is_resource(uri) and self._may_read(caller, told_by(uri)))
        honored = [*readable][:MOST_URIS]
        tools = given.notifications.tools_list_changed is True
        meta = {SUBSCRIPTION_ID_META_KEY: context.request_id}
        acknowledged = types.SubscriptionsAcknowledgedNotification(
            params=types.SubscriptionsAcknowledgedNotificationParams(
                notifications=types.SubscriptionFilter(
                    resource_subscriptions=honored or None, tools_list_changed=tools or None
                ),
                _meta=meta,
            )
        )
        self._check_room()
        watch = Watch(caller.user_id, honored, tools=tools)
        for uri in honored:
            await self._find_task(context, watch, uri)
        # Whether it is still allowed is seen to where the request is served.
        with self.watching(watch, OpenStream(lambda: True, watch.end, watch.end)):
            await context.session.send_notification(acknowledged, related_request_id=context.request_id)
            async for uri in watch.updated():
                told = event_to_notification(ToolsListChanged() if uri == TOOLS else ResourceUpdated(uri), meta)
                await context.session.send_notification(told, related_request_id=context.request_id)
        return types.SubscriptionsListenResult(_meta=meta)

    async def subscribe(self, context: Context, given: types.SubscribeRequestParams) -> types.EmptyResult:
        """Tell a session of changes of one resource, on its stream, as long as the session lives.

        A resource that is not there can be subscribed to: it may come to be.
        """
        session_id, uri = self._session_of(context), str(given.uri)
        subscriber = self._sessions.get(session_id)
        uris = {uri} if subscriber is None else subscriber.watch.uris | {uri}
        if len(uri) > LONGEST_URI or len(uris) > MOST_URIS:
            raise MCPError(types.INVALID_PARAMS, TOO_MUCH)
        caller = caller_of(context)
        if caller.scope is not None and not self._may_read(caller, told_by(uri)):
            raise MCPError(types.INVALID_PARAMS, str(refusal(uri[:120], caller.scope, caller.username)), {"uri": uri})
        watch = (subscriber or self._begin(session_id, context)).watch
        await self._find_task(context, watch, uri)
        watch.uris.add(uri)
        return types.EmptyResult()

    async def _find_task(self, context: Context, watch: Watch, uri: str) -> None:
        """Note which task or node an address means; where there is none yet, whoever listens is told of every task."""
        named = next((each for each in (TASKS, NODES) if uri.startswith(f"{each}/")), None)
        if self._task_named is None or named is None:
            return
        if found := await self._task_named(caller_of(context), uri.removeprefix(f"{named}/")):
            watch.tasks[uri] = found

    async def unsubscribe(self, context: Context, given: types.UnsubscribeRequestParams) -> types.EmptyResult:
        """No longer tell a session of that resource."""
        session_id = self._session_of(context)
        subscriber = self._sessions.get(session_id)
        if subscriber is not None:
            subscriber.watch.uris.discard(str(given.uri))
            if not subscriber.watch.uris and not subscriber.watch.tools:
                self.ended(session_id)
        return types.EmptyResult()

    def follow_tools(self, context: Context) -> None:
        """Tell a session when other tools are served, as long as it lives; nothing for a request that stands alone."""
        session_id = session_of(context)
        if session_id is None or not context.session.can_send_request or not self._is_live(session_id):
            return
        subscriber = self._sessions.get(session_id)
        if subscriber is None and len(self._watches) < MOST_WATCHES:
            subscriber = self._begin(session_id, context)
        if subscriber is not None:
            subscriber.watch.tools = True

    def ended(self, session_id: str) -> None:
        """A session was ended by its client, or subscribes to nothing any more."""
        if (subscriber := self._sessions.pop(session_id, None)) is not None:
            subscriber.scope.cancel()

    def _session_of(self, context: Context) -> str:
        session_id = session_of(context)
        if session_id is None or not context.session.can_send_request:
            raise MCPError(
                types.INVALID_REQUEST,
                "Only a session has a stream for notifications: send initialize with "
                "`Accept: application/json, text/event-stream`, then GET this address with the session's id.",
            )
        return session_id

    def _begin(self, session_id: str, context: Context) -> _Subscriber:
        if self._tasks is None:
            raise RuntimeError("subscriptions are not running")
        self._check_room()
        subscriber = _Subscriber(Watch(caller_of(context).user_id), anyio.CancelScope())
        self._sessions[session_id] = subscriber
        self._watches.add(subscriber.watch)  # from the answer on, not from when its task begins
        allowed = is_allowed(context)
        self._tasks.start_soon(
            self._tell, session_id, context.session, subscriber, lambda: allowed() and self._is_live(session_id)
        )
        return subscriber

    async def _tell(
        self, session_id: str, session: ServerSession, subscriber: _Subscriber, may_stay: Callable[[], bool]
    ) -> None:
        end = subscriber.scope.cancel
        try:
            with subscriber.scope, self.watching(subscriber.watch, OpenStream(may_stay, end, end)) as watch:
                async for uri in watch.updated():
                    await self._streams.stream_of(session_id)
                    with anyio.fail_after(STALLED_SECONDS):
                        await (session.send_tool_list_changed() if uri == TOOLS else session.send_resource_updated(uri))
        except TimeoutError:
            # What waits for its stream would keep the session's answers waiting too.
            log.warning("session %s does not read its stream, which is ended", session_id)
            self._streams.drop(session_id)
        finally:
            if self._sessions.get(session_id) is subscriber:
                del self._sessions[session_id]

    @contextmanager
    def watching(self, watch: Watch, held: OpenStream) -> Generator[Watch]:
        """Let a watch hear of changes for the length of a block; `held` ends it when it may not go on."""
        self._watches.add(watch)
        try:
            with self._streams.hold(held):
                yield watch
        finally:
            self._watches.discard(watch)

    def _check_room(self) -> None:
        if len(self._watches) >= MOST_WATCHES:
            raise MCPError(types.INTERNAL_ERROR, f"There are {MOST_WATCHES} subscriptions already.")
