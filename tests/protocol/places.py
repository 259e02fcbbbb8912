"""Workspaces on disk, with real files and a real git."""

import hashlib
import os
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

from bigmind.protocol.document.built_in import template_text

HANDOFF = "docs/HANDOFF.md"
SKILLS = ".bigmind/skills"
PASSES, FAILS, TOUCHES, HAS_REFUNDS = (
    ("cmd /c exit 0", "cmd /c exit 1", "cmd /c copy nul ran.txt", r"cmd /c if not exist src\refunds.py exit 1")
    if sys.platform == "win32"
    else ("true", "false", "touch ran.txt", "test -f src/refunds.py")
)
"""Commands of checks that every machine of the system has."""


@dataclass
class Place:
    """A workspace on disk."""

    root: Path

    def git(self, *arguments: str) -> str:
        """Run the real git, as whoever works there does."""
        done = subprocess.run(
            ["git", "-c", "user.name=Ada", "-c", "user.email=ada@example.org", *arguments],
            cwd=self.root,
            check=True,
            capture_output=True,
            text=True,
            env={**os.environ, "GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_NOSYSTEM": "1"},
        )
        return done.stdout.strip()

    def write(self, path: str, text: str) -> Path:
        """Write a file, with the folders that it needs."""
        file = self.root / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, encoding="utf-8")
        return file

    def commit(self, message: str = "Work") -> str:
        """Commit all there is; the commit's id."""
        self.git("add", "-A")
        self.git("commit", "-q", "-m", message)
        return self.git("rev-parse", "HEAD")

    def digest(self, path: str) -> str:
        """The SHA-256 of a file."""
        return hashlib.sha256((self.root / path).read_bytes()).hexdigest()

    def log(self, name: str, start: str, words: str = "Rounding is done, and tested.") -> None:
        """Write a complete session log of a run."""
        lines = [f"{line}\n\n{words}" if line.startswith("## ") else line for line in template_text().splitlines()]
        self.write(f"docs/sessions/{name}.md", f"Run: {name}\nStarting commit: {start}\n" + "\n".join(lines) + "\n")


def new_place(root: Path, *, with_git: bool = True) -> Place:
    """A workspace with a handoff document, a note, some code, and one commit."""
    root.mkdir(parents=True)
    place = Place(root.resolve())
    place.write(HANDOFF, "# Handoff\n\nRefunds are rounded by hand.\n")
    place.write(f"{SKILLS}/style.md", "# Style\n\nWrite short functions.\n")
    place.write("src/refunds.py", "def refund(cents):\n    return cents\n")
    if with_git:
        place.git("init", "-q", "-b", "main")
        place.commit("Begin")
    return place
