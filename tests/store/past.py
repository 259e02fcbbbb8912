"""A store as an older BigMind left it, of any released schema, with rows of every kind, put there by plain SQL."""

import json
import uuid
from pathlib import Path
from typing import Any

from alembic import command
from alembic.config import Config

from bigmind.store.migration import MIGRATIONS
from bigmind.store.sqlite.engine import rebuilding, writing_engine
from tests.store.judge import Promises
from tests.store.using import raw_connection

MOMENT = "2026-03-01 12:00:00.000000"
SESSIONS = 4
OF_EACH = 12


def first_store(home: Path) -> Promises:
    """Make one of schema 0001 in `home`; returns the texts that are in it."""
    return past_store(home, "0001")


def past_store(home: Path, revision: str) -> Promises:
    """Make one of that schema in `home`; returns the texts that are in it."""
    home.mkdir(0o700, exist_ok=True)
    upgrade(home, revision)
    connection = raw_connection(home)
    connection.execute("BEGIN")
    promises = _fill(connection)
    _fill_projects(connection)
    if revision >= "0002":
        _fill_second(connection)
        _fill_contradictions(connection)
        _insert(connection, "store_property", name="derived", value="2" if revision == "0002" else "3")
    connection.execute("COMMIT")
    connection.close()
    return promises


def upgrade(home: Path, revision: str, scripts: Path = MIGRATIONS) -> None:
    """Bring the store's schema to a revision."""
    config = Config()
    config.set_main_option("script_location", str(scripts))
    engine = writing_engine(home / "bigmind.db")
    with rebuilding(engine) as connection:
        config.attributes["connection"] = connection
        command.upgrade(config, revision)
    engine.dispose()


def _insert(connection: Any, table: str, /, **values: object) -> None:
    columns, places = ", ".join(f'"{each}"' for each in values), ", ".join("?" * len(values))
    connection.execute(f'INSERT INTO "{table}" ({columns}) VALUES ({places})', tuple(values.values()))


def _uid() -> str:
    return str(uuid.uuid4())


def _fill(connection: Any) -> Promises:
    _insert(
        connection,
        "user",
        id=1,
        uid=_uid(),
        username="ada",
        display_name="Ada",
        role="admin",
        created_at=MOMENT,
        last_seen_at=MOMENT,
    )
    _insert(
        connection, "profile", user_id=1, role="engineer", preferences="tea", pinned_facts='["x"]', updated_at=MOMENT
    )
    _insert(
        connection, "token", id=1, uid=_uid(), user_id=1, client="cli", kind="cli", digest="0" * 64, created_at=MOMENT
    )
    _insert(
        connection,
        "receipt",
        token_id=1,
        key="once",
        at=MOMENT,
        operation="memory_store_fact",
        request="0" * 64,
        answer="{}",
    )
    for number in range(1, SESSIONS + 1):
        _fill_session(connection, number)
    promises = Promises()
    for number in range(OF_EACH):
        _fill_texts(connection, number, promises)
    return promises


def _fill_session(connection: Any, number: int) -> None:
    _insert(
        connection,
        "session",
        id=number,
        uid=_uid(),
        user_id=1,
        project="deck",
        client="cli",
        connection=f"old-{number}",
        token_id=1,
        started_at=MOMENT,
        ended_at=MOMENT if number > 1 else None,
        one_liner=f"session {number}",
        outcome="done",
        importance=3,
        has_detail=1,
    )
    _insert(connection, "session_topic", session_id=number, topic="cards", position=0)
    _insert(
        connection,
        "session_summary",
        session_id=number,
        summary="cards " * 2_000,
        key_facts=json.dumps(["a"]),
        code_refs="[]",
        created_at=MOMENT,
    )


