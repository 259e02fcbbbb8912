"""Parts of a markdown text that are held to a budget of tokens, and how several of them share one."""

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

from bigmind.memory.context.block import Subject
from bigmind.text.tokens import beginning, count_tokens

MOST_CONSIDERED = 16
"""Characters for each token of a budget; of so many tokens nearly none is longer."""

BLANK_LINE = 2
"""Tokens at most of what stands between two sections."""

MOST_WISHED = 1_300
MOST_COUNTED = 400
"""Tokens to which a line is counted; dearer ones take what they are given."""

MOST_WEIGHT = 8
LEAST_TEXT = 6
"""Tokens without which a text says nothing."""


@dataclass(frozen=True, kw_only=True)
class Line(ABC):
    """One line of a section, which can be told in fewer tokens than it wishes.

    Attributes:
        subject: what it stands for.
        enough: tokens in which a long one still says enough to be shown.
        place: where it stands among the lines that are shown; those of the same place stay in their order.
        weight: its part of what is left when every line has its least.
        is_spare: stands there only where all lines that are not spare stand there whole; such lines come last.
    """

    subject: Subject
    enough: int = 40
    place: int = 0
    weight: int = 1
    is_spare: bool = False

    @property
    @abstractmethod
    def whole(self) -> str:
        """All of it."""

    @abstractmethod
    def cut_to(self, budget: int) -> str:
        """The line in at most `budget` tokens, fewer than all of it has; empty when too little of it would be left."""

    @cached_property
    def cost(self) -> int:
        """Tokens of the whole line, with its end; of a very long one more than there are."""
        tokens = count_tokens(self.whole, MOST_COUNTED) + 1
        return tokens if tokens <= MOST_COUNTED else MOST_WISHED

    @cached_property
    def least(self) -> int:
        """Tokens in which it still says enough to be shown."""
        return min(self.cost, self.enough)

    def within(self, budget: int) -> str:
        """The line in at most `budget` tokens; empty when too little of it would be left."""
        is_counted = self.cost <= MOST_COUNTED or budget <= MOST_COUNTED
        is_whole = self.cost <= budget if is_counted else count_tokens(self.whole, budget) < budget
        return self.whole if is_whole else self.cut_to(budget)


@dataclass(frozen=True, kw_only=True)
class TextLine(Line):
    """A text behind a label, with its id and where it comes from behind it; only the text is ever cut."""

    label: str
    text: str
    tail: str = ""

    @property
    def whole(self) -> str:
        return f"{self.label}{self.text}{self.tail}"

    @cached_property
    def least(self) -> int:
        return min(self.cost, max(self.enough, self._frame + LEAST_TEXT))

    def cut_to(self, budget: int) -> str:
        for room in range(budget - self._frame, LEAST_TEXT - 1, -1):
            text = cut(self.text, room)
            told = f"{self.label}{text}{self.tail}"
            if text and count_tokens(told) < budget:  # what meets can be dearer together
                return told
        return ""

    @cached_property
    def _frame(self) -> int:
        return count_tokens(self.label) + count_tokens(self.tail) + 1


@dataclass(frozen=True, kw_only=True)
class TableRow(Line):
    """A row of a table.

    Attributes:
        first: its first cell, never cut.
        before: what its second cell begins with, never cut.
        behind: what that ends with, never cut.
        cells: its texts, of which the first stands in the second cell; those whose weight is higher keep more.
    """

    first: str
    before: str
    behind: str
    cells: tuple[tuple[str, int], ...]

    @property
    def whole(self) -> str:
        return self._written([text for text, _ in self.cells])

    def cut_to(self, budget: int) -> str:
        room = budget - count_tokens(self._written([""] * len(self.cells))) - len(self.cells)
        costs = [count_tokens(text, MOST_COUNTED) for text, _ in self.cells]
        shares = fair_shares(room, costs, [weight for _, weight in self.cells])
        if shares[0] < min(costs[0], LEAST_TEXT):
            shares = [room] + [0] * (len(costs) - 1)
        texts = [cut(text, share) for (text, _), share in zip(self.cells, shares, strict=True)]
        return self._written(texts) if texts[0] else ""

    def _written(self, texts: Sequence[str]) -> str:
        headline, *others = texts
        return f"| {self.first} | {self.before}{headline}{self.behind} | {' | '.join(others)} |"


def cut(text: str, budget: int) -> str:
    """The beginning of a text in at most `budget` tokens, with an ellipsis when something is cut; it may be empty."""
    considered = text[: max(budget, 0) * MOST_CONSIDERED]
    if considered == text and count_tokens(text) <= budget:
        return text
    for most in range(budget - 1, 0, -1):
        begun = beginning(considered, most).rstrip()
        if begun and count_tokens(f"{begun}…") <= budget:
            return f"{begun}…"
    return ""


