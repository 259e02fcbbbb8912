"""In person, on a page in a browser: the passphrase that stands in the very form, for that one request."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any

import anyio.to_thread

from bigmind.core.errors import BigMindError
from bigmind.core.operation import Caller, Presence
from bigmind.people.passphrases import PassphraseChange, Passphrases
from bigmind.store.work import Work
from bigmind.wiring import Mind

FIELD = "your_passphrase"
"""The name of the field; no operation has an input of that name."""

WORTH_A_WORD = 3
"""So many wrong tries are told on every page; fewer are a person's slips, and stand in Settings."""


@dataclass(frozen=True, slots=True)
class PresenceForm:
    """How the person who looks at a page can do there what is done in person.

    Attributes:
        asks: `nothing` in the app's window; `passphrase`; `window`, when there is no passphrase yet.
        set_at: when the passphrase was set; None when there is none.
        tries: how many were wrong since the person last put them away.
        since: when the first of those was made.
        changes: when and where the passphrase was set or removed, until the person puts that away.
    """

    asks: str
    set_at: datetime | None = None
    tries: int = 0
    since: datetime | None = None
    changes: tuple[PassphraseChange, ...] = ()

    @property
    def is_told(self) -> bool:
        """Whether the wrong tries are told wherever the person looks."""
        return self.tries >= WORTH_A_WORD


def hand_of(work: Work) -> PresenceForm:
    """What a page asks of who reads it."""
    known = Passphrases(work.host.settings.home).known(work.caller.username)
    found = known if known is not None and known.hash else None
    asks = "nothing" if work.caller.presence is Presence.WINDOW else "passphrase" if found is not None else "window"
    changes = () if known is None else known.changes
    if found is None:
        return PresenceForm(asks, changes=changes)
    return PresenceForm(asks, found.set_at, found.wrong, found.since, changes)


async def proved(mind: Mind, caller: Caller, sent: Mapping[str, Any], tell: Callable[[], None]) -> Caller:
    """The caller in person, when the form carries their passphrase; as they are, when it carries none.

    It holds for the request at hand: neither the passphrase nor what it proved is kept. `tell` is called when it was
    refused, so that the app's window shows the wrong tries.

    Raises:
        BigMindError: `in_person`, when it is wrong, there is none, or too many were wrong; see `Passphrases.prove`.
    """
    text = str(sent.get(FIELD, ""))
    if not text or caller.presence is not Presence.PAGE:
        return caller
    passphrases = Passphrases(mind.store.home)
    try:
        await anyio.to_thread.run_sync(passphrases.prove, caller.username, text, mind.store.clock())
    except BigMindError:
        tell()
        raise
    return replace(caller, presence=Presence.PASSPHRASE)
