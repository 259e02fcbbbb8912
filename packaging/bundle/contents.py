"""Reads contents.toml, the one description of what goes into a bundle, for one kind of bundle and one system."""

import re
import sys
import tomllib
from dataclasses import dataclass, field, fields
from fnmatch import fnmatch
from pathlib import Path
from typing import Any

DESCRIPTION = Path(__file__).with_name("contents.toml")
SYSTEMS = {"linux": "linux", "darwin": "macos", "win32": "windows"}
KINDS = ("window", "server")
"""The app with its window, and the server alone."""


@dataclass(frozen=True)
class Contents:
    """What goes into a bundle; the description says what each of these is."""

    whole_packages: list[str] = field(default_factory=list)
    modules: list[str] = field(default_factory=list)
    left_out: list[str] = field(default_factory=list)
    data_packages: list[str] = field(default_factory=list)
    source_folders: list[str] = field(default_factory=list)
    metadata: list[str] = field(default_factory=list)
    libraries: list[list[str]] = field(default_factory=list)
    dropped_data: list[str] = field(default_factory=list)
    dropped_modules: list[dict[str, Any]] = field(default_factory=list)
    open_modules: list[str] = field(default_factory=list)

    def keeps_module(self, name: str) -> bool:
        """Whether a module stays that PyInstaller has found."""
        for each in self.dropped_modules:
            if name.startswith(each["begins"]):
                return any(name == f"{each['begins']}{kept}" for kept in each["kept"])
        return True


def description() -> dict[str, Any]:
    """All of it."""
    return tomllib.loads(DESCRIPTION.read_text(encoding="utf-8"))


def contents(kind: str, system: str = sys.platform) -> Contents:
    """What goes into a bundle of that kind, one of `KINDS`, on a system as `sys.platform` calls it."""
    told, name = description(), SYSTEMS[system]
    of_kind = told.get(kind, {})
    parts = (told, told.get(name, {}), of_kind, of_kind.get(name, {}))
    return Contents(
        **{each.name: [one for part in parts for one in part.get(each.name, [])] for each in fields(Contents)}
    )


def keeps_qt(place: str) -> bool:
    """Whether a file of Qt's stays by itself; libraries stay where one that stays is linked against them.

    Args:
        place: in the bundle, such as `PySide6/Qt/plugins/platforms/libqxcb.so`.
    """
    qt, name = description()["qt"], place.rpartition("/")[2]
    if "/Qt/plugins/" in place:
        return place.partition("/Qt/plugins/")[2].startswith(tuple(qt["plugins"]))
    if "/qtwebengine_locales/" in place:
        return name in qt["locales"]
    if "/Qt/resources/" in place:
        return name in qt["resources"]
    if "/Qt/libexec/" in place:
        return name in qt["programs"]
    if "/Qt/" in place:
        return False
    module = name.partition(".")[0]
    return not module.startswith("Qt") or module in qt["modules"]


def is_pythons_own(place: str) -> bool:
    """Whether a file is Python itself or a module of its own; it needs what that is linked against as well.

    Args:
        place: in the bundle, such as `python3.11/lib-dynload/_decimal.cpython-311-x86_64-linux-gnu.so`.
    """
    return place.startswith("libpython") or re.match(r"python3\.\d+/lib-dynload/", place) is not None


def stripped(place: str) -> list[str]:
    """The options of `strip` for a file, by its place among a bundle's libraries; none where it is left as it is."""
    told = description()["strip"]
    if any(fnmatch(place, each) for each in told["all"]):
        return ["--strip-all"]
    return ["--strip-unneeded"] if any(fnmatch(place, each.replace("**/", "*")) for each in told["unneeded"]) else []
