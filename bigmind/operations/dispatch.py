"""Runs operations: permission, input, one unit of work, answer. The same for every surface."""

import logging
from collections.abc import Callable, Generator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from functools import lru_cache, partial
from typing import Any, TypeVar, cast

import anyio.to_thread
from anyio import CapacityLimiter
from pydantic import BaseModel

from bigmind.core.errors import BigMindError, Code, brain_unavailable, in_person, in_window
from bigmind.core.operation import Caller, Effect, Operation, Presence, TokenScope
from bigmind.core.plain_text import left_out
from bigmind.core.progress import Cancellation, Progress, nobody_waits
from bigmind.core.shapes import is_list, is_object
from bigmind.operations.catalogue import FOUND, Answer, Catalogue
from bigmind.operations.long_work import LongWork
from bigmind.operations.request_receipts import Receipts, answered_before, digest_of
from bigmind.operations.token_scope import allows, refusal
from bigmind.operations.validation import validated
from bigmind.operations.worker_threads import WorkerThreads
from bigmind.store.access import Access
from bigmind.store.store import Store
from bigmind.store.work import Work

T = TypeVar("T")

log = logging.getLogger(__name__)

LONGEST_KEY = 80
OUTSIDE_AT_ONCE = 24
"""Operations that see what is outside of the store, at once."""
LONG_TEXT = 20_000
"""Characters from which on an input is prepared outside of the writers' queue."""


@dataclass(frozen=True, slots=True)
class Request:
    """A request that was found good: what is done for whom, with which input.

    `masked` names the kinds of secrets that were taken out of the input, `left_out` counts what no text can hold; `key`
    is the idempotency key, with a digest of what was asked for; `progress` is told how far a long one has come, and
    `cancellation` ends it; `found` is what was found out first.
    """

    operation: Operation
    caller: Caller
    given: dict[str, Any]
    masked: list[str]
    key: tuple[str, str] | None
    progress: Progress = nobody_waits
    cancellation: Cancellation = field(default_factory=Cancellation)
    found: Any = None
    left_out: int = 0


class NameResolver:
    """What the names in a request mean in the store. This one takes them as they are."""

    def caller(self, work: Work) -> Caller:
        """Who asks, with the store's names for what the request says of them."""
        return work.caller

    def given(self, work: Work, operation: Operation, given: dict[str, Any]) -> dict[str, Any]:  # noqa: ARG002
        """An operation's input, with the store's names for what it names."""
        return given


