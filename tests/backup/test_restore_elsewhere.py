"""A backup of another machine: its key, its users and its tokens are not this one's."""

import os
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import text
from sqlmodel import select

from bigmind.core.errors import Code
from bigmind.people.service import NOBODY, ensure_user
from bigmind.people.tables import Token, User
from tests.backup.keeping import backup, facts, memories_of, minted, remember, restored, rows_of
from tests.memory.living import Memory, living


def another_machine(tmp_path: Path, key: bool) -> tuple[Path, str | None, dict[str, Any]]:
    """A backup that another machine wrote to a drive, its recovery key, and what was in it."""
    with living(tmp_path / "other-home") as other:
        person = other.as_person()
        recovery = person("backup_encrypt").recovery_key if key else None
        remember(person, "anchor")
        drive = tmp_path / "drive"
        person.mind.store.safekeeping.folder = drive
        path = drive / backup(person).name
        return path, recovery, without_tokens(person)


def without_tokens(memory: Memory) -> dict[str, Any]:
    """The memories, but for the tokens that sessions came by: they are of one machine."""
    rows = memories_of(memory.mind.store.path)
    return {**rows, "session": [(*row[:6], *row[7:]) for row in rows["session"]]}


def test_another_machine_needs_the_recovery_key(memory: Memory, tmp_path: Path) -> None:
    path, key, before = another_machine(tmp_path, key=True)
    assert b"anchor" not in path.read_bytes()
    assert b"SQLite" not in path.read_bytes()
    for more in ({}, {"recovery_key": "AGE-SECRET-KEY-1ZA0SNZ05SLUC0T3N4EAJ5WTRKRJ7X32ND5TZQUS5L5UKJSJ9A07SJ35N3F"}):
        refusal = memory.refuses("backup_restore", backup=str(path), **more)
        assert refusal.code is Code.CONFLICT
        assert "recovery key" in refusal.hint
    wrong = memory.refuses("backup_restore", backup=str(path), recovery_key="AGE-SECRET-KEY-1WRONG")
    assert wrong.code is Code.INVALID_INPUT
    assert "WRONG" not in str(wrong)
    assert restored(memory, str(path), recovery_key=key).vouched_for
    assert without_tokens(memory) == before


def test_the_recovery_key_can_stand_in_a_file(memory: Memory, tmp_path: Path) -> None:
    path, key, before = another_machine(tmp_path, key=True)
    file = tmp_path / "key.txt"
    file.write_text(f"# kept in the safe\n\n{key}\n")
    restored(memory, str(path), recovery_key_file=str(file))
    assert without_tokens(memory) == before
    for given in (str(tmp_path / "nothing"), str(tmp_path), "key.txt"):
        refusal = memory.refuses("backup_restore", backup=str(path), recovery_key_file=given)
        assert refusal.code is Code.INVALID_INPUT


@pytest.mark.parametrize("encoding", ["utf-8-sig", "utf-16"], ids=["notepad", "powershell 5"])
def test_a_file_of_the_recovery_key_is_read_as_windows_programs_write_it(
    memory: Memory, tmp_path: Path, encoding: str
) -> None:
    path, key, before = another_machine(tmp_path, key=True)
    file = tmp_path / "key.txt"
    file.write_bytes(f"{key}\r\n".encode(encoding))
    restored(memory, str(path), recovery_key_file=str(file))
    assert without_tokens(memory) == before


def test_a_home_whose_path_begins_as_that_of_a_share_is_restored(home: Path) -> None:
    r"""`\\?\C:\…` on Windows, which reads more of it so; `//…` elsewhere, which means what `/…` does."""
    beginning = "\\\\?\\" if os.name == "nt" else "/"
    with living(Path(f"{beginning}{home.absolute()}")) as memory:
        person = memory.as_person()
        remember(person)
        info = backup(person)
        person("memory_store_fact", category="decision", fact="Since then.")
        restored(person, info.name)
        assert facts(person) == {"The lantern burns oil."}


def test_on_another_machine_the_only_user_is_the_only_user(home: Path, tmp_path: Path) -> None:
    path, _, _ = another_machine(tmp_path, key=False)
    with living(home) as memory, memory.mind.store.write(NOBODY, "test") as work:
        user = work.session.exec(select(User)).one()
        user.username = "somebody"
        work.session.add(user)
    with living(home) as ada:  # who opens it under her own name is a second user
        secret = minted(ada, "editor")[1]
        restored(ada.as_person(), str(path))
        assert ada.mind.authenticator.principal(secret) is not None
        with ada.mind.store.read(NOBODY, "test") as work:
            names = {user.username: user.id for user in work.session.exec(select(User))}
        assert set(names) == {"ada", "somebody"}


