"""What people may do with backups. Not for models: a backup holds every user's memory, and one can replace it."""

from contextlib import suppress
from typing import Annotated

from pydantic import Field

from bigmind.backup import encryption, service
from bigmind.backup.answers import (
    BackupEncryption,
    BackupEncryptionEnded,
    BackupList,
    BackupMade,
    BackupRestored,
    BeganEmpty,
)
from bigmind.backup.chosen_folder import backups_away
from bigmind.backup.files import Reason, is_encrypted
from bigmind.backup.inventory import located, overview
from bigmind.backup.loss import begin_empty, notice_restored
from bigmind.backup.restore import restore
from bigmind.core.errors import BigMindError, Code, invalid
from bigmind.core.events import Action, Kind
from bigmind.core.operation import Effect, Role
from bigmind.core.plain_text import text_of
from bigmind.operations.catalogue import for_people
from bigmind.operations.inputs import FilePath, Line
from bigmind.paths import expanded
from bigmind.store.access import Access

LARGEST_KEY_FILE = 10_000


@for_people(
    "Make a backup", Effect.WRITE, toolset="backup", permission=Role.ADMIN, takes_access=True, while_paused=True
)
def backup_create(access: Access) -> BackupMade:
    """Copy the whole store while it is in use, and verify the copy by restoring it to a scratch file."""
    away = backups_away(access.store)
    with suppress(BigMindError):  # a full disk says better what it lacks when the backup is made
        _note(access, Kind.STORE, "backup", Action.CREATED)  # before it, so that the memory is as the backup is
    info = service.backup_now(access.store, Reason.MANUAL, access.progress)
    path = access.store.safekeeping.folder / info.name
    told = away.in_words if away else ""
    return BackupMade(name=info.name, path=str(path), bytes=info.bytes, encrypted=info.encrypted, away=told)


@for_people("List backups", Effect.READ, toolset="backup", permission=Role.ADMIN, takes_access=True)
def backup_list(
    access: Access,
    verify: Annotated[bool, Field(description="Read every byte of each, to see whether one has changed.")] = False,
) -> BackupList:
    """Show the backups: how old, how large, whether verified, and what is wrong with one."""
    return overview(access.store, verify=verify, progress=access.progress)


@for_people(
    "Restore a backup",
    Effect.DESTRUCTIVE,
    toolset="backup",
    permission=Role.ADMIN,
    takes_access=True,
    mends=True,
    masks=False,
)
def backup_restore(
    access: Access,
    backup: Annotated[
        Line, Field(min_length=1, max_length=4_096, description="Its name in the list, or the path of a file.")
    ],
    recovery_key: Annotated[Line, Field(max_length=200, description="For one of another machine.")] | None = None,
    recovery_key_file: Annotated[FilePath, Field(description="A file that holds it: no other program sees it there.")]
    | None = None,
) -> BackupRestored:
    """Make a backup the memory again. What it replaces is kept aside as a backup of its own.

    Where the memory is missing, the users and tokens of the backup come back with it.
    """
    path = located(access.store, backup)
    keys = [encryption.checked_key(each) for each in (recovery_key, _key_in(recovery_key_file)) if each]
    done = restore(access, path, keys)
    notice_restored(access.store)
    if done.forgotten:
        access.store.scrub()  # the pages of a backup still hold traces of what was removed from it
    access.store.after_restore(access.store)  # an older backup's rows have nothing derived from them yet
    return BackupRestored(
        name=path.name,
        taken_at=done.info.taken_at if done.info else None,
        vouched_for=done.info is not None,
        kept_aside=str(done.aside),
        forgotten=done.forgotten,
        with_tokens=done.with_tokens,
    )


@for_people(
    "Begin with an empty memory",
    Effect.WRITE,
    toolset="backup",
    permission=Role.ADMIN,
    takes_access=True,
    idempotent=True,
    mends=True,
)
def backup_start_empty(access: Access) -> BeganEmpty:
    """Where the memory is missing: begin a new one, and leave the backups of the old one where they are."""
    loss = access.store.safekeeping.loss
    begin_empty(access.store)
    _note(access, Kind.STORE, "empty", Action.UPDATED)
    return BeganEmpty(was_missing=loss is not None, newest_backup=loss.backup if loss else "")


@for_people(
    "Encrypt backups",
    Effect.WRITE,
    toolset="backup",
    permission=Role.ADMIN,
    takes_access=True,
    while_paused=True,
    masks=False,
)
def backup_encrypt(
    access: Access,
    new_key: Annotated[bool, Field(description="Replace the recovery key, when there is one.")] = False,
) -> BackupEncryption:
    """Encrypt backups from now on. The recovery key, by which another machine can read them, is shown once."""
    store = access.store
    with store.safekeeping.turn:
        if encryption.is_encrypting(store.home) and not new_key:
            raise BigMindError(
                Code.CONFLICT,
                "Backups are encrypted already.",
                "Give new_key to replace the recovery key; backups that are there still need the old one elsewhere.",
            )
        _note(access, Kind.SETTINGS, "backups", Action.UPDATED)
        secret = encryption.begin(store.home)
    readable = sum(not is_encrypted(each.path) for each in service.backups(store))
    return BackupEncryption(recovery_key=secret, readable=readable)


@for_people(
    "Encrypt backups no more",
    Effect.WRITE,
    toolset="backup",
    permission=Role.ADMIN,
    takes_access=True,
    while_paused=True,
    idempotent=True,
)
def backup_stop_encrypting(access: Access) -> BackupEncryptionEnded:
    """Write backups that can be read without a key, from now on."""
    with access.store.safekeeping.turn:
        _note(access, Kind.SETTINGS, "backups", Action.UPDATED)
        encryption.end(access.store.home)
    return BackupEncryptionEnded()


def _note(access: Access, kind: Kind, what: str, action: Action) -> None:
    """Leave a trace of it in the audit log."""
    with access.write() as work:
        work.changed(kind, what, action)


def _key_in(file: str | None) -> str | None:
    if file is None:
        return None
    path = expanded("recovery_key_file", file)
    try:
        if path.is_absolute() and path.is_file() and path.stat().st_size <= LARGEST_KEY_FILE:
            return _key_line(text_of(path.read_bytes(), "replace"))
    except OSError as error:
        raise invalid("recovery_key_file", file, f"a file that can be read ({error.strerror})") from error
    raise invalid("recovery_key_file", file, "the whole path of a small text file")


def _key_line(text: str) -> str:
    """The key among the lines of a file, as age-keygen writes it: comments begin with #."""
    lines = [line.strip() for line in text.splitlines() if line.strip() and not line.startswith("#")]
    return lines[0] if lines else "nothing"


OPERATIONS = (
    backup_create,
    backup_list,
    backup_restore,
    backup_start_empty,
    backup_encrypt,
    backup_stop_encrypting,
)
