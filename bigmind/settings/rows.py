"""Every setting: one row each. The environment wins over the settings file, and that over the default.

The file, the variables, `settings change`, the Settings page and the help are loops over these rows.
"""

import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any, cast

from bigmind.core.errors import BigMindError, Code
from bigmind.core.operation import Mode
from bigmind.core.toolsets import structured_in, toolsets_in
from bigmind.database_file import local_file, no_postgresql, wanted_database
from bigmind.paths import store_file
from bigmind.settings.file import as_text, line_of, parsed, settings_file, text_of_file
from bigmind.settings.parsers import (
    BACKUP_HOURS,
    DEFAULT_PORT,
    MOST_HOURS,
    Theme,
    off_unless_on,
    on_unless_off,
    wanted_folder,
    wanted_home,
    wanted_hours,
    wanted_milliseconds,
    wanted_mode,
    wanted_port,
    wanted_theme,
    wanted_tools,
    wanted_user,
)
from bigmind.settings.setting import Applies, Control, FormField, GivenSettings, Origin, Setting, SettingValue
from bigmind.settings.variables import check_variables

DB_PATH = "BIGMIND_DB_PATH"
ON_OFF = ("on", "off")

VARIABLES: tuple[Setting[Any], ...] = (
    Setting(
        "BIGMIND_HOME",
        "the platform's data folder",
        "Where the store, its run file, its tokens and the settings file live.",
        wanted_home,
    ),
    Setting(
        DB_PATH,
        "`bigmind.db` in the data folder",
        "The database file, on a local disk; a network folder is refused.",
        wanted_database,
    ),
    Setting(
        "BIGMIND_DB_URL",
        "none",
        "PostgreSQL, which this version does not have yet: BigMind does not start while it is set.",
        no_postgresql,
    ),
    Setting(
        "BIGMIND_HOOK_MILLISECONDS",
        "250",
        "For `bigmind hook`: when it ends at the latest, counted from its start; 100 to 60,000. Without an answer by "
        "then, it says nothing.",
        wanted_milliseconds,
        Applies.AT_ONCE,
    ),
    Setting(
        "BIGMIND_TOOLSETS",
        "those chosen for the client, else `default`",
        "For the bridge, `bigmind mcp`: the toolsets that its client is offered, with commas between them.",
        toolsets_in,
    ),
    Setting(
        "BIGMIND_STRUCTURED",
        "0",
        "For the bridge, `bigmind mcp`: with 1, answers carry structured content beside their text, for programs.",
        structured_in,
    ),
)
"""What only the environment sets: it is needed before the file is found, or by a program that reads none."""


class Settings(GivenSettings):
    """The settings of one process, a row each: `settings.port` is the value, `Settings.port` the row."""

    __slots__ = ()

    port = Setting(
        "BIGMIND_PORT",
        "7700, or the next free one; once a client is connected, the one it calls",
        "The port of the endpoint and the UI. A port set here is never changed.",
        wanted_port,
        form=FormField("port", "Port", Control.NUMBER, placeholder=str(DEFAULT_PORT), most=65_535),
    )
    user = Setting(
        "BIGMIND_USER",
        "the OS user",
        "The name of the user whose memory this is.",
        wanted_user,
        form=FormField(
            "user",
            "User",
            hint="Another user of the same store begins with an empty memory. Empty: the name you are signed in with "
            "on this machine.",
            placeholder="{user}",
            most=120,
        ),
    )
    mode = Setting(
        "BIGMIND_MODE",
        "personal",
        "`personal`, or `team`: company knowledge then waits until a curator who did not promote it approves it.",
        wanted_mode,
        form=FormField("store", "Mode", Control.CHOICE, choices=tuple(Mode)),
    )
    backup_folder = Setting(
        "BIGMIND_BACKUP_FOLDER",
        "`backups` in the data folder",
        "Where backups go: better another disk, or a drive.",
        wanted_folder,
        form=FormField("backups", "Folder", placeholder="{home}/backups"),
    )
    backup_hours = Setting(
        "BIGMIND_BACKUP_HOURS",
        str(BACKUP_HOURS),
        "A backup is made so many hours after the last, if anything changed; 0: never.",
        wanted_hours,
        form=FormField(
            "backups",
            "Hours between two",
            Control.NUMBER,
            hint="Only if anything changed. 0: none by themselves.",
            placeholder=str(BACKUP_HOURS),
            most=MOST_HOURS,
        ),
    )
    meaning = Setting(
        "BIGMIND_MEANING",
        "on",
        "`off`: search goes by words alone, and no embedding model is ever loaded.",
        on_unless_off,
        form=FormField("model", "Load a model at all", Control.CHOICE, choices=ON_OFF),
    )
    autoopen = Setting(
        "BIGMIND_AUTOOPEN",
        "off",
        "`on`: a server that a client started shows the profile once it is ready.",
        off_unless_on,
        form=FormField("app", "Show the profile when an assistant starts BigMind", Control.SWITCH),
    )
    theme = Setting(
        "",
        "system",
        "How the pages look: `system`, `light` or `dark`.",
        wanted_theme,
        Applies.AT_ONCE,
        form=FormField("appearance", "Theme", Control.SEGMENTS, choices=tuple(Theme)),
    )
    tools_off = Setting(
        "",
        "none",
        "Tools that no assistant is offered, and none may use: a list of names.",
        wanted_tools,
        Applies.AT_ONCE,
    )


FILE_ROWS = tuple(cast("Setting[Any]", each) for each in vars(Settings).values() if isinstance(each, Setting))
ROWS = (*VARIABLES, *FILE_ROWS)


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
    return Settings(home, told_settings(file, text_of_file(file), environment), store)


def told_settings(file: Path, text: str, environment: Mapping[str, str]) -> dict[str, SettingValue]:
    """Each setting of the file by its name, with `text` as what stands in the file; raises as `read_settings`."""
    stated = parsed(file, text)
    return {row.name: _told(row, file, text, stated, environment) for row in FILE_ROWS}


def _told(
    row: Setting[Any], file: Path, text: str, stated: Mapping[str, Any], environment: Mapping[str, str]
) -> SettingValue:
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
