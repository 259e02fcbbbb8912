"""References to code as a page groups them: by their repository, or by their file, where they say which."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from urllib.parse import urlsplit

_OF_REPOSITORY = re.compile(r"(?P<repository>[\w.-]+/[\w.-]+)[#@!](?P<rest>[\w./-]+)")
_IN_FILE = re.compile(r"(?P<file>[^\s:#]+\.\w+)(?::\d+(?:[:-]\d+)*|#L\d+(?:-L?\d+)?)")
_FEW_PARTS = 2


@dataclass(frozen=True, slots=True)
class Reference:
    """One reference, as it was written; `link` is its address when it is one."""

    text: str
    link: str


@dataclass(frozen=True, slots=True)
class Place:
    """References to the same repository or file; `name` is empty for those that stand alone."""

    name: str
    references: Sequence[Reference]


def grouped(written: Iterable[str]) -> list[Place]:
    """The references by what they refer to: first those that share it with no other, then the others by their place."""
    by_name: dict[str, list[Reference]] = {}
    for text in dict.fromkeys(written):
        by_name.setdefault(_place(text), []).append(Reference(text, _link(text)))
    alone = [each for name, those in by_name.items() if not name or len(those) == 1 for each in those]
    shared = [Place(name, those) for name, those in by_name.items() if name and len(those) > 1]
    return [Place("", alone), *shared] if alone else shared


def _place(text: str) -> str:
    """The repository or the file that a reference names; empty when it is not obvious."""
    if link := _link(text):
        address = urlsplit(link)
        parts = [part for part in address.path.split("/") if part]
        return "/".join(parts[:_FEW_PARTS]) if len(parts) >= _FEW_PARTS else address.netloc
    if found := _OF_REPOSITORY.fullmatch(text):
        return found["repository"]
    if found := _IN_FILE.fullmatch(text):
        return found["file"]
    return text if re.fullmatch(r"[^\s:#]+\.\w+", text) else ""


def _link(text: str) -> str:
    try:
        address = urlsplit(text)
    except ValueError:
        return ""
    return text if address.scheme in {"http", "https"} and address.netloc and not re.search(r"\s", text) else ""
