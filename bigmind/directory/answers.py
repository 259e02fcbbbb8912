"""What the directory answers."""

from collections.abc import Sequence
from datetime import date, datetime
from typing import Literal

from pydantic import Field

from bigmind.core.clock import local
from bigmind.core.ids import short
from bigmind.core.operation import Offer, Role, offered_only
from bigmind.core.plain_text import one_line, shortened, visible
from bigmind.directory.rules import NEVER, NOT_A_TEAM, SHOWN, DirectoryChoice
from bigmind.memory.answers import words_only
from bigmind.operations.catalogue import Answer, Part
from bigmind.text.phrasing import RECALLED, counted, part

_LONGEST = 200
_CHOOSE = "directory_choose changes what is told of you: off, topics, headlines."


class DirectoryWeight(Part):
    """A topic or a project, by in how many sessions it was."""

    name: str
    sessions: int
    last: date = Field(description="The day of the newest of them, in UTC.")

    def as_text(self) -> str:
        """The name, and how often."""
        return f"{part(visible(self.name))} ({self.sessions:,})"


class DirectoryHeadline(Part):
    """What a session was about, of somebody who lets that be told."""

    day: date
    text: str

    def as_text(self) -> str:
        """One line."""
        return f"  - {self.day}: {part(visible(self.text), _LONGEST)}"


def _seen(day: date | None) -> str:
    return f"last seen on {day}" if day else "not seen yet"


class DirectoryPerson(Part):
    """A person, as far as they let it be told."""

    user_id: str
    username: str
    display_name: str
    role: Role
    first_seen: date
    last_seen: date | None = Field(description="Null where they were not here yet.")
    sessions: int = Field(description="That ended, and that nothing is flagged of.")
    days: int = Field(description="On how many days those began.")
    topics: list[DirectoryWeight]
    projects: list[DirectoryWeight]
    entries: int = Field(description="Entries of company knowledge that they promoted.")
    headlines: list[DirectoryHeadline] = Field(default_factory=list[DirectoryHeadline])
    is_you: bool

    def as_text(self) -> str:
        """A few lines."""
        called = f" ({part(visible(self.display_name))})" if self.display_name != self.username else ""
        you = ", you" if self.is_you else ""
        told = (
            f"- **{part(visible(self.username))}**{called}, {self.role}{you}: {counted(self.sessions, 'session')} on "
            f"{counted(self.days, 'day')}, here since {self.first_seen}, {_seen(self.last_seen)}"
        )
        lines = [told]
        for label, weights in (("topics", self.topics), ("projects", self.projects)):
            if weights:
                lines.append(f"  - {label}: {', '.join(each.as_text() for each in weights)}")
        if self.entries:
            entries = counted(self.entries, "entry", "entries")
            lines.append(f"  - promoted {entries} of company knowledge")
        return "\n".join([*lines, *(each.as_text() for each in self.headlines)])


class DirectoryEntry(Part):
    """An entry of company knowledge, and who brought it about."""

    entry_id: str
    title: str
    promoted_by: str
    approved_by: str
    at: datetime

    def as_text(self) -> str:
        """One line."""
        by = f", promoted by {part(visible(self.promoted_by))}" if self.promoted_by else ""
        return f"- {short(self.entry_id)} {part(visible(self.title))} ({local(self.at)}{by})"


class DirectoryList(Answer):
    """Who works on what, and what all of them do together."""

    is_team: bool
    your_choice: DirectoryChoice
    people: list[DirectoryPerson]
    sessions: int = Field(description="Of all who are told of.")
    lately: list[DirectoryWeight] = Field(description="Topics of the last 30 days, of all of them.")
    newest: list[DirectoryEntry] = Field(description="The newest company knowledge.")

    def as_text(self) -> str:
        """The people, then the sums."""
        if not self.is_team:
            return NOT_A_TEAM
        people = [each.as_text() for each in self.people] or ["Nobody lets anything be told."]
        lines = [RECALLED, "", *people, "", f"Together: {counted(self.sessions, 'session')}."]
        if self.lately:
            lines.append(f"Topics of the last 30 days: {', '.join(each.as_text() for each in self.lately)}.")
        if self.newest:
            lines += ["Newest company knowledge:", *(each.as_text() for each in self.newest)]
        return "\n".join([*lines, "", f"Of you it tells: {self.your_choice}. {SHOWN[self.your_choice]}"])

    def hints(self, offer: Offer) -> Sequence[str]:
        """How to choose."""
        return offered_only(offer, (_CHOOSE,)) if self.is_team else ()


class DirectoryMatch(Part):
    """A person who worked on it, and by what that is known."""

    user_id: str
    username: str
    display_name: str
    last_seen: date | None = Field(description="Null where they were not here yet.")
    topics: list[DirectoryWeight]
    projects: list[DirectoryWeight]
    headlines: list[DirectoryHeadline]

    def as_text(self) -> str:
        """A line, and one for each headline."""
        by = [f"topics {', '.join(each.as_text() for each in self.topics)}"] * bool(self.topics)
        by += [f"projects {', '.join(each.as_text() for each in self.projects)}"] * bool(self.projects)
        by += [counted(len(self.headlines), "headline")] * bool(self.headlines)
        lines = [f"- **{part(visible(self.username))}**, {_seen(self.last_seen)}: {'; '.join(by)}"]
        return "\n".join([*lines, *(each.as_text() for each in self.headlines)])


class DirectoryShared(Part):
    """What somebody shared that is about it."""

    kind: Literal["thought", "knowledge"]
    id: str
    text: str
    by: str
    at: datetime

    def as_text(self) -> str:
        """One line."""
        by = part(visible(self.by)) or "a user who is gone"
        what = "thought" if self.kind == "thought" else "company knowledge"
        return f"- {what} {short(self.id)} by {by}: {part(shortened(one_line(visible(self.text)), _LONGEST), _LONGEST)}"


class DirectoryFound(Answer):
    """Who worked on something, and what was shared of it."""

    is_team: bool
    your_choice: DirectoryChoice
    query: str
    people: list[DirectoryMatch]
    shared: list[DirectoryShared]
    words_only: str = Field(default="", description="Why meaning had no part in finding what is shared.")

    def as_text(self) -> str:
        """The people, then what was shared."""
        if not self.is_team:
            return NOT_A_TEAM
        if not self.people and not self.shared:
            return "Nobody who lets it be told worked on that, and nothing shared is about it."
        people = [each.as_text() for each in self.people] or ["Nobody who lets it be told worked on that."]
        lines = [RECALLED, "", *people]
        if self.shared:
            lines += ["", "Shared by people here:", *(each.as_text() for each in self.shared)]
        return "\n".join([*lines, *([f"\n{words_only(self.words_only).strip()}"] if self.words_only else [])])

    def hints(self, offer: Offer) -> Sequence[str]:
        """That something is told of whoever asks, while nobody chose otherwise."""
        if not self.is_team or self.your_choice is not DirectoryChoice.TOPICS:
            return ()
        return offered_only(offer, ("Others are told your topics, projects and days in the same way.", _CHOOSE))


class DirectoryChosen(Answer):
    """What the directory tells of you from now on."""

    choice: DirectoryChoice
    is_team: bool

    def as_text(self) -> str:
        """What that is."""
        when = "" if self.is_team else f" {NOT_A_TEAM}"
        return f"Of you the directory tells: {self.choice}. {SHOWN[self.choice]} {NEVER}{when}"
