"""Installs the npm tools that judge BigMind (tests/node/package.json), with the npm that comes with `.venv`.

Usage: python3 packaging/node_tools.py
Does nothing when they are there already. The lock file pins every package by its hash and names no registry, so
npm's own configuration decides where they come from. Needs no Node and no npm of the system.
"""

import hashlib
import os
import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
TOOLS = ROOT / "tests" / "node"
STAMP = TOOLS / "node_modules" / ".ready"
BIN = ROOT / ".venv" / ("Scripts" if os.name == "nt" else "bin")
QUIETLY = ["--no-audit", "--no-fund", "--no-update-notifier", "--loglevel=error"]


def main() -> None:
    """Install what the lock file names; exits with npm's own words when it cannot."""
    wanted = fingerprint([TOOLS / "package.json", TOOLS / "package-lock.json"])
    if STAMP.is_file() and STAMP.read_text() == wanted:
        return
    print("Installing the npm tools that judge BigMind (once; a minute or so) …", file=sys.stderr, flush=True)
    # No scripts: nothing of theirs needs building, and an install should not run what it has just fetched.
    npm("ci", "--ignore-scripts", "--omit-lockfile-registry-resolved", *QUIETLY)
    STAMP.parent.mkdir(exist_ok=True)
    STAMP.write_text(wanted)


def npm(*arguments: str) -> None:
    """Run the environment's npm in the tools' folder; its own words go to standard error only when it fails."""
    command = shutil.which("npm", path=str(BIN))
    if command is None:
        sys.exit(f"There is no npm in {BIN}. `{Path(sys.executable).name} packaging/environment.py test` installs it.")
    # npm starts `node` by name, and the system's may be too old or missing.
    path = os.pathsep.join([str(BIN), os.environ.get("PATH", os.defpath)])
    done = subprocess.run(
        [command, *arguments],
        cwd=TOOLS,
        env={**os.environ, "PATH": path},
        check=False,
        text=True,
        encoding="utf-8",
        errors="replace",
        capture_output=True,
    )
    if done.returncode:
        sys.exit(f"npm could not install the tools of {TOOLS}:\n{done.stderr or done.stdout}")


def fingerprint(files: list[Path]) -> str:
    """A SHA-256 over the files, so that a change of either installs again; empty for a file that is not there."""
    digest = hashlib.sha256()
    for file in files:
        digest.update(file.read_bytes() if file.is_file() else b"")
    return digest.hexdigest()


if __name__ == "__main__":
    main()
