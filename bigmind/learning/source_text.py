"""One source as text: bounded, without what BigMind itself wrote into it, and without secrets."""

import os
import re
import stat
from dataclasses import dataclass, field

from bigmind.core.plain_text import clean
from bigmind.learning.sources import MOST_BYTES, Source
from bigmind.memory.context.instructions import FIRST_LINE, LAST_LINE, LONGEST_RULES
from bigmind.text.lazy_pattern import lazy_pattern

_OURS = lazy_pattern(r"<!-- BEGIN BIGMIND\b.*?(?:<!-- END BIGMIND -->|\Z)", re.DOTALL)
_OUR_RULES = lazy_pattern(  # of whatever offer and version
    rf"{re.escape(FIRST_LINE)}.{{0,{LONGEST_RULES}}}?{re.escape(LAST_LINE)}", re.DOTALL
)
_OUR_HEADING = lazy_pattern(r"^#+ Long-term memory: BigMind[ \t]*$", re.MULTILINE)
_FRONT = lazy_pattern(r"\A---[ \t]*\r?\n(.*?)^---[ \t]*$", re.DOTALL | re.MULTILINE)
_FIELD = lazy_pattern(r"^[ \t]*(name|description|type|globs|applyTo|paths)[ \t]*:[ \t]*(\S.*?)[ \t]*$", re.MULTILINE)
_EVERYWHERE = frozenset({"*", "**", "**/*"})


@dataclass(frozen=True, slots=True)
class Document:
    """What a source says.

    Attributes:
        source: the file.
        text: Markdown; what was taken out left its empty lines, so that lines are counted as in the file.
        fields: of its front matter those that mean something here.
    """

    source: Source
    text: str
    fields: dict[str, str] = field(default_factory=dict[str, str])

    @property
    def holds_for(self) -> str:
        """The files that its words are about; empty for all."""
        named = self.fields.get("globs") or self.fields.get("applyTo") or self.fields.get("paths") or ""
        return "" if named in _EVERYWHERE else named


def document_of(source: Source) -> Document | str:
    """What a source says, or why it cannot be learnt from, as the end of a sentence that begins with it."""
    if source.left:
        return source.left
    try:
        content = _bytes_of(source)
    except OSError as error:
        return f"it cannot be read ({error.strerror})"
    text = _decoded(content)
    return "it is no text" if text is None else parsed(source, text)


def parsed(source: Source, text: str) -> Document:
    """A text as what a source says, secrets masked."""
    from bigmind.secrets.masking import mask  # noqa: PLC0415 - its rules are loaded when something is learnt

    text = clean(text).replace("\r\n", "\n").replace("\r", "\n")
    text = _without_ours(text)
    masked = mask(text).text
    front = _FRONT.match(masked)
    if front is None:
        return Document(source, masked)
    fields = {found[1]: found[2].strip("\"'")[:300] for found in _FIELD.finditer(front[1])}
    return Document(source, _emptied(front) + masked[front.end() :], fields)


def _without_ours(text: str) -> str:
    text = _OUR_RULES.sub(_emptied, _OURS.sub(_emptied, text))
    return _OUR_HEADING.sub("", text)


def _emptied(found: re.Match[str]) -> str:
    return "\n" * found[0].count("\n")


def _bytes_of(source: Source) -> bytes:
    """The bytes of a file that is what it was when it was found."""
    flags = os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0)
    handle = os.open(source.path, flags)
    with os.fdopen(handle, "rb") as file:
        if not stat.S_ISREG(os.fstat(handle).st_mode):
            raise OSError(0, "no ordinary file")
        return file.read(MOST_BYTES)


def _decoded(content: bytes) -> str | None:
    is_wide = content.startswith((b"\xff\xfe", b"\xfe\xff"))
    try:
        text = content.decode("utf-16" if is_wide else "utf-8-sig")
    except UnicodeDecodeError:
        return None
    return None if "\x00" in text else text
