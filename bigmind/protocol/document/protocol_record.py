"""A session protocol as its document declares it: phases, their requirements and levels, places, checks. Pure."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum

from bigmind.flow.workflow import Level

START, END = "start", "end"
"""The two parts of a checklist."""
USUAL_SECONDS = 600
"""After which a check is ended, where its document does not say."""
BUILT_IN = "built in"
"""The source of the protocol that holds where a workspace has none."""

STRICTEST_FIRST = (Level.MUST, Level.BY_END, Level.SHOULD, Level.MAY)

_FORBIDS = re.compile(r"(?:must|shall|should|may) not\b|not recommended\b", re.IGNORECASE)


class Phase(StrEnum):
    """A phase of a run, and the gate that ends it; in their order."""

    MEMORY_INIT = "MEMORY_INIT"
    SKILL_VALIDATION = "SKILL_VALIDATION"
    CONTEXT_RETRIEVAL = "CONTEXT_RETRIEVAL"
    SESSION_LOG = "SESSION_LOG"
    GIT_STATE = "GIT_STATE"
    DOCS_UPDATE = "DOCS_UPDATE"
    QUALITY_CHECKS = "QUALITY_CHECKS"
    QA_VALIDATION = "QA_VALIDATION"
    GIT_COMMIT = "GIT_COMMIT"

    @property
    def part(self) -> str:
        """Whether it belongs to the start or to the end of a session."""
        return END if self in _AT_END else START


_AT_END = frozenset({Phase.DOCS_UPDATE, Phase.QUALITY_CHECKS, Phase.QA_VALIDATION, Phase.GIT_COMMIT})

COMPLETE = "complete"
STATES = (
    *("init", "initialized", "skills_ready", "context_loaded", "ready"),
    *("working", "documenting", "validated", "qa_complete", COMPLETE),
)
"""Of a run, in the order that it goes through them."""
LEADS_TO: Mapping[Phase, str] = dict(zip(Phase, STATES[1:], strict=True))
"""The state that each phase's gate leads to."""
LEVELS = {Level.MUST: "MUST", Level.BY_END: "MUST", Level.SHOULD: "SHOULD", Level.MAY: "MAY"}
"""Levels as tools tell them."""


REQUIREMENTS: Mapping[Phase, tuple[str, str]] = {
    Phase.MEMORY_INIT: ("The memory session of the run", "be started"),
    Phase.SKILL_VALIDATION: ("The skills folder", "be there, and its mandatory notes be read"),
    Phase.CONTEXT_RETRIEVAL: ("The handoff document", "be read"),
    Phase.SESSION_LOG: ("The session log", "be there, from the template"),
    Phase.GIT_STATE: ("Branch and starting commit", "be recorded"),
    Phase.DOCS_UPDATE: ("The handoff document", "be updated, and the session log be complete"),
    Phase.QUALITY_CHECKS: ("The declared checks", "pass"),
    Phase.QA_VALIDATION: ("A QA report", "be there for this run and its files"),
    Phase.GIT_COMMIT: ("The work", "be committed, and nothing be left uncommitted"),
}
"""What each gate asks for: of what, and what."""


def requirement_of(phase: Phase, *, is_must: bool) -> str:
    """What a gate asks for, as a sentence."""
    what, asked = REQUIREMENTS[phase]
    return f"{what} {'must' if is_must else 'should'} {asked}."


def shown_state(state: str) -> str:
    """A state as tools tell it."""
    return state.upper()


def next_phase(state: str) -> Phase | None:
    """The phase whose gate leads on from a state; None at the end."""
    return None if state not in STATES[:-1] else tuple(Phase)[STATES.index(state)]


ALIASES: Mapping[str, Phase] = {"SERENA_INIT": Phase.MEMORY_INIT}
"""Other names of phases."""

USUAL_LEVELS: Mapping[Phase, Level] = {
    Phase.MEMORY_INIT: Level.MUST,
    Phase.SKILL_VALIDATION: Level.MUST,
    Phase.CONTEXT_RETRIEVAL: Level.MUST,
    Phase.SESSION_LOG: Level.BY_END,
    Phase.GIT_STATE: Level.SHOULD,
    Phase.DOCS_UPDATE: Level.BY_END,
    Phase.QUALITY_CHECKS: Level.BY_END,
    Phase.QA_VALIDATION: Level.MUST,
    Phase.GIT_COMMIT: Level.BY_END,
}
"""The levels of the gates where a protocol says nothing else."""


@dataclass(frozen=True, slots=True)
class Requirement:
    """A line of the checklist.

    Attributes:
        req: as the document calls it: an id, or a word of RFC 2119 (`MUST`); at most 40 characters.
        phase: that it belongs to.
        step: what is done, on one line, at most 300 characters; Markdown is left as it stands.
        level: what the phase's gate does while it is not met; `MAY` of what is only forbidden.
    """

    req: str
    phase: Phase
    step: str
    level: Level

    @property
    def part(self) -> str:
        """`start` or `end`, by its phase."""
        return self.phase.part

    @property
    def forbids(self) -> bool:
        """Whether it says what must not be done: it is told, and no gate looks at it."""
        return any(_FORBIDS.match(each) for each in (self.req, self.step))


@dataclass(frozen=True, slots=True)
class Check:
    """A command of which the exit code has to be 0.

    Attributes:
        name: unique in the protocol, at most 60 characters.
        arguments: of the whole command, which no shell reads; the first is the program: a name, or a path inside the
            workspace.
        defined_by: paths of the files that say what it checks.
        seconds: after which it is ended, from 1 to 3,600.
    """

    name: str
    arguments: tuple[str, ...]
    defined_by: tuple[str, ...] = ()
    seconds: int = USUAL_SECONDS

    @property
    def program(self) -> str:
        """What is run."""
        return self.arguments[0]


@dataclass(frozen=True, slots=True)
class Protocol:
    """A session protocol. Every path is relative to the workspace, with `/`, and stays inside it.

    Attributes:
        source: the name of its file, or `built in`.
        text: of the document.
        digest: SHA-256 of the text in UTF-8, in hexadecimal.
        checklist: by phase, within each in the order of the document; no phase is without one.
        handoff: the handoff document.
        logs: the folder of session logs.
        template: of a session log; empty: the built-in one (`built_in.template_text`).
        reports: the folder of QA reports.
        skills: the folder of skill notes.
        mandatory: names of the notes in it that every session reads.
        docs: patterns of files that count as docs (`file_patterns.matches`).
        checks: the commands that have to pass.
    """

    source: str
    text: str
    digest: str
    checklist: tuple[Requirement, ...]
    handoff: str = "docs/HANDOFF.md"
    logs: str = "docs/sessions"
    template: str = ""
    reports: str = "docs/qa"
    skills: str = ".bigmind/skills"
    mandatory: tuple[str, ...] = ()
    docs: tuple[str, ...] = ("docs/**", "*.md")
    checks: tuple[Check, ...] = ()

    @property
    def levels(self) -> Mapping[Phase, Level]:
        """The level of each phase's gate: the strictest of its requirements."""
        found = dict(USUAL_LEVELS)
        for phase in Phase:
            asked = [each.level for each in self.checklist if each.phase is phase and not each.forbids]
            found[phase] = min(asked, key=STRICTEST_FIRST.index, default=USUAL_LEVELS[phase])
        return found

    def part(self, name: str) -> list[Requirement]:
        """The checklist of `start` or `end`."""
        return [each for each in self.checklist if each.part == name]
