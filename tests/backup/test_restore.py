"""A restored store is the one of the backup; but who may use it, and what was forgotten, stay as they are."""

import shutil
from contextlib import closing
from dataclasses import replace
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import text
from sqlmodel import select

from bigmind.backup.files import backups_in, manifest_of
from bigmind.backup.restore import restore
from bigmind.core.errors import BigMindError, Code
from bigmind.core.events import Action, Change, Kind
from bigmind.core.operation import Role, TokenScope
from bigmind.memory.tables import Fact
from bigmind.people.service import NOBODY, mint_token, revoke_token
from bigmind.people.sign_in_codes import SignIn
from bigmind.people.tables import User
from bigmind.people.token_format import TokenKind
from bigmind.store.access import Access
from bigmind.store.migration import head
from bigmind.store.restore_time import was_restored_after
from bigmind.store.sqlite.driver import sound_driver
from bigmind.store.store import Store
from bigmind.store.tables import Forgotten
from tests.backup.keeping import backup, facts, folder_of, memories_of, minted, remember, restored, rows_of
from tests.memory.living import Memory, living
from tests.privacy import is_alone
from tests.store.past import OWNED, first_store
from tests.store.using import raw_connection

SINCE = "Since then."

_MUCH = """
INSERT INTO change (at, user_id, client, operation, kind, entity, action)
WITH RECURSIVE number(each) AS (SELECT 1 UNION ALL SELECT each + 1 FROM number WHERE each < 20001)
SELECT :at, :user, 'tester', 'test', 'chunk', each, 'created' FROM number
"""

ROOT = Path(Path.cwd().anchor).as_posix()
"""Where a whole path begins here."""


def go_on(memory: Memory) -> None:
    """Change something of every kind."""
    memory.clock.forward(days=1)
    remember(memory, "beacon")
    memory("memory_store_fact", category="decision", fact=SINCE)
    memory("memory_update_profile", role="retired", preferences="long", pinned_facts=[])


def test_everything_is_as_it_was(memory: Memory) -> None:
    before = memories_of(memory.mind.store.path)
    info = backup(memory)
    go_on(memory)
    assert memories_of(memory.mind.store.path) != before
    answer = restored(memory, info.name)
    assert memories_of(memory.mind.store.path) == before
    assert memory.mind.store.integrity() == []
    assert (answer.name, answer.taken_at, answer.vouched_for, answer.forgotten) == (info.name, info.taken_at, True, 0)
    # It is used as before: read, searched, written, and opened again.
    assert len(memory("memory_search_chunks", query="lantern", limit=100).hits) == 12
    assert memory("memory_search_chunks", query="beacon", limit=100).hits == []
    memory("memory_store_fact", category="decision", fact="After it.")
    assert facts(memory) == {"The lantern burns oil.", "After it."}


def test_that_it_was_restored_is_known_however_much_was_changed_since(memory: Memory) -> None:
    def is_known(hours: int) -> bool:
        with memory.mind.store.read(memory.caller, "test") as work:
            return was_restored_after(work, work.now - timedelta(hours=hours))

    info = backup(memory)
    assert not is_known(1)
    restored(memory, info.name)
    memory.clock.forward(hours=2)
    with memory.mind.store.write(memory.caller, "test") as work:
        work.session.connection().execute(text(_MUCH), {"at": work.now, "user": memory.caller.user_id})
    assert (is_known(1), is_known(3)) == (False, True)
    info = backup(memory)
    restored(memory, info.name)
    assert is_known(1), "the time of the last one is known"


def test_a_restored_store_is_there_after_the_next_start(home: Path) -> None:
    with living(home) as memory:
        remember(memory)
        info = backup(memory)
        go_on(memory)
        restored(memory.as_person(), info.name)
    with living(home) as memory:
        assert facts(memory) == {"The lantern burns oil."}
        assert memory.mind.store.integrity() == []
    with closing(raw_connection(home)) as raw:
        assert raw.execute("PRAGMA journal_mode").fetchone() == ("wal",)


def test_what_was_replaced_is_kept_aside_and_can_be_restored_in_turn(memory: Memory) -> None:
    info = backup(memory)
    go_on(memory)
    replaced = memories_of(memory.mind.store.path)
    aside = Path(restored(memory, info.name).kept_aside)
    assert "before-restore" in aside.name
    assert memories_of(aside) == replaced
    restored(memory, aside.name)
    assert memories_of(memory.mind.store.path) == replaced


