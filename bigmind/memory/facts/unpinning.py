"""What becomes of what a new profile leaves out, pinned or preferred: a fact that no longer holds, with its words."""

from collections.abc import Sequence

from sqlmodel import col, select

from bigmind.caution.detect import cautions, pending
from bigmind.core.events import Action
from bigmind.core.ids import new_id
from bigmind.kinds import save
from bigmind.memory.facts.duplicates import closest
from bigmind.memory.facts.history import FactAction, record
from bigmind.memory.profile.answers import UnpinnedFact
from bigmind.memory.tables import Fact
from bigmind.store.work import Work
from bigmind.text.contradiction import judged
from bigmind.text.similarity import Relation

CATEGORY = "pinned"
REASON = "It was taken out of the profile's pinned facts."
PREFERENCE = "preference"
REPLACED = "It was taken out of the profile's preferences."
MOST_NAMED = 5
"""Facts that are named as said still."""
_MARKS = "-*•> "
"""What begins a line of a list, and says nothing of what is preferred."""


def unpin(work: Work, before: Sequence[str], after: Sequence[str]) -> list[UnpinnedFact]:
    """Keep the words of what was pinned and no longer is, once each; one that is a fact already is kept by that.

    Of a profile nobody knows who pinned what: such a fact has who unpinned it as its source, as its reason tells.
    """
    lost = [each for each in dict.fromkeys(before) if each not in after]
    return [
        UnpinnedFact(
            fact=each, fact_id=_known(work, each) or _keep(work, each, CATEGORY, REASON), caution=cautions(each)
        )
        for each in lost
    ]


def keep_preferences(work: Work, before: str, after: str) -> UnpinnedFact | None:
    """Keep the lines of preferences that a new text leaves out, as one fact; None where it leaves out none."""
    lines = [each.strip().lstrip(_MARKS) for each in before.splitlines()]
    lost = "\n".join(each for each in dict.fromkeys(lines) if each not in after)
    if not lost:
        return None
    uid = _known(work, lost) or _keep(work, lost, PREFERENCE, REPLACED)
    return UnpinnedFact(fact=lost, fact_id=uid, caution=cautions(lost))


def still_said(work: Work, before: Sequence[str], after: Sequence[str]) -> list[UnpinnedFact]:
    """The facts that hold and say about the same as a line that was left out, and so stand against the new profile.

    "Answers in German" is said still by "Wants answers in German"; what says about the same as a line that is there now
    is none of them: it holds.
    """
    lost = [line for each in before if (line := each.strip().lstrip(_MARKS)) and line not in "\n".join(after)]
    lines = [line for each in after for one in each.splitlines() if (line := one.strip().lstrip(_MARKS))]
    found: dict[str, UnpinnedFact] = {}
    for line in dict.fromkeys(lost):
        rows = work.session.exec(select(Fact).where(col(Fact.id).in_(closest(work, line, None))).order_by(col(Fact.id)))
        for fact in rows:
            if _says(fact, line) and not any(_says(fact, each) for each in lines) and not pending(fact):
                found[fact.uid] = UnpinnedFact(fact=fact.text, fact_id=fact.uid)
    return [*found.values()][:MOST_NAMED]


def _says(fact: Fact, line: str) -> bool:
    return fact.text == line or judged(line, fact.text).relation is Relation.REPEATS


def _known(work: Work, text: str) -> str | None:
    same = select(Fact.uid).where(Fact.user_id == work.caller.user_id, Fact.text == text)
    return work.session.exec(same.order_by(col(Fact.id).desc()).limit(1)).first()


def _keep(work: Work, text: str, category: str, reason: str) -> str:
    fact = Fact(
        uid=new_id(),
        user_id=work.caller.user_id,
        client=work.caller.client,
        category=category,
        text=text,
        confidence=1.0,
        created_at=work.now,
        updated_at=work.now,
        deprecated_at=work.now,
        deprecation_reason=reason,
    )
    work.session.add(fact)
    work.session.flush()  # its history asks for its key
    save(work, fact, Action.DEPRECATED)
    record(work, fact, FactAction.DEPRECATED, reason=reason)
    return fact.uid