@dataclass(frozen=True)
class Section:
    """A heading and its lines, the most important first.

    Attributes:
        heading: its first line or lines.
        lines: what there is to say.
        left_out: how many more there are that are not among the lines.
        tool: what shows them; empty when the reader has nothing that does.
        mark: begins the line that says how many were left out.
    """

    heading: str
    lines: Sequence[Line]
    left_out: int = 0
    tool: str = ""
    mark: str = "- "

    @cached_property
    def wish(self) -> int:
        """Tokens of everything there is to say, or more than there are."""
        wish = self._frame(self.left_out)
        for line in self.lines:
            if wish > MOST_WISHED:
                break
            wish += line.cost
        return wish

    @property
    def least(self) -> int:
        """Tokens of the heading and of as much of the first line as says enough."""
        missing = len(self.lines) - 1 + self.left_out
        return self._frame(missing) + self.lines[0].least

    @property
    def weight(self) -> int:
        """Its part of a tier's budget: a hundred lines leave something to the other sections."""
        return min(sum(line.weight for line in self.lines), MOST_WEIGHT)

    def fitted(self, budget: int) -> "FittedSection":
        """As much as fits into `budget` tokens with the blank line behind it; lines are cut before they are left out.

        The first line is always tried, however little is left for it. What is left out is always counted, so the least
        is the heading and the line that says how many.
        """
        shown: list[tuple[Line, str]] = []
        unused = 0
        for line, share in zip(self.lines, self._shares(budget), strict=False):
            text = line.within(share + unused)
            unused += share
            if text:
                unused -= count_tokens(text) + 1
                shown.append((line, text))
        missing = len(self.lines) - len(shown) + self.left_out
        return FittedSection(self, sorted(shown, key=lambda each: each[0].place), missing)

    def _shares(self, budget: int) -> list[int]:
        """What each of the first lines may cost; the others are left out."""
        if self.wish <= budget:  # else room would be kept for a line that says how many more there are
            return [line.cost for line in self.lines]
        everything = len(self.lines) + self.left_out
        lines, are_whole = self._candidates(budget - self._frame(everything))
        least: list[int] = []
        used = 0
        for line in lines:
            tokens = line.cost if are_whole and not line.is_spare else line.least
            missing = everything if len(least) + 1 < everything else 0
            if least and used + tokens > budget - self._frame(missing):
                break
            used += tokens
            least.append(tokens)
        room = budget - self._frame(everything if len(least) < everything else 0)
        if len(least) == 1:
            return [room]
        shown = lines[: len(least)]
        extra = [line.cost - tokens for line, tokens in zip(shown, least, strict=True)]
        shares = fair_shares(room - used, extra, [line.weight for line in shown])
        return [tokens + more for tokens, more in zip(least, shares, strict=True)]

    def _candidates(self, room: int) -> tuple[Sequence[Line], bool]:
        """The lines that may be shown, and whether those that are not spare have to be whole."""
        before = [line for line in self.lines if not line.is_spare]
        if len(before) in (0, len(self.lines)):
            return self.lines, False
        for line in before:
            room -= line.cost
            if room < 0:
                return before, False
        return self.lines, True

    def _frame(self, missing: int) -> int:
        """Tokens of what stands around the lines when so many are missing."""
        remainder = count_tokens(self.remainder(missing)) + 1 if missing else 0
        return count_tokens(self.heading) + 1 + remainder + BLANK_LINE

    def remainder(self, missing: int) -> str:
        """The line that says how many are missing, and what shows them."""
        shown_by = f": {self.tool}" if self.tool else ""
        return f"{self.mark}… {missing:,} more{shown_by}" if missing else ""


@dataclass(frozen=True)
class FittedSection:
    """A section within its budget: which of its lines stand in it, as what, and how many do not."""

    section: Section
    lines: list[tuple[Line, str]]
    missing: int

    @cached_property
    def cost(self) -> int:
        """Tokens with the blank line behind it."""
        return count_tokens(self.as_text()) + BLANK_LINE

    def as_text(self) -> str:
        """The heading, the lines, and how many are missing."""
        remainder = self.section.remainder(self.missing)
        return "\n".join((self.section.heading, *(text for _, text in self.lines), *filter(None, [remainder])))


@dataclass(frozen=True)
class Tier:
    """Sections that have a budget of tokens together.

    Attributes:
        sections: what it says; none when there is nothing.
        assured: tokens that are its own if it has so much to say; where that is none, it stands there only where the
            others leave enough for its first line.
        most: tokens that it never exceeds, however much the others leave.
        turn: when it is its turn to get what the others leave, the lowest first.
    """

    sections: Sequence[Section]
    assured: int
    most: int
    turn: int

    @cached_property
    def wish(self) -> int:
        """Tokens of everything there is to say, as far as it may."""
        return min(self.most, sum(section.wish for section in self.sections))

    @cached_property
    def least(self) -> int:
        """Tokens without which it is left out as a whole."""
        return 0 if self.assured else min((section.least for section in self.sections), default=0)

    def fitted(self, budget: int) -> list[FittedSection]:
        """Its sections within `budget` tokens; what one does not need goes to the others."""
        if budget < self.least:
            return []
        found: list[FittedSection] = []
        left = min(budget, self.most)
        shares = fair_shares(left, [each.wish for each in self.sections], [each.weight for each in self.sections])
        for section, share in zip(self.sections, shares, strict=True):
            later = sum(shares[len(found) + 1 :])
            found.append(section.fitted(max(share, left - later)))
            left -= found[-1].cost
        return found if self.assured else [each for each in found if each.lines]


def filled(tiers: Sequence[Tier], budget: int) -> list[FittedSection]:
    """All sections, within `budget` tokens together.

    Each tier has what it is assured of, as far as it wishes; what is left then, or stays unused by lines that are not
    cut further, goes to them by turn.
    """
    shares = fair_shares(budget, [min(tier.assured, tier.wish) for tier in tiers], [tier.assured for tier in tiers])
    by_turn = sorted(range(len(tiers)), key=lambda place: tiers[place].turn)
    for place in by_turn:
        more = min(budget - sum(shares), tiers[place].wish - shares[place])
        shares[place] += more if shares[place] + more >= tiers[place].least else 0
    fitted = [tier.fitted(share) for tier, share in zip(tiers, shares, strict=True)]
    for place in by_turn:
        used = [_cost(sections) for sections in fitted]
        room = budget - sum(used) + used[place]
        if room > shares[place] and used[place] < tiers[place].wish:
            fitted[place] = tiers[place].fitted(room)
    return [section for sections in fitted for section in sections]


def _cost(sections: Sequence[FittedSection]) -> int:
    return sum(section.cost for section in sections)


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
