"""The process of a running server, as use cases may ask it."""

import threading
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial
from math import inf
from time import monotonic

from app.desktop.browser import can_open, open_signed_in
from bigmind.backup.restore_offer import offer_in_words
from bigmind.backup.service import in_words
from bigmind.core.desktop import Desktop, NoDesktop, Shown
from bigmind.core.operation import Caller
from bigmind.embedding.meaning import WORDS_ONLY, Meaning
from bigmind.host import Host
from bigmind.mcp.addresses import PATH
from bigmind.people.sign_in_codes import SignIn
from bigmind.settings.live import LiveSettings
from bigmind.store.store import Store

OPENED_APART_SECONDS = 5.0


@dataclass(frozen=True, slots=True)
class SignInLinks:
    """The addresses by which one server signs a person in, each of them once."""

    sign_in: SignIn
    address: str

    def browser(self, caller: Caller, client: str = "browser") -> str:
        """For a browser, within ten minutes."""
        return f"{self.address}/sign-in?code={self.sign_in.new_code(caller, client)}"

    def first(self, person: Caller) -> str:
        """For the terminal of the very first start: who signs in by it may set a passphrase, at once and once.

        What use cases may ask of their host has no such way either.
        """
        return f"{self.address}/sign-in?code={self.sign_in.new_first_code(person)}"

    def window(self, person: Caller) -> str:
        """For the app's own window: for the pipe to its process, and for nothing else.

        What use cases may ask of their host has no such way: a request cannot make a window.
        """
        return f"{self.address}/sign-in?code={self.sign_in.new_window_code(person)}"


@dataclass(slots=True)
class ProfileOpener:
    """Shows the window, or opens the page in the person's own browser.

    For an assistant at most once in five seconds, for it may ask in a loop, and each time the person's focus would be
    taken. The code goes to the browser and never to the caller.

    The screen is that of whom the server runs for (`owner_id`). Of another user nothing is opened there: who sits at it
    would be signed in to that user's memory, read it, and write their own into it.
    """

    store: Store
    links: SignInLinks
    desktop: Desktop
    owner_id: int | None = None
    _turn: threading.Lock = field(default_factory=threading.Lock)
    _opened: dict[int, tuple[float, Shown]] = field(default_factory=dict[int, tuple[float, Shown]])

    def open(self, caller: Caller) -> Shown:
        """Show it to them, and say where."""
        with self._turn:
            opened_at, shown = self._opened.get(caller.user_id, (-inf, Shown.NOTHING))
            if caller.is_person or monotonic() - opened_at >= OPENED_APART_SECONDS:
                shown = self._show(caller)
                self._opened[caller.user_id] = monotonic(), shown
            return shown

    def _show(self, caller: Caller) -> Shown:
        if self.desktop.show(caller):
            return Shown.WINDOW
        if self.owner_id not in {None, caller.user_id} or not can_open():
            return Shown.NOTHING
        open_signed_in(self.store.home, self.links.browser(caller))
        return Shown.BROWSER


def server_host(
    store: Store,
    links: SignInLinks,
    *,
    meaning: Meaning = WORDS_ONLY,
    desktop: Desktop | None = None,
    owner_id: int | None = None,
    stop: Callable[[], None] = lambda: None,
) -> Host:
    """The host of a store that is served; damage of the store is told to whoever listens to its activity.

    Args:
        store: what is served.
        links: how a person signs in to it.
        meaning: search by meaning.
        desktop: its window; none, when none is given.
        owner_id: the user whom it was started for.
        stop: ends the server after the requests that are being answered.
    """
    desktop = desktop or NoDesktop()
    host = Host(
        settings=LiveSettings(store.home, tools=lambda: store.tools.known),
        meaning=meaning,
        desktop=desktop,
        profile_url=f"{links.address}/profile",
        endpoint_url=f"{links.address}{PATH}",
        owner_id=owner_id,
        sign_in_url=links.browser,
        open_profile=ProfileOpener(store, links, desktop, owner_id).open,
        backups_in_words=partial(in_words, store),
        restorable_in_words=partial(offer_in_words, store),
        stop=stop,
    )
    store.condition.listen(host.activity.tell)
    return host
