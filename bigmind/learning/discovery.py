"""Puts it together: sources read, proposals made of them, what was decided left out, what is known marked."""

import hashlib
import json
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from bigmind.caution.detect import cautions
from bigmind.clients.files.locations import Places
from bigmind.core.errors import BigMindError, Code, invalid
from bigmind.core.operation import Caller, Role
from bigmind.core.progress import Phase, Progress, nobody_waits
from bigmind.learning.conversation_records import RecordCollection
from bigmind.learning.decisions import decided_digests
from bigmind.learning.exports import parts_of
from bigmind.learning.known_matches import KnownMatch, known_of
from bigmind.learning.proposals import Proposal, bounded, merged, proposals_of
from bigmind.learning.source_text import document_of
from bigmind.learning.sources import Source, sources_of
from bigmind.paths import as_pasted
from bigmind.portable.memory_release import returning_memory
from bigmind.portable.transfer_paths import opened_for_import
from bigmind.store.access import Access
from bigmind.store.work import Work

MOST_READ = 4 * 1024 * 1024
"""Bytes of files that are read at once."""
MASKED = "[masked: "


@dataclass(frozen=True, slots=True)
class ReviewedProposal:
    """A proposal, and what there is to say of it.

    Attributes:
        proposal: what could be learnt.
        known: what is known of it already.
        caution: what in it instructs a later reader, by name.
    """

    proposal: Proposal
    known: KnownMatch
    caution: str

    @property
    def is_masked(self) -> bool:
        """Whether it held a secret."""
        held = self.proposal.held
        return (
            MASKED in self.proposal.text
            or MASKED in self.proposal.title
            or (held is not None and MASKED in held.summary)
        )

    @property
    def is_plain(self) -> bool:
        """Whether it is taken when everything is: it is new, and instructs nobody."""
        return not self.caution and self.known.relation != "known"


@dataclass(slots=True)
class Discovery:
    """What there is to learn.

    Attributes:
        proposals: what was not decided yet, bounded.
        sources: where it comes from, and what was not read.
        more: how many there are beyond those, of what was read.
        decided: how many of what stands there were decided before.
        settled: those, where all of it was read anyway; of an export, none.
        notes: what else there is to say, in sentences.
    """

    proposals: list[ReviewedProposal] = field(default_factory=list[ReviewedProposal])
    sources: list[Source] = field(default_factory=list[Source])
    more: int = 0
    decided: int = 0
    settled: list[Proposal] = field(default_factory=list[Proposal])
    notes: list[str] = field(default_factory=list[str])

    @property
    def digest(self) -> str:
        """By which the list is recognised, with every word that would be stored: 64 hexadecimal digits."""
        told = [[each.proposal.digest, *_words(each.proposal)] for each in self.proposals]
        return hashlib.sha256(json.dumps(told).encode()).hexdigest()

    def expect(self, shown: str) -> None:
        """Refuse to take all of it when it is not what was shown.

        Args:
            shown: the digest of what was shown, or its beginning; empty: nothing was.

        Raises:
            BigMindError: `conflict`, `invalid_input`.
        """
        again = "Look at it again; `--shown` takes the name of the list, with which what you saw ends."
        if not shown:
            raise BigMindError(Code.INVALID_INPUT, "All of what? It is not said which list was shown.", again)
        if not self.digest.startswith(shown):
            raise BigMindError(Code.CONFLICT, "What is proposed is not what was shown: it has changed since.", again)


def workspace_of(given: str | None) -> Path | None:
    """A folder that a person names.

    Raises:
        BigMindError: `invalid_input`, when it is no folder.
    """
    if given is None:
        return None
    try:
        folder = Path(as_pasted(given)).expanduser()
        if folder.is_absolute() and folder.is_dir():
            return folder
    except (OSError, ValueError, RuntimeError):  # no path at all, or nobody's home
        pass
    raise invalid("workspace", given, "a folder, by its whole path")


def permit_files(caller: Caller) -> None:
    """The files of this machine are read with the rights of the server: they are its owner's.

    Raises:
        BigMindError: `forbidden`.
    """
    if not caller.role.includes(Role.ADMIN):
        raise BigMindError(
            Code.FORBIDDEN,
            "Only an admin learns from the files of this machine.",
            "Name the file of an export of your own.",
        )


def learn_from_files(
    work: Work,
    places: Places,
    workspace: Path | None = None,
    progress: Progress = nobody_waits,
    *,
    closely: bool = True,
) -> Discovery:
    """What the person's own files hold, and those of a workspace; `closely` as in `known_of`.

    Raises:
        BigMindError: `forbidden`.
    """
    permit_files(work.caller)
    sources, proposals = read_files(sources_of(places, workspace), progress)
    decided = decided_digests(work)
    fresh = [each for each in proposals if each.digest not in decided]
    settled = [each for each in proposals if each.digest in decided]
    shown = bounded(fresh)
    told = judged(work, shown, closely=closely)
    return Discovery(told, sources, len(fresh) - len(shown), len(settled), settled)


def read_files(sources: Sequence[Source], progress: Progress = nobody_waits) -> tuple[list[Source], list[Proposal]]:
    """The sources, with why some could not be read, and what could be learnt from the others."""
    phase, left = Phase(progress, "Reading the files", len(sources)), MOST_READ
    found: list[Proposal] = []
    told: list[Source] = []
    for source in sources:
        document = document_of(source) if source.size <= left else "there is too much to be read at once"
        if isinstance(document, str):
            told.append(replace(source, left=document))
        else:
            left -= source.size
            told.append(source)
            found += proposals_of(document)
        phase.add()
    return told, merged(found)


def learn_from_export(access: Access, path: str, *, closely: bool = True) -> Discovery:
    """What an export of ChatGPT or Claude holds; `closely` as in `known_of`.

    Raises:
        BigMindError: `invalid_input`, `not_found`, `too_large`, `forbidden`.
    """
    with returning_memory():
        with access.read() as work:
            decided = decided_digests(work)
        with opened_for_import(access, path) as (place, file):
            gathered = RecordCollection(place.name, decided, access.now)
            gathered.read(parts_of(file, place.name, access.progress))
        with access.read() as work:
            found = Discovery(proposals=judged(work, gathered.proposals(), closely=closely))
    found.more, found.decided = gathered.older, gathered.decided_before
    if gathered.without_time:
        found.notes.append(f"Without a question or a date, and left out: {gathered.without_time:,}.")
    return found


def judged(work: Work, proposals: Sequence[Proposal], *, closely: bool) -> list[ReviewedProposal]:
    """Proposals with what is known of them, and what in them instructs a later reader."""
    return [
        ReviewedProposal(each, known, cautions(*_words(each)))
        for each, known in zip(proposals, known_of(work, proposals, closely=closely), strict=True)
    ]


def _words(proposal: Proposal) -> list[str]:
    held = proposal.held
    told = [held.summary, *held.topics] if held else []
    return [proposal.text, proposal.title, proposal.project or "", proposal.client, *told]