class Dispatcher:
    """The way into the use cases."""

    def __init__(self, catalogue: Catalogue, store: Store, names: NameResolver | None = None) -> None:
        self.catalogue = catalogue
        self.store = store
        self._names = names or NameResolver()
        self._receipts = Receipts()
        # One thread writes; as many read as there are reading connections. Both wait here, not in the database.
        self._writers = WorkerThreads(1, "writes")
        self._readers = WorkerThreads(store.backend.engines.readers, "reads")
        # What takes long (an import, a backup) waits for its own kind, so that it holds up no reader and no writer.
        self._long = LongWork()
        # What looks at files, or runs checks for minutes, holds up nobody else.
        self._outside = CapacityLimiter(OUTSIDE_AT_ONCE)

    def close(self) -> None:
        """End its threads, once what they have begun has ended."""
        self._writers.close()
        self._readers.close()

    async def call(
        self,
        operation: Operation,
        caller: Caller,
        arguments: Mapping[str, Any],
        key: str | None = None,
        progress: Progress = nobody_waits,
        cancellation: Cancellation | None = None,
    ) -> Answer:
        """Run an operation on a worker thread; see `run`. Only a long one tells `progress`, heeds `cancellation`."""
        if operation.takes_access:
            cancellation = cancellation or Cancellation()
            job = partial(self.run, operation, caller, arguments, key, progress, cancellation)
            return await self._long.run(caller.user_id, operation.title, job, progress, cancellation)
        threads = self._readers if operation.effect is Effect.READ else self._writers
        job = partial(self.run, operation, caller, arguments, key, progress)
        if operation.looks is not None or (threads is self._writers and _is_long(arguments)):
            # No other writer waits for what only looks; nor while a megabyte is searched for secrets, for seconds.
            prepare = partial(self._looked, operation, caller, arguments, key)
            request = await self._readers.run(prepare)
            if operation.gathers is not None:
                request = await anyio.to_thread.run_sync(_gathered, request, limiter=self._outside)
            job = partial(self._done, request)
        # A write that was begun is finished, also when its client has gone away.
        return await threads.run(job)

    def run(
        self,
        operation: Operation,
        caller: Caller,
        arguments: Mapping[str, Any],
        key: str | None = None,
        progress: Progress = nobody_waits,
        cancellation: Cancellation | None = None,
    ) -> Answer:
        """Run an operation for `caller`.

        Args:
            operation: what to do.
            caller: for whom.
            arguments: the input's fields, unchecked.
            key: an idempotency key of at most 80 characters: the same key of the same token within an hour gets the
                first answer again, and nothing is done twice.
            progress: is told how far one that takes long has come.
            cancellation: ends one that takes long.

        Returns:
            The answer, after its changes are committed.

        Raises:
            BigMindError: `forbidden`, also beyond the scope of the caller's token, and to an assistant for a tool that
                is switched off, `in_person` where only the
                window or a passphrase will do, `unavailable` while BigMind is paused or the memory is missing,
                `store_unusable` for a write while the memory is damaged, `bad_request` for a key that is too long,
                `invalid_input`, or what the use case says.
        """
        request = _gathered(self._looked(operation, caller, arguments, key))
        return self._done(replace(request, progress=progress, cancellation=cancellation or Cancellation()))

    def _looked(self, operation: Operation, caller: Caller, arguments: Mapping[str, Any], key: str | None) -> Request:
        """As `prepared`, with what the operation finds out before it writes."""
        with _in_words_of(operation):
            request = self.prepared(operation, caller, arguments, key)
            return request if operation.looks is None else self._with_findings(operation, request)

    def _with_findings(self, operation: Operation, request: Request) -> Request:
        with self.store.read(request.caller, operation.name) as work:
            work.caller = self._names.caller(work)
            if request.key and answered_before(work, operation, *request.key) is not None:
                return request  # a retry: what was found out then is in the answer that is kept
            looks = cast("Callable[..., Any]", operation.looks)
            return replace(request, found=looks(work, **self._names.given(work, operation, request.given)))

    def prepared(
        self, operation: Operation, caller: Caller, arguments: Mapping[str, Any], key: str | None = None
    ) -> Request:
        """Check permission and input, and mask secrets: all that needs no store. Raises as `run`."""
        _permit(operation, caller)
        caller = _named(caller)
        activity = self.store.host.activity
        activity.note(caller)
        activity.hear(caller, self.store.clock())
        activity.permit(operation)
        self.store.safekeeping.permit(operation, caller)
        self.store.condition.permit(operation)
        if not caller.is_person:
            self.store.host.settings.permit(operation.name)
        if key is not None and not 0 < len(key) <= LONGEST_KEY:
            raise BigMindError(Code.BAD_REQUEST, f"The Idempotency-Key is not of 1 to {LONGEST_KEY} characters.")
        given, masked = _without_secrets(operation, validated(operation, arguments))
        digest = (key, digest_of(operation, arguments)) if key else None
        return Request(
            operation, caller, given, masked, digest, left_out=left_out(dict(arguments)) if operation.masks else 0
        )

    def within(self, work: Work, operation: Operation, arguments: Mapping[str, Any]) -> Answer:
        """Run an operation that reads within a unit of work that is open already, such as a page's.

        Raises:
            BigMindError: as `run`.
            ValueError: for an operation that writes, or opens units of work of its own.
        """
        if operation.effect is not Effect.READ or operation.takes_access:
            raise ValueError(operation.name)
        request = self.prepared(operation, work.caller, arguments)
        return operation.function(work, **self._names.given(work, operation, request.given))

    def _done(self, request: Request) -> Answer:
        with _in_words_of(request.operation):
            return self._run(request)

    def _run(self, request: Request) -> Answer:
        operation, caller, given = request.operation, request.caller, request.given
        # Once more: it may have been paused while this one was prepared, or waited for its turn.
        self.store.host.activity.permit(operation)
        self.store.safekeeping.permit(operation, caller)
        self.store.condition.permit(operation)
        if operation.takes_access:
            with self.store.host.activity.long(operation.title), self.store.in_our_words():
                return self._long_once(self._access(request), request)
        if operation.effect is Effect.READ:
            with self.store.read(caller, operation.name) as work:
                work.caller = self._names.caller(work)
                given = self._names.given(work, operation, given)
                return operation.function(work, **given, **({FOUND: request.found} if operation.looks else {}))
        with self.store.write(caller, operation.name, beside=operation.while_paused) as work:
            work.caller = self._names.caller(work)
            return self._once(work, request, *request.key) if request.key else self._written(work, request)

    def _access(self, request: Request) -> Access:
        stop, operation = request.cancellation, request.operation
        told = stop.watching(request.progress)
        return Access(self.store, request.caller, operation.name, told, operation.while_paused, stop)

    def _once(self, work: Work, request: Request, key: str, digest: str) -> Answer:
        """Write, unless the same request was written under this key before: then its answer is given again."""
        answer = answered_before(work, request.operation, key, digest)
        if answer is None:
            answer = self._written(work, request)
            if not answer.is_refusal:  # nothing was done twice; what was refused may pass by now
                self._keep(work, request, answer)
        return answer

    def _long_once(self, access: Access, request: Request) -> Answer:
        """The same for what opens units of work of its own, with the receipt in one of its own after them.

        A process that ends between them leaves no receipt, and a retry does it again.
        """
        operation, given = request.operation, request.given
        if request.key is None or operation.effect is Effect.READ:
            return operation.function(access, **given)
        with access.read() as work:
            answer = answered_before(work, operation, *request.key)
        if answer is None:
            answer = cast("Answer", operation.function(access, **given))
            try:
                with access.write() as work:
                    self._keep(work, request, answer)
            except BigMindError as error:  # what was asked for is done: to say that it failed would be wrong
                log.warning("%s was done, but a retry would do it again: %s", operation.name, error)
        return answer

    async def read(self, caller: Caller, purpose: str, query: Callable[[Work], T]) -> T:
        """Run a query that is not an operation, for a page or a resource, on a worker thread.

        Args:
            caller: for whom.
            purpose: what for; with a token that has a scope, the operation that tells the same.
            query: reads.

        Raises:
            BigMindError: `unavailable`, to an assistant while the memory is missing; `forbidden`, beyond the scope of
                the caller's token; what the query raises.
        """
        if not self.may_read(caller, purpose):
            raise refusal(purpose, cast("TokenScope", caller.scope), caller.username)
        self.store.safekeeping.permit_reading(caller)
        self.store.host.activity.hear(caller, self.store.clock())

        def job() -> T:
            with self.store.read(caller, purpose) as work:
                work.caller = self._names.caller(work)
                return query(work)

        return await self._readers.run(job)

    def may_read(self, caller: Caller, purpose: str) -> bool:
        """Whether the scope of the caller's token lets it read what that operation tells; without a scope, anything."""
        if caller.scope is None:
            return True
        operation = self.catalogue.get(purpose)
        return operation is not None and allows(caller.scope, operation)

    async def look(self, caller: Caller, purpose: str, looks: Callable[[Work], Callable[[], T]]) -> T:
        """Find out in the store what is to be looked at outside of it, then look, with no connection held.

        Raises:
            BigMindError: as `read`; what either of the two raises.
        """
        job = await self.read(caller, purpose, looks)
        return await anyio.to_thread.run_sync(job, limiter=self._outside)

    def _written(self, work: Work, request: Request) -> Answer:
        given = self._names.given(work, request.operation, request.given)
        if request.operation.looks is not None:
            given[FOUND] = request.found
        answer = cast("Answer", request.operation.function(work, **given))
        answer.masked, answer.left_out = request.masked, request.left_out
        return answer

    def _keep(self, work: Work, request: Request, answer: Answer) -> None:
        key, digest = request.key or ("", "")
        self._receipts.keep(work, request.operation, key, digest, answer)


