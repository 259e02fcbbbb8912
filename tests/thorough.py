"""How often something is done: in full by `make thorough`, in part in the gate, which takes eight minutes at most."""

import os
from collections.abc import Iterable, Sequence
from itertools import product
from typing import Any, TypeVar

Case = TypeVar("Case")

THOROUGH = os.environ.get("THOROUGH") == "1"


def often(full: int, gate: int) -> int:
    """`full` in a thorough run, `gate` else: a number of times, or a step."""
    return full if THOROUGH else gate


def spread(cases: Iterable[Case], gate: int, *, thorough: bool = THOROUGH) -> list[Case]:
    """All cases in a thorough run; else `gate` of them, evenly spread, with the first and the last; always the same."""
    every = list(cases)
    if thorough or gate >= len(every):
        return every
    last = max(gate - 1, 1)
    return [every[number * (len(every) - 1) // last] for number in range(gate)]


def turn(cases: Sequence[Case], number: int, gate: int = 1, *, thorough: bool = THOROUGH) -> list[Case]:
    """All cases in a thorough run; else the `gate` whose turn it is: who asks with 0, 1, 2 … meets each of them."""
    if thorough or gate >= len(cases):
        return list(cases)
    return [cases[(number * gate + each) % len(cases)] for each in range(gate)]


def crossed(*axes: Iterable[Any], thorough: bool = THOROUGH) -> list[tuple[Any, ...]]:
    """Each value with each in a thorough run; else each value of the longest axis once, with the others in turn."""
    lists = [list(axis) for axis in axes]
    if thorough:
        return list(product(*lists))
    rows = range(max(map(len, lists)))
    return [tuple(axis[(row + row // len(axis)) % len(axis)] for axis in lists) for row in rows]
