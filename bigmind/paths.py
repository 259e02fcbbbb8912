"""Where things are on disk. All of it private to the user."""

import errno
import os
import stat
import sys
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path

from bigmind.core.errors import BigMindError, Code, shown
from bigmind.disk.flushing import to_disk
from bigmind.disk.open_files import BRIEFLY_SECONDS, patiently, remove, replace

PRIVATE_FOLDER = 0o700
PRIVATE_FILE = 0o600

UNWRITABLE_HINT = "Check the permissions of that folder, or set BIGMIND_HOME to one that you may write to."

LONGEST_NAME = 40
"""Of a client that can be connected."""

NO_ROOM = {errno.ENOSPC, errno.EFBIG, *({errno.EDQUOT} if hasattr(errno, "EDQUOT") else ())}
"""What the operating system says of a disk, a file or a quota that is full; Windows knows no quota here."""


def data_folder(environment: Mapping[str, str] = os.environ) -> Path:
    """`BIGMIND_HOME`, else the platform's folder for a user's application data."""
    if chosen := environment.get("BIGMIND_HOME"):
        return expanded("BIGMIND_HOME", chosen).absolute()
    import platformdirs  # noqa: PLC0415 - not needed where BIGMIND_HOME is set

    return Path(platformdirs.user_data_dir("BigMind", appauthor=False))


def as_pasted(text: str, system: str = sys.platform) -> str:
    r"""A path without the quotes that Windows' Explorer puts around one that it copies: no name there holds any.

    One alone stays at the end where cmd was told `"C:\My notes\"`, in which the last two are one.
    """
    return text.strip().strip('"') if system == "win32" and '"' in text else text


def expanded(called: str, text: str, system: str = sys.platform) -> Path:
    """A path as a person writes it, with `~` for a home; on Windows also in quotes.

    Args:
        called: how it is called where it was given.
        text: the path.
        system: as `sys.platform` says it.

    Raises:
        BigMindError: `invalid_input`, when it is no path, or nobody here has that home.
    """
    try:
        require_encodable(text)
        path = as_pasted(text, system)
        if "\0" not in text and bool(path) == bool(text):
            return Path(path).expanduser()
    except (ValueError, RuntimeError):  # a lone surrogate; a home that nobody has
        pass
    raise BigMindError(
        Code.INVALID_INPUT,
        f"{called} is {shown(text)}.",
        "It must be a path; ~ stands for your home, and ~name for that of a user of this machine.",
    )


def require_encodable(text: str) -> None:
    """Refuse a text that no path can be, nor an answer that names it.

    Raises:
        ValueError: when half of a character is in it; on Windows a file could be called by one.
    """
    text.encode() if os.name == "nt" else os.fsencode(text)


def asset(name: str) -> Path:
    """A file or folder of `assets`: beside the code in a checkout or a bundle, shared data of an installed package."""
    beside = Path(__file__).parent.parent / "assets" / name
    return beside if beside.exists() else Path(sys.prefix) / "share" / "bigmind" / name


def store_file(home: Path) -> Path:
    """The database."""
    return home / "bigmind.db"


def backups_folder(home: Path) -> Path:
    """Where backups go, unless a person chose another folder."""
    return home / "backups"


def models_folder(home: Path) -> Path:
    """Embedding models that were downloaded."""
    return home / "models"


def compiled_folder(home: Path) -> Path:
    """The pages' templates, compiled; made again whenever they are missing."""
    return home / "compiled"


def scratch_folder(home: Path) -> Path:
    """For files that are in the making; what a killed process left in it may be removed."""
    return home / "scratch"


def transfer_folder(home: Path, user: str | None = None) -> Path:
    """The exports that a team's server keeps for the tokens of a user, by the user's id; the folder of all without one.

    Not by the number of the row: in another store that comes to lie here it is somebody else's.
    """
    return home / "exports" / (user or "")


IMPORTS = ".import-*.db"
"""What imports are prepared in, in the home: the texts of a whole memory. What a killed process left may be removed."""


def backup_key_file(home: Path) -> Path:
    """By what backups are encrypted, and this machine's own key to them."""
    return home / "backup.key"


def last_backup_file(home: Path) -> Path:
    """Which backup was the last in a folder that a person chose: by it a drive that is away is noticed."""
    return home / "last_backup.json"


def damage_file(home: Path) -> Path:
    """Notes that the store was found damaged, until it is whole again."""
    return home / "damage.json"


