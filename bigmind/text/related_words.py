"""English words that mean nearly what another does, or belong to it, and its own forms that no stem finds.

`children` for `kids`, `hurt` for `injured` come from the default model's own table of words
(packaging/related_words.py); everyday words have none. `bought` is a form of `buy`: such forms are written down here.
"""

import re
from bisect import bisect_left
from collections.abc import Iterator
from functools import cache, lru_cache
from pathlib import Path

REMEMBERED = 1_024
"""Words that are not looked up again."""
_FILE = Path(__file__).with_name("related_words.txt")
_VERBS = """
    become/became begin/began/begun bend/bent bite/bitten blow/blew/blown break/broke/broken bring/brought build/built
    burn/burnt buy/bought catch/caught choose/chose/chosen come/came creep/crept deal/dealt dig/dug draw/drew/drawn
    dream/dreamt drink/drank/drunk drive/drove/driven eat/ate/eaten fall/fell/fallen fight/fought flee/fled
    fly/flew/flown forget/forgot/forgotten forgive/forgave/forgiven freeze/froze/frozen get/got/gotten give/gave/given
    go/went/gone grow/grew/grown hang/hung hear/heard hide/hidden hold/held keep/kept know/knew/known learn/learnt
    lend/lent lose/lost make/made meet/met overcome/overcame pay/paid ride/rode/ridden run/ran say/said see/seen
    sell/sold send/sent shake/shook/shaken shine/shone shrink/shrank sing/sang/sung sink/sank/sunk sleep/slept
    slide/slid speak/spoken spell/spelt spend/spent spill/spilt spin/spun stand/stood steal/stole/stolen stick/stuck
    strike/struck swear/swore/sworn sweep/swept swim/swam/swum swing/swung take/took/taken teach/taught tear/tore/torn
    tell/told think/thought throw/threw/thrown undergo/underwent understand/understood wake/woke/woken wear/wore/worn
    weep/wept win/won withdraw/withdrew/withdrawn write/wrote/written
"""
"""Without forms that are often another word, or the name of a thing: `found`, `left`, `lay`, `led` (a lamp), `hid` (a
device), `sat` (a solver), `spoke` (of a hub), `ring`. A form counts in full, so none is better than a wrong one.
"""
_NOUNS = """
    analysis/analyses appendix/appendices child/children crisis/crises criterion/criteria foot/feet goose/geese
    half/halves hypothesis/hypotheses index/indices knife/knives loaf/loaves matrix/matrices mouse/mice person/people
    shelf/shelves thesis/theses thief/thieves tooth/teeth vertex/vertices wife/wives wolf/wolves woman/women
"""
_ONE_CONSONANT = re.compile(r"[^aeiou][aeiou][^aeiouwxy]")
"""How a verb ends that has its last letter twice before an ending."""


@lru_cache(maxsize=REMEMBERED)
def related_words(word: str) -> tuple[str, ...]:
    """At most three words for one in small letters, the nearest first; none of a word that is not known."""
    lines, sought = _lines(), f"{word} ".encode()
    at = bisect_left(lines, sought)
    if at == len(lines) or not lines[at].startswith(sought):
        return ()
    return tuple(lines[at].decode("ascii").split()[1:])


@cache
def _lines() -> list[bytes]:
    """A word and those that are related to it, sorted."""
    return _FILE.read_bytes().splitlines()


def irregular_forms(word: str) -> tuple[str, ...]:
    """The other forms of an English word in small letters that have another stem: `bought` of `buy` and of `buying`."""
    return _forms().get(word, ())


@cache
def _forms() -> dict[str, tuple[str, ...]]:
    found: dict[str, tuple[str, ...]] = {}
    for family in _families():
        for stem in family:
            others = tuple(word for those in family if those is not stem for word in those)
            found.update(dict.fromkeys(stem, others))
    return found


def _families() -> Iterator[list[tuple[str, ...]]]:
    """The forms of each word, those of one stem together."""
    for verb in _VERBS.split():
        first, *others = verb.split("/")
        yield [(first, _third_person(first), _gerund(first)), *((each,) for each in others)]
    for noun in _NOUNS.split():
        yield [(each,) for each in noun.split("/")]


def _third_person(verb: str) -> str:
    if verb.endswith("ly"):
        return f"{verb[:-1]}ies"
    return f"{verb}es" if verb.endswith(("o", "ch")) else f"{verb}s"


def _gerund(verb: str) -> str:
    if _ONE_CONSONANT.fullmatch(verb[-3:]):
        return f"{verb}{verb[-1]}ing"
    return f"{verb if verb.endswith('ee') else verb.removesuffix('e')}ing"
