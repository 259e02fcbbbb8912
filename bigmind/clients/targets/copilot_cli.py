"""GitHub Copilot CLI.

From the client itself (1.0.102: `copilot mcp add` writes what stands here, `copilot mcp --help` names the files,
`copilot instruction list` the instructions it reads) and docs.github.com. `$COPILOT_HOME` moves `~/.copilot`. A
workspace's servers stand in `.mcp.json` or `.github/mcp.json`: the second, for the first is Claude Code's too. Hooks
of a workspace would run besides the person's own, and in the cloud, where there is no BigMind: there are none.
"""

from collections.abc import Sequence
from pathlib import Path

from bigmind.clients.files.locations import Places
from bigmind.clients.parts import Part
from bigmind.clients.target import ConnectionSpec, Layer, Target
from bigmind.clients.targets import copilot
from bigmind.clients.targets.shared import http_value, server_entry, stdio_value

NAME = "copilot-cli"


def _folder(places: Places) -> Path:
    return places.named("COPILOT_HOME", places.home / ".copilot")


def _signs(places: Places) -> Sequence[Path]:
    return (_folder(places) / "config.json", _folder(places) / "mcp-config.json")


def _parts(places: Places, wanted: ConnectionSpec) -> Sequence[Part]:
    every = ["*"]
    if wanted.workspace is not None:
        shared = wanted.workspace / ".github"
        entry = stdio_value(wanted, NAME, tools=every, type="local")
        return (server_entry(shared / "mcp.json", entry), copilot.instructions(shared, wanted))
    own = _folder(places)
    entry = http_value(wanted, tools=every, type="http")
    return (
        server_entry(own / "mcp-config.json", entry, wanted.token),
        copilot.instructions(own, wanted),
        copilot.hooks(own, wanted),
    )


COPILOT_CLI = Target(
    name=NAME,
    title="GitHub Copilot CLI",
    signs=_signs,
    parts=_parts,
    commands=("copilot",),
    layers=frozenset({Layer.TOOLS, Layer.ON_DEMAND, Layer.FILES, Layer.HOOKS}),
    after="Start a new session. In a workspace, Copilot asks once whether you trust the folder: say yes.",
    lists=("copilot", "mcp", "list"),
)
