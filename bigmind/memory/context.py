"""Builds the context a conversation starts with: what is known, within budgets that hold whatever the store contains.

Counted by `count_tokens`, which never counts too few.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from sqlalchemy import func
from sqlmodel import col, select

from bigmind.core.clock import local
from bigmind.core.text import one_line, shortened, visible
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
DEFAULT_SESSIONS = 5
OPEN_CONSIDERED = 5
"""More would push out what closed sessions say; the rest is counted in the last line."""

MOST_HYPOTHESES = 3
SHORTEST_LINE = 30

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
        """As many lines as `budget` tokens hold, and a last one that says how many were left out."""
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
        if not kept:
            # A line dearer than the whole section is cut further, so that nobody's emoji hide that there is something.
            first = _cut(self.lines[0], rest - count_tokens(self._trailer(len(self.lines) + self.left_out)) - 1)
            kept = [first] if first else []
        missing = len(self.lines) - len(kept) + self.left_out
        return "\n".join((self.heading, *kept, *([self._trailer(missing)] if missing else [])))

    def least(self) -> int:
        """Tokens of the heading and of the line that says that everything was left out."""
        return count_tokens(f"{self.heading}\n{self._trailer(len(self.lines) + self.left_out)}\n\n") + 1

    def _trailer(self, missing: int) -> str:
        return f"- … {missing:,} more: {self.tool}"


def _cut(line: str, budget: int) -> str:
    """The beginning of a line, of less than `budget` tokens; nothing when too little of it would be left."""
    while (cost := count_tokens(line) + 1) > budget:
        line = shortened(line, len(line) * max(budget, 0) // cost)
        if len(line) < SHORTEST_LINE:
            return ""
    return line


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
    facts = list_facts(work, None, None, FACTS_CONSIDERED, first=project)
    identity = list(_identity(get_profile(work), facts, project))
    hypotheses = _hypotheses(list_hypotheses(work, "open", MOST_HYPOTHESES))
    parts: list[str] = []
    allowance = IDENTITY
    for number, section in enumerate(identity):
        text = section.fitted(allowance - sum(later.least() for later in identity[number + 1 :]))
        parts.append(text)
        allowance -= count_tokens(text) + 2
        rest -= count_tokens(text) + 2
    if hypotheses.lines:
        text = hypotheses.fitted(HYPOTHESES)
        parts.append(text)
        rest -= count_tokens(text) + 2
    if text := _recent(work, sessions, project, without, min(SESSIONS, rest)):
        parts.append(text)
    return visible("\n\n".join((header, *(parts or [EMPTY]))))


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
    found, unseen = _chosen(work, wanted, project, without)
    if not found:
        return ""
    rows = session_rows(work, found)
    heading = f"### 📅 Recent sessions\n{TABLE_HEAD}"
    by_weight = sorted(rows, key=lambda row: (row.ended_at is None, row.importance, row.started_at), reverse=True)
    trailer: list[str] = []
    for count in range(len(rows), 0, -1):
        in_time = sorted(by_weight[:count], key=lambda row: (row.ended_at is None, row.started_at), reverse=True)
        missing = len(rows) - count + unseen
        trailer = [f"\n… {missing:,} more: memory_list_sessions"] if missing else []
        text = "\n".join((heading, *map(table_row, in_time), *trailer))
        if count_tokens(text) <= budget:
            return text
    # One row of rare characters can be dearer than the whole tier: its bare headline is not.
    brief = by_weight[0].model_copy(update={"one_liner": by_weight[0].one_liner[:60], "topics": [], "outcome": ""})
    return "\n".join((heading, table_row(brief), *trailer))


def _chosen(work: Work, wanted: int, project: str | None, without: str) -> tuple[list[MemorySession], int]:
    """The sessions to tell of, and how many open ones there are beside them."""
    mine = [MemorySession.user_id == work.caller.user_id, MemorySession.uid != without]
    newest = (col(MemorySession.started_at).desc(), col(MemorySession.id).desc())
    still_open = select(MemorySession).where(*mine, col(MemorySession.ended_at).is_(None))
    closed = select(MemorySession).where(*mine, col(MemorySession.ended_at).is_not(None))
    found = list(work.session.exec(still_open.order_by(*newest).limit(OPEN_CONSIDERED)))
    count_open = select(func.count()).select_from(MemorySession).where(*mine, col(MemorySession.ended_at).is_(None))
    unseen = work.session.exec(count_open).one() - len(found)
    preferred: list[MemorySession] = []
    if project is not None:
        of_project = closed.where(MemorySession.project == project).order_by(*newest).limit(wanted)
        preferred = list(work.session.exec(of_project))
    others = work.session.exec(closed.order_by(*newest).limit(wanted)).all()
    known = {each.id for each in preferred}
    preferred += [each for each in others if each.id not in known]
    return found + preferred[:wanted], unseen
