"""What tests need of the system, by the list in system_packages.toml, and what of it is missing.

Usage: python3 packaging/system_packages.py [--of bundle]
Prints the names of the packages that are missing, for this release, in one line; an empty line when there are all. With
the option, of those too that `make bundle` and `make smoke` need.
"""

import ctypes
import platform
import shutil
import sys
import tomllib
from dataclasses import dataclass
from pathlib import Path

LIST = Path(__file__).with_name("system_packages.toml")
NOT_LINUX = ("chromium", "git")
"""What tests need on other systems too; the rest is of Linux's desktop, or tried there alone."""
GLIBC_OF_2024 = (2, 39)
"""Of Ubuntu 24.04; Debian 13 has 2.41, Debian 12 2.36. Also in app/desktop/preflight.py, which is not installed yet."""


@dataclass(frozen=True, slots=True)
class SystemPackage:
    """A package of Debian and Ubuntu; the list says what each of these is."""

    name: str
    why: str
    programs: list[str]
    brings: list[str]
    libraries: list[str]
    files: list[str]
    tries: bool

    @property
    def is_missing(self) -> bool:
        """Whether the system lacks anything that tests use of it."""
        there = (
            *(shutil.which(program) for program in self.programs),
            *(_loads(library) for library in self.libraries),
            *(any(Path("/").glob(file.lstrip("/"))) for file in self.files),
        )
        return not all(there)

    @property
    def apt_name(self) -> str:
        """Its name in this release: since 2024 those carry `t64` whose interface has a time in it, which grew then."""
        before, _, since = self.name.partition("|")
        return since if since and _is_of_2024() else before


def system_packages(*, of_bundles: bool = False) -> list[SystemPackage]:
    """All that tests need; what bundles need too, where that is asked."""
    fields = {"why": "", "programs": [], "brings": [], "libraries": [], "files": [], "tries": False}
    listed = [*_list()["package"], *(_list()["bundle"] if of_bundles else [])]
    return [SystemPackage(**{**fields, **each}) for each in listed]


def base_programs() -> list[str]:
    """The programs that every Linux has."""
    return _list()["base"]


def missing_packages(*, of_bundles: bool = False) -> list[SystemPackage]:
    """Those that this system lacks."""
    is_linux = platform.system() == "Linux"
    found = system_packages(of_bundles=of_bundles)
    return [each for each in found if (is_linux or each.name in NOT_LINUX) and each.is_missing]


def what_is_missing(who: str = "The tests", *, of_bundles: bool = False, to_try: bool = True) -> str:
    """What is needed and this system lacks, with the one command that installs it; empty when it has all.

    Args:
        who: needs it.
        of_bundles: ask for what bundles need too.
        to_try: of that, for what only tries one as well.
    """
    missing = [each for each in missing_packages(of_bundles=of_bundles) if to_try or not each.tries]
    if not missing:
        return ""
    lines = [f"  {each.apt_name}: {each.why}" for each in missing]
    install = f"sudo apt-get install --no-install-recommends {' '.join(each.apt_name for each in missing)}"
    return "\n".join([f"{who} need what this system lacks:", *lines, f"Debian, Ubuntu: {install}"])


def _list() -> dict[str, list]:
    return tomllib.loads(LIST.read_text(encoding="utf-8"))


def _loads(library: str) -> bool:
    try:
        ctypes.CDLL(library)
    except OSError:
        return False
    return True


def _is_of_2024() -> bool:
    """By the C library: Debian testing and unstable have no number, and what is made of Debian and Ubuntu its own."""
    library, version = platform.libc_ver()
    major, _, minor = version.partition(".")
    return library == "glibc" and (int(major), int(minor.partition(".")[0])) >= GLIBC_OF_2024


if __name__ == "__main__":
    asked = missing_packages(of_bundles=sys.argv[1:] == ["--of", "bundle"])
    sys.stdout.write(" ".join(each.apt_name for each in asked) + "\n")
