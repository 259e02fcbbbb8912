"""What use cases may ask of the running server."""

from collections.abc import Callable
from threading import Thread
from time import monotonic

from sqlmodel import select

from app.browser import can_open, open_page
from bigmind.backup.service import in_words
from bigmind.core.operation import Caller
from bigmind.memory.tables import MemorySession
from bigmind.people.service import NOBODY
from bigmind.people.sign_in import SignIn
from bigmind.search.meaning import WORDS_ONLY, Meaning
from bigmind.store.safekeeping import Safekeeping
from bigmind.store.store import Store

OPENED_APART_SECONDS = 5.0


class ServerSurroundings:
    """The server around a store."""

    def __init__(self, store: Store, sign_in: SignIn, address: str, meaning: Meaning = WORDS_ONLY) -> None:
        self.store = store
        self._meaning = meaning
        self.sign_in = sign_in
        self._address = address
        self._opened_at = -OPENED_APART_SECONDS
        self.on_stop: Callable[[], None] | None = None

    def bytes_on_disk(self) -> int:
        """The size of the store."""
        return self.store.size_in_bytes()

    def bytes_of_log(self) -> int:
        """How much of it is the log."""
        return self.store.log_in_bytes()

    def safekeeping(self) -> Safekeeping:
        """The keeping of the store's backups."""
        return self.store.safekeeping

    def backups_in_words(self) -> str:
        """The newest verified backup, and the last failure."""
        return in_words(self.store)

    def meaning(self) -> Meaning:
        """Search by meaning, as far as there is any."""
        return self._meaning

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

    def is_new(self) -> bool:
        """Whether nobody has remembered anything yet."""
        with self.store.read(NOBODY, "is_new") as work:
            return work.session.exec(select(MemorySession.id).limit(1)).first() is None

    def stop(self) -> None:
        """End the server after the requests that are being answered."""
        if self.on_stop is not None:
            self.on_stop()
