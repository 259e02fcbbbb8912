"""The passphrase by which a page in a browser knows the person: its hash, the wrong tries at it, and what changed it.

It is in a private file of the data folder and not in the store: no backup, export or import holds one, so that none
brings one of its own or takes this one away. Programs of the account can replace the file, as they can the database.
"""

import hashlib
import hmac
import json
import logging
import secrets
import threading
import unicodedata
from dataclasses import asdict, dataclass, replace
from datetime import datetime, timedelta
from enum import StrEnum
from pathlib import Path
from typing import Any

from bigmind.core.errors import BigMindError, Code
from bigmind.core.operation import Presence
from bigmind.core.shapes import is_object
from bigmind.paths import passphrase_file, read_private_file, write_private_file
from bigmind.store.work import Work

log = logging.getLogger(__name__)

SHORTEST = 10
LONGEST = 200
FREE_TRIES = 3
"""So many wrong ones in a row are a person's; each after them makes the next one wait."""
FIRST_PAUSE = timedelta(seconds=10)
LONGEST_PAUSE = timedelta(hours=1)
FILE_BYTES = 1_000_000
MOST_CHANGES = 10
"""So many changes are told until the person puts them away: the newest."""

# 32 MB and a quarter of a second each: OWASP's password storage cheat sheet, scrypt (N 2^15, r 8, p 3).
_COST, _BLOCK, _LANES, _BYTES = 2**15, 8, 3, 32
_MEMORY = 64 * 1024 * 1024
HOW_TO_SET = (
    "Set one in BigMind's window, in Settings under You; or, where there is no window, stop BigMind and run "
    "`bigmind passphrase set` in a terminal."
)
_TURN = threading.Lock()
"""One at a time: of tries that are made at once, none is made before the others are counted."""


class PassphrasePlace(StrEnum):
    """Where a passphrase is set or removed."""

    WINDOW = "window"
    FIRST_SIGN_IN = "first_sign_in"
    TERMINAL = "terminal"


@dataclass(frozen=True, slots=True)
class PassphraseChange:
    """That the passphrase was set or removed, which is told until the person puts it away."""

    at: datetime
    place: PassphrasePlace
    is_set: bool


@dataclass(frozen=True, slots=True)
class Passphrase:
    """One user's, as the file has it.

    Attributes:
        salt: in hexadecimal; new with each passphrase.
        hash: scrypt's, in hexadecimal; empty where it was removed.
        set_at: when the person set it.
        wrong: how many tries were wrong since the person last said that they saw them.
        since: when the first of those was made; None when there is none.
        streak: how many were wrong since the last right one.
        last: when the last of those was made.
        changes: that the person has not put away yet, the oldest first.
    """

    salt: str
    hash: str
    set_at: datetime
    wrong: int = 0
    since: datetime | None = None
    streak: int = 0
    last: datetime | None = None
    changes: tuple[PassphraseChange, ...] = ()


class Passphrases:
    """The passphrases of one home, by user. May be used from any thread."""

    def __init__(self, home: Path) -> None:
        self._file = passphrase_file(home)

    def of(self, username: str) -> Passphrase | None:
        """The user's; None when they have set none, or the file cannot be read."""
        return _there(self._read(), username)

    def known(self, username: str) -> Passphrase | None:
        """The same, and what is still to be told of one that was removed: that one has no hash."""
        return self._read().get(username)

    def is_untouched(self, username: str) -> bool:
        """Whether the user never had one here. A file that cannot be read says nothing of it: it counts as touched."""
        try:
            told = json.loads(read_private_file(self._file, FILE_BYTES))
        except FileNotFoundError:
            return True
        except (OSError, ValueError):
            return False
        return is_object(told) and username not in told

    def set(self, username: str, text: str, now: datetime, place: PassphrasePlace) -> None:
        """Give the user this passphrase in place of the one there was; wrong tries at that one are over.

        Raises:
            BigMindError: `storage_full` or `store_unusable`, when the file cannot be written. Nothing is changed then.
        """
        salt = secrets.token_bytes(16)
        made = Passphrase(salt.hex(), _hash(text, salt), now)
        with _TURN:
            kept = self._read()
            change = PassphraseChange(now, place, is_set=True)
            self._write({**kept, username: replace(made, changes=_told_with(kept.get(username), change))})

    def remove(self, username: str, now: datetime, place: PassphrasePlace) -> bool:
        """Take the user's passphrase away; whether there was one. That it went stays to be told. Raises as `set`."""
        with _TURN:
            kept = self._read()
            found = _there(kept, username)
            if found is None:
                return False
            change = PassphraseChange(now, place, is_set=False)
            self._write({**kept, username: Passphrase("", "", found.set_at, changes=_told_with(found, change))})
            return True

    def see_changes(self, username: str) -> int:
        """Note that the person saw what changed it, and how often that was. Raises as `set`."""
        with _TURN:
            kept = self._read()
            found = kept.get(username)
            if found is None or not found.changes:
                return 0
            self._write({**kept, username: replace(found, changes=())})
            return len(found.changes)

    def see_tries(self, username: str) -> int:
        """Note that the person saw the wrong tries, and how many there were; no pause follows them. Raises as `set`."""
        with _TURN:
            kept = self._read()
            found = _there(kept, username)
            if found is None:
                return 0
            kept[username] = replace(found, wrong=0, since=None, streak=0, last=None)
            self._write(kept)
            return found.wrong

    def prove(self, username: str, text: str, now: datetime) -> None:
        """Let pass whoever gives the user's passphrase. Takes a quarter of a second: call it off the loop.

        A try is counted before it is looked at, so that a process that is killed meanwhile has counted it.

        Raises:
            BigMindError: `in_person`, when it is wrong, none is set, or too many were wrong a moment ago: then it is
                not looked at. `storage_full` or `store_unusable`, when the try cannot be counted.
        """
        with _TURN:
            kept = self._read()
            found = _there(kept, username)
            if found is None:
                raise no_passphrase()
            if (wait := _wait(found, now)) > timedelta():
                if found.last is not None and found.last > now:  # the clock was set back: the pause begins again
                    self._write({**kept, username: replace(found, last=now)})
                raise _too_soon(wait)
            tried = replace(found, wrong=found.wrong + 1, since=found.since or now, streak=found.streak + 1, last=now)
            self._write({**kept, username: tried})
            if not hmac.compare_digest(found.hash, _hash(text[:LONGEST], bytes.fromhex(found.salt))):
                raise _wrong()
            self._write({**kept, username: replace(found, streak=0, last=None)})

    def _read(self) -> dict[str, Passphrase]:
        try:
            told = json.loads(read_private_file(self._file, FILE_BYTES))
        except FileNotFoundError:
            return {}
        except (OSError, ValueError) as error:
            log.warning("%s cannot be read, and no passphrase is known: %s", self._file, error)
            return {}
        if not is_object(told):
            return {}
        return {name: each for name, row in told.items() if (each := _passphrase(row)) is not None}

    def _write(self, kept: dict[str, Passphrase]) -> None:
        write_private_file(self._file, json.dumps({name: asdict(each) for name, each in kept.items()}, default=str))


