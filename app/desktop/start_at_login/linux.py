"""Start at login on Linux and other systems of freedesktop.org: a file in the autostart folder.

The rules: the Desktop Application Autostart Specification and the Desktop Entry Specification (The Exec key).
"""

import configparser
import os
import re
from pathlib import Path

from app.desktop.start_at_login.entry import Entry, remove_file, write_whole

GROUP = "Desktop Entry"
PLAIN = re.compile(r"[A-Za-z0-9_./+:@,-]+")
IN_QUOTES = str.maketrans({each: f"\\{each}" for each in '"`$\\'} | {"%": "%%"})
ESCAPES = {"s": " ", "n": "\n", "r": "\r", "t": "\t"}
IN_A_VALUE = str.maketrans({"\\": "\\\\", "\n": "\\n", "\r": "\\r", "\t": "\\t"})


class Autostart:
    """Our entry among what a desktop starts.

    Args:
        folder: the autostart folder; the person's own when left out.
    """

    def __init__(self, folder: Path | None = None) -> None:
        self._file = (folder or autostart_folder()) / "bigmind.desktop"

    def enabled(self) -> bool:
        """Whether it would be started; desktops turn an entry off by writing so into it."""
        said = self._said()
        return "exec" in said and said.get("hidden") != "true" and said.get("x-gnome-autostart-enabled") != "false"

    def enable(self, entry: Entry) -> None:
        """Write the entry; what a desktop wrote into the old one goes."""
        write_whole(self._file, desktop_entry(entry).encode())

    def disable(self) -> None:
        """Remove the entry."""
        remove_file(self._file)

    def program(self) -> str | None:
        """The program that would be started."""
        words = words_of(self._said().get("exec", ""))
        if words[:1] == ["env"]:
            words = [word for word in words[1:] if "=" not in word]
        return words[0] if words else None

    def _said(self) -> dict[str, str]:
        """The keys of the entry, in small letters; none when there is no entry, or it is none."""
        reader = configparser.ConfigParser(interpolation=None, strict=False, delimiters=("=",), comment_prefixes=("#",))
        try:
            reader.read_string(self._file.read_text(encoding="utf-8", errors="replace"))
        except (OSError, configparser.Error):
            return {}
        return dict(reader[GROUP]) if GROUP in reader else {}


def autostart_folder() -> Path:
    """The person's own autostart folder."""
    # The Base Directory Specification has a relative one ignored.
    said = Path(os.environ.get("XDG_CONFIG_HOME", ""))
    return (said if said.is_absolute() else Path.home() / ".config") / "autostart"


def desktop_entry(entry: Entry) -> str:
    """The file that starts `entry` at login."""
    set_first = ["env", *(f"{name}={value}" for name, value in entry.environment.items())] if entry.environment else []
    program = entry.command[0].translate(IN_A_VALUE)  # once that is gone, desktops pass the entry over
    command = " ".join(quoted(word) for word in (*set_first, *entry.command))
    return f"""[{GROUP}]
Type=Application
Name=BigMind
Comment=Remembers for your AI assistants
Exec={command.translate(IN_A_VALUE)}
TryExec={program}
Icon=bigmind
Terminal=false
StartupNotify=false
X-GNOME-Autostart-enabled=true
"""


def quoted(word: str) -> str:
    """One word of an Exec key: in double quotes, unless all its characters are plain."""
    return word if PLAIN.fullmatch(word) else f'"{word.translate(IN_QUOTES)}"'


def words_of(command: str) -> list[str]:
    """The words of an Exec key's value, as we write them."""
    unescaped = re.sub(r"\\(.)", lambda found: ESCAPES.get(found[1], found[1]), command)
    words = re.findall(r'"((?:[^"\\]|\\.)*)"|(\S+)', unescaped, re.DOTALL)
    return [(re.sub(r"\\(.)", r"\1", inside) if inside else plain).replace("%%", "%") for inside, plain in words]
