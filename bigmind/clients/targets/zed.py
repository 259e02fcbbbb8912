"""Zed.

From zed.dev/docs/ai/{mcp,instructions} and the `ContextServerSettingsContent` of its source. On macOS the settings
stand in `~/.config/zed` too. Of a workspace's instruction files Zed reads the first that it finds, in the order below:
ours go into that one, because a new file before it would hide it. Servers of a workspace start once it is trusted.
"""

from collections.abc import Sequence
from pathlib import Path

from bigmind.clients.files.locations import Places
from bigmind.clients.parts import Block, Part
from bigmind.clients.target import ConnectionSpec, Layer, Target
from bigmind.clients.targets.shared import http_value, server_entry, stdio_value
from bigmind.disk.existence import is_known_file

NAME = "zed"
SERVERS = ("context_servers",)
READ = (
    ".rules",
    ".cursorrules",
    ".windsurfrules",
    ".clinerules",
    ".github/copilot-instructions.md",
    "AGENT.md",
    "AGENTS.md",
    "CLAUDE.md",
    "GEMINI.md",
)


def _signs(places: Places) -> Sequence[Path]:
    return (places.zed,)


def _parts(places: Places, wanted: ConnectionSpec) -> Sequence[Part]:
    if wanted.workspace is not None:
        settings = wanted.workspace / ".zed" / "settings.json"
        return (
            server_entry(settings, stdio_value(wanted, NAME), under=SERVERS),
            Block(_read_in(wanted.workspace), wanted.instructions),
        )
    folder = places.zed
    return (
        server_entry(folder / "settings.json", http_value(wanted), wanted.token, under=SERVERS),
        Block(folder / "AGENTS.md", wanted.instructions),
    )


def _read_in(workspace: Path) -> Path:
    there = (workspace / name for name in READ)
    return next((file for file in there if is_known_file(file)), workspace / "AGENTS.md")


ZED = Target(
    name=NAME,
    title="Zed",
    signs=_signs,
    parts=_parts,
    commands=("zed", "zeditor"),
    layers=frozenset({Layer.PROMPTS, Layer.TOOLS, Layer.FILES, Layer.ON_DEMAND}),
    after="Nothing for Zed's own agent. A workspace's server starts once you trust the workspace.",
)
