"""Where a secret stands in a text, and what becomes of findings that overlap."""

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from enum import IntEnum
from typing import NamedTuple


class Certainty(IntEnum):
    """How much a finding knows: of two that overlap, the one that knows more names the secret."""

    GUESS = 0
    NAMED = 1
    PLACED = 2
    FORM = 3


@dataclass(frozen=True, slots=True)
class Finding:
    """A secret's characters `start` to `end` (exclusive), and what it is in a person's words."""

    start: int
    end: int
    kind: str
    certainty: Certainty


class Form(NamedTuple):
    """A form's name, a literal that each of its secrets contains (in any case), and what they look like.

    The group `value` is the secret, or the whole match if there is none.
    """

    kind: str
    hint: str
    pattern: re.Pattern[str]


Finder = Callable[[str], Iterable[Finding]]
"""Finds the secrets of a text; never raises because of what the text says."""


def merged(findings: Iterable[Finding]) -> list[Finding]:
    """Findings in order and apart from each other; those that share a character become one, named by the surest."""
    apart: list[Finding] = []
    for finding in sorted(findings, key=lambda found: (found.start, -found.end)):
        if apart and finding.start < apart[-1].end:
            apart[-1] = _joined(apart[-1], finding)
        else:
            apart.append(finding)
    return apart


def replaced(text: str, apart: Sequence[Finding], placeholder: Callable[[str], str]) -> str:
    """The text with each finding's characters replaced by the placeholder of its kind."""
    pieces: list[str] = []
    end = 0
    for finding in apart:
        pieces += (text[end : finding.start], placeholder(finding.kind))
        end = finding.end
    return "".join((*pieces, text[end:]))


def _joined(one: Finding, other: Finding) -> Finding:
    surer = other if other.certainty > one.certainty else one
    return Finding(one.start, max(one.end, other.end), surer.kind, surer.certainty)
