"""Start at login on macOS: a LaunchAgent of the person's own (launchd.plist(5))."""

import plistlib
from pathlib import Path
from typing import cast
from xml.parsers.expat import ExpatError

from app.desktop.start_at_login.entry import Entry, remove_file, write_whole

LABEL = "app.bigmind"


class LaunchAgent:
    """Our agent among the person's.

    Args:
        folder: of the agents; the person's own when left out.
    """

    def __init__(self, folder: Path | None = None) -> None:
        self._file = (folder or Path.home() / "Library" / "LaunchAgents") / f"{LABEL}.plist"

    def enabled(self) -> bool:
        """Whether it would be started."""
        said = self._said()
        return said.get("RunAtLoad") is True and said.get("Disabled") is not True and self.program() is not None

    def enable(self, entry: Entry) -> None:
        """Write the agent; launchd reads it at the next login."""
        agent = {
            "Label": LABEL,
            "ProgramArguments": list(entry.command),
            "RunAtLoad": True,
            "ProcessType": "Interactive",
            # Not for a login over SSH, which has no menu bar.
            "LimitLoadToSessionType": "Aqua",
            **({"EnvironmentVariables": dict(entry.environment)} if entry.environment else {}),
        }
        write_whole(self._file, plistlib.dumps(agent))

    def disable(self) -> None:
        """Remove the agent. launchd is not told: it would end the BigMind that it started."""
        remove_file(self._file)

    def program(self) -> str | None:
        """The program that would be started."""
        words = self._said().get("ProgramArguments")
        first = cast("list[object]", words)[0] if isinstance(words, list) and words else None
        return first if isinstance(first, str) else None

    def _said(self) -> dict[str, object]:
        try:
            said: object = plistlib.loads(self._file.read_bytes())
        except (OSError, plistlib.InvalidFileException, ExpatError, ValueError):
            return {}
        return cast("dict[str, object]", said) if isinstance(said, dict) else {}
