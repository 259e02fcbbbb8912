"""Who worked on something: by the words of topics, projects and headlines; and what people shared, by meaning too."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Literal, NamedTuple

from sqlmodel import col, select

from bigmind.brain.listing import ThoughtQuery, thoughts_found
from bigmind.brain.tables import Thought
from bigmind.core.operation import Mode
from bigmind.directory.service import (
    Card,
    Headline,
    Weight,
    cards,
    headlines_of,
    keys_with_headlines,
    may_tell_knowledge,
)
from bigmind.memory.knowledge.service import search_entries
from bigmind.people.tables import User
from bigmind.store.work import Work
from bigmind.text.word_matches import has_form, has_word, word_root
from bigmind.text.words import UNSPACED, folded, query_terms

HEADLINES_LOOKED_AT = 1_000
"""Of each person, the newest."""
MOST_WORDS = 12
MOST_MATCHES = 8
_OF_THE_QUESTION = frozenset({"who", "worked", "works", "work", "working", "knows", "know", "knew"})
"""Words of “who worked on …?” that are not what is looked for, unless nothing else is."""


class Term(NamedTuple):
    """A word that is looked for, and what its forms have in common."""

    word: str
    root: str


@dataclass(frozen=True, slots=True)
class FoundPerson:
    """A person who worked on it, and by what that is known."""

    card: Card
    topics: Sequence[Weight]
    projects: Sequence[Weight]
    headlines: Sequence[Headline]


@dataclass(frozen=True, slots=True)
class FoundShared:
    """What somebody shared that is about it: a thought or an entry of company knowledge, `by` its user."""

    kind: Literal["thought", "knowledge"]
    uid: str
    text: str
    by: str
    at: datetime


@dataclass(frozen=True, slots=True)
class Found:
    """Who worked on it, best first; what was shared of it; and why meaning had no part there, empty where it had."""

    people: Sequence[FoundPerson]
    shared: Sequence[FoundShared]
    words_only: str = ""


def who_worked_on(work: Work, query: str, limit: int) -> Found:
    """Who worked on it, `limit` people and as many shared things at most; nobody where it is no team."""
    if work.mode is not Mode.TEAM:
        return Found((), ())
    terms = _terms(query)
    people = [found for each in cards(work) if (found := _matching(each, terms))]
    with_headlines = _with_headlines(work, people, terms)
    ranked = sorted(with_headlines, key=lambda each: _rank(each, terms), reverse=True)
    thoughts, words_only = _shared_thoughts(work, query, limit)
    entries = _shared_entries(work, query, limit)
    return Found(ranked[:limit], [*entries, *thoughts], words_only)


def _terms(query: str) -> list[Term]:
    """What is looked for: the first words of a question that say something."""
    words = query_terms(query)
    telling = [each for each in words if each not in _OF_THE_QUESTION] or words
    small = map(folded, telling[:MOST_WORDS])
    return [Term(each, each if UNSPACED.search(each) else word_root(each)) for each in small]


def _matching(card: Card, terms: Sequence[Term]) -> FoundPerson:
    return FoundPerson(
        card,
        [each for each in card.topics if _matched(each.name, terms)][:MOST_MATCHES],
        [each for each in card.projects if _matched(each.name, terms)][:MOST_MATCHES],
        (),
    )


def _with_headlines(work: Work, people: Sequence[FoundPerson], terms: Sequence[Term]) -> list[FoundPerson]:
    keys = keys_with_headlines(work)
    told = headlines_of(work, keys.values(), HEADLINES_LOOKED_AT)
    found: list[FoundPerson] = []
    for each in people:
        lines = told.get(keys.get(each.card.uid, 0), [])
        matched = [line for line in lines if _matched(line.text, terms)][:MOST_MATCHES]
        if each.topics or each.projects or matched:
            found.append(replace(each, headlines=matched))
    return found


def _matched(text: str, terms: Sequence[Term]) -> set[str]:
    small = folded(text)
    return {each.word for each in terms if each.root in small and _stands(small, each)}


def _stands(small: str, term: Term) -> bool:
    is_whole = not UNSPACED.search(term.word)
    return not is_whole or has_word(small, term.word) or has_form(small, term.root)


def _rank(found: FoundPerson, terms: Sequence[Term]) -> tuple[int, int, int]:
    """First by how many of the words, then by in how many sessions."""
    named = [*(each.name for each in (*found.topics, *found.projects)), *(each.text for each in found.headlines)]
    words = {word for each in named for word in _matched(each, terms)}
    sessions = sum(each.sessions for each in (*found.topics, *found.projects))
    return len(words), sessions, len(found.headlines)


def _shared_thoughts(work: Work, query: str, limit: int) -> tuple[list[FoundShared], str]:
    """Of the brain what everybody may read, and waits for nobody; the caller's private thoughts are left out too."""
    found = thoughts_found(work, ThoughtQuery(space="shared"), query, limit)
    if not found.answers_well:
        return [], found.words_only
    told = [each for each in found.thoughts if each.space == "shared" and not each.caution and not each.is_noise]
    uids = [each.uid for each in told]
    users = select(Thought.uid, User.username).join(User, col(User.id) == Thought.user_id)
    names = dict(work.session.exec(users.where(col(Thought.uid).in_(uids))).all())
    shared = [FoundShared("thought", each.uid, each.content, names.get(each.uid, ""), each.created_at) for each in told]
    return shared, found.words_only


def _shared_entries(work: Work, query: str, limit: int) -> list[FoundShared]:
    if not may_tell_knowledge(work):
        return []
    found = search_entries(work, query, limit)
    if not found.answers_well:
        return []
    entries = [each.entry for each in found.hits if each.entry.status == "approved" and not each.entry.caution]
    return [
        FoundShared("knowledge", each.entry_id, each.title, each.promoted_by or "", each.updated_at) for each in entries
    ]
