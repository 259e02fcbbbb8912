"""Addresses of the pages: what stands in one, and what is read from it."""

import re
from collections.abc import Mapping
from urllib.parse import parse_qsl, urlencode

_LONGEST_NUMBER = 9
_PAGE_OF_OURS = re.compile(r"/(?!/)[!-\[\]-~]{0,2000}")
"""A path in printable ASCII: `//host` and a backslash would lead elsewhere, a line break into the headers."""


def filled(named: Mapping[str, object]) -> dict[str, str]:
    """What of it stands in an address: nothing empty."""
    return {name: str(value) for name, value in named.items() if value}


def address(path: str, named: Mapping[str, object]) -> str:
    """The page at `path` that asks for that."""
    chosen = urlencode(filled(named))
    return f"{path}?{chosen}" if chosen else path


def follow(headers: Mapping[str, str], to: str, words: str) -> str:
    """The header by which the address bar follows a filter to that address.

    A filter is a step that one may want to take back; a letter, in the field called `words`, is none.
    """
    at = headers.get("HX-Current-URL")
    is_letter = at is not None and _choices(at, words) == _choices(to, words)
    return "HX-Replace-Url" if is_letter else "HX-Push-Url"


def _choices(at: str, words: str) -> dict[str, str]:
    asked = at.partition("#")[0].partition("?")[2]
    return {name: value for name, value in parse_qsl(asked) if name != words}


def page_of_ours(path: str) -> str:
    """A page of ours, or nothing."""
    return path if _PAGE_OF_OURS.fullmatch(path) else ""


def number(asked: Mapping[str, str], name: str, most: int, otherwise: int = 0) -> int:
    """A small number from an address, `most` at most; whatever else stands there counts as not given."""
    text = asked.get(name, "")
    is_number = text.isascii() and text.isdecimal() and len(text) <= _LONGEST_NUMBER
    return min(int(text), most) if is_number else otherwise
