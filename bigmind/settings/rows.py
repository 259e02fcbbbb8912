"""Every setting: one row each. The environment wins over the settings file, and that over the default."""

import getpass
import os
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from enum import StrEnum
from pathlib import Path
from typing import Any, TypeVar

from bigmind.core.errors import BigMindError, Code
from bigmind.core.operation import Mode
from bigmind.core.plain_text import user_name
from bigmind.core.toolsets import structured_in, toolsets_in
from bigmind.database_file import local_file, no_postgresql, wanted_database
from bigmind.paths import expanded, store_file
from bigmind.settings.file import as_text, line_of, parsed, settings_file, text_of_file
from bigmind.settings.variables import check_variables

DB_PATH = "BIGMIND_DB_PATH"
DEFAULT_PORT = 7700
LONGEST_SHOWN = 40
BACKUP_HOURS = 24
MOST_HOURS = 8_760
MOST_TOOLS = 200
ON = frozenset({"on", "1", "true", "yes"})
OFF = frozenset({"off", "0", "false", "no"})


Choice = TypeVar("Choice", bound=StrEnum)


class Theme(StrEnum):
    """How the pages look."""

    SYSTEM = "system"
    LIGHT = "light"
    DARK = "dark"


class Applies(StrEnum):
    """When a change of a setting takes effect."""

    AT_ONCE = "at once"
    RESTART = "after a restart"


Check = Callable[[str, str], Any]
"""Takes how the setting is called where it was given, and its text, which may be empty; the value, or an error."""


def wanted_port(called: str, text: str) -> tuple[int, bool]:
    """The port, and whether it must be that one."""
    if not text:
        return DEFAULT_PORT, False
    if text.isdecimal() and len(text) <= 5 and int(text) <= 65535:  # noqa: PLR2004 - the range of TCP ports
        return int(text), text != "0"
    raise _wrong(called, text, "It must be a number from 0 to 65535; 0 takes any free port.")


def _user(called: str, text: str) -> str:
    del called
    return user_name(text) or _os_user()


def _mode(called: str, text: str) -> Mode:
    if text.strip().lower() == "enterprise":
        right = "It needs PostgreSQL, which this version does not have yet. Use personal or team."
        raise _wrong(called, text, right)
    return _one_of(Mode, called, text, Mode.PERSONAL)


def _theme(called: str, text: str) -> Theme:
    return _one_of(Theme, called, text, Theme.SYSTEM)


def _home(called: str, text: str) -> Path | None:
    return expanded(called, text).absolute() if text else None


def wanted_folder(called: str, text: str) -> Path | None:
    """A whole path: a relative one would mean another folder for each folder that BigMind is started from."""
    if not text:
        return None
    folder = expanded(called, text)
    if not folder.is_absolute():
        raise _wrong(called, text, "It must be the whole path of a folder, or begin with ~/.")
    return folder


def _hours(called: str, text: str) -> int:
    if not text:
        return BACKUP_HOURS
    if text.isdecimal() and len(text) <= len(str(MOST_HOURS)) and int(text) <= MOST_HOURS:
        return int(text)
    right = f"It must be a number from 0 to {MOST_HOURS:,}; 0 makes no backups by themselves."
    raise _wrong(called, text, right)


def _milliseconds(called: str, text: str) -> int:
    if not text:
        return 250
    if text.isdecimal() and len(text) <= 5 and 100 <= int(text) <= 60_000:  # noqa: PLR2004
        return int(text)
    raise _wrong(called, text, "It must be a number of milliseconds from 100 to 60000.")


def _on_unless_off(called: str, text: str) -> bool:
    return _is_on(called, text, default=True)


def _off_unless_on(called: str, text: str) -> bool:
    return _is_on(called, text, default=False)


def _tools(called: str, text: str) -> frozenset[str]:
    names = frozenset(each.strip() for each in text.split(",") if each.strip())
    if len(names) > MOST_TOOLS:
        raise _wrong(called, text, f"It must be a list of at most {MOST_TOOLS} names of tools.")
    return names


@dataclass(frozen=True, slots=True)
class Row:
    """One setting.

    Attributes:
        name: in the file; empty where it cannot stand there.
        variable: in the environment; empty where it is not one.
        default: in words.
        meaning: what it does.
        check: makes a value of its text.
        applies: when a change takes effect.
    """

    name: str
    variable: str
    default: str
    meaning: str
    check: Check
    applies: Applies = Applies.RESTART


