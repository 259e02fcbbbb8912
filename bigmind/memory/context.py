"""Builds the context a conversation starts with: what is known, within budgets that hold whatever the store contains.

Counted by `count_tokens`, which never counts too few. The budgets of the tiers are together more than the whole. When
all are full, who the user is and what holds keep theirs, the smallest, and the others give in proportion
(`sections.filled`).
"""

from collections.abc import Sequence
from datetime import datetime

from bigmind.core.clock import local
from bigmind.core.text import one_line, shortened, visible
from bigmind.memory.answers import TABLE_HEAD, table_row
from bigmind.memory.caution import cautions
from bigmind.memory.foreground import (
    Known,
    known_facts,
    known_hypotheses,
    known_knowledge,
    known_profile,
    known_sessions,
    topics_of,
)
from bigmind.memory.sections import BLANK_LINE, Line, Section, Tier, filled
from bigmind.memory.sessions import current_session, session_rows
from bigmind.memory.tables import Fact, Hypothesis, Knowledge, MemorySession, Profile
from bigmind.memory.tokens import count_tokens
from bigmind.memory.wording import part
from bigmind.store.work import Work

TOTAL = 1_300
KNOWLEDGE = 500
IDENTITY = 300
SESSIONS = 800
HYPOTHESES = 150

MOST_ENTRIES = 5
MOST_FACTS = 60
MOST_HYPOTHESES = 3
DEFAULT_SESSIONS = 5

LONGEST_ENTRY = 2_500
"""Characters of an entry that are looked at: more than its budget can hold."""

HELD_BACK = "[held back]"
"""Stands for the text of a session that instructs its reader."""

EMPTY = (
    "Nothing is stored yet. Flag what matters with memory_flag_important, store what stays true with "
    "memory_store_fact, also who you work for and how they like it, and close with memory_end_session: "
    "the next conversation begins with it."
)


def build_context(
    work: Work,
    sessions: int,
    project: str | None,
    *,
    topics: Sequence[str] = (),
    budget: int = TOTAL,
    without: str = "",
) -> str:
    """What is known, as markdown of at most `budget` tokens.

    Text that instructs its reader is left out until a person accepts it; the last line says how much that is.

    Args:
        work: reads only.
        sessions: how many closed sessions to show, the newest.
        project: comes first where there is a choice, nothing is hidden because of it; None: where the caller works.
        topics: what the conversation is about, company knowledge of it comes first; None given: its session's.
        budget: tokens in all, at most 1,300.
        without: the id of a session that the reader knows of already.
    """
    header = f"## 🧠 BigMind context — loaded {local(work.now)}"
    project, topics = _bearings(work, project, topics)
    knowledge = known_knowledge(work, project, topics, MOST_ENTRIES)
    profile = known_profile(work)
    facts = known_facts(work, project, MOST_FACTS)
    hypotheses = known_hypotheses(work, MOST_HYPOTHESES)
    chosen = known_sessions(work, sessions, project, without)
    held_back = _held_back((knowledge, profile, facts, hypotheses, chosen))
    tiers = (
        Tier(KNOWLEDGE, _entries(knowledge, project), weight=KNOWLEDGE),
        Tier(IDENTITY, [*_profile(profile), *_facts(facts, project)], weight=2 * IDENTITY),
        Tier(HYPOTHESES, _hypotheses(hypotheses, project), weight=HYPOTHESES),
        Tier(SESSIONS, _recent(work, chosen), weight=SESSIONS),
    )
    frame = count_tokens(f"{header}\n\n{held_back}") + BLANK_LINE
    parts = filled([tier for tier in tiers if tier.sections], budget - frame)
    said = [*parts, *([held_back] if held_back else [])]
    return visible("\n\n".join((header, *(said or [EMPTY]))))


def _bearings(work: Work, project: str | None, topics: Sequence[str]) -> tuple[str | None, Sequence[str]]:
    """Project and topics: as given, else those of the session that a write would belong to now."""
    session = current_session(work)
    if session is None:
        return project or work.caller.project, topics
    is_ours = session.connection is not None and session.connection == work.caller.connection
    here = (session.project, work.caller.project) if is_ours else (work.caller.project, session.project)
    return project or here[0] or here[1], topics or topics_of(work, session)


Weighted = list[tuple[int, Section]]
"""No section or one, with its weight among those of its tier."""


