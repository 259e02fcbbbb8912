"""Kilo: the command line, and the extension of VS Code, which runs the same agent.

From Kilo-Org/kilocode packages/kilo-docs (automate/mcp/using-in-kilo-code, its CLI's configuration reference), and
agent-harness-adapter-core (7.8, October 2026). It is opencode with other names, and reads all of them: `kilo.jsonc` or
`kilo.json` in `~/.config/kilo` on every system, in a workspace or in its `.kilo`. As there, an `AGENTS.md` of ours
would hide the person's `CLAUDE.md`. From 7.7.7 itself: its model is given the server's instructions, and its person the
prompts, as commands. Hooks would be plugins of a kind that is not tried: none.
"""

from collections.abc import Sequence
from pathlib import Path

from bigmind.clients.files.locations import Places
from bigmind.clients.parts import OwnFile, Part
from bigmind.clients.target import ConnectionSpec, Layer, Target
from bigmind.clients.targets.opencode_form import from_home, local, named, remote, there
from bigmind.clients.targets.shared import rules_naming_project

NAME = "kilo"
TOLD = "bigmind.md"


def _folder(places: Places) -> Path:
    return places.configuration / "kilo"


def _signs(places: Places) -> Sequence[Path]:
    extension = Path("User", "globalStorage", "kilocode.kilo-code")
    return (_folder(places), places.application_data / "Code" / extension, places.home / ".kilocode")


def _parts(places: Places, wanted: ConnectionSpec) -> Sequence[Part]:
    if wanted.workspace is not None:
        own = wanted.workspace / ".kilo"
        settings = there(*(folder / name for folder in (wanted.workspace, own) for name in ("kilo.json", "kilo.jsonc")))
        entry, name, told = local(settings, wanted, NAME), f".kilo/{TOLD}", wanted.instructions
    else:
        own = _folder(places)
        settings = there(own / "kilo.json", own / "kilo.jsonc")
        entry, name, told = remote(settings, wanted), from_home(places, own / TOLD), rules_naming_project(wanted)
    return entry, named(settings, name), OwnFile(own / TOLD, told)


KILO = Target(
    name=NAME,
    title="Kilo",
    signs=_signs,
    parts=_parts,
    commands=("kilo", "kilocode"),
    layers=frozenset(Layer) - {Layer.HOOKS},
    after="Start Kilo anew; in an editor, reload the window.",
)
