"""A process with all that it starts, ended as one: which way that is done on which system is chosen here."""

import sys
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Protocol

from bigmind.workspace.guarded_tree import GuardedTree
from bigmind.workspace.job_tree import JobTree


class ProcessTree(Protocol):
    """A running command, and what it started.

    Attributes:
        exit_code: how the command itself ended, negative where a signal ended it; None while it runs.
        fault: why the ending of it is not sure; empty where nothing is known against it.
    """

    exit_code: int | None
    fault: str

    def wait(self, seconds: float) -> bool:
        """Whether the command itself has ended within so many seconds."""
        ...

    def end(self) -> None:
        """End all of it, and close what was open for it; may be called again."""
        ...


Tree = Callable[[Sequence[str], Path, Mapping[str, str], Callable[[bytes], None]], ProcessTree]
"""Starts one: the whole command (program's path first), the folder, its whole environment, who takes its output."""


def tree_of(system: str = sys.platform) -> Tree:
    """How a command is started and ended on that system (as `sys.platform` says it): by a job, or by a guard."""
    return JobTree if system == "win32" else GuardedTree
