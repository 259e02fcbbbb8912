"""Whether something says enough of a question to be shown at all, and is not behind all that is shown. Pure.

The numbers are measured (docs/search.md).
"""

from dataclasses import dataclass

from bigmind.embedding.models import ALIKE

FEW_WORDS = 2
"""Of so few words each is enough."""
LEAST_OF_BEST = 0.3
"""What covers less of a question than this share of what the best covers, is not shown for its words."""
LEAST = 0.3
"""The least that words and meaning together say of a question."""
NEARLY_ALIKE = 0.7
"""The share of `alike` from which on a thing is found that shares nothing but everyday words with the question."""
GOOD_SHARE = 0.3
"""The share of a question's telling words that stand in or beside what answers well by its words."""
NEAR = 0.25
"""What something says by its meaning where that is just alike; less than `LEAST`, so that some words must be there."""


@dataclass(frozen=True, slots=True)
class Cutoff:
    """What is enough for one question.

    Attributes:
        words: that it has.
        best: the largest share of its words, rare ones counting more, that stands in anything or beside it.
        alike: the cosine from which on a thing says something by its meaning alone.
    """

    words: int
    best: float
    alike: float

    def is_near(self, similarity: float | None) -> bool:
        """Whether a thing of that cosine is found by its meaning alone; None where it has no vector."""
        return similarity is not None and similarity >= self.alike

    def covers(self, covered: float, similarity: float | None) -> bool:
        """Whether a thing that has words of it, or stands beside some, is found.

        One shared word of several is chance, unless the thing is about the same too. Where nothing is known of what it
        means, the words of the best are the measure.
        """
        if self.words <= FEW_WORDS:
            return True
        means = LEAST if similarity is None else NEAR * max(0.0, similarity) / self.alike
        return covered >= LEAST_OF_BEST * self.best and covered + means >= LEAST

    def is_nearly_alike(self, similarity: float | None) -> bool:
        """Whether a thing of that cosine, which shares everyday words with the question, may answer it."""
        return similarity is not None and similarity >= NEARLY_ALIKE * self.alike

    def answers(self, told: float, similarity: float | None) -> bool:
        """Whether a thing that is found answers well, by the share of telling words or on the scale of all models."""
        return told >= GOOD_SHARE or (similarity is not None and similarity >= ALIKE)


GroupKey = tuple[str, int]
"""The kind and key of the thing that a hit is shown under."""


def group_of(kind: str, key: int, session: int) -> GroupKey:
    """What a hit is shown under: a session for itself and its moments, any other thing for itself."""
    return ("session", session) if kind in {"chunk", "session"} else (kind, key)


class FirstGroups:
    """The groups of the hits that came so far, best first.

    Attributes:
        are_all: whether as many came as are told of, and one that answers well: what stands in others is left out then.
    """

    def __init__(self, most: int) -> None:
        """Tell of so many groups; 0: of all."""
        self.are_all = False
        self._most, self._has_good = most, False
        self._groups = set[GroupKey]()

    def __contains__(self, group: GroupKey) -> bool:
        """Whether it is one of them."""
        return group in self._groups

    def take(self, group: GroupKey, *, is_good: bool) -> None:
        """Note a hit, and whether it answers well."""
        self._has_good = self._has_good or is_good
        if len(self._groups) < self._most:
            self._groups.add(group)
        self.are_all = self._has_good and 0 < self._most == len(self._groups)
