"""A workspace on disk, with the git that whoever works there uses."""

import os
import shutil
import subprocess
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import pytest

from bigmind.workspace.folder import Folder
from bigmind.workspace.repository import Repository

posix = pytest.mark.skipif(sys.platform == "win32", reason="links, pipes and devices of a POSIX system")
IDENTITY = {
    **{f"GIT_{who}_{what}": text for who in ("AUTHOR", "COMMITTER") for what, text in (("NAME", "Ada"),)},
    **{f"GIT_{who}_EMAIL": "ada@example.org" for who in ("AUTHOR", "COMMITTER")},
}


def worker_environment(**more: str) -> dict[str, str]:
    """What an agent's own git runs with: no settings of this machine."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith("GIT_")}
    return kept | IDENTITY | {"GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_NOSYSTEM": "1"} | more


@dataclass
class Yard:
    """A workspace."""

    root: Path

    def git(self, *arguments: str, given: bytes = b"", environment: Mapping[str, str] | None = None) -> str:
        """Run git there, as whoever works there does; what it answers."""
        done = subprocess.run(
            ["git", "-c", "protocol.file.allow=always", *arguments],
            cwd=self.root,
            input=given,
            check=True,
            capture_output=True,
            env=worker_environment() if environment is None else environment,
        )
        return done.stdout.decode("utf-8", "surrogateescape").strip()

    def write(self, path: str, text: str | bytes = "text\n") -> Path:
        """Write a file, with the folders that it needs."""
        file = self.root / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(text.encode() if isinstance(text, str) else text)
        return file

    def commit(self, subject: str = "Work") -> str:
        """Commit all there is; the commit's id."""
        self.git("add", "-A")
        self.git("commit", "-q", "--allow-empty", "-m", subject)
        return self.git("rev-parse", "HEAD")

    @property
    def folder(self) -> Folder:
        return Folder(self.root)

    @property
    def repository(self) -> Repository:
        """A new look at the repository."""
        found = Repository.of(self.folder)
        assert found is not None
        return found


def remove(path: Path) -> None:
    """Remove a file or a folder of a repository: git's objects are read-only, which Windows heeds."""
    for each in (path, *path.rglob("*")):
        if not each.is_symlink():
            each.chmod(0o755)
    shutil.rmtree(path) if path.is_dir() else path.unlink()


def new_yard(root: Path, *asked: str) -> Yard:
    """A workspace with a repository and one commit; `asked` are further arguments of `git init`."""
    root.mkdir(parents=True)
    yard = Yard(root.resolve())
    yard.git("init", "-q", "-b", "main", *asked)
    yard.write("README.md", "# Yard\n")
    yard.write("src/app.py", "print('hello')\n")
    yard.commit("Begin")
    return yard


def is_whole(yard: Yard) -> bool:
    """Whether all is committed, as every part of a look says."""
    repository = yard.repository
    is_clean = repository.cleanliness(repository.hiding()).is_clean
    assert is_clean == (repository.tree().digest == repository.committed_tree().digest)
    return is_clean
