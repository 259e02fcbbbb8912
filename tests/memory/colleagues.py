"""Twelve made-up engineers: what each has in memory, and the ten things that a colleague would want at hand.

`engineers/*.toml` were written before anybody saw what a context picks of them. What a file lists is the work of the
last days and what lasts; its `crowd` is the history behind that: so many more rows of each kind, made here.
"""

import random
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

from sqlmodel import insert

from bigmind.core.ids import new_id
from bigmind.memory.tables import Fact, FactEvent, Hypothesis, Knowledge, MemorySession, Profile, SessionTopic
from bigmind.store.work import Work

FOLDER = Path(__file__).with_name("engineers")
ADA = 1
CLIENT = "claude-code"
NEWEST, OLDEST = 5, 900
"""Days ago of the history."""

OTHER_PROJECTS = ("website", "github.com/old/tools", "playground", "infra", "handbook", "spike-2024")
SENTENCES = {
    "en": (
        "The {noun} of {name} is configured in {name}.toml.",
        "Service {name} listens on port {number}.",
        "Tests of {name} take {number} seconds.",
        "The {noun} in {name} was renamed in release {number}.",
        "{name} depends on {other} for its {noun}.",
    ),
    "de": (
        "Die Einstellung {noun} von {name} steht in {name}.toml.",
        "Der Dienst {name} lauscht auf Port {number}.",
        "Die Prüfung von {name} dauert {number} Sekunden.",
        "{name} braucht {other} für {noun}.",
    ),
    "ja": (
        "{name} の設定は {name}.toml にある。",
        "{name} はポート {number} で待ち受ける。",
        "{name} のテストは {number} 秒かかる。",
        "{name} は {other} に依存する。",
    ),
}
NOUNS = ("cache", "parser", "timeout", "schema", "queue", "index", "banner", "export", "retry", "fixture")
NAMES = ("atlas", "birch", "cobalt", "delta", "ember", "fjord", "gull", "harbor", "iris", "juniper", "kelp", "lotus")


