"""Asks the index whether every pin has a wheel for each system that bundles are built on, and prints a table.

Usage: python packaging/wheels.py [--python 3.13], with uv beside it (`pip install uv`). A pin whose marker leaves a
system out is not wanted there. Ends with 1 when a wheel is missing that EXPECTED does not name.
"""

import argparse
import os
import re
import shutil
import subprocess
import sys
from dataclasses import dataclass, field
from pathlib import Path

from packaging.requirements import Requirement

REQUIREMENTS = Path(__file__).parent / "requirements"
PIN = re.compile(r"(?m)^([A-Za-z0-9][^\s\\]*==[^\\\n]+?) *\\?$")
LACKING = re.compile(r"Because ([\w.-]+)==\S+ has no ")
"""What uv says of a pin that it cannot install."""
MACOS = "14.0"
"""As LSMinimumSystemVersion of the bundle says."""
SYSTEMS = {
    "win_amd64": (
        "x86_64-pc-windows-msvc",
        {"sys_platform": "win32", "platform_machine": "AMD64", "os_name": "nt", "platform_system": "Windows"},
    ),
    "macosx arm64": (
        "aarch64-apple-darwin",
        {"sys_platform": "darwin", "platform_machine": "arm64", "os_name": "posix", "platform_system": "Darwin"},
    ),
    "macosx x86_64": (
        "x86_64-apple-darwin",
        {"sys_platform": "darwin", "platform_machine": "x86_64", "os_name": "posix", "platform_system": "Darwin"},
    ),
}
EXPECTED = {
    # Pure Python without a wheel: the release builds one, which takes no compiler.
    "win_amd64": {"proxy-tools"},
    "macosx arm64": {"proxy-tools"},
    # Their makers have none for Intel's Macs any more: no bundle is built for those.
    "macosx x86_64": {"proxy-tools", "onnxruntime", "cryptography"},
}


@dataclass
class Found:
    """What the index has for one system."""

    wanted: int = 0
    unwanted: int = 0
    missing: list[str] = field(default_factory=list)


def main() -> None:
    """Print the table."""
    given = argparse.ArgumentParser(description=__doc__)
    given.add_argument("--python", default="3.13")
    version = given.parse_args().python
    rows, surprises = [], []
    for name, (platform, markers) in SYSTEMS.items():
        found = look(platform, {**markers, "python_version": version, "python_full_version": f"{version}.0"})
        missing = ", ".join(found.missing) or "none"
        rows.append(f"| {name} | {found.wanted} | {found.unwanted} | {missing} |")
        names = {each.partition("==")[0] for each in found.missing}
        surprises += [f"{name}: {each}" for each in sorted(names - EXPECTED[name])]
    print(
        f"| Python {version} on | pins wanted | not wanted | without a wheel |",
        "| --- | --- | --- | --- |",
        *rows,
        sep="\n",
    )
    if surprises:
        sys.exit(f"No wheel, and not expected: {'; '.join(surprises)}")


def look(platform: str, markers: dict[str, str]) -> Found:
    """Ask for every pin of one system, once more without each that has no wheel."""
    found = Found()
    wanted: dict[str, str] = {}
    for pin in sorted({pin for name in ("runtime", "desktop") for pin in pins(name)}):
        asked = Requirement(pin)
        if asked.marker is None or asked.marker.evaluate(markers):
            wanted[asked.name.lower()] = f"{asked.name}{asked.specifier}"
        else:
            found.unwanted += 1
    found.wanted = len(wanted)
    while lacking := without_wheel("\n".join(wanted.values()), platform, markers["python_version"]):
        found.missing.append(wanted.pop(lacking))
    return found


def pins(name: str) -> list[str]:
    """The pins of one requirement file, with their markers."""
    return PIN.findall((REQUIREMENTS / f"{name}.txt").read_text(encoding="utf-8"))


def without_wheel(wanted: str, platform: str, version: str) -> str:
    """The first of these pins that uv could not install there without building; empty when it could install all."""
    uv = shutil.which("uv", path=str(Path(sys.executable).parent)) or "uv"
    command = [uv, "pip", "compile", "-", "--quiet", "--no-deps", "--only-binary", ":all:", "--no-header"]
    done = subprocess.run(
        [*command, "--python-platform", platform, "--python-version", version],
        input=wanted,
        env={**os.environ, "MACOSX_DEPLOYMENT_TARGET": MACOS},
        text=True,
        capture_output=True,
        check=False,
    )
    if done.returncode == 0:
        return ""
    named = LACKING.search(" ".join(done.stderr.split()))
    if named is None:
        sys.exit(done.stderr)
    return named[1].lower()


if __name__ == "__main__":
    main()
