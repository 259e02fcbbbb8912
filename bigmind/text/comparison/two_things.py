"""Whether two facts that look like one sentence speak of two things: of staging and production, of what two deeds."""

from bigmind.text.antonyms import HAVING, WANTED, WHICH_OF_TWO
from bigmind.text.lazy_pattern import lazy_pattern
from bigmind.text.similarity import root, roots, statement_of, tokens_of

_DEED = lazy_pattern(
    r"\s(?:is|are|was|were)\s(?:now\s|always\s)?(?P<deed>\w{2,}(?:ed|en|wn|lt|nt)|made|done|run|kept|set|read) by\s"
)
_IS, _WHICH, _PLACES = root("is"), roots(WHICH_OF_TWO), roots(("staging", "production"))
_BEGINNING = 4
"""Letters that forms of one verb share."""


def speak_of_two(one: str, other: str) -> bool:
    """Whether they say the same of two things, or of one that two do two things to it."""
    return _begin_apart(one, other) or _are_two_deeds(one, other)


def _begin_apart(one: str, other: str) -> bool:
    """Whether all that differs is which of two begins them: "staging uses PostgreSQL", "dark themes are tested"."""
    words, others = statement_of(one).words, statement_of(other).words
    if len(words) < 3 or len(others) < 3 or words[1:] != others[1:]:  # noqa: PLR2004 - which, of what, and what of it
        return False
    if not {words[0], others[0]} <= _WHICH or not WANTED.isdisjoint(tokens_of(one)):
        return False
    return words[1] != _IS or {words[0], others[0]} <= _PLACES


def _are_two_deeds(one: str, other: str) -> bool:
    """Whether what is done differs: invoices are sent by the one, and approved by the other."""
    found = [_DEED.search(each.casefold()) for each in (one, other)]
    deeds = [each["deed"] for each in found if each is not None]
    if len(deeds) < len(found) or not HAVING.isdisjoint(deeds):
        return False
    return deeds[0][:_BEGINNING] != deeds[1][:_BEGINNING]
