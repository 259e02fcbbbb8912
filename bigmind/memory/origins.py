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

    def origin(self, kept: OriginRow) -> str:
        """Project and client of something, each if it is another one than the reader's; empty where neither is."""
        project = project_part(kept.project) if kept.project and kept.project != self.project else ""
        client = f"by {part(kept.client)}" if kept.client and kept.client != self.client else ""
        return " · ".join(each for each in (project, client) if each)
