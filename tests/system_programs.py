"""The programs of the system that tests may start: those of packaging/system_packages.toml, and no others.

What is installed here for another reason is missing on a new machine. So processes find the listed programs alone on
their search path, and a test fails that starts another one by its whole path, or past that search path.
"""

import os
import shutil
import sys
import tempfile
import tomllib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).parents[1]
LIST = ROOT / "packaging" / "system_packages.toml"
STARTED = {"subprocess.Popen", "os.exec", "os.posix_spawn"}

_allowed: list[frozenset[str]] = []


def listed_programs() -> frozenset[str]:
    """The names of all programs that are on the list, installed or not."""
    told = tomllib.loads(LIST.read_text(encoding="utf-8"))
    of_packages = [name for each in told["package"] for name in (*each.get("programs", ()), *each.get("brings", ()))]
    return frozenset((*told["base"], *of_packages))


@contextmanager
def only_listed_programs(folder: Path) -> Iterator[None]:
    """For the length of a block, this process and its children know no others. Links to them are put into `folder`.

    The list is of Debian's packages: on Windows all are known.
    """
    if os.name != "posix":
        yield
        return
    listed = listed_programs()
    for name in listed:
        if found := shutil.which(name):
            (folder / name).symlink_to(found)
    if not _allowed:
        sys.addaudithook(_look)
    _allowed.append(listed)
    with pytest.MonkeyPatch.context() as patched:
        patched.setenv("PATH", os.pathsep.join([str(Path(sys.executable).parent), str(folder)]))
        yield
    _allowed.pop()


def _look(event: str, arguments: tuple[Any, ...]) -> None:
    if event not in STARTED or not _allowed:
        return
    program, environment = os.fsdecode(arguments[0]), arguments[-1]
    path = (os.environ if environment is None else environment).get("PATH", os.defpath)
    found = shutil.which(program, path=path)
    if found is not None and not is_allowed(found, _allowed[-1]):
        pytest.fail(f"a test starts {found}, which is of no package that {LIST.relative_to(ROOT)} names")


def is_allowed(program: str, listed: frozenset[str]) -> bool:
    """Whether a program is on the list, this Python, or none of the system's."""
    named = Path(program).absolute()
    return any(map(named.is_relative_to, _own())) or named.name in listed or named.samefile(sys.executable)


def _own() -> tuple[Path, ...]:
    """Where no program of the system is: the repository, its environment, and what tests make."""
    return ROOT, Path(sys.prefix).absolute(), Path(tempfile.gettempdir()).absolute()
