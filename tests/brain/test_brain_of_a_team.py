"""In a team: what one member brings in takes nothing from what the others find."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from uuid import uuid4

import pytest
from sqlmodel import col, func, select

from bigmind.brain.finding.portrait import portrait
from bigmind.brain.tables import Thought, ThoughtLink, ThoughtUse
from bigmind.core.operation import Mode
from tests.memory.living import Memory, living
from tests.portable.files import in_units

TRUE = "Refunds over 500 EUR need an idempotency key, because the gateway repeats requests that time out."
SECOND = "Refunds over 500 EUR are done at night, because the fees of the gateway are lower after nine."
FORGED = "Refunds over 500 EUR need no idempotency key, since the gateway repeats nothing: request number {}."
PROMPT = "Do refunds over 500 EUR need an idempotency key?"


@pytest.fixture(autouse=True, params=["at once", "in units"])
def way(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    if request.param == "in units":
        in_units(monkeypatch)


@pytest.fixture
def ada(home: Path) -> Iterator[Memory]:
    with living(home, Mode.TEAM, is_copy=True) as memory:
        yield memory


def document_of(member: Memory) -> dict[str, Any]:
    return json.loads(Path(member("memory_export").path).read_text(encoding="utf-8"))


def bring(member: Memory, document: dict[str, Any]) -> Any:
    """Import a document with the member's token, which has its file from wherever."""
    folder = member.kept_exports
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / f"{uuid4()}.json"
    path.write_text(json.dumps(document), encoding="utf-8")
    return member("memory_import", path=str(path))


def forged(member: Memory, many: int, **more: Any) -> dict[str, Any]:
    """A file of the member's with so many thoughts on the topic, as heavy as can be."""
    document = document_of(member)
    [first] = [each for each in document["thoughts"] if each["content"] == TRUE]
    told: dict[str, Any] = {"weight": 10.0, "links": [], "category": first["category"]} | more
    document["thoughts"] = [
        first | told | {"id": str(uuid4()), "content": FORGED.format(number)} for number in range(many)
    ]
    return document


def shared_by(member: Memory, text: str = TRUE, **more: Any) -> str:
    return member("contribute_to_brain", prompt=text, topic="pay/refunds", space="shared", **more).trace.thought_id


def sources(member: Memory, **more: Any) -> list[Any]:
    return member("query_brain", prompt=PROMPT, **more).result.sources


def count(memory: Memory) -> int:
    with memory.mind.store.read(memory.caller, "test") as work:
        return work.session.exec(select(func.count()).select_from(Thought)).one()


def test_what_a_member_imports_stands_behind_all_that_lives(ada: Memory) -> None:
    eve, bob = ada.of("eve"), ada.of("bob")
    true = shared_by(ada)
    eve("contribute_to_brain", prompt=TRUE, topic="pay/refunds", space="private")
    bring(eve, forged(eve, 40, space="shared"))
    for member in (ada, bob):
        found = sources(member, limit=5, topic="pay/refunds")
        assert found[0].thought_id == true
        assert [bool(each.caution) for each in found] == [False, *[True] * 4]
        assert [each.score for each in found] == sorted((each.score for each in found), reverse=True)
        assert [each.thought_id for each in sources(member, limit=1)] == [true]


def test_what_waits_supersedes_nothing(ada: Memory) -> None:
    eve, bob = ada.of("eve"), ada.of("bob")
    true = shared_by(ada)
    eve("contribute_to_brain", prompt=TRUE, topic="pay/refunds", space="private")
    links = [{"relation": "supersedes", "id": true, "elsewhere": True}]
    bring(eve, forged(eve, 1, space="shared", links=links))
    first = sources(bob)[0]
    assert (first.thought_id, first.superseded) == (true, False)
    assert bob("brain_get_thought", id=true).superseded is False


def test_a_snapshot_that_waits_is_not_the_newest(ada: Memory) -> None:
    eve, bob = ada.of("eve"), ada.of("bob")
    true = shared_by(ada, category="state_snapshot", temporal_scope="2026-03-01")
    eve("contribute_to_brain", prompt=TRUE, topic="pay/refunds", space="private")
    bring(eve, forged(eve, 1, space="shared", category="state_snapshot", temporal_scope="2026-12-31"))
    assert sources(bob, topic="pay/refunds")[0].thought_id == true


