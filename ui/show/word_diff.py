"""What an edit changes, word for word: stretches that stay, go and come, for `del` and `ins` elements."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from typing import Literal

MOST_WORDS = 3_000
"""Beyond so many words a changed passage is shown as gone and come as a whole: comparing them would take seconds."""

AROUND = 160
"""Characters of what stays that are shown on each side of a change."""

_WORD = re.compile(r"\s*\S+|\s+")

Kind = Literal["same", "gone", "new"]


@dataclass(frozen=True, slots=True)
class Stretch:
    """A part of a text: in both, only in the one before, or only in the one after."""

    kind: Kind
    text: str


def difference(before: str, after: str) -> list[Stretch]:
    """What becomes of a text: all that goes and comes, and a little of what stays around it; nothing when it is equal.

    Args:
        before: the text as it is.
        after: the text as it would be.
    """
    if before == after:
        return []
    found = list(_joined(_compared(before.splitlines(keepends=True), after.splitlines(keepends=True))))
    return [_short(each, is_first=place == 0, is_last=place == len(found) - 1) for place, each in enumerate(found)]


def _compared(before: Sequence[str], after: Sequence[str]) -> Iterator[Stretch]:
    """By lines first; what is another passage is then compared by its words."""
    for tag, start, end, begin, stop in SequenceMatcher(None, before, after).get_opcodes():
        gone, new = "".join(before[start:end]), "".join(after[begin:stop])
        if tag == "replace":
            yield from _by_words(gone, new)
        else:
            yield from _both(gone if tag != "insert" else "", new if tag != "delete" else "", is_same=tag == "equal")


def _by_words(before: str, after: str) -> Iterator[Stretch]:
    words, others = _WORD.findall(before), _WORD.findall(after)
    if max(len(words), len(others)) > MOST_WORDS:
        yield from _both(before, after, is_same=False)
        return
    for tag, start, end, begin, stop in SequenceMatcher(None, words, others).get_opcodes():
        yield from _both("".join(words[start:end]), "".join(others[begin:stop]), is_same=tag == "equal")


def _both(gone: str, new: str, *, is_same: bool) -> Iterator[Stretch]:
    if is_same:
        yield Stretch("same", gone)
        return
    if gone:
        yield Stretch("gone", gone)
    if new:
        yield Stretch("new", new)


def _joined(stretches: Iterator[Stretch]) -> Iterator[Stretch]:
    """Neighbours of one kind as one."""
    last: Stretch | None = None
    for each in stretches:
        if last is not None and last.kind == each.kind:
            last = Stretch(last.kind, last.text + each.text)
            continue
        if last is not None:
            yield last
        last = each
    if last is not None:
        yield last


def _short(stretch: Stretch, *, is_first: bool, is_last: bool) -> Stretch:
    """What stays, without its middle; at the ends of the text without what lies further off."""
    text = stretch.text
    if stretch.kind != "same" or len(text) <= 2 * AROUND:
        return stretch
    head, tail = "" if is_first else text[:AROUND], "" if is_last else text[-AROUND:]
    return Stretch("same", f"{head} … {tail}")
