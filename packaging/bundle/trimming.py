"""What is taken out of what PyInstaller found, and what is laid open; used by bundle.spec, in PyInstaller's process."""

import py_compile
import subprocess
import sys
from pathlib import Path
from typing import Any

from contents import is_pythons_own, keeps_qt
from PyInstaller.depend.bindepend import get_imports

SYSTEM = ("/lib/", "/lib64/", "/usr/lib/", "/usr/lib64/")
QT = "PySide6/Qt/lib/"


def trim_qt(analysis: Any) -> None:
    """Keep of Qt what is listed, and of its libraries those that the rest is linked against."""
    sources = {place: source for place, source, _ in analysis.binaries if place.startswith(("PySide6/", "shiboken6/"))}
    kept = linked({place for place in sources if not place.startswith(QT) and keeps_qt(place)}, sources, QT)
    analysis.binaries[:] = [each for each in analysis.binaries if each[0] not in sources or each[0] in kept]
    analysis.datas[:] = [
        each
        for each in analysis.datas
        if not (each[2] == "SYMLINK" and "/" not in each[0])
        and (not each[0].startswith("PySide6/") or keeps_qt(each[0]))
    ]


def trim_system_libraries(analysis: Any) -> None:
    """Leave to the distribution what is its own; a package names it among what it depends on.

    Where the distribution's own Python builds the bundle, that lies among them: its modules and what they need stay.
    """
    sources = {place: str(source) for place, source, _ in analysis.binaries}
    kept = linked({place for place in sources if is_pythons_own(place)}, sources)
    analysis.binaries[:] = [
        each for each in analysis.binaries if each[0] in kept or not str(each[1]).startswith(SYSTEM)
    ]


def linked(kept: set[str], sources: dict[str, str], folder: str = "") -> set[str]:
    """These files, and the libraries of a folder that they are linked against, and those in turn.

    Args:
        kept: the files, by their places in the bundle.
        sources: where the files of all places lie.
        folder: of the libraries in the bundle.
    """
    found, waiting = set(kept), [*kept]
    while waiting:
        for name, _ in get_imports(sources[waiting.pop()]):
            place = folder + Path(name).name
            if place in sources and place not in found:
                found.add(place)
                waiting.append(place)
    return found


def open_modules(analysis: Any, entrances: list[str], folder: Path) -> list[tuple[str, str, str]]:
    """Take out of the archive what these modules import, and give it as compiled files.

    Args:
        analysis: of PyInstaller, whose modules become fewer.
        entrances: the modules.
        folder: for the compiled files.
    """
    search = [str(each) for each in analysis.pathex]
    code = (
        f"import sys; sys.path[:0] = {search!r}\n"
        f"import importlib\nfor name in {entrances!r}: importlib.import_module(name)\n"
        "print(*sys.modules, sep='\\n')"
    )
    asked = subprocess.run([sys.executable, "-I", "-c", code], check=True, capture_output=True, text=True)
    wanted, made = set(asked.stdout.split()), []
    # PyInstaller says so of what has no file: on Windows pywin32 imports such a package in every Python.
    taken = [each for each in analysis.pure if each[0] in wanted and each[1] not in {None, "-"}]
    for name, source, _ in taken:
        is_package = Path(source).name == "__init__.py"
        place = f"{name.replace('.', '/')}{'/__init__' if is_package else ''}.pyc"
        target = folder / place
        target.parent.mkdir(parents=True, exist_ok=True)
        unchecked = py_compile.PycInvalidationMode.UNCHECKED_HASH  # no path of the builder, no look for a source
        py_compile.compile(
            source, str(target), dfile=place.replace(".pyc", ".py"), doraise=True, invalidation_mode=unchecked
        )
        made.append((place, str(target), "DATA"))
    analysis.pure[:] = [each for each in analysis.pure if each not in taken]
    return made
