"""Who holds a token."""

import threading
from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import datetime

from sqlmodel import col, select

from bigmind.core.client_names import named, of_token
from bigmind.core.clock import Clock, system_clock
from bigmind.core.events import Change, Kind
from bigmind.core.operation import Caller, Presence, Role
from bigmind.operations.token_scope import scope_in
from bigmind.people.service import NOBODY, active_tokens, is_over
from bigmind.people.tables import Token, User
from bigmind.people.token_format import TokenKind, digest, looks_right
from bigmind.store.store import Store


@dataclass(frozen=True, slots=True)
class Principal:
    """The holder of a valid token."""

    caller: Caller
    kind: TokenKind
    expires_at: datetime | None


class Authenticator:
    """Answers who holds a token, from memory; reads the store again after every change of a token.

    Attributes:
        is_window: whether the token of that digest is one that this process gave its own window; no row says so.
    """

    def __init__(self, store: Store, clock: Clock = system_clock) -> None:
        self._store = store
        self._clock = clock
        self._lock = threading.Lock()
        self._by_digest: dict[str, Principal] | None = None
        self.is_window: Callable[[str], bool] = lambda _: False
        store.events.subscribe(self._on_change)

    def _on_change(self, change: Change) -> None:
        if change.kind in {Kind.TOKEN, Kind.USER, Kind.STORE}:
            with self._lock:
                self._by_digest = None

    def principal(self, secret: str) -> Principal | None:
        """The holder of `secret`; None when it is not a token, unknown, revoked or over.

        Looked up by its SHA-256, so the time it takes says nothing about known tokens.
        """
        if not looks_right(secret):
            return None
        key = digest(secret)
        found = self._known().get(key)
        if found is None or is_over(found.expires_at, self._clock()):
            return None
        if found.kind is TokenKind.UI and self.is_window(key):
            return replace(found, caller=replace(found.caller, presence=Presence.WINDOW))
        return found

    @property
    def is_missing(self) -> bool:
        """Whether the memory is missing, and with it the tokens of the clients that are connected."""
        return self._store.safekeeping.loss is not None

    def _known(self) -> dict[str, Principal]:
        with self._lock:
            if self._by_digest is None:
                self._by_digest = self._read()
            return self._by_digest

    def _read(self) -> dict[str, Principal]:
        with self._store.read(NOBODY, "authenticate") as work:
            enabled = select(User).where(col(User.disabled_at).is_(None))
            users = {user.id: user for user in work.session.exec(enabled)}
            return {
                token.digest: Principal(_caller(users[token.user_id], token), TokenKind(token.kind), token.expires_at)
                for token in active_tokens(work)
                if token.user_id in users
            }


def _caller(user: User, token: Token) -> Caller:
    return Caller(
        user_id=token.user_id,
        username=user.username,
        role=Role(user.role),
        client=of_token(token.client),
        token_id=token.id or 0,
        is_person=TokenKind(token.kind).is_person,
        presence=TokenKind(token.kind).presence,
        scope=scope_in(token.scope),
    )


def over_connection(caller: Caller, connection: str | None, claimed: str | None = None) -> Caller:
    """The caller on one connection; behind the name of its token stands what its client calls itself, as claimed."""
    return replace(caller, connection=connection, client=named(caller.client, claimed))
