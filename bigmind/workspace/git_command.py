"""The one place that starts git: with plumbing, a named environment, and settings that run nothing of the repository's.

A repository is somebody else's text. Its settings, hooks, filters, drivers, replacements and helpers neither run nor
count: what could name a program is set aside here, and what is left reads objects and lists.
"""

import os
import re
import subprocess
import sys
import tempfile
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from bigmind.local.apart import no_window
from bigmind.workspace.ended_process import way_of
from bigmind.workspace.folder import WorkspaceFault
from bigmind.workspace.program_output import OutputTooLargeError, read_output
from bigmind.workspace.programs import Program, find_program, search_path

SECONDS = 20.0
MOST_OUTPUT = 64_000_000
"""Bytes of an answer of git; a larger one is a fault."""
OLDEST = (2, 30)
_NOTHING = os.devnull
_FOLDS_CASE = "false" if os.name == "posix" and os.uname().sysname != "Darwin" else "true"
"""Whether names that differ in case alone are one name: by the system, not by a setting of the repository."""

_OFF = (
    *("core.fsmonitor=false", "core.useBuiltinFSMonitor=false", "core.untrackedCache=false"),
    *("core.preloadIndex=false", "core.splitIndex=false", "core.commitGraph=false", f"core.ignoreCase={_FOLDS_CASE}"),
    *(f"core.hooksPath={_NOTHING}", f"core.attributesFile={_NOTHING}", f"core.excludesFile={_NOTHING}", "attr.tree="),
    *("core.pager=cat", "core.editor=false", "core.sshCommand=false", "core.gitProxy=false", "core.askPass=false"),
    *("core.alternateRefsCommand=false", "core.longPaths=true", "core.quotePath=false", "core.useReplaceRefs=false"),
    *("diff.external=", "diff.ignoreSubmodules=all", "diff.renames=false", "status.submoduleSummary=false"),
    *("submodule.recurse=false", "fetch.recurseSubmodules=false", "protocol.allow=never", "credential.helper="),
    *("gc.auto=0", "maintenance.auto=false", "log.showSignature=false", "gpg.program=false", "color.ui=false"),
    "i18n.logOutputEncoding=UTF-8",
)
APPLES = Path("/usr/bin/git")
"""On macOS, what starts the git of Apple's tools; where they are missing, it opens a dialog that offers them."""
_APPLES_TOOLS = Path("/Library/Developer/CommandLineTools/usr/bin")
"""Where they lie when nobody put them elsewhere: then nothing has to be asked."""
_TOOLS_MISSING = 2
"""Exit code of `xcode-select -p`, which opens none."""
_OUTSIDE = ("SYSTEMROOT", "TEMP", "TMP", "TMPDIR")
"""What git is given of the server's own environment, beside a search path without the workspace."""


@dataclass(frozen=True, slots=True)
class GitProgram:
    """Git as it is started: its path, and the search path that it is given."""

    path: str
    search: str


@dataclass(frozen=True, slots=True)
class GitPlace:
    """Where git is to look: the repository's own folder, the one that worktrees share, and the working files.

    `program`: what is started; where it is left out, it is looked for at each command.
    """

    git: Path
    common: Path
    root: Path
    program: GitProgram | None = None


def has_apples_tools(asked: Sequence[str] = ("/usr/bin/xcode-select", "-p")) -> bool:
    """Whether the tools are there that Apple's git needs."""
    try:
        done = subprocess.run(asked, capture_output=True, env=environment(""), timeout=SECONDS, check=False)
    except (OSError, subprocess.TimeoutExpired):
        return True
    return done.returncode != _TOOLS_MISSING


def _find(root: Path, given: Mapping[str, str], system: str, has_tools: Callable[[], bool]) -> Program | None:
    """The first git of a search path that is one, and does not only offer one.

    What Python finds is on Windows the current folder's, and may be a script of a shell.
    """
    found = find_program("git", root, given, system)
    if system != "darwin" or found is None or found.path != APPLES or _APPLES_TOOLS.is_dir() or has_tools():
        return found
    others = [each for each in given.get("PATH", "").split(os.pathsep) if Path(each) != APPLES.parent]
    return find_program("git", root, {**given, "PATH": os.pathsep.join(others) or os.devnull}, system)


