"""opencode.

From the client itself (1.18: `opencode mcp list` connects with what stands here; its schema, and how it finds
instructions and plugins, from the bundle). It reads all of `config.json`, `opencode.json` and `opencode.jsonc`. An
`AGENTS.md` of ours would hide the `CLAUDE.md` that it reads otherwise, so ours is a file named in `instructions`. Its
hooks are plugins; where there is one, its first start installs @opencode-ai/plugin beside the settings, which takes
seconds: `--pure` spares the check of it. `~/.config` is its folder on every system.
"""

from collections.abc import Sequence
from pathlib import Path

from bigmind.clients.files.locations import Places
from bigmind.clients.parts import OwnFile, Part
from bigmind.clients.target import ConnectionSpec, Layer, Target
from bigmind.clients.targets.opencode_form import from_home, local, named, remote, there
from bigmind.clients.targets.opencode_plugin import plugin

NAME = "opencode"
TOLD = "bigmind.md"


def _folder(places: Places) -> Path:
    return places.configuration / "opencode"


def _signs(places: Places) -> Sequence[Path]:
    return (_folder(places), places.home / ".opencode", places.home / ".local" / "share" / "opencode")


def _parts(places: Places, wanted: ConnectionSpec) -> Sequence[Part]:
    if wanted.workspace is not None:
        own, settings = wanted.workspace / ".opencode", _settings(wanted.workspace)
        entry, name = local(settings, wanted, NAME), f".opencode/{TOLD}"
    else:
        own = _folder(places)
        settings = _settings(own)
        entry, name = remote(settings, wanted), from_home(places, own / TOLD)
    return (
        entry,
        named(settings, name),
        OwnFile(own / TOLD, wanted.instructions),
        OwnFile(own / "plugins" / "bigmind.js", plugin(wanted.command)),
    )


def _settings(folder: Path) -> Path:
    return there(folder / "opencode.jsonc", folder / "opencode.json")


OPENCODE = Target(
    name=NAME,
    title="opencode",
    signs=_signs,
    parts=_parts,
    commands=("opencode",),
    layers=frozenset(Layer),
    after="Start opencode anew.",
    lists=("opencode", "mcp", "list", "--pure"),
    connected="✓",
)
