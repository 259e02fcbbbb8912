"""What was found of a record before an import was settled holds when it is written late."""

import uuid
from pathlib import Path

import pytest
from sqlmodel import select

from bigmind.core.operation import Mode
from bigmind.people.service import NOBODY
from bigmind.portable.writing.finishing import finish_import
from bigmind.work.tables import WorkItem
from tests.memory.living import living
from tests.portable.files import exported, in_person, in_units, written
from tests.portable.test_late_records import LATER, links_of, settle_alone
from tests.work.office import Office


def test_an_item_gets_the_slug_that_was_told(tmp_path: Path) -> None:
    with living(tmp_path / "source") as memory:
        office = Office(memory)
        office.task("Second walrus", slug="pay-2")
        office.task("First walrus", slug="pay", depends_on=["pay-2"])
        document = exported(memory, tmp_path / "source.json")
    document["work_items"].sort(key=lambda item: item["slug"])
    told_and_there = []
    for name in ("at once", "late"):
        with living(tmp_path / name) as memory, pytest.MonkeyPatch.context() as patched:
            if name == "late":
                in_units(patched)
            Office(memory).task("My walrus", slug="pay")
            path = written(tmp_path / "told.json", {each: document[each] for each in ("header", "work_items")})
            answer = in_person(memory)("memory_import", path=path)
            with memory.mind.store.read(NOBODY, "test") as work:
                there_now = work.session.exec(select(WorkItem.title, WorkItem.slug).order_by(WorkItem.title)).all()
            told_and_there.append((answer.notes, there_now))
    assert told_and_there[0] == told_and_there[1]


def test_finished_by_the_next_start_a_thought_rests_on_what_another_user_shares_in_the_same_words(
    tmp_path: Path,
) -> None:
    with living(tmp_path / "source") as memory:
        agent = Office(memory).agent()
        agent.learn(), agent.learn()
        document = exported(memory, tmp_path / "source.json")
    one, other = document["thoughts"]
    for each in (one, other):
        each |= {"created_at": "2026-02-01T00:00:00Z", "updated_at": "2026-02-01T00:00:00Z"}
        each |= {"weighed_at": "2026-02-01T00:00:00Z", "space": "shared"}
    with living(tmp_path / "team", Mode.TEAM) as memory, pytest.MonkeyPatch.context() as patched:
        header, bobs = {"header": document["header"]}, other | {"id": str(uuid.uuid4())}
        in_person(memory.of("bob"))("memory_import", path=written(tmp_path / "b.json", header | {"thoughts": [bobs]}))
        in_person(memory)("memory_import", path=written(tmp_path / "a.json", header | {"thoughts": [one]}))
        resting = one | {"updated_at": LATER, "links": [{"relation": "refines", "id": other["id"]}]}
        written(tmp_path / "whole.json", header | {"thoughts": [resting, other]})
        in_units(patched)
        ada = in_person(memory)
        settle_alone(ada, tmp_path)
        finish_import(memory.mind.store)
        assert links_of(memory) == [(one["id"], bobs["id"])]