def test_readers_keep_what_they_read_and_see_the_restored_store_next(memory: Memory) -> None:
    info = backup(memory)
    go_on(memory)
    store = memory.mind.store
    with store.read(memory.caller, "test") as work:
        before = set(work.session.exec(select(Fact.text)))
        restored(memory, info.name)
        assert set(work.session.exec(select(Fact.text))) == before
    assert SINCE in before
    assert SINCE not in facts(memory)


def test_what_was_forgotten_since_does_not_come_back(memory: Memory, home: Path) -> None:
    info = backup(memory)
    with memory.mind.store.write(memory.caller, "test") as work:
        fact = work.session.exec(select(Fact)).one()
        session = memory("memory_list_sessions").sessions[0]
        for uid, kind in ((fact.uid, "fact"), (session.session_id, "session")):
            work.session.add(Forgotten(uid=uid, kind=kind, at=memory.clock()))
    answer = restored(memory, info.name)
    assert answer.forgotten == 2
    assert "forgotten for good" in answer.as_text()
    assert facts(memory) == set()
    rows = rows_of(memory.mind.store.path)
    for gone in ("session", "session_topic", "session_summary", "chunk", "fact", "fact_event", "chunk_fts_docsize"):
        assert rows[gone] == [], gone
    assert {row[0] for row in rows["forgotten"]} == {fact.uid, session.session_id}
    assert memory.mind.store.integrity() == []
    assert memory("memory_search_chunks", query="lantern").hits == []
    with closing(raw_connection(home)) as raw:
        raw.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    for file in home.glob("bigmind.db*"):
        assert b"lighthouse keeper counts" not in file.read_bytes()


def test_tombstones_of_the_backup_are_kept(memory: Memory) -> None:
    memory.insert(Forgotten(uid="of-the-backup", kind="fact", at=memory.clock()))
    info = backup(memory)
    with memory.mind.store.write(memory.caller, "test") as work:
        work.session.delete(work.session.get_one(Forgotten, "of-the-backup"))
    memory.insert(Forgotten(uid="since", kind="fact", at=memory.clock()))
    restored(memory, info.name)
    assert {row[0] for row in rows_of(memory.mind.store.path)["forgotten"]} == {"of-the-backup", "since"}


@pytest.mark.parametrize(("later", "profiles"), [(-1, 1), (0, 0), (1, 0)])
def test_a_forgotten_profile_stays_so_and_one_written_after_it_comes_back(
    memory: Memory, later: int, profiles: int
) -> None:
    info = backup(memory)
    with memory.mind.store.read(NOBODY, "test") as work:
        uid = work.session.exec(select(User.uid)).one()
    memory.clock.forward(days=later)
    memory.insert(Forgotten(uid=uid, kind="profile", at=memory.clock()))
    memory.clock.forward(days=3)
    restored(memory, info.name)
    assert len(rows_of(memory.mind.store.path)["profile"]) == profiles


def test_a_token_keeps_its_scope(memory: Memory) -> None:
    scope = TokenScope(("brain",), read_only=True)
    with memory.mind.store.write(memory.caller, "test") as work:
        secret = mint_token(work, memory.caller.user_id, "limited", TokenKind.CLIENT, scope=scope).secret
    restored(memory, backup(memory).name)
    found = memory.mind.authenticator.principal(secret)
    assert found is not None
    assert found.caller.scope == scope


def test_tokens_are_those_of_now(memory: Memory) -> None:
    principal = memory.mind.authenticator.principal
    stays = minted(memory, "stays")
    ends = minted(memory, "ends")
    assert principal(ends[1]) is not None
    info = backup(memory)
    with memory.mind.store.write(memory.caller, "test") as work:
        revoke_token(work, ends[0])
    new = minted(memory, "new")
    before = rows_of(memory.mind.store.path)["token"]
    restored(memory, info.name)
    assert rows_of(memory.mind.store.path)["token"] == before
    assert principal(ends[1]) is None, "a revoked token is not revived"
    assert [principal(secret).caller.client for _, secret in (stays, new)] == ["stays", "new"]


