"""The command that clients start: `bigmind`, and for a data folder of one's own a small program that names the folder.

An IDE that is started from a desktop does not know the variables of a terminal. Without this, one that is connected to
a BigMind with `BIGMIND_HOME` would start another one, with an empty memory.
"""

import os
import shlex
import shutil
from pathlib import Path

from bigmind.local.commands import own_command
from bigmind.paths import PRIVATE_FOLDER, data_folder, make_private_folder, write_private_file


def command_of(home: Path, *, shared: bool = False) -> str:
    """What a client starts to reach the BigMind of a data folder, as the whole path of a program.

    Where others get the file too (`shared`), it is the bare name, if that finds this very program.
    """
    if not _is_usual(home):
        return str(_file(home))
    own = own_command()
    found = shutil.which("bigmind") if shared else None
    return "bigmind" if found and Path(found).resolve() == Path(own).resolve() else own


def make_launcher(home: Path) -> None:
    """Have that program there, when the data folder needs one; another version of it is replaced."""
    if _is_usual(home):
        return
    file, text = _file(home), _text(home)
    if not file.is_file() or file.read_text(encoding="utf-8") != text:
        make_private_folder(file.parent)
        write_private_file(file, text)
        file.chmod(PRIVATE_FOLDER)


def _is_usual(home: Path) -> bool:
    return home == data_folder({})


def _file(home: Path) -> Path:
    return home / "bin" / ("bigmind.cmd" if os.name == "nt" else "bigmind")


def _text(home: Path) -> str:
    if os.name == "nt":
        return f'@set "BIGMIND_HOME={home}"\r\n@"{own_command()}" %*\r\n'
    return f'#!/bin/sh\nexport BIGMIND_HOME={shlex.quote(str(home))}\nexec {shlex.quote(own_command())} "$@"\n'
