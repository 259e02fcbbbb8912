"""The context as a value: every line that a conversation starts with, what it stands for, and what it costs."""

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from functools import cached_property

from bigmind.text.tokens import count_tokens


class LineKind(StrEnum):
    """What a line of the context stands for."""

    WORK = "work"
    KNOWLEDGE = "knowledge"
    PROFILE = "profile"
    PINNED = "pinned"
    FACT = "fact"
    HYPOTHESIS = "hypothesis"
    THOUGHT = "thought"
    SESSION = "session"


@dataclass(frozen=True, slots=True)
class Subject:
    """The thing that a line stands for, and where it comes from.

    Attributes:
        kind: its kind.
        uid: its id; of the profile `role` or `preferences`, of a pinned fact its text.
        text: all of it, as it is stored.
        project: the project that it was stored for, if any.
        client: which client stored it; empty for the profile, which has none.
        person: the user name of who promoted or contributed it, where that is another person than the reader; else
            empty.
        at: when it was written last.
        is_pinned: whether a person pinned it to the context.
    """

    kind: LineKind
    uid: str
    text: str
    project: str | None
    client: str
    person: str
    at: datetime
    is_pinned: bool = False


@dataclass(frozen=True, slots=True)
class ContextLine:
    """One line as it stands in the context."""

    subject: Subject
    text: str
    tokens: int
    is_cut: bool


@dataclass(frozen=True, slots=True)
class ContextPart:
    """A section of the context.

    Attributes:
        heading: its first line, of sessions also the head of their table.
        lines: what follows.
        left_out: how many more things of the kind there are.
        remainder: the line that says so; empty when nothing was left out.
        tokens: what it costs in all.
    """

    heading: str
    lines: tuple[ContextLine, ...]
    left_out: int
    remainder: str
    tokens: int

    def as_text(self) -> str:
        """The section, as it stands in the context."""
        return "\n".join((self.heading, *(line.text for line in self.lines), *filter(None, [self.remainder])))


@dataclass(frozen=True)
class ContextBlock:
    """What a conversation starts with.

    Attributes:
        header: the first line.
        opening: what is said before the sections: that it is recalled data.
        parts: the sections, in their order; none when nothing is known.
        ending: what is said behind them: how to fill an empty memory, how much is held back; may be empty.
        held_back: how many things instruct their reader, or were imported by an assistant, and wait for a person.
    """

    header: str
    opening: str
    parts: tuple[ContextPart, ...]
    ending: str
    held_back: int

    def as_text(self) -> str:
        """The markdown that the client's model gets."""
        sections = (part.as_text() for part in self.parts)
        return "\n\n".join(filter(None, (self.header, self.opening, *sections, self.ending)))

    @cached_property
    def tokens(self) -> int:
        """What it costs."""
        return count_tokens(self.as_text())
