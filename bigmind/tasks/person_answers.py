"""What is answered to a person who confirms, and sets how work is done."""

from pydantic import Field

from bigmind.operations.catalogue import Answer
from bigmind.text.phrasing import counted


class ConfirmationAnswer(Answer):
    """A yes was given, or taken back."""

    slug: str
    revision: int
    is_given: bool

    def as_text(self) -> str:
        if self.is_given:
            return f"Confirmed: {self.slug} at revision {self.revision}. It holds until anything of it changes."
        return f"The yes to {self.slug} is taken back."


class ProcessShelfAnswer(Answer):
    """A process was taken, removed, or opened for agents."""

    name: str
    version: int
    told: str
    dropped: list[str] = Field(default_factory=list[str], description="Gates that fell away.")

    def as_text(self) -> str:
        return self.told


class MigrationAnswer(Answer):
    """Items were led to a newer version of their process."""

    name: str
    version: int
    slugs: list[str]

    def as_text(self) -> str:
        return f"{counted(len(self.slugs), 'item')} of {self.name} now at version {self.version}."


class RolesAnswer(Answer):
    """The work roles that an agent may take."""

    agent: str
    roles: list[str]
    is_set: bool

    def as_text(self) -> str:
        may = ", ".join(self.roles) if self.roles else "no role"
        return f"{self.agent} may take {may}{'' if self.is_set else ', as usual'}."
