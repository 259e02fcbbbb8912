"""Writes a thought, with its tags, links, weight and vectors."""

from collections.abc import Sequence

from sqlmodel import col, delete

from bigmind.brain.contributing.drafts import Contribution, Rests
from bigmind.brain.contributing.likeness import OwnVectors
from bigmind.brain.finding.pheromone import begin, still_there
from bigmind.brain.rules import FIRST_WEIGHT
from bigmind.brain.tables import Thought, ThoughtLink, ThoughtTag
from bigmind.brain.tagging import tags_of
from bigmind.core.errors import BigMindError, Code
from bigmind.core.events import Action
from bigmind.core.ids import new_id
from bigmind.kinds import save
from bigmind.memory.lookup import key_of
from bigmind.memory.sessions.choice import source_session
from bigmind.search.model_state import active_model
from bigmind.search.vector_rows import keep
from bigmind.store.work import Work

TYPES = {"refines": "refinement", "consolidates": "consolidation"}


def store(work: Work, given: Contribution, resting: Rests, flags: Sequence[str], own: OwnVectors) -> Thought:
    """Store a contribution, completed and judged.

    Raises:
        BigMindError: `conflict`, when a thought that it rests on was forgotten meanwhile.
    """
    links = [(key_of(row), relation) for relation, rows in resting.rows.items() for row in rows]
    if len(still_there(work, {key for key, _ in links})) < len({key for key, _ in links}):
        raise BigMindError(Code.CONFLICT, "A thought that this one rests on was forgotten meanwhile.", "Ask again.")
    session = source_session(work)  # a client over HTTP names no workspace; its session does
    project = (session.project if session is not None else None) or work.caller.project
    row = Thought(
        uid=new_id(),
        user_id=work.caller.user_id,
        space=given.space,
        created_at=work.now,
        updated_at=work.now,
        project=project,
        client=work.caller.client,
        agent_name=work.caller.agent_name,
        thought_type=next((name for relation, name in TYPES.items() if resting.rows.get(relation)), "original"),
        category=given.category,
        topic=given.topic,
        temporal_scope=given.temporal_scope,
        source_type=given.source_type,
        source_value=given.source_value,
        source_project=given.source_project,
        flags=list(flags),
        tags=tags_of(given.tags, given.topic, project, given.prompt),
        corrected_fact=given.corrected_fact,
        correct_fact=given.correct_fact,
        alternatives=given.alternatives,
        context=given.context,
        content=given.prompt,
    )
    save(work, row, Action.CREATED)
    tag(work, row)
    work.session.add_all(
        ThoughtLink(thought_id=key_of(row), other_id=key, relation=relation) for key, relation in links
    )
    begin(work, key_of(row), resting.weight if resting.weight is not None else FIRST_WEIGHT)
    if own.pieces and own.model == active_model(work):
        keep(work, work.kinds["thought"], row, own.model, own.pieces)
    return row


def tag(work: Work, row: Thought) -> None:
    """Let a thought be found by the tags that it has, and by no others."""
    work.session.exec(delete(ThoughtTag).where(col(ThoughtTag.thought_id) == row.id))
    work.session.add_all(ThoughtTag(thought_id=key_of(row), tag=each) for each in row.tags)
