"""Tries a bundle for real: `python packaging/smoke/smoke.py FOLDER`, on any system.

FOLDER is what was unpacked or installed: it holds the program `bigmind` and all that it loads. It is run as somebody
whose home is empty and thrown away. Nothing of it may change, nothing of Python's may be loaded from elsewhere, and
where the system can take the network away (Linux, as root), all has to work without one.
"""

import os
import re
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import checks
from installed import Installed, said

SYSTEMS = ("/lib/", "/lib64/", "/usr/lib/", "/usr/lib64/", "/usr/libexec/")
APART = "BIGMIND_SMOKE_APART"
_CODE = re.compile(r"\.(so(\.\d+)*|pyc|py|zip)$")


def main() -> None:
    """Try it; ends with 1 at the first thing that is not as it should be."""
    folders = [each for each in sys.argv[1:] if not each.startswith("-")]
    if len(folders) != 1:
        sys.exit(__doc__)
    go_without_network()
    folder = Path(folders[0]).resolve()
    program = next(
        each
        for each in (folder / "bigmind", folder / "bigmind.exe", folder / "Contents/MacOS/bigmind")
        if each.is_file()
    )
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as scratch, unchanged(folder):
        person = Path(scratch) / "person"
        person.mkdir()
        try_it(Installed([str(program)], person), folder)


def try_it(installed: Installed, folder: Path) -> None:
    """Every check, on one memory."""
    try:
        if (windowed := folder / "bigmind-app").exists() or windowed.is_symlink():
            assert "BigMind" in Installed([str(windowed)], installed.person).run("version")
        checks.remembers(installed)
        checks.finds_by_meaning(installed)
        loads_nothing_else(folder)
        checks.backs_up(installed)
        checks.connects(installed)
        checks.completes(installed)
        checks.hands_down_no_libraries(installed)
        checks.says_nothing_of_installers(installed)
        checks.refuses_a_newer_store(installed)
    finally:
        if (installed.home / "run.json").exists():
            checks.ends(installed)


def go_without_network() -> None:
    """Run again where there is no network but this machine's own loopback, if the system lets us."""
    if not sys.platform.startswith("linux") or os.geteuid() != 0 or APART in os.environ:
        return
    again = 'ip link set lo up && exec "$0" "$@"'
    command = ["unshare", "--net", "sh", "-c", again, sys.executable, *sys.argv]
    if subprocess.run(["unshare", "--net", "true"], check=False).returncode == 0:
        sys.exit(subprocess.run(command, env={**os.environ, APART: "1"}, check=False).returncode)


def loads_nothing_else(folder: Path, root: Path = Path("/")) -> None:
    """What its processes have loaded is of the bundle, or a library of the system's, which begins at `root`."""
    if not sys.platform.startswith("linux"):
        return
    files: set[str] = set()
    looked_at = 0
    for process in Path("/proc").glob("[0-9]*"):
        try:
            if not (process / "exe").readlink().is_relative_to(folder):
                continue
            lines = (process / "maps").read_text().splitlines()
        except OSError:
            continue
        looked_at += 1
        files |= {line.split(maxsplit=5)[5] for line in lines if "/" in line}
    assert looked_at >= 2, "the server and its embedder run"  # noqa: PLR2004
    mapped = {each for each in files if not Path(each).is_relative_to(folder) and is_code(each)}
    outside = {
        f"/{Path(each).relative_to(root)}" if Path(each).is_relative_to(root) else f"//{each}" for each in mapped
    }
    odd = {each for each in outside if not each.startswith(SYSTEMS) or "python" in each.lower()}
    assert not odd, f"loaded from outside: {sorted(odd)}"
    names = ", ".join(sorted({Path(each).name for each in outside}))
    said(f"{looked_at} processes load {len(files) - len(outside)} files of the bundle, and of the system {names}")


def is_code(file: str) -> bool:
    """Whether a file that is mapped is a library or a program; not a database or a list of words."""
    file = file.removesuffix(" (deleted)")
    return (
        re.search(r"\.so(\.\d+)*$", file) is not None
        or file.endswith((".pyc", ".py", ".zip"))
        or os.access(file, os.X_OK)
    )


@contextmanager
def unchanged(folder: Path) -> Iterator[None]:
    """Whatever happens in the block, no file of a folder is written, made or removed."""
    before = state(folder)
    yield
    after = state(folder)
    assert after == before, sorted(set(after.items()) ^ set(before.items()))[:10]
    said(f"nothing was written into the bundle ({len(before)} files)")


def state(folder: Path) -> dict[str, tuple[int, int]]:
    """Of every file: how large it is, and when it was written."""
    found = {}
    for place, folders, files in os.walk(folder):
        for name in (*folders, *files):
            told = os.lstat(os.path.join(place, name))  # noqa: PTH118 - quicker
            found[os.path.join(place, name)] = (told.st_size, told.st_mtime_ns)  # noqa: PTH118
    return found


if __name__ == "__main__":
    main()
