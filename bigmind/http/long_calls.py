"""What takes long, over the API: it stops when who asked for it is gone, and tells how far it is to who wants that.

With `Accept: application/x-ndjson` the answer is a stream of JSON lines: any number of `{"progress": {...}}`, and at
the end `{"answer": {...}}` or `{"problem": {...}}`, each with the `status` that a plain answer has. A client that ends
its side of the connection meanwhile stops it, and still reads what became of it.
"""

import asyncio
import json
import logging
from collections.abc import AsyncGenerator, Awaitable, Callable
from typing import Any

from bigmind.core.errors import HTTP_STATUS, BigMindError
from bigmind.core.progress import Cancellation, Progress
from bigmind.http.asgi import Receive
from bigmind.http.problems import fault_of_ours, problem
from bigmind.operations.catalogue import Answer
from bigmind.operations.long_work import GONE

log = logging.getLogger(__name__)

JSON_LINES = "application/x-ndjson"
APART_SECONDS = 0.2
STOPPED = "Stopped."

Call = Callable[[Progress, Cancellation], Awaitable[Answer]]


async def while_connected(
    call: Call, progress: Progress, receive: Receive, cancellation: Cancellation | None = None
) -> Answer:
    """What the call answers; it is told to stop when its client has gone away, and waited for all the same.

    `receive` is that of a request whose body was read. Raises what the call raises.
    """
    cancellation = cancellation or Cancellation()
    watching = asyncio.create_task(_cancel_when_gone(receive, cancellation))
    try:
        return await call(progress, cancellation)
    finally:
        watching.cancel()


async def _cancel_when_gone(receive: Receive, cancellation: Cancellation) -> None:
    while (await receive())["type"] != "http.disconnect":
        pass
    cancellation.cancel(GONE)


class ProgressLines:
    """How far a call is, and at last what it answers, as JSON lines."""

    def __init__(self, call: Call, receive: Receive, status: Callable[[Answer], int]) -> None:
        self._call, self._receive, self._status = call, receive, status
        self._told = (0, 0, "", "")
        self._cancellation = Cancellation()

    def stop(self) -> None:
        """Have it stop; the last line tells what became of it."""
        self._cancellation.cancel(STOPPED)

    def _tell(self, done: int, total: int, what: str, unit: str = "") -> None:
        self._told = (done, total, what, unit)

    async def lines(self) -> AsyncGenerator[bytes]:
        """Each line, as it comes."""
        working = asyncio.create_task(self._worked())
        said = self._told
        while not working.done():
            if said != self._told:
                said = self._told
                yield _line(progress=dict(zip(("done", "total", "what", "unit"), said, strict=True)))
            await asyncio.wait({working}, timeout=APART_SECONDS)
        yield await working

    async def _worked(self) -> bytes:
        try:
            answer = await while_connected(self._call, self._tell, self._receive, self._cancellation)
        except BigMindError as error:
            return _refused(error)
        except Exception:  # the answer has begun: what handles the faults of others would cut it off, and say nothing
            log.exception("a call that tells how far it is failed")
            return _refused(fault_of_ours())
        return _line(status=self._status(answer), answer=answer.model_dump(mode="json"))


def _refused(error: BigMindError) -> bytes:
    return _line(status=HTTP_STATUS[error.code], problem=json.loads(problem(error)))


def _line(**what: Any) -> bytes:
    return json.dumps(what).encode() + b"\n"
