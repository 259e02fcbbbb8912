"""The settings file: TOML in the data folder, written by people and by BigMind, whose comments stay."""

import re
import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from bigmind.core.errors import BigMindError, Code
from bigmind.core.plain_text import shortened
from bigmind.core.shapes import as_object, is_list
from bigmind.paths import write_private_file

LARGEST = 1_000_000
LONGEST_SHOWN = 120
LARGEST_NUMBER_BITS = 64
PATHS_OF_WINDOWS = r"Write a path of Windows between apostrophes: `backup_folder = 'D:\Backups'`."
"""Between quotation marks, TOML reads what stands behind a backslash as another character."""
_AT = re.compile(r"\(at (line \d+, column \d+)\)")
_DRIVE = re.compile(r"\b[A-Za-z]:\\|\"\\\\")
_LONG_NUMBER = re.compile(r"\d(_?\d){1000}")
_NEW = """\
# BigMind's settings: `bigmind settings show` says what there is, docs/settings.md what it means.
# An environment variable wins over what stands here.

"""


def settings_file(home: Path) -> Path:
    """Where a home's settings are."""
    return home / "settings.toml"


def text_of_file(file: Path) -> str:
    """What stands in it; nothing where there is none.

    Raises:
        BigMindError: `invalid_input`, when it cannot be read as text.
    """
    try:
        if file.stat().st_size > LARGEST:
            raise _broken(file, "it is larger than a megabyte", "It holds a few lines; put something else elsewhere.")
        return file.read_text(encoding="utf-8-sig")
    except (FileNotFoundError, NotADirectoryError):  # a home that cannot be is told where it is made
        return ""
    except UnicodeDecodeError as error:
        line = error.object[: error.start].count(b"\n") + 1
        raise _broken(file, f"line {line} is not UTF-8 text", "Save the file as UTF-8.") from error
    except OSError as error:
        reason = error.strerror or str(error)
        raise _broken(file, reason, "It must be a file that you may read; without one the defaults hold.") from error


def parsed(file: Path, text: str) -> dict[str, Any]:
    """What the text of the file says.

    Raises:
        BigMindError: `invalid_input`, naming the line and what would be right.
    """
    try:
        return tomllib.loads(text)
    except (tomllib.TOMLDecodeError, RecursionError) as error:
        where = _AT.search(str(error))
        line = where[1] if where else "its end"
        what = f"{line}: {shortened(_AT.sub('', str(error)).strip(), LONGEST_SHOWN)}"
        right = 'Each line is `name = value`, with text in quotes: `mode = "team"` or `port = 7700`.'
        raise _broken(file, what, f"{right} {PATHS_OF_WINDOWS}" if _DRIVE.search(text) else right) from error
    except ValueError as error:  # a whole number of more digits than Python reads, which tomllib lets through
        what = f"line {_line_of_long_number(text)}: a number is too long"
        raise _broken(file, what, "No setting is above 65535.") from error


def line_of(text: str, name: str) -> int:
    """The line on which a name gets its value; 0 when it is not found."""
    wanted = re.compile(rf"""\s*["']?{re.escape(name)}["']?\s*=""")
    return next((number for number, line in enumerate(text.splitlines(), 1) if wanted.match(line)), 0)


def as_text(value: object) -> str | None:
    """A value of the file as an environment variable would say it; None for what none can be."""
    match value:
        case bool():
            return "on" if value else "off"
        case int():
            return str(value) if value.bit_length() <= LARGEST_NUMBER_BITS else None  # 0xff… has no end
        case str():
            return value
        case _ if is_list(value) and all(isinstance(each, str) for each in value):
            return ",".join(map(str, value))
        case _:
            return None


def change_file(file: Path, changes: Mapping[str, Any]) -> None:
    """Write values into the file; None takes a name out. Everything else in it stays as it is, comments too.

    Raises:
        BigMindError: `invalid_input`, when the file is broken; `conflict`, when it is a link; `storage_full` or
            `store_unusable`, when it cannot be written. It is then as it was.
    """
    import tomlkit  # noqa: PLC0415 - for writing only

    if file.is_symlink():
        raise BigMindError(
            Code.CONFLICT,
            f"{file} is a link to {file.resolve()}, which BigMind reads and does not change.",
            "Change that file yourself; BigMind takes it up by itself.",
        )
    text = text_of_file(file)
    wanted = parsed(file, text)
    document = tomlkit.parse(text or _NEW)
    for name, value in changes.items():
        if value is None:
            if wanted.pop(name, None) is not None:
                document.remove(name)
        else:
            document[name] = value
            wanted[name] = value
    written = tomlkit.dumps(document)
    if as_object(tomllib.loads(written)) != wanted:
        raise BigMindError(Code.INTERNAL, f"{file} could not be changed in place.", "Change it in an editor.")
    write_private_file(file, written)


def _line_of_long_number(text: str) -> int:
    lines = enumerate(text.splitlines(), 1)
    return next((number for number, line in lines if _LONG_NUMBER.search(line)), 0)


def _broken(file: Path, what: str, right: str) -> BigMindError:
    return BigMindError(Code.INVALID_INPUT, f"The settings file {file} cannot be used: {what}.", right)
