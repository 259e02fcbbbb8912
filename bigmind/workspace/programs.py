"""Programs that approved commands run: found at approval in BigMind's own search path, and known by their place.

A program is kept by two paths. Its place is what is run: its folder as it really is, the last part as it is named,
because a link's own name and folder are what many programs act by (busybox and rustup by the name; the Python of a
virtual environment by the `pyvenv.cfg` beside it, which the file that it leads to has not). Where it leads is its real
path: that must still be the same when it is run, so a link that was turned elsewhere is not followed. A shim of pyenv
or asdf is a file of its own, and stays one: which version it chooses, files of the workspace may tell.
"""

import os
import stat
import sys
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from bigmind.disk.windows_paths import is_taken_for_another, names_another_machine

_WINDOWS_KINDS = (".com", ".exe")
"""What Windows starts by itself. Anything else it hands to a shell (.bat, .cmd) or to another program, which read the
words of a command their own way (CVE-2024-1874): it is not run, however it is named."""

_SCRIPTS = (".cmd", ".bat")


@dataclass(frozen=True, slots=True)
class Program:
    """A program.

    Attributes:
        path: the place that is run.
        leads_to: its real path; the same where it is no link.
        is_workspaces: whether either lies in the workspace, where whoever works can change it.
    """

    path: Path
    leads_to: Path
    is_workspaces: bool


def find_program(
    name: str, workspace: Path, environment: Mapping[str, str] = os.environ, system: str = sys.platform
) -> Program | None:
    """The program of that name.

    Args:
        name: of a program in the search path; or, with a slash, a path: absolute, or in the workspace and without `..`.
        workspace: its real path.
        environment: holds the search path, and on Windows the endings of programs.
        system: as `sys.platform` says it.

    Returns:
        It, or None where there is none that can be run without a shell.
    """
    places = (
        _named_place(name, workspace, system)
        if _is_path(name, system)
        else _places(name, workspace, environment, system)
    )
    found = next((each for each in places if is_startable(each, system)), None)
    if found is None:
        return None
    place = Path(os.path.realpath(found.parent)) / found.name
    real = Path(os.path.realpath(place))
    return Program(place, real, is_inside(place.parent, workspace) or is_inside(real.parent, workspace))


def is_script_of_cmd(
    name: str, workspace: Path, environment: Mapping[str, str] = os.environ, system: str = sys.platform
) -> bool:
    """Whether no program is found by that name because it is a script that Windows has cmd read, as `npm` is there.

    The arguments are those of `find_program`.
    """
    if system != "win32" or _is_path(name, system) or Path(name).suffix:
        return system == "win32" and Path(name).suffix.lower() in _SCRIPTS
    folders = search_path(workspace, environment, system)
    return any(os.path.isfile(folder / f"{name}{ending}") for folder in folders for ending in _SCRIPTS)  # noqa: PTH113


def is_same_program(path: Path, leads_to: Path, system: str = sys.platform) -> bool:
    """Whether a program is still what was found: no folder of it and not itself a link elsewhere, and can be run."""
    try:
        is_at_place = Path(os.path.realpath(path.parent)) == path.parent and Path(os.path.realpath(path)) == leads_to
    except (OSError, ValueError):
        return False
    return is_at_place and is_startable(path, system)


def is_startable(path: Path, system: str = sys.platform) -> bool:
    """Whether a path leads to an ordinary file that the system runs by itself."""
    try:
        is_file = stat.S_ISREG(path.stat().st_mode)
    except (OSError, ValueError):
        return False
    return is_file and (path.suffix.lower() in _WINDOWS_KINDS if system == "win32" else os.access(path, os.X_OK))


def search_path(workspace: Path, environment: Mapping[str, str], system: str = sys.platform) -> list[Path]:
    """The folders where programs are found: those of the search path that are absolute and not in the workspace."""
    separator = ";" if system == "win32" else os.pathsep
    told = environment.get("PATH", default_path(system)).split(separator)
    folders = [Path(each) for each in told if each and "\0" not in each]
    return [each for each in folders if each.is_absolute() and not is_inside(each, workspace)]


def default_path(system: str = sys.platform) -> str:
    """Where programs are found without a search path. Windows names the current folder, and one anybody may make."""
    return "" if system == "win32" else os.defpath


def is_inside(folder: Path, workspace: Path) -> bool:
    """Whether a folder is the workspace, or lies in it, by whatever name; also one that is not there, or leads out."""
    real = Path(os.path.realpath(folder))
    return any(_is_same(each, workspace) for each in dict.fromkeys((folder, *folder.parents, real, *real.parents)))


def _is_same(one: Path, other: Path) -> bool:
    try:
        return one == other or one.samefile(other)
    except (OSError, ValueError):
        return False


def _is_path(name: str, system: str) -> bool:
    return "/" in name or (system == "win32" and ("\\" in name or ":" in name))


def _named_place(name: str, workspace: Path, system: str) -> Iterator[Path]:
    path = Path(name)
    names = path.parts[1:] if path.anchor else path.parts
    is_odd = ".." in names or any(is_taken_for_another(each, system) for each in names)
    if path.name and not is_odd and not names_another_machine(name, (workspace,), system):
        yield workspace / path


def _places(name: str, workspace: Path, environment: Mapping[str, str], system: str) -> Iterator[Path]:
    if name in {".", ".."}:
        return
    for folder in search_path(workspace, environment, system):
        yield from (folder / each for each in _spellings(name, environment, system))


def _spellings(name: str, environment: Mapping[str, str], system: str) -> list[str]:
    if system != "win32" or Path(name).suffix.lower() in _WINDOWS_KINDS:
        return [name]
    endings = environment.get("PATHEXT", ";".join(_WINDOWS_KINDS)).lower().split(";")
    return [f"{name}{each}" for each in endings if each in _WINDOWS_KINDS]
