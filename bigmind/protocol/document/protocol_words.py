"""What words of a protocol document mean: levels of RFC 2119; phases by name, id, heading and step. Pure."""

import re
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from bigmind.flow.workflow import Level
from bigmind.protocol.document.protocol_record import ALIASES, END, START, Phase

LEVELS: Mapping[str, Level] = {
    "MUST": Level.MUST,
    "SHALL": Level.MUST,
    "BLOCKING": Level.MUST,
    "REQUIRED": Level.BY_END,
    "SHOULD": Level.SHOULD,
    "RECOMMENDED": Level.SHOULD,
    "MAY": Level.MAY,
    "OPTIONAL": Level.MAY,
}
"""The words for levels; `MUST by the end` is one more, and each of RFC 2119's may have a NOT."""
EXPECTED = "MUST, MUST by the end, SHOULD or MAY"

_AFTER_MUST = {
    "": Level.MUST,
    "AT ONCE": Level.MUST,
    "BLOCKING": Level.MUST,
    "BY END": Level.BY_END,
    "BY THE END": Level.BY_END,
    "REQUIRED": Level.BY_END,
}
_MUST = re.compile(r"(?:MUST|SHALL) ?(?P<when>.*)")
_NOT = re.compile(r"(?:MUST|SHALL|SHOULD|MAY) NOT|NOT RECOMMENDED")
_IN_STEP = re.compile(r"\b(MUST|SHALL|REQUIRED|SHOULD|RECOMMENDED|MAY|OPTIONAL)\b( NOT\b)?")
_IN_HEADING = re.compile(r"\((BLOCKING|REQUIRED|RECOMMENDED|OPTIONAL|MUST|SHALL|SHOULD|MAY)\)")


class LevelWord(NamedTuple):
    """A level as a document says it; `forbids`: it says what must not be done."""

    level: Level
    forbids: bool = False


def level_of(text: str) -> LevelWord | None:
    """The level that a cell says; None where it says none."""
    words = " ".join(re.sub(r"[*_`()\[\],./-]+", " ", text).upper().split())
    if _NOT.fullmatch(words):
        return LevelWord(Level.MAY, forbids=True)
    if (found := _MUST.fullmatch(words)) and found["when"] in _AFTER_MUST:
        return LevelWord(_AFTER_MUST[found["when"]])
    return LevelWord(LEVELS[words]) if words in LEVELS else None


def level_in_step(text: str) -> LevelWord | None:
    """The level that the first key word of a step says, as in: The agent MUST call it."""
    found = _IN_STEP.search(text)
    return level_of(found.group()) if found else None


def level_in_headings(headings: Sequence[str]) -> LevelWord | None:
    """The level that the nearest heading says in brackets: Phase 1: Memory (BLOCKING)."""
    found = (_IN_HEADING.search(each.upper()) for each in reversed(headings))
    return next((level_of(each.group(1)) for each in found if each), None)