def passphrase_file(home: Path) -> Path:
    """The hashes of the passphrases, in no backup."""
    return home / "passphrases.json"


def lock_file(home: Path) -> Path:
    """Locked by the process that owns the store."""
    return home / "store.lock"


def owner_file(home: Path) -> Path:
    """Says in words who holds the lock."""
    return home / "store.owner"


def run_file(home: Path) -> Path:
    """Address, process id and proof of identity of the running server."""
    return home / "run.json"


def note_of_moved_folder(home: Path) -> Path | None:
    """Beside the data folder, while a server runs whose folder was moved or removed: what its run file says.

    None for a whole drive or share, which has no name and nothing beside it.
    """
    return home.with_name(f".{home.name}.moved.json") if home.name else None


def port_file(home: Path) -> Path:
    """The port that connected clients call: the next start takes it again."""
    return home / "port"


def sign_in_folder(home: Path) -> Path:
    """Pages that sign a browser in, each until it was used."""
    return home / "sign-in"


def token_file(home: Path, client: str) -> Path:
    """The token of one of BigMind's own clients (`cli`, `bridge`), or of a connected one, by its `client_token`."""
    return home / "tokens" / client


BRIDGE = "bridge"
"""The token that the bridge and the hooks send for a client without one of its own: its name is only claimed."""


OF_CLIENT = "client-"
"""Begins what the token of a connected client is called: on Windows a file may not be called by every word."""


def client_token(client: str) -> str:
    """What the token of a connected client is called; empty for what cannot be the name of one."""
    is_name = client.isascii() and client.islower() and client.replace("-", "").isalnum()
    return f"{OF_CLIENT}{client}" if is_name and len(client) <= LONGEST_NAME else ""


def token_sent_for(home: Path, client: str) -> str:
    """Which token the bridge and the hooks of a client send: its own where it has one, good or not."""
    own = client_token(client)
    return own if own and os.path.lexists(token_file(home, own)) else BRIDGE


def log_file(home: Path) -> Path:
    """The log of a server that was started without a terminal."""
    return home / "logs" / "server.log"


def make_private_folder(folder: Path, hint: str = "Set BIGMIND_HOME to a folder that you may write to.") -> None:
    """Create `folder` for this user alone, and narrow it when it exists wider.

    Args:
        folder: with those around it.
        hint: what helps where that cannot be.

    Raises:
        BigMindError: `store_unusable`, when the operating system does not let us.
    """
    make_folder(folder, hint, PRIVATE_FOLDER)
    try:
        narrow(folder, PRIVATE_FOLDER)
    except OSError as error:
        raise _unusable(folder, error, hint) from error


def make_folder(folder: Path, hint: str, mode: int = 0o777) -> None:
    """Create `folder`, with those around it, unless it is there; as `make_private_folder`."""
    try:
        folder.mkdir(mode=mode, parents=True, exist_ok=True)
    except OSError as error:
        raise _unusable(folder, error, hint) from error


def _unusable(folder: Path, error: OSError, hint: str) -> BigMindError:
    is_taken = isinstance(error, FileExistsError | NotADirectoryError)
    why = "there is a file in its place" if is_taken else error.strerror
    return BigMindError(Code.STORE_UNUSABLE, f"The folder {folder} cannot be used: {why}.", hint)


def narrow(path: Path, mode: int) -> None:
    """Take from others what a file or folder of ours grants them; a restored copy often does.

    On Windows what lies on a disk that keeps no access lists, or on an external one, is left as it is.

    Raises:
        OSError: when the operating system does not let us.
    """
    if os.name == "nt":
        from bigmind.disk.access_lists import take_from_others  # noqa: PLC0415 - of no use elsewhere

        take_from_others(path)
    elif path.stat().st_mode & 0o077:
        path.chmod(mode)


def is_open_to_others(path: Path) -> bool:
    """Whether Windows lets others have something of what stands there, on a disk that says so; elsewhere modes tell.

    Raises:
        OSError: when there is nothing.
    """
    if os.name != "nt":
        return False
    from bigmind.disk import access_lists  # noqa: PLC0415 - of no use elsewhere

    return access_lists.is_open_to_others(path)


