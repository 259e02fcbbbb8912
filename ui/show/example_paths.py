"""Paths as a person of this system writes them, for what a page gives as an example."""

import os


def in_home(path: str, system: str = os.name) -> str:
    """One in somebody's home, for a field: on Windows it begins with a drive."""
    return "\\".join((r"C:\Users\you", *path.split("/"))) if system == "nt" else f"~/{path}"


def in_own_home(path: str, system: str = os.name) -> str:
    """One in the reader's own home, which a command takes as it stands: BigMind reads `~` itself."""
    return "\\".join(("~", *path.split("/"))) if system == "nt" else f"~/{path}"


def on_a_drive(name: str, system: str = os.name) -> str:
    """One on a drive that is plugged in."""
    return f"E:\\{name}" if system == "nt" else f"/media/drive/{name}"
