"""A lineage as a drawing: the oldest at the top, what rests on it below, what is related beside. Made on the server."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import groupby

from bigmind.brain.finding.portrait import Family, Kin, KinLink
from bigmind.brain.listing import ListedThought
from ui.show.drawn_text import drawn_lines

HIGH, LINES = 86, 3
ACROSS, DOWN, WITHIN = 16, 52, 14
EDGE = 6


@dataclass(frozen=True, slots=True)
class DrawingSize:
    """How it is drawn for a kind of window: how many boxes stand in a row, how wide each is, letters in a line."""

    kind: str
    across: int
    box: int
    letters: int


SIZES = (DrawingSize("wide", 4, 190, 25), DrawingSize("narrow", 2, 148, 19))

RESTS = {"refines": "refines", "consolidates": "consolidates", "supersedes": "corrects"}
"""How a newer thought hangs on an older one, in words."""


@dataclass(frozen=True, slots=True)
class DrawnThought:
    """A thought in the drawing: a box with some lines of it. `step` is 0 for the one that it is about."""

    thought: ListedThought
    step: int
    is_subject: bool
    lines: Sequence[str]
    x: float
    y: float
    middle: float


@dataclass(frozen=True, slots=True)
class DrawnLink:
    """A line between two boxes; `word` stands beside its lower end, once for lines that mean the same."""

    path: str
    relation: str
    word: str
    x: float
    y: float


@dataclass(frozen=True, slots=True)
class Lineage:
    """The drawing, for a window of that kind."""

    kind: str
    width: float
    height: float
    box: int
    high: int
    boxes: Sequence[DrawnThought]
    links: Sequence[DrawnLink]


def lineages(family: Family) -> list[Lineage]:
    """The drawing for a wide window, and that for a narrow one; none where a thought stands alone."""
    if len(family.members) == 1:
        return []
    return [_drawn(family, size) for size in SIZES]


def _drawn(family: Family, size: DrawingSize) -> Lineage:
    rows = _rows(family, size.across)
    widest = max(len(row) for row in rows)
    width = widest * size.box + (widest - 1) * ACROSS + 2 * EDGE
    boxes: list[DrawnThought] = []
    top, before = float(EDGE), None
    for row in rows:
        if before is not None:
            top += HIGH + (WITHIN if row[0].step == before else DOWN)
        before = row[0].step
        left = (width - len(row) * size.box - (len(row) - 1) * ACROSS) / 2
        boxes += [_box(family, each, size, left + place * (size.box + ACROSS), top) for place, each in enumerate(row)]
    links = _links(family.links, {each.thought.uid: each for each in boxes})
    return Lineage(size.kind, width, top + HIGH + EDGE, size.box, HIGH, boxes, links)


def _rows(family: Family, across: int) -> list[list[Kin]]:
    """The thoughts of each step, in as many rows as they need; the one that it is about in the middle of its row."""
    ordered = sorted(family.members, key=lambda each: (each.step, each.thought.created_at, each.thought.uid))
    rows: list[list[Kin]] = []
    for step, those in groupby(ordered, lambda each: each.step):
        left = list(those)
        if step == 0:
            subject, left = family.members[0], [each for each in left if each is not family.members[0]]
            beside, left = left[: across - 1], left[across - 1 :]
            half = len(beside) // 2
            rows.append([*beside[:half], subject, *beside[half:]])
        rows += [left[start : start + across] for start in range(0, len(left), across)]
    return rows


def _box(family: Family, each: Kin, size: DrawingSize, x: float, y: float) -> DrawnThought:
    text = "Reads like an instruction" if each.thought.caution else each.thought.content
    lines = drawn_lines(text, size.letters, LINES)
    return DrawnThought(each.thought, each.step, each is family.members[0], lines, x, y, x + size.box / 2)


def _links(links: Sequence[KinLink], boxes: dict[str, DrawnThought]) -> list[DrawnLink]:
    told: set[tuple[str, str]] = set()
    found: list[DrawnLink] = []
    for each in links:
        newer, older = boxes[each.uid], boxes[each.other]
        if each.relation not in RESTS:
            found.append(DrawnLink(_beside(newer, older), "related", "", 0, 0))
            continue
        word = "" if (each.uid, each.relation) in told else RESTS[each.relation]
        told.add((each.uid, each.relation))
        path = _down(older, newer)
        found.append(DrawnLink(path, each.relation, word, newer.middle, newer.y - 15))
    return found


def _down(older: DrawnThought, newer: DrawnThought) -> str:
    """From the bottom of the older one to the top of the newer one."""
    x, y, to_x, to_y = older.middle, older.y + HIGH, newer.middle, newer.y
    half = (to_y - y) / 2
    return f"M{x:g} {y:g}C{x:g} {y + half:g} {to_x:g} {to_y - half:g} {to_x:g} {to_y:g}"


def _beside(one: DrawnThought, other: DrawnThought) -> str:
    """Between two that are related: straight beside each other, or from row to row."""
    x, y, to_x, to_y = (value for each in (one, other) for value in (each.middle, each.y + HIGH / 2))
    return f"M{x:g} {y:g}L{to_x:g} {to_y:g}"
