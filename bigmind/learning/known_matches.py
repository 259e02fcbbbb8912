"""What of the proposals is known already: the very same, or about the same. Nothing here writes."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

from sqlalchemy import func
from sqlmodel import col, select

from bigmind.core.plain_text import one_line
from bigmind.learning.proposals import Proposal
from bigmind.memory.facts.duplicates import resembling
from bigmind.memory.facts.service import get_profile
from bigmind.memory.knowledge.service import Draft, alike, says_the_same
from bigmind.memory.tables import Fact, MemorySession
from bigmind.store.work import Work

AT_ONCE = 400
"""Moments, or texts, that one query asks for."""
MOST_COMPARED = 100
"""Statements that are compared with all that is known: each takes some milliseconds."""

Relation = Literal["", "known", "repeats", "contradicts", "may_contradict"]


@dataclass(frozen=True, slots=True)
class KnownMatch:
    """What is known of a proposal: how it stands to that, and its words."""

    relation: Relation = ""
    text: str = ""


NEW = KnownMatch()


def known_of(work: Work, proposals: Sequence[Proposal], *, closely: bool) -> Iterator[KnownMatch]:
    """For each proposal in order what is known of it.

    Args:
        work: the open unit of work.
        proposals: what could be learnt.
        closely: look also for facts that say about the same, of the first `MOST_COMPARED`; else for the same only.
    """
    sessions, facts = _sessions(work, proposals), _facts(work, proposals)
    preferences = get_profile(work).preferences
    left = MOST_COMPARED if closely else 0
    for each in proposals:
        match each.becomes:
            case "fact":
                same = facts.get(_folded(each.text))
                yield KnownMatch("known", same) if same else _near(work, each) if left > 0 else NEW
                left -= 1
            case "knowledge":
                yield _of_entry(work, each)
            case "profile":
                yield KnownMatch("known", each.text) if each.text in preferences else NEW
            case "session":
                is_known = each.held is not None and (each.held.started_at, each.text) in sessions
                yield KnownMatch("known", each.text) if is_known else NEW


def _facts(work: Work, proposals: Iterable[Proposal]) -> dict[str, str]:
    """The caller's active facts that say word for word what is proposed, by their words without case."""
    wanted = {_folded(each.text) for each in proposals if each.becomes == "fact"}
    written = [form for text in sorted(wanted) for form in (text, f"{text}.")]
    found: dict[str, str] = {}
    for begin in range(0, len(written), AT_ONCE):
        is_one = func.lower(col(Fact.text)).in_(written[begin : begin + AT_ONCE])
        mine = (Fact.user_id == work.caller.user_id, col(Fact.deprecated_at).is_(None), is_one)
        found |= {_folded(text): text for text in work.session.exec(select(Fact.text).where(*mine))}
    return found


def _near(work: Work, proposal: Proposal) -> KnownMatch:
    found = resembling(work, _fact(work, proposal))
    return KnownMatch(found[0].relation, found[0].fact.fact) if found else NEW


def _fact(work: Work, proposal: Proposal) -> Fact:
    """A fact that is compared and never stored."""
    return Fact(
        uid="",
        user_id=work.caller.user_id,
        project=proposal.project,
        client=proposal.client,
        category=proposal.category,
        text=proposal.text,
        confidence=0.0,
        created_at=work.now,
        updated_at=work.now,
    )


def _of_entry(work: Work, proposal: Proposal) -> KnownMatch:
    draft = Draft(proposal.category, proposal.title, proposal.text)
    found = [each for each in alike(work, draft) if each.status != "deprecated"]
    if any(says_the_same(each, draft) for each in found):
        return KnownMatch("known", proposal.title)
    return KnownMatch("repeats", found[0].title) if found else NEW


def _sessions(work: Work, proposals: Iterable[Proposal]) -> set[tuple[object, str]]:
    """When the sessions began that are here already, of those times that are proposed, and their headlines."""
    times = [each.held.started_at for each in proposals if each.held is not None]
    found: set[tuple[object, str]] = set()
    for begin in range(0, len(times), AT_ONCE):
        of_times = col(MemorySession.started_at).in_(times[begin : begin + AT_ONCE])
        query = select(MemorySession.started_at, MemorySession.one_liner)
        found.update(work.session.exec(query.where(MemorySession.user_id == work.caller.user_id, of_times)))
    return found


def _folded(text: str) -> str:
    return one_line(text).casefold().removesuffix(".")
