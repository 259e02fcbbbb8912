"""Rows as answers tell them: what a reader may see of a thought, and where it comes from."""

from collections.abc import Sequence

from sqlmodel import col, select

from bigmind.brain.answers import (
    SHOWN_WHOLE,
    BrainResult,
    Disambiguation,
    NearbyHighway,
    SourceReference,
    TagCluster,
    ThoughtAnswer,
    ThoughtSource,
    preview,
)
from bigmind.brain.finding.factors import flags_on
from bigmind.brain.finding.highways import Highway
from bigmind.brain.finding.lineage import links_of, succession
from bigmind.brain.finding.retrieval import Question, Retrieval, Source
from bigmind.brain.rules import weight_now
from bigmind.brain.tables import Thought, ThoughtReader, ThoughtUse
from bigmind.caution.detect import pending
from bigmind.memory.lookup import key_of
from bigmind.people.agent_names import AgentNames
from bigmind.people.tables import User
from bigmind.store.work import Work
from bigmind.text.phrasing import RECALLED, counted, kept_out, part, project_part


def result_of(
    work: Work, found: Retrieval, asked: Question, guidance: Sequence[str], first: str = "", caution: str = ""
) -> BrainResult:
    """What was found, as an answer; `first` is its first line, `caution` that of what was stored."""
    people = _others(work, [each.row for each in found.sources])
    sources = [source_of(found.project, each, asked, people.get(each.row.user_id, "")) for each in found.sources]
    highways = [highway_of(each) for each in found.highways]
    choice = _choice(found)
    return BrainResult(
        response=_response(sources, highways, choice, found, first=first, caution=caution),
        sources=sources,
        highways_nearby=highways,
        disambiguation=choice,
        guidance=list(dict.fromkeys(guidance)),
    )


def _others(work: Work, rows: Sequence[Thought]) -> dict[int, str]:
    """The names of the users of these thoughts, but the caller's own."""
    keys = {each.user_id for each in rows} - {work.caller.user_id}
    found = work.session.exec(select(User.id, User.username).where(col(User.id).in_(keys))) if keys else ()
    return {key: name for key, name in found if key is not None}


def source_of(project: str | None, each: Source, asked: Question, person: str = "") -> ThoughtSource:
    """A source; of one that waits for a person, id, category and caution alone, and how near it is.

    `project` is its reader's; `person` its user, if another.
    """
    row = each.row
    if pending(row):
        return _held_source(each)
    origin = project_part(row.project) if row.project and row.project != project else ""
    whole = len(row.content) <= SHOWN_WHOLE or asked.full_content
    return ThoughtSource(
        thought_id=row.uid,
        contributor=contributor(row),
        score=each.score,
        similarity=each.similarity,
        content_preview=preview(row.content),
        content=row.content if asked.full_content else None,
        thought_category=row.category,
        topic=row.topic,
        temporal_scope=row.temporal_scope,
        quality_flags=list(each.flags),
        refined_by=each.refined_by or None,
        superseded=bool(each.refined_by),
        matching_reason=each.reason,
        matching_fields=list(each.fields),
        told=row.content if whole else each.excerpt,
        origin=" · ".join(filter(None, (origin, f"user {part(person)}" if person else ""))),
        source=_source_in_words(row),
        at=row.created_at,
        whole=len(row.content),
    )


def _held_source(each: Source) -> ThoughtSource:
    return ThoughtSource(
        thought_id=each.row.uid,
        contributor="",
        score=each.score,
        similarity=each.similarity,
        content_preview="",
        thought_category=each.row.category,
        topic="",
        temporal_scope="",
        quality_flags=[],
        refined_by=None,
        superseded=False,
        matching_reason="",
        matching_fields=[],
        caution=pending(each.row),
    )


def contributor(row: Thought) -> str:
    """As whom a thought's agent is shown."""
    return f"{row.agent_name} ({row.client})" if row.agent_name and row.agent_name != row.client else row.client


def highway_of(each: Highway) -> NearbyHighway:
    """A highway, as an answer tells it."""
    return NearbyHighway(
        thought_id=each.row.uid,
        content_preview=preview(each.row.content),
        topic=each.row.topic,
        reads=each.reads,
        readers=each.readers,
        weight=round(each.weight, 2),
    )


def _choice(found: Retrieval) -> Disambiguation | None:
    if not found.clusters:
        return None
    told = [TagCluster(tag=each.tag, count=len(each.keys)) for each in found.clusters]
    message = (
        f"{found.found} thoughts answer, of several kinds; the sources come from {told[0].tag!r}. Pass tags to choose."
    )
    return Disambiguation(message=message, clusters=told)


