"""Visual Studio Code with GitHub Copilot: the person's profile, and a workspace.

From microsoft/vscode-docs, docs/agents/reference/mcp-configuration.md and
docs/agent-customization/{hooks,custom-instructions}.md (May to October 2026). Servers stand under `servers` of the
default profile's `mcp.json`, with `type`; a workspace's in `.vscode/mcp.json`. Instructions and hooks: `copilot`.
Claude Code's hooks, which earlier versions ran too, are run where somebody switched `chat.useClaudeHooks` on:
`bigmind.hooks.formats` then knows who runs them, and is silent. A workspace's hooks lie in `.github/hooks`, which is
shared and runs in the cloud as well: there are none.
"""

from collections.abc import Sequence
from pathlib import Path

from bigmind.clients.files.locations import Places
from bigmind.clients.parts import Part
from bigmind.clients.target import ConnectionSpec, Layer, Target
from bigmind.clients.targets import copilot
from bigmind.clients.targets.shared import http_value, server_entry, stdio_value
from bigmind.disk.existence import is_known_folder

NAME = "vscode"
SERVERS = ("servers",)
EDITIONS = ("Code", "Code - Insiders")


def _users(places: Places) -> Sequence[Path]:
    return [places.application_data / edition / "User" for edition in EDITIONS]


def _installed(places: Places) -> Sequence[Path]:
    """Those that are there; the usual one, when there is none yet."""
    users = _users(places)
    return [user for user in users if is_known_folder(user)] or users[:1]


def _parts(places: Places, wanted: ConnectionSpec) -> Sequence[Part]:
    if wanted.workspace is not None:
        entry = stdio_value(wanted, NAME, type="stdio")
        return (
            server_entry(wanted.workspace / ".vscode" / "mcp.json", entry, under=SERVERS),
            copilot.instructions(wanted.workspace / ".github", wanted),
        )
    own = places.home / ".copilot"
    entry = http_value(wanted, type="http")
    return (
        *(server_entry(user / "mcp.json", entry, wanted.token, under=SERVERS) for user in _installed(places)),
        copilot.instructions(own, wanted),
        copilot.hooks(own, wanted),
    )


VSCODE = Target(
    name=NAME,
    title="VS Code with Copilot",
    signs=_users,
    parts=_parts,
    commands=("code",),
    layers=frozenset(Layer),
    after="Start a new chat. If VS Code asks whether you trust the server, say yes.",
)
