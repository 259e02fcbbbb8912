"""Session logs and QA reports: which run each is of, and whether a log says something under each heading."""

import hashlib
import re
from collections.abc import Iterator, Sequence

RUN_NAME = re.compile(r"\b\d{4}-\d{2}-\d{2}-session-\d{2,6}\b")
_STARTED = re.compile(r"starting[ _-]?commit[^0-9A-Za-z\n]*([0-9a-fA-F]{7,64})\b", re.IGNORECASE)
_TREE = re.compile(r"\btree[^0-9A-Za-z\n]{1,4}([0-9a-f]{16,64})\b", re.IGNORECASE)
_HEADING = re.compile(r"(#{1,6})[ \t]+(.*?)[ \t#]*$")
_FENCE = re.compile(r"[ \t]*(```|~~~)")
_WORD = re.compile(r"\w")


def run_named(text: str) -> str:
    """The run that a text names first; empty where it names none."""
    found = RUN_NAME.search(text)
    return found.group() if found else ""


def starting_commit_in(text: str) -> str:
    """The starting commit that a log states (`Starting commit: 1a2b3c4`), in small letters; empty where it does not."""
    found = _STARTED.search(text)
    return found.group(1).lower() if found else ""


def trees_in(text: str) -> list[str]:
    """The digests of trees that a report names (`tree: …`)."""
    return _TREE.findall(text)


def content_digest(text: str) -> str:
    """SHA-256 of a text, white space aside, in hexadecimal."""
    return hashlib.sha256(" ".join(text.split()).encode()).hexdigest()


def headings(template: str) -> list[str]:
    """The headings that a log has to have: those of its template below the title, or all where it has one level."""
    found = [(level, name) for level, name, _ in _sections(template) if name]
    below = [name for level, name in found if level > 1]
    return below or [name for _, name in found]


def missing_headings(log: str, template: str) -> list[str]:
    """The headings of the template that a log does not have."""
    there = {_folded(name) for _, name, _ in _sections(log)}
    return [each for each in headings(template) if _folded(each) not in there]


def empty_headings(log: str, template: str) -> list[str]:
    """The headings of the template under which a log has no words of its own: none that the template has not too."""
    given = {_folded(line) for line in template.splitlines()}
    said: dict[str, bool] = {}
    for _, name, lines in _sections(log):
        own = any(_WORD.search(line) and _folded(line) not in given for line in lines)
        said[_folded(name)] = said.get(_folded(name), False) or own
    return [each for each in headings(template) if not said.get(_folded(each), False)]


def words_under(log: str, *names: str) -> str:
    """What a log says under the first heading that holds one of these words; empty where it has none."""
    for _, heading, lines in _sections(log):
        if any(each in heading.casefold() for each in names):
            return "\n".join(lines).strip()
    return ""


def _folded(text: str) -> str:
    return " ".join(text.split()).casefold()


def _sections(text: str) -> Iterator[tuple[int, str, Sequence[str]]]:
    """The sections of a Markdown text: the level and name of each heading, and the lines up to the next one."""
    level, name, lines, fence = 0, "", list[str](), ""
    for line in text.splitlines():
        mark = _FENCE.match(line)
        if mark and fence in {"", mark.group(1)}:
            fence = "" if fence else mark.group(1)
        heading = None if fence or mark else _HEADING.match(line)
        if heading is None:
            lines.append(line)
            continue
        yield level, name, lines
        level, name, lines = len(heading.group(1)), heading.group(2).strip(), []
    yield level, name, lines
