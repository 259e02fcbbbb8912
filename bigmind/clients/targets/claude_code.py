"""Claude Code.

From the client itself (2.1.330: `claude mcp add` writes what stands here; the schema of hooks and servers in its
bundle) and code.claude.com/docs/en/{mcp,memory,hooks}. Servers of the person stand in `~/.claude.json`, or in
`$CLAUDE_CONFIG_DIR/.claude.json`; where an early version left `~/.claude/.config.json`, that one is read instead.
`alwaysLoad` keeps our tools out of the search for tools, which would hide them until the model asks. `headersHelper` is
run when it connects, by the system's shell in the folder of its settings, and what it prints is sent besides `headers`:
it speaks MCP 2026-07-28, where nothing else tells two windows apart. Where it fails, the connection is made without.
Every `*.md` of a `rules` folder is read at the start. `.claude/settings.local.json` is the person's own within a
workspace, and commands that stand there and in the person's settings are run once.
"""

from collections.abc import Sequence
from pathlib import Path

from bigmind.clients.files.locations import Places
from bigmind.clients.parts import Format, Item, OwnFile, Part
from bigmind.clients.target import ConnectionSpec, Layer, Target
from bigmind.clients.targets.shared import (
    SERVER,
    Shell,
    command_hooks,
    hook_command,
    http_value,
    server_entry,
    shell,
    stdio_value,
)
from bigmind.disk.existence import is_known_file
from bigmind.hooks.connection_headers import CONNECTION

NAME = "claude-code"
ALLOWED = f"mcp__{SERVER}__*"
"""Every tool of ours, as its rules of permission name them."""


def _folder(places: Places) -> Path:
    return places.named("CLAUDE_CONFIG_DIR", places.home / ".claude")


def _servers(places: Places) -> Path:
    early = _folder(places) / ".config.json"
    return early if is_known_file(early) else places.named("CLAUDE_CONFIG_DIR", places.home) / ".claude.json"


def _signs(places: Places) -> Sequence[Path]:
    return (_servers(places), _folder(places))


def _parts(places: Places, wanted: ConnectionSpec) -> Sequence[Part]:
    if wanted.workspace is not None:
        return _of_workspace(places, wanted, wanted.workspace)
    told = hook_command(wanted.command, CONNECTION, NAME, shell(places, Shell.CMD))
    entry = http_value(wanted, type="http", alwaysLoad=True, headersHelper=told)
    return (
        server_entry(_servers(places), entry, wanted.token),
        OwnFile(_folder(places) / "rules" / "bigmind.md", wanted.instructions),
        _allowed(_folder(places) / "settings.json"),
        *command_hooks(places, wanted, NAME, _folder(places) / "settings.json", Shell.GIT_BASH),
    )


def _of_workspace(places: Places, wanted: ConnectionSpec, workspace: Path) -> Sequence[Part]:
    own = workspace / ".claude"
    return (
        server_entry(workspace / ".mcp.json", stdio_value(wanted, NAME, type="stdio", alwaysLoad=True)),
        OwnFile(own / "rules" / "bigmind.md", wanted.instructions),
        _allowed(own / "settings.local.json"),
        *command_hooks(places, wanted, NAME, own / "settings.local.json", Shell.GIT_BASH),
    )


def _allowed(file: Path) -> Part:
    """Our tools are used without a question each time: a memory that asks is switched off."""
    return Item(file, Format.JSON, ("permissions", "allow"), ALLOWED, ALLOWED)


CLAUDE_CODE = Target(
    name=NAME,
    title="Claude Code",
    signs=_signs,
    parts=_parts,
    commands=("claude",),
    can_hold_edits=True,
    strict=frozenset({"settings.json", "settings.local.json"}),
    layers=frozenset(Layer),
    after=("Start a new conversation. In a workspace, Claude Code asks once whether you trust its server: say yes."),
    lists=("claude", "mcp", "list"),
    connected="Connected",
)
