"""How the programs of a bundle begin; packaging/ makes them of this.

Its bootloader has put the bundle's folder of libraries before the system's, for its own process. What that starts in
turn (a browser, git, an IDE's program) must load the system's own.
"""

import os
import sys
from collections.abc import MutableMapping
from pathlib import Path

from bigmind.local.program import WINDOWED

_LIBRARIES, _KEPT = "LD_LIBRARY_PATH", "LD_LIBRARY_PATH_ORIG"
_ENDING = ".exe"
_OWN = "_PYI_"
"""Begins the names of what a bootloader tells its own process."""


def main() -> None:
    """Run what the command line asks for; the windowed program is the app where nothing is asked."""
    leave_bootloader(os.environ)
    if len(sys.argv) == 1 and Path(sys.argv[0]).stem == WINDOWED:
        sys.argv.append("app")
    sys.argv[0] = called(sys.argv[0])
    from app.main import main as run  # noqa: PLC0415 - behind the environment

    run()


def called(program: str) -> str:
    """A program as its person calls it: on Windows too, where it speaks of itself and where a shell completes it."""
    return program[: -len(_ENDING)] if program.lower().endswith(_ENDING) else program


def leave_bootloader(environment: MutableMapping[str, str]) -> None:
    """Give back the environment that the person's session has."""
    own = environment.pop(_KEPT, None)
    environment.pop(_LIBRARIES, None)
    if own:
        environment[_LIBRARIES] = own
    for name in [each for each in environment if each.startswith(_OWN)]:
        del environment[name]
