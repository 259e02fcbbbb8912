"""What an import does, or would do."""

from collections import Counter
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Literal

ImportMode = Literal["merge", "replace"]


class Verdict(StrEnum):
    """What becomes of a record."""

    NEW = "new"
    NEWER = "newer"
    UNCHANGED = "unchanged"
    OLDER = "older"
    KEPT = "kept"
    FORGOTTEN = "forgotten"
    LEFT_OUT = "left_out"
    LOGGED = "logged"


WRITTEN = frozenset({Verdict.NEW, Verdict.NEWER})


@dataclass(slots=True)
class Outcome:
    """What an import did, or would do.

    Attributes:
        verdicts: by section, how many records are new, newer, unchanged, older, kept though they are newer, forgotten,
            left out, or of a log.
        removed: by section, how many rows a replacing import takes away, or writes anew.
        masked: by kind, how many texts held such a secret.
        accepted: by section, how many records that instruct their reader are accepted, because the document says so.
        backup: the backup that was made before, when one was.
        notes: what a person should know beside that, each once.
        nodes: how many of the records of work items are nodes of the mindspace, by what becomes of them.
        samples: by section and verdict, words of the first few records; empty unless they were asked for.
    """

    verdicts: dict[str, Counter[Verdict]] = field(default_factory=dict[str, "Counter[Verdict]"])
    removed: dict[str, int] = field(default_factory=dict[str, int])
    masked: Counter[str] = field(default_factory=Counter[str])
    accepted: Counter[str] = field(default_factory=Counter[str])
    backup: str | None = None
    notes: dict[str, None] = field(default_factory=dict[str, None])
    nodes: Counter[Verdict] = field(default_factory=Counter["Verdict"])
    samples: dict[tuple[str, Verdict], list[str]] = field(default_factory=dict[tuple[str, Verdict], list[str]])

    def changes(self, section: str) -> bool:
        """Whether a row of the section is written or removed."""
        return any(self.verdicts[section][each] for each in WRITTEN) or bool(self.removed.get(section))

    @property
    def written(self) -> int:
        """How many records are written."""
        return sum(counts[each] for counts in self.verdicts.values() for each in WRITTEN)

    @property
    def changes_anything(self) -> bool:
        """Whether any row is."""
        return any(map(self.changes, self.verdicts))
