"""Use cases of single thoughts: look at one, at its lineage, describe it anew, share it; and of the domains."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from sqlalchemy import func
from sqlmodel import col, select

from bigmind.brain.answers import (
    Domain,
    DomainList,
    HighwayList,
    LineageAnswer,
    LineageEntry,
    ThoughtAnswer,
    ThoughtList,
    ThoughtRow,
    preview,
)
from bigmind.brain.categories import Draft, missing
from bigmind.brain.contributing.drafts import thought_named
from bigmind.brain.contributing.storing import tag
from bigmind.brain.finding.highways import all_highways
from bigmind.brain.finding.lineage import RELATED, Relative, is_accepted, is_living, living_of, relatives
from bigmind.brain.finding.retrieval import snapshots
from bigmind.brain.quality import text_flags
from bigmind.brain.rendering import contributor, highway_of, thought_answer
from bigmind.brain.rules import LEAST_OF_DOMAIN, SUMMARY, domain_of
from bigmind.brain.tables import KEPT, Thought, ThoughtLink
from bigmind.brain.tagging import tags_of
from bigmind.caution.detect import pending
from bigmind.core.errors import BigMindError, Code
from bigmind.core.events import Action
from bigmind.core.operation import Role, Space
from bigmind.kinds import readable, save, texts_of
from bigmind.memory.lookup import count, key_of
from bigmind.store.descriptions import PathCondition
from bigmind.store.work import Work

TEXT_FLAGS = frozenset(("orphaned_reference", "naked_statement", "missing_fields"))
"""Flags that are computed anew when a thought is described anew; the others tell of the moment it was stored."""
NOT_TO_REST_ON = "Do not rest on it. query_brain asks what holds."
ITSELF = " A thought is not related to itself: that was left out of related."


def get_thought(work: Work, reference: str) -> ThoughtAnswer:
    """One thought that the caller may read, whole; one that is noise, a person alone.

    Raises:
        BigMindError: `not_found`, `ambiguous`, `invalid_input`.
    """
    return thought_answer(work, _told(work, reference))


def _told(work: Work, reference: str) -> Thought:
    """The thought of that id whose words the caller may be told. Raises as `get_thought`."""
    row = thought_named(work, reference)
    if row.noise_at is not None and not work.caller.is_person:
        raise BigMindError(
            Code.NOT_FOUND, f"A person keeps thought {row.uid} out of answers, as noise.", NOT_TO_REST_ON
        )
    return row


def thought_ids(work: Work, beginning: str, most: int) -> list[str]:
    """The ids that begin so, of thoughts that the caller may read, the newest first."""
    named = select(Thought.uid).where(col(Thought.uid).startswith(beginning, autoescape=True), *living_of(work))
    newest = named.order_by(col(Thought.created_at).desc(), col(Thought.id).desc())
    return list(work.session.exec(newest.limit(most)).all())


def get_lineage(work: Work, reference: str) -> LineageAnswer:
    """What a thought rests on and what rests on it, ten steps each way. Raises as `get_thought`."""
    row = thought_named(work, reference)
    before, after = (relatives(work, key_of(row), up=up) for up in (True, False))
    keys = [each.key for each in (*before, *after)]
    rows = {key_of(each): each for each in work.session.exec(select(Thought).where(col(Thought.id).in_(keys)))}
    rows[key_of(row)] = row
    return LineageAnswer(thought_id=row.uid, ancestors=_entries(before, rows), descendants=_entries(after, rows))


def _entries(found: Sequence[Relative], rows: dict[int, Thought]) -> list[LineageEntry]:
    return [
        LineageEntry(
            thought_id=rows[each.key].uid,
            depth=each.depth,
            relation=each.relation,
            through=rows[each.through].uid,
            content_preview="" if _is_kept_out(rows[each.key]) else preview(rows[each.key].content),
            thought_category=rows[each.key].category,
            created_at=rows[each.key].created_at,
        )
        for each in found
    ]


def _is_kept_out(row: Thought) -> bool:
    """Whether a thought's words stand in no answer."""
    return bool(pending(row)) or row.noise_at is not None


