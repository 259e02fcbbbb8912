"""The one place that starts git: with plumbing, a named environment, and settings that run nothing of the repository's.

A repository is somebody else's text. Its settings, hooks, filters, drivers, replacements and helpers neither run nor
count: what could name a program is set aside here, and what is left reads objects and lists.
"""

import os
import shutil
import subprocess
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from bigmind.workspace.folder import WorkspaceFault

SECONDS = 20.0
MOST_OUTPUT = 64_000_000
"""Bytes of an answer of git; a larger one is a fault."""
_NOTHING = os.devnull

_OFF = (
    *("core.fsmonitor=false", "core.untrackedCache=false", "core.preloadIndex=false", "core.splitIndex=false"),
    *(f"core.hooksPath={_NOTHING}", f"core.attributesFile={_NOTHING}", f"core.excludesFile={_NOTHING}"),
    *("core.pager=cat", "core.editor=false", "core.sshCommand=false", "core.gitProxy=false", "core.askPass=false"),
    *("core.alternateRefsCommand=false", "core.quotePath=false", "core.useReplaceRefs=false"),
    *("diff.external=", "diff.ignoreSubmodules=all", "diff.renames=false", "status.submoduleSummary=false"),
    *("submodule.recurse=false", "fetch.recurseSubmodules=false", "protocol.allow=never", "credential.helper="),
    *("gc.auto=0", "maintenance.auto=false", "log.showSignature=false", "gpg.program=false", "color.ui=false"),
)
_OUTSIDE = ("PATH", "SYSTEMROOT", "TEMP", "TMP", "TMPDIR")
"""What git is given of the server's own environment."""


@dataclass(frozen=True, slots=True)
class GitPlace:
    """Where git is to look: the repository's own folder, the one that worktrees share, and the working files."""

    git: Path
    common: Path
    root: Path


@cache
def git_program() -> str:
    """Git, by its real path, in BigMind's own search path; empty where there is none."""
    path = os.pathsep.join(
        each for each in os.environ.get("PATH", os.defpath).split(os.pathsep) if Path(each).is_absolute()
    )
    found = shutil.which("git", path=path)
    return str(Path(found).absolute()) if found else ""


def environment(given: Mapping[str, str] = os.environ) -> dict[str, str]:
    """The environment of git: named, and without any of git's own variables that somebody else set."""
    kept = {name: value for name, value in given.items() if name.upper() in _OUTSIDE}
    return kept | {
        "LC_ALL": "C.UTF-8",
        "HOME": _NOTHING,
        "XDG_CONFIG_HOME": _NOTHING,
        "GIT_CONFIG_NOSYSTEM": "1",
        "GIT_CONFIG_SYSTEM": _NOTHING,
        "GIT_CONFIG_GLOBAL": _NOTHING,
        "GIT_ATTR_NOSYSTEM": "1",
        "GIT_NO_REPLACE_OBJECTS": "1",
        "GIT_GRAFT_FILE": _NOTHING,
        "GIT_NO_LAZY_FETCH": "1",
        "GIT_OPTIONAL_LOCKS": "0",
        "GIT_TERMINAL_PROMPT": "0",
        "GIT_ASKPASS": "false",
        "SSH_ASKPASS": "false",
        "GIT_SSH_COMMAND": "false",
        "GIT_PROTOCOL_FROM_USER": "0",
        "GIT_ALLOW_PROTOCOL": "none",
        "GIT_PAGER": "cat",
        "GIT_EDITOR": "false",
        "GIT_FLUSH": "1",
        "GIT_DISCOVERY_ACROSS_FILESYSTEM": "0",
    }


def git(place: GitPlace, *arguments: str, given: bytes = b"", allowed: Sequence[int] = (0,)) -> bytes:
    """What git answers.

    Args:
        place: where it looks.
        arguments: a plumbing command and its arguments.
        given: its standard input.
        allowed: the exit codes that are no fault.

    Raises:
        WorkspaceFault: when git is missing, says so, takes too long, or says too much.
    """
    program = git_program()
    if not program:
        raise WorkspaceFault("There is no git on this machine.", "missing")
    settings = [part for each in (*_OFF, f"safe.directory={place.root}") for part in ("-c", each)]
    where = [f"--git-dir={place.git}", f"--work-tree={place.root}"]
    command = [program, "--no-pager", "--no-replace-objects", *where, *settings, *arguments]
    try:
        done = subprocess.run(
            command,
            input=given,
            capture_output=True,
            cwd=place.root,
            env=environment(),
            timeout=SECONDS,
            check=False,
        )
    except subprocess.TimeoutExpired:
        raise WorkspaceFault(f"Git took longer than {SECONDS:.0f} seconds.") from None
    except OSError as error:
        raise WorkspaceFault(f"Git could not be started: {error.strerror}.") from None
    if done.returncode not in allowed:
        told = done.stderr.decode("utf-8", "replace").strip().splitlines()
        raise WorkspaceFault(f"Git could not be asked: {(told or ['no reason given'])[0][:200]}")
    if len(done.stdout) > MOST_OUTPUT:
        raise WorkspaceFault("The repository is too large to be looked through.", "too_large")
    return done.stdout
