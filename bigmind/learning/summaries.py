"""What was found and done, as the operations and the page tell it."""

from collections.abc import Sequence

from bigmind.learning.answers import (
    Accepted,
    LearntItem,
    NotTaken,
    PlaceRow,
    ProposalList,
    ProposalRow,
    SourceRow,
)
from bigmind.learning.decisions import DecisionOutcome
from bigmind.learning.discovery import Discovery, ReviewedProposal
from bigmind.learning.sources import Source
from bigmind.local.command_line import typed_argument


def source_row(source: Source) -> SourceRow:
    """A source as it is told."""
    return SourceRow(
        file=source.shown,
        client=source.client,
        scope=source.scope,
        project=source.project,
        is_memory=source.is_memory,
        bytes=source.size,
        modified_at=source.modified_at,
        left=source.left,
    )


def proposal_list(found: Discovery, workspace: str | None = None, file: str | None = None) -> ProposalList:
    """What was found in a workspace, or a file, as it is told."""
    looked_through = {"workspace": workspace, "file": file}
    return ProposalList(
        proposals=[proposal_row(each) for each in found.proposals],
        list_digest=found.digest,
        sources=[source_row(each) for each in found.sources],
        more=found.more,
        decided=found.decided,
        notes=found.notes,
        options="".join(f" --{name} {typed_argument(value)}" for name, value in looked_through.items() if value),
    )


def proposal_row(judged: ReviewedProposal) -> ProposalRow:
    """A proposal as it is told."""
    each, held = judged.proposal, judged.proposal.held
    return ProposalRow(
        digest=each.digest,
        becomes=each.becomes,
        text=each.text,
        category=each.category,
        title=each.title,
        project=each.project,
        places=[PlaceRow(file=place.file, heading=place.heading, line=place.line) for place in each.places],
        known=judged.known.relation,
        known_text=judged.known.text,
        caution=judged.caution,
        is_masked=judged.is_masked,
        is_shortened=bool(each.note),
        started_at=held.started_at if held else None,
        ended_at=held.ended_at if held else None,
        topics=list(held.topics) if held else [],
        summary=held.summary if held else "",
    )


def accepted(outcome: DecisionOutcome, unknown: Sequence[str], passed_over: int) -> Accepted:
    """What came of accepting as it is told."""
    return Accepted(
        learnt=[
            LearntItem(digest=each.digest, kind=each.kind, id=each.uid, text=each.text, caution=each.caution)
            for each in outcome.made
        ],
        confirmed=outcome.confirmed,
        before=outcome.before,
        passed_over=passed_over,
        not_taken=[NotTaken(text=text, reason=reason) for text, reason in outcome.left],
        unknown=list(unknown),
    )