def test_roles_are_those_of_now_and_users_made_since_stay(memory: Memory) -> None:
    memory.of("bob", Role.ADMIN)
    info = backup(memory)
    memory.of("bob", Role.MEMBER)
    carol = memory.of("carol")
    carol("memory_store_fact", category="decision", fact="Carol's.")
    restored(memory, info.name)
    with memory.mind.store.read(NOBODY, "test") as work:
        users = {user.username: (user.id, user.role) for user in work.session.exec(select(User))}
    assert users == {"ada": (1, "admin"), "bob": (2, "member"), "carol": (carol.caller.user_id, "member")}
    assert facts(carol) == set()
    carol("memory_store_fact", category="decision", fact="Carol's again.")
    assert facts(carol) == {"Carol's again."}
    assert "Carol's again." not in facts(memory)


def test_answers_kept_for_retries_are_gone(memory: Memory) -> None:
    operation = memory.mind.dispatcher.catalogue.get("memory_store_fact")
    caller = replace(memory.caller, token_id=1)
    given = {"category": "decision", "fact": "Once."}
    memory.mind.dispatcher.run(operation, caller, given, "a-key")
    info = backup(memory)
    assert rows_of(folder_of(memory) / info.name)["receipt"]
    restored(memory, info.name)
    assert rows_of(memory.mind.store.path)["receipt"] == []


def test_changes_are_numbered_on_and_the_restore_is_one_of_them(memory: Memory) -> None:
    info = backup(memory)
    go_on(memory)
    heard: list[Change] = []
    memory.mind.store.events.subscribe(heard.append)
    before = rows_of(memory.mind.store.path)["change"]
    restored(memory, info.name)
    after = rows_of(memory.mind.store.path)["change"]
    assert [row for row in after if row in before] == before, "the audit log of what happened since stays"
    [noted] = [row for row in after if row not in before]
    assert noted[0] == max(row[0] for row in before) + 1
    assert noted[4:6] == ("backup_restore", "store")
    assert [(each.user_id, each.kind, each.action) for each in heard] == [(1, Kind.STORE, Action.RESTORED)]
    assert heard[0].number == noted[0]
    memory("memory_store_fact", category="decision", fact="After it.")
    assert heard[-1].number > noted[0]


def test_an_older_backup_is_brought_up_to_date(memory: Memory, tmp_path: Path) -> None:
    old = tmp_path / "old"
    promises = first_store(old)
    path = tmp_path / "bigmind-20250101-000000-manual.db"
    shutil.copy(old / "bigmind.db", path)
    answer = restored(memory, str(path))
    assert not answer.vouched_for
    assert "no manifest" in answer.as_text()
    assert facts(memory) == {*promises.made["fact"], *(text for _, _, text in OWNED)}
    assert rows_of(memory.mind.store.path)["alembic_version"] == [(head(),)]
    assert memory.mind.store.integrity() == []
    assert path.read_bytes() == (old / "bigmind.db").read_bytes()


@pytest.mark.parametrize(
    ("spoil", "code"),
    [
        pytest.param("UPDATE alembic_version SET version_num = '9999'", Code.STORE_UNUSABLE, id="newer"),
        pytest.param("DROP TABLE alembic_version", Code.CONFLICT, id="of another program"),
        pytest.param(
            "CREATE TRIGGER evil AFTER INSERT ON fact BEGIN DELETE FROM chunk; END", Code.CONFLICT, id="a trigger more"
        ),
        pytest.param("CREATE VIEW evil AS SELECT * FROM token", Code.CONFLICT, id="a view more"),
        pytest.param("CREATE TABLE evil (x)", Code.CONFLICT, id="a table more"),
        pytest.param("DROP INDEX ix_chunk_user", Code.CONFLICT, id="an index less"),
        pytest.param("DROP TRIGGER chunk_fts_insert", Code.CONFLICT, id="a trigger less"),
        pytest.param("PRAGMA foreign_keys=OFF; UPDATE chunk SET session_id = 99", Code.CONFLICT, id="dangling rows"),
    ],
)
def test_a_file_that_is_not_ours_to_the_letter_is_refused(
    memory: Memory, tmp_path: Path, spoil: str, code: Code
) -> None:
    path = tmp_path / "given.db"
    shutil.copy(folder_of(memory) / backup(memory).name, path)
    with closing(raw_connection_to(path)) as raw:
        raw.executescript(spoil)
    before = rows_of(memory.mind.store.path)
    assert memory.refuses("backup_restore", backup=str(path)).code is code
    assert rows_of(memory.mind.store.path) == before
    assert list((memory.mind.store.home / "scratch").iterdir()) == []


def raw_connection_to(path: Path) -> Any:
    return sound_driver().connect(str(path), isolation_level=None)