def _source(project: str | None, current: str | None, client: str, at: datetime) -> str:
    """Where something comes from, in few tokens; the project where it is another than the current one."""
    about = f"{part(project, 32)}, " if project and project != current else ""
    return f" ({about}{part(client, 20)} {local(at, '%Y-%m-%d')})"


def _entries(known: Known[Knowledge], project: str | None) -> Weighted:
    lines = [
        Line(
            f"{one_line(each.title)} — {_beginning(each.content)}",
            _source(each.project, project, each.client, each.updated_at),
            label=f"- **[{each.category}]** ",
        )
        for each in known.rows
    ]
    if not lines:
        return []
    missing = known.total - len(lines)
    return [(1, Section("### 🌐 Company knowledge (Tier G)", lines, missing, "memory_list_global", evenly=True))]


def _beginning(content: str) -> str:
    return shortened(one_line(content[: 2 * LONGEST_ENTRY]), LONGEST_ENTRY)


def _profile(known: Known[Profile]) -> Weighted:
    found: Weighted = []
    for profile in known.rows:
        role = Line(shortened(one_line(profile.role), 120), label="**Role:** ")
        preferences = Line(shortened(one_line(profile.preferences), 300), label="**Preferences:** ")
        said = [line for line in (role, preferences) if line.text]
        pinned = [Line(shortened(one_line(fact), 200), label="- ") for fact in profile.pinned_facts]
        for heading, lines in (("### 👤 Who you are", said), ("### 📌 Pinned facts", pinned)):
            if lines:
                found.append((3, Section(heading, lines, tool="resource memory://profile")))
    return found


def _facts(known: Known[Fact], project: str | None) -> Weighted:
    lines = [
        Line(
            shortened(one_line(each.text), 200),
            _source(each.project, project, each.client, each.updated_at),
            label=f"- **[{part(each.category)}]** ",
        )
        for each in known.rows
    ]
    return [(4, Section("### 🗂️ Stored facts", lines, known.total - len(lines), "memory_list_facts"))] if lines else []


def _hypotheses(known: Known[Hypothesis], project: str | None) -> Weighted:
    lines = [
        Line(
            shortened(one_line(each.text), 160),
            _source(each.project, project, each.client, each.created_at),
            label=f"- ({each.confidence:.1f}) ",
        )
        for each in known.rows
    ]
    missing = known.total - len(lines)
    return [(1, Section("### 💭 Open hypotheses", lines, missing, "memory_list_hypotheses"))] if lines else []


def _recent(work: Work, known: Known[MemorySession]) -> Weighted:
    """The sessions that matter most, told in the order of time."""
    flagged = {each.uid for each in known.rows if each.caution and each.accepted_at is None}
    unsaid: dict[str, object] = {"one_liner": HELD_BACK, "topics": [], "outcome": "", "project": None}
    rows = [
        row.model_copy(update=unsaid | {"client": "…" if cautions(row.client) else row.client})
        if row.session_id in flagged
        else row
        for row in session_rows(work, known.rows)
    ]
    rows.sort(key=lambda row: (row.ended_at is None, row.started_at), reverse=True)
    places = {row.session_id: place for place, row in enumerate(rows)}
    rows.sort(key=lambda row: (row.ended_at is None, row.importance, row.started_at), reverse=True)
    lines: list[Line] = []
    for row in rows:
        # One row of rare characters can be dearer than the whole tier: its bare headline is not.
        bare = row.model_copy(update={"one_liner": row.one_liner[:60], "topics": [], "outcome": ""})
        barest = bare.model_copy(update={"one_liner": row.one_liner[:20], "project": None, "client": row.client[:8]})
        texts = [table_row(each, with_client=True) for each in (row, bare, barest)]
        lines.append(Line(texts[0], place=places[row.session_id], briefs=(texts[1], texts[2])))
    missing = known.total - len(lines)
    heading = f"### 📅 Recent sessions\n{TABLE_HEAD}"
    return [(1, Section(heading, lines, missing, "memory_list_sessions", mark="\n"))] if lines else []


def _held_back(
    known: Sequence[Known[Knowledge] | Known[Profile] | Known[Fact] | Known[Hypothesis] | Known[MemorySession]],
) -> str:
    count = sum(each.held_back for each in known)
    if not count:
        return ""
    return (
        f"⚠ {count:,} held back, for they instruct their reader. A person can see and accept them: "
        "`bigmind memory list-flagged`."
    )
