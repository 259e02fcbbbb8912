"""Our words between two markers in a text that may hold the person's own.

The block is put after the last line that is not empty, with two line breaks before it and none after. So what ends the
text (a line break, several, none) ends it still, and taking out the block and two line breaks before it gives back the
text as it was, whatever that ended with. Markers in a code fence are an example in somebody's words, and no block.
"""

import re
from typing import Final

from bigmind.clients.editing.file_text import BOM, after_break, before_break, line_ending, wrong

BEGIN: Final = "<!-- BEGIN BIGMIND v1 -->"
END: Final = "<!-- END BIGMIND -->"
_FENCE = re.compile(r"(?:^|(?<=[\r\n])) {0,3}(?P<fence>`{3,}(?![^\r\n]*`)|~{3,})(?P<info>[^\r\n]*)")
_MARKER = re.compile(
    r"(?:^|(?<=[\r\n]))[ \t]*(?P<word><!-- (?:BEGIN BIGMIND v\d+|END BIGMIND) -->)(?=[ \t]*(?:[\r\n]|$))"
)


def with_block(text: str, block: str) -> str:
    """The text with the block: in place of the one that is there, of whatever version, else at its end.

    Raises:
        NotParsedError: the markers in the text, or in the words of the block, are not one pair.
    """
    if inside := _MARKER.search(block):
        raise wrong(block, inside.start("word"), "a marker stands within the words of the block")
    newline = line_ending(text)
    words = newline.join([BEGIN, *block.strip("\r\n").splitlines(), END])
    found = _found(text)
    if found:
        return text[: found[0]] + words + text[found[1] :]
    body = text.removeprefix(BOM)
    at = len(body.rstrip("\r\n"))
    start = text[: len(text) - len(body)]
    return start + (body[:at] + newline * 2 + words + body[at:] if at else words + newline + body)


def without_block(text: str) -> str:
    """The text without the block and without the line breaks that came with it; the same text where there is none.

    Raises:
        NotParsedError: as in `with_block`.
    """
    found = _found(text)
    if not found:
        return text
    start, end = found
    if not text[:start].removeprefix(BOM):
        return text[:start] + text[after_break(text, end) :]
    return text[: before_break(text, before_break(text, start))] + text[end:]


def block_of(text: str) -> str | None:
    """The words between the markers, their lines parted by line feeds; None where there is no block.

    Raises:
        NotParsedError: as in `with_block`.
    """
    found = _found(text)
    return "\n".join(text[slice(*found)].splitlines()[1:-1]) if found else None


def _found(text: str) -> tuple[int, int] | None:
    """Where the block begins and ends, its markers included."""
    body = text.removeprefix(BOM)
    markers = _markers(body)
    begin: re.Match[str] | None = None
    end: re.Match[str] | None = None
    for marker in markers:
        where = marker.start("word")
        begins = marker["word"] != END
        if begins and end:
            raise wrong(body, where, "a second BigMind block begins here")
        if begins and begin:
            raise wrong(body, where, "a BigMind block begins within another")
        if not begins and (end or not begin):
            raise wrong(body, where, "a BigMind block ends here that has not begun")
        begin, end = (marker, end) if begins else (begin, marker)
    if begin and not end:
        raise wrong(body, begin.start("word"), f"this BigMind block has no end: {END!r} is missing")
    skipped = len(text) - len(body)
    return (begin.start("word") + skipped, end.end() + skipped) if begin and end else None


def _markers(body: str) -> list[re.Match[str]]:
    """The markers that stand in no code fence."""
    found = list(_MARKER.finditer(body))
    fenced = _fenced(body) if found else []
    return [each for each in found if not any(start < each.start("word") < stop for start, stop in fenced)]


def _fenced(body: str) -> list[tuple[int, int]]:
    """Where code fences begin and end; one that nobody closed holds nothing, or it would hide our block at the end."""
    found: list[tuple[int, int]] = []
    opening: re.Match[str] | None = None
    for mark in _FENCE.finditer(body):
        if opening is None:
            opening = mark
        elif mark["fence"].startswith(opening["fence"]) and not mark["info"].strip():
            found.append((opening.start(), mark.end()))
            opening = None
    return found
