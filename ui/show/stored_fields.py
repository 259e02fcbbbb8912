"""A stored text as it comes back from a field that nobody edited.

A browser makes each line end of a field its own before it sends it, so that a carriage return alone comes back as
another line end. Beside a field that holds one, a second one therefore says the text in JSON, which has no line ends.
"""

import json
from collections.abc import Iterable
from html import escape, unescape

STORED = "stored."
"""At the beginning of the name of that second field."""
BESIDE = f'<input type="hidden" name="{STORED}'


def beside(name: str, text: str) -> str:
    """The field beside one that holds a text with a carriage return alone; empty beside any other.

    Args:
        name: of the field, escaped.
        text: what stands in it, escaped.
    """
    if "\r" not in text.replace("\r\n", "\n"):
        return ""
    return f'{BESIDE}{name}" value="{escape(json.dumps(unescape(text)))}">'


def as_stored(fields: Iterable[tuple[str, str]]) -> list[tuple[str, str]]:
    """The fields of a form; each that was not edited with its text as it is stored."""
    sent = list(fields)
    stored = {name.removeprefix(STORED): _text(value) for name, value in sent if name.startswith(STORED)}
    return [
        (name, stored[name] if name in stored and _lines(stored[name]) == _lines(value) else value)
        for name, value in sent
        if not name.startswith(STORED)
    ]


def _text(value: str) -> str:
    """What such a field says; nothing where it is not of ours."""
    try:
        text = json.loads(value)
    except (ValueError, RecursionError):
        return ""
    return text if isinstance(text, str) else ""


def _lines(text: str) -> str:
    return text.replace("\r\n", "\n").replace("\r", "\n")
