"""One-time codes: how a browser is signed in without a password and without a token in an address."""

import secrets
import threading
from datetime import datetime, timedelta

from bigmind.core.clock import Clock, system_clock
from bigmind.core.operation import Caller
from bigmind.people.service import UI_SESSION, MintedToken, mint_token
from bigmind.people.tokens import TokenKind, digest
from bigmind.store.store import Store

CODE_LIFETIME = timedelta(minutes=10)
MOST_CODES = 100


class SignIn:
    """Mints codes that work once within ten minutes, and changes a code for a browser's own token.

    Codes live in memory only, as digests: a restart ends them all.
    """

    def __init__(self, store: Store, clock: Clock = system_clock) -> None:
        self._store = store
        self._clock = clock
        self._lock = threading.Lock()
        self._codes: dict[str, tuple[Caller, str, datetime]] = {}

    def new_code(self, caller: Caller, client: str = "browser") -> str:
        """A fresh code that signs a browser in as `caller`'s user; its token will be listed as `client`'s."""
        code = secrets.token_urlsafe(24)
        with self._lock:
            while len(self._codes) >= MOST_CODES:
                del self._codes[next(iter(self._codes))]
            self._codes[digest(code)] = (caller, client, self._clock() + CODE_LIFETIME)
        return code

    def holder(self, code: str) -> Caller | None:
        """Whom the code would sign in, without using it; None when it is unknown, used or over."""
        with self._lock:
            caller, _, end = self._codes.get(digest(code), (None, "", None))
        return None if caller is None or end is None or end <= self._clock() else caller

    def redeem(self, code: str) -> MintedToken | None:
        """A browser's token for the code; None when the code is unknown, used or over. Writes: call it off the loop."""
        with self._lock:
            caller, client, end = self._codes.pop(digest(code), (None, "", None))
        if caller is None or end is None or end <= self._clock():
            return None
        with self._store.write(caller, "sign_in") as work:
            return mint_token(work, caller.user_id, client, TokenKind.UI, UI_SESSION)
