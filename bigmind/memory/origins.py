"""Where something that is remembered comes from, as far as that is not where its reader is."""

from typing import Protocol

from bigmind.memory.sessions.choice import current_project
from bigmind.store.work import Work
from bigmind.text.phrasing import part, project_part


class OriginRow(Protocol):
    """A row that says for which project and by which client it was kept."""

    project: str | None
    client: str


class OriginReader:
    """Who reads an answer: of which project and client nothing needs to be said."""

    def __init__(self, work: Work) -> None:
        """Look up the project that the caller works on."""
        self.project = current_project(work)
        self.client = work.caller.client
        self.kinds = work.kinds
        self._told: dict[tuple[str | None, str], str] = {}

    def origin(self, kept: OriginRow) -> str:
        """Project and client of something, each if it is another one than the reader's; empty where neither is."""
        of = kept.project, kept.client
        if (told := self._told.get(of)) is None:  # most of what an answer holds comes from one or two places
            told = self._told[of] = self._in_words(*of)
        return told

    def _in_words(self, project: str | None, client: str) -> str:
        told = project_part(project) if project and project != self.project else ""
        by = f"by {part(client)}" if client and client != self.client else ""
        return " · ".join(each for each in (told, by) if each)
