"""The pages, loaded by the first request for one: a server that clients alone use holds none of them.

Not before the tray of a desktop is there, which bears no loading on other threads: a request that comes before waits.
"""

import logging
import threading
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from typing import cast

import anyio.to_thread
from litestar import Litestar

from bigmind.core.errors import BigMindError, Code
from bigmind.http.asgi import App, Receive, Scope, Send
from bigmind.http.lingering import lingering
from bigmind.http.problems import refuse

log = logging.getLogger(__name__)

MOST_SECONDS = 10.0
"""How long a request waits for leave to load: where a tray hangs, pages are how a person finds out."""


@dataclass(frozen=True, slots=True)
class LoadedPages:
    """The pages of one server.

    Attributes:
        router: answers requests for them.
        close: ends every live stream at once.
    """

    router: Litestar
    close: Callable[[], None]


class LazyPages:
    """An ASGI application that becomes the pages once one is wanted. Tried once: a restart tries again."""

    def __init__(
        self,
        build: Callable[[], LoadedPages],
        note: Callable[[str], None],
        *,
        is_told: bool = False,
        most_seconds: float = MOST_SECONDS,
    ) -> None:
        """Prepare it.

        Args:
            build: loads them, and puts them together; called once at most.
            note: told why they cannot be loaded.
            is_told: the first request loads them, but not before `allow` was called; else, at once.
            most_seconds: how long it waits for that.
        """
        self._build, self._note = build, note
        self._building = threading.Lock()
        self._allowed = threading.Event()
        self._most_seconds = most_seconds
        self._loaded: LoadedPages | None = None
        self._has_failed = self._is_over = False
        if not is_told:
            self._allowed.set()

    def load(self) -> LoadedPages:
        """Load them now, whoever asked or did not; from any thread.

        Raises:
            BigMindError: `unavailable`, when it is ending; `internal`, when they cannot be loaded.
        """
        with self._building:
            if self._loaded is None:
                self._loaded = self._built()
                self._allowed.set()  # there is nothing left to wait for
                if self._is_over:
                    self._loaded.close()
            return self._loaded

    def load_when_allowed(self) -> LoadedPages:
        """The same for a request, on a worker thread; raises as `load`."""
        self._allowed.wait(self._most_seconds)
        return self.load()

    def begin(self) -> None:
        """Begin to load them on a thread of its own, once they may be loaded; whoever asks meanwhile waits for that."""
        if self._loaded is None:
            threading.Thread(target=self._load_beside, name="pages", daemon=True).start()

    def allow(self) -> None:
        """Let a request load them from now on; from any thread."""
        self._allowed.set()

    def close(self) -> None:
        """End what is open, and begin to load nothing any more; from any thread."""
        self._is_over = True
        self._allowed.set()
        if (loaded := self._loaded) is not None:
            loaded.close()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve one request that the guard let in."""
        try:
            loaded = self._loaded or await anyio.to_thread.run_sync(self.load_when_allowed)
        except BigMindError as error:
            await refuse(lingering(send, receive), error)
        else:
            await cast("App", loaded.router)(scope, receive, send)

    def _built(self) -> LoadedPages:
        if self._is_over:
            raise BigMindError(Code.UNAVAILABLE, "BigMind is ending.", "Start it again.")
        if not self._has_failed:
            try:
                return self._build()
            except Exception as error:  # whatever it is: who waits is told, and clients go on
                log.exception("the pages cannot be loaded")
                self._has_failed = True
                self._note(f"{type(error).__name__}: {error}")
        # Why stands in the log and in Health: who is told this may be nobody whom BigMind knows.
        raise BigMindError(
            Code.INTERNAL,
            "BigMind's pages cannot be loaded.",
            "Install BigMind again, and start it; `bigmind memory health-check` and its log say why.",
        )

    def _load_beside(self) -> None:
        with suppress(BigMindError):  # it stands in the log, and who asks for a page is told
            self.load_when_allowed()
