"""Start at login on Windows: a value of the person's Run key, and what the task manager wrote beside it.

A value is a command line and nothing else: the program gets the variables of the person's account, not those of the
shell that enabled it.
"""

import os
import subprocess
from collections.abc import Mapping
from importlib import import_module
from typing import Any

from app.desktop.start_at_login.entry import Entry, cannot
from bigmind.core.errors import BigMindError, Code

RUN = r"Software\Microsoft\Windows\CurrentVersion\Run"
APPROVED = r"Software\Microsoft\Windows\CurrentVersion\Explorer\StartupApproved\Run"
ACCOUNT = "Environment"
NAME = "BigMind"


class RunKey:
    """Our value of the Run key.

    Args:
        registry: `winreg`, or what behaves like it.
    """

    def __init__(self, registry: Any = None) -> None:
        self._registry = registry or import_module("winreg")

    def enabled(self) -> bool:
        """Whether it would be started; the task manager turns a value off by an odd first byte elsewhere."""
        approved = self._read(APPROVED)
        is_off = isinstance(approved, bytes) and approved[:1] != b"" and approved[0] % 2 == 1
        return self.program() is not None and not is_off

    def enable(self, entry: Entry) -> None:
        """Write the value.

        Raises:
            BigMindError: `unavailable`, when the system does not let us, or would start it with other variables.
        """
        self._permit(entry.environment)
        try:
            with self._registry.CreateKeyEx(
                self._registry.HKEY_CURRENT_USER, RUN, 0, self._registry.KEY_SET_VALUE
            ) as key:
                line = subprocess.list2cmdline(entry.command)
                self._registry.SetValueEx(key, NAME, 0, self._registry.REG_SZ, line)
            self._remove(APPROVED)
        except OSError as error:
            raise cannot("set", RUN, error) from error

    def disable(self) -> None:
        """Remove the value, and what the task manager wrote of it."""
        try:
            self._remove(RUN)
            self._remove(APPROVED)
        except OSError as error:
            raise cannot("ended", RUN, error) from error

    def program(self) -> str | None:
        """The program that would be started."""
        line = self._read(RUN)
        if not isinstance(line, str) or not line.strip():
            return None
        # A path holds no quote, so that the first two, if any, are around it.
        return line.split('"')[1] if line.startswith('"') else line.split()[0]

    def _permit(self, environment: Mapping[str, str]) -> None:
        """Refuse variables that the person's account does not set: at login another memory would be opened."""
        for name, value in environment.items():
            if os.path.expandvars(str(self._read(ACCOUNT, name))) != value:
                raise BigMindError(
                    Code.UNAVAILABLE,
                    f"BigMind cannot start at login with {name}, which is set for this program alone.",
                    f"Set {name} to {value} for your account, by setx or in Windows' settings; then restart BigMind.",
                )

    def _read(self, place: str, name: str = NAME) -> object:
        try:
            with self._registry.OpenKey(self._registry.HKEY_CURRENT_USER, place) as key:
                return self._registry.QueryValueEx(key, name)[0]
        except FileNotFoundError:
            return None

    def _remove(self, place: str) -> None:
        registry = self._registry
        try:
            with registry.OpenKey(registry.HKEY_CURRENT_USER, place, 0, registry.KEY_SET_VALUE) as key:
                registry.DeleteValue(key, NAME)
        except FileNotFoundError:
            return
