"""Reads a context back: its sections, their lines, and what they say was left out."""

import re
from dataclasses import dataclass

from bigmind.memory.tokens import count_tokens
from tests.memory.oracle import o200k

PROFILE = "### 👤 Who you are"
PINNED = "### 📌 Pinned facts"
FACTS = "### 🗂️ Stored facts"
HYPOTHESES = "### 💭 Open hypotheses"
SESSIONS = "### 📅 Recent sessions"
ORDER = (PROFILE, PINNED, FACTS, HYPOTHESES, SESSIONS)
TIER_0, TIER_1, TOTAL = 300, 800, 1_300

_TRAILER = re.compile(r"(?:- )?… ([\d,]+) more: (.+)")


@dataclass(frozen=True)
class Part:
    """One section of a context."""

    heading: str
    text: str
    lines: list[str]
    left_out: int
    tool: str


def parts_of(context: str) -> dict[str, Part]:
    """The sections of a context by heading, in their order."""
    first, _, rest = context.partition("\n\n")
    assert first.startswith("## 🧠 BigMind context — loaded ")
    found: dict[str, Part] = {}
    for text in re.split(r"\n\n(?=### )", rest) if rest.startswith("### ") else []:
        heading, *lines = [line for line in text.split("\n") if line]
        assert heading in ORDER
        trailer = _TRAILER.fullmatch(lines[-1])
        kept = lines[:-1] if trailer else lines
        if heading == SESSIONS:
            assert kept[:2] == ["| Date | Headline | Topics | Outcome |", "|---|---|---|---|"]
            kept = kept[2:]
        left_out = int(trailer[1].replace(",", "")) if trailer else 0
        found[heading] = Part(heading, text, kept, left_out, trailer[2] if trailer else "")
    return found


def cost(text: str) -> int:
    """What a text costs by our measure and by the real tokenizer, whichever is more."""
    return max(count_tokens(text), o200k(text))


def assert_within_budgets(answer: str, context: str) -> dict[str, Part]:
    """Every bound that memory.md sets on a context, and its order; returns its sections."""
    assert cost(answer) <= TOTAL
    parts = parts_of(context)
    assert list(parts) == [heading for heading in ORDER if heading in parts]
    tier_0 = "\n\n".join(parts[heading].text for heading in (PROFILE, PINNED, FACTS) if heading in parts)
    assert cost(tier_0) <= TIER_0
    if SESSIONS in parts:
        assert cost(parts[SESSIONS].text) <= TIER_1
    return parts
