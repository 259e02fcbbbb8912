"""Small multiples of usage: per client a few strips of bars over the same days, to one scale for all clients."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date, timedelta

from bigmind.core.kind import Words
from bigmind.text.phrasing import counted
from bigmind.trust.count_sheet import CountedUsage, Totals
from ui.show.date_format import full_date

WIDTH, HEIGHT = 300, 44
LEAST = 1.5
"""Points of a bar that is not nothing."""


@dataclass(frozen=True, slots=True)
class StripKind:
    """What a strip shows: measures on top of each other, each with what it counts and its colour (usage.css)."""

    title: str
    parts: Sequence[tuple[str, Words, str]]


def _state(words: str) -> Words:
    """What is said of one as of many."""
    return Words(words, words)


STRIPS = (
    StripKind(
        "Conversations",
        (
            ("sessions_by_model", _state("started by the assistant"), "own"),
            ("sessions_by_hook", _state("started by a hook"), "other"),
            ("never_started", _state("never started"), "warn"),
        ),
    ),
    StripKind(
        "Brain",
        (
            ("questions", Words("question", "questions"), "own"),
            ("contributions", Words("contribution", "contributions"), "good"),
        ),
    ),
    StripKind(
        "Gates",
        (
            ("gates_at_once", _state("passed at once"), "good"),
            ("gates_after_refusal", _state("passed after a refusal"), "warn"),
            ("gates_forced", _state("forced"), "bad"),
        ),
    ),
    StripKind("Tokens served", (("tokens_served", Words("token", "tokens"), "own"),)),
)


@dataclass(frozen=True, slots=True)
class Bar:
    """One part of one stretch of days."""

    x: float
    y: float
    width: float
    height: float
    colour: str
    told: str


@dataclass(frozen=True, slots=True)
class Strip:
    """A strip of bars: its title, what it shows in a sentence, and the most that a bar stands for.

    `legend` is of each measure its name, its colour, and how many there are, in words.
    """

    title: str
    described: str
    most: int
    bars: Sequence[Bar]
    legend: Sequence[tuple[str, str, str]]
    width: int = WIDTH
    height: int = HEIGHT


@dataclass(frozen=True, slots=True)
class StepRow:
    """A line of the table beneath: a stretch of days, and its counts."""

    first: date
    counts: Totals


@dataclass(frozen=True, slots=True)
class ClientPanel:
    """A client's strips, and the same as a table."""

    client: str
    strips: Sequence[Strip]
    rows: Sequence[StepRow]


def client_panels(usage: CountedUsage, days: int, most: int) -> list[ClientPanel]:
    """The panels of the busiest clients.

    Args:
        usage: what is shown.
        days: of one bar.
        most: clients.
    """
    steps = usage.by_step(days)
    span = (usage.query.until - usage.query.since).days + 1
    firsts = [usage.query.since + timedelta(days=place) for place in range(0, span, days)]
    highest = {kind.title: _highest(kind, steps) for kind in STRIPS}
    shown = list(usage.by_client)[:most]
    return [
        ClientPanel(
            client,
            [_strip(kind, client, steps[client], firsts, highest[kind.title]) for kind in STRIPS],
            [StepRow(first, steps[client][first]) for first in firsts if first in steps[client]],
        )
        for client in shown
    ]


def _highest(kind: StripKind, steps: Mapping[str, Mapping[date, Totals]]) -> int:
    found = (
        sum(each[name] for name, _, _ in kind.parts) for of_client in steps.values() for each in of_client.values()
    )
    return max(found, default=0)


def _strip(kind: StripKind, client: str, steps: Mapping[date, Totals], firsts: Sequence[date], most: int) -> Strip:
    step = WIDTH / len(firsts)
    bars: list[Bar] = []
    for place, first in enumerate(firsts):
        base, counts = float(HEIGHT), steps.get(first, Totals())
        for name, words, colour in kind.parts:
            if not counts[name]:
                continue
            height = max(LEAST, HEIGHT * counts[name] / most)
            base -= height
            told = f"{full_date(first)}: {counted(counts[name], *words)}"
            bars.append(
                Bar(round(place * step, 2), round(base, 2), round(step * 0.8, 2), round(height, 2), colour, told)
            )
    sums = {name: sum(each[name] for each in steps.values()) for name, _, _ in kind.parts}
    legend = [(words.many, colour, counted(sums[name], *words)) for name, words, colour in kind.parts]
    told = ", ".join(number for _, _, number in legend)
    return Strip(kind.title, f"{kind.title} of {client}: {told}.", most, bars, legend)
