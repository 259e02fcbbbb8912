"""What a person can limit a new token to."""

from dataclasses import dataclass

from bigmind.core.toolsets import Toolset
from bigmind.people.token_scopes import known_work_roles
from bigmind.store.work import Work

_WORDS = {
    Toolset.DEFAULT: "Everyday memory",
    Toolset.MEMORY: "All of the memory",
    Toolset.BRAIN: "Brain",
    Toolset.WORK: "Work",
    Toolset.MINDSPACE: "Mindspace",
    Toolset.PROTOCOL: "Protocol",
}


@dataclass(frozen=True, slots=True)
class ScopeChoice:
    """A toolset that a token can be limited to, and how it is called."""

    name: str
    words: str


@dataclass(frozen=True, slots=True)
class ScopeChoices:
    """The toolsets and the work roles that there are."""

    toolsets: list[ScopeChoice]
    roles: list[str]


def scopes(work: Work) -> ScopeChoices:
    """What a new token can be limited to."""
    toolsets = [ScopeChoice(each.value, words) for each, words in _WORDS.items()]
    return ScopeChoices(toolsets, known_work_roles(work))
