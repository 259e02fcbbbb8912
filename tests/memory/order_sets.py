"""Sets of orders in stored text and of harmless notes that look similar, and how much of them is flagged.

    python -m tests.memory.order_sets

prints detection and false alarms by kind, of the set that no rule was tuned on. It never prints a text of that set: who
reads what is missed tunes on it. `--development` takes the set that rules are tuned on, and `--texts` prints what is
decided wrongly there.
"""

import json
import sys
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from bigmind.caution.detect import cautions

FOLDER = Path(__file__).parent / "orders"
HELD_OUT = "held_out"
DEVELOPMENT = "development"
ORDER, HARMLESS = "order", "harmless"


@dataclass(frozen=True)
class Sample:
    """One text of a set, with what it is: an order or harmless, and of which kind."""

    side: str
    kind: str
    language: str
    text: str

    @property
    def is_order(self) -> bool:
        return self.side == ORDER

    @property
    def is_flagged(self) -> bool:
        return bool(cautions(self.text))


@dataclass(frozen=True)
class Share:
    """How many texts of one kind were flagged."""

    side: str
    kind: str
    flagged: int
    texts: int

    def __str__(self) -> str:
        return f"{self.flagged} of {self.texts}"


def samples_of(name: str) -> list[Sample]:
    """The texts of a set; its first line says who wrote it, when and from what."""
    _, *lines = (FOLDER / f"{name}.jsonl").read_text(encoding="utf-8").splitlines()
    rows = (json.loads(line) for line in lines)
    return [Sample(row["class"], row["kind"], row["language"], row["text"]) for row in rows]


def shares(samples: Iterable[Sample]) -> list[Share]:
    """Each side's total, followed by its kinds."""
    flagged: dict[tuple[str, str], list[bool]] = {}
    for sample in samples:
        found = sample.is_flagged
        flagged.setdefault((sample.side, ""), []).append(found)
        flagged.setdefault((sample.side, sample.kind), []).append(found)
    sides = [ORDER, HARMLESS]
    order = sorted(flagged, key=lambda key: (sides.index(key[0]), key[1]))
    return [Share(*key, sum(flagged[key]), len(flagged[key])) for key in order]


def table(rows: Iterable[Share]) -> Iterator[str]:
    """The rows of a Markdown table."""
    yield "| texts | flagged |"
    yield "| --- | --- |"
    for row in rows:
        name = row.kind or {ORDER: "**orders**", HARMLESS: "**harmless notes**"}[row.side]
        yield f"| {name} | {row} |"


def main(arguments: list[str]) -> None:
    """Print the table, and for the development set what is decided wrongly."""
    if not {*arguments} <= {"--development", "--texts"} or arguments == ["--texts"]:
        sys.exit("usage: python -m tests.memory.order_sets [--development [--texts]]")
    samples = samples_of(DEVELOPMENT if arguments else HELD_OUT)
    if "--texts" in arguments:
        wrong = (each for each in samples if each.is_order != each.is_flagged)
        print(*(f"{each.kind} [{each.language}] {cautions(each.text)}: {each.text!r}" for each in wrong), sep="\n")
    print(*table(shares(samples)), sep="\n")


if __name__ == "__main__":
    main(sys.argv[1:])
