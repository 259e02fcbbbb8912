"""Every setting: one row each. Read once, at start, from the environment."""

import getpass
import os
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from bigmind.core.errors import BigMindError, Code
from bigmind.core.operation import Mode
from bigmind.core.text import clean, one_line

DEFAULT_PORT = 7700
LONGEST_NAME = 120
BACKUP_HOURS = 24
MOST_HOURS = 8_760


@dataclass(frozen=True, slots=True)
class Row:
    """One setting: the environment variable, its default in words, and what it does."""

    variable: str
    default: str
    meaning: str


ROWS = (
    Row("BIGMIND_HOME", "the platform's data folder", "Where the store, its run file and its tokens live."),
    Row(
        "BIGMIND_PORT",
        "7700, or the next free one",
        "The port of the endpoint and the UI. A port set here is never changed.",
    ),
    Row("BIGMIND_USER", "the OS user", "The name of the user whose memory this is."),
    Row(
        "BIGMIND_MODE",
        "personal",
        "`personal`, or `team`: company knowledge then waits until a curator who did not promote it approves it.",
    ),
    Row("BIGMIND_BACKUP_FOLDER", "`backups` in the data folder", "Where backups go: better another disk, or a drive."),
    Row("BIGMIND_BACKUP_HOURS", "24", "A backup is made so many hours after the last, if anything changed; 0: never."),
    Row("BIGMIND_MEANING", "on", "`off`: search goes by words alone, and no embedding model is ever loaded."),
)


@dataclass(frozen=True, slots=True)
class Settings:
    """The settings of one process.

    Attributes:
        home: the data folder.
        port: the wanted port; 0 asks the system for any.
        port_is_fixed: the person chose the port, so another one must not be taken.
        username: the user of the personal store.
        mode: whether company knowledge needs somebody's approval.
        backups: the folder of the backups; None is one in the data folder.
        backup_hours: how far apart they are; 0 when none are made by themselves.
        meaning: whether search goes by meaning too.
    """

    home: Path
    port: int
    port_is_fixed: bool
    username: str
    mode: Mode = Mode.PERSONAL
    backups: Path | None = None
    backup_hours: int = BACKUP_HOURS
    meaning: bool = True


def read_settings(environment: Mapping[str, str] = os.environ) -> Settings:
    """The settings that `environment` gives.

    Raises:
        BigMindError: `invalid_input`, when a value cannot be what it should be.
    """
    from bigmind.paths import data_folder  # noqa: PLC0415 - the bridge reads paths without settings

    port_text = environment.get("BIGMIND_PORT", "")
    return Settings(
        home=data_folder(environment),
        port=_port(port_text) if port_text else DEFAULT_PORT,
        port_is_fixed=bool(port_text) and port_text != "0",
        username=one_line(clean(environment.get("BIGMIND_USER", "")))[:LONGEST_NAME] or _os_user(),
        mode=_mode(environment.get("BIGMIND_MODE", "")),
        backups=_folder(environment.get("BIGMIND_BACKUP_FOLDER", "")),
        backup_hours=_hours(environment.get("BIGMIND_BACKUP_HOURS", "")),
        meaning=_is_on("BIGMIND_MEANING", environment.get("BIGMIND_MEANING", "")),
    )


def _mode(text: str) -> Mode:
    try:
        return Mode(text.strip().lower() or Mode.PERSONAL)
    except ValueError:
        known = " or ".join(Mode)
        raise BigMindError(Code.INVALID_INPUT, f"BIGMIND_MODE is {text[:40]!r}.", f"It must be {known}.") from None


def _folder(text: str) -> Path | None:
    return Path(text).expanduser().absolute() if text else None


def _hours(text: str) -> int:
    if not text:
        return BACKUP_HOURS
    if text.isdecimal() and len(text) <= len(str(MOST_HOURS)) and int(text) <= MOST_HOURS:
        return int(text)
    raise BigMindError(
        Code.INVALID_INPUT,
        f"BIGMIND_BACKUP_HOURS is {text[:40]!r}.",
        f"It must be a number from 0 to {MOST_HOURS:,}; 0 makes no backups by themselves.",
    )


def _is_on(variable: str, text: str) -> bool:
    if (told := text.strip().lower()) in {"", "on", "off"}:
        return told != "off"
    raise BigMindError(Code.INVALID_INPUT, f"{variable} is {text[:40]!r}.", "It must be on or off.")


def _port(text: str) -> int:
    if text.isdecimal() and len(text) <= 5 and int(text) <= 65535:  # noqa: PLR2004 - the range of TCP ports
        return int(text)
    raise BigMindError(
        Code.INVALID_INPUT,
        f"BIGMIND_PORT is {text[:40]!r}.",
        "It must be a number from 0 to 65535; 0 takes any free port.",
    )


def _os_user() -> str:
    try:
        return getpass.getuser()
    except (KeyError, OSError, ImportError):  # no such user id in a container, no pwd module on Windows
        return "me"