def git_program(
    root: Path,
    given: Mapping[str, str] = os.environ,
    system: str = sys.platform,
    has_tools: Callable[[], bool] = has_apples_tools,
) -> GitProgram:
    """Git in BigMind's own search path, never one that lies in the workspace.

    Args:
        root: the workspace.
        given: BigMind's environment.
        system: as `sys.platform` says it.
        has_tools: asked on macOS alone, where the git that is found needs them.

    Raises:
        WorkspaceFault: when there is none, or it is too old.
    """
    found = _find(root, given, system, has_tools)
    if found is None or found.is_workspaces:
        hint = " `xcode-select --install` installs Apple's." if system == "darwin" else ""
        raise WorkspaceFault(f"There is no git on this machine.{hint}", "missing")
    version = _version(str(found.path))
    if version < OLDEST:
        told = ".".join(map(str, version)) or "unknown"
        raise WorkspaceFault(f"Git {'.'.join(map(str, OLDEST))} or newer is needed; the one here is {told}.", "missing")
    return GitProgram(str(found.path), os.pathsep.join(map(str, search_path(root, given, system))))


@cache
def _version(program: str) -> tuple[int, ...]:
    try:
        asked = [program, "--version"]
        done = subprocess.run(
            asked,
            executable=program,
            capture_output=True,
            env=environment(""),
            timeout=SECONDS,
            check=False,
            creationflags=no_window(),
        )
    except (OSError, subprocess.TimeoutExpired):
        return ()
    found = re.match(rb"git version (\d+)\.(\d+)", done.stdout)
    return (int(found[1]), int(found[2])) if found else ()


def environment(path: str, given: Mapping[str, str] = os.environ) -> dict[str, str]:
    """The environment of git: named, and without any of git's own variables that somebody else set.

    Args:
        path: the search path.
        given: the server's own.
    """
    kept = {name: value for name, value in given.items() if name.upper() in _OUTSIDE}
    return kept | {
        "PATH": path,
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
    settings = [part for each in (*_OFF, f"safe.directory={place.root}") for part in ("-c", each)]
    where = [f"--git-dir={place.git}", f"--work-tree={place.root}"]
    program = place.program or git_program(place.root)
    command = [program.path, "--no-pager", "--no-replace-objects", *where, *settings, *arguments]
    try:
        code, told, words = _run(command, place.root, environment(program.search), given)
    except OSError as error:
        raise WorkspaceFault(f"Git could not be started: {error.strerror}.") from None
    except RuntimeError as error:  # no thread to read it
        raise WorkspaceFault(f"Git could not be read: {error}.") from None
    if code not in allowed:
        lines = words.decode("utf-8", "replace").strip().splitlines()
        raise WorkspaceFault(f"Git could not be asked: {plain((lines or ['no reason given'])[0])}")
    return told


def plain(told: str, most: int = 200) -> str:
    """A text of a repository as people and programs may be shown it: one line, only what can be printed."""
    whole = "".join(each if each.isprintable() else "\N{REPLACEMENT CHARACTER}" for each in told[: most + 1])
    return whole if len(whole) <= most else f"{whole[: most - 1]}…"


def _run(command: Sequence[str], root: Path, environs: Mapping[str, str], given: bytes) -> tuple[int, bytes, bytes]:
    """A program's exit code, its answer and the beginning of its complaints."""
    with tempfile.TemporaryFile() as asked:
        asked.write(given)
        asked.seek(0)
        with way_of()(command, root, environs, asked) as process:
            try:
                answer, words, code = read_output(process, MOST_OUTPUT, SECONDS)
            except OutputTooLargeError:
                raise WorkspaceFault("The repository is too large to be looked through.", "too_large") from None
    if code is None:
        raise WorkspaceFault(f"Git took longer than {SECONDS:.0f} seconds.")
    return code, answer, words
