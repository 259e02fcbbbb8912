"""Approved commands: run without a shell, in a named environment, for a limited time, and ended whole."""

import os
import sys
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from bigmind import named_environment
from bigmind.workspace.command_output import CommandOutput
from bigmind.workspace.folder import Folder, WorkspaceFault
from bigmind.workspace.process_tree import ProcessTree, tree_of
from bigmind.workspace.programs import default_path, find_program, is_same_program, search_path

TICK_SECONDS = 0.05
LARGEST_DEFINITION = 4_000_000
NOT_FOUND, CHANGED, TIMED_OUT, CANCELLED = "not_found", "changed_program", "timed_out", "cancelled"
_DIGEST_LENGTH = 64
ONLY_THE_SEARCH_PATH = {"NoDefaultCurrentDirectoryInExePath": "1"}
"""By this Windows does not look for programs in the current folder first, which is the workspace."""


@dataclass(frozen=True, slots=True)
class ApprovedCommand:
    """A command as a person approved it.

    Attributes:
        name: of the check.
        arguments: the whole command, exactly; the first is the program as it was written.
        program: the place that is run.
        leads_to: the real path of it; both as `programs.Program` has them.
        is_workspaces: whether it lies in the workspace.
        defined_by: the SHA-256 of each file that says what it checks, as it was then; empty where it was not there, and
            the reason of a `WorkspaceFault` where it could not be read.
    """

    name: str
    arguments: tuple[str, ...]
    program: Path
    leads_to: Path
    is_workspaces: bool = False
    defined_by: Mapping[str, str] = field(default_factory=dict[str, str], hash=False)


@dataclass(frozen=True, slots=True)
class CommandResult:
    """How a command ended.

    Attributes:
        exit_code: negative where a signal ended it; None where it did not end by itself; `fault` says why:
            `not_found`, `changed_program`, `timed_out`, `cancelled`, or a sentence.
        output: what it printed, both streams as they came: the beginning and the end of it, as `CommandOutput` says it.
            Whoever stores it masks its secrets, and whoever shows it sees to control and bidi characters.
        is_cut: whether something between was left out.
        seconds: that it ran, and took to end.
    """

    exit_code: int | None
    output: str
    is_cut: bool
    seconds: float
    fault: str = ""


def command_for(
    name: str,
    arguments: Sequence[str],
    defined_by: Iterable[str],
    root: Path,
    environment: Mapping[str, str] = os.environ,
) -> ApprovedCommand | None:
    """A command as it is shown for approval; None where its program is not found.

    Args:
        name: of the check.
        arguments: the whole command; the first names the program as `find_program` takes it.
        defined_by: paths in the workspace of the files that say what it checks; a program of the workspace's own is
            one of them, too.
        root: the workspace's real path.
        environment: BigMind's own.
    """
    program = find_program(arguments[0], root, environment) if arguments else None
    if program is None:
        return None
    paths = dict.fromkeys(defined_by)
    if program.leads_to.is_relative_to(root):
        paths[program.leads_to.relative_to(root).as_posix()] = None
    digests = definition_digests(tuple(paths), root)
    return ApprovedCommand(name, tuple(arguments), program.path, program.leads_to, program.is_workspaces, digests)


def definition_digests(paths: Iterable[str], root: Path) -> dict[str, str]:
    """The SHA-256 of files that define a check; empty for one that is not there, else why it cannot be read.

    Raises:
        WorkspaceFault: when the workspace is gone.
    """
    folder = Folder(root)
    return {path: _digest(folder, path) for path in paths}


def changed_definitions(command: ApprovedCommand, root: Path) -> list[str]:
    """The files that define a check and are no longer what they were when it was approved, or cannot be compared.

    Raises:
        WorkspaceFault: when the workspace is gone.
    """
    now = definition_digests(command.defined_by, root)
    return sorted(
        path
        for path, digest in command.defined_by.items()
        if now[path] != digest or len(digest) not in {0, _DIGEST_LENGTH}
    )


def _digest(folder: Folder, path: str) -> str:
    try:
        return folder.read(path, LARGEST_DEFINITION).digest
    except WorkspaceFault as fault:
        return "" if fault.reason == "missing" else fault.reason


def command_environment(
    root: Path, given: Mapping[str, str] = os.environ, system: str = sys.platform
) -> dict[str, str]:
    """What a command in a workspace gets of an environment, the search path as `find_program` searches it."""
    named = named_environment.command_environment(given)
    folders = search_path(root, given)
    others = {name: value for name, value in named.items() if name.upper() != "PATH"}
    path = os.pathsep.join(map(str, folders)) or default_path(system)
    return {**others, "PATH": path, **(ONLY_THE_SEARCH_PATH if system == "win32" else {})}


def run_command(
    command: ApprovedCommand,
    root: Path,
    seconds: float,
    *,
    is_cancelled: Callable[[], bool] = lambda: False,
    environment: Mapping[str, str] | None = None,
) -> CommandResult:
    """Run an approved command in a workspace. Many may run at once, on threads.

    Args:
        command: as it was approved.
        root: the workspace, where it runs.
        seconds: after which it is ended, with all that it started.
        is_cancelled: asked twenty times a second.
        environment: all that it gets; None: `command_environment`.
    """
    if is_cancelled():
        return CommandResult(None, "", False, 0.0, CANCELLED)
    if not is_same_program(command.program, command.leads_to):
        return CommandResult(None, "", False, 0.0, CHANGED)
    output = CommandOutput()
    given = command_environment(root) if environment is None else environment
    try:
        tree = tree_of(sys.platform)([str(command.program), *command.arguments[1:]], root, given, output.take)
    except (OSError, ValueError) as error:
        return CommandResult(None, "", False, 0.0, _refusal(error))
    begun = time.monotonic()
    try:
        fault = _wait(tree, begun + seconds, is_cancelled)
    finally:
        tree.end()
    fault = fault or tree.fault
    code = None if fault else tree.exit_code
    return CommandResult(code, output.text, output.is_cut, time.monotonic() - begun, fault)


def _refusal(error: OSError | ValueError) -> str:
    if isinstance(error, FileNotFoundError | NotADirectoryError):  # what runs it, or the folder, is not there
        return NOT_FOUND
    told = error.strerror if isinstance(error, OSError) and error.strerror else type(error).__name__
    return f"it could not be started: {told}"


def _wait(tree: ProcessTree, deadline: float, is_cancelled: Callable[[], bool]) -> str:
    while True:
        if tree.wait(max(0.0, min(TICK_SECONDS, deadline - time.monotonic()))):
            return ""
        if is_cancelled():
            return CANCELLED
        if time.monotonic() >= deadline:
            return TIMED_OUT
