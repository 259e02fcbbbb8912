"""Builds the context a conversation starts with: what is known, within budgets that hold whatever the store contains.

Counted by `count_tokens`, which never counts too few.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from sqlmodel import col, select

from bigmind.core.clock import local
from bigmind.core.text import one_line, shortened
from bigmind.memory.answers import TABLE_HEAD, FactList, HypothesisList, ProfileAnswer, table_row
from bigmind.memory.facts import get_profile, list_facts
from bigmind.memory.journal import list_hypotheses
from bigmind.memory.sessions import session_rows
from bigmind.memory.tables import MemorySession
from bigmind.memory.tokens import count_tokens
from bigmind.store.work import Work

TOTAL = 1_300
IDENTITY = 300
SESSIONS = 800
HYPOTHESES = 150

FACTS_CONSIDERED = 60
OPEN_CONSIDERED = 20
MOST_HYPOTHESES = 3

EMPTY = (
    "Nothing is stored yet. Flag what matters with memory_flag_important, store what stays true with "
    "memory_store_fact, tell who you work for with memory_update_profile, and close with memory_end_session: "
    "the next conversation begins with it."
)


@dataclass(frozen=True, slots=True)
class Section:
    """A part of the context: its heading, and its lines, the most important first."""

    heading: str
    lines: Sequence[str]
    left_out: int = 0
    tool: str = ""

    def fitted(self, budget: int) -> str:
        """As many lines as `budget` tokens hold, and a last one that says how many were left out; or nothing."""
        rest = budget - count_tokens(self.heading) - 1
        kept: list[str] = []
        costs = [count_tokens(line) + 1 for line in self.lines]
        for number, (line, cost) in enumerate(zip(self.lines, costs, strict=True)):
            is_last = number == len(self.lines) - 1 and not self.left_out
            reserve = 0 if is_last else count_tokens(self._trailer(len(self.lines) + self.left_out)) + 1
            if cost + reserve > rest:
                break
            rest -= cost
            kept.append(line)
        missing = len(self.lines) - len(kept) + self.left_out
        if not kept:
            return ""
        return "\n".join((self.heading, *kept, *([self._trailer(missing)] if missing else [])))

    def _trailer(self, missing: int) -> str:
        return f"- … {missing:,} more: {self.tool}"


def build_context(work: Work, sessions: int, project: str | None, *, budget: int = TOTAL, without: str = "") -> str:
    """What is known, as markdown of at most `budget` tokens.

    Args:
        work: reads only.
        sessions: how many closed sessions to show, the newest.
        project: comes first where there is a choice; nothing is hidden because of it.
        budget: tokens in all, at most 1,300.
        without: the id of a session that the reader knows of already.
    """
    header = f"## 🧠 BigMind context — loaded {local(work.now)}"
    rest = budget - count_tokens(header) - 2
    identity = _identity(get_profile(work), list_facts(work, None, None, FACTS_CONSIDERED, first=project), project)
    hypotheses = _hypotheses(list_hypotheses(work, "open", MOST_HYPOTHESES))
    parts: list[str] = []
    allowance = IDENTITY
    for section in identity:
        if text := section.fitted(min(allowance, rest)):
            parts.append(text)
            allowance -= count_tokens(text) + 2
            rest -= count_tokens(text) + 2
    if text := hypotheses.fitted(min(HYPOTHESES, rest)):
        parts.append(text)
        rest -= count_tokens(text) + 2
    if text := _recent(work, sessions, project, without, min(SESSIONS, rest)):
        parts.append(text)
    return "\n\n".join((header, *(parts or [EMPTY])))


def _identity(profile: ProfileAnswer, facts: FactList, project: str | None) -> Iterable[Section]:
    if profile.role or profile.preferences:
        role = f"**Role:** {shortened(one_line(profile.role), 120)}"
        preferences = f"**Preferences:** {shortened(one_line(profile.preferences), 300)}"
        known = [line for line, said in ((role, profile.role), (preferences, profile.preferences)) if said]
        yield Section("### 👤 Who you are", known, tool="resource memory://profile")
    if profile.pinned_facts:
        pinned = [f"- {shortened(one_line(fact), 200)}" for fact in profile.pinned_facts]
        yield Section("### 📌 Pinned facts", pinned, tool="resource memory://profile")
    if facts.facts:
        stored = [
            f"- **[{fact.category}]** {shortened(one_line(fact.fact), 200)}"
            + (f" ({shortened(fact.project, 40)})" if fact.project and fact.project != project else "")
            for fact in facts.facts
        ]
        yield Section("### 🗂️ Stored facts", stored, facts.total - len(stored), "memory_list_facts")


def _hypotheses(found: HypothesisList) -> Section:
    lines = [f"- ({each.confidence:.1f}) {shortened(one_line(each.hypothesis), 160)}" for each in found.hypotheses]
    return Section("### 💭 Open hypotheses", lines, found.total - len(lines), "memory_list_hypotheses")


def _recent(work: Work, wanted: int, project: str | None, without: str, budget: int) -> str:
    """The sessions that matter most within the budget, told in the order of time."""
    rows = session_rows(work, _chosen(work, wanted, project, without))
    if not rows:
        return ""
    heading = f"### 📅 Recent sessions\n{TABLE_HEAD}"
    by_weight = sorted(rows, key=lambda row: (row.ended_at is None, row.importance, row.started_at), reverse=True)
    chosen = by_weight
    while chosen:
        in_time = sorted(chosen, key=lambda row: (row.ended_at is None, row.started_at), reverse=True)
        lines = [table_row(row) for row in in_time]
        missing = len(rows) - len(chosen)
        trailer = [f"\n… {missing:,} more: memory_list_sessions"] if missing else []
        text = "\n".join((heading, *lines, *trailer))
        if count_tokens(text) <= budget:
            return text
        chosen = chosen[:-1]
    return ""


def _chosen(work: Work, wanted: int, project: str | None, without: str) -> list[MemorySession]:
    mine = [MemorySession.user_id == work.caller.user_id, MemorySession.uid != without]
    newest = (col(MemorySession.started_at).desc(), col(MemorySession.id).desc())
    still_open = select(MemorySession).where(*mine, col(MemorySession.ended_at).is_(None))
    closed = select(MemorySession).where(*mine, col(MemorySession.ended_at).is_not(None))
    found = list(work.session.exec(still_open.order_by(*newest).limit(OPEN_CONSIDERED)))
    preferred: list[MemorySession] = []
    if project is not None:
        of_project = closed.where(MemorySession.project == project).order_by(*newest).limit(wanted)
        preferred = list(work.session.exec(of_project))
    others = work.session.exec(closed.order_by(*newest).limit(wanted)).all()
    known = {each.id for each in preferred}
    preferred += [each for each in others if each.id not in known]
    return found + preferred[:wanted]
