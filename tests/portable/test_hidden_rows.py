"""What an import hides is nobody's to see: in exports, in backups made meanwhile, and after what went wrong."""

import json
import subprocess
import sys
from datetime import timedelta
from pathlib import Path

import pytest
from sqlmodel import col, func, select

from bigmind.backup.schedule import Schedule
from bigmind.core.events import Change
from bigmind.core.operation import Mode
from bigmind.memory.tables import Fact
from bigmind.people.service import NOBODY
from bigmind.people.tables import User
from bigmind.portable.importer import WRITTEN_AT_ONCE
from bigmind.portable.writing.finishing import finish_import
from bigmind.portable.writing.hidden_rows import HiddenRows, hide, settle
from bigmind.store.tables import IMPORTING, Embedding, EmbeddingQueue, StoreProperty
from tests.backup.keeping import backup, restored
from tests.bench.long_work import write_facts
from tests.memory.living import Memory
from tests.memory.rows import START, fact
from tests.portable.files import exported
from tests.portable.test_import_in_units import SHOWING, begin

FACTS = WRITTEN_AT_ONCE + 50
HIDDEN = 7


def hidden_in(memory: Memory, *, is_settled: bool) -> HiddenRows:
    """What an import leaves whose process ended in the middle of it."""
    hidden = hide(memory.mind.store, memory.caller.user_id)
    memory.insert(
        *(fact(START, f"A hidden fact has the number {n}.", user_id=hidden.places["ada"].under) for n in range(HIDDEN))
    )
    if is_settled:
        with memory.mind.store.write(NOBODY, "test") as work:
            settle(work, hidden)
    return hidden


def facts_of(memory: Memory) -> dict[str, int]:
    """How many facts each user has, by name."""
    with memory.mind.store.read(NOBODY, "test") as work:
        query = select(User.username, func.count(col(Fact.id))).join(Fact, col(Fact.user_id) == User.id, isouter=True)
        return dict(work.session.exec(query.group_by(col(User.username))).all())


def is_noted(memory: Memory) -> bool:
    with memory.mind.store.read(NOBODY, "test") as work:
        return work.session.get(StoreProperty, IMPORTING) is not None


@pytest.mark.parametrize("is_settled", [False, True])
def test_what_an_older_version_left_is_finished(ada: Memory, *, is_settled: bool) -> None:
    """Whose notes told neither whose rows they are by name, nor since when."""
    hidden_in(ada, is_settled=is_settled)
    with ada.mind.store.write(NOBODY, "test") as work:
        note = work.session.get_one(StoreProperty, IMPORTING)
        told = json.loads(note.value)
        note.value = json.dumps({name: told[name] for name in ("nobody", "owner", "is_settled")})
    finish_import(ada.mind.store)
    assert facts_of(ada) == {"ada": HIDDEN if is_settled else 0}
    assert not is_noted(ada)


@pytest.mark.parametrize(
    ("is_settled", "told"),
    [
        (False, "An import that was cut short was taken back; nothing of it is here."),
        (True, "An import that was cut short was finished."),
    ],
)
def test_the_log_tells_what_became_of_it(
    ada: Memory, caplog: pytest.LogCaptureFixture, *, is_settled: bool, told: str
) -> None:
    finish_import(ada.mind.store)
    assert caplog.messages == []
    hidden_in(ada, is_settled=is_settled)
    finish_import(ada.mind.store)
    assert caplog.messages == [told]


@pytest.mark.parametrize("is_settled", [False, True])
def test_a_backup_that_was_made_meanwhile_is_restored_without_anything_hidden(ada: Memory, *, is_settled: bool) -> None:
    """Though users have other keys by then, and that of nobody is somebody's."""
    hidden = hidden_in(ada, is_settled=is_settled)
    made = backup(ada)
    finish_import(ada.mind.store)
    bob = ada.of("bob")
    assert bob.caller.user_id == hidden.places["ada"].under
    bob("memory_store_fact", fact="Bob was not there yet.", category="decision")
    restored(ada, made.name)
    assert facts_of(ada) == {"ada": HIDDEN if is_settled else 0, "bob": 0}
    assert not is_noted(ada)
    assert ada.mind.store.integrity() == []


