"""What changes in a file, for a person's eyes: the lines around it, without any token or secret.

Long lines (a whole file on one, often) are told in pieces, so that what changes in them is seen as lines are, and no
entry hides far to the right: of prose they are sentences.
"""

import re
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from difflib import SequenceMatcher
from itertools import accumulate, takewhile
from pathlib import Path
from typing import NamedTuple, TypeAlias

from bigmind.clients.leftovers import TOKENS
from bigmind.core.plain_text import visible
from bigmind.text.phrasing import counted

COVERED = "bm_…"
MOST_CHARACTERS = 20_000
MOST_REMOVED = 6_000
"""Of what is taken out in one place; else what comes in its place might not be told at all."""
MOST_PAIRS = 1_000_000
"""Of old and new rows that are compared; where there are more, all of them are told, the old ones first."""
LONGEST_LINE = 400
AROUND = 3
_BESIDE = 60  # lines that are read, not shown, for where a private key begins
_ROUNDS = 8
_PIECE = re.compile(rf"[^,;{{}}\[\]]{{0,160}}(?:[}}\]]*[,;] ?|[}}\]]+|[{{\[\s])|.{{1,{LONGEST_LINE}}}")
_SENTENCE = re.compile(rf".{{20,{LONGEST_LINE - 2}}}?[.!?]\s|.{{1,{LONGEST_LINE - 1}}}(?:\s|$)|.{{1,{LONGEST_LINE}}}")
"""In prose, where pieces that end at commas could not be read."""
_STRUCTURED = frozenset({".json", ".jsonc", ".toml", ".yaml", ".yml", ".js"})
_CONTINUED = "↳ "
LEGEND = "↳ goes on with the line above it: in the file they are one line."
"""What is said once, where any line is told in pieces."""

Stretch: TypeAlias = tuple[str, int, int, int, int]
"""A kind of change, from where to where in the old rows, and in the new ones: as `difflib` has it."""
Stretches: TypeAlias = list[Stretch]


class Row(NamedTuple):
    """A line, or a piece of one.

    Attributes:
        line: its number in the file, from 0.
        text: as it stands there.
        begins: whether the line begins with it.
        ends: whether the line ends with it.
    """

    line: int
    text: str
    begins: bool = True
    ends: bool = True


class DiffState(NamedTuple):
    """What is shown: a heading, or a row's sign and where it is among the new rows, or the old ones for `-`."""

    sign: str
    row: int
    heading: str = ""


def difference(path: Path, before: bytes | None, after: bytes | None) -> str:
    """A unified diff of at most about 20,000 characters, which says how much more there is; empty for equal lines."""
    old, new = _lines(before), _lines(after)
    head, tail = _alike(old, new)
    if head == len(old) == len(new):
        return ""
    start = max(0, head - _BESIDE)
    piece = _PIECE if path.suffix.lower() in _STRUCTURED else _SENTENCE
    rows = (
        (_rows(old[start : len(old) - max(0, tail - _BESIDE)], start, piece)),
        (_rows(new[start : len(new) - max(0, tail - _BESIDE)], start, piece)),
    )
    shown, left = _within_bounds(*rows, _places(*rows))
    names = ("/dev/null" if before is None else path.name, "/dev/null" if after is None else path.name)
    told = [f"--- {names[0]}", f"+++ {names[1]}", *_written(*rows, shown)]
    if left:
        told.append(f"… {counted(left, 'more line is', 'more lines are')} not shown")
    return visible("\n".join(told)) + "\n"


def _lines(data: bytes | None) -> list[str]:
    return (data or b"").decode("utf-8-sig", "replace").splitlines()


def is_in_pieces(told: str) -> bool:
    """Whether a line of a difference is told in pieces."""
    return any(line[1:].startswith(_CONTINUED) for line in told.splitlines())


def _rows(lines: Iterable[str], first: int, piece: re.Pattern[str]) -> list[Row]:
    return [row for number, line in enumerate(lines, first) for row in _pieces(number, line, piece)]


def _pieces(number: int, line: str, wanted: re.Pattern[str]) -> Iterator[Row]:
    if len(line) <= LONGEST_LINE:
        yield Row(number, line)
        return
    for piece in wanted.finditer(line):
        yield Row(number, piece[0], piece.start() == 0, piece.end() == len(line))


def _alike(old: Sequence[str], new: Sequence[str]) -> tuple[int, int]:
    """How many are equal at the start, and of the others at the end."""
    head = sum(1 for _ in takewhile(_equal, zip(old, new, strict=False)))
    rest = min(len(old), len(new)) - head
    ends = zip(reversed(old), reversed(new), range(rest), strict=False)
    return head, sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], ends))


def _equal(pair: tuple[str, str]) -> bool:
    return pair[0] == pair[1]