def test_a_file_with_other_pages_is_restored(memory: Memory, tmp_path: Path) -> None:
    path = tmp_path / "given.db"
    before = memories_of(memory.mind.store.path)
    shutil.copy(folder_of(memory) / backup(memory).name, path)
    with closing(raw_connection_to(path)) as raw:
        raw.executescript("PRAGMA page_size=8192; VACUUM")
    go_on(memory)
    restored(memory, str(path))
    assert memories_of(memory.mind.store.path) == before
    assert memory.mind.store.integrity() == []


@pytest.mark.parametrize(
    ("given", "code"),
    [
        ("bigmind-20200101-000000-manual.db", Code.NOT_FOUND),
        (f"{ROOT}nowhere/at/all.db", Code.NOT_FOUND),
        ("../bigmind.db", Code.INVALID_INPUT),
        ("backups/bigmind-20260301-120000-manual.db", Code.INVALID_INPUT),
        ("..", Code.NOT_FOUND),
        (ROOT, Code.NOT_FOUND),
    ],
)
def test_what_is_no_backup_is_not_found(memory: Memory, given: str, code: Code) -> None:
    assert memory.refuses("backup_restore", backup=given).code is code


def test_a_damaged_store_is_kept_aside_as_it_is_and_replaced(home: Path) -> None:
    with living(home) as memory:
        remember(memory)
        before = memories_of(memory.mind.store.path)
        info = backup(memory)
    with closing(raw_connection(home)) as raw:
        [page] = raw.execute("SELECT rootpage FROM sqlite_master WHERE name = 'chunk'").fetchone()
        [size] = raw.execute("PRAGMA page_size").fetchone()
    with (home / "bigmind.db").open("r+b") as file:
        file.seek((page - 1) * size + 8)
        file.write(b"\xff" * 64)
    with living(home) as memory:
        assert memory.mind.store.integrity()
        aside = Path(restored(memory.as_person(), info.name).kept_aside)
        assert aside.parent == home / "damaged"
        assert is_alone(aside)
        assert memory.mind.store.integrity() == []
        assert memories_of(memory.mind.store.path) == before


def test_browsers_stay_signed_in_and_a_code_that_was_given_works(memory: Memory) -> None:
    sign_in = SignIn(memory.mind.store, memory.clock)
    info = backup(memory)
    browser = sign_in.redeem(sign_in.new_code(memory.caller))
    code = sign_in.new_code(memory.caller)
    restored(memory, info.name)
    late = sign_in.redeem(code)
    for each in (browser, late):
        assert each is not None
        assert memory.mind.authenticator.principal(each.secret) is not None


def test_a_disk_without_room_refuses_and_changes_nothing(memory: Memory, monkeypatch: pytest.MonkeyPatch) -> None:
    info = backup(memory)
    go_on(memory)
    before = rows_of(memory.mind.store.path)
    monkeypatch.setattr(shutil, "disk_usage", lambda _: shutil._ntuple_diskusage(10**9, 10**9, 1_000))
    refusal = memory.refuses("backup_restore", backup=info.name)
    assert (refusal.code, refusal.hint) == (Code.STORAGE_FULL, "Make room there. Nothing was changed.")
    assert rows_of(memory.mind.store.path) == before


def test_a_log_that_cannot_take_the_pages_leaves_the_old_store(memory: Memory) -> None:
    """SQLite is told that the file may not grow: what a full disk says when the pages are taken over."""
    go_on(memory)
    large = backup(memory)
    small_home = memory.mind.store.home.with_name("small")
    with living(small_home) as small:
        with small.mind.store.alone() as writer:
            [pages] = writer.execute("PRAGMA page_count").fetchone()
            writer.execute(f"PRAGMA max_page_count={pages}")
        small("memory_store_fact", category="decision", fact="Small.")
        before = rows_of(small.mind.store.path)
        access = Access(small.mind.store, small.as_person().caller, "backup_restore")
        with pytest.raises(BigMindError) as refusal:
            restore(access, folder_of(memory) / large.name, [])
        assert refusal.value.code in {Code.UNAVAILABLE, Code.STORAGE_FULL}
        assert rows_of(small.mind.store.path) == before
        assert small.mind.store.integrity() == []
        small("memory_store_fact", category="decision", fact="Still writes.")
        # What was kept aside is a backup like any other.
        assert [each.problem for each in backups_in(folder_of(small))] == [""]
    assert manifest_of(folder_of(memory) / large.name).exists()
    Store(small_home).close()
