"""Gemini CLI.

From the client itself (0.61: `gemini mcp add` writes what stands here, its bundled docs/reference/configuration.md and
docs/hooks/reference.md). `httpUrl` is deprecated in favour of `url` with a `type`. The timeouts of hooks are
milliseconds; those of a workspace would run besides the person's own: there are none. In a folder that is not
trusted, no server is connected, not even the person's own; nobody trusts their home, in which it is asked for its list.
"""

from collections.abc import Sequence
from pathlib import Path

from bigmind.clients.files.locations import Places
from bigmind.clients.parts import Block, Part
from bigmind.clients.target import ConnectionSpec, Layer, Target
from bigmind.clients.targets.shared import command_hooks, http_value, server_entry, stdio_value

NAME = "gemini-cli"


def _folder(places: Places) -> Path:
    return places.named("GEMINI_CLI_HOME", places.home) / ".gemini"


def _signs(places: Places) -> Sequence[Path]:
    folder = _folder(places)
    return (folder / "settings.json", folder / "google_accounts.json", folder / "installation_id")


def _parts(places: Places, wanted: ConnectionSpec) -> Sequence[Part]:
    if wanted.workspace is not None:
        return (
            server_entry(wanted.workspace / ".gemini" / "settings.json", stdio_value(wanted, NAME)),
            Block(wanted.workspace / "GEMINI.md", wanted.instructions),
        )
    settings = _folder(places) / "settings.json"
    return (
        server_entry(settings, http_value(wanted, type="http"), wanted.token),
        Block(_folder(places) / "GEMINI.md", wanted.instructions),
        *command_hooks(places, wanted, NAME, settings),
    )


GEMINI_CLI = Target(
    name=NAME,
    title="Gemini CLI",
    signs=_signs,
    parts=_parts,
    commands=("gemini",),
    layers=frozenset(Layer),
    after="Start a new conversation, in a folder that Gemini CLI trusts.",
    lists=("gemini", "mcp", "list"),
    lists_with={"GEMINI_CLI_TRUST_WORKSPACE": "true"},
    connected="Connected",
)
