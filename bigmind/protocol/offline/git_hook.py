"""The pre-commit hook and the workflow that call the check: written into a workspace, and taken out byte for byte."""

from pathlib import Path

from bigmind.core.errors import BigMindError, Code
from bigmind.disk import open_files
from bigmind.workspace.folder import Folder, WorkspaceFault
from bigmind.workspace.repository import Repository

HOOK = "pre-commit"
KEPT = "pre-commit.before-bigmind"
"""The hook that was there; ours runs it first, and it goes back when ours is removed."""
WORKFLOW = Path(".github/workflows/bigmind-protocol.yml")

SCRIPT = """#!/bin/sh
# Written by `bigmind protocol install-hook`; `bigmind protocol remove-hook` puts back what was here.
before="$(dirname "$0")/pre-commit.before-bigmind"
if [ -x "$before" ]; then "$before" "$@" || exit $?; fi
if command -v bigmind >/dev/null 2>&1; then exec bigmind protocol check --before-commit; fi
echo "bigmind is not in the search path: this commit was not held to the session protocol." >&2
"""
FOLDER_IS_OURS = "# Its folder was made for it, and goes with it when nothing else is in there.\n"
"""Ends the script where there was no folder of hooks: who removes it knows no other way who made that."""
SCRIPTS = SCRIPT.encode(), (SCRIPT + FOLDER_IS_OURS).encode()
STEPS = """# Written by `bigmind protocol install-hook --workflow`; `remove-hook --workflow` takes it out.
name: Session protocol
on: [push, pull_request]
jobs:
  protocol:
    runs-on: ubuntu-latest
    steps:
      - uses: actions/checkout@v4
        with: {fetch-depth: 0}
      - uses: actions/setup-python@v5
        with: {python-version: "3.13"}
      - run: pip install bigmind
      - run: bigmind protocol check --no-note
"""


def install(root: Path, *, workflow: bool = False) -> Path:
    """Write the hook, or the workflow; what is there already is kept. Returns its path.

    Raises:
        BigMindError: `conflict`, when it is installed, or a file of that name is not ours; `not_found` without git.
    """
    return _write_workflow(root) if workflow else _write_hook(_hooks(root))


def remove(root: Path, *, workflow: bool = False) -> Path:
    """Take it out: what was there before is there again, byte for byte; a folder made for it is gone. Returns its path.

    Raises:
        BigMindError: `conflict`, when it is not installed, or was changed by hand since; `not_found` without git.
    """
    file = root / WORKFLOW if workflow else _hooks(root) / HOOK
    ours = (STEPS.encode(),) if workflow else SCRIPTS
    if not file.is_file() or file.is_symlink():
        raise BigMindError(Code.CONFLICT, f"{file} is not installed.", "There is nothing to remove.")
    written = _as_written(file)
    if written not in ours:
        raise BigMindError(Code.CONFLICT, f"{file} was changed by hand.", "Remove BigMind's lines from it by hand.")
    kept = file.with_name(KEPT)
    if not workflow and kept.exists():
        open_files.replace(kept, file)
        return file
    open_files.remove(file)
    if workflow or written.endswith(FOLDER_IS_OURS.encode()):
        _remove_empty(root, file.parent)
    return file


def _write_hook(hooks: Path) -> Path:
    file, kept = hooks / HOOK, hooks / KEPT
    if file.is_file() and _as_written(file) in SCRIPTS:
        raise BigMindError(Code.CONFLICT, f"{file} is installed already.", "There is nothing to do.")
    is_made = not hooks.exists()
    hooks.mkdir(parents=True, exist_ok=True)
    if file.exists() or file.is_symlink():
        if kept.exists() or kept.is_symlink():
            raise BigMindError(Code.CONFLICT, f"{kept} is there, of an earlier install.", "Put it back first.")
        open_files.rename(file, kept)
    try:
        _write(file, (SCRIPT + FOLDER_IS_OURS * is_made).encode())
        file.chmod(0o755)
    except OSError:
        if kept.exists():
            open_files.replace(kept, file)
        raise
    return file


def _write_workflow(root: Path) -> Path:
    file = root / WORKFLOW
    if file.exists() or file.is_symlink():
        is_ours = file.is_file() and _as_written(file) == STEPS.encode()
        told = "is installed already" if is_ours else "is there, and is not BigMind's"
        raise BigMindError(Code.CONFLICT, f"{file} {told}.", "Nothing was written.")
    file.parent.mkdir(parents=True, exist_ok=True)
    _write(file, STEPS.encode())
    return file


def _write(file: Path, data: bytes) -> None:
    """Write a new file: a link that somebody who shares the folder puts there meanwhile is not followed."""
    with file.open("xb") as written:
        written.write(data)


def _as_written(file: Path) -> bytes:
    """What was written to a file: git of Windows gives what is checked out the line ends of that system."""
    return file.read_bytes().replace(b"\r\n", b"\n")


def _remove_empty(root: Path, folder: Path) -> None:
    """Remove the folders that the workflow or the hook needed and nobody else uses."""
    while folder != root and folder.is_dir() and not any(folder.iterdir()):
        folder.rmdir()
        folder = folder.parent


def _hooks(root: Path) -> Path:
    """The folder of the hooks that git runs for a workspace."""
    try:
        repository = Repository.of(Folder(root))
        if repository is None:
            raise BigMindError(Code.NOT_FOUND, f"There is no git repository at the top of {root}.", "Run `git init`.")
        return repository.hooks()
    except WorkspaceFault as fault:
        raise BigMindError(
            Code.NOT_FOUND, f"{root} cannot be looked at: {fault}", "Run it at the top of a git repository."
        ) from None
