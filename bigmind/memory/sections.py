"""Parts of a markdown text that are held to a budget of tokens, and how several of them share one."""

from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

from bigmind.core.text import shortened
from bigmind.memory.tokens import count_tokens

SHORTEST_TEXT = 12
"""Characters without which a line says nothing; ideographs and emoji say much in few."""

SHORTEST_SOURCE = 8
LONGEST_TOKEN = 16
"""Characters; of a budget's worth of tokens nearly none is so long."""

BLANK_LINE = 2
"""Tokens at most of what stands between two sections."""


@dataclass(frozen=True)
class Line:
    """One line of a section.

    Attributes:
        text: what it says; cut at its end when it must be.
        source: where that comes from, behind the text; kept when the text is cut.
        place: where it stands among the lines that are shown; those of the same place stay in their order.
        label: what the text stands behind; never cut.
        briefs: what may stand for it instead, shorter and shorter; a line that has them is never cut.
    """

    text: str
    source: str = ""
    place: int = 0
    label: str = ""
    briefs: tuple[str, ...] = ()

    @cached_property
    def cost(self) -> int:
        """Tokens of the whole line, with its end."""
        return count_tokens(self.whole) + 1

    @property
    def whole(self) -> str:
        """All of it."""
        return self.label + self.text + self.source

    def within(self, budget: int) -> str:
        """The line in at most `budget` tokens; empty when too little of it would be left."""
        if self.cost <= budget:
            return self.whole
        if self.briefs:
            return next((brief for brief in self.briefs if count_tokens(brief) + 1 <= budget), "")
        source = _cut(self.source, budget // 2, SHORTEST_SOURCE)
        text = _cut(self.text, budget - count_tokens(self.label) - count_tokens(source) - 1, SHORTEST_TEXT)
        return self.label + text + source if text else ""


@dataclass(frozen=True)
class Section:
    """A heading and its lines, the most important first.

    Attributes:
        heading: its first line or lines.
        lines: what there is to say.
        left_out: how many more there are that are not among the lines.
        tool: what shows them.
        mark: begins the line that says how many were left out.
        evenly: each line is cut to its part of the budget, where otherwise the first ones would be shown whole.
    """

    heading: str
    lines: Sequence[Line]
    left_out: int = 0
    tool: str = ""
    mark: str = "- "
    evenly: bool = False

    @cached_property
    def wish(self) -> int:
        """Tokens of everything there is to say."""
        return self._frame(self.left_out) + sum(line.cost for line in self.lines)

    def fitted(self, budget: int) -> str:
        """As much as fits into `budget` tokens with the blank line behind it.

        What is left out is always counted, so the least is the heading and that line.
        """
        kept = self._even(budget) if self.evenly else self._foremost(budget)
        missing = len(self.lines) - len(kept) + self.left_out
        shown = [text for _, text in sorted(kept, key=lambda each: each[0].place)]
        return "\n".join((self.heading, *shown, *([self._trailer(missing)] if missing else [])))

    def _foremost(self, budget: int) -> list[tuple[Line, str]]:
        """The first lines, as many as fit."""
        if self.wish <= budget:  # else room would be kept for a line that says how many more there are
            return [(line, line.whole) for line in self.lines]
        kept: list[tuple[Line, str]] = []
        everything = len(self.lines) + self.left_out
        used = 0
        for number, line in enumerate(self.lines, 1):
            missing = everything if number < everything else 0
            if self._frame(missing) + used + line.cost > budget:
                break
            used += line.cost
            kept.append((line, line.whole))
        if not kept:
            # A line dearer than the whole section is cut further, so that nobody's emoji hide that there is something.
            first = self.lines[0].within(budget - self._frame(everything))
            return [(self.lines[0], first)] if first else []
        return kept

    def _even(self, budget: int) -> list[tuple[Line, str]]:
        """The first lines, each within its part; as many as something remains of."""
        for count in range(len(self.lines), 0, -1):
            lines = self.lines[:count]
            rest = budget - self._frame(len(self.lines) - count + self.left_out)
            shares = fair_shares(rest, [line.cost for line in lines], [1] * count)
            texts = [line.within(share) for line, share in zip(lines, shares, strict=True)]
            if all(texts):
                return list(zip(lines, texts, strict=True))
        return []

    def _frame(self, missing: int) -> int:
        """Tokens of what stands around the lines when so many are missing."""
        trailer = count_tokens(self._trailer(missing)) + 1 if missing else 0
        return count_tokens(self.heading) + 1 + trailer + BLANK_LINE

    def _trailer(self, missing: int) -> str:
        return f"{self.mark}… {missing:,} more: {self.tool}"


def _cut(text: str, budget: int, shortest: int) -> str:
    """The beginning of a text, of at most `budget` tokens; nothing when fewer than `shortest` characters are left."""
    considered = min(len(text), max(budget, 0) * LONGEST_TOKEN)
    if considered == len(text) and count_tokens(text) <= budget:
        return text
    length = bisect_right(range(1, considered), budget, key=lambda most: count_tokens(shortened(text, most)))
    return shortened(text, length) if length >= shortest else ""


@dataclass(frozen=True)
class Tier:
    """Sections that have a budget of tokens together, each with a weight in it; and the tier's own among the others."""

    budget: int
    sections: Sequence[tuple[int, Section]]
    weight: int

    @cached_property
    def wish(self) -> int:
        """Tokens of everything there is to say, as far as the budget goes."""
        return min(self.budget, sum(section.wish for _, section in self.sections))


def filled(tiers: Sequence[Tier], budget: int) -> list[str]:
    """The texts of all sections, within the budget of each tier and within `budget` tokens together.

    When not everything fits, each tier has at least its part of the whole by its weight; what one does not need goes
    to the others. So it is among the sections of a tier, by theirs.
    """
    texts: list[str] = []
    spare = 0
    shares = fair_shares(budget, [tier.wish for tier in tiers], [tier.weight for tier in tiers])
    for tier, share in zip(tiers, shares, strict=True):
        allowed = min(tier.budget, share + spare)
        of_tier, used = _of_tier(tier, allowed)
        texts += of_tier
        spare += share - used
    return texts


def _of_tier(tier: Tier, budget: int) -> tuple[list[str], int]:
    texts: list[str] = []
    used = promised = 0
    wishes = [section.wish for _, section in tier.sections]
    shares = fair_shares(budget, wishes, [weight for weight, _ in tier.sections])
    for (_, section), share in zip(tier.sections, shares, strict=True):
        promised += share
        texts.append(section.fitted(promised - used))
        used += count_tokens(texts[-1]) + BLANK_LINE
    return texts, used


def fair_shares(total: int, wishes: Sequence[int], weights: Sequence[int]) -> list[int]:
    """Divide `total` by weight; what somebody does not wish for goes to the others (weighted max-min fairness)."""
    shares = list(wishes)
    waiting: list[int] = list(range(len(wishes)))
    while waiting:
        weight = sum(weights[each] for each in waiting)
        hungry: list[int] = [each for each in waiting if wishes[each] * weight > total * weights[each]]
        if len(hungry) == len(waiting):
            for each in waiting:
                shares[each] = max(0, total * weights[each] // weight)
            return shares
        total -= sum(wishes[each] for each in waiting if each not in hungry)
        waiting = hungry
    return shares
