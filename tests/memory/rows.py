"""Rows for a store, made in bulk, with texts that are hard to fit into a budget."""

import random
from collections.abc import Callable, Sequence
from datetime import UTC, datetime, timedelta

from bigmind.brain.kinds import about_of
from bigmind.brain.tables import Thought, ThoughtUse
from bigmind.core.ids import new_id
from bigmind.memory.tables import Fact, Hypothesis, Knowledge, MemorySession, Profile, SessionTopic
from bigmind.text.words import index_terms

START = datetime(2026, 1, 1, tzinfo=UTC)
ADA = 1

Writer = Callable[[random.Random, int], str]

MARKDOWN = ("| a | b |", "|---|", "\\|", "`x|y`", "**bold", "## h", "- [ ] x", "<b>", "](u)", "~~~", "\\", "…", "&amp;")


def _words(draw: random.Random, length: int) -> str:
    common = "the engine weaves algebraic patterns just as loom flowers and leaves decided deploy canary".split()  # noqa: SIM905
    text = ""
    while len(text) < length:
        text += f"{draw.choice(common)} "
    return text[:length].strip() or "x"


def _of(alphabet: Sequence[str]) -> Writer:
    return lambda draw, length: "".join(draw.choices(alphabet, k=length))[:length].strip() or "x"


WRITERS: dict[str, Writer] = {
    "english": _words,
    "emoji": _of("".join(map(chr, range(0x1F300, 0x1F650)))),
    "rare": _of("".join(map(chr, range(0x12000, 0x12300)))),
    "cjk": _of("".join(map(chr, range(0x4E00, 0x5E00)))),
    "markdown": _of(MARKDOWN),
    "code": _of([*"abcXYZ019_-.:/(){}[]<>=+*&^%$#@!", "->", "::", "\t"]),
    "one word": lambda draw, length: "".join(draw.choices("abcdefghijklmnopqrstuvwxyz", k=length)),
}


def session(at: datetime, **given: object) -> MemorySession:
    """A closed session; anything may be given."""
    columns = {
        "uid": new_id(),
        "user_id": ADA,
        "client": "tester",
        "started_at": at,
        "ended_at": at + timedelta(minutes=30),
        "updated_at": at,
    }
    return MemorySession(**(columns | given))


def fact(at: datetime, text: str, **given: object) -> Fact:
    """An active fact; anything may be given."""
    columns = {
        "uid": new_id(),
        "user_id": ADA,
        "client": "tester",
        "category": "preference",
        "text": text,
        "confidence": 1.0,
        "created_at": at,
        "updated_at": at,
    }
    return Fact(**(columns | given))


def hypothesis(at: datetime, text: str, **given: object) -> Hypothesis:
    """An open hypothesis; anything may be given."""
    columns = {
        "uid": new_id(),
        "user_id": ADA,
        "client": "tester",
        "text": text,
        "confidence": 0.7,
        "status": "open",
        "created_at": at,
        "updated_at": at,
    }
    return Hypothesis(**(columns | given))


def profile(**given: object) -> Profile:
    """Ada's profile; anything may be given."""
    return Profile(**({"user_id": ADA, "updated_at": START} | given))


def entry(at: datetime, title: str, content: str = "Because it holds.", **given: object) -> Knowledge:
    """An approved entry of company knowledge; anything may be given."""
    columns = {
        "uid": new_id(),
        "promoted_by_id": ADA,
        "approved_by_id": ADA,
        "client": "tester",
        "category": "decision",
        "title": title,
        "content": content,
        "status": "approved",
        "terms": index_terms(f"{title}\n{content}"),
        "created_at": at,
        "updated_at": at,
    }
    return Knowledge(**(columns | given))


def thought(at: datetime, number: int, text: str, reads: int = 0, weight: float = 1.0, **given: object) -> list[object]:
    """A shared thought with that key, and how it was used; anything of it may be given."""
    columns = {
        "id": number,
        "uid": new_id(),
        "user_id": ADA,
        "space": "shared",
        "client": "tester",
        "content": text,
        "terms": index_terms(text),
        "about": about_of(str(given.get("topic", "")), ()),
        "created_at": at,
        "updated_at": at,
    }
    use = ThoughtUse(thought_id=number, weight=weight, weighed_at=at, reads=reads)
    return [Thought(**(columns | given)), use]


def crowd(writer: Writer, sessions: int, facts: int, open_sessions: int = 3, entries: int = 0) -> list[object]:
    """A whole life: sessions with topics, facts, hypotheses and a profile, every text as long as it may be."""
    draw = random.Random(sessions)
    rows: list[object] = [
        Profile(
            user_id=ADA,
            role=writer(draw, 500),
            preferences=writer(draw, 4_000),
            pinned_facts=[writer(draw, 1_000) for _ in range(100)],
            updated_at=START,
        )
    ]
    projects = (None, "engine", "loom", writer(draw, 200))
    for number in range(1, sessions + 1):
        at = START + timedelta(minutes=number)
        rows.append(
            session(
                at,
                id=number,
                project=draw.choice(projects),
                ended_at=None if number > sessions - open_sessions else at + timedelta(minutes=1),
                one_liner=writer(draw, 120),
                outcome=writer(draw, 500),
                importance=draw.randint(1, 10),
                has_detail=draw.random() < 0.5,
            )
        )
        rows.extend(
            SessionTopic(session_id=number, topic=f"{place}{writer(draw, 79)}"[:80], position=place)
            for place in range(draw.randint(0, 5))
        )
    for number in range(facts):
        at = START + timedelta(minutes=number)
        rows.append(fact(at, writer(draw, 2_000), project=draw.choice(projects), confidence=draw.random()))
    rows.extend(hypothesis(START + timedelta(minutes=number), writer(draw, 2_000)) for number in range(30))
    for number in range(entries):
        at = START + timedelta(minutes=number)
        title, content = writer(draw, 80), writer(draw, 20_000)
        rows.append(entry(at, title, content, project=draw.choice(projects), importance=draw.randint(1, 10)))
    return rows
