"""Tables of figures, as markdown."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from math import ceil
from statistics import median

__all__ = ["Table", "median", "milliseconds", "percentile", "ratio", "verdict"]


@dataclass
class Table:
    """One table, with the sentences that belong under it."""

    title: str
    head: Sequence[str]
    rows: list[Sequence[str]] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)

    def add(self, *cells: object) -> None:
        self.rows.append([str(cell) for cell in cells])

    def as_markdown(self) -> str:
        lines = [self.head, ["---"] * len(self.head), *self.rows]
        table = "\n".join(f"| {' | '.join(line)} |" for line in lines)
        notes = "".join(f"\n{note}" for note in self.notes)
        return f"### {self.title}\n\n{table}\n{notes}\n"


def percentile(values: Sequence[float], share: float) -> float:
    """The smallest value that `share` of the values do not exceed."""
    return sorted(values)[max(0, ceil(share * len(values)) - 1)]


def milliseconds(seconds: float) -> str:
    return f"{seconds * 1000:.2f}" if seconds < 0.1 else f"{seconds * 1000:.0f}"


def ratio(value: float, baseline: float) -> str:
    return f"{value / baseline:.2f} ×"


def verdict(value: float, most: float, unit: str = "") -> str:
    """The target, and whether the figure keeps it."""
    return f"≤ {most:g}{unit}: {'met' if value <= most else 'MISSED'}"
