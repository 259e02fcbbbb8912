"""A memory that is gone or empty beside its backups is said, answered for nothing, and comes back with its tokens."""

import os
import re
from collections.abc import Callable, Iterator
from contextlib import closing
from datetime import timedelta
from pathlib import Path

import pytest

from bigmind.backup.files import Reason, manifest_of
from bigmind.backup.service import backup_now, is_due, own_id
from bigmind.core.errors import BigMindError, Code
from bigmind.core.operation import Operation
from bigmind.people.service import revoke_token
from bigmind.people.token_format import TokenKind
from bigmind.registry import KINDS as REMEMBERED
from bigmind.store.backup_keeping import MISSING
from bigmind.store.sqlite.snapshots import connected
from bigmind.wiring import catalogue, open_mind
from tests.backup.keeping import backup, facts, folder_of, memories_of, minted, remember, restored
from tests.http.good import GOOD, Owned, make_all, own_things
from tests.http.inside import Inside, server_inside
from tests.memory.living import Memory, living
from tests.thorough import spread
from ui.pages import PAGES

pytestmark = pytest.mark.xdist_group("loss")

FACT = {"category": "decision", "fact": "The lantern burns oil."}


def removed(database: Path) -> None:
    database.unlink()


def of_no_length(database: Path) -> None:
    database.write_bytes(b"")


def without_tables(database: Path) -> None:
    database.unlink()
    with closing(connected_anew(database)) as connection:
        connection.execute("VACUUM")


def begun_anew(database: Path) -> None:
    """What an earlier BigMind made of a missing one, in silence: a store like any other, with nothing in it."""
    elsewhere = database.parent.parent / "anew"
    open_mind(elsewhere, "ada").close()
    (elsewhere / database.name).replace(database)


def emptied(database: Path) -> None:
    """By a program that knows nothing of what belongs together."""
    with closing(connected(database)) as connection:
        connection.execute("PRAGMA foreign_keys=OFF")
        for table in [each.name for each in REMEMBERED]:
            connection.execute(f'DELETE FROM "{table}"')


def connected_anew(path: Path):
    path.touch()
    return connected(path)


WAYS: list[Callable[[Path], None]] = [removed, of_no_length, without_tables, begun_anew, emptied]


@pytest.fixture
def lost(home: Path, request: pytest.FixtureRequest) -> Iterator[tuple[Memory, str, Path]]:
    """Ada's memory, which is missing: with the secret of a client that was connected, and a copy of what there was."""
    way, is_encrypted = getattr(request, "param", (removed, False))
    with living(home) as alive:
        person = alive.as_person()
        remember(person)
        _, secret = minted(person, "cursor")
        if is_encrypted:
            person("backup_encrypt")
        backup(person)
        before = home.parent / "before.db"
    before.write_bytes((home / "bigmind.db").read_bytes())
    way(home / "bigmind.db")
    with living(home) as again:
        yield again.as_person(), secret, before


KINDS = [(way, encrypted) for way in WAYS for encrypted in (False, True)]


@pytest.mark.parametrize("lost", spread(KINDS, 4), indirect=True, ids=lambda each: each[0].__name__)
def test_it_is_said_and_comes_back_with_its_tokens(lost: tuple[Memory, str, Path]) -> None:
    memory, secret, before = lost
    loss = memory.mind.store.safekeeping.loss
    assert loss is not None
    assert "12 moments" in loss.in_words
    assert loss.backup in loss.remedy
    told = {each.code: each for each in memory("memory_health_check").findings}
    assert told["memory_missing"].severity == "problem"
    assert loss.backup in told["memory_missing"].remedy
    assert not is_due(memory.mind.store, timedelta(hours=1))
    answer = restored(memory, loss.backup)
    assert answer.with_tokens
    assert "valid again" in answer.as_text()
    assert memory.mind.store.safekeeping.loss is None
    assert memories_of(memory.mind.store.path)["chunk"] == memories_of(before)["chunk"]
    assert memories_of(memory.mind.store.path)["fact"] == memories_of(before)["fact"]
    principal = memory.mind.authenticator.principal(secret)
    assert principal is not None
    assert (principal.caller.client, principal.caller.user_id) == ("cursor", memory.caller.user_id)
    assert facts(memory) == {FACT["fact"]}
    # It is the store that it was: its backups are its own, and are rotated.
    [row] = [each for each in memory("backup_list").backups if each.name == loss.backup]
    assert row.own
    memory("memory_store_fact", category="decision", fact="The wick is new.")
    assert is_due(memory.mind.store, timedelta(hours=1))