def list_domains(work: Work) -> DomainList:
    """The first parts of topics with at least three living thoughts, the largest first.

    The topic of one that waits for a person is told nowhere, so that no such one counts.
    """
    which = (col(Thought.topic) != "", is_accepted(Thought), *is_living(work))
    living = select(Thought.topic, func.count()).where(*which)
    amounts: Counter[str] = Counter()
    for topic, amount in work.session.exec(living.group_by(Thought.topic)):
        amounts[domain_of(topic)] += amount
    found = sorted(
        ((name, amount) for name, amount in amounts.items() if amount >= LEAST_OF_DOMAIN),
        key=lambda each: (-each[1], each[0]),
    )
    return DomainList(domains=[_domain(work, name, amount) for name, amount in found])


def _domain(work: Work, name: str, thoughts: int) -> Domain:
    below = PathCondition("topic", name).over(Thought)
    newest = select(Thought).where(Thought.category == SUMMARY, below, is_accepted(Thought), *is_living(work))
    row = work.session.exec(newest.order_by(col(Thought.created_at).desc(), col(Thought.id).desc()).limit(1)).first()
    return Domain(
        domain=name,
        thoughts=thoughts,
        summary_id=row.uid if row is not None else None,
        summary=preview(row.content) if row is not None else "",
    )


def list_highways(work: Work, limit: int, topic: str = "") -> HighwayList:
    """Well-travelled thoughts, best traffic first."""
    return HighwayList(highways=[highway_of(each) for each in all_highways(work, limit, topic)], topic=topic)


def list_uncategorized(work: Work, limit: int) -> ThoughtList:
    """Living thoughts without a category, newest first, and how many there are."""
    return newest_of(work, [Thought.category == "uncategorized", *is_living(work)], limit)


def newest_of(work: Work, conditions: Sequence[Any], limit: int) -> ThoughtList:
    """The thoughts that meet the conditions, newest first, and how many there are."""
    newest = select(Thought).where(*conditions).order_by(col(Thought.created_at).desc(), col(Thought.id).desc())
    rows = [row_of(each) for each in work.session.exec(newest.limit(limit))]
    return ThoughtList(thoughts=rows, total=count(work, Thought, *conditions))


def row_of(row: Thought) -> ThoughtRow:
    """A thought as a row of a list."""
    caution = pending(row)
    return ThoughtRow(
        thought_id=row.uid,
        content_preview="" if caution else preview(row.content),
        contributor="" if caution else contributor(row),
        thought_category=row.category,
        topic="" if caution else row.topic,
        quality_flags=[each for each in row.flags if each != KEPT and not caution],
        created_at=row.created_at,
        caution=caution,
    )


@dataclass(frozen=True, slots=True)
class Description:
    """How a thought is described from now on; None stays."""

    category: str | None = None
    topic: str | None = None
    tags: Sequence[str] | None = None
    related: Sequence[str] | None = None


def update_thought(work: Work, reference: str, described: Description) -> ThoughtAnswer:
    """Describe a thought anew: one's own; a curator any shared one. Its flags follow, unless a gate rests on them.

    Raises:
        BigMindError: as `get_thought`; `forbidden`.
    """
    row = _told(work, reference)
    permit(work, row, "described")
    before = texts_of(work, row)
    if described == Description():
        return thought_answer(work, row, "Nothing was given, so nothing was changed.")
    if described.category is not None:
        row.category = described.category
    if described.topic is not None:
        row.topic = described.topic
    if described.tags is not None:
        row.tags = tags_of(described.tags, row.topic, row.project, row.content)
    if row.gated_at is None:
        row.flags = flags_anew(work, row)
    row.updated_at = work.now
    save(work, row, Action.UPDATED, before)
    tag(work, row)
    others = [thought_named(work, each, "related") for each in described.related or ()]
    if described.related is not None:
        relate(work, row, others)
    work.session.flush()
    return thought_answer(work, row, f"Described anew.{ITSELF if row in others else ''}")


