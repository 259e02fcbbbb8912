r"""Claude Desktop.

From modelcontextprotocol.io (the file, `mcpServers`) and anthropics/claude-code#26073 and #25579: the edition of the
Microsoft Store reads a file of its own below `%LOCALAPPDATA%\Packages`, and keeps no word about it. The file knows
programs only: servers with an address are added in Settings > Connectors, which asks for one on the internet. There
are no instruction files and no hooks. Instead of the file, the bundle of `bigmind.clients.bundle` can be opened.
"""

from collections.abc import Sequence
from pathlib import Path

from bigmind.clients.files.locations import Places, System
from bigmind.clients.parts import Part
from bigmind.clients.target import ConnectionSpec, Layer, Target
from bigmind.clients.targets.shared import server_entry, stdio_value
from bigmind.disk.existence import is_known_folder

NAME = "claude-desktop"
FILE = "claude_desktop_config.json"


def _folders(places: Places) -> Sequence[Path]:
    """Every folder in which an installed edition looks; the usual one, when there is none yet."""
    usual = places.application_data / "Claude"
    stores: list[Path] = []
    if places.system is System.WINDOWS:
        packages = places.local_application_data / "Packages"
        stores = [each / "LocalCache" / "Roaming" / "Claude" for each in sorted(packages.glob("Claude_*"))]
    return [usual, *stores] if is_known_folder(usual) or not stores else stores


def _signs(places: Places) -> Sequence[Path]:
    return _folders(places)


def _parts(places: Places, wanted: ConnectionSpec) -> Sequence[Part]:
    if wanted.workspace is not None:
        return ()
    return [server_entry(folder / FILE, stdio_value(wanted, NAME)) for folder in _folders(places)]


CLAUDE_DESKTOP = Target(
    name=NAME,
    title="Claude Desktop",
    signs=_signs,
    parts=_parts,
    for_workspace=False,
    layers=frozenset({Layer.PROMPTS, Layer.TOOLS, Layer.ON_DEMAND}),
    after="Quit Claude Desktop wholly, and start it again.",
)
