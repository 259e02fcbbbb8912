"""What the operations of aliases answer."""

from pydantic import Field

from bigmind.operations.catalogue import Answer
from bigmind.text.phrasing import part


class AliasRow(Answer):
    """Another name of a project."""

    alias: str
    project: str

    def as_text(self) -> str:
        return f"- {part(self.alias)} → {part(self.project)}"


class AliasList(Answer):
    """The aliases of a person's projects."""

    aliases: list[AliasRow]

    def as_text(self) -> str:
        return "\n".join(each.as_text() for each in self.aliases) or "No aliases."


class JoinedAlias(Answer):
    """A name means a project from now on."""

    alias: str
    project: str
    moved: int
    is_known: bool = Field(default=True, description="Whether anything is stored for the project.")

    def as_text(self) -> str:
        told = f"{part(self.alias)} now means {part(self.project)}. Items moved: {self.moved}."
        return told if self.is_known else f"{told} Nothing is stored for {part(self.project)} yet: is that its name?"


class PartedAlias(Answer):
    """A name is a project's own again."""

    alias: str
    project: str
    moved: int

    def as_text(self) -> str:
        return f"{part(self.alias)} no longer means {part(self.project)}. Items moved back: {self.moved}."
