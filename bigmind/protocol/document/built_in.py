"""The protocol that holds where a workspace has none of its own; `assets/protocol/protocol.yaml` writes it out."""

import hashlib
from collections.abc import Iterable
from functools import cache

from bigmind.flow.workflow import Level
from bigmind.paths import asset
from bigmind.protocol.document.protocol_record import BUILT_IN, Phase, Protocol, Requirement

_MUST, _BY_END, _SHOULD = Level.MUST, Level.BY_END, Level.SHOULD

CHECKLIST = (
    Requirement("MUST", Phase.MEMORY_INIT, "Open the memory session (session_start does)", _MUST),
    Requirement("SHOULD", Phase.MEMORY_INIT, "Read the guide", _SHOULD),
    Requirement("MUST", Phase.SKILL_VALIDATION, "List the skills folder", _MUST),
    Requirement("MUST", Phase.SKILL_VALIDATION, "Read the mandatory notes, or state their hashes", _MUST),
    Requirement("MUST", Phase.CONTEXT_RETRIEVAL, "Read the handoff document, or state its hash", _MUST),
    Requirement("MUST", Phase.SESSION_LOG, "Make the session log from the template", _BY_END),
    Requirement("SHOULD", Phase.GIT_STATE, "Record branch, starting commit and cleanliness", _SHOULD),
    Requirement("MUST", Phase.DOCS_UPDATE, "Update the handoff document", _BY_END),
    Requirement("MUST", Phase.DOCS_UPDATE, "Complete the session log", _BY_END),
    Requirement("MUST", Phase.QUALITY_CHECKS, "Pass each declared check", _BY_END),
    Requirement("MUST", Phase.QA_VALIDATION, "Write the QA report of this run; not where only docs changed", _MUST),
    Requirement("MUST", Phase.GIT_COMMIT, "Commit the work, and leave the tree clean", _BY_END),
)
"""The built-in checklist."""


@cache
def built_in() -> Protocol:
    """The built-in protocol."""
    text = asset("protocol/protocol.yaml").read_text(encoding="utf-8")
    return Protocol(BUILT_IN, text, hashlib.sha256(text.encode()).hexdigest(), CHECKLIST)


def template_text() -> str:
    """The built-in template of a session log: Markdown, whose headings a log has to have."""
    return asset("protocol/session-log.md").read_text(encoding="utf-8")


def completed(checklist: Iterable[Requirement]) -> tuple[Requirement, ...]:
    """A checklist in which no phase is missing: one of which nothing is asked keeps the built-in requirements."""
    found = list(checklist)
    asked = {each.phase for each in found if not each.forbids}
    found += (each for each in CHECKLIST if each.phase not in asked)
    return tuple(sorted(found, key=lambda each: list(Phase).index(each.phase)))
