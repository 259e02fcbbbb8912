"""What a fact says of all of a project without naming a subject: "we moved to Node 22", "wir laufen jetzt mit Vitest".

Beside an older fact of the same thing ("the shop runs on Node 20") it is asked about; whether that one is meant, the
words do not tell. Only whole sentences are read so: behind "we moved to Kafka for orders" something else stays.
"""

from collections.abc import Sequence
from functools import lru_cache
from itertools import pairwise
from typing import NamedTuple

from bigmind.text.antonyms import FAMILIES, NUMBERED_THINGS, SINGLE_CHOICES, UNITS
from bigmind.text.lazy_pattern import lazy_pattern
from bigmind.text.similarity import LAST_READ, root, roots, statement_of

_MOST_READ = 200
"""Characters of a fact that are read: what is longer names its subject."""
_NAME, _NUMBER = r"[a-z][a-z+#]{1,30}", r"v?(?P<number>\d+(?:\.\d+)*)"
_END = (
    r"(?:,? (?:now|jetzt|inzwischen|lts|everywhere|überall))*(?:,? (?:because|since|weil|wegen|after|nach)\b.*)?[.!]?"
)
_CHANGED = lazy_pattern(
    rf"(?:we (?:have |had to )?(?:moved|migrated|switched|upgraded|updated|went|rolled|downgraded|moving)(?: back)? to"
    rf"|we (?:are|run) (?:now )?on|we now (?:use|run)(?: on)?"
    r"|wir (?:sind|laufen|nutzen|verwenden)(?: jetzt)?(?: auf| bei)?"
    rf"|nous (?:sommes passés|avons migré) (?:à|vers)) "
    rf"(?P<name>{_NAME}) (?:version )?{_NUMBER}(?: (?:umgestiegen|gewechselt|gegangen))?{_END}"
    rf"|(?:we )?(?:have )?(?:upgraded|updated|bumped|downgraded|moved) (?P<ours>{_NAME}) to (?:version )?"
    rf"{_NUMBER.replace('number', 'to')}{_END}"
    rf"|(?P<itself>{_NAME}) (?:(?:was |is |has been )?(?:upgraded|updated|bumped|downgraded) to|(?:is|runs) (?:now )?"
    rf"(?:(?:on|at) )?version|(?:is|runs) (?:now )?(?:on|at)|läuft jetzt auf) (?:version )?"
    rf"{_NUMBER.replace('number', 'at')}{_END}"
)
_IN_USE = lazy_pattern(
    r"\b(?:use|uses|using|run|runs|on|keep|nutzt|nutzen|verwendet|verwenden|läuft auf|laufen auf|utilise|utilisons)"
    rf" (?:the )?(?P<name>{_NAME})(?:\.js)? (?:version )?{_NUMBER}(?![\w:%/]|[.,]\d)"
    rf"|^(?:the |our )?(?P<itself>{_NAME})(?: cluster| server| version)? (?:runs|is)(?: on| at)?(?: version)? "
    rf"{_NUMBER.replace('number', 'at')}[.!]?$"
)
_NOW_WITH = lazy_pattern(
    rf"(?:we (?:now )?(?:use|run(?: on| with)?|test with|build with)|we (?:are )?now (?:on|with)"
    rf"|wir (?:nutzen|verwenden|laufen|testen|bauen) (?:jetzt |nun )?(?:mit |auf )?"
    r"|nous utilisons (?:maintenant |désormais )?)"
    rf" ?(?P<name>{_NAME}){_END}"
)
_NOW = lazy_pattern(r"\b(?:now|jetzt|nun|maintenant|désormais|inzwischen)\b")
_DROPPED = lazy_pattern(
    r"(?:we (?:have )?(?:dropped|retired|abandoned|removed|got rid of|stopped using|no longer use|don['\u2019]t use)"
    rf"(?: the)? (?P<name>{_NAME})(?: any ?more)?|wir (?:nutzen|verwenden) (?P<nicht>{_NAME}) nicht mehr"
    rf"|(?P<itself>{_NAME}) (?:was|is|has been) (?:dropped|retired|abandoned|replaced(?: (?:by|with) [a-z+#.-]+)?))"
    r"(?: too| now| everywhere)?(?=[.;,!]|$)"
)
_USES = frozenset(
    (
        *("use", "uses", "using", "run", "with", "in", "on", "by", "via", "through"),
        *("mit", "auf", "von", "über", "nutzt", "nutzen", "verwendet", "verwenden", "avec", "utilise"),
    )
)
"""What stands before a thing that is in use."""
_BY = lazy_pattern(r"\b(?:by|from|von|durch|par) (?P<who>[A-ZÄÖÜ][\w-]+)")
_VERB = lazy_pattern(
    r"\s(?:is|are|need|needs|require|requires|must|müssen|muss|dürfen|werden|wird|brauchen|braucht|sont|est)\s"
)
_OF_HOLDING = frozenset(("need", "requir", "is", "brauch", "braucht", "jetzt", "nun", "give", "gegeb", "must"))
_COUNTED = roots(NUMBERED_THINGS | UNITS) | roots(("floor", "plan", "level", "stage", "port", "day", "team"))
_FAMILY = {
    root(word): {root(each): each for each in family.split() if each != word and each in SINGLE_CHOICES}
    for family in FAMILIES
    for word in family.split()
    if word in SINGLE_CHOICES
}
"""What is chosen, each with the others of its kind, by their roots."""