def _fill_texts(connection: Any, number: int, promises: Promises) -> None:
    session = number % SESSIONS + 1
    shared = {"user_id": 1, "session_id": session, "project": "deck", "client": "cli", "created_at": MOMENT}
    kinds: dict[str, dict[str, object]] = {
        "chunk": {
            "role": "user",
            "flag_reason": "a reason",
            "terms": "",
            "seq": number,
            "content": f"past chunk {number}",
        },
        "fact": {
            "category": "decision",
            "confidence": 1.0,
            "updated_at": MOMENT,
            "deprecation_reason": "",
            "text": f"past fact {number}",
        },
        "hypothesis": {"confidence": 0.5, "status": "open", "resolution": "", "text": f"past hypothesis {number}"},
    }
    for kind, values in kinds.items():
        identifier = _uid()
        _insert(connection, kind, uid=identifier, **shared, **values)
        told = {
            "user_id": 1,
            "client": "cli",
            "operation": "old",
            "kind": kind,
            "entity": identifier,
            "action": "created",
        }
        _insert(connection, "change", at=MOMENT, **told)
        promises.made[kind].append(f"past {kind} {number}")


def _fill_second(connection: Any) -> None:
    """What schema 0002 has beside what 0001 had."""
    for number in range(1, OF_EACH + 1):
        _insert(
            connection,
            "knowledge",
            uid=_uid(),
            promoted_by_id=1,
            approved_by_id=1,
            session_id=1,
            project="deck",
            client="cli",
            category="decision",
            title=f"past title {number}",
            content=f"past entry {number}",
            importance=3,
            status="approved" if number > 1 else "pending",
            review_notes="",
            terms="",
            created_at=MOMENT,
            updated_at=MOMENT,
        )
    _insert(
        connection,
        "fact_event",
        fact_id=1,
        at=MOMENT,
        client="cli",
        action="stored",
        other_uid=None,
        reason="",
        confidence=1.0,
    )
    _insert(connection, "forgotten", uid=_uid(), kind="fact", at=MOMENT)
    connection.execute("UPDATE fact SET deprecated_at = ?, deprecation_reason = 'wrong' WHERE id = 2", (MOMENT,))
    connection.execute("UPDATE session SET updated_at = started_at")
    connection.execute("UPDATE hypothesis SET updated_at = created_at")


PAY, SHOP, OTHER_SHOP = "github.com/acme/pay", "github.com/acme/shop", "github.com/ada/shop"
OWNED = (
    ("identity", PAY, "past: is a staff engineer"),
    ("preference", "deck", "past: likes short answers"),
    ("Preference", PAY, "past: likes long names"),
    ("decision", PAY, "past: the ledger is append-only"),
    ("decision", "Pay", "past: the ledger has one writer"),
    ("codebase", SHOP, "past: the shop is React"),
    ("codebase", OTHER_SHOP, "past: that shop is Vue"),
    ("codebase", "shop", "past: some shop is Svelte"),
    ("codebase", None, "past: of no project"),
)
"""Facts and the projects they were stored under: category, project, text."""

TAKEN = (
    ("past: unit tests time out after 3 minutes", "past: integration tests time out after 9 minutes", 1.0),
    ("past: the cluster has 6 nodes", "past: the cluster has 9 nodes", 0.6),
)
"""A fact, what was held to contradict it, and how sure it should be."""


def _fill_projects(connection: Any) -> None:
    for category, project, text in OWNED:
        _fact(connection, text, category=category, project=project)


def _fill_contradictions(connection: Any) -> None:
    """Facts that lost confidence by a judge that was often wrong, as their history shows."""
    for text, against, _ in TAKEN:
        (key, _uid_of), (_, other) = _fact(connection, text, confidence=0.6), _fact(connection, against)
        for action, uid, confidence in (("stored", None, 1.0), ("contradicted", other, 0.6)):
            told = {"client": "cli", "other_uid": uid, "reason": "", "confidence": confidence}
            _insert(connection, "fact_event", fact_id=key, at=MOMENT, action=action, **told)


def _fact(connection: Any, text: str, **other: object) -> tuple[int, str]:
    uid = _uid()
    row = {"user_id": 1, "session_id": 1, "project": "deck", "client": "cli", "created_at": MOMENT}
    row |= {"category": "decision", "confidence": 1.0, "updated_at": MOMENT, "deprecation_reason": "", **other}
    _insert(connection, "fact", uid=uid, text=text, **row)
    told = {"user_id": 1, "client": "cli", "operation": "past", "kind": "fact", "entity": uid, "action": "created"}
    _insert(connection, "change", at=MOMENT, **told)
    return connection.execute("SELECT id FROM fact WHERE uid = ?", (uid,)).fetchone()[0], uid
