"""The commands that start this program and its parts once more, and what its person would type."""

import os
import sys
from collections.abc import Iterable, Mapping
from functools import cache
from pathlib import Path

from bigmind.core.errors import BigMindError, Code

WINDOWED = "bigmind-app"
"""A bundle's program that opens no terminal, beside `bigmind`; on Linux one program under two names."""


def server_command() -> list[str]:
    """The command that starts a server in the background."""
    return again("serve", "--background")


def embedder_command() -> list[str]:
    """The command that starts the process that embeds and searches."""
    return again("embedder")


def download_command() -> list[str]:
    """The command that starts the process that downloads a model, whose name follows."""
    return again("embedder", "download")


def is_bundled() -> bool:
    """Whether this is a bundle: a program that brings its Python along, and into which nothing can be installed."""
    return bool(getattr(sys, "frozen", False))


def again(*arguments: str) -> list[str]:
    """The command that starts this program once more."""
    if is_bundled():
        return [sys.executable, *arguments]
    # -P: whatever folder the IDE started us in must not lend us its `app` package.
    return [sys.executable, "-P", "-m", "app", *arguments]


def own_command() -> str:
    """The `bigmind` command of this installation, as an IDE or a terminal can start it from any folder."""
    name = "bigmind.exe" if os.name == "nt" else "bigmind"
    script = Path(sys.executable).with_name(name)
    if is_bundled():  # never the windowed program: it has no standard streams on Windows
        return str(script) if script.exists() else sys.executable
    if script.exists():
        return str(script)
    found = installed_command(name, Path(__file__).parents[2], _schemes())
    return str(found) if found else "bigmind"


def installed_command(name: str, packages: Path, schemes: Iterable[Mapping[str, str]]) -> Path | None:
    r"""The command that pip wrote beside a package, where it is not beside Python, as in `Scripts` on Windows.

    Args:
        name: of the command's file.
        packages: the folder that the package lies in.
        schemes: where pip puts packages (`purelib`) and their commands (`scripts`).

    Returns:
        Its path; None where the package was not put there: a command that lies there is another installation's.
    """
    scripts = (Path(each["scripts"], name) for each in schemes if Path(each["purelib"]) == packages)
    return next((each for each in scripts if each.exists()), None)


@cache
def _schemes() -> list[dict[str, str]]:
    """Those of this Python, for everybody and for one person; each page asks for them."""
    import sysconfig  # noqa: PLC0415 - where the command is not beside Python

    names = sysconfig.get_default_scheme(), sysconfig.get_preferred_scheme("user")
    return [sysconfig.get_paths(each) for each in names]


def again_in_terminal(*arguments: str) -> list[str]:
    """The command that starts this program once more, with standard streams: a windowed Python has none."""
    program, *others = again(*arguments)
    beside = Path(program).with_name("python.exe")
    is_windowed = Path(program).name.lower() == "pythonw.exe" and beside.exists()
    return [str(beside) if is_windowed else program, *others]


def windowed_program() -> str:
    """A bundle's program that opens no terminal; empty where there is none, or no difference."""
    program = Path(sys.executable).with_name(f"{WINDOWED}.exe" if os.name == "nt" else WINDOWED)
    return str(program) if is_bundled() and not sys.platform.startswith("linux") and program.exists() else ""


_FLEETING = "/AppTranslocation/"
"""In the path where macOS runs an app that was downloaded and not moved since; the next time, it is another."""


def require_lasting_place(program: str | None = None) -> None:
    """Refuse what would have others start this program, where its path is gone once it ends.

    Args:
        program: its path; of the one that runs, where none is given.

    Raises:
        BigMindError: `unavailable`.
    """
    if _FLEETING in (program or sys.executable):
        raise BigMindError(
            Code.UNAVAILABLE,
            "BigMind runs from a copy that macOS removes when it ends, so nothing else could start it from there.",
            "Quit it, move BigMind into the Applications folder, and open it there.",
        )


def how_to_add(package: str) -> str:
    """What a person does who wants a package of the index, or an extra of BigMind's, that is missing."""
    if is_bundled():
        return "it is not part of this bundle of BigMind"
    return f'pip install "{package}"'  # so quoted, every shell takes it
