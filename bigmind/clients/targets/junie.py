"""Junie, the agent of JetBrains: in the IDEs and on the command line, which share their files.

From junie.jetbrains.com/docs/{junie-cli-mcp-configuration,guidelines-and-memory}.html and
jetbrains.com/help/junie/model-context-protocol-mcp.html. The command line knows servers with an address, the IDEs
programs only: so both get the bridge. Of a workspace's guidelines Junie reads the first that it finds, so ours go into
that one: a new `.junie/AGENTS.md` would hide the project's own. Hooks are in early access, for the command line only:
none yet.
"""

from collections.abc import Sequence
from pathlib import Path

from bigmind.clients.files.locations import Places
from bigmind.clients.parts import Block, Part
from bigmind.clients.target import ConnectionSpec, Layer, Target
from bigmind.clients.targets.shared import server_entry, stdio_value
from bigmind.disk.existence import is_known_file

NAME = "junie"
GUIDELINES = (".junie/AGENTS.md", "AGENTS.md", ".junie/guidelines.md")
"""In the order in which Junie looks for them."""


def _signs(places: Places) -> Sequence[Path]:
    return (places.home / ".junie",)


def _guidelines(workspace: Path) -> Path:
    there = [workspace / each for each in GUIDELINES if is_known_file(workspace / each)]
    return there[0] if there else workspace / "AGENTS.md"


def _parts(places: Places, wanted: ConnectionSpec) -> Sequence[Part]:
    top = wanted.workspace or places.home
    guidelines = _guidelines(wanted.workspace) if wanted.workspace else top / ".junie" / "AGENTS.md"
    return (
        server_entry(top / ".junie" / "mcp" / "mcp.json", stdio_value(wanted, NAME)),
        Block(guidelines, wanted.instructions),
    )


JUNIE = Target(
    name=NAME,
    title="Junie",
    signs=_signs,
    parts=_parts,
    commands=("junie",),
    layers=frozenset({Layer.TOOLS, Layer.ON_DEMAND, Layer.FILES}),
    after="Start a new task. In an IDE, Settings > Tools > Junie > MCP Settings shows the server.",
)
