"""BigMind on the desktop, as use cases see it: its window, and whether it starts when the person logs in."""

from collections.abc import Callable

from app.desktop.preflight import is_still_there
from app.desktop.tray.icon import Tray
from app.desktop.window_process import WindowProcess
from bigmind.core.desktop import WINDOW_CLIENT
from bigmind.core.operation import Caller
from bigmind.people.service import active_tokens, end_token
from bigmind.people.token_format import TokenKind
from bigmind.store.store import Store

WINDOW = WINDOW_CLIENT
"""The name under which its token is listed."""


class PersonsDesktop:
    """The desktop of the person whose memory this is."""

    def __init__(self, window: WindowProcess | None, address: str, *, is_there: bool) -> None:
        """Put it together.

        Args:
            window: to show; None where there can be none.
            address: of the server.
            is_there: whether there is a desktop at all, with or without a window.
        """
        self._window = window
        self._is_there = is_there
        self._address = address
        self._person: Caller | None = None
        self._tray: Tray | None = None

    def has_tray(self, tray: Tray) -> None:
        """Its notifications reach the person."""
        self._tray = tray

    def can_show(self) -> bool:
        """Whether a code that is to be typed into a browser would be seen: in the open window, or as a notification."""
        return self._tray is not None or (self._window is not None and self._window.process_id is not None)

    def show_code(self, code: str) -> None:
        """Say it in a notification; the pages in the window show it by themselves."""
        if self._tray is not None:
            self._tray.notify(f"Sign-in code: {code}", "Type it into your browser. If you didn't ask, ignore it.")

    def ready(self, person: Caller, link: Callable[[], str]) -> None:
        """The server answers: show its pages.

        Args:
            person: whose window it is.
            link: gives an address that signs them in, once.
        """
        self._person = person
        if self._window is not None:
            self._window.serve(link)

    def no_window(self) -> None:
        """There can be none, as has turned out."""
        self._window = None

    def has_window(self) -> bool:
        """Whether it can show a window of its own: not where the session that it was started in has ended."""
        window = self._window
        return window is not None and (window.process_id is not None or is_still_there())

    def show(self, caller: Caller) -> bool:
        """Bring the window forward; False when there is none, or when it is not that user's."""
        window = self._window
        if window is None or not self.has_window() or self._person is None or caller.user_id != self._person.user_id:
            return False
        window.show()
        return True

    def show_page(self, path: str) -> bool:
        """Bring it forward, on one page or, without a path, on what it shows; False when there is none."""
        window = self._window
        if window is not None:
            window.show(f"{self._address}{path}" if path else "")
        return window is not None

    def starts_at_login(self) -> bool | None:
        """Whether BigMind starts when the person logs in; None where no desktop is."""
        if not self._is_there:
            return None
        from app.desktop.start_at_login import enabled  # noqa: PLC0415 - when it is asked

        return enabled()

    def start_at_login(self, *, enabled: bool) -> None:
        """Set it.

        Raises:
            BigMindError: `unavailable`, when the system refuses.
        """
        from app.desktop.start_at_login import disable, enable  # noqa: PLC0415 - when it is set

        if enabled:
            enable()
        else:
            disable()


def end_window_tokens(store: Store, person: Caller) -> None:
    """Sign out the window that has closed, and those that a killed process left."""
    with store.read(person, "window_closed") as work:
        found = any(_is_of_a_window(each.kind, each.client) for each in active_tokens(work, person.user_id))
    if not found:
        return
    with store.write(person, "window_closed", beside=True) as work:
        for token in active_tokens(work, person.user_id):
            if _is_of_a_window(token.kind, token.client):
                end_token(work, token)


def _is_of_a_window(kind: str, client: str) -> bool:
    return kind == TokenKind.UI and client == WINDOW
