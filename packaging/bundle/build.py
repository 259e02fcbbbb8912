"""Builds a bundle of this system: `build/bundle-venv/bin/python packaging/bundle/build.py window|server`.

The bundle is `dist/<kind>/bigmind`: what contents.toml names, made smaller where nothing is lost, with the licences of
all that is in it and a bill of materials. A table says what takes the space. `make bundle` runs it, and makes packages
of it.
"""

import json
import os
import shutil
import subprocess
import sys
import zipfile
from importlib.util import find_spec
from pathlib import Path

from contents import KINDS, stripped
from materials import BILL, write_materials
from sizes import table

ROOT = Path(__file__).resolve().parents[2]
SPEC = Path(__file__).with_name("bundle.spec")


def main() -> None:
    """Build the kinds that are named; both, when none is."""
    for kind in sys.argv[1:] or KINDS:
        if kind not in KINDS:
            sys.exit(__doc__)
        build(kind)


def build(kind: str) -> Path:
    """Build one, and say how large it is. Returns its folder."""
    work, target = ROOT / "build" / "bundle" / kind, ROOT / "dist" / kind
    for folder in (work, target):
        shutil.rmtree(folder, ignore_errors=True)
    stage(work / "stage")
    set_multipart_apart(work / "first")
    run_pyinstaller(kind, work, target)
    bundle = target / "bigmind"
    if sys.platform.startswith("linux"):
        strip(bundle / "lib")
        (bundle / "bigmind-app").symlink_to("bigmind")
        if (resources := bundle / "lib/PySide6/Qt/resources").is_dir():
            # The browser engine makes this folder where there is none: all that it would write into a bundle.
            (resources / "locales").mkdir(exist_ok=True)
    try_start(bundle)
    write_materials(json.loads((work / "origins.json").read_text()), work / "stage", bundle)
    shutil.copyfile(bundle / BILL, ROOT / "dist" / f"bigmind-{kind}-{sys.platform}.cdx.json")
    told = table(bundle)
    (ROOT / "dist" / f"sizes-{kind}.md").write_text(told)
    print(told)
    return bundle


def stage(folder: Path) -> None:
    """Lay out what the wheel holds: nothing of a checkout that is no part of BigMind can get in."""
    wheels = folder.with_name("wheel")
    subprocess.run([sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(wheels)], cwd=ROOT, check=True)
    [wheel] = wheels.glob("*.whl")
    with zipfile.ZipFile(wheel) as opened:
        opened.extractall(folder)
    [assets] = folder.glob("*.data/data/share/bigmind")
    assets.rename(folder / "assets")


def set_multipart_apart(folder: Path) -> None:
    """Litestar's module `multipart.py` and the package `multipart` of another project have one name."""
    spec = find_spec("multipart")
    sought = [
        Path(place).parent / "multipart.py" for place in (spec.submodule_search_locations if spec else None) or ()
    ]
    folder.mkdir(parents=True)
    for each in sought:
        shutil.copy(each, folder)


def run_pyinstaller(kind: str, work: Path, target: Path) -> None:
    """Run it; its own words only when it fails."""
    options = ["--noconfirm", "--log-level", "WARN", "--workpath", str(work / "pyinstaller"), "--distpath", str(target)]
    around = {
        **os.environ,
        "BIGMIND_BUNDLE": kind,
        "BIGMIND_BUNDLE_WORK": str(work),
        "PYTHONPATH": os.pathsep.join([str(work / "first"), str(work / "stage")]),
        "SOURCE_DATE_EPOCH": os.environ.get("SOURCE_DATE_EPOCH", "1767225600"),  # the same bytes for the same sources
        "PYTHONHASHSEED": "1",
    }
    command = [sys.executable, "-m", "PyInstaller", *options, str(SPEC)]
    done = subprocess.run(command, env=around, check=False, text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    if done.returncode:
        sys.exit(f"PyInstaller could not build the bundle:\n{done.stdout}")


def strip(libraries: Path) -> None:
    """Take out what debuggers read, where the description says that nothing else is lost by it."""
    for path in libraries.rglob("*"):
        if path.is_file() and not path.is_symlink() and ".so" in path.name:
            options = stripped(path.relative_to(libraries).as_posix())
            if options:
                subprocess.run(["strip", *options, str(path)], check=True)


def try_start(bundle: Path) -> None:
    """Start its program: one that cannot load a part of itself is not made into packages."""
    program = bundle / ("bigmind.exe" if os.name == "nt" else "bigmind")
    done = subprocess.run(
        [str(program), "version"], check=False, text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT
    )
    if done.returncode:
        sys.exit(f"The bundle does not start:\n{done.stdout}")


if __name__ == "__main__":
    main()
