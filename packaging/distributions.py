"""Builds what the package index takes, a wheel and an sdist in `dist`, and looks at what is in them.

Usage: build/bundle-venv/bin/python packaging/distributions.py
Ends with 1 when something of a test, of a bundle's making or of this machine is in the wheel, or a file of the product
is not.
"""

import subprocess
import sys
import tarfile
import zipfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
DIST = ROOT / "dist"
TOPS = ("app", "ui", "bigmind")
SHARED = "share/bigmind/"


def main() -> None:
    """Build both, and say how large they are."""
    for old in (*DIST.glob("*.whl"), *DIST.glob("bigmind-*.tar.gz")):
        old.unlink()
    subprocess.run([sys.executable, "-m", "hatchling", "build", "-d", str(DIST)], cwd=ROOT, check=True)
    [wheel], [sdist] = DIST.glob("*.whl"), DIST.glob("bigmind-*.tar.gz")
    faults = [*of_wheel(wheel), *of_sdist(sdist)]
    for each in (wheel, sdist):
        print(f"{each.name}: {each.stat().st_size / 1_000_000:.1f} MB")
    if faults:
        sys.exit("\n".join(faults))


def product() -> set[str]:
    """Every file of the product, as a checkout has it."""
    return files(*TOPS, "assets")


def files(*folders: str) -> set[str]:
    """What is committed of some folders, or is about to be: not ignored."""
    return {
        each for each in git("ls-files", "--cached", "--others", "--exclude-standard", *folders).split("\n") if each
    }


def of_wheel(wheel: Path) -> list[str]:
    """What is wrong with a wheel."""
    with zipfile.ZipFile(wheel) as opened:
        names = [each for each in opened.namelist() if ".dist-info/" not in each]
        about = next(each for each in opened.namelist() if each.endswith(".dist-info/METADATA"))
        told = opened.read(about).decode()
    there = {f"assets/{name.partition(SHARED)[2]}" if SHARED in name else name for name in names}
    faults = [f"not in the wheel: {each}" for each in sorted(product() - there)]
    faults += [f"in the wheel, and no part of the product: {each}" for each in sorted(there - product())]
    faults += [
        f"the wheel does not offer the extra {each}"
        for each in ("desktop", "multilingual")
        if f"Extra: {each}" not in told
    ]
    return faults


def of_sdist(sdist: Path) -> list[str]:
    """What is wrong with an sdist: it builds the wheel, so it has all of the product, and the tests that judge it."""
    with tarfile.open(sdist) as opened:
        there = {name.partition("/")[2] for name in opened.getnames()}
    faults = [f"not in the sdist: {each}" for each in sorted((product() | {"tests/conftest.py", "Makefile"}) - there)]
    allowed = set(git("ls-files").split("\n")) | files(*TOPS, "assets", "docs", "packaging", "tests") | {"PKG-INFO"}
    packed = {each for each in there if each and not any(other.startswith(f"{each}/") for other in there)}
    return faults + [f"in the sdist, and in no commit: {each}" for each in sorted(packed - allowed)]


def git(*arguments: str) -> str:
    """What git says of the checkout."""
    return subprocess.run(["git", "-C", str(ROOT), *arguments], check=True, capture_output=True, text=True).stdout


if __name__ == "__main__":
    main()
