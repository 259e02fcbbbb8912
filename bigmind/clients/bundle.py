"""A bundle for Claude Desktop: one file that a person opens instead of having settings edited (MCPB, manifest 0.3).

It carries no program: it starts the `bigmind` that made it, so it holds on this machine only, and needs no new bundle
after an update.
"""

import io
import json
import zipfile
from pathlib import Path
from typing import Any

from bigmind import VERSION
from bigmind.clients.files.locations import System, places_here
from bigmind.clients.launcher import command_of, launcher_text, make_launcher

NAME = "claude-desktop"
FILE = "bigmind.mcpb"
MANIFEST = "manifest.json"
MANIFEST_VERSION = "0.3"
PLATFORMS = {System.LINUX: "linux", System.MACOS: "darwin", System.WINDOWS: "win32"}
EARLIEST = (1980, 1, 1, 0, 0, 0)
"""The date of every file within, so that the same bundle is the same bytes."""
EXECUTABLE = 0o755
READABLE = 0o644


def bundle_here(home: Path) -> bytes:
    """The `.mcpb` file of this machine's BigMind with that data folder."""
    make_launcher(home)
    return bundle(command_of(home), VERSION, places_here().system)


def bundle(command: str, version: str, system: System) -> bytes:
    """The `.mcpb` file.

    Args:
        command: the `bigmind` command of this machine, a whole path.
        version: of BigMind, as `1.2.3`.
        system: of this machine.

    Returns:
        A zip with `manifest.json` and the launcher that the manifest names.
    """
    launcher, script = _launcher(command, system)
    told = json.dumps(manifest(command, version, system, launcher), indent=2) + "\n"
    written = io.BytesIO()
    with zipfile.ZipFile(written, "w", zipfile.ZIP_DEFLATED) as opened:
        for name, text, mode in ((MANIFEST, told, READABLE), (launcher, script, EXECUTABLE)):
            entry = zipfile.ZipInfo(name, EARLIEST)
            entry.external_attr = mode << 16
            entry.compress_type = zipfile.ZIP_DEFLATED
            opened.writestr(entry, text)
    return written.getvalue()


def manifest(command: str, version: str, system: System, launcher: str) -> dict[str, Any]:
    """What stands in `manifest.json`; `launcher` is the file in the bundle that does the same as the command."""
    return {
        "manifest_version": MANIFEST_VERSION,
        "name": "bigmind",
        "display_name": "BigMind",
        "version": version,
        "description": "One long-term memory for every AI assistant on this machine.",
        "author": {"name": "BigMind"},
        "license": "Apache-2.0",
        "server": {
            "type": "binary",
            "entry_point": launcher,
            "mcp_config": {"command": command, "args": ["mcp", "--client", NAME], "env": {}},
        },
        "tools_generated": True,
        "prompts_generated": True,
        "compatibility": {"platforms": [PLATFORMS[system]]},
    }


def _launcher(command: str, system: System) -> tuple[str, str]:
    """Its name in the bundle, and its text, by the rules of each system's shell (`%` and other letters in cmd)."""
    on_windows = system is System.WINDOWS
    words = [command, "mcp", "--client", NAME]
    name = "server/bigmind.cmd" if on_windows else "server/bigmind"
    return name, launcher_text({}, words, "win32" if on_windows else "linux")