def _gathered(request: Request) -> Request:
    """A request, with what its operation sees outside of the store."""
    gathers = request.operation.gathers
    return request if gathers is None or request.found is None else replace(request, found=gathers(request.found))


@contextmanager
def _in_words_of(operation: Operation) -> Generator[None]:
    """Where an operation rests on the brain, a fault of the store is told as that of the brain."""
    try:
        yield
    except BigMindError as error:
        told = brain_unavailable(error) if operation.rests_on_brain else error
        if told is error:
            raise
        raise told from error


def _is_long(arguments: Mapping[str, Any]) -> bool:
    return sum(len(each) for each in arguments.values() if isinstance(each, str)) > LONG_TEXT


def _without_secrets(operation: Operation, given: dict[str, Any]) -> tuple[dict[str, Any], list[str]]:
    """The input with every secret in its texts masked, and the kinds of what was found."""
    if not operation.masks:
        return given, []
    from bigmind.secrets.json_masking import masked_json  # noqa: PLC0415 - its rules are loaded at the first write
    from bigmind.secrets.masking import mask  # noqa: PLC0415

    kinds: set[str] = set()

    def masked(value: Any) -> Any:
        if isinstance(value, str):
            found = mask(value)
            kinds.update(found.kinds)
            return found.text
        if isinstance(value, BaseModel):
            return value.model_copy(update={name: masked(each) for name, each in value})
        if is_object(value):
            bare, found = masked_json(value)
            kinds.update(found)
            return bare
        return [masked(each) for each in value] if is_list(value) else value

    return {name: masked(value) for name, value in given.items()}, sorted(kinds)


