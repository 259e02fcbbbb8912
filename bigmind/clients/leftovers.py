"""Tells what an install of ours left in a file of which the ledger knows nothing: it was lost, or is an older one.

A home is one person's: whatever carries our marks there is ours, but for a block whose words are not. A workspace comes
from colleagues too, with what their BigMind wrote into it: there only what we would write just the same is ours, and a
block in a shared text never is.
"""

import json
import re
from collections.abc import Sequence
from typing import Any

from bigmind.clients.editing.editor import MISSING, has_mark, same
from bigmind.clients.editing.editors import editor
from bigmind.clients.editing.marked_block import block_of
from bigmind.clients.parts import Format, Steps
from bigmind.core.shapes import is_list
from bigmind.memory.context.instructions import HEADING
from bigmind.people.token_format import looks_right

TOKENS = re.compile(r"bm_[A-Za-z0-9_-]{20,}")
BRIDGE = '"mcp", "--client", "'
"""What every form of the bridge's command has in it, as JSON."""
HOOK = re.compile(r" hook [a-z-]+ --client [a-z-]+")
FRONT = re.compile(r"---\n.*?\n---\n", re.DOTALL)
PLUGIN = "// Written by BigMind"


def runs_ours(value: Any) -> bool:
    """Whether a server entry is one of ours, made by whichever install: it carries a token, or starts the bridge."""
    return carries_token(value) or BRIDGE in json.dumps(value, default=str)


def carries_token(value: Any) -> bool:
    """Whether a token of ours stands anywhere in it, good or not."""
    return any(map(looks_right, TOKENS.findall(json.dumps(value, default=str))))


def is_our_file(data: bytes, written: bytes | None) -> bool:
    """Whether a file that is wholly ours was written by an earlier install, of whatever version.

    Args:
        data: what stands there.
        written: what is written there now.
    """
    text = data.decode("utf-8", "replace").replace("\r\n", "\n")
    begins = FRONT.sub("", text, count=1) if text.startswith("---\n") else text
    return (
        data == written
        or begins.startswith((HEADING, PLUGIN))
        or (begins.startswith("{") and HOOK.search(text) is not None)
    )


def is_our_block(text: str, *, in_home: bool) -> bool:
    """Whether the block in a text is ours: every version of it began with the heading."""
    block = block_of(text) if in_home else None
    return block is not None and block.lstrip().startswith(HEADING)


def is_our_entry(place: dict[str, Any], text: str, written: str, *, in_home: bool) -> bool:
    """Whether a value in a structured text is ours.

    Args:
        place: of the value, as the ledger keeps it.
        text: the text.
        written: the text that is written now.
        in_home: whether the file is in the person's home, and in no workspace.
    """
    found = editor(Format(place["format"])).value(text, tuple(place["steps"]))
    if found is MISSING or not runs_ours(found):
        return False
    return in_home or carries_token(found) or same(found, _value(place, written))


def is_hook(place: dict[str, Any]) -> bool:
    """Whether elements of a list are hooks: lines that nobody writes but us."""
    return HOOK.fullmatch(place["mark"]) is not None


def is_our_hook(place: dict[str, Any], text: str, written: str, *, in_home: bool) -> bool:
    """Whether elements of a list are hooks of ours; arguments as `is_our_entry`."""
    if not is_hook(place):
        return False
    found = marked(_value(place, text), place["mark"])
    now = marked(_value(place, written), place["mark"])
    return bool(found) and (in_home or all(any(same(each, one) for one in now) for each in found))


def marked(found: Any, mark: str) -> Sequence[Any]:
    """The elements of a list that bear a mark; none of anything that is no list."""
    return [each for each in found if has_mark(each, mark)] if is_list(found) else []


def _value(place: dict[str, Any], text: str) -> Any:
    steps: Steps = tuple(place["steps"])
    return editor(Format(place["format"])).value(text, steps)
