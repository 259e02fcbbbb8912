"""Who holds what one alone holds, as facts tell it: who is the lead, answers for something, or is on call."""

import re
from functools import lru_cache

from bigmind.text.antonyms import GROUPS, PERSONAL_ROLES, UNIQUE_ROLES
from bigmind.text.comparison.person import has_another_home_or_name
from bigmind.text.lazy_pattern import lazy_pattern
from bigmind.text.similarity import LAST_READ, is_somebody, roots, statement_of

MOST_HOLDER = 3
"""Words of who or what holds a role of which there is one."""

_HOLDS = lazy_pattern(r"\s(?:is|are|ist|est) (?:(?:now|jetzt|nun|désormais|maintenant) )?(?:the|der|die|das|le|la)\s")
_ANSWERS_FOR = lazy_pattern(
    r"\s(?:(?:is|are|ist|est)\s(?=(?:\S+ ){0,8}"
    r"(?:responsible|accountable|in charge|verantwortlich|zuständig|responsable)\b)"
    r"|(?:owns|leads|leitet|verantwortet|dirige)\s)"
)
_NO_ROLE = lazy_pattern(
    # "leads to", "owns a laptop", "for its own alerts", "leitet … weiter", "responsible for the outage"
    r"leads to\s|(?:owns|leads|leitet|dirige) (?:an?|its|their|his|her|eine?n?|seine?n?|ihre?n?|une?|son|sa|ses)\s"
    r"|\b(?:its|their|his|her|ihre?[nr]?|seine?[nr]?) own\b|\beigene[nrs]?\b"
    r"|leitet\s.{0,200}\b(?:weiter\b|(?:an|ab|um|ein)[.!]?$)|leitet \w{1,40} an\s"
    r"|responsible for\s.{0,100}\b(?:spikes?|crash(?:es)?|outages?|leaks?|slowdowns?|downtimes?|loss)[.!]?$"
    r"|\b(?:also|too|jointly|together|as well|auch|ebenfalls|gemeinsam|aussi|également|ensemble)\b"
)
"""What is no role of which there is one: what is caused, owned like a laptop, each one's own, or shared."""
_OF = lazy_pattern(r"\s(?:of|for|in|at|von|für|im|de|du)\s")
_THIS_TIME = lazy_pattern(
    r",?\s*\(?\b(?:this (?:week|month|sprint|time)|today|right now|diese woche|heute|cette semaine|aujourd'hui)\b\)?",
    re.IGNORECASE,
)
_ON_CALL = r"on[- ]call(?:[- ](?:engineer|person|developer|duty))?|(?:ruf)?bereitschaft"
_NOW = "(?:now |currently |gerade |jetzt )?"
_HAS_SHIFT = lazy_pattern(
    rf"(?P<who>.{{1,60}}?) (?:is|has|ist|hat) {_NOW}(?:the )?(?P<shift>(?:{_ON_CALL})\b.*)$",
    re.IGNORECASE,
)
_SHIFT_FIRST = lazy_pattern(
    rf"(?:the |our )?(?P<what>(?:{_ON_CALL})\b[^:]{{0,60}}?)(?: (?:is|ist|hat)|:) {_NOW}(?P<who>[^:]+)$",
    re.IGNORECASE,
)
_ROLE_FIRST = lazy_pattern(
    rf"(?:the |our |der |die |le |la )?(?P<what>[^:;,]{{1,80}}?) (?:is|ist|est) {_NOW}(?P<who>[^:;,]+)$",
    re.IGNORECASE,
)
_GROUPS, _ROLES = roots(GROUPS), roots(UNIQUE_ROLES)
_NOW_ON = roots(("now", "jetzt", "nun", "desormais", "maintenant"))
_PERSONS = roots(UNIQUE_ROLES & PERSONAL_ROLES)
_DUTY = roots(("engineer", "person", "developer", "duty"))


def has_another_holder(one: str, other: str) -> bool:
    """Whether "Jana is the lead of the shop" stands against "Maria is …", or one home of a person against another."""
    (holder, role), (another, same) = _holding(one), _holding(other)
    is_another = bool(role) and role == same and not holder & another
    return is_another or has_another_home_or_name(one, other)


@lru_cache(LAST_READ)
def _holding(text: str) -> tuple[frozenset[str], frozenset[str]]:
    """Who or what a fact says to be the one that is something, or to answer for it, and what that is."""
    text = _person_first(text)
    holder, shift = _shift(text)
    if holder and shift:
        return holder, shift
    is_answering = _ANSWERS_FOR.search(text)
    if is_answering:
        parts = [text[: is_answering.start()], text[is_answering.start() :]]
        is_one = is_somebody(parts[0]) and _NO_ROLE.search(parts[1]) is None and not statement_of(text).denies
    else:
        parts = [*_HOLDS.split(text.casefold(), maxsplit=1), ""][:2]
        is_one = not _ROLES.isdisjoint(statement_of(_OF.split(parts[1], maxsplit=1)[0]).words)
    holder, role = frozenset(statement_of(parts[0]).words), frozenset(statement_of(parts[1]).words) - _NOW_ON
    holder = holder - _GROUPS or holder
    is_told = is_one and 0 < len(holder) <= MOST_HOLDER and len(role) > 1
    return holder, role if is_told else frozenset()


def _person_first(text: str) -> str:
    """A fact that names what is held before who holds it, the other way round: "Mira is the owner of billing"."""
    bare = _THIS_TIME.sub("", text).strip(" .")
    if (found := _SHIFT_FIRST.match(bare)) is not None and _is_name(found["who"]):
        return f"{found['who']} is {found['what']}"
    found = _ROLE_FIRST.match(bare)
    if found is None or not _is_name(found["who"]):
        return bare
    head = statement_of(_OF.split(found["what"], maxsplit=1)[0]).words
    return f"{found['who']} is the {found['what']}" if head and head[-1] in _PERSONS else bare


def _is_name(text: str) -> bool:
    """Whether it names somebody, and not how something is: "handed over on Mondays", "tired"."""
    return is_somebody(text) and (not text.islower() or not _GROUPS.isdisjoint(statement_of(text).words))


def _shift(text: str) -> tuple[frozenset[str], frozenset[str]]:
    """Who is on call, and for what and when; nobody where a fact does not say so of one."""
    found = _HAS_SHIFT.match(text)
    if found is None or not is_somebody(found["who"]) or _NO_ROLE.search(text) or statement_of(text).denies:
        return frozenset(), frozenset()
    told = statement_of(found["shift"])
    return frozenset(statement_of(found["who"]).words) - _GROUPS, frozenset((*told.words, *told.numbers)) - _DUTY
