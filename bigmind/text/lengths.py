"""Cuts what is too long where a model can hardly do better, as in its last call, and tells what was cut.

It comes after the masking of secrets: of half a key no rule would say that it is one.
"""

from collections.abc import Sequence

from bigmind.core.plain_text import shortened

LONGEST_TOPIC = 80
"""Characters."""
MOST_TOPICS = 20


class Truncations:
    """What was cut in the texts of one call."""

    def __init__(self) -> None:
        self._told: list[str] = []

    def text(self, name: str, text: str, most: int) -> str:
        """A text of at most `most` characters, cut at a word where one is near."""
        if len(text) > most:
            self._told.append(f"{name} at {most} characters")
        return shortened(text, most)

    def topics(self, topics: Sequence[str]) -> list[str]:
        """The first topics, each of them short, and once."""
        fitting = list(dict.fromkeys(shortened(each, LONGEST_TOPIC) for each in topics))
        if any(len(each) > LONGEST_TOPIC for each in topics):
            self._told.append(f"a topic at {LONGEST_TOPIC} characters")
        if len(fitting) > MOST_TOPICS:
            self._told.append(f"topics after {MOST_TOPICS} of {len(fitting)}")
        return fitting[:MOST_TOPICS]

    @property
    def note(self) -> str:
        """What was cut, and where; empty when nothing was."""
        return f"Too long, so cut: {', '.join(self._told)}." if self._told else ""
