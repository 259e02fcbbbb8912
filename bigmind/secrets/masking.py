"""Masks secrets: every character of one is replaced by a placeholder that says what stood there.

What is found: the common vendors' tokens by their form, private keys, JSON Web Tokens, passwords in URLs, authorization
headers, and values that a word or a phrase gives away (`password: …`, `the password for staging is …`); tokens also
with invisible characters in them, or in wide letters. What is not: a secret cut in pieces, encoded or encrypted, and a
word of a language standing bare behind `password:`, which no rule can tell from prose.
"""

import re
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from bigmind.secrets.findings import Certainty, Finder, Finding, merged, replaced
from bigmind.secrets.forms import format_findings
from bigmind.secrets.keywords import keyword_findings
from bigmind.secrets.libraries import library_finders
from bigmind.secrets.readable import readable
from bigmind.text.lazy_pattern import lazy_pattern

_PLACEHOLDER = lazy_pattern(r"\[masked: (?:[A-Za-z0-9]{1,24}(?: |(?=\]))){1,8}\]")
_SEPARATOR = "\x1f"  # a space to every rule, and neither a line's end nor part of a pair
_ROUNDS = 8
SHORT, MOST_CLEAN = 80, 4_096
"""Up to how many characters a text without secrets is known again, and how many are: categories, names, reasons come
over and over."""
_LEAST_REPEATED = 8
_MOST_REPEATED = 50
_TELLING = lazy_pattern(r"(?=.*\d)(?=.*[^\W\d_])")
_clean: set[str] = set()
# Rules are compiled when a text first needs them; these lines need the widest ones.
_WARMING = """partition key: customer_2024_q3
password: 'hunter2-xk'
https://ada:s3cr3tpw@db.internal
Bearer b4 AKIA ghp_ sk- eyJ -----BEGIN
"""


class MaskedText(NamedTuple):
    """A text without its secrets, and what kinds were in it: human words, each once, in order."""

    text: str
    kinds: tuple[str, ...]


def mask(text: str) -> MaskedText:
    """Replace each secret by a placeholder such as `[masked: GitHub token]`.

    Masking twice is masking once. A text without secrets comes back as the same object. Takes any text, in time linear
    in its length, from any thread; asks no network.
    """
    if len(text) > SHORT:
        return mask_with(finders(), text)
    if text in _clean:
        return MaskedText(text, ())
    found = mask_with(finders(), text)
    if not found.kinds:  # nothing that held a secret is kept
        if len(_clean) >= MOST_CLEAN:
            _clean.clear()
        _clean.add(text)
    return found


def warm() -> None:
    """Load the rules that every text needs: 0.1 s and 8 MB, which the first calls of `mask` would spend otherwise."""
    first, *_ = library_finders()  # the other one is large, and loaded when a text may hold what it knows
    mask_with((format_findings, keyword_findings, first), _WARMING)


def finders() -> tuple[Finder, ...]:
    """Every finder of this installation."""
    return (format_findings, keyword_findings, *library_finders())


def mask_with(used: Sequence[Finder], text: str) -> MaskedText:
    """`mask` with finders of the caller's choice.

    What was masked may have hidden something beside it from a rule, so the text is looked at until nothing is found.
    """
    kinds: set[str] = set()
    for _ in range(_ROUNDS):
        found = secrets_of(used, text)
        if not found:
            break
        kinds.update(finding.kind for finding in found)
        text = replaced(text, found, "[masked: {}]".format)
    return MaskedText(text, tuple(sorted(kinds)))


def secrets_of(used: Sequence[Finder], text: str) -> list[Finding]:
    """The secrets of a text in order, apart from each other and from the placeholders of earlier ones."""
    visible = _PLACEHOLDER.sub(lambda known: _SEPARATOR * len(known[0]), text)
    found = [finding for finder in used for finding in finder(visible)] + _disguised(used, visible)
    if not found:
        return found
    if visible is not text:
        known = [match.span() for match in _PLACEHOLDER.finditer(text)]
        found = _beside(found, known)
    return merged([*found, *_repeated(visible, found)])


def _disguised(used: Sequence[Finder], text: str) -> list[Finding]:
    """What is a secret by its form, as the text is read; the words beside it say less where others are disguised."""
    if (read := readable(text)) is None:
        return []
    found = [finding for finder in used for finding in finder(read.text) if finding.certainty is Certainty.FORM]
    return [Finding(*read.span(each.start, each.end), each.kind, each.certainty) for each in found]


def _beside(found: Iterable[Finding], known: Sequence[tuple[int, int]]) -> list[Finding]:
    """The findings that touch no placeholder; both are in order, so one pass does."""
    apart: list[Finding] = []
    place = 0
    for finding in sorted(found, key=lambda one: one.start):
        while place < len(known) and known[place][1] <= finding.start:
            place += 1
        if place == len(known) or known[place][0] >= finding.end:
            apart.append(finding)
    return apart


def _repeated(text: str, found: Iterable[Finding]) -> Iterable[Finding]:
    """The same values where nothing gives them away: a password that is set in one line and used in the next."""
    values = {text[finding.start : finding.end]: finding for finding in found}
    telling = [value for value in values if len(value) >= _LEAST_REPEATED and _TELLING.match(value)]
    for value in sorted(telling)[:_MOST_REPEATED]:
        for match in re.finditer(rf"(?<!\w){re.escape(value)}(?!\w)", text):
            yield Finding(*match.span(), values[value].kind, values[value].certainty)