def _response(
    sources: Sequence[ThoughtSource],
    highways: Sequence[NearbyHighway],
    choice: Disambiguation | None,
    found: Retrieval,
    *,
    first: str,
    caution: str,
) -> str:
    parts = [first] if first else []
    if caution:
        parts.append(kept_out(caution, "it"))
    if sources:
        heading = "Related thoughts" if first else counted(len(sources), "thought")
        parts.append(f"{heading}, best first. {RECALLED}\n\n" + "\n".join(each.as_text() for each in sources))
    if choice is not None:
        told = ", ".join(f"{each.tag} ({each.count})" for each in choice.clusters[:8])
        parts.append(f"{choice.message} Clusters: {told}.")
    if highways:
        lines = (
            f"- `{each.thought_id[:8]}` · {counted(each.reads, 'read')}\n  > {each.content_preview}"
            for each in highways
        )
        parts.append("Well-travelled nearby:\n" + "\n".join(lines))
    if found.dropped:
        parts.append(_relaxed(found, has_found=bool(sources)))
    return "\n\n".join(parts)


def _relaxed(found: Retrieval, *, has_found: bool) -> str:
    """Which filters were dropped; what fits them all may be there, and say nothing of the question."""
    names = ", ".join(found.dropped)
    if found.is_snapshot_alone:
        return f"Nothing else answers, even without {names}."
    if not has_found:
        return f"Nothing answers, even without {names}."
    return f"Nothing that fits all filters answers well: without {names} this was found."


def _source_in_words(row: Thought) -> str:
    """As `task PAY-812`; its project where that is another one than the thought's; nothing where none was named."""
    if not row.source_type:
        return ""
    project = row.source_project if row.source_project != row.project else ""
    return " ".join(filter(None, (row.source_type, row.source_value, f"({project})" if project else "")))


def _source_reference(row: Thought) -> SourceReference | None:
    if not row.source_type:
        return None
    told = {"type": row.source_type, "value": row.source_value, "project": row.source_project}
    return SourceReference.model_validate(told)


def thought_answer(work: Work, row: Thought, note: str = "") -> ThoughtAnswer:
    """One thought, whole; of one that waits for a person, nothing that whoever wrote it chose but its category."""
    key = key_of(row)
    links = links_of(work, [key]).get(key, {})
    use = work.session.get(ThoughtUse, key)
    readers = select(ThoughtReader.user_id, ThoughtReader.client).where(ThoughtReader.thought_id == key)
    names = AgentNames(work)
    after = succession(work, [key]).foremost(key)
    newest = work.session.get(Thought, after) if after is not None else None
    told = ThoughtAnswer(
        thought_id=row.uid,
        content=row.content,
        contributor=contributor(row),
        agent=row.client,
        thought_type=row.thought_type,
        thought_category=row.category,
        topic=row.topic,
        temporal_scope=row.temporal_scope,
        source_ref=_source_reference(row),
        alternatives_considered=row.alternatives,
        corrected_fact=row.corrected_fact,
        correct_fact=row.correct_fact,
        context=row.context,
        tags=row.tags,
        quality_flags=flags_on(work.now.date(), row.flags, row.category, row.temporal_scope),
        space="shared" if row.space == "shared" else "private",
        project=row.project,
        created_at=row.created_at,
        access_count=use.reads if use else 0,
        accessed_by=sorted(names.agent(*each) for each in work.session.exec(readers)),
        last_accessed_at=use.last_read_at if use else None,
        pheromone_weight=round(weight_now(use.weight, use.weighed_at, work.now), 4) if use else 1.0,
        superseded=newest is not None,
        refined_by=newest.uid if newest is not None else None,
        refines=links.get("refines", []),
        consolidates=links.get("consolidates", []),
        supersedes=links.get("supersedes", []),
        related=links.get("related", []),
        caution=pending(row),
        note=note,
    )
    return told.model_copy(update=_left_out()) if told.caution else told


def _left_out() -> dict[str, object]:
    """What stands in the place of the words of a thought that waits for a person; names and lists are words, too."""
    texts = ("content", "contributor", "agent", "topic", "temporal_scope", "context")
    texts = (*texts, "alternatives_considered", "corrected_fact", "correct_fact")
    lists: dict[str, object] = {name: [] for name in ("tags", "quality_flags", "accessed_by")}
    return {**dict.fromkeys(texts, ""), **lists, "source_ref": None, "project": None}
