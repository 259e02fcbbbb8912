"""Codex: the command line, the extension for IDEs and the app share one folder.

From the client itself (0.169: `codex mcp list` and `codex mcp get` read what stands here, `hooks/list` of its
app-server too). A token inline is refused, a header is not. `AGENTS.override.md` hides `AGENTS.md`: ours go where
they are read. A workspace's files count once it is trusted; a hook is run once the person has trusted it, and those of
a workspace would run besides the person's own: there are none. On Windows a hook's line goes to the session's shell,
which is PowerShell, and to cmd where there is none (openai/codex, hooks/src/engine/command_runner.rs).
"""

from collections.abc import Sequence
from pathlib import Path

from bigmind.clients.files.locations import Places
from bigmind.clients.parts import Block, Entry, Format, Part
from bigmind.clients.target import ConnectionSpec, Layer, Target
from bigmind.clients.targets.shared import SERVER, Shell, command_hooks, http_value, stdio_value
from bigmind.disk.existence import is_known_file

NAME = "codex"
SERVERS = ("mcp_servers", SERVER)


def _folder(places: Places) -> Path:
    return places.named("CODEX_HOME", places.home / ".codex")


def _signs(places: Places) -> Sequence[Path]:
    return (_folder(places),)


def _parts(places: Places, wanted: ConnectionSpec) -> Sequence[Part]:
    if wanted.workspace is not None:
        settings = wanted.workspace / ".codex" / "config.toml"
        return (
            Entry(settings, Format.TOML, SERVERS, stdio_value(wanted, NAME)),
            Block(_read_in(wanted.workspace), wanted.instructions),
        )
    folder = _folder(places)
    value = http_value(wanted, headers="http_headers")
    return (
        Entry(folder / "config.toml", Format.TOML, SERVERS, value, wanted.token),
        Block(_read_in(folder), wanted.instructions),
        *command_hooks(places, wanted, NAME, folder / "hooks.json", Shell.SESSION),
    )


def _read_in(folder: Path) -> Path:
    override = folder / "AGENTS.override.md"
    return override if is_known_file(override) else folder / "AGENTS.md"


CODEX = Target(
    name=NAME,
    title="Codex",
    signs=_signs,
    parts=_parts,
    commands=("codex",),
    layers=frozenset(Layer) - {Layer.PROMPTS},
    after=(
        "Start a new conversation. Codex asks once whether you trust the hooks, and in a workspace whether you trust"
        " the folder: say yes."
    ),
    lists=("codex", "mcp", "list"),
)
