"""What search over everything answers."""

from datetime import datetime

from pydantic import Field

from bigmind.catalog import Answer
from bigmind.core.ids import short
from bigmind.core.text import one_line, shortened
from bigmind.memory.answers import CAUTION, WORDS_ONLY, words_only
from bigmind.memory.wording import RECALLED, part, plain, source, warning


class Finding(Answer):
    """Something that is remembered, and where it comes from."""

    kind: str = Field(description="chunk, session, fact, hypothesis or knowledge.")
    id: str
    excerpt: str = Field(description="The stretch that answers; words that were looked for stand between **.")
    why: str = Field(description="What it was found by.")
    score: float = Field(description="Higher is better; compares within one answer only.")
    session_id: str | None = Field(description="The session it comes from, when it is the caller's.")
    session: str = Field(default="", description="That session's headline.")
    reason: str = Field(default="", description="Why a moment was kept.")
    project: str | None
    client: str
    at: datetime
    caution: str = Field(default="", description=CAUTION)

    def as_text(self) -> str:
        told = source(self.at, self.client, self.project)
        born = f" · session {short(self.session_id)}" if self.session_id and self.kind != "session" else ""
        label = f"- {self.kind} {short(self.id)} · {told}{born} · {part(self.why)}"
        # Where no word of it was looked for, the reason says best what it is about.
        reason = f"\n  kept because: {plain(self.reason)}" if self.reason and "**" not in self.excerpt else ""
        return f"{label}{reason}\n  {warning(self.caution)}> {plain(self.excerpt)}"


class Findings(Answer):
    """What is remembered about a question, best first."""

    query: str
    hits: list[Finding]
    words_only: str = Field(default="", description=WORDS_ONLY)

    def as_text(self) -> str:
        note = words_only(self.words_only)
        if not self.hits:
            return f"Nothing remembered answers {shortened(one_line(self.query), 80)!r}. Try other words.{note}"
        lines = "\n".join(hit.as_text() for hit in self.hits)
        return f"{len(self.hits)} found, best first. {RECALLED}{note}\n\n{lines}"
