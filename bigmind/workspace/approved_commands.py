"""Approved commands: run without a shell, in a named environment, for a limited time, and ended whole."""

import os
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from bigmind.workspace.folder import Folder, WorkspaceFault
from bigmind.workspace.process_tree import ProcessTree, started

FIRST, LAST = 16_000, 48_000
"""Bytes of an output that are kept of its beginning and of its end."""
TICK_SECONDS = 0.05
LARGEST_DEFINITION = 4_000_000
NOT_FOUND, CHANGED, TIMED_OUT, CANCELLED = "not_found", "changed_program", "timed_out", "cancelled"
_NAMES = (
    *("PATH", "HOME", "USER", "LOGNAME", "SHELL", "TERM", "TZ", "LANG", "LANGUAGE", "TMPDIR", "TEMP", "TMP"),
    *("SYSTEMROOT", "SYSTEMDRIVE", "WINDIR", "COMSPEC", "PATHEXT", "NUMBER_OF_PROCESSORS", "PROCESSOR_ARCHITECTURE"),
    *("USERPROFILE", "APPDATA", "LOCALAPPDATA", "PROGRAMDATA", "PROGRAMFILES", "PROGRAMFILES(X86)"),
)
"""What a command gets of the environment; and the language, by its beginning."""


@dataclass(frozen=True, slots=True)
class ApprovedCommand:
    """A command as a person approved it.

    Attributes:
        name: of the check.
        arguments: the whole command, exactly; the first is the program as it was written.
        program: the path that is run.
        is_workspaces: whether it lies in the workspace.
        defined_by: the SHA-256 of each file that says what it checks, as it was then; empty where it was not there.
    """

    name: str
    arguments: tuple[str, ...]
    program: Path
    is_workspaces: bool = False
    defined_by: Mapping[str, str] = field(default_factory=dict[str, str], hash=False)


@dataclass(frozen=True, slots=True)
class CommandResult:
    """How a command ended.

    Attributes:
        exit_code: None where it did not end by itself; `fault` says why: `not_found`, `changed_program`, `timed_out`,
            `cancelled`, or what the system said.
        output: what it printed, both streams as they came: the beginning and the end of it.
        is_cut: whether something between was left out.
    """

    exit_code: int | None
    output: str
    is_cut: bool
    seconds: float
    fault: str = ""


def definition_digests(paths: Mapping[str, str] | tuple[str, ...], root: Path) -> dict[str, str]:
    """The SHA-256 of files that define a check; empty for one that is not there."""
    folder = Folder(root)
    return {path: _digest(folder, path) for path in paths}


def changed_definitions(command: ApprovedCommand, root: Path) -> list[str]:
    """The files that define a check and are no longer what they were when it was approved."""
    now = definition_digests(tuple(command.defined_by), root)
    return sorted(path for path, digest in command.defined_by.items() if now[path] != digest)


def _digest(folder: Folder, path: str) -> str:
    try:
        return folder.read(path, LARGEST_DEFINITION).digest
    except WorkspaceFault:
        return ""


def command_environment(given: Mapping[str, str] = os.environ) -> dict[str, str]:
    """What a command gets of an environment: what has a name here; no token, no setting of BigMind's, no loader's."""
    return {name: value for name, value in given.items() if name.upper() in _NAMES or name.upper().startswith("LC_")}


def run_command(
    command: ApprovedCommand,
    root: Path,
    seconds: float,
    *,
    is_cancelled: Callable[[], bool] = lambda: False,
    environment: Mapping[str, str] | None = None,
) -> CommandResult:
    """Run an approved command in a workspace.

    Args:
        command: as it was approved.
        root: the workspace, where it runs.
        seconds: after which it is ended, with all that it started.
        is_cancelled: asked twenty times a second.
        environment: all that it gets; None: `command_environment`.
    """
    if fault := _program_fault(command):
        return CommandResult(None, "", False, 0.0, fault)
    begun, output = time.monotonic(), _Output()
    given = command_environment() if environment is None else environment
    try:
        process = started([str(command.program), *command.arguments[1:]], root, given)
    except (OSError, ValueError) as error:
        told = error.strerror if isinstance(error, OSError) and error.strerror else type(error).__name__
        return CommandResult(None, "", False, 0.0, f"it could not be started: {told}")
    with process as tree:
        reader = threading.Thread(target=output.read, args=(tree.output,), daemon=True)
        reader.start()
        fault = _wait(tree, begun + seconds, is_cancelled)
        tree.end()
        reader.join(1.0)  # a grandchild may hold the pipe open all the same
    code = tree.exit_code if not fault else None
    return CommandResult(code, output.text, output.is_cut, time.monotonic() - begun, fault)


def _program_fault(command: ApprovedCommand) -> str:
    if not command.program.is_file():
        return NOT_FOUND
    return "" if os.access(command.program, os.X_OK) else CHANGED


def _wait(tree: ProcessTree, deadline: float, is_cancelled: Callable[[], bool]) -> str:
    while True:
        if tree.wait(TICK_SECONDS):
            return ""
        if is_cancelled():
            return CANCELLED
        if time.monotonic() >= deadline:
            return TIMED_OUT


class _Output:
    """What a command prints: the beginning and the end of it, however much there is."""

    def __init__(self) -> None:
        self._first = bytearray()
        self._last = bytearray()
        self._left_out = 0

    def read(self, stream: Iterator[bytes]) -> None:
        for piece in stream:
            room = FIRST - len(self._first)
            self._first += piece[: max(room, 0)]
            self._last += piece[max(room, 0) :]
            if (much := len(self._last) - LAST) > LAST:
                self._left_out += much
                del self._last[:much]

    @property
    def is_cut(self) -> bool:
        return self._left_out > 0 or len(self._last) > LAST

    @property
    def text(self) -> str:
        last = bytes(self._last[-LAST:])
        left_out = self._left_out + max(0, len(self._last) - LAST)
        middle = f"\n… {left_out:,} bytes are left out here …\n".encode() if left_out else b""
        return (
            (bytes(self._first) + middle + last).decode("utf-8", "replace").replace("\0", "\N{REPLACEMENT CHARACTER}")
        )