_NAMES: Mapping[str, Phase] = {**{each.value: each for each in Phase}, **ALIASES}
_NAME = re.compile(rf"\b(?:{'|'.join(_NAMES)})\b")
_PREFIXES: Mapping[str, Phase] = {
    "MEM": Phase.MEMORY_INIT,
    "MEMORY": Phase.MEMORY_INIT,
    "SERENA": Phase.MEMORY_INIT,
    "SKILL": Phase.SKILL_VALIDATION,
    "SKILLS": Phase.SKILL_VALIDATION,
    "CTX": Phase.CONTEXT_RETRIEVAL,
    "CONTEXT": Phase.CONTEXT_RETRIEVAL,
    "LOG": Phase.SESSION_LOG,
    "GIT": Phase.GIT_STATE,
    "DOC": Phase.DOCS_UPDATE,
    "DOCS": Phase.DOCS_UPDATE,
    "CHECK": Phase.QUALITY_CHECKS,
    "QUALITY": Phase.QUALITY_CHECKS,
    "QC": Phase.QUALITY_CHECKS,
    "QA": Phase.QA_VALIDATION,
    "COMMIT": Phase.GIT_COMMIT,
}
_IN_PHASE_HEADING: Mapping[Phase, "re.Pattern[str]"] = {
    Phase.MEMORY_INIT: re.compile(r"\b(?:memory|serena)\b"),
    Phase.SKILL_VALIDATION: re.compile(r"\bskills?\b"),
    Phase.CONTEXT_RETRIEVAL: re.compile(r"\bcontext\b"),
    Phase.SESSION_LOG: re.compile(r"\bsession log\b"),
    Phase.GIT_STATE: re.compile(r"\bgit (?:state|status|verification)\b|\bbranch\b"),
    Phase.DOCS_UPDATE: re.compile(r"\bdoc(?:s|umentation|uments)\b"),
    Phase.QUALITY_CHECKS: re.compile(r"\bquality\b|\bchecks\b"),
    Phase.QA_VALIDATION: re.compile(r"\bqa\b"),
    Phase.GIT_COMMIT: re.compile(r"\bcommits?\b|\bgit operations\b"),
}
_IN_STEPS: Mapping[str, Sequence[tuple["re.Pattern[str]", Phase]]] = {
    START: [
        (re.compile(r"\bskills?\b|\bmandatory\b"), Phase.SKILL_VALIDATION),
        (re.compile(r"\bsession log\b"), Phase.SESSION_LOG),
        (re.compile(r"\bhandoff\b"), Phase.CONTEXT_RETRIEVAL),
        (re.compile(r"\bgit\b|\bbranch\b|\bcommit\b|\bworking tree\b"), Phase.GIT_STATE),
        (re.compile(r"\b(?:initiali[sz]e|activate|start|open)\b.*\b(?:memory|serena)\b|\bguide\b"), Phase.MEMORY_INIT),
        (re.compile(r"\bread\b|\bload\b|\bcontext\b|\bmemor(?:y|ies)\b"), Phase.CONTEXT_RETRIEVAL),
    ],
    END: [
        (re.compile(r"\bcommit\b|\bgit\b|\bpush\b|\bclean tree\b"), Phase.GIT_COMMIT),
        (re.compile(r"\bqa\b"), Phase.QA_VALIDATION),
        (re.compile(r"\bhandoff\b|\bsession log\b"), Phase.DOCS_UPDATE),
        (re.compile(r"\blint\b|\btests?\b|\bchecks?\b|\bquality\b|\bbuilds?\b"), Phase.QUALITY_CHECKS),
        (re.compile(r"\bupdate\b|\bdocument\b|\bdocs\b|\bretrospective\b|\bmemor(?:y|ies)\b"), Phase.DOCS_UPDATE),
    ],
}
_PART = re.compile(r"\b(start|begin|beginning|opening|end|ending|close|closing)\b")


def phase_named(text: str) -> Phase | None:
    """The phase that a text names, in whatever spelling: `Memory init`, SERENA_INIT, QA-validation."""
    return _NAMES.get(re.sub(r"[^A-Z0-9]+", "_", text.upper()).strip("_"))


def phase_in_id(text: str) -> Phase | None:
    """The phase that an id begins with: `QA-1`, `GIT_COMMIT-02`, `LOG3`."""
    return phase_named(found := re.sub(r"[\W_]*\d+$", "", text.strip())) or _PREFIXES.get(found.upper())


def phase_in_headings(headings: Sequence[str]) -> Phase | None:
    """The phase that the nearest heading is about, where it is about one alone."""
    for each in reversed(headings):
        if named := _NAME.search(each.upper()):
            return _NAMES[named.group()]
        found = [phase for phase, words in _IN_PHASE_HEADING.items() if words.search(each.lower())]
        if len(found) == 1:
            return found[0]
    return None


def phase_in_step(text: str, headings: Sequence[str]) -> Phase | None:
    """The phase that the words of a step are about, under a heading that says start or end."""
    if named := _NAME.search(text.upper()):
        return _NAMES[named.group()]
    words = text.lower()
    if (part := _part_in(headings)) is None:
        return None
    return next((phase for pattern, phase in _IN_STEPS[part] if pattern.search(words)), None)


def _part_in(headings: Sequence[str]) -> str | None:
    found = (_PART.search(each.lower()) for each in reversed(headings))
    word = next((each.group() for each in found if each), None)
    return None if word is None else START if word.startswith(("start", "begin", "open")) else END
