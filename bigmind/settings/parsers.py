"""What a setting's text can be: each function takes how the setting is called where it was given, and the text.

The text may be empty, which asks for the default. All raise BigMindError `invalid_input` with what would be right.
"""

import getpass
import re
from enum import StrEnum
from pathlib import Path
from typing import NamedTuple, TypeVar

from bigmind.core.errors import BigMindError, Code
from bigmind.core.operation import Mode, Space
from bigmind.core.plain_text import user_name
from bigmind.paths import expanded
from bigmind.settings.file import PATHS_OF_WINDOWS

DEFAULT_PORT = 7700
LONGEST_SHOWN = 40
BACKUP_HOURS = 24
LEASE_MINUTES, LEAST_MINUTES, MOST_MINUTES = 120, 5, 1_440
MOST_HOURS = 8_760
MOST_ORIGINS = 20
_ORIGIN = re.compile(r"https?://(?:[a-z0-9-]+(?:\.[a-z0-9-]+)*|\[[0-9a-f:]+\])(?::\d{1,5})?")
MOST_TOOLS = 200
_UPDATES = re.compile(r"(?:https://[^\s/@]+|http://127\.0\.0\.1:\d{1,5})(?:/\S*)?")
ON = frozenset({"on", "1", "true", "yes"})
OFF = frozenset({"off", "0", "false", "no"})

Choice = TypeVar("Choice", bound=StrEnum)


class Theme(StrEnum):
    """How the pages look."""

    SYSTEM = "system"
    LIGHT = "light"
    DARK = "dark"


class Port(NamedTuple):
    """A port; 0 asks the system for any. One that the person chose is fixed: no other may be taken."""

    number: int
    is_fixed: bool


def wanted_port(called: str, text: str) -> Port:
    """The port, and whether it must be that one."""
    if not text:
        return Port(DEFAULT_PORT, is_fixed=False)
    if text.isdecimal() and len(text) <= 5 and int(text) <= 65535:  # noqa: PLR2004 - the range of TCP ports
        return Port(int(text), is_fixed=text != "0")
    raise _wrong(called, text, "It must be a number from 0 to 65535; 0 takes any free port.")


def wanted_user(called: str, text: str) -> str:
    """The user's name; else, of who is signed in on this machine."""
    del called
    return user_name(text) or _os_user()


def wanted_mode(called: str, text: str) -> Mode:
    """Personal or team."""
    if text.strip().lower() == "enterprise":
        right = "It needs PostgreSQL, which this version does not have yet. Use personal or team."
        raise _wrong(called, text, right)
    return _one_of(Mode, called, text, Mode.PERSONAL)


def wanted_theme(called: str, text: str) -> Theme:
    """How the pages look."""
    return _one_of(Theme, called, text, Theme.SYSTEM)


def wanted_home(called: str, text: str) -> Path | None:
    """The data folder; may be relative."""
    return expanded(called, text).absolute() if text else None


def wanted_folder(called: str, text: str) -> Path | None:
    """A whole path: a relative one would mean another folder for each folder that BigMind is started from."""
    if not text:
        return None
    folder = expanded(called, text)
    if any(each < " " for each in text):  # "C:\backups" in the file: TOML reads \b as a backspace
        raise _wrong(called, text, PATHS_OF_WINDOWS)
    if not folder.is_absolute():
        raise _wrong(called, text, "It must be the whole path of a folder, or begin with ~/.")
    return folder


def wanted_hours(called: str, text: str) -> int:
    """How far apart backups are; 0 when none are made by themselves."""
    if not text:
        return BACKUP_HOURS
    if text.isdecimal() and len(text) <= len(str(MOST_HOURS)) and int(text) <= MOST_HOURS:
        return int(text)
    right = f"It must be a number from 0 to {MOST_HOURS:,}; 0 makes no backups by themselves."
    raise _wrong(called, text, right)


def wanted_minutes(called: str, text: str) -> int:
    """How long a claim of work lasts."""
    if not text:
        return LEASE_MINUTES
    if text.isdecimal() and len(text) <= len(str(MOST_MINUTES)) and LEAST_MINUTES <= int(text) <= MOST_MINUTES:
        return int(text)
    raise _wrong(called, text, f"It must be a number of minutes from {LEAST_MINUTES} to {MOST_MINUTES:,}.")


def wanted_milliseconds(called: str, text: str) -> int:
    """When a hook ends at the latest."""
    if not text:
        return 250
    if text.isdecimal() and len(text) <= 5 and 100 <= int(text) <= 60_000:  # noqa: PLR2004
        return int(text)
    raise _wrong(called, text, "It must be a number of milliseconds from 100 to 60000.")


def on_unless_off(called: str, text: str) -> bool:
    """A switch that is on by default."""
    return _is_on(called, text, default=True)


def off_unless_on(called: str, text: str) -> bool:
    """A switch that is off by default."""
    return _is_on(called, text, default=False)


def wanted_tools(called: str, text: str) -> frozenset[str]:
    """Names of tools, whether there are such tools or not."""
    names = frozenset(each.strip() for each in text.split(",") if each.strip())
    if len(names) > MOST_TOOLS:
        raise _wrong(called, text, f"It must be a list of at most {MOST_TOOLS} names of tools.")
    return names


def wanted_space(called: str, text: str) -> Space:
    """Who finds a thought whose contributor does not say."""
    return _one_of(Space, called, text, Space.SHARED)


def wanted_origins(called: str, text: str) -> frozenset[str]:
    """Origins of web pages, as browsers send them: scheme, host and port, no path; never all of them."""
    origins = frozenset(each.strip().lower().rstrip("/") for each in text.split(",") if each.strip())
    wrong = next((each for each in origins if not _ORIGIN.fullmatch(each)), None)
    if wrong is not None or len(origins) > MOST_ORIGINS:
        right = f"It must be at most {MOST_ORIGINS} origins like https://chat.example.com, with commas between them."
        raise _wrong(called, wrong or text, right)
    return origins


def wanted_updates(called: str, text: str) -> str:
    """The address that names the newest version, or nothing. On this machine it may be a plain one."""
    address = text.strip()
    if not address or address.lower() in OFF:
        return ""
    if not _UPDATES.fullmatch(address):
        raise _wrong(called, address, "It must be `off`, or an https address that names the newest version.")
    return address


def _one_of(choices: type[Choice], called: str, text: str, default: Choice) -> Choice:
    try:
        return choices(text.strip().lower() or default)
    except ValueError:
        *most, last = (each.value for each in choices)
        raise _wrong(called, text, f"It must be {', '.join(most)} or {last}.") from None


def _is_on(called: str, text: str, *, default: bool) -> bool:
    told = text.strip().lower()
    if not told:
        return default
    if told in ON | OFF:
        return told in ON
    raise _wrong(called, text, "It must be on or off; yes and no, true and false, 1 and 0 will do as well.")


def _wrong(called: str, text: str, right: str) -> BigMindError:
    return BigMindError(Code.INVALID_INPUT, f"{called} is {text[:LONGEST_SHOWN]!r}.", right)


def _os_user() -> str:
    try:
        return getpass.getuser()
    except (KeyError, OSError, ImportError):  # no such user id in a container, no pwd module on Windows
        return "me"
