"""Where clients keep their files: the rules of each operating system, chosen by parameter and never by where we run."""

import os
import sys
from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from pathlib import Path

from bigmind.core.errors import BigMindError
from bigmind.paths import expanded

ENDINGS = ".COM;.EXE;.BAT;.CMD"
"""Of programs on Windows, where it does not say."""


class System(StrEnum):
    """The operating systems that clients know."""

    LINUX = "linux"
    MACOS = "macos"
    WINDOWS = "windows"


@dataclass(frozen=True, slots=True)
class Places:
    """A person's folders on one system.

    Attributes:
        system: whose rules hold.
        home: the person's home folder, whole.
        environment: the variables that move a client's folder elsewhere.
        moved_documents: where the person's documents are, when the system says it.
    """

    system: System
    home: Path
    environment: Mapping[str, str] = field(default_factory=dict[str, str])
    moved_documents: Path | None = None

    def named(self, variable: str, default: Path) -> Path:
        """The folder that an environment variable names, when it is a whole path; else the default."""
        said = self.environment.get(variable, "")
        try:
            folder = expanded(variable, said) if said else default
        except BigMindError:  # nobody's home, say: no client finds anything there
            return default
        return folder if folder.is_absolute() else default

    @property
    def configuration(self) -> Path:
        """Where programs of the freedesktop kind keep their settings, on every system: `~/.config`."""
        return self.named("XDG_CONFIG_HOME", self.home / ".config")

    @property
    def application_data(self) -> Path:
        """Where applications keep their settings, each system by its own custom."""
        match self.system:
            case System.MACOS:
                return self.home / "Library" / "Application Support"
            case System.WINDOWS:
                return self.named("APPDATA", self.home / "AppData" / "Roaming")
            case System.LINUX:
                return self.configuration

    @property
    def local_application_data(self) -> Path:
        """The same for what does not follow the person to another machine; differs on Windows only."""
        if self.system is System.WINDOWS:
            return self.named("LOCALAPPDATA", self.home / "AppData" / "Local")
        return self.application_data

    @property
    def documents(self) -> Path:
        """The person's documents; Windows has them in OneDrive for many."""
        return self.moved_documents or self.home / "Documents"

    @property
    def goose(self) -> Path:
        """Where Goose keeps its settings."""
        if self.system is System.WINDOWS:
            return self.application_data / "Block" / "goose" / "config"
        return self.configuration / "goose"

    @property
    def zed(self) -> Path:
        """Where Zed keeps its settings."""
        match self.system:
            case System.WINDOWS:
                return self.application_data / "Zed"
            case System.MACOS:
                return self.home / ".config" / "zed"
            case System.LINUX:
                return self.configuration / "zed"

    def command(self, name: str) -> str | None:
        """The whole path of a program on the person's search path; None where there is none.

        Never of one in the folder that this process happens to be in, where Windows looks first: that may be a
        repository that somebody else wrote.
        """
        folders = [Path(each) for each in self.environment.get("PATH", "").split(os.pathsep)]
        endings = self.environment.get("PATHEXT", ENDINGS).split(";") if self.system is System.WINDOWS else [""]
        files = (folder / f"{name}{ending}" for folder in folders if folder.is_absolute() for ending in endings)
        # A path would raise where it may not be looked at.
        return next((str(each) for each in files if os.path.isfile(each) and os.access(each, os.X_OK)), None)  # noqa: PTH113


def places_here(environment: Mapping[str, str] = os.environ) -> Places:
    """Those of the person who runs this process."""
    system = {"darwin": System.MACOS, "win32": System.WINDOWS}.get(sys.platform, System.LINUX)
    return Places(system, Path.home(), environment, _documents() if system is System.WINDOWS else None)


def _documents() -> Path:
    import platformdirs  # noqa: PLC0415 - on one system

    return platformdirs.user_documents_path()
