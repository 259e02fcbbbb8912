"""Encryption of backups with age: to a recovery key that a person keeps, and to a key of this machine.

The machine's key is kept in the home, so that a backup can be verified and restored here without asking; the recovery
key is shown once and kept nowhere, so that whoever has the backups alone can read none of them.
"""

import hashlib
import json
from collections.abc import Callable
from dataclasses import asdict, dataclass, replace
from importlib import import_module
from pathlib import Path
from typing import IO, Any, Protocol

from bigmind.core.errors import BigMindError, Code
from bigmind.core.progress import Phase
from bigmind.paths import PRIVATE_FILE, backup_key_file, narrow, write_private_file

CHUNK = 1_048_576
_HEADER = b"age-encryption.org/v1\n"


@dataclass(frozen=True, slots=True)
class Keys:
    """What this machine knows of the keys.

    Attributes:
        device: its own secret key.
        recovery: the public half of the recovery key.
        is_on: whether new backups are encrypted; the keys stay when they no longer are, for those that are.
    """

    device: str
    recovery: str
    is_on: bool


def keys_of(home: Path) -> Keys | None:
    """The keys of a home; None when nothing was ever encrypted there.

    Raises:
        BigMindError: `store_unusable`, when their file is damaged: backups must not become readable by that.
    """
    file = backup_key_file(home)
    try:
        narrow(file, PRIVATE_FILE)
        kept = json.loads(file.read_text(encoding="utf-8"))
        return Keys(device=str(kept["device"]), recovery=str(kept["recovery"]), is_on=kept["is_on"] is True)
    except FileNotFoundError:
        return None
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise BigMindError(
            Code.STORE_UNUSABLE,
            f"The file of the backup keys, {file}, cannot be read ({type(error).__name__}).",
            "Restore it, or remove it and run `bigmind backup encrypt` for a new recovery key.",
        ) from error


def begin(home: Path) -> str:
    """Encrypt what is backed up from now on; returns the secret recovery key, which is kept nowhere."""
    age = _age()

    known = keys_of(home)
    recovery = age.x25519.Identity.generate()
    device = known.device if known else str(age.x25519.Identity.generate())
    _keep(home, Keys(device, str(recovery.to_public()), is_on=True))
    return str(recovery)


def end(home: Path) -> None:
    """Encrypt no more. The keys stay: the backups that are there still need them."""
    if known := keys_of(home):
        _keep(home, replace(known, is_on=False))


def is_encrypting(home: Path) -> bool:
    """Whether new backups of a home are encrypted."""
    keys = keys_of(home)
    return keys is not None and keys.is_on


def _keep(home: Path, keys: Keys) -> None:
    write_private_file(backup_key_file(home), json.dumps(asdict(keys)))


def _age() -> Any:
    """The library; imported only where backups are encrypted, and it says nothing of its types."""
    return import_module("pyrage")


class Writable(Protocol):
    """What is written to: a file, or one that is written step by step."""

    def write(self, data: bytes, /) -> int:
        """Write all of it."""
        ...

    def flush(self) -> None:
        """Hand on what is held back."""
        ...


class ProgressReader:
    """A file that says how much of it was read."""

    def __init__(self, file: IO[bytes], phase: Phase) -> None:
        self._file = file
        self._phase = phase

    def read(self, size: int = -1) -> bytes:
        """The next bytes."""
        part = self._file.read(size)
        self._phase.add(len(part))
        return part


class Readable(Protocol):
    """What is read from: a file, or one that is watched."""

    def read(self, size: int = -1, /) -> bytes:
        """The next bytes."""
        ...


class _Tracked:
    """A file as pyrage reads and writes it: counts and hashes what passes, and remembers what the system refused."""

    def __init__(self, file: Readable | Writable) -> None:
        self._file: Any = file
        self.hash = hashlib.sha256()
        self.fault: OSError | None = None

    def read(self, size: int = -1) -> bytes:
        return self._kept(self._file.read, size)

    def write(self, data: bytes) -> int:
        self.hash.update(data)
        return self._kept(self._file.write, data)

    def flush(self) -> None:
        self._kept(self._file.flush)

    def _kept(self, call: Callable[..., Any], *arguments: Any) -> Any:
        try:
            return call(*arguments)
        except OSError as error:
            self.fault = error
            raise


def seal(source: Readable, target: Writable, keys: Keys | None) -> str:
    """Write `source` to `target`, encrypted when there are keys; returns the SHA-256 of what was written.

    Raises:
        OSError: the disk did not take it.
    """
    if keys is None:
        return _plain(source, target)
    age = _age()

    recipients = [age.x25519.Recipient.from_str(keys.recovery), age.x25519.Identity.from_str(keys.device).to_public()]
    reading, writing = _Tracked(source), _Tracked(target)
    try:
        age.encrypt_io(reading, writing, recipients)
    except (age.EncryptError, OSError):
        raise_fault(reading, writing)
        raise
    return writing.hash.hexdigest()


def is_sealed(source: IO[bytes]) -> bool:
    """Whether a file is encrypted, by its first bytes; it is then read from its beginning again."""
    first = source.read(len(_HEADER))
    source.seek(0)
    return first == _HEADER


def unseal(source: Readable, target: Writable, secrets: list[str]) -> None:
    """Decrypt `source` into `target` with whichever of the secret keys fits.

    Raises:
        BigMindError: `forbidden`, when none fits; `conflict`, when the file is not as it was written.
        OSError: the disk did not take it.
    """
    age = _age()

    reading, writing = _Tracked(source), _Tracked(target)
    try:
        age.decrypt_io(reading, writing, [age.x25519.Identity.from_str(each) for each in secrets])
    except (age.DecryptError, OSError, ValueError) as error:
        raise_fault(reading, writing)
        raise BigMindError(
            Code.CONFLICT,
            f"The backup cannot be decrypted: {error}.",
            "Either it is damaged, or it was encrypted with another key: give the recovery key that was shown when "
            "its encryption was turned on.",
        ) from error


def raise_fault(*files: _Tracked) -> None:
    """Raise what the operating system said, in place of the library's word for it."""
    for each in files:
        if each.fault is not None:
            raise each.fault


def _plain(source: Readable, target: Writable) -> str:
    digest = hashlib.sha256()
    while block := source.read(CHUNK):
        digest.update(block)
        target.write(block)
    return digest.hexdigest()


def checked_key(secret: str) -> str:
    """A recovery key as it is given; raises BigMindError `invalid_input` when it cannot be one. Never repeats it."""
    age = _age()

    try:
        return str(age.x25519.Identity.from_str(secret.strip().upper()))
    except (age.IdentityError, ValueError):
        raise BigMindError(
            Code.INVALID_INPUT, "The recovery key is not one.", "It begins with AGE-SECRET-KEY-1 and is one line."
        ) from None