def _named(caller: Caller) -> Caller:
    """The caller, without a secret in what its client calls itself or its project, which stand beside what it says."""
    client, project = _without_secret(caller.client), caller.project and _without_secret(caller.project)
    is_known = client == caller.client and project == caller.project
    return caller if is_known else replace(caller, client=client, project=project)


@lru_cache(maxsize=1024)
def _without_secret(name: str) -> str:
    from bigmind.secrets.libraries import may_hold_token  # noqa: PLC0415 - with the first request, not at the start

    if not may_hold_token(name):
        return name
    from bigmind.secrets.masking import mask  # noqa: PLC0415 - its rules are loaded for such a name alone

    return mask(name).text


def _permit(operation: Operation, caller: Caller) -> None:
    if caller.scope is not None and not allows(caller.scope, operation):
        raise refusal(operation.name, caller.scope, caller.username)
    if not caller.role.includes(operation.permission):
        raise BigMindError(
            Code.FORBIDDEN, f"{operation.name} needs the role {operation.permission}; yours is {caller.role}."
        )
    if operation.people_only and not caller.is_person:
        raise BigMindError(
            Code.FORBIDDEN,
            f"{operation.name} is for people; a client's token may not use it.",
            "It is done in BigMind's window." if operation.in_person else "Use the `bigmind` command.",
        )
    if operation.in_window and caller.presence is not Presence.WINDOW:
        raise in_window(f"“{operation.title}”")
    if operation.in_person and not caller.presence.is_in_person:
        raise in_person(f"“{operation.title}”")
