"""The command that clients start: `bigmind`, and for a data folder of one's own a small program that names the folder.

An IDE that is started from a desktop does not know the variables of a terminal. Without this, one that is connected to
a BigMind with `BIGMIND_HOME` or `BIGMIND_DB_PATH` would start another one, with an empty memory.
"""

import os
import shlex
import shutil
import stat
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path

from bigmind.local.program import again_in_terminal, own_command
from bigmind.paths import PRIVATE_FOLDER, data_folder, expanded, make_private_folder, write_private_file

_CODE_PAGE = '"%SystemRoot%\\System32\\chcp.com"'
"""By its whole path: cmd looks for a bare name in the current folder first, which is whatever an IDE has open."""
_OTHER_LETTERS = (
    f"for /f \"tokens=2 delims=:.\" %%P in ('{_CODE_PAGE}') do @set code_page=%%P",
    f"{_CODE_PAGE} 65001 >nul",
)
_OWN_LETTERS = (
    "set exit_code=%ERRORLEVEL%",
    f"if defined code_page {_CODE_PAGE} %code_page% >nul",
    "exit /b %exit_code%",
)
"""The console is the terminal's, which goes on with the code page that it had."""


def command_of(home: Path, *, shared: bool = False) -> str:
    """What a client starts to reach the BigMind of a data folder, as the whole path of a program.

    Where others get the file too (`shared`), it is the bare name, if that finds this very program.
    """
    if _variables(home):
        return str(_file(home))
    own = own_command()
    found = shutil.which("bigmind") if shared else None
    return "bigmind" if found and Path(found).resolve() == Path(own).resolve() else own


def make_launcher(home: Path) -> None:
    """Have that program there, when the data folder needs one; another version of it is replaced."""
    variables, file = _variables(home), _file(home)
    if not variables and not file.is_file():
        return
    text = launcher_text(variables, _own_words())
    if not file.is_file() or file.read_bytes() != text.encode():
        make_private_folder(file.parent)
        write_private_file(file, text)
    if os.name == "posix" and stat.S_IMODE(file.stat().st_mode) != PRIVATE_FOLDER:
        file.chmod(PRIVATE_FOLDER)  # a copied data folder brings any mode along


def _variables(home: Path) -> dict[str, str]:
    """What a client's bridge has to know that is not as usual."""
    variables = {} if home == data_folder({}) else {"BIGMIND_HOME": str(home)}
    if database := os.environ.get("BIGMIND_DB_PATH"):
        variables["BIGMIND_DB_PATH"] = str(expanded("BIGMIND_DB_PATH", database))
    return variables


def _file(home: Path) -> Path:
    return home / "bin" / ("bigmind.cmd" if os.name == "nt" else "bigmind")


def _own_words() -> Sequence[str]:
    """What starts this program from any folder: a bare name would have Windows look in that folder first."""
    own = own_command()
    return [own] if Path(own).is_absolute() else again_in_terminal()


def launcher_text(variables: Mapping[str, str], words: Sequence[str], system: str = sys.platform) -> str:
    """What stands in the program that sets these variables and starts a command with what it was started with.

    Args:
        variables: by name.
        words: the command.
        system: as `sys.platform` says it.
    """
    if system == "win32":
        return _batch(variables, words)
    given = "".join(f"export {name}={shlex.quote(value)}\n" for name, value in variables.items())
    return f'#!/bin/sh\n{given}exec {shlex.join(words)} "$@"\n'


def _batch(variables: Mapping[str, str], words: Sequence[str]) -> str:
    """The same for cmd, which reads a file in the code page of its console, and `%` anywhere.

    So the data folder is told by where the program lies, in whatever letters; another code page is taken for all else
    that has such letters. What it sets is gone when it ends: else a terminal in which it is run would keep it.
    """
    lines = ["setlocal EnableExtensions DisableDelayedExpansion"]
    if "BIGMIND_HOME" in variables:
        lines.append('for %%I in ("%~dp0..") do @set "BIGMIND_HOME=%%~fI"')
    others = {name: value for name, value in variables.items() if name != "BIGMIND_HOME"}
    lines += [f'set "{name}={value.replace("%", "%%")}"' for name, value in others.items()]
    lines.append(" ".join(f'"{each.replace("%", "%%")}"' for each in words) + " %*")
    if not all(each.isascii() for each in lines):
        lines = [*lines[:1], *_OTHER_LETTERS, *lines[1:], *_OWN_LETTERS]
    return "".join(f"@{each}\r\n" for each in lines)
