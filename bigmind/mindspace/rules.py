"""The numbers of the mindspace and what may stand in a node. Pure."""

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Literal, TypeVar

Key = TypeVar("Key", int, str)

LONGEST_TEXT = 5_000
"""Characters of a context, an action, an acceptance."""
LONGEST_NOTE = 500
"""Characters of what an input or output is described by."""
LONGEST_EVIDENCE = 2_000
LONGEST_PATH = 1_000
LONGEST_GATE = 120
MOST_PARTS = 50
"""Inputs, outputs or quality gates of one node."""
MOST_LISTED = 20
"""Nodes of a station in one answer."""
MOST_IN_TREE = 500
"""Nodes of a tree in one answer."""
DEEPEST = 50
"""Levels of a tree."""
MOST_IMPORTED = 5_000
LONGEST_DOCUMENT = 1_500_000
"""Characters of a tree as YAML."""

PartType = Literal["file", "state", "analysis"]
Phase = Literal["plan", "do", "study", "act"]
Verdict = Literal["pass", "fail"]
HUMAN = "human"
ACCEPTED = "accepted"
"""The quality gate of a node that names none; a person judges it."""
PLANNERS = frozenset({"orchestrator", "pdsa"})
"""The stations that make, change and place nodes."""

_DRIVE = re.compile(r"[A-Za-z]:")
_CONTROL = re.compile(r"[\x00-\x1f\x7f]")


def path_fault(path: str) -> str:
    """What is wrong with a path that has to stay inside a workspace; empty where nothing is.

    Whether a link leads out of it can be seen only where the workspace is opened.
    """
    if _CONTROL.search(path):
        return "a path without control characters"
    if path.startswith(("/", "\\", "~")) or _DRIVE.match(path):
        return "a path inside the workspace, as docs/plan.md; no absolute one"
    if ".." in re.split(r"[/\\]", path):
        return "a path inside the workspace; no .."
    return ""


def circle_in(leads_to: Mapping[Key, Sequence[Key]], starts: Iterable[Key]) -> list[Key]:
    """The first circle that is reached from one of the starts, beginning and ending with the same; empty: none is."""
    done: set[Key] = set()
    for start in starts:
        way: list[Key] = []
        on_way: set[Key] = set()
        waiting: list[tuple[Key, bool]] = [(start, False)]
        while waiting:
            here, is_left = waiting.pop()
            if is_left:
                done.add(way.pop())
                on_way.remove(here)
            elif here in on_way:
                return [*way[way.index(here) :], here]
            elif here not in done:
                way.append(here)
                on_way.add(here)
                waiting.append((here, True))
                waiting.extend((each, False) for each in leads_to.get(here, ()))
    return []
