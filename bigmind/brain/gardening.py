"""What a person does for the brain: the queue, noise; and making a thought of what is remembered."""

from collections.abc import Sequence
from dataclasses import dataclass

from sqlmodel import select

from bigmind.brain.answers import ThoughtAnswer, ThoughtList
from bigmind.brain.contributing.drafts import Contribution, thought_named
from bigmind.brain.finding.waiting_thoughts import queue_conditions
from bigmind.brain.rendering import thought_answer
from bigmind.brain.rules import LONGEST_THOUGHT
from bigmind.brain.tables import KEPT
from bigmind.brain.thoughts import newest_of, permit
from bigmind.core.errors import BigMindError, Code, invalid, not_found
from bigmind.core.events import Action
from bigmind.core.ids import SHORT, as_prefix, of_prefix
from bigmind.core.kind import Kind
from bigmind.core.operation import offered_only
from bigmind.kinds import save, texts_of
from bigmind.store.work import Work
from bigmind.usage.offer import offer_to

PROMOTED = "memory"
"""The type of source of a thought that was made of something remembered; its value is the kind and the id."""
PROMOTABLE = ("fact", "chunk")


def list_queue(work: Work, limit: int) -> ThoughtList:
    """Living thoughts without a category or with flags, newest first, and how many there are."""
    return newest_of(work, queue_conditions(work), limit)


def mark_noise(work: Work, reference: str, *, is_noise: bool) -> ThoughtAnswer:
    """Keep a thought out of every answer, or let it into answers again; it stays stored.

    Raises:
        BigMindError: `not_found`, `ambiguous`, `invalid_input`, `forbidden`; `conflict`, when it is so already.
    """
    row = thought_named(work, reference)
    permit(work, row, "kept out of answers")
    if (row.noise_at is not None) == is_noise:
        state = "kept out of answers" if is_noise else "in answers"
        raise BigMindError(Code.CONFLICT, f"Thought {row.uid} is {state} already.", "Nothing was changed.")
    row.noise_at = work.now if is_noise else None
    row.updated_at = work.now
    save(work, row, Action.SET_ASIDE if is_noise else Action.UPDATED, texts_of(work, row))
    work.session.flush()
    return thought_answer(work, row, "It is kept, and in no answer." if is_noise else "It is in answers again.")


def keep_thought(work: Work, reference: str, *, is_kept: bool) -> ThoughtAnswer:
    """Keep a thought as it is: it stands in the queue no more, its flags stay; or have it wait there again.

    Raises:
        BigMindError: `not_found`, `ambiguous`, `invalid_input`, `forbidden`.
    """
    row = thought_named(work, reference)
    permit(work, row, "kept as it is")
    row.flags = [*(each for each in row.flags if each != KEPT), *([KEPT] if is_kept else [])]
    row.updated_at = work.now
    save(work, row, Action.UPDATED, texts_of(work, row))
    work.session.flush()
    return thought_answer(work, row, "It is kept as it is." if is_kept else "It waits in the queue again.")


@dataclass(frozen=True, slots=True)
class Remembered:
    """Something of the caller's memory that becomes a thought."""

    kind: str
    uid: str
    text: str
    project: str


def remembered(work: Work, reference: str) -> Remembered:
    """The caller's fact or moment of that id or prefix.

    Raises:
        BigMindError: `not_found`, `ambiguous`; `invalid_input`, also for one that is too long for a thought.
    """
    prefix = as_prefix(reference)
    if prefix is None:
        raise invalid("id", reference, f"the id of a fact or a moment, or its first {SHORT} characters (0-9, a-f)")
    found = [each for name in PROMOTABLE for each in _of_kind(work, work.kinds[name], prefix)]
    if not found:
        hint = offered_only(offer_to(work), ["memory_semantic_search finds things with their ids."])
        raise not_found("fact or moment", reference, " ".join(hint))
    if len(found) > 1:
        raise BigMindError(Code.AMBIGUOUS, f"More than one thing begins with {prefix!r}.", "Give more of the id.")
    if len(found[0].text) > LONGEST_THOUGHT:
        raise invalid(
            "id", reference, f"something of at most {LONGEST_THOUGHT:,} characters; say the insight in your own words"
        )
    return found[0]


def _of_kind(work: Work, kind: Kind, prefix: str) -> Sequence[Remembered]:
    table = kind.table
    mine = (kind.owners == work.caller.user_id, *of_prefix(table.uid, prefix))
    holds = (each.over(table) for each in kind.found_when)
    rows = work.session.exec(select(table).where(*mine, *holds).limit(2)).all()
    return [Remembered(kind.called, row.uid, getattr(row, kind.searched[0]).strip(), row.project or "") for row in rows]


def as_contribution(one: Remembered, category: str, topic: str, space: str) -> Contribution:
    """What is remembered, as a contribution that says where it came from; stored however short it is."""
    return Contribution(
        prompt=one.text,
        category=category,
        topic=topic,
        source_type=PROMOTED,
        source_value=f"{one.kind} {one.uid}",
        source_project=one.project,
        space=space,
    )
