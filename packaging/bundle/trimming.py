"""What is taken out of what PyInstaller found, and what is laid open; used by bundle.spec, in PyInstaller's process."""

import py_compile
import subprocess
import sys
from pathlib import Path
from typing import Any

from contents import brings, keeps_qt
from PyInstaller.depend.bindepend import get_imports

SYSTEM = ("/lib/", "/lib64/", "/usr/lib/", "/usr/lib64/")
QT = "PySide6/Qt/lib/"


def trim_qt(analysis: Any) -> None:
    """Keep of Qt what is listed, and of its libraries those that the rest is linked against."""
    sources = {place: source for place, source, _ in analysis.binaries if place.startswith(("PySide6/", "shiboken6/"))}
    kept = {place for place in sources if not place.startswith(QT) and keeps_qt(place)}
    waiting = [*kept]
    while waiting:
        for name, _ in get_imports(sources[waiting.pop()]):
            place = QT + Path(name).name
            if place in sources and place not in kept:
                kept.add(place)
                waiting.append(place)
    analysis.binaries[:] = [each for each in analysis.binaries if each[0] not in sources or each[0] in kept]
    analysis.datas[:] = [
        each
        for each in analysis.datas
        if not (each[2] == "SYMLINK" and "/" not in each[0])
        and (not each[0].startswith("PySide6/") or keeps_qt(each[0]))
    ]


def trim_system_libraries(analysis: Any) -> None:
    """Leave to the distribution what is its own; a package names it among what it depends on."""
    analysis.binaries[:] = [
        each for each in analysis.binaries if not str(each[1]).startswith(SYSTEM) or brings(Path(each[0]).name)
    ]


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
    for name, source, _ in [each for each in analysis.pure if each[0] in wanted]:
        is_package = Path(source).name == "__init__.py"
        place = f"{name.replace('.', '/')}{'/__init__' if is_package else ''}.pyc"
        target = folder / place
        target.parent.mkdir(parents=True, exist_ok=True)
        unchecked = py_compile.PycInvalidationMode.UNCHECKED_HASH  # no path of the builder, no look for a source
        py_compile.compile(
            source, str(target), dfile=place.replace(".pyc", ".py"), doraise=True, invalidation_mode=unchecked
        )
        made.append((place, str(target), "DATA"))
    analysis.pure[:] = [each for each in analysis.pure if each[0] not in wanted]
    return made
