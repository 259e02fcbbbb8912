"""What changed, told to whoever listens, after the commit."""

import threading
from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum


class Kind(StrEnum):
    """The kinds of things that change."""

    SESSION = "session"
    CHUNK = "chunk"
    FACT = "fact"
    HYPOTHESIS = "hypothesis"
    PROFILE = "profile"
    KNOWLEDGE = "knowledge"
    THOUGHT = "thought"
    BRAIN_QUERY = "brain_query"
    WORK_ITEM = "work_item"
    PROTOCOL_RUN = "protocol_run"
    STORE = "store"
    USER = "user"
    TOKEN = "token"  # noqa: S105 - the word, not one
    SETTINGS = "settings"
    CLIENT = "client"


_STORED_AS: dict[str, str] = {
    **dict.fromkeys(("task", "node", "work", "item"), Kind.WORK_ITEM),
    **dict.fromkeys(("moment", "highlight"), Kind.CHUNK),
    "run": Kind.PROTOCOL_RUN,
}
"""What people and models call a kind."""


def stored_name(called: str) -> str:
    """The stored name of a kind: `chunk` for a moment; the word itself where it is no other name of one."""
    return str(_STORED_AS.get(called, called))


class Action(StrEnum):
    """What happened to it."""

    CREATED = "created"
    UPDATED = "updated"
    CLOSED = "closed"
    DEPRECATED = "deprecated"
    APPROVED = "approved"
    NOTED = "noted"
    ACCEPTED = "accepted"
    PLACED = "placed"
    CONTRADICTED = "contradicted"
    FORGOTTEN = "forgotten"
    PRUNED = "pruned"
    IMPORTED = "imported"
    EXPORTED = "exported"
    RESTORED = "restored"
    REINDEXED = "reindexed"
    REVOKED = "revoked"
    DISABLED = "disabled"
    ENABLED = "enabled"
    MADE_MEMBER = "made_member"
    MADE_CURATOR = "made_curator"
    MADE_ADMIN = "made_admin"
    SHARED = "shared"
    SET_ASIDE = "set_aside"


@dataclass(frozen=True, slots=True)
class Change:
    """One committed change. `number` grows with every change of the store and never repeats; no content is told.

    `is_shared` says that it was of something that every user of the store may find.
    """

    number: int
    user_id: int
    kind: Kind | str
    entity: str
    action: Action
    is_shared: bool = False

    def concerns(self, user_id: int) -> bool:
        """Whether a user is told: of what is theirs, and of what everybody may find."""
        return self.user_id == user_id or self.is_shared or self.kind in EVERYBODYS


EVERYBODYS = frozenset({Kind.KNOWLEDGE, Kind.STORE})
"""Of which every user is told, beside what a change itself says is shared."""

_KNOWN: dict[str, Kind] = {each.value: each for each in Kind}


def changed_kind(name: str) -> Kind | str:
    """The kind of that name; the name itself of a kind of remembered thing that is declared elsewhere."""
    return _KNOWN.get(name, name)


Listener = Callable[[Change], None]


class EventBus:
    """Hands committed changes to listeners, on the thread that committed. A listener is quick and never raises."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._listeners: tuple[Listener, ...] = ()

    def subscribe(self, listener: Listener) -> Callable[[], None]:
        """Call `listener` for each change from now on; returns the function that ends it."""
        with self._lock:
            self._listeners = (*self._listeners, listener)

        def unsubscribe() -> None:
            with self._lock:
                self._listeners = tuple(each for each in self._listeners if each is not listener)

        return unsubscribe

    def publish(self, changes: list[Change]) -> None:
        """Tell every listener of every change, in order."""
        for listener in self._listeners:
            for change in changes:
                listener(change)