def may_prove(work: Work) -> bool:
    """Whether the caller is a person on a page, who can give a passphrase with what they do there."""
    return work.caller.presence is Presence.PAGE and of_caller(work) is not None


def of_caller(work: Work) -> Passphrase | None:
    """The caller's passphrase; None when they have set none."""
    return Passphrases(work.host.settings.home).of(work.caller.username)


def no_passphrase() -> BigMindError:
    """A passphrase was given, or is asked for, and the person has set none."""
    return BigMindError(
        Code.IN_PERSON,
        "You have no passphrase yet.",
        f"{HOW_TO_SET} In the window it is done without one.",
    )


def _there(kept: dict[str, Passphrase], username: str) -> Passphrase | None:
    """The user's, where it was not removed."""
    found = kept.get(username)
    return found if found is not None and found.hash else None


def _told_with(found: Passphrase | None, change: PassphraseChange) -> tuple[PassphraseChange, ...]:
    before = () if found is None else found.changes
    return (*before, change)[-MOST_CHANGES:]


def _wrong() -> BigMindError:
    return BigMindError(
        Code.IN_PERSON, "This is not your passphrase. Nothing was done.", "BigMind's window does not ask for it."
    )


def _too_soon(wait: timedelta) -> BigMindError:
    seconds = max(1, round(wait.total_seconds()))
    told = f"{seconds} seconds" if seconds < 100 else f"{seconds / 60:.0f} minutes"  # noqa: PLR2004 - two digits
    return BigMindError(
        Code.IN_PERSON,
        f"Too many wrong tries at your passphrase: try again in {told}. Nothing was done.",
        "BigMind's window does not ask for it, and tells of the tries.",
    )


def _wait(found: Passphrase, now: datetime) -> timedelta:
    """How long until the next try is looked at; never longer than the longest pause, whatever the clock did."""
    over = found.streak - FREE_TRIES
    if over < 0 or found.last is None:
        return timedelta()
    pause = min(FIRST_PAUSE * 2 ** min(over, 16), LONGEST_PAUSE)
    return min(pause, found.last + pause - now)


def _hash(text: str, salt: bytes) -> str:
    """Of the text as it is read: one character can be typed in two ways."""
    plain = unicodedata.normalize("NFC", text).encode("utf-8", "replace")
    return hashlib.scrypt(plain, salt=salt, n=_COST, r=_BLOCK, p=_LANES, maxmem=_MEMORY, dklen=_BYTES).hex()


def _passphrase(row: object) -> Passphrase | None:
    """One user's, unless somebody spoilt it: then there is none, and a new one can be set."""
    try:
        if not is_object(row):
            return None
        salt, kept, wrong, streak = row["salt"], row["hash"], int(row["wrong"]), int(row["streak"])
        bytes.fromhex(salt)
        since, last = (datetime.fromisoformat(row[name]) if row[name] else None for name in ("since", "last"))
        set_at, changes = datetime.fromisoformat(row["set_at"]), tuple(map(_change, row.get("changes", ())))
        return Passphrase(salt, str(kept), set_at, wrong, since, streak, last, changes)
    except (KeyError, TypeError, ValueError) as error:
        log.warning("a passphrase cannot be read, and counts as none: %s", type(error).__name__)
        return None


def _change(row: Any) -> PassphraseChange:
    return PassphraseChange(
        datetime.fromisoformat(row["at"]), PassphrasePlace(row["place"]), is_set=bool(row["is_set"])
    )
