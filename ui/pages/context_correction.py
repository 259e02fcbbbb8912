"""What a line of the context stands for, as a form that corrects it: where it comes from, and what writes it."""

from dataclasses import dataclass
from datetime import datetime

from bigmind.brain.thoughts import get_thought
from bigmind.core.errors import not_found
from bigmind.memory.facts.listing import fact_named
from bigmind.memory.facts.service import get_profile
from bigmind.memory.knowledge.listing import entry_of
from bigmind.memory.lookup import find_by_uid
from bigmind.memory.sessions.service import session_detail
from bigmind.memory.tables import Hypothesis
from bigmind.store.work import Work

Fields = tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class Correction:
    """A form that corrects one thing.

    Attributes:
        key: ends the ids of its elements.
        operation: writes it; empty where nothing is to be corrected here, or not yet.
        fixed: the fields that name the thing, and those that stay as they are.
        field: the one that is corrected.
        label: how people call that.
        text: as it is now.
        most: characters.
        at: when it was written last.
        address: its own page.
        open: what leads there.
        client: which client stored it; empty for the profile.
        project: for which project, if any.
        session_id: the session it comes from, if it is known.
    """

    key: str
    operation: str
    fixed: Fields
    field: str
    label: str
    text: str
    most: int
    at: datetime
    address: str
    open: str
    client: str = ""
    project: str | None = None
    session_id: str | None = None


def correction_of(work: Work, kind: str, uid: str) -> Correction:
    """The form for a line of that kind.

    Raises:
        BigMindError: `not_found`, when the thing is gone; `invalid_input`.
    """
    match kind:
        case "fact":
            return _fact(work, uid)
        case "hypothesis":
            return _hypothesis(work, uid)
        case "session":
            return _session(work, uid)
        case "knowledge":
            return _entry(work, uid)
        case "thought":
            return _thought(work, uid)
        case "profile" | "pinned":
            return _profile(work, "pinned" if kind == "pinned" else uid)
        case _:
            raise not_found("line", kind, "Load the page again.")


def _fact(work: Work, uid: str) -> Correction:
    fact = fact_named(work, uid)
    return Correction(
        key=f"fact-{fact.uid}",
        operation="memory_edit_fact",
        fixed=(("fact_id", fact.uid), ("unchanged_since", fact.updated_at.isoformat())),
        field="fact",
        label="Fact",
        text=fact.text,
        most=2_000,
        at=fact.updated_at,
        address=f"/facts/{fact.uid}",
        open="Open this fact",
        client=fact.client,
        project=fact.project,
        session_id=fact.session_id,
    )


def _hypothesis(work: Work, uid: str) -> Correction:
    found = find_by_uid(work, Hypothesis, uid, "hypothesis", "It may have been deleted permanently.", "id")
    return Correction(
        key=f"hypothesis-{found.uid}",
        operation="memory_edit_hypothesis",
        fixed=(("id", found.uid), ("unchanged_since", found.updated_at.isoformat())),
        field="hypothesis",
        label="Hypothesis",
        text=found.text,
        most=2_000,
        at=found.updated_at,
        address=f"/hypotheses/{found.uid}",
        open="Open this hypothesis",
        client=found.client,
        project=found.project,
    )


def _session(work: Work, uid: str) -> Correction:
    session = session_detail(work, uid).session
    kept = (("outcome", session.outcome), ("topics.lines", "\n".join(session.topics)))
    return Correction(
        key=f"session-{session.session_id}",
        operation="memory_end_session" if session.ended_at is not None else "",  # an open one would be closed by it
        fixed=(("session_id", session.session_id), *kept),
        field="one_liner",
        label="Headline",
        text=session.one_liner,
        most=120,
        at=session.ended_at or session.started_at,
        address=f"/sessions/{session.session_id}",
        open="Open this session",
        client=session.client,
        project=session.project,
    )


def _entry(work: Work, uid: str) -> Correction:
    entry = entry_of(work, uid).entry
    return Correction(
        key=f"knowledge-{entry.entry_id}",
        operation="memory_edit_global",
        fixed=(("entry_id", entry.entry_id), ("unchanged_since", entry.updated_at.isoformat())),
        field="content",
        label=entry.title,
        text=entry.content,
        most=20_000,
        at=entry.updated_at,
        address=f"/knowledge/{entry.entry_id}",
        open="Open this entry",
        client=entry.client,
        project=entry.project,
    )


def _thought(work: Work, uid: str) -> Correction:
    """A thought is no text to be written over: it is refined, or corrected by another one."""
    thought = get_thought(work, uid)
    return Correction(
        key=f"thought-{thought.thought_id}",
        operation="",
        fixed=(),
        field="",
        label="Thought",
        text=thought.content,
        most=0,
        at=thought.created_at,
        address=f"/brain/{thought.thought_id}",
        open="Open this thought",
        client=thought.agent,
        project=thought.project,
    )


def _profile(work: Work, part: str) -> Correction:
    profile = get_profile(work)
    parts = {
        "role": ("role", "Role", profile.role, 500),
        "preferences": ("preferences", "Preferences", profile.preferences, 4_000),
        "pinned": ("pinned_facts.lines", "Pinned facts, one per line", "\n".join(profile.pinned_facts), 20_000),
    }
    if profile.updated_at is None or part not in parts:
        raise not_found("line of the profile", part, "Load the page again.")
    field, label, text, most = parts[part]
    return Correction(
        key=f"profile-{part}",
        operation="memory_edit_profile",
        fixed=(("unchanged_since", profile.updated_at.isoformat()),),
        field=field,
        label=label,
        text=text,
        most=most,
        at=profile.updated_at,
        address="/profile",
        open="Open your profile",
    )
