"""Addresses of the pages: what stands in one, and what is read from it."""

from collections.abc import Mapping
from urllib.parse import urlencode

_LONGEST_NUMBER = 9


def filled(named: Mapping[str, object]) -> dict[str, str]:
    """What of it stands in an address: nothing empty."""
    return {name: str(value) for name, value in named.items() if value}


def address(path: str, named: Mapping[str, object]) -> str:
    """The page at `path` that asks for that."""
    chosen = urlencode(filled(named))
    return f"{path}?{chosen}" if chosen else path


def number(asked: Mapping[str, str], name: str, most: int, otherwise: int = 0) -> int:
    """A small number from an address, `most` at most; whatever else stands there counts as not given."""
    text = asked.get(name, "")
    is_number = text.isascii() and text.isdecimal() and len(text) <= _LONGEST_NUMBER
    return min(int(text), most) if is_number else otherwise