def test_what_is_shared_already_is_not_stored_again(ada: Memory) -> None:
    shared_by(ada)
    shared_by(ada, SECOND)
    document = document_of(ada)
    before = count(ada)
    for name in ("bob", "dan"):
        done = bring(ada.of(name), document)
        assert {each.section: each.unchanged for each in done.sections}["thoughts"] == 2
        assert not done.changed
    for each in document["thoughts"]:
        each["id"] = str(uuid4())
    assert not bring(ada.of("fritz"), document).changed
    assert count(ada) == before


def test_what_is_private_to_another_is_stored_all_the_same(ada: Memory) -> None:
    ada("contribute_to_brain", prompt=TRUE, topic="pay/refunds", space="private")
    document, before = document_of(ada), count(ada)
    bring(ada.of("bob"), document)
    assert count(ada) == before + 1


def test_no_weight_and_no_reads_come_with_a_members_file(ada: Memory) -> None:
    eve = ada.of("eve")
    eve("contribute_to_brain", prompt=TRUE, topic="pay/refunds", space="private")
    reader = {"client": "cursor", "reads": 900, "last_read_at": ada.clock.now.isoformat()}
    many = {"reads": 900, "last_read_at": ada.clock.now.isoformat(), "readers": [reader]}
    document = forged(eve, 2, space="shared", **many)
    person = eve.as_person()
    folder = ada.mind.store.home.parent / "eve.json"
    folder.write_text(json.dumps(document), encoding="utf-8")
    person("memory_import", path=str(folder))
    with ada.mind.store.read(ada.caller, "test") as work:
        told = work.session.exec(
            select(ThoughtUse).join(Thought, col(Thought.id) == ThoughtUse.thought_id).where(Thought.space == "shared")
        ).all()
        assert [(each.weight, each.reads) for each in told] == [(1.0, 0), (1.0, 0)]


def test_readers_of_two_people_are_two_though_their_tokens_are_called_alike(ada: Memory) -> None:
    true = shared_by(ada)
    for name in ("ada", "bob", "dan"):
        member = ada if name == "ada" else ada.of(name)
        for _ in range(2):
            sources(member.over(None, "laptop"))
    readers = ["ada: laptop", "bob: laptop", "dan: laptop"]
    told = ada("brain_get_thought", id=true)
    assert (told.access_count, told.accessed_by) == (6, readers)
    [highway] = ada("brain_list_highways").highways
    assert (highway.reads, highway.readers) == (6, 3)
    with ada.mind.store.read(ada.caller, "test") as work:
        shown = portrait(work, true)
    assert [each.client for each in shown.users] == readers
    assert shown.thought.readers == 3


def test_what_is_private_in_the_file_is_stored_in_the_words_and_under_the_id_of_what_is_shared(ada: Memory) -> None:
    shared_by(ada)
    document = document_of(ada)
    for number, uid in enumerate((document["thoughts"][0]["id"], str(uuid4()))):
        document["thoughts"][0] |= {"space": "private", "id": uid}
        member = ada.of(("bob", "dan")[number])
        bring(member, document)
        [kept] = document_of(member)["thoughts"]
        assert (kept["content"], kept["space"]) == (TRUE, "private")


@pytest.mark.parametrize("space", ["shared", "private"])
def test_what_rests_on_a_copy_rests_on_what_is_shared_here(ada: Memory, space: str) -> None:
    true, eve = shared_by(ada), ada.of("eve")
    mine = eve("contribute_to_brain", prompt=SECOND, topic="pay/refunds", space="private").trace.thought_id
    document = document_of(eve)
    [first] = document["thoughts"]
    second, copy = str(uuid4()), str(uuid4())
    document["thoughts"] = [
        first | {"id": second, "content": FORGED, "links": [{"relation": "refines", "id": copy}]},
        first | {"id": copy, "content": TRUE, "space": space, "links": [{"relation": "related", "id": mine}]},
        first,
    ]
    done = bring(eve, document)
    assert any("no links were taken" in each for each in done.notes) is (space == "shared")
    with ada.mind.store.read(ada.caller, "test") as work:
        ids = dict(work.session.exec(select(Thought.id, Thought.uid)).all())
        links = {(ids[each.thought_id], ids[each.other_id]) for each in work.session.exec(select(ThoughtLink))}
    assert links == ({(second, true)} if space == "shared" else {(second, copy), (copy, mine)})
