"""Cline: the extension of VS Code and its relatives, and the command line.

From the client itself (3.0.65: the paths in @cline/shared, the servers' schema in @cline/core) and docs.cline.bot.
Each editor has its own file of servers for the extension; `~/.cline` is that of the command line and of newer
extensions. `Documents/Cline/Rules` is read by all of them. There are no servers of a workspace. Its hooks are files
with fixed names in one folder, which may be the person's own, and only the one before a tool is listened to: none.
"""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from bigmind.clients.files.locations import Places, System
from bigmind.clients.parts import Block, OwnFile, Part
from bigmind.clients.target import ConnectionSpec, Layer, Target
from bigmind.clients.targets.shared import http_value, rules_naming_project, server_entry
from bigmind.disk.existence import is_known_file, is_known_folder

NAME = "cline"
EDITORS = ("Code", "Code - Insiders", "VSCodium", "Cursor", "Windsurf")
SERVERS = "cline_mcp_settings.json"
RULE = "bigmind.md"


def _extensions(places: Places) -> list[Path]:
    """The extension's folder in each editor."""
    storage = Path("User", "globalStorage", "saoudrizwan.claude-dev")
    return [places.application_data / editor / storage for editor in EDITORS]


def _command_line(places: Places) -> Path:
    return places.named("CLINE_DIR", places.home / ".cline")


def _documents(places: Places) -> Path:
    """On Windows they may be in OneDrive."""
    cloud = places.named("OneDrive", places.home / "OneDrive") / "Documents"
    return cloud if places.system is System.WINDOWS and is_known_folder(cloud) else places.home / "Documents"


def _server_files(places: Places) -> list[Path]:
    data = places.named("CLINE_DATA_DIR", _command_line(places) / "data")
    shared = places.named("CLINE_MCP_SETTINGS_PATH", data / "settings" / SERVERS)
    return [shared, *(folder / "settings" / SERVERS for folder in _extensions(places) if is_known_folder(folder))]


def _signs(places: Places) -> Sequence[Path]:
    return (_command_line(places), *_extensions(places))


def _parts(places: Places, wanted: ConnectionSpec) -> Sequence[Part]:
    if wanted.workspace is not None:
        return (_rule_of(wanted.workspace / ".clinerules", wanted),)
    value: dict[str, Any] = {**http_value(wanted, type="streamableHttp"), "disabled": False, "autoApprove": []}
    return (
        *(server_entry(file, value, wanted.token) for file in _server_files(places)),
        OwnFile(_documents(places) / "Cline" / "Rules" / RULE, rules_naming_project(wanted)),
    )


def _rule_of(rules: Path, wanted: ConnectionSpec) -> Part:
    """`.clinerules` is a folder, and was once a file."""
    told = rules_naming_project(wanted)
    return Block(rules, told) if is_known_file(rules) else OwnFile(rules / RULE, told)


CLINE = Target(
    name=NAME,
    title="Cline",
    signs=_signs,
    parts=_parts,
    commands=("cline",),
    layers=frozenset({Layer.TOOLS, Layer.FILES, Layer.ON_DEMAND}),
    after="Nothing in an editor; start the command line anew. In a workspace only its rule is added.",
)
