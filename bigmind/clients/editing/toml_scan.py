"""Where the statements of a TOML text stand, which no reader of TOML tells. The text has been parsed before."""

import re
import tomllib
from dataclasses import dataclass
from typing import Any, Final

from bigmind.clients.editing.file_text import line_end, wrong
from bigmind.clients.editing.flow import Flow, Member
from bigmind.clients.parts import Steps

_STRING = r"\"\"\"(?:\\.|[^\\])*?\"\"\"\"{0,2}|'''.*?''''{0,2}|\"(?:\\.|[^\"\\\r\n])*\"|'[^'\r\n]*'"
_TRIVIA = re.compile(r"(?:[ \t\r\n]+|#[^\r\n]*)*")
_SPACE = re.compile(r"[ \t]*")
_KEY = re.compile(r"(?:[A-Za-z0-9_-]+|\"(?:\\.|[^\"\\\r\n])*\"|'[^'\r\n]*'|[ \t]*\.[ \t]*)+")
_SCALAR = re.compile(_STRING + r"|[^\s,\[\]{}#\"']+(?: \d[^\s,\]}#]*)?", re.DOTALL)
_BARE = re.compile(r"[A-Za-z0-9_-]+(?:\.[A-Za-z0-9_-]+)*")
DEEPEST: Final = 200


@dataclass(frozen=True, slots=True)
class Statement:
    """A header or a pair.

    Attributes:
        path: all keys that lead to it from the top, those of its header too.
        start: where it begins.
        value: where a pair's value begins; `end` for a header.
        end: past it, before a comment.
        header: 0 for a pair, 1 for `[table]`, 2 for `[[element]]`.
        under: the path of the header over a pair.
    """

    path: Steps
    start: int
    value: int
    end: int
    header: int
    under: Steps


def statements(body: str) -> list[Statement]:
    """All of them, in the order of the text."""
    found: list[Statement] = []
    under: Steps = ()
    here = _past(_TRIVIA, body, 0)
    while here < len(body):
        one = _header(body, here) if body[here] == "[" else _pair(body, here, under)
        under = one.path if one.header else under
        found.append(one)
        here = _past(_TRIVIA, body, one.end)
    return found


def _header(body: str, start: int) -> Statement:
    brackets = 2 if body.startswith("[[", start) else 1
    path, end = _key(body, _past(_SPACE, body, start + brackets))
    end = _past(_SPACE, body, end)
    if not body.startswith("]" * brackets, end):
        raise wrong(body, end, "the bracket of the header is not closed")
    return Statement(path, start, end + brackets, end + brackets, brackets, path)


def _pair(body: str, start: int, under: Steps) -> Statement:
    path, value = _key_of_pair(body, start)
    return Statement(under + path, start, value, _end(body, value, 0), 0, under)


def _key_of_pair(body: str, start: int) -> tuple[Steps, int]:
    """The keys of a pair and where its value begins."""
    path, end = _key(body, start)
    equals = _past(_SPACE, body, end)
    if not body.startswith("=", equals):
        raise wrong(body, equals, "an equals sign is expected after the key")
    return path, _past(_TRIVIA, body, equals + 1)


def _key(body: str, start: int) -> tuple[Steps, int]:
    found = _KEY.match(body, start)
    if not found:
        raise wrong(body, start, "a key is expected")
    written = found[0].rstrip(" \t")
    if written.count(".") > DEEPEST:
        raise wrong(body, start, f"this key is nested more than {DEEPEST} deep")
    if _BARE.fullmatch(written):
        return tuple(written.split(".")), start + len(written)
    try:
        data: Any = tomllib.loads(f"{written} = 0")
    except tomllib.TOMLDecodeError as error:
        raise wrong(body, start, "this key is not understood") from error
    path: Steps = ()
    while isinstance(data, dict):
        ((key, data),) = data.items()  # pyright: ignore[reportUnknownVariableType, reportUnknownMemberType]
        path = (*path, str(key))  # pyright: ignore[reportUnknownArgumentType]
    return path, start + len(written)


def _end(body: str, value: int, depth: int) -> int:
    if body.startswith(("[", "{"), value):
        return flow_at(body, value, value, depth).end
    found = _SCALAR.match(body, value)
    if not found:
        raise wrong(body, value, "a value is expected")
    return found.end()


def flow_at(body: str, index: int, opening: int, depth: int = 0) -> Flow:
    """What stands between the bracket at the index and the one that closes it. Dotted keys have no key here."""
    if depth > DEEPEST:
        raise wrong(body, index, f"the values are nested more than {DEEPEST} deep")
    closing = "}" if body[index] == "{" else "]"
    members: list[Member] = []
    here = _past(_TRIVIA, body, index + 1)
    while not body.startswith(closing, here):
        path, value = _key_of_pair(body, here) if closing == "}" else ((), here)
        end = _end(body, value, depth + 1)
        rest = _past(_TRIVIA, body, end)
        comma = rest if body.startswith(",", rest) else None
        if comma is None and not body.startswith(closing, rest):
            raise wrong(body, rest, f"a comma or {closing!r} is expected")
        members.append(Member(path[0] if len(path) == 1 else None, here, value, end, comma))
        here = rest if comma is None else _past(_TRIVIA, body, comma + 1)
    return Flow(opening, index, here + 1, members)


def past_comments(body: str, end: int) -> int:
    """The end of the line of a statement, and of the comment lines right under it that belong to nothing else."""
    last = line_end(body, end)
    for found in re.compile(r"(?:\r\n|\n)([^\r\n]*)").finditer(body, last):
        line = found[1].strip()
        if not line:
            break
        if not line.startswith("#"):
            return line_end(body, end)
        last = found.end()
    return last


def _past(pattern: re.Pattern[str], body: str, index: int) -> int:
    found = pattern.match(body, index)
    return found.end() if found else index