ROWS = (
    Row(
        "",
        "BIGMIND_HOME",
        "the platform's data folder",
        "Where the store, its run file, its tokens and the settings file live.",
        _home,
    ),
    Row(
        "",
        DB_PATH,
        "`bigmind.db` in the data folder",
        "The database file, on a local disk; a network folder is refused.",
        wanted_database,
    ),
    Row(
        "",
        "BIGMIND_DB_URL",
        "none",
        "PostgreSQL, which this version does not have yet: BigMind does not start while it is set.",
        no_postgresql,
    ),
    Row(
        "",
        "BIGMIND_HOOK_MILLISECONDS",
        "250",
        "For `bigmind hook`: when it ends at the latest, counted from its start; 100 to 60,000. Without an answer by "
        "then, it says nothing.",
        _milliseconds,
        Applies.AT_ONCE,
    ),
    Row(
        "",
        "BIGMIND_TOOLSETS",
        "those chosen for the client, else `default`",
        "For the bridge, `bigmind mcp`: the toolsets that its client is offered, with commas between them.",
        toolsets_in,
    ),
    Row(
        "",
        "BIGMIND_STRUCTURED",
        "0",
        "For the bridge, `bigmind mcp`: with 1, answers carry structured content beside their text, for programs.",
        structured_in,
    ),
    Row(
        "port",
        "BIGMIND_PORT",
        "7700, or the next free one; once a client is connected, the one it calls",
        "The port of the endpoint and the UI. A port set here is never changed.",
        wanted_port,
    ),
    Row("user", "BIGMIND_USER", "the OS user", "The name of the user whose memory this is.", _user),
    Row(
        "mode",
        "BIGMIND_MODE",
        "personal",
        "`personal`, or `team`: company knowledge then waits until a curator who did not promote it approves it.",
        _mode,
    ),
    Row(
        "backup_folder",
        "BIGMIND_BACKUP_FOLDER",
        "`backups` in the data folder",
        "Where backups go: better another disk, or a drive.",
        wanted_folder,
    ),
    Row(
        "backup_hours",
        "BIGMIND_BACKUP_HOURS",
        "24",
        "A backup is made so many hours after the last, if anything changed; 0: never.",
        _hours,
    ),
    Row(
        "meaning",
        "BIGMIND_MEANING",
        "on",
        "`off`: search goes by words alone, and no embedding model is ever loaded.",
        _on_unless_off,
    ),
    Row(
        "autoopen",
        "BIGMIND_AUTOOPEN",
        "off",
        "`on`: a server that a client started shows the profile once it is ready.",
        _off_unless_on,
    ),
    Row("theme", "", "system", "How the pages look: `system`, `light` or `dark`.", _theme, Applies.AT_ONCE),
    Row(
        "tools_off",
        "",
        "none",
        "Tools that no assistant is offered, and none may use: a list of names.",
        _tools,
        Applies.AT_ONCE,
    ),
)

FILE_ROWS = tuple(row for row in ROWS if row.name)


@dataclass(frozen=True, slots=True)
class Settings:
    """The settings of one process.

    Attributes:
        home: the data folder.
        store: the database's file.
        port: the wanted port; 0 asks the system for any.
        port_is_fixed: the person chose the port, so another one must not be taken.
        port_set_by: where the person did, in words.
        username: the user of the personal store.
        mode: whether company knowledge needs somebody's approval.
        backups: the folder of the backups; None is one in the data folder.
        backup_hours: how far apart they are; 0 when none are made by themselves.
        meaning: whether search goes by meaning too.
        autoopen: whether a server that a client started in the background shows the profile once it is ready.
        theme: how the pages look.
        tools_off: the names of the tools that no assistant is offered.
    """

    home: Path
    port: int
    port_is_fixed: bool
    username: str
    mode: Mode = Mode.PERSONAL
    backups: Path | None = None
    backup_hours: int = BACKUP_HOURS
    meaning: bool = True
    autoopen: bool = False
    theme: Theme = Theme.SYSTEM
    tools_off: frozenset[str] = frozenset()
    store: Path | None = None
    port_set_by: str = "BIGMIND_PORT"


class Origin(StrEnum):
    """Where a value comes from."""

    ENVIRONMENT = "environment"
    FILE = "file"
    DEFAULT = "default"


@dataclass(frozen=True, slots=True)
class SettingValue:
    """A setting as it was given: its text, where, and the value."""

    text: str
    origin: Origin
    value: Any


def read_settings(environment: Mapping[str, str] = os.environ) -> Settings:
    """The settings that hold for a process with `environment`: a server that starts.

    A broken file is an error rather than the defaults: those would open the store in another mode, for another user or
    on another port than the person asked for.

    Raises:
        BigMindError: `invalid_input`, when a value cannot be what it should be, or the file is broken.
    """
    from bigmind.paths import data_folder  # noqa: PLC0415 - the bridge reads paths without settings

    home = data_folder(environment)
    check_variables(environment)
    store = wanted_database(DB_PATH, environment.get(DB_PATH, ""))
    if store is None:
        local_file("The memory's file", store_file(home).resolve())
    file = settings_file(home)
    return replace(as_settings(home, told_settings(file, text_of_file(file), environment)), store=store)


def told_settings(file: Path, text: str, environment: Mapping[str, str]) -> dict[str, SettingValue]:
    """Each setting of the file by its name, with `text` as what stands in the file; raises as `read_settings`."""
    stated = parsed(file, text)
    return {row.name: _told(row, file, text, stated, environment) for row in FILE_ROWS}


def _told(row: Row, file: Path, text: str, stated: Mapping[str, Any], environment: Mapping[str, str]) -> SettingValue:
    if row.variable and (said := environment.get(row.variable, "")):
        return SettingValue(said, Origin.ENVIRONMENT, row.check(row.variable, said))
    if row.name not in stated:
        return SettingValue("", Origin.DEFAULT, row.check(row.name, ""))
    called = f"{row.name} in {file}, line {line_of(text, row.name)},"
    value = as_text(stated[row.name])
    if value is None:
        right = f"It must be text or a number. {row.meaning}"
        raise BigMindError(Code.INVALID_INPUT, f"{called} is none that can be used.", right)
    return SettingValue(value, Origin.FILE, row.check(called, value))


def as_settings(home: Path, told: Mapping[str, SettingValue]) -> Settings:
    """The settings that were told, as a process uses them."""
    port, port_is_fixed = told["port"].value
    return Settings(
        home=home,
        port=port,
        port_is_fixed=port_is_fixed,
        username=told["user"].value,
        mode=told["mode"].value,
        backups=told["backup_folder"].value,
        backup_hours=told["backup_hours"].value,
        meaning=told["meaning"].value,
        autoopen=told["autoopen"].value,
        theme=told["theme"].value,
        tools_off=told["tools_off"].value,
        port_set_by=f"port in {settings_file(home)}" if told["port"].origin is Origin.FILE else "BIGMIND_PORT",
    )


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