@dataclass(frozen=True)
class Engineer:
    """One of them, as the file says."""

    name: str
    told: dict[str, Any]

    @property
    def project(self) -> str:
        return self.told["project"]

    @property
    def topics(self) -> list[str]:
        return self.told["topics"]

    @property
    def at_hand(self) -> list[str]:
        return self.told["at_hand"]

    @property
    def is_rich(self) -> bool:
        """Whether they write English and have more to say than a context holds."""
        return "language" not in self.told and sum(self._crowd(kind) for kind in ("facts", "sessions")) > 400

    def missing(self, context: str) -> list[str]:
        """What a colleague would want and this context does not say."""
        return [wanted for wanted in self.at_hand if wanted not in context]

    def fill(self, work: Work) -> None:
        """Put all of it into an empty store, in bulk."""
        draw = random.Random(self.name)
        told = self.told
        if told["role"] or told["preferences"] or told["pinned"]:
            work.session.add(
                Profile(
                    user_id=ADA,
                    role=told["role"],
                    preferences=told["preferences"],
                    pinned_facts=told["pinned"],
                    updated_at=work.now - timedelta(days=100),
                )
            )
        sessions, topics = self._sessions(draw, work.now)
        facts, events = self._facts(draw, work.now)
        for table, rows in (
            (MemorySession, sessions),
            (SessionTopic, topics),
            (Fact, facts),
            (FactEvent, events),
            (Knowledge, self._knowledge(draw, work.now)),
            (Hypothesis, self._hypotheses(draw, work.now)),
        ):
            if rows:
                work.session.execute(insert(table), rows)

    def _crowd(self, kind: str) -> int:
        return self.told.get("crowd", {}).get(kind, 0)

    def _sentence(self, draw: random.Random) -> str:
        written = draw.choice(SENTENCES[self.told.get("language", "en")])
        name, other = draw.sample(NAMES, 2)
        number = draw.randint(2, 9_999)
        return written.format(noun=draw.choice(NOUNS), name=f"{name}-{draw.randint(1, 99)}", other=other, number=number)

    def _past(self, draw: random.Random) -> tuple[float, str | None]:
        """Days ago and project of a thing of the history."""
        elsewhere = self.told.get("crowd", {}).get("elsewhere", False) or draw.random() < 0.5
        return draw.uniform(NEWEST, OLDEST), draw.choice(OTHER_PROJECTS) if elsewhere else self.project

    def _named(self, project: str) -> str | None:
        return {"here": self.project, "own": None, "none": None}.get(project, project)

    def _facts(self, draw: random.Random, now: datetime) -> tuple[list[dict[str, Any]], list[dict[str, Any]]]:
        rows, events = [], []
        for text, category, project, days, confidence, confirmed in (*self.told["facts"], *self._other_facts(draw)):
            at = now - timedelta(days=days)
            rows.append(
                _row(now, days)
                | {"id": len(rows) + 1, "project": self._named(project), "category": category, "text": text}
                | {"confidence": confidence, "deprecation_reason": "", "terms": ""}
            )
            events += [
                {"fact_id": len(rows), "at": at, "client": CLIENT, "action": action, "reason": ""}
                | {"confidence": confidence}
                for action in ("stored", *["confirmed"] * confirmed)
            ]
        return rows, events

    def _other_facts(self, draw: random.Random) -> Iterator[tuple[str, str, str, float, float, int]]:
        for _ in range(self._crowd("facts")):
            days, project = self._past(draw)
            category = draw.choices(
                ("codebase", "decision", "constraint", "preference", "identity"), (60, 20, 10, 8, 2)
            )[0]
            confidence = 1.0 if draw.random() < 0.7 else round(draw.uniform(0.4, 0.95), 2)
            yield self._sentence(draw), category, project or "none", days, confidence, int(draw.random() < 0.1)

    def _sessions(self, draw: random.Random, now: datetime) -> tuple[list[dict[str, Any]], list[dict[str, Any]]]:
        told = list(self.told["sessions"])
        for _ in range(self._crowd("sessions")):
            days, project = self._past(draw)
            told.append(
                (self._sentence(draw)[:110], draw.choice(NOUNS), "done", days, draw.randint(2, 7), project, False)
            )
        rows, topics = [], []
        for headline, topic, outcome, days, importance, project, detail in told:
            key, started = len(rows) + 1, now - timedelta(days=days)
            rows.append(
                {"id": key, "uid": new_id(), "user_id": ADA, "project": self._named(project), "client": CLIENT}
                | {"started_at": started, "ended_at": started + timedelta(hours=1), "updated_at": started}
                | {"one_liner": headline, "outcome": outcome, "importance": importance, "has_detail": detail}
                | {"told": "", "terms": "", "caution": ""}
            )
            topics += [
                {"session_id": key, "topic": name, "position": place} for place, name in enumerate(topic.split(", "))
            ]
        return rows, topics

    def _knowledge(self, draw: random.Random, now: datetime) -> list[dict[str, Any]]:
        told = list(self.told["knowledge"])
        for _ in range(self._crowd("knowledge")):
            _, project = self._past(draw)
            told.append(("pattern", self._sentence(draw)[:80], self._sentence(draw), draw.randint(1, 7), project))
        return [
            _shared(now, days=60)
            | {"category": category, "title": title, "content": content, "importance": importance}
            | {"project": self._named(project), "status": "approved", "review_notes": "", "terms": ""}
            for category, title, content, importance, project in told
        ]

    def _hypotheses(self, draw: random.Random, now: datetime) -> list[dict[str, Any]]:
        told = list(self.told["hypotheses"])
        for _ in range(self._crowd("hypotheses")):
            days, project = self._past(draw)
            told.append((self._sentence(draw), round(draw.uniform(0.3, 0.9), 1), project, days))
        return [
            _row(now, days)
            | {"text": text, "confidence": confidence, "project": self._named(project)}
            | {"status": "open", "resolution": "", "terms": ""}
            for text, confidence, project, days in told
        ]


def _row(now: datetime, days: float) -> dict[str, Any]:
    return _shared(now, days) | {"user_id": ADA}


def _shared(now: datetime, days: float) -> dict[str, Any]:
    at = now - timedelta(days=days)
    return {"uid": new_id(), "client": CLIENT, "created_at": at, "updated_at": at, "caution": ""}


def engineers() -> list[Engineer]:
    """All of them, in the order of their files."""
    return [
        Engineer(path.stem, tomllib.loads(path.read_text(encoding="utf-8"))) for path in sorted(FOLDER.glob("*.toml"))
    ]
