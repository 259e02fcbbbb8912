"""Reads the settings: each from the environment, else from the file, else its default."""

import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from bigmind.core.errors import BigMindError, Code
from bigmind.database_file import local_file, wanted_database
from bigmind.disk.data_place import check_data_folder
from bigmind.local.moved_folder import refuse_moved_folder
from bigmind.paths import data_folder, store_file
from bigmind.settings.file import as_text, line_of, parsed, settings_file, text_of_file
from bigmind.settings.rows import DB_PATH, FILE_ROWS, Settings
from bigmind.settings.setting import Origin, Setting, SettingValue
from bigmind.settings.variables import check_variables


def read_settings(environment: Mapping[str, str] = os.environ) -> Settings:
    """The settings that hold for a process with `environment`: a server that starts.

    A broken file is an error rather than the defaults: those would open the store in another mode, for another user or
    on another port than the person asked for.

    Raises:
        BigMindError: `invalid_input`, when a value cannot be what it should be, or the file is broken;
            `store_unusable`, when there is a file in the place of the data folder; `unavailable`, when a server runs
            that had it before it was moved.
    """
    home = data_folder(environment)
    check_data_folder(home)
    refuse_moved_folder(home)
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
