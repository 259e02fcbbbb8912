"""The settings as a running process has them: the file is read again when it changed, and changed through here."""

import logging
import os
import threading
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from bigmind.core.errors import BigMindError, Code
from bigmind.settings.file import change_file, parsed, settings_file, text_of_file
from bigmind.settings.precedence import told_settings
from bigmind.settings.rows import FILE_ROWS, Settings
from bigmind.settings.setting import Applies, Origin, Setting, SettingValue
from bigmind.settings.variables import check_variables, nearest

log = logging.getLogger(__name__)

_ROWS = {row.name: row for row in FILE_ROWS}

Stamp = tuple[int, int, int]


@dataclass(frozen=True, slots=True)
class SettingState:
    """One setting, for a person.

    Attributes:
        row: what it is.
        text: as it was given; empty for the default.
        in_words: what holds, as the file would say it; empty for what has no words.
        origin: where it comes from.
        waits: whether it was changed since the process started, and takes effect only when it starts again.
    """

    row: Setting[Any]
    text: str
    in_words: str
    origin: Origin
    waits: bool


class LiveSettings:
    """The settings of one home in one process. May be used from any thread.

    A file that is broken while the process runs changes nothing: the last settings go on, and `fault` says why.
    """

    def __init__(
        self,
        home: Path,
        environment: Mapping[str, str] = os.environ,
        tools: Callable[[], Collection[str]] = frozenset,
    ) -> None:
        """Read them.

        Args:
            home: whose settings file is read.
            environment: its variables win over the file.
            tools: the names of all tools there are; none where nobody knows.

        Raises:
            BigMindError: `invalid_input` when the environment says what cannot be.
        """
        self._tools = tools
        self.file = settings_file(home)
        self.home = home
        self._environment = {name: value for name, value in environment.items() if name.startswith("BIGMIND_")}
        self._unknown_variables = [f"{name} in the environment" for name in check_variables(self._environment)]
        self._lock = threading.RLock()
        self._stamp: Stamp | None = None
        self._told: dict[str, SettingValue] = {}
        self._at_start: dict[str, SettingValue] = {}
        self._settings: Settings | None = None
        self._unknown: list[str] = []
        self._fault: BigMindError | None = None
        self.now()  # what a change is told against is what held at the start

    def now(self) -> Settings:
        """What holds now; costs a look at the file's date."""
        stamp = _stamp(self.file)
        if self._settings is None or stamp != self._stamp:
            self._read(stamp)
        if self._settings is None:
            raise AssertionError("settings were read")
        return self._settings

    @property
    def fault(self) -> BigMindError | None:
        """What is wrong with the file, when it was broken since the start."""
        self.now()
        return self._fault

    @property
    def unknown(self) -> list[str]:
        """What is set in file or environment and means nothing to this version, settings and tools."""
        self.now()
        return self._unknown

    def stated(self) -> list[SettingState]:
        """Every setting, in the order of the rows."""
        self.now()
        with self._lock:
            return [
                SettingState(row, told.text, told.in_words, told.origin, _waits(row, told, then))
                for row in FILE_ROWS
                for told, then in ((self._told[row.name], self._at_start[row.name]),)
            ]

    def text(self, name: str) -> str:
        """One setting as it was given; empty for the default."""
        self.now()
        return self._told[name].text

    def permit(self, tool: str) -> None:
        """Let an assistant use a tool, unless it is switched off.

        Raises:
            BigMindError: `forbidden`.
        """
        if tool in self.now().tools_off:
            raise BigMindError(
                Code.FORBIDDEN,
                f"{tool} is switched off: a person decided that assistants may not use it.",
                "Do without it. A person can switch it on again in BigMind's Settings, under Tools.",
            )

    def change(self, changes: Mapping[str, str | list[str]]) -> None:
        """Write settings into the file; an empty one goes back to its default.

        Args:
            changes: by the settings' names.

        Raises:
            BigMindError: `invalid_input`, when a value cannot be, or the file is broken; `conflict`, when the
                environment sets one of them; others, when the file cannot be written. Nothing is changed then.
        """
        with self._lock:
            values = {name: self._checked(_ROWS[name], value) for name, value in changes.items()}
            change_file(self.file, values)
            self._read(_stamp(self.file))

    def _checked(self, row: Setting[Any], value: str | list[str]) -> Any:
        """The value as it stands in the file; None for nothing."""
        if row.variable and self._environment.get(row.variable):
            raise BigMindError(
                Code.CONFLICT,
                f"{row.name} is set by {row.variable} in the environment, which wins over the file.",
                f"Change it there, or start BigMind without {row.variable}.",
            )
        text = ",".join(value) if isinstance(value, list) else value.strip()
        row.check(row.name, text)
        if not text:
            return None
        return value if isinstance(value, list) else int(text) if row.is_number else text

    def _read(self, stamp: Stamp | None) -> None:
        with self._lock:
            self._stamp, self._fault = stamp, None
            try:
                text = text_of_file(self.file)
                told = told_settings(self.file, text, self._environment)
                unknown = sorted(parsed(self.file, text).keys() - _ROWS.keys())
                self._unknown = [*map(_suggested, unknown), *self._no_tools(told), *self._unknown_variables]
            except BigMindError as error:
                log.warning("%s The settings stay as they are.", error)
                self._fault = error
                told = self._told or told_settings(self.file, "", self._environment)
            if self._unknown:
                log.warning("there are no such settings, and they are ignored: %s", ", ".join(self._unknown))
            self._told = told
            self._at_start = self._at_start or told
            self._settings = Settings(self.home, told)

    def _no_tools(self, told: Mapping[str, SettingValue]) -> list[str]:
        """What is switched off and is no tool: a typo there would leave the tool that was meant switched on."""
        off: frozenset[str] = told["tools_off"].value
        known = self._tools() if off else ()
        return [f"{name} in tools_off" for name in sorted(off.difference(known))] if known else []


def _waits(row: Setting[Any], told: SettingValue, then: SettingValue) -> bool:
    return row.applies is Applies.RESTART and told.value != then.value


def _suggested(name: str) -> str:
    meant = nearest(name, _ROWS)
    return f"{name} (did you mean {meant}?)" if meant else name


def _stamp(file: Path) -> Stamp | None:
    try:
        found = file.stat()
    except OSError:
        return None
    return found.st_mtime_ns, found.st_size, found.st_ino
