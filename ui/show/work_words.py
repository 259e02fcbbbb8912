"""What is stored of work as a code, in the words that people read, and where an item's page is."""

from collections.abc import Mapping
from types import MappingProxyType
from urllib.parse import quote

from bigmind.core.desktop import WINDOW_CLIENT
from bigmind.core.operation import Presence

RESERVED = frozenset({"processes", "assistants", "more", "items"})
"""What stands at the place of a slug in an address and is none."""

GATE_WORDS = MappingProxyType(
    {
        "memory_queried": "The brain was asked about it",
        "memory_contributed": "What was learned is in the brain",
        "human_confirmed": "You confirmed it",
        "dependencies_complete": "All it depends on is complete",
        "inputs_satisfied": "Its inputs are there",
        "input_withdrawn": "One of its inputs was withdrawn",
        "outputs_present": "Its outputs are there",
        "quality_gates_passed": "Its quality gates passed",
        "quality_gate_failed": "One of its quality gates failed",
        "child_open": "A node below it was opened on the way",
        "children_done": "What was opened on the way is done",
        "other_agent": "Another assistant reviews it",
    }
)
WAYS: Mapping[str, str] = MappingProxyType(
    {
        Presence.WINDOW: "in the window",
        Presence.PASSPHRASE: "with the passphrase",
        Presence.PAGE: "on a page",
        Presence.COMMAND_LINE: "on the command line",
        Presence.TRAY: "from the tray",
        Presence.CLIENT: "over MCP or HTTP",
        Presence.PROGRAM: "from a program",
    }
)
"""Where what the ledger tells came from, by the name that it has for it."""
OWN_HANDS = frozenset({"browser", "window"})
"""What a person's own writing is noted under, beside the names of windows."""


def by_whom(client: str, username: str = "") -> str:
    """Who wrote something: the person of that name themselves, or an assistant by its name."""
    own = client.removeprefix(f"{username}: ")
    return "you" if own in OWN_HANDS or own.startswith(WINDOW_CLIENT) else client


def way(by: str, surface: str) -> str:
    """Where something was done, for the ledger; empty where the words for who did it say so already."""
    is_said = by.endswith(f"({surface})") or (by == "BigMind" and surface == Presence.PROGRAM)
    return "" if is_said else WAYS.get(surface, surface)


def document_in_words(process: str) -> str:
    """The process document that decided, as the ledger names it: `solo@2`."""
    name, _, version = process.partition("@")
    return f"{name}, version {version}" if version else name


def item_address(slug: str, uid: str) -> str:
    """The page of an item."""
    return f"/work/{quote(uid if slug in RESERVED else slug, safe='')}"


def gate_in_words(name: str) -> str:
    """A gate by the name that the ledger has for it."""
    kind, _, about = name.partition(":")
    if kind == "field":
        return f"{about} is written"
    return GATE_WORDS.get(kind, name)


REMEDIES = MappingProxyType(
    {
        "human_confirmed": ("/waiting#i-{uid}", "Confirm it"),
        "dependencies_complete": ("{here}#depends", "See what it waits for"),
        "field": ("{here}#fields", "Write the field"),
        "memory_queried": ("/brain", "Open the brain"),
        "memory_contributed": ("/brain", "Open the brain"),
    }
)
"""Where a gate that is not met is mended, and what a link there says."""


def remedy_of(name: str, slug: str, uid: str) -> tuple[str, str] | None:
    """The address where a gate of that name is mended for an item, and the words of the link; None for none."""
    found = REMEDIES.get(name.partition(":")[0])
    return None if found is None else (found[0].format(uid=uid, here=item_address(slug, uid)), found[1])
