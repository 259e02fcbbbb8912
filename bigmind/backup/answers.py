"""What the operations on backups answer."""

from datetime import datetime

from pydantic import Field

from bigmind.backup.files import Reason
from bigmind.core.clock import local
from bigmind.operations.catalogue import Answer
from bigmind.text.phrasing import megabytes


class BackupRow(Answer):
    """A backup in the folder."""

    name: str
    taken_at: datetime
    reason: Reason | None
    bytes: int
    encrypted: bool
    verified_at: datetime | None
    own: bool
    problem: str
    schema_revision: str = ""
    sessions: int | None = Field(default=None, description="How many it holds; null where it has no manifest.")
    moments: int | None = None
    facts: int | None = None
    holds: dict[str, int] = Field(
        default_factory=dict[str, int], description="How many of each kind; empty where it has no manifest."
    )
    change: int | None = Field(default=None, description="The number of the last change in it.")
    kept: str = Field(default="", description="Why it is not removed by itself.")

    def as_text(self) -> str:
        known = [local(self.taken_at), megabytes(self.bytes), "encrypted" if self.encrypted else "not encrypted"]
        known.append(f"verified {local(self.verified_at)}" if self.verified_at and not self.problem else "NOT verified")
        if not self.own:
            known.append("of another store")
        trouble = f"\n  **Do not rely on it:** {self.problem}." if self.problem else ""
        return f"- `{self.name}`: {', '.join(known)}{trouble}"


class BackupList(Answer):
    """Every backup in the folder, the newest first."""

    folder: str
    encrypting: bool
    backups: list[BackupRow]
    last_failure: str
    every_hours: float = Field(default=0, description="How far apart automatic ones are; 0 where none are made.")
    last_automatic_at: datetime | None = None
    next_automatic_at: datetime | None = Field(default=None, description="When the next is due, if something changed.")
    verified_now: bool = Field(default=False, description="Whether every byte of each was read for this answer.")

    def as_text(self) -> str:
        lines = [row.as_text() for row in self.backups] or ["No backups are there."]
        lines += ["", f"In {self.folder}; new ones are {'' if self.encrypting else 'not '}encrypted."]
        if self.next_automatic_at:
            lines.append(f"The next automatic one is due {local(self.next_automatic_at)}, if something changed.")
        if self.last_failure:
            lines.append(f"**The last backup failed**: {self.last_failure}")
        return "\n".join(lines)


class BackupMade(Answer):
    """A new backup."""

    name: str
    path: str
    bytes: int
    encrypted: bool
    away: str = Field(default="", description="That the earlier ones are not in that folder, where they are not.")

    def as_text(self) -> str:
        sealed = ", encrypted," if self.encrypted else ""
        kept = f"{self.path} ({megabytes(self.bytes)})"
        away = f"\n\n**{self.away}** If their drive is away, this one is not on it." if self.away else ""
        return f"Backed up{sealed} to {kept}, and verified by restoring it to a scratch file.{away}"


class BackupRestored(Answer):
    """The store was replaced by a backup."""

    name: str
    taken_at: datetime | None
    vouched_for: bool
    kept_aside: str
    forgotten: int
    with_tokens: bool = Field(default=False, description="Whether users and tokens came back with it.")

    def as_text(self) -> str:
        when = f", taken {local(self.taken_at)}" if self.taken_at else ""
        lines = [f"Restored {self.name}{when}. What it replaced is kept in {self.kept_aside}."]
        if not self.vouched_for:
            lines.append(
                "It had no manifest: SQLite's own checks found nothing wrong, and nothing else could be checked."
            )
        if self.forgotten:
            lines.append(f"{self.forgotten} things in it had been forgotten for good, and were removed again.")
        lines.append(
            "Users and tokens are those of the backup again, so that connected assistants go on. A token that was "
            "revoked after it was taken is valid again: look through them under Settings, or with `bigmind token list` "
            "and for other users with `bigmind user list`; `bigmind user sign-out` ends all tokens of one."
            if self.with_tokens
            else "Who may use this memory is as before: tokens were not restored."
        )
        return "\n".join(lines)


class BeganEmpty(Answer):
    """A new memory was begun beside the backups of one that is missing."""

    was_missing: bool
    newest_backup: str

    def as_text(self) -> str:
        if not self.was_missing:
            return "No memory is missing: nothing was changed."
        return f"A new memory is begun. The backups stay; `bigmind backup restore {self.newest_backup}` can replace it."


class BackupEncryption(Answer):
    """Encryption of backups was turned on; the recovery key is shown this once."""

    shown_once = True

    recovery_key: str
    readable: int

    def as_text(self) -> str:
        earlier = f"\n\n{self.readable} earlier backups in the folder can be read without it." if self.readable else ""
        return (
            f"Backups are encrypted from now on. Recovery key (shown only now):\n\n    {self.recovery_key}\n\n"
            "Write it down and keep it away from this machine: without it, or this machine, no backup can be read by "
            f"anyone, you included. This machine keeps a key of its own and needs nothing to restore.{earlier}"
        )


class BackupEncryptionEnded(Answer):
    """New backups are not encrypted any more."""

    def as_text(self) -> str:
        return "New backups are not encrypted any more. Those that are stay so, and this machine can still read them."