@pytest.mark.parametrize("is_settled", [False, True])
def test_the_next_import_finishes_what_could_not_be(ada: Memory, tmp_path: Path, *, is_settled: bool) -> None:
    hidden_in(ada, is_settled=is_settled)
    write_facts(tmp_path / "facts.json", FACTS)
    ada("memory_import", path=str(tmp_path / "facts.json"))
    assert facts_of(ada) == {"ada": FACTS + (HIDDEN if is_settled else 0)}
    assert not is_noted(ada)


def test_no_export_and_no_count_has_it(ada: Memory, tmp_path: Path) -> None:
    hidden_in(ada, is_settled=False)
    ada.of("bob")("memory_store_fact", fact="Bob is somebody.", category="decision")
    ada.mind.store.mode = Mode.TEAM
    document = exported(ada, tmp_path / "team.json")
    assert [each["username"] for each in document["users"]] == ["bob"]
    assert [each["text"] for each in document["facts"]] == ["Bob is somebody."]
    assert ada("memory_get_stats").facts == 0
    assert ada("memory_semantic_search", query="hidden fact number").hits == []
    assert ada("memory_list_facts").facts == []


def test_no_backup_is_made_by_itself_meanwhile(ada: Memory) -> None:
    ada("memory_store_fact", fact="Something is here.", category="decision")
    schedule = Schedule(ada.mind.store, timedelta(days=1))
    with ada.mind.store.host.activity.long("Import"):
        assert schedule.look() is None
    assert schedule.look() is not None


def test_what_was_embedded_meanwhile_is_handed_over_with_its_vectors(ada: Memory, tmp_path: Path) -> None:
    write_facts(tmp_path / "facts.json", FACTS)

    def embed(done: int, _total: int, what: str, _unit: str = "") -> None:
        if what == SHOWING and not done:
            with ada.mind.store.write(NOBODY, "test") as work:
                for each in work.session.exec(select(EmbeddingQueue).limit(FACTS // 2)).all():
                    told = {"model": "a model", "at": ada.clock(), "vector": bytes([1] * 8), "start": 0, "stop": 1}
                    work.session.add(Embedding(kind=each.kind, item=each.item, owner=each.owner, piece=0, **told))
                    work.session.delete(each)

    begin(ada, tmp_path / "facts.json", embed)
    with ada.mind.store.read(NOBODY, "test") as work:
        for table, many in ((Embedding, FACTS // 2), (EmbeddingQueue, FACTS - FACTS // 2)):
            assert work.session.exec(select(table.owner, func.count()).group_by(table.owner)).all() == [(1, many)]


def test_who_looks_when_a_kind_is_told_of_for_the_last_time_sees_all_of_it(ada: Memory, tmp_path: Path) -> None:
    """A page that looked when the import was settled saw the rows that were handed on by then."""
    write_facts(tmp_path / "facts.json", FACTS)
    seen = list[int]()

    def look(change: Change) -> None:
        if change.kind == "fact":
            seen.append(facts_of(ada)["ada"])

    ada.mind.store.events.subscribe(look)
    begin(ada, tmp_path / "facts.json", lambda *_: None)
    assert seen[-1] == FACTS
    assert len(seen) == 2


def test_a_start_loads_nothing_of_imports_where_none_was_left(tmp_path: Path) -> None:
    """Three megabytes of the server, which most starts have no use for."""
    code = (
        "import sys; from pathlib import Path; from bigmind.wiring import open_mind\n"
        "open_mind(Path(sys.argv[1]), 'ada').close(); print(*sorted(sys.modules))"
    )
    loaded = subprocess.run([sys.executable, "-c", code, tmp_path], check=True, capture_output=True, text=True).stdout
    assert "bigmind.maintenance.startup" in loaded
    assert "bigmind.portable.writing.finishing" not in loaded