def _places(old: list[Row], new: list[Row]) -> list[Stretches]:
    """What changes, with the rows around it; only what lies between equal rows at both ends is compared."""
    texts, others = [row.text for row in old], [row.text for row in new]
    head, tail = _alike(texts, others)
    before, after = min(head, AROUND), min(tail, AROUND)
    first = head - before
    one, other = texts[first : len(texts) - tail + after], others[first : len(others) - tail + after]
    if len(one) * len(other) > MOST_PAIRS:
        ends = len(one) - after, len(other) - after
        groups: Iterable[Stretches] = [
            [
                ("equal", 0, before, 0, before),
                ("replace", before, ends[0], before, ends[1]),
                ("equal", ends[0], len(one), ends[1], len(other)),
            ]
        ]
    else:
        groups = SequenceMatcher(None, one, other).get_grouped_opcodes(AROUND)
    return [[(kind, a + first, b + first, c + first, d + first) for kind, a, b, c, d in group] for group in groups]


def _within_bounds(old: list[Row], new: list[Row], places: list[Stretches]) -> tuple[list[DiffState], int]:
    """What is shown of the places, and how many rows are not."""
    shown: list[DiffState] = []
    room, left = MOST_CHARACTERS, 0
    for place in places:
        if room > 0:
            shown.append(DiffState("", 0, _heading(old, new, place)))
        for kind, *where in place:
            for sign in " " if kind == "equal" else "-+":
                rows, (start, end) = (old, where[:2]) if sign == "-" else (new, where[2:])
                quota = min(room, MOST_REMOVED) if sign == "-" else room
                fitting, used = _fitting(rows, start, end, quota)
                shown += [DiffState(sign, row) for row in range(start, fitting)]
                left += end - fitting
                room -= used
                if fitting < end and sign == "-" and room > 0:
                    shown.append(DiffState("", 0, f"… {end - fitting:,} more of the old lines are not shown"))
                    left -= end - fitting
    return shown, left


def _fitting(rows: list[Row], start: int, end: int, room: int) -> tuple[int, int]:
    """Up to which row the room is enough, and how much of it is used."""
    used = 0
    for place in range(start, end):
        if used >= room:
            return place, used
        used += len(rows[place].text) + 2
    return end, used


def _heading(old: list[Row], new: list[Row], place: Stretches) -> str:
    first, last = place[0], place[-1]
    return f"@@ -{_range(old[first[1] : last[2]])} +{_range(new[first[3] : last[4]])} @@"


def _range(rows: list[Row]) -> str:
    if not rows:
        return "0,0"
    first, count = rows[0].line + 1, rows[-1].line - rows[0].line + 1
    return f"{first}" if count == 1 else f"{first},{count}"


def _written(old: list[Row], new: list[Row], shown: list[DiffState]) -> Iterator[str]:
    olds = _covered(old, {one.row for one in shown if one.sign == "-"})
    news = _covered(new, {one.row for one in shown if one.sign and one.sign != "-"})
    for one in shown:
        rows, texts = (old, olds) if one.sign == "-" else (new, news)
        continued = "" if one.heading or rows[one.row].begins else _CONTINUED
        yield one.heading or f"{one.sign}{continued}{texts[one.row]}"


def _covered(rows: list[Row], shown: set[int]) -> dict[int, str]:
    """What some rows say without tokens and secrets; each stays a row, so that a change of a secret is still one.

    They are read together with those around them, for a secret may begin above, and end below, what is shown.
    """
    from bigmind.secrets.masking import finders, secrets_of  # noqa: PLC0415 - 0.1 s, only when a change is shown

    near = {place for row in shown for place in range(row - _BESIDE, row + _BESIDE + 1)} if shown else set[int]()
    places = sorted(near.intersection(range(len(rows))))
    ends = ["\n" if rows[place].ends else "" for place in places]
    texts = [rows[place].text for place in places]
    found = [(*match.span(), COVERED) for match in TOKENS.finditer(_joined(texts, ends))]
    texts = _replaced(texts, ends, found)
    used = finders()
    for _ in range(_ROUNDS):  # what was masked may have hidden something beside it
        secrets = secrets_of(used, _joined(texts, ends))
        if not secrets:
            break
        texts = _replaced(texts, ends, [(one.start, one.end, f"[masked: {one.kind}]") for one in secrets])
    return dict(zip(places, texts, strict=True))


def _joined(texts: list[str], ends: list[str]) -> str:
    return "".join(part for pair in zip(texts, ends, strict=True) for part in pair)


def _replaced(texts: list[str], ends: list[str], found: list[tuple[int, int, str]]) -> list[str]:
    """The rows with other words for some characters of all of them; a row that they go through says so too."""
    starts = [0, *accumulate(len(text) + len(end) for text, end in zip(texts, ends, strict=True))]
    changed = list(texts)
    for start, end, instead in reversed(found):
        first = bisect_right(starts, start) - 1
        for place in range(first, len(texts)):
            if starts[place] >= end:
                break
            since, until = max(0, start - starts[place]), min(len(texts[place]), end - starts[place])
            if since < until:
                changed[place] = changed[place][:since] + instead + changed[place][until:]
    return changed
