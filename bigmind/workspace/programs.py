"""Programs that approved commands run: found at approval in BigMind's own search path, and known by their place."""

import os
import shutil
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True, slots=True)
class Program:
    """A program: the path that is run, and whether it lies in the workspace, where whoever works can change it."""

    path: Path
    is_workspaces: bool


def find_program(name: str, workspace: Path, environment: Mapping[str, str] = os.environ) -> Program | None:
    """The program of that name.

    Args:
        name: of a program in the search path; or, with a slash, a path in the workspace.
        workspace: its real path.
        environment: holds the search path; entries that are relative, or lie in the workspace, are not searched.

    Returns:
        Its place; None where there is none that can be run. Its folder is followed to where it really is; the last part
        stays as it is named, because programs such as busybox, and those of a virtual environment, act by their name.
    """
    found = _in_workspace(name, workspace) if _is_path(name) else _in_path(name, workspace, environment)
    if found is None:
        return None
    place = Path(os.path.realpath(found.parent)) / found.name
    real = Path(os.path.realpath(place))
    return Program(place, workspace in place.parents or workspace in real.parents)


def _is_path(name: str) -> bool:
    return "/" in name or (os.name == "nt" and "\\" in name)


def _in_workspace(name: str, workspace: Path) -> Path | None:
    if ".." in Path(name).parts:
        return None
    path = workspace / name
    return path if path.is_file() and os.access(path, os.X_OK) else None


def _in_path(name: str, workspace: Path, environment: Mapping[str, str]) -> Path | None:
    folders = [Path(each) for each in environment.get("PATH", os.defpath).split(os.pathsep) if each]
    own = [each for each in folders if each.is_absolute() and not _is_inside(each, workspace)]
    found = shutil.which(name, path=os.pathsep.join(map(str, own))) if own else None
    return Path(found) if found is not None and not _is_shell_script(found) else None


def _is_inside(folder: Path, workspace: Path) -> bool:
    real = Path(os.path.realpath(folder))
    return real == workspace or workspace in real.parents


def _is_shell_script(path: str) -> bool:
    """Windows starts these by a shell, which reads their arguments its own way."""
    return sys.platform == "win32" and path.lower().endswith((".bat", ".cmd"))
