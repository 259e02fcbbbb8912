"""What the choice of an embedding model answers."""

from pydantic import Field

from bigmind.operations.catalogue import Answer
from bigmind.text.phrasing import counted

NONE = "none"
"""In place of a model."""


class OfferedModel(Answer):
    """An embedding model that can be chosen."""

    name: str
    about: str
    megabytes: int = Field(description="What must be downloaded for it; 0 when nothing must.")
    is_here: bool = Field(description="Whether it is on this machine.")

    def as_text(self) -> str:
        if self.is_here:
            needs = "on this machine"
        else:
            needs = f"a download of {self.megabytes} MB" if self.megabytes else "not installed"
        return f"- {self.name} · {needs} · {self.about}"


class Models(Answer):
    """The embedding models, and how the one that is used is."""

    active: str = Field(description="Whose vectors are searched; `none` when things are found by words alone.")
    next: str | None = Field(description="The model that is being changed to.")
    waiting: int = Field(description="Items that the caller finds, and that wait for their vectors.")
    state: str = Field(description="How the process that embeds is: off (it rests), starting, ready or failed.")
    failure: str = Field(default="", description="Why it failed, or why search goes by words alone.")
    download: str = Field(default="", description="The download that runs, or how the last one ended.")
    models: list[OfferedModel]

    def as_text(self) -> str:
        how = f"{self.state}: {self.failure}" if self.failure else self.state
        if self.active == NONE:
            lines = [f"Things are found by words alone ({how if self.failure else 'no embedding model is chosen'})."]
        else:
            lines = [f"Searched with {self.active} ({how})."]
        if self.next is not None:
            lines.append(f"Changing to {self.next}: {counted(self.waiting, 'item waits', 'items wait')} for vectors.")
        if self.download:
            lines.append(self.download)
        return "\n".join([*lines, "", *(each.as_text() for each in self.models)])


class ChosenModel(Answer):
    """What became of the choice of a model."""

    model: str
    told: str = Field(description="What happens now.")

    def as_text(self) -> str:
        return self.told


def begun(name: str, active: str, waiting: int) -> ChosenModel:
    """The answer to a change that began: so many items wait, and until then `active` is searched; words, if empty."""
    items = counted(waiting, "item waits", "items wait")
    until = f"{active} is searched" if active else "things are found by words"
    told = f"The change to {name} has begun: {items} to be embedded with it. Until that is done, {until}."
    return ChosenModel(model=name, told=told)
