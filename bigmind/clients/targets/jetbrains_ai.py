"""JetBrains AI Assistant, in every IDE of JetBrains.

From jetbrains.com/help/ai-assistant/mcp.html. Its servers stand in `options/llm.mcpServers.xml` of every installed IDE
and version, which a running IDE writes anew from its memory, and which IDEs of 2026 do not take up from outside
(two installers in public say so): a person adds the server in the settings, once per IDE. Rules of a project lie in
`.aiassistant/rules` as plain Markdown; whether one holds always is chosen in the IDE.
"""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from bigmind.clients.files.locations import Places
from bigmind.clients.parts import OwnFile, Part
from bigmind.clients.target import ConnectionSpec, Layer, Target
from bigmind.clients.targets.shared import SERVER, stdio_value

NAME = "jetbrains-ai"


def _signs(places: Places) -> Sequence[Path]:
    """An IDE's settings folder with the assistant's own in it: `JetBrains/<product><version>/options/llm*.xml`."""
    folder = places.application_data / "JetBrains"
    return sorted(folder.glob("*/options/llm*.xml"))


def _parts(_places: Places, wanted: ConnectionSpec) -> Sequence[Part]:
    if wanted.workspace is None:
        return ()
    return (OwnFile(wanted.workspace / ".aiassistant" / "rules" / "bigmind.md", wanted.instructions),)


def _paste(wanted: ConnectionSpec) -> Mapping[str, Any]:
    return {"mcpServers": {SERVER: stdio_value(wanted, NAME)}}


JETBRAINS_AI = Target(
    name=NAME,
    title="JetBrains AI Assistant",
    signs=_signs,
    parts=_parts,
    for_user=False,
    layers=frozenset({Layer.TOOLS, Layer.ON_DEMAND, Layer.FILES}),
    after="Open Settings > Tools > AI Assistant > Rules, and choose Always for bigmind.",
    guide="Settings > Tools > AI Assistant > Model Context Protocol (MCP) > Add > STDIO",
    paste=_paste,
)
