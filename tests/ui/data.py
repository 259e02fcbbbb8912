"""A memory as it looks after a year: sessions, moments, facts, hypotheses, a profile."""

import random
from datetime import datetime, timedelta

from bigmind.core.clock import system_clock
from bigmind.core.events import Action, Kind
from bigmind.core.ids import new_id
from bigmind.core.operation import Caller
from bigmind.memory.tables import (
    Chunk,
    Fact,
    Hypothesis,
    MemorySession,
    Profile,
    SessionSummary,
    SessionTopic,
)
from bigmind.store.work import Work
from bigmind.wiring import Mind

EVIL = "<img src=x onerror=alert(1)>"
CLIENTS = ("cursor", "claude-code", "copilot")
PROJECTS = ("github.com/acme/billing", "checkout-service", "platform-tools")
TOPICS = ("postgres", "billing", "tests", "auth", "export", "mcp", "caching", "deploy", "logging", "api")
DONE = (
    ("Migrated the billing importer to streaming", "Peak memory fell from 2.1 GB to 180 MB; rollout tomorrow"),
    ("Root cause of the flaky checkout test: clock, not network", "Fixed by freezing time at the fixture"),
    ("Chose psycopg 3 over asyncpg for the worker pool", "Decision recorded; pool size 8"),
    ("Review of the permissions refactor", "Two gaps found, both merged"),
    ("First sketch of the export format", "Versioned JSON, streams"),
    ("Traced slow start to importing alembic", "Imported only when a migration is pending"),
    ("Moved secrets out of the compose file", "Rotated the two that were in the history"),
)
FACTS = (
    ("preference", "Prefers small commits with the test in the same commit"),
    ("constraint", "The staging database is reset every night at 02:00 UTC"),
    ("codebase", "Service names end in -svc, queues in -q"),
    ("decision", "psycopg 3 for everything new; asyncpg only where it already is"),
    ("preference", "Code over explanation, small steps"),
    ("codebase", f"The old importer lives in legacy/ and must not be extended {EVIL}"),
)
HYPOTHESES = (
    (0.8, "The importer is slow because of per-row commits"),
    (0.55, "Half of the retries come from one tenant"),
    (0.35, "The cache never pays for itself below 50 rps"),
    (0.6, f"Somebody feeds us markup {EVIL}"),
)
SUMMARY = """## Goal
Stream the importer instead of loading each file.

- `csv.DictReader` replaced by a generator
- one transaction per 1,000 rows

The peak is 180 MB now."""


def fill(mind: Mind, caller: Caller, days: int = 365) -> None:
    """A year of work, in one transaction."""
    dice = random.Random(7)
    now = system_clock()
    with mind.store.write(caller, "fill") as work:
        for back in range(days, 0, -1):
            moment = now - timedelta(days=back)
            busy = 0.2 if moment.weekday() >= 5 else 0.75
            for _ in range(dice.choice((1, 1, 2, 3, 5)) if dice.random() < busy else 0):
                _session(work, dice, moment - timedelta(minutes=dice.randrange(600)))
        _open_session(work, now - timedelta(minutes=12))
        _knowledge(work, now)
        work.changed(Kind.SESSION, "filled", Action.CREATED)


def _session(work: Work, dice: random.Random, start: datetime) -> None:
    headline, outcome = dice.choice(DONE)
    session = MemorySession(
        uid=new_id(),
        user_id=work.caller.user_id,
        project=dice.choice((*PROJECTS, None)),
        client=dice.choice(CLIENTS),
        started_at=start,
        updated_at=start,
        ended_at=start + timedelta(minutes=dice.randrange(5, 190)),
        one_liner=headline,
        outcome=outcome,
        importance=dice.randrange(1, 11),
        has_detail=True,
    )
    work.session.add(session)
    work.session.flush()
    weights = [60, 50, 36, 27, 19, 14, 9, 6, 4, 2]
    for position, topic in enumerate(dict.fromkeys(dice.choices(TOPICS, weights, k=2))):
        work.session.add(SessionTopic(session_id=session.id or 0, topic=topic, position=position))
    summary = SessionSummary(session_id=session.id or 0, summary=SUMMARY, created_at=start)
    summary.key_facts = ["One transaction per 1,000 rows is the sweet spot", "The vendor sends Windows-1252"]
    summary.code_refs = ["billing/importer/stream.py", "acme/billing#412"]
    work.session.add(summary)
    for seq in range(1, dice.randrange(2, 5)):
        _moment(work, session, seq, "We decided to stream, and to keep the old path behind a flag for a week.")


def _open_session(work: Work, start: datetime) -> None:
    session = MemorySession(
        uid=new_id(),
        user_id=work.caller.user_id,
        project="github.com/acme/billing",
        client="cursor",
        started_at=start,
        updated_at=start,
        one_liner=f"Escaping of markup in the importer's log {EVIL}",
    )
    work.session.add(session)
    work.session.flush()
    work.session.add(SessionTopic(session_id=session.id or 0, topic=EVIL.lower(), position=0))
    work.session.add(SessionTopic(session_id=session.id or 0, topic="billing", position=1))
    _moment(work, session, 1, f"The vendor's file holds markup: {EVIL}\n\n    indented code stays indented")
    _moment(work, session, 2, "A long traceback. " * 400)
    for seq in range(3, 71):
        _moment(work, session, seq, f"Moment number {seq} of a long conversation.")


def _moment(work: Work, session: MemorySession, seq: int, content: str) -> None:
    work.session.add(
        Chunk(
            uid=new_id(),
            user_id=work.caller.user_id,
            session_id=session.id or 0,
            client=session.client,
            role=("user", "assistant")[seq % 2],
            content=content,
            flag_reason="Decision about the importer",
            seq=seq,
            created_at=session.started_at + timedelta(seconds=seq),
        )
    )


def _knowledge(work: Work, now: datetime) -> None:
    profile = Profile(user_id=work.caller.user_id, role="Principal engineer, platform", updated_at=now)
    profile.preferences = (
        "Python and PostgreSQL. Code over explanation, small steps,\nthe truth even when it is not nice."
    )
    profile.pinned_facts = ["Main repository: github.com/acme/billing", "Works in Europe/Berlin, mornings"]
    work.session.add(profile)
    for age, (category, text) in enumerate(FACTS):
        moment = now - timedelta(hours=2 + age * 40)
        fact = Fact(uid=new_id(), user_id=work.caller.user_id, client=CLIENTS[age % 3], category=category, text=text)
        fact.confidence, fact.created_at, fact.updated_at = 0.9, moment, moment
        work.session.add(fact)
    for confidence, text in HYPOTHESES:
        hypothesis = Hypothesis(uid=new_id(), user_id=work.caller.user_id, client="cursor", text=text, status="open")
        hypothesis.confidence = confidence
        hypothesis.created_at = hypothesis.updated_at = now
        work.session.add(hypothesis)