def cut(database: Path) -> None:
    os.truncate(database, database.stat().st_size // 2)


def begun_by_another(database: Path) -> None:
    with database.open("r+b") as file:
        file.write(b"Dear diary, " * 10)


@pytest.mark.parametrize("spoil", [cut, begun_by_another])
def test_one_that_cannot_be_opened_names_the_backup_and_the_way_back(
    spoil: Callable[[Path], None], home: Path, tmp_path: Path
) -> None:
    with living(home) as alive:
        remember(alive.as_person())
        name = backup(alive.as_person()).name
    spoil(home / "bigmind.db")
    spoilt = (home / "bigmind.db").read_bytes()
    with pytest.raises(BigMindError, match=r"It was left as it is\.") as refusal:
        open_mind(home, "ada")
    assert f"The newest verified backup is {name}, of " in refusal.value.hint
    assert (
        f"Move {home / 'bigmind.db'} to another folder and keep it there; then run `bigmind backup restore {name}`."
        in (refusal.value.hint)
    )
    assert (home / "bigmind.db").read_bytes() == spoilt
    (home / "bigmind.db").rename(tmp_path / "kept.db")
    with living(home) as again:
        restored(again.as_person(), name)
        assert facts(again.as_person()) == {FACT["fact"]}


def test_one_that_cannot_be_opened_and_has_no_backup_says_so(home: Path, tmp_path: Path) -> None:
    database = tmp_path / "elsewhere.db"
    database.write_bytes(b"Dear diary, " * 1_000)
    with pytest.raises(BigMindError, match="not a SQLite database") as refusal:
        open_mind(home, "ada", file=database)
    assert f"There is no verified backup in {home / 'backups'}." in refusal.value.hint
    assert "BIGMIND_DB_PATH" in refusal.value.hint


def test_whoever_could_use_it_before_and_now_can(lost: tuple[Memory, str, Path]) -> None:
    """BigMind's own tokens were made anew at the start; sessions still know the token that they came by."""
    memory, secret, before = lost
    home = memory.mind.store.home
    own = [(home / "tokens" / name).read_text() for name in ("cli", "bridge")]
    _, later = minted(memory, "zed")
    restored(memory, memory.mind.store.safekeeping.loss.backup)
    for each in (*own, later, secret):
        assert memory.mind.authenticator.principal(each) is not None
    query = "SELECT session.uid, token.uid FROM session LEFT JOIN token ON token.id = session.token_id ORDER BY 1"
    with closing(connected(memory.mind.store.path)) as now, closing(connected(before)) as then:
        assert now.execute(query).fetchall() == then.execute(query).fetchall()
        assert now.execute("PRAGMA foreign_key_check").fetchall() == []


def test_while_it_is_missing_no_assistant_is_answered_and_nothing_is_written(home: Path) -> None:
    with server_inside(home) as inside:
        ids = own_things(inside, "ada")
        make_all(ids)
        backup_now(inside.mind.store, Reason.MANUAL)
        connected_client = inside.token(client="cursor")
    (home / "bigmind.db").unlink()
    with server_inside(home) as inside:
        assert inside.mind.store.safekeeping.loss is not None
        with inside.http(connected_client) as http:
            refused = http.post("/api/v1/memory_get_context", json={})
            assert (refused.status_code, refused.json()["title"]) == (503, MISSING)
        with inside.http("bm_" + "x" * 40) as http:
            assert http.post("/api/v1/memory_get_context", json={}).status_code == 401
        person, agent = inside.caller(inside.token()), inside.caller(inside.token(kind=TokenKind.CLIENT))
        before = inside.everything()
        for operation in catalogue():
            _is_refused_to_an_assistant(inside, operation, ids, agent)
            if not (operation.beside_memory or operation.mends or operation.toolset == "hooks"):
                with pytest.raises(BigMindError) as caught:
                    inside.mind.dispatcher.run(operation, person, GOOD[operation.name](ids))
                assert caught.value.code in {*DOWN, Code.IN_PERSON}, operation.name
        assert inside.everything() == before


def test_a_person_is_told_it_too_and_can_use_all_that_a_choice_needs(lost: tuple[Memory, str, Path]) -> None:
    memory, _, _ = lost
    loss = memory.mind.store.safekeeping.loss
    for name in ("memory_get_context", "memory_list_facts", "memory_get_stats", "memory_export", "brain_list_domains"):
        with pytest.raises(BigMindError) as caught:
            memory(name)
        assert (caught.value.message, caught.value.hint) == (loss.in_words, loss.remedy), name
    with pytest.raises(BigMindError, match=MISSING):
        memory("memory_semantic_search", query="lantern")
    for name in ("memory_health_check", "backup_list", "server_status", "settings_show", "clients_list", "token_list"):
        memory(name)


DOWN = {Code.UNAVAILABLE, Code.BRAIN_UNAVAILABLE}
"""The same, as what rests on the brain says it."""


def _is_refused_to_an_assistant(inside: Inside, operation: Operation, ids: Owned, agent: object) -> None:
    if operation.toolset == "hooks":  # they answer, and note nothing: what is wrong is said as a conversation starts
        answer = inside.mind.dispatcher.run(operation, agent, GOOD[operation.name](ids))
        assert operation.name != "hook_session_start" or MISSING in answer.context
        return
    with pytest.raises(BigMindError) as caught:
        inside.mind.dispatcher.run(operation, agent, GOOD[operation.name](ids))
    allowed = DOWN if not operation.people_only else {Code.FORBIDDEN, Code.IN_PERSON}
    assert caught.value.code in allowed, operation.name


NOTHING = re.compile(
    r"(?:\bNo|None) (?:\w+ )?(?:yet|does now|holds)|Nothing (?:\w+ )?(?:\w+ )?yet|Each conversation becomes",
    re.IGNORECASE,
)
"""What a page says of a memory in which nothing is stored."""


def test_the_pages_say_it_and_the_button_begins_anew(home: Path) -> None:
    with server_inside(home) as inside:
        own_things(inside, "ada")
        backup_now(inside.mind.store, Reason.MANUAL)
    (home / "bigmind.db").write_bytes(b"")
    with server_inside(home) as inside, inside.http() as browser:
        browser.get(inside.links.window(inside.caller(inside.token())))
        for path in (each.path for each in PAGES):
            shown = browser.get(path)
            assert shown.status_code == 200, path
            assert "The memory is missing" in shown.text, path
            assert path == "/portable" or not NOTHING.search(shown.text), path  # that page tells of backups alone
        assert "What this page shows is in the missing memory" in browser.get("/facts").text
        for headers in ({}, {"HX-Request": "true", "HX-Target": "found"}):
            shown = browser.get("/search", params={"q": "lantern"}, headers=headers)
            assert (shown.status_code, "Nothing can be searched now" in shown.text) == (200, True)
            assert "Nothing found" not in shown.text
        with inside.http(inside.token()) as http:
            status = http.post("/api/v1/server_status", json={}).json()
            assert MISSING in status["trouble"]
            assert "backup restore" in status["trouble"]
            assert http.post("/api/v1/backup_start_empty", json={}).json()["was_missing"]
            assert http.post("/api/v1/server_status", json={}).json()["trouble"] == ""
            http.post("/api/v1/memory_store_fact", json=FACT).raise_for_status()
        assert "The memory is missing" not in browser.get("/profile").text
    with server_inside(home) as again:
        assert again.mind.store.safekeeping.loss is None


def test_an_empty_memory_that_a_person_chose_stays_chosen(lost: tuple[Memory, str, Path]) -> None:
    memory, _, _ = lost
    assert "The backups stay" in memory("backup_start_empty").as_text()
    assert "nothing was changed" in memory("backup_start_empty").as_text()
    home = memory.mind.store.home
    memory.mind.close()
    with living(home) as again:
        assert again.mind.store.safekeeping.loss is None
        assert again.as_person()("memory_list_facts").facts == []


def test_who_restores_a_backup_without_anything_in_it_misses_nothing(home: Path) -> None:
    with living(home) as alive:
        empty = backup(alive.as_person(), "manual").name
        alive("memory_store_fact", category="decision", fact="The lantern burns oil.")
        alive.as_person()("backup_restore", backup=empty)
        assert alive("memory_list_facts").facts == []
    with living(home) as again:
        assert again.mind.store.safekeeping.loss is None
        assert again("memory_store_fact", category="decision", fact="The lantern burns gas.").fact


def test_until_a_person_chooses_each_start_says_it_again(lost: tuple[Memory, str, Path]) -> None:
    memory, _, _ = lost
    home = memory.mind.store.home
    memory.mind.close()
    for _ in range(2):
        with living(home) as again:
            assert again.mind.store.safekeeping.loss is not None


def test_what_people_emptied_themselves_is_not_missing(home: Path) -> None:
    with living(home) as alive:
        person = alive.as_person()
        stored = person("memory_store_fact", **FACT).fact
        backup(person)
        person("memory_forget", id=stored.fact_id)
        backup(person)
    with living(home) as again:
        assert again.mind.store.safekeeping.loss is None


@pytest.mark.parametrize("spoil", ["nothing", "empty", "no manifest", "cut short", "manifest changed"])
def test_backups_that_hold_nothing_to_rely_on_offer_nothing(home: Path, spoil: str) -> None:
    with living(home) as alive:
        person = alive.as_person()
        if spoil != "empty":
            remember(person)
        if spoil != "nothing":
            path = folder_of(person) / backup(person).name
    if spoil == "no manifest":
        manifest_of(path).unlink()
    elif spoil == "cut short":
        path.write_bytes(path.read_bytes()[:-1])
    elif spoil == "manifest changed":
        manifest_of(path).write_text(manifest_of(path).read_text().replace('"rows": 1', '"rows": 2'))
    (home / "bigmind.db").unlink()
    with living(home) as again:
        assert again.mind.store.safekeeping.loss is None
        again("memory_store_fact", **FACT)


def test_a_file_from_elsewhere_brings_no_tokens(lost: tuple[Memory, str, Path], tmp_path: Path) -> None:
    memory, secret, _ = lost
    name = memory.mind.store.safekeeping.loss.backup
    sent = tmp_path / name
    sent.write_bytes((folder_of(memory) / name).read_bytes())
    manifest_of(sent).write_bytes(manifest_of(folder_of(memory) / name).read_bytes())
    answer = restored(memory, str(sent))
    assert not answer.with_tokens
    assert memory.mind.authenticator.principal(secret) is None
    assert facts(memory) == {FACT["fact"]}


def test_a_revoked_token_stays_so_where_the_store_knows_it(home: Path) -> None:
    with living(home) as alive:
        person = alive.as_person()
        remember(person)
        uid, secret = minted(person, "cursor")
        backup(person)
        with person.mind.store.write(person.caller, "test") as work:
            revoke_token(work, uid)
        own = own_id(person.mind.store)
    emptied(home / "bigmind.db")
    with living(home) as again:
        restored(again.as_person(), again.mind.store.safekeeping.loss.backup)
        assert again.mind.authenticator.principal(secret) is None
        assert own_id(again.mind.store) == own


def test_the_log_of_a_database_that_was_moved_away_is_kept(home: Path) -> None:
    with living(home) as alive:
        alive("memory_store_fact", **FACT)
    log = home / "bigmind.db-wal"
    log.write_bytes(b"the last writes")
    (home / "bigmind.db").unlink()
    open_mind(home, "ada").close()
    [kept] = home.glob("bigmind.db-wal.left-*")
    assert kept.read_bytes() == b"the last writes"


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no pipes with names here")
@pytest.mark.parametrize("kind", ["folder", "pipe", "link"])
def test_what_is_no_file_is_refused_at_once_in_words(home: Path, kind: str) -> None:
    home.mkdir(mode=0o700)
    place = home / "bigmind.db"
    {"folder": place.mkdir, "pipe": lambda: os.mkfifo(place), "link": lambda: place.symlink_to("gone")}[kind]()
    with pytest.raises(BigMindError) as caught:
        open_mind(home, "ada")
    assert caught.value.code is Code.STORE_UNUSABLE
    assert ("which is not there" if kind == "link" else "is no file") in caught.value.message
    assert "offers the newest" in caught.value.hint
