"""What use cases may ask of the running server."""

from collections.abc import Callable
from threading import Thread
from time import monotonic

from app.browser import can_open, open_page
from bigmind.core.operation import Caller
from bigmind.people.sign_in import SignIn
from bigmind.store.store import Store

OPENED_APART_SECONDS = 5.0


class ServerSurroundings:
    """The server around a store."""

    def __init__(self, store: Store, sign_in: SignIn, address: str) -> None:
        self.store = store
        self.sign_in = sign_in
        self._address = address
        self._opened_at = -OPENED_APART_SECONDS
        self.on_stop: Callable[[], None] | None = None

    def bytes_on_disk(self) -> int:
        """The size of the store."""
        return self.store.size_in_bytes()

    def profile_url(self) -> str:
        """The profile page."""
        return f"{self._address}/profile"

    def sign_in_url(self, caller: Caller) -> str:
        """An address that signs a browser in, once, within ten minutes."""
        return f"{self._address}/sign-in?code={self.sign_in.new_code(caller)}"

    def open_profile(self, caller: Caller) -> bool:
        """Open the page in the person's own browser, at most once in five seconds: an assistant may ask in a loop.

        The code goes to the browser and never to the caller. A browser may take long to start, and is not waited for.
        """
        if not can_open():
            return False
        now = monotonic()
        if now - self._opened_at >= OPENED_APART_SECONDS:
            self._opened_at = now
            Thread(target=open_page, args=(self.sign_in_url(caller),), name="browser", daemon=True).start()
        return True

    def stop(self) -> None:
        """End the server after the requests that are being answered."""
        if self.on_stop is not None:
            self.on_stop()
