"""What use cases may ask of the running server."""

import threading
from collections.abc import Callable
from math import inf
from pathlib import Path
from time import monotonic

from sqlmodel import select

from app.desktop.browser import can_open, open_signed_in
from bigmind.backup.restore_offer import offer_in_words
from bigmind.backup.service import in_words
from bigmind.core.activity import Activity
from bigmind.core.desktop import Desktop, NoDesktop, Shown
from bigmind.core.operation import Caller
from bigmind.embedding.meaning import WORDS_ONLY, Meaning
from bigmind.mcp.addresses import PATH
from bigmind.memory.tables import MemorySession
from bigmind.people.service import NOBODY
from bigmind.people.sign_in_codes import SignIn
from bigmind.settings.live import LiveSettings
from bigmind.store.backup_keeping import BackupKeeping
from bigmind.store.store import Store

OPENED_APART_SECONDS = 5.0


class ServerHost:
    """The server around a store."""

    def __init__(
        self,
        store: Store,
        sign_in: SignIn,
        address: str,
        meaning: Meaning = WORDS_ONLY,
        desktop: Desktop | None = None,
    ) -> None:
        self.store = store
        self._meaning = meaning
        self.sign_in = sign_in
        self._address = address
        self._opening = threading.Lock()
        self._opened: dict[int, tuple[float, Shown]] = {}
        self._activity = Activity()
        store.condition.listen(self._activity.tell)
        self._settings = LiveSettings(store.home, tools=lambda: store.tools.operations)
        self._desktop = desktop or NoDesktop()
        self.on_stop: Callable[[], None] | None = None
        self.owner_id: int | None = None

    def bytes_on_disk(self) -> int:
        """The size of the store."""
        return self.store.size_in_bytes()

    def database(self) -> Path:
        """The store's file."""
        return self.store.path

    def bytes_of_log(self) -> int:
        """How much of it is the log."""
        return self.store.log_in_bytes()

    def safekeeping(self) -> BackupKeeping:
        """The keeping of the store's backups."""
        return self.store.safekeeping

    def backups_in_words(self) -> str:
        """The newest verified backup, and the last failure."""
        return in_words(self.store)

    def restorable_in_words(self) -> str:
        """Which backup brings a damaged store back."""
        return offer_in_words(self.store)

    def meaning(self) -> Meaning:
        """Search by meaning, as far as there is any."""
        return self._meaning

    def activity(self) -> Activity:
        """Whether it is paused, and who called lately."""
        return self._activity

    def settings(self) -> LiveSettings:
        """What a person has set."""
        return self._settings

    def desktop(self) -> Desktop:
        """The desktop around it, where there is one."""
        return self._desktop

    def profile_url(self) -> str:
        """The profile page."""
        return f"{self._address}/profile"

    def endpoint_url(self) -> str:
        """The MCP endpoint."""
        return f"{self._address}{PATH}"

    def sign_in_url(self, caller: Caller, client: str = "browser") -> str:
        """An address that signs a browser in, once, within ten minutes."""
        return f"{self._address}/sign-in?code={self.sign_in.new_code(caller, client)}"

    def window_url(self, person: Caller) -> str:
        """An address that signs the app's own window in, once; for the pipe to its process, and for nothing else.

        What use cases may ask of their surroundings has no such way: a request cannot make a window.
        """
        return f"{self._address}/sign-in?code={self.sign_in.new_window_code(person)}"

    def open_profile(self, caller: Caller) -> Shown:
        """Show the window, or open the page in the person's own browser.

        For an assistant at most once in five seconds, for it may ask in a loop, and each time the person's focus would
        be taken. The code goes to the browser and never to the caller.
        """
        with self._opening:
            opened_at, shown = self._opened.get(caller.user_id, (-inf, Shown.NOTHING))
            if caller.is_person or monotonic() - opened_at >= OPENED_APART_SECONDS:
                shown = self._open(caller)
                self._opened[caller.user_id] = monotonic(), shown
            return shown

    def _open(self, caller: Caller) -> Shown:
        if self._desktop.show(caller):
            return Shown.WINDOW
        if not can_open():
            return Shown.NOTHING
        open_signed_in(self.store.home, self.sign_in_url(caller))
        return Shown.BROWSER

    def is_new(self) -> bool:
        """Whether nobody has remembered anything yet."""
        with self.store.read(NOBODY, "is_new") as work:
            return work.session.exec(select(MemorySession.id).limit(1)).first() is None

    def runs_for(self, caller: Caller) -> bool:
        """Whether it is the caller's own."""
        return caller.user_id == self.owner_id

    def stop(self) -> None:
        """End the server after the requests that are being answered."""
        if self.on_stop is not None:
            self.on_stop()
