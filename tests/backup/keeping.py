"""What tests of backups share: a memory with something of every kind, and looks into its files."""

from contextlib import closing
from pathlib import Path
from typing import Any

from bigmind.backup.files import BackupInfo, manifest_of
from bigmind.backup.service import backup_now
from bigmind.core.ids import new_id
from bigmind.memory.tables import Knowledge
from bigmind.people.service import mint_token
from bigmind.people.token_format import TokenKind
from bigmind.store.sqlite.snapshots import connected
from tests.memory.living import Memory

LONG = "The lighthouse keeper counts the ships. 🚢 שלום " * 40


def remember(memory: Memory, about: str = "lantern") -> None:
    """A session with moments, a fact with a history, a hypothesis, a profile and an entry of knowledge."""
    session = memory("memory_start_session", topics=[about, "harbour"]).session_id
    for number in range(12):
        memory("memory_flag_important", content=f"{about} {number} {LONG}", flag_reason="a reason", session_id=session)
    memory("memory_store_fact", category="decision", fact=f"The {about} burns oil.")
    memory("memory_add_hypothesis", hypothesis=f"I believe the {about} lasts because it did.")
    memory("memory_update_profile", role="keeper", preferences="short", pinned_facts=[f"Has a {about}."])
    memory(
        "memory_end_session",
        session_id=session,
        one_liner=f"Lit the {about}",
        topics=[about],
        outcome="It burns.",
        summary=f"{about} summary",
        key_facts=["oil"],
        code_refs=["lamp.py"],
    )
    now = memory.clock()
    memory.insert(
        Knowledge(
            uid=new_id(),
            promoted_by_id=memory.caller.user_id,
            client="tester",
            category="pattern",
            title=f"{about} rules",
            content="Trim the wick.",
            status="approved",
            terms=about,
            created_at=now,
            updated_at=now,
        )
    )


def facts(memory: Memory) -> set[str]:
    return {row.fact for row in memory("memory_list_facts", limit=100).facts}


def backup(memory: Memory, reason: str = "manual") -> BackupInfo:
    return backup_now(memory.mind.store, reason)


def restored(memory: Memory, name: str, **more: Any) -> Any:
    return memory("backup_restore", backup=name, **more)


def minted(memory: Memory, client: str) -> tuple[str, str]:
    """A new token's id and secret."""
    with memory.mind.store.write(memory.caller, "test") as work:
        token = mint_token(work, memory.caller.user_id, client, TokenKind.CLIENT)
    return token.row.uid, token.secret


def folder_of(memory: Memory) -> Path:
    return memory.mind.store.safekeeping.folder


def rows_of(database: Path) -> dict[str, list[tuple[Any, ...]]]:
    """Every row of every table of a database file, also of the hidden ones of the full-text indexes."""
    with closing(connected(database, read_only=True)) as connection:
        names = [
            name
            for (name,) in connection.execute(
                "SELECT name FROM pragma_table_list WHERE schema = 'main' AND type IN ('table', 'shadow')"
            ).fetchall()
        ]
        return {name: sorted(connection.execute(f'SELECT * FROM "{name}"').fetchall(), key=repr) for name in names}


def memories_of(database: Path) -> dict[str, list[tuple[Any, ...]]]:
    """The rows that are somebody's memory."""
    own = {"profile", "session", "session_topic", "session_summary", "chunk", "fact", "fact_event", "hypothesis"}
    return {name: rows for name, rows in rows_of(database).items() if name in {*own, "knowledge"}}


def names_in(folder: Path) -> set[str]:
    return {each.name for each in folder.iterdir()}


def whole(folder: Path, *infos: BackupInfo) -> set[str]:
    """The names of these backups and their manifests."""
    return {name for info in infos for name in (info.name, manifest_of(folder / info.name).name)}