def may_judge(work: Work, row: Thought) -> bool:
    """Whether the caller may describe a thought anew, and keep it out of answers: their own; a curator what is shared.

    `bigmind.kinds.of_caller` is the same for a query.
    """
    is_curators = row.space == Space.SHARED and work.caller.role.includes(Role.CURATOR)
    return row.user_id == work.caller.user_id or is_curators


def permit(work: Work, row: Thought, what: str) -> None:
    """Let through who may judge a thought.

    Raises:
        BigMindError: `forbidden`.
    """
    if not may_judge(work, row):
        raise BigMindError(
            Code.FORBIDDEN,
            f"Thought {row.uid} is somebody else's: it is {what} by them, or by a curator.",
            "Refine it instead.",
        )


def flags_anew(work: Work, row: Thought) -> list[str]:
    """The flags of a thought that was described anew: what its text says is judged again, the rest stays."""
    found = [each for each in row.flags if each not in TEXT_FLAGS and each != KEPT]
    found += [each for each in text_flags(_draft_of(work, row), ()) if each in TEXT_FLAGS]
    return [*found, "missing_fields"] if lacks(work, row) else found


def lacks(work: Work, row: Thought) -> list[str]:
    """What the category of a thought requires and it does not hold."""
    older = snapshots(work, row.topic).where(Thought.id != row.id, col(Thought.id) < key_of(row))
    has_older = bool(row.topic) and work.session.connection().execute(older.limit(1)).first() is not None
    return list(missing(_draft_of(work, row), has_older_snapshot=has_older))


def _draft_of(work: Work, row: Thought) -> Draft:
    return Draft(
        content=row.content,
        category=row.category,
        topic=row.topic,
        temporal_scope=row.temporal_scope,
        source_type=row.source_type,
        source_value=row.source_value,
        alternatives=row.alternatives,
        corrected_fact=row.corrected_fact,
        correct_fact=row.correct_fact,
        supersedes=tuple(_superseded(work, row)),
    )


def _superseded(work: Work, row: Thought) -> list[str]:
    links = select(ThoughtLink.relation).where(ThoughtLink.thought_id == row.id, ThoughtLink.relation != RELATED)
    return [str(each) for each in work.session.exec(links)]


def relate(work: Work, row: Thought, others: Sequence[Thought]) -> None:
    """Let a thought be related to these, and to no others that the caller may read; it holds both ways.

    What others related to it of their own stays: nobody takes away what they cannot see.
    """
    key = key_of(row)
    mine = (ThoughtLink.thought_id == key) | (ThoughtLink.other_id == key)
    links = work.session.exec(select(ThoughtLink).where(mine, ThoughtLink.relation == RELATED)).all()
    far = {each.id: each.other_id if each.thought_id == key else each.thought_id for each in links}
    seen = set(work.session.exec(select(Thought.id).where(col(Thought.id).in_(far.values()), _readable(work))))
    for link in links:
        if far[link.id] in seen:
            work.session.delete(link)
    work.session.flush()
    keys = dict.fromkeys(key_of(each) for each in others if key_of(each) != key)
    work.session.add_all(ThoughtLink(thought_id=key, other_id=each, relation=RELATED) for each in keys)


def _readable(work: Work) -> Any:
    return readable(work, work.kinds["thought"])


def share_thought(work: Work, reference: str) -> ThoughtAnswer:
    """Let every user of the store find a thought of one's own. Sharing goes one way.

    Raises:
        BigMindError: as `get_thought`; `conflict`, when it is shared already.
    """
    row = _told(work, reference)
    if row.space == Space.SHARED:
        raise BigMindError(Code.CONFLICT, f"Thought {row.uid} is shared already.", "Nothing was changed.")
    row.space = Space.SHARED.value
    row.updated_at = work.now
    work.session.add(row)
    work.session.flush()
    work.changed("thought", row.uid, Action.SHARED, is_shared=True)
    return thought_answer(work, row, "Shared with every user of this memory.")
