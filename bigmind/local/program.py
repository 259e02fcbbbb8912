"""The commands that start this program and its parts once more."""

import os
import sys
from pathlib import Path


def server_command() -> list[str]:
    """The command that starts a server in the background."""
    return again("serve", "--background")


def embedder_command() -> list[str]:
    """The command that starts the process that embeds."""
    return again("embedder")


def download_command() -> list[str]:
    """The command that starts the process that downloads a model, whose name follows."""
    return again("embedder", "download")


def again(*arguments: str) -> list[str]:
    """The command that starts this program once more."""
    if getattr(sys, "frozen", False):
        return [sys.executable, *arguments]
    # -P: whatever folder the IDE started us in must not lend us its `app` package.
    return [sys.executable, "-P", "-m", "app", *arguments]


def own_command() -> str:
    """The `bigmind` command of this installation, as an IDE or a terminal can start it from any folder."""
    if getattr(sys, "frozen", False):
        return sys.executable
    script = Path(sys.executable).with_name("bigmind.exe" if os.name == "nt" else "bigmind")
    return str(script) if script.exists() else "bigmind"