class _Told(NamedTuple):
    """What a fact says of all of a project: the version of a thing, what is used now, what is no more."""

    version: tuple[str, str] = ("", "")
    chosen: str = ""
    dropped: str = ""


def is_of_all(one: str, other: str) -> bool:
    """Whether one says of all of the project that it is otherwise than the other one says of anything in it."""
    return _is_otherwise(one, other) or _is_otherwise(other, one) or _has_another_doer(one, other)


@lru_cache(LAST_READ)
def of_all(text: str) -> tuple[frozenset[str], ...]:
    """What a fact has to name to be comparable with this one, each as the roots of its words."""
    told = _told(text)
    names = {told.version[0], told.dropped, *_FAMILY.get(told.chosen, ())} - {""}
    done = _doing(text)
    return (*(frozenset((name,)) for name in sorted(names)), *([done[1]] if done and done[2] else []))


def alternatives(text: str) -> Sequence[str]:
    """The words for what a fact says not to be used any more by saying what is: they need not stand in it."""
    return [*_FAMILY.get(_told(text).chosen, {}).values()]


@lru_cache(LAST_READ)
def _told(text: str) -> _Told:
    bare = text.strip().casefold().replace(".js ", " ")
    if len(bare) > _MOST_READ:
        return _Told()
    if (found := _CHANGED.fullmatch(bare)) is not None:
        name = root(found["name"] or found["ours"] or found["itself"])
        number = found["number"] or found["to"] or found["at"]
        return _Told() if name in _COUNTED else _Told(version=(name, number))
    if (found := _NOW_WITH.fullmatch(bare)) is not None and _NOW.search(bare):
        name = root(found["name"])
        return _Told(chosen=name if name in _FAMILY else "")
    found = _DROPPED.match(bare)
    return _Told() if found is None else _Told(dropped=root(found["name"] or found["nicht"] or found["itself"]))


def _is_otherwise(one: str, other: str) -> bool:
    told = _told(one)
    if told == _Told():
        return False
    versions, used, denies = _used(other)
    if told.version[0]:
        name, number = told.version
        known = versions.get(name) or dict([_told(other).version]).get(name, "")
        return bool(known) and not _is_same_version(known, number)
    if told.chosen:
        return not denies and bool(used & _FAMILY[told.chosen].keys())
    return not denies and told.dropped in used and _told(other).dropped != told.dropped


@lru_cache(LAST_READ)
def _used(text: str) -> tuple[dict[str, str], frozenset[str], bool]:
    """The versions that a fact says to be in use, the roots of what it names as used, and whether it denies."""
    bare = text.casefold().replace(".js ", " ")
    found = [(root(each["name"] or each["itself"]), each["number"] or each["at"]) for each in _IN_USE.finditer(bare)]
    words = bare.replace(".", " ").replace(",", " ").replace(";", " ").split()
    used = {root(word) for before, word in pairwise(words) if before in _USES}
    denies = statement_of(text).denies
    return {} if denies else dict(found), frozenset(used), denies


def _is_same_version(one: str, other: str) -> bool:
    """Whether they are one as far as both are told: "22" is "22.3"."""
    return all(a == b for a, b in zip(one.split("."), other.split("."), strict=False))


def _has_another_doer(one: str, other: str) -> bool:
    """Whether one says who does something now, and the other another one of the same: "approved by Jonas now"."""
    doing, done = _doing(one), _doing(other)
    if not doing or not done or doing[0] == done[0] or not (doing[2] or done[2]) or doing[1] != done[1]:
        return False
    return _are_alike(doing[3], done[3]) and _are_alike(done[3], doing[3])


@lru_cache(LAST_READ)
def _doing(text: str) -> tuple[str, frozenset[str], bool, frozenset[str]] | None:
    """Who does it, to what, whether it is so now, and what is done; None where a fact tells no such thing."""
    by, verb = _BY.search(text), _VERB.search(text)
    if by is None or verb is None or by.start() < verb.end() or len(text) > _MOST_READ:
        return None
    subject = frozenset(statement_of(text[: verb.start()]).words)
    rest = frozenset(statement_of(text[verb.end() : by.start()] + text[by.end() :]).words) - _OF_HOLDING
    is_plain = bool(subject) and bool(rest) and not statement_of(text).denies
    return (by["who"], subject, _NOW.search(text) is not None, rest) if is_plain else None


def _are_alike(words: frozenset[str], others: frozenset[str]) -> bool:
    """Whether each word has one beside it that begins alike: "approval", "approved"."""
    return all(any(word[:5] == other[:5] for other in others) for word in words)
