"""One-time codes: how a browser is signed in without a password and without a token in an address."""

import secrets
import threading
from dataclasses import dataclass
from datetime import datetime

from bigmind.core.clock import Clock, system_clock
from bigmind.core.desktop import WINDOW_CLIENT
from bigmind.core.errors import BigMindError
from bigmind.core.operation import Caller
from bigmind.people.screen_code import ScreenCode
from bigmind.people.service import UI_SESSION, MintedToken, mint_token
from bigmind.people.sign_in_file import CODE_LIFETIME
from bigmind.people.token_format import TokenKind, digest
from bigmind.store.store import Store

MOST_CODES = 100


@dataclass(frozen=True, slots=True)
class _Code:
    """Whom a code signs in, under which client's name, until when; whether in the app's own window, or first of all."""

    caller: Caller
    client: str
    end: datetime
    is_windows: bool = False
    is_first: bool = False


class SignIn:
    """Mints codes that work once within ten minutes, and changes a code for a browser's own token.

    Codes live in memory only, as digests: a restart ends them all.

    Attributes:
        screen: the six-digit codes that are shown on this machine's screen.
    """

    def __init__(self, store: Store, clock: Clock = system_clock) -> None:
        self._store = store
        self._clock = clock
        self.screen = ScreenCode()
        self._lock = threading.Lock()
        self._codes: dict[str, _Code] = {}
        self._windows: set[str] = set()
        self._first: dict[str, datetime] = {}

    def new_code(self, caller: Caller, client: str = "browser") -> str:
        """A fresh code that signs a browser in as `caller`'s user; its token will be listed as `client`'s."""
        return self._new_code(_Code(caller, client, self._clock() + CODE_LIFETIME))

    def new_window_code(self, caller: Caller) -> str:
        """A fresh code for the app's own window, to be told over the pipe to its process and nowhere else.

        Only such a code makes a window of whoever redeems it: another with the window's name does not.
        """
        return self._new_code(_Code(caller, WINDOW_CLIENT, self._clock() + CODE_LIFETIME, is_windows=True))

    def new_first_code(self, caller: Caller) -> str:
        """A fresh code for the link that a server prints at the very first start of its user, and for no other.

        Whoever redeems it may set a passphrase. That stands in no row and no file, so that none can be
        deleted to get it again: it is known by the process whose start made the user, and ends with it.
        """
        return self._new_code(_Code(caller, "browser", self._clock() + CODE_LIFETIME, is_first=True))

    def may_set_first(self, secret: str) -> bool:
        """Whether the browser of that token may set the first passphrase: within ten minutes, and once."""
        with self._lock:
            end = self._first.get(digest(secret))
        return end is not None and self._clock() < end

    def end_first(self, secret: str) -> None:
        """Let it set none from now on."""
        with self._lock:
            self._first.pop(digest(secret), None)

    def _new_code(self, known: _Code) -> str:
        code = secrets.token_urlsafe(24)
        with self._lock:
            while len(self._codes) >= MOST_CODES:
                del self._codes[next(iter(self._codes))]
            self._codes[digest(code)] = known
        return code

    def is_window(self, token: str) -> bool:
        """Whether the token of that digest was given to the app's own window, by this process."""
        return token in self._windows

    def holder(self, code: str) -> Caller | None:
        """Whom the code would sign in, without using it; None when it is unknown, used or over."""
        with self._lock:
            known = self._codes.get(digest(code))
        return None if known is None or known.end <= self._clock() else known.caller

    def redeem(self, code: str) -> MintedToken | None:
        """A browser's token for the code; None when the code is unknown, used or over. Writes: call it off the loop.

        Raises:
            BigMindError: the token could not be stored, as on a full disk; the code is good for another try.
        """
        with self._lock:
            known = self._codes.pop(digest(code), None)
        if known is None or known.end <= self._clock():
            return None
        try:
            minted = self._minted(known.caller, known.client)
        except BigMindError:
            with self._lock:
                self._codes[digest(code)] = known
            raise
        if known.is_windows:
            self._windows.add(minted.row.digest)
        if known.is_first:
            with self._lock:
                self._first[minted.row.digest] = self._clock() + CODE_LIFETIME
        return minted

    def redeem_digits(self, browser: str, digits: str) -> MintedToken | None:
        """The same for a code on the screen that the browser of that secret had asked for."""
        caller = self.screen.redeem(browser, digits)
        return None if caller is None else self._minted(caller, "browser")

    def _minted(self, caller: Caller, client: str) -> MintedToken:
        with self._store.write(caller, "sign_in", beside=True) as work:
            return mint_token(work, caller.user_id, client, TokenKind.UI, UI_SESSION)