def test_users_of_another_store_get_the_numbers_of_their_namesakes(home: Path, tmp_path: Path) -> None:
    """There bob is the first and ada the second; here it is the other way round, and there is carol besides."""
    drive = tmp_path / "drive"
    with living(tmp_path / "other-home") as other:
        with other.mind.store.write(NOBODY, "test") as work:
            first = work.session.exec(select(User)).one()
            first.username = "bob"
            work.session.add(first)
            ensure_user(work, "ada")
            ensure_user(work, "dora")
        other("memory_store_fact", category="decision", fact="Bob's from there.")
        other.of("ada")("memory_store_fact", category="decision", fact="Ada's from there.")
        other.of("dora")("memory_store_fact", category="decision", fact="Dora's from there.")
        for name in ("bob", "ada"):
            other.of(name)("memory_update_profile", role=f"The baker {name}")
        embed_facts(other)
        other.mind.store.safekeeping.folder = drive
        path = drive / backup(other).name
    with living(home) as memory:
        bob, carol = memory.of("bob"), memory.of("carol")
        secret = minted(bob, "bobs-editor")[1]
        restored(memory.as_person(), str(path))
        assert facts(memory) == {"Ada's from there."}
        assert facts(bob) == {"Bob's from there."}
        assert facts(carol) == set()
        dora = memory.of("dora")
        assert dora.caller.user_id not in {memory.caller.user_id, bob.caller.user_id, carol.caller.user_id}
        assert facts(dora) == {"Dora's from there."}
        assert (bakers(memory), bakers(bob), bakers(dora)) == (["The **baker** ada"], ["The **baker** bob"], [])
        principal = memory.mind.authenticator.principal(secret)
        assert principal is not None
        assert principal.caller.username == "bob"
        assert_vectors_fit(memory)
        assert memory.mind.store.integrity() == []


def bakers(memory: Memory) -> list[str]:
    """What a user finds of their profile."""
    return [each.excerpt for each in memory("memory_semantic_search", query="baker", kinds=["profile"]).hits]


def embed_facts(memory: Memory) -> None:
    """Give every fact but the last a vector, and every profile, as the indexer does."""
    with memory.mind.store.write(NOBODY, "test") as work:
        work.session.execute(
            text("""
            INSERT INTO embedding (kind, item, piece, start, stop, owner, project, at, model, signs, vector)
            SELECT 'fact', id, 0, 0, 1, user_id, '', created_at, 'test', x'00', CAST(text AS BLOB)
            FROM fact WHERE id < 3
            UNION ALL SELECT 'profile', id, 0, 0, 1, user_id, '', updated_at, 'test', x'00', CAST(role AS BLOB)
            FROM profile
            """)
        )
        work.session.execute(text("DELETE FROM embedding_queue WHERE kind = 'fact' AND item < 3"))
        work.session.execute(text("DELETE FROM embedding_queue WHERE kind = 'profile'"))


def assert_vectors_fit(memory: Memory) -> None:
    """Each is of the fact that it was made of, and of whom that fact is; what waited waits."""
    with memory.mind.store.read(NOBODY, "test") as work:
        of_facts = "SELECT count(*) FROM {table} AS derived JOIN fact ON fact.id = item AND fact.user_id = owner"
        vectors = of_facts.format(table="embedding") + " WHERE derived.kind = 'fact' AND vector = CAST(text AS BLOB)"
        waiting = of_facts.format(table="embedding_queue") + " WHERE derived.kind = 'fact'"
        assert work.session.execute(text(vectors)).scalar_one() == 2
        assert work.session.execute(text(waiting)).scalar_one() == 1
        # Of a profile the key is its user's: under another number it gets new ones.
        profiles = "SELECT item, owner FROM embedding_queue WHERE kind = 'profile' ORDER BY item"
        users = "SELECT user_id, user_id FROM profile ORDER BY user_id"
        assert work.session.execute(text(profiles)).all() == work.session.execute(text(users)).all()
        assert work.session.execute(text("SELECT 1 FROM embedding WHERE kind = 'profile'")).first() is None


def test_sessions_of_another_store_belong_to_no_token_of_this_one(memory: Memory, tmp_path: Path) -> None:
    path, _, _ = another_machine(tmp_path, key=False)
    restored(memory, str(path))
    with memory.mind.store.read(NOBODY, "test") as work:
        tokens = {token.id for token in work.session.exec(select(Token))}
    of_sessions = [row[6] for row in rows_of(memory.mind.store.path)["session"]]
    assert of_sessions == [None]
    assert tokens


def test_a_database_that_was_copied_with_its_log_comes_back_with_what_stands_in_the_log(
    memory: Memory, tmp_path: Path
) -> None:
    """As it lies in a data folder after a crash: what was acknowledged last stands in the log alone."""
    drive = tmp_path / "drive"
    drive.mkdir()
    with living(tmp_path / "other-home") as other:
        remember(other.as_person(), "anchor")
        for ending in ("", "-wal"):
            copied = other.mind.store.path
            (drive / f"bigmind.db{ending}").write_bytes(copied.with_name(f"{copied.name}{ending}").read_bytes())
    assert b"anchor" not in (drive / "bigmind.db").read_bytes(), "the log is what holds it"
    (drive / "named").mkdir()
    (drive / "named" / "link.db").symlink_to(drive / "bigmind.db")
    person = memory.as_person()
    for path in (drive / "bigmind.db", drive / "named" / "link.db"):
        restored(person, str(path))
        assert facts(person) == {"The anchor burns oil."}
        person("memory_store_fact", category="decision", fact="Since then.")


def test_the_memory_that_is_in_use_is_no_backup_of_itself(memory: Memory) -> None:
    person = memory.as_person()
    remember(person)
    refusal = person.refuses("backup_restore", backup=str(person.mind.store.path))
    assert refusal.code is Code.CONFLICT
    assert "in use" in refusal.message
    assert facts(person) == {"The lantern burns oil."}
