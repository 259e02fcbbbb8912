"""Whether a store's file is there, and whole as far as anybody found out: while it is not, nothing is stored."""

import json
import logging
import os
import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from bigmind.core.errors import BigMindError, Code
from bigmind.core.operation import Effect, Operation
from bigmind.disk.existence import identity
from bigmind.disk.open_files import remove
from bigmind.paths import write_private_file

log = logging.getLogger(__name__)

PUT_BACK = (
    "Put the file that was there back under its name: BigMind goes on by itself then. If it is lost, end BigMind and "
    "start it again: it takes what is there, or offers the newest backup."
)

REMEDY = (
    "What can still be read is read. The page Health, and `bigmind status`, say which backup to restore and what "
    "would be lost."
)

MOST_TOLD = 4
WHOLE = ""
"""The table of damage that lies in no table."""

_HOLDS = {
    "session": "sessions",
    "session_summary": "summaries of sessions",
    "session_topic": "topics of sessions",
    "chunk": "moments",
    "fact": "facts",
    "fact_event": "the history of facts",
    "hypothesis": "hypotheses",
    "knowledge": "company knowledge",
    "profile": "the profile",
    "conversation": "conversations of clients",
    "project_alias": "names of projects",
    "project_move": "names of projects",
    "user": "users",
    "token": "tokens",
    "change": "the log of changes",
    "forgotten": "what was forgotten",
    "receipt": "receipts of requests",
    "embedding": "search by meaning",
    "embedding_queue": "search by meaning",
    "client_file": "connected clients",
    "client_part": "connected clients",
    "client_state": "connected clients",
    "decision": "decisions about what was learned",
    "row_seal": "checksums",
    WHOLE: "the file itself",
}
_INDEXES = ("_fts", "_grams")


@dataclass(frozen=True, slots=True)
class Damage:
    """Damage of one table, or of its indexes.

    Attributes:
        table: its name; empty for what belongs to none.
        finding: what the check says, for the log and for experts.
    """

    table: str
    finding: str

    @property
    def holds(self) -> str:
        """What is in the table, in words."""
        for end in _INDEXES:
            if end in self.table:
                of = self.table.partition(end)[0]
                return f"the search index of {_HOLDS.get(of, of)}"
        return _HOLDS.get(self.table, f"the table {self.table}")


def held_in_words(damage: Sequence[Damage]) -> str:
    """What the damaged tables hold, each once; at most a few."""
    told = list(dict.fromkeys(each.holds for each in damage))
    more = [f"{len(told) - MOST_TOLD} more"] if len(told) > MOST_TOLD else []
    return ", ".join(told[:MOST_TOLD] + more)


class FileInPlace:
    """Whether the file that a store opened still stands where it was. May be used from any thread.

    What is written goes into the opened file, wherever that was moved to, and nobody would find it there. Windows moves
    no file that is in use, so nothing is looked at there.
    """

    def __init__(self, path: Path) -> None:
        """Note which file is there, once it was opened."""
        self._path = path
        self._opened = identity(path) if os.name == "posix" else None

    @property
    def fault(self) -> BigMindError | None:
        """What is answered while it is away; None while it is there."""
        if self._opened is None or (found := identity(self._path)) == self._opened:
            return None
        what = "is gone from its folder" if found is None else "was replaced by another"
        told = f"The file of BigMind's memory ({self._path.name}) {what}: nothing is read or stored meanwhile."
        return BigMindError(Code.STORE_UNUSABLE, told, PUT_BACK)

    def permit(self) -> None:
        """Let a use of the file through while it is there.

        Raises:
            BigMindError: `store_unusable`, saying what happened and what to do.
        """
        if (fault := self.fault) is not None:
            raise fault


class DamagedError(BigMindError):
    """Refused, or not readable, because the store's file is damaged."""


class Condition:
    """Of one store; kept over a restart in a small file beside it. May be used from any thread."""

    def __init__(self, note: Path | None = None) -> None:
        """Not damaged, until a check says otherwise; `note` is the file, if it is kept."""
        self._note = note
        self._damage: tuple[Damage, ...] = ()
        self._lock = threading.Lock()
        self._listeners: list[Callable[[], None]] = []

    @property
    def damage(self) -> tuple[Damage, ...]:
        """What was found; empty while the file is whole."""
        return self._damage

    @property
    def in_words(self) -> str:
        """One sentence, the same everywhere; empty while the file is whole."""
        if not self._damage:
            return ""
        return (
            f"BigMind's memory is damaged ({held_in_words(self._damage)}): nothing new is stored until a backup is "
            "restored."
        )

    @property
    def fault(self) -> DamagedError:
        """What is answered instead."""
        return DamagedError(Code.STORE_UNUSABLE, self.in_words, REMEDY)

    def was_damaged(self) -> bool:
        """Whether an earlier process found damage, which nobody has mended since."""
        return self._note is not None and self._note.exists()

    def tell(self, found: Sequence[Damage]) -> None:
        """Note what a check of the whole file found: damage, or none."""
        with self._lock:
            before, self._damage = self._damage, tuple(found)
            self._keep()
        if bool(before) != bool(found):
            if found:
                log.critical("%s %s", self.in_words, "; ".join(f"{each.table}: {each.finding}" for each in found))
            for listener in self._listeners:
                listener()

    def listen(self, listener: Callable[[], None]) -> None:
        """Call `listener` from now on when damage is found or mended; it is quick, and never raises."""
        self._listeners.append(listener)

    def permit(self, operation: Operation) -> None:
        """Let an operation through, unless it would change a damaged memory; hooks answer for themselves.

        Raises:
            BigMindError: `store_unusable`, saying what is damaged and what to do.
        """
        if operation.effect is not Effect.READ and not operation.while_paused and not operation.mends:
            self.permit_writing()

    def permit_writing(self) -> None:
        """Let a write through while the file is whole. Raises as `permit`."""
        if self._damage:
            raise self.fault

    def _keep(self) -> None:
        if self._note is None:
            return
        try:
            if self._damage:
                told = [{"table": each.table, "finding": each.finding} for each in self._damage]
                write_private_file(self._note, json.dumps(told))
            else:
                remove(self._note)
        except (BigMindError, OSError) as error:  # on a full disk; the next start looks only when somebody asks
            log.warning("that the memory is damaged could not be noted: %s", error)
