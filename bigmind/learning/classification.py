"""What a statement or a section is: its category, and whether it tells of the person. By words alone."""

import re
from collections.abc import Sequence
from typing import Literal

from bigmind.learning.sources import Scope
from bigmind.text.lazy_pattern import lazy_pattern

KnowledgeCategory = Literal["architecture", "standard", "decision", "pattern", "glossary"]

_ORDERS = (
    "add always answer apply ask assume avoid be check choose commit consider create delete describe do don't don’t "
    "enable ensure explain extract fix follow format handle import include install introduce keep leave make mention "
    "never no only place please prefer provide put remove rename replace reply respond return reuse run separate set "
    "show skip start stay stick suggest test think throw translate treat try update use validate verify wrap write"
)
_ORDER = lazy_pattern(
    # Also behind what it depends on: "when in doubt, ask".
    rf"(?:(?:if|when|whenever|before|after|for|in|while|unless)\b[^,:]*, )?(?:{'|'.join(_ORDERS.split())})\b"
    r"(?! (?:is|are|was|were|has|have|more than)\b)",
    re.IGNORECASE,
)
_PERSON = lazy_pattern(
    r"(?:i am|i'm|i’m|my name|i (?:work|live|use|lead|maintain|manage|speak)\b|the user (?:is|works|lives)|"
    r"(?:the )?user's)\b",
    re.IGNORECASE,
)
_WISH = lazy_pattern(
    r"\b(?:(?:i|the user|user) (?:prefers?|likes?|wants?|hates?|dislikes?|expects?)|should(?:n't|n’t)?)\b",
    re.IGNORECASE,
)
_DECIDED = lazy_pattern(
    r"\b(?:decided|we chose|was chosen|were chosen|chosen over|agreed (?:to|on|that)|decision|settled (?:on|for)|"
    r"opted for|went with|(?:we|was|were|has|have) (?:moved|switched|migrated) (?:from|to|away)|adr[- ]?\d+)\b",
    re.IGNORECASE,
)
_BOUND = lazy_pattern(
    r"\b(?:must|cannot|can't|can’t|required|requires|forbidden|prohibited|(?:not|only) (?:allowed|permitted)|may not|"
    r"limit(?:ed)?|no more than|at most|ha(?:s|ve) to|(?:every|each|all)\b[^.;]* needs?)\b",
    re.IGNORECASE,
)
_OF_PERSON = lazy_pattern(
    r"\b(?:about me|who i am|my (?:role|background)|prefer\w*|communicat\w+|tone|style of (?:answers|working)|"
    r"how (?:i|to) (?:work|answer|respond)|respon(?:d|ses?|ding)|answers|working with me)\b",
    re.IGNORECASE,
)
_OF_MEMORY = {"user": "identity", "feedback": "preference", "project": "codebase", "reference": "codebase"}
_OF_HEADING: tuple[tuple[KnowledgeCategory, re.Pattern[str]], ...] = (
    ("decision", lazy_pattern(r"\bdecisions?\b|\bdecided\b", re.IGNORECASE)),
    (
        "architecture",
        lazy_pattern(r"\b(?:architectur\w+|structure|layout|overview|stack|components?|modules?)\b", re.IGNORECASE),
    ),
    ("glossary", lazy_pattern(r"\b(?:glossary|terms|terminology|vocabulary)\b", re.IGNORECASE)),
    ("pattern", lazy_pattern(r"\b(?:patterns?|examples?|recipes?|commands?|how to|workflows?)\b", re.IGNORECASE)),
)


def fact_category(text: str, scope: Scope, kind_of_memory: str = "") -> str:
    """The category of a statement; `kind_of_memory` is what an assistant called its own note."""
    if kind_of_memory in _OF_MEMORY:
        return _OF_MEMORY[kind_of_memory]
    said = text.rpartition(": ")[2]
    if _DECIDED.search(text):
        return "decision"
    if _WISH.search(text) or _ORDER.match(said) or _ORDER.match(text):
        return "preference"
    if _PERSON.match(said):
        return "identity"
    if _BOUND.search(text):
        return "constraint"
    return "preference" if scope == "user" else "codebase"


def knowledge_category(headings: Sequence[str]) -> KnowledgeCategory:
    """The category of a section, by the headings it stands under, the nearest first."""
    for heading in reversed(headings):
        for category, words in _OF_HEADING:
            if words.search(heading):
                return category
    return "standard"


def is_of_person(heading: str) -> bool:
    """Whether what stands below a heading says who the person is, or how they like to work."""
    return bool(_OF_PERSON.search(heading))