def narrow_all(folder: Path) -> list[Path]:
    """Take from others what they are granted of a folder of ours and of all in it; links are not followed.

    Returns:
        What others have something of all the same; on Windows the folder alone, where all of it is left as it is.
    """
    if os.name == "nt":
        from bigmind.disk.access_lists import take_all_from_others  # noqa: PLC0415 - of no use elsewhere

        return take_all_from_others(folder)
    left: list[Path] = []
    for place, folders, files in os.walk(folder, onerror=lambda error: left.append(Path(error.filename))):
        # From the top: once a folder is ours alone, nobody can put a link in place of what is in it.
        here = (Path(place), *(Path(place, name) for name in (*folders, *files)))
        left.extend(path for path in here if not _narrowed(path))
    return list(dict.fromkeys(left))


def _narrowed(path: Path) -> bool:
    """Whether others have nothing of what stands there by now."""
    try:
        mode = path.lstat().st_mode
        if mode & 0o077 and not stat.S_ISLNK(mode):
            path.chmod(stat.S_IMODE(mode) & 0o700)
    except FileNotFoundError:  # it went away meanwhile
        return True
    except OSError:
        return False
    return True


def read_private_file(path: Path, most: int = 65_536) -> str:
    """The text of a small file of ours. A pipe, a folder or a link in its place is none, and nothing to wait for.

    Args:
        path: of the file.
        most: bytes; what is larger is no file of ours.

    Raises:
        OSError: when there is no such file.
        ValueError: when it is too large, or no UTF-8.
    """
    # Without O_NONBLOCK a pipe that nobody writes into would hold up whoever opens it.
    flags = os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_BINARY", 0)
    opened = patiently(lambda: os.open(path, flags), patience=BRIEFLY_SECONDS)  # it is being replaced, say
    with os.fdopen(opened, "rb") as file:
        if not stat.S_ISREG(os.fstat(file.fileno()).st_mode):
            raise FileNotFoundError(errno.ENOENT, "not a regular file", str(path))
        data = file.read(most + 1)
    if len(data) > most:
        raise ValueError(f"{path} has more than {most} bytes")
    return data.decode("utf-8")


def is_ours_alone(path: Path) -> bool:
    """Whether a file is this user's and nobody else may write it; not where a disk of Windows does not say so.

    Raises:
        OSError: when there is no such file.
    """
    found = path.lstat()
    if os.name == "nt":
        from bigmind.disk import access_lists  # noqa: PLC0415 - of no use elsewhere

        return access_lists.keeps_lists(path) and not access_lists.is_open_to_others(path)
    return found.st_uid == os.getuid() and not found.st_mode & (stat.S_IWGRP | stat.S_IWOTH)


def write_private_file(path: Path, text: str) -> None:
    """Write `text` so that a reader sees the old file or the new one, never half, and nobody else sees either.

    Raises:
        BigMindError: `storage_full`; `store_unusable`, when the operating system does not let us.
    """
    make_private_folder(path.parent)
    scratch = path.with_name(f".{path.name}.{os.getpid()}")
    try:
        remove(scratch)
        opened = os.open(scratch, os.O_WRONLY | os.O_CREAT | os.O_EXCL, PRIVATE_FILE)
        with os.fdopen(opened, "w", encoding="utf-8", newline="\n") as file:
            file.write(text)
            file.flush()
            to_disk(file.fileno())
        replace(scratch, path)
    except OSError as error:
        with suppress(OSError):
            remove(scratch)
        raise BigMindError(
            Code.STORAGE_FULL if error.errno in NO_ROOM else Code.STORE_UNUSABLE,
            f"The file {path} cannot be written: {error.strerror}.",
            "Make room on the disk that holds BigMind's data folder, or check the folder's permissions.",
        ) from error


NOTE_BYTES = 512
"""Notes are of so many bytes, or of a multiple: the next one fits into the place of the last."""


def write_note(path: Path, text: str) -> None:
    """The same for a note of one process for others, which ignores blanks at its end: on a full disk over the old one.

    A process that was killed left its own behind, so that the next one can start where there is no room, and be found.

    Raises:
        BigMindError: as `write_private_file`, when there is no old one that is as long.
    """
    padded = text + " " * (-len(text.encode()) % NOTE_BYTES)
    try:
        write_private_file(path, padded)
    except BigMindError as error:
        if error.code is not Code.STORAGE_FULL or not _written_over(path, padded.encode()):
            raise


def _written_over(path: Path, data: bytes) -> bool:
    """Write over a private file of no less bytes, which takes no room; whether that was possible."""
    try:
        with path.open("r+b") as file:
            room = os.fstat(file.fileno()).st_size - len(data)
            if path.is_symlink() or room < 0:
                return False
            file.write(data + b" " * room)
            file.flush()
            to_disk(file.fileno())
    except OSError:
        return False
    return True
