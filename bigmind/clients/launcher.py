"""The command that clients start: `bigmind`, and for a data folder of one's own a small program that names the folder.

An IDE that is started from a desktop does not know the variables of a terminal. Without this, one that is connected to
a BigMind with `BIGMIND_HOME` or `BIGMIND_DB_PATH` would start another one, with an empty memory.
"""

import os
import shlex
import shutil
import stat
from pathlib import Path

from bigmind.local.program import own_command
from bigmind.paths import PRIVATE_FOLDER, data_folder, expanded, make_private_folder, write_private_file


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
    text = _text(variables)
    if not file.is_file() or file.read_text(encoding="utf-8") != text:
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


def _text(variables: dict[str, str]) -> str:
    if os.name == "nt":
        given = "".join(f'@set "{name}={value}"\r\n' for name, value in variables.items())
        return f'{given}@"{own_command()}" %*\r\n'
    given = "".join(f"export {name}={shlex.quote(value)}\n" for name, value in variables.items())
    return f'#!/bin/sh\n{given}exec {shlex.quote(own_command())} "$@"\n'
