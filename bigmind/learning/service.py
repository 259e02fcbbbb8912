"""What people do with what could be learnt: look at it, accept it, dismiss it, take that back."""

from collections.abc import Sequence

from bigmind.clients.files.locations import places_here
from bigmind.core.errors import BigMindError, Code
from bigmind.learning.answers import Accepted, DecidedList, Dismissed, ProposalList, SourceList, TakenBack
from bigmind.learning.decision_history import decided_list
from bigmind.learning.decisions import accept, chosen, dismiss, take_back
from bigmind.learning.discovery import Discovery, learn_from_export, learn_from_files, permit_files, workspace_of
from bigmind.learning.sources import sources_of, workspaces_of
from bigmind.learning.summaries import accepted, proposal_list, source_row
from bigmind.store.access import Access
from bigmind.store.work import Work


def sources(workspace: str | None) -> SourceList:
    """The files here by which assistants are told things already."""
    places = places_here()
    return SourceList(
        sources=[source_row(each) for each in sources_of(places, workspace_of(workspace))],
        workspaces=[str(each) for each in workspaces_of(places)],
    )


def proposed(access: Access, workspace: str | None, file: str | None) -> ProposalList:
    """What could be learnt from the files here, or from an export."""
    return proposal_list(_found(access, workspace, file, closely=True), workspace, file)


def accept_named(access: Access, digests: Sequence[str], workspace: str | None, file: str | None) -> Accepted:
    """Learn what is named.

    Raises:
        BigMindError: `invalid_input`, where nothing is.
    """
    named = _named(digests)
    proposals, unknown = chosen([each.proposal for each in _found(access, workspace, file).proposals], named)
    return accepted(accept(access, proposals), unknown, 0)


def accept_all(access: Access, shown: str, workspace: str | None, file: str | None) -> Accepted:
    """Learn all that is new, and instructs nobody, of the list that was shown.

    Raises:
        BigMindError: `conflict` or `invalid_input`, where that is another list than this.
    """
    found = _found(access, workspace, file)
    found.expect(shown)
    plain = [each.proposal for each in found.proposals if each.is_plain]
    return accepted(accept(access, plain), [], len(found.proposals) - len(plain))


def dismiss_named(access: Access, digests: Sequence[str], workspace: str | None, file: str | None) -> Dismissed:
    """Have what is named not proposed again.

    Raises:
        BigMindError: `invalid_input`, where nothing is.
    """
    named = _named(digests)
    proposals, unknown = chosen([each.proposal for each in _found(access, workspace, file).proposals], named)
    return _dismissed(access, [each.digest for each in proposals], unknown)


def dismiss_all(access: Access, shown: str, workspace: str | None, file: str | None) -> Dismissed:
    """Have nothing of the list that was shown proposed again.

    Raises:
        BigMindError: as `accept_all`.
    """
    found = _found(access, workspace, file)
    found.expect(shown)
    return _dismissed(access, [each.proposal.digest for each in found.proposals], [])


def decided(work: Work, limit: int) -> DecidedList:
    """What was accepted and dismissed, the newest first."""
    return decided_list(work, limit)


def undo(access: Access, digests: Sequence[str], *, all_dismissed: bool) -> TakenBack:
    """Take back decisions that are named, and, where so told, whatever was dismissed.

    Raises:
        BigMindError: `invalid_input`, where nothing is named.
    """
    named = list(digests) if all_dismissed else _named(digests)
    taken, left = take_back(access, named, all_dismissed=all_dismissed)
    return TakenBack(taken_back=taken, left=left)


def _dismissed(access: Access, digests: list[str], unknown: list[str]) -> Dismissed:
    dismiss(access, digests)
    return Dismissed(dismissed=digests, unknown=unknown)


def _named(digests: Sequence[str]) -> list[str]:
    if not digests:
        raise BigMindError(
            Code.INVALID_INPUT, "Nothing is chosen.", "Choose some of what is proposed, or say that all of it is meant."
        )
    return list(digests)


def _found(access: Access, workspace: str | None, file: str | None, *, closely: bool = False) -> Discovery:
    if file is not None:
        return learn_from_export(access, file, closely=closely)
    permit_files(access.caller)  # before a word on the folder tells whether it is there
    folder = workspace_of(workspace)
    with access.read() as work:
        return learn_from_files(work, places_here(), folder, access.progress, closely=closely)
