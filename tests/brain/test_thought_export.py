"""Thoughts go out and come in with all that hangs on them; the log of questions goes out, and comes in nowhere."""

import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from sqlmodel import func, select

from bigmind.brain.tables import BrainQuery, BrainQuerySource, Thought, ThoughtLink, ThoughtReader
from bigmind.core.operation import Mode, Presence
from tests.kinds.noting import INSTRUCTION
from tests.memory.living import Memory, living
from tests.portable.files import in_units

REFUND = "Refunds over 500 EUR need an idempotency key, because the gateway repeats requests that time out."
LIMIT = "Refunds over 5,000 EUR need a second approval since March, which the gateway asks for by mail."
PROMPT = "How are refunds done over 500 EUR?"


@pytest.fixture(autouse=True, params=["at once", "in units"])
def way(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """A few records are written in one unit of work, more of them hidden: one comes to the same as the other."""
    if request.param == "in units":
        in_units(monkeypatch)


@pytest.fixture
def filled(memory: Memory) -> Memory:
    """Two thoughts, the second on the first, read by an agent that asked."""
    first = memory("contribute_to_brain", prompt=REFUND, topic="pay/refunds", space="private").trace.thought_id
    memory.clock.forward(hours=2)
    memory("contribute_to_brain", prompt=LIMIT, refines=first, tags=["limits", "mail"], space="shared")
    memory.clock.forward(hours=1)
    memory.over(None, "cursor/reviewer")("query_brain", prompt=PROMPT)
    return memory


def written(memory: Memory, path: Path) -> dict[str, Any]:
    memory.as_person()("memory_export", output_path=str(path))
    return json.loads(path.read_text(encoding="utf-8"))


def without_log(document: dict[str, Any]) -> dict[str, Any]:
    return {name: section for name, section in document.items() if name not in {"header", "questions"}}


def test_thoughts_come_back_with_links_weight_and_readers(filled: Memory, tmp_path: Path) -> None:
    before = written(filled, tmp_path / "before.json")
    first, second = before["thoughts"]
    assert second["links"] == [{"relation": "refines", "id": first["id"]}]
    assert [each["client"] for each in first["readers"]] == ["cursor/reviewer", "tester"]
    assert (first["reads"], second["reads"], second["tags"]) == (2, 1, ["limits", "mail"])
    with living(tmp_path / "other" / "home") as other:
        other.clock.now = filled.clock.now
        other.as_person()("memory_import", path=str(tmp_path / "before.json"))
        after = written(other, tmp_path / "after.json")
        assert without_log(after) == without_log(before)
        found = other.over(None, "cursor")("query_brain", prompt=PROMPT).result.sources
        assert [each.thought_id for each in found] == [second["id"], first["id"]]
        assert found[1].superseded
        again = other.as_person()("memory_import", path=str(tmp_path / "before.json"))
        assert not again.changed


def test_the_log_goes_out_and_is_written_by_no_import(filled: Memory, tmp_path: Path) -> None:
    questions = written(filled, tmp_path / "export.json")["questions"]
    assert [each["text"] for each in questions] == [REFUND, LIMIT, PROMPT]
    assert [each["outcome"] for each in questions] == ["stored", "stored", "answered"]
    assert len(questions[2]["sources"]) == questions[2]["returned"] == 2
    assert all(each["brain_session"].startswith("q-") for each in questions)
    with living(tmp_path / "other" / "home") as other:
        for mode, dry_run in (("merge", True), ("merge", False), ("replace", True), ("replace", False)):
            path = str(tmp_path / "export.json")
            done = other.as_person()("memory_import", path=path, mode=mode, dry_run=dry_run)
            assert {each.section: each.logged for each in done.sections}["questions"] == 3
            assert "Questions to the brain in the file: 3. None is imported" in done.as_text()
            assert _count(other, BrainQuery) == 0


def test_an_export_of_what_was_imported_is_the_same_byte_for_byte(filled: Memory, tmp_path: Path) -> None:
    """Apart from the header and the log."""
    written(filled, tmp_path / "before.json")
    with living(tmp_path / "other" / "home") as other:
        other.as_person()("memory_import", path=str(tmp_path / "before.json"))
        written(other, tmp_path / "after.json")
    before, after = (_bytes_without_log(tmp_path / name) for name in ("before.json", "after.json"))
    assert b"idempotency" in before
    assert after == before


def _bytes_without_log(path: Path) -> bytes:
    content = path.read_bytes()
    return content[content.index(b'"profiles"') : content.index(b'"questions"')]


def test_replacing_what_is_remembered_leaves_the_log_and_what_it_says_came_back(filled: Memory, tmp_path: Path) -> None:
    before = written(filled, tmp_path / "export.json")
    filled.as_person()("memory_import", path=str(tmp_path / "export.json"), mode="replace")
    assert (_count(filled, BrainQuery), _count(filled, Thought)) == (3, 2)
    after = written(filled, tmp_path / "after.json")
    assert after["questions"] == before["questions"]
    assert after["thoughts"] == before["thoughts"]
    document = {**before, "thoughts": before["thoughts"][:1]}
    (tmp_path / "one.json").write_text(json.dumps(document), encoding="utf-8")
    filled.as_person()("memory_import", path=str(tmp_path / "one.json"), mode="replace")
    assert (_count(filled, Thought), _count(filled, BrainQuerySource)) == (1, 2)


def test_files_of_earlier_versions_are_still_read(filled: Memory, tmp_path: Path) -> None:
    document = written(filled, tmp_path / "export.json")
    del document["thoughts"], document["questions"]
    for version in (1, 2):
        document["header"] |= {"version": version, "schema": f"urn:bigmind:export:{version}"}
        (tmp_path / "old.json").write_text(json.dumps(document), encoding="utf-8")
        assert not filled.as_person()("memory_import", path=str(tmp_path / "old.json")).changed


def test_a_link_to_what_was_forgotten_here_is_left_out(filled: Memory, tmp_path: Path) -> None:
    first, second = written(filled, tmp_path / "export.json")["thoughts"]
    filled.as_person()("memory_forget", id=first["id"], confirm=True)
    done = filled.as_person()("memory_import", path=str(tmp_path / "export.json"), mode="replace")
    assert {each.section: each.forgotten for each in done.sections}["thoughts"] == 1
    [left] = written(filled, tmp_path / "after.json")["thoughts"]
    assert (left["id"], left["links"]) == (second["id"], [])


def test_the_newer_wins_but_sharing_goes_one_way_and_a_gate_keeps_flags(filled: Memory, tmp_path: Path) -> None:
    document = written(filled, tmp_path / "export.json")
    for each in document["thoughts"]:
        each |= {"space": "private", "flags": ["near_duplicate"], "topic": "told/anew"}
        each |= {"updated_at": "2026-03-01T18:00:00Z", "reads": 40, "weight": 3.5}
    document["thoughts"][0]["weighed_at"] = "2026-02-01T18:00:00Z"  # known better here
    document["thoughts"][1]["weighed_at"] = "2026-03-01T18:00:00Z"
    (tmp_path / "newer.json").write_text(json.dumps(document), encoding="utf-8")
    uid = document["thoughts"][1]["id"]
    with filled.mind.store.write(filled.caller, "test") as work:
        row = work.session.exec(select(Thought).where(Thought.uid == uid)).one()
        row.gated_at = filled.clock.now
        work.session.add(row)
    filled.as_person()("memory_import", path=str(tmp_path / "newer.json"))
    first, second = written(filled, tmp_path / "after.json")["thoughts"]
    assert (first["topic"], second["topic"]) == ("told/anew", "told/anew")
    assert (first["space"], second["space"]) == ("private", "shared")
    assert (first["flags"], second["flags"]) == (["near_duplicate"], [])
    assert (first["reads"], second["reads"]) == (2, 40)
    assert second["gated_at"]


def _count(memory: Memory, table: Any) -> int:
    with memory.mind.store.read(memory.caller, "test") as work:
        return work.session.exec(select(func.count()).select_from(table)).one()


Spoil = Callable[[list[dict[str, Any]]], object]


@pytest.mark.parametrize(
    ("spoil", "why"),
    [
        (lambda each: each[0]["links"].append({"relation": "refines", "id": each[1]["id"]}), "rests on itself"),
        (
            lambda each: each[0]["links"].append({"relation": "related", "id": each[0]["id"][:-4] + "0000"}),
            "in its links a thought",
        ),
        (lambda each: each[0].update(weight=11.0), "thoughts[1].weight"),
        (lambda each: each[0].update(space="public"), "thoughts[1].space"),
        (lambda each: each[0].update(category="rumor"), "thoughts[1].category"),
        (lambda each: each[0].update(temporal_scope="2026-13-45"), "thoughts[1].temporal_scope"),
        (lambda each: each[0].update(flags=["trust_me"]), "thoughts[1].flags"),
        (lambda each: each[0]["links"].append({"relation": "related", "id": each[0]["id"]}), "rests on itself"),
        (lambda each: each[0].update(more=1), "thoughts[1].more"),
    ],
    ids=["circle", "stranger", "weight", "space", "category", "day", "flag", "itself", "field"],
)
def test_what_is_not_right_is_named_and_changes_nothing(filled: Memory, tmp_path: Path, spoil: Spoil, why: str) -> None:
    document = written(filled, tmp_path / "export.json")
    spoil(document["thoughts"])
    (tmp_path / "spoilt.json").write_text(json.dumps(document), encoding="utf-8")
    with living(tmp_path / "other" / "home") as other:
        for dry_run in (True, False):
            refused = other.as_person().refuses("memory_import", path=str(tmp_path / "spoilt.json"), dry_run=dry_run)
            assert why in str(refused)
        assert _count(other, Thought) == 0


def test_a_chain_that_closes_with_what_is_here_is_refused(filled: Memory, tmp_path: Path) -> None:
    """The file by itself is sound: what is here makes a circle of it."""
    document = written(filled, tmp_path / "export.json")
    first, second = document["thoughts"]
    first["links"] = [{"relation": "refines", "id": second["id"]}]
    first["updated_at"] = "2026-03-01T20:00:00Z"
    document["thoughts"] = [first]
    (tmp_path / "turned.json").write_text(json.dumps(document), encoding="utf-8")
    refused = filled.as_person().refuses("memory_import", path=str(tmp_path / "turned.json"))
    assert "record 1 of thoughts rests on itself" in str(refused)
    assert written(filled, tmp_path / "after.json")["thoughts"][0]["links"] == []


def test_what_an_assistant_imports_waits_and_says_so(filled: Memory, tmp_path: Path) -> None:
    written(filled, tmp_path / "export.json")
    with living(tmp_path / "other" / "home") as other:
        agent = replace(other, caller=replace(other.caller, client="cursor", presence=Presence.CLIENT))
        agent("memory_import", path=str(tmp_path / "export.json"))
        found = other.over(None, "codex")("query_brain", prompt=PROMPT).result.sources
        assert {each.caution for each in found} == {"imported"}
        assert {each.content_preview for each in found} == {""}
        assert {each.contributor for each in found} == {""}
        told = written(other, tmp_path / "after.json")["thoughts"]
        readers = {reader["client"] for each in told for reader in each["readers"]}
        assert readers == {"codex", "import by cursor/cursor-reviewer", "import by cursor/tester"}


def test_nobody_exports_what_others_keep_to_themselves(tmp_path: Path) -> None:
    with living(tmp_path / "team" / "home", Mode.TEAM) as ada:
        bob = ada.of("bob")
        secret = bob("contribute_to_brain", prompt=REFUND, space="private").trace.thought_id
        shared = bob("contribute_to_brain", prompt=LIMIT).trace.thought_id
        bob("brain_update_thought", id=shared, related=[secret])
        ada("query_brain", prompt=PROMPT)
        told = [Path(each("memory_export").path) for each in (ada, bob)]
        of_ada, of_bob = (json.loads(each.read_text(encoding="utf-8")) for each in told)
        assert of_ada["thoughts"] == []
        assert secret not in told[0].read_text(encoding="utf-8")
        assert {each["id"] for each in of_bob["thoughts"]} == {secret, shared}
        assert {reader["client"] for each in of_bob["thoughts"] for reader in each["readers"]} == {"tester"}


def test_what_a_person_accepted_stays_so_where_it_is_imported_in_person_only(memory: Memory, tmp_path: Path) -> None:
    uid = memory("contribute_to_brain", prompt=f"{INSTRUCTION} It was seen at 6:00 in the log.").trace.thought_id
    memory.as_person()("memory_accept", id=uid)
    written(memory, tmp_path / "export.json")
    for presence, is_accepted in ((Presence.WINDOW, True), (Presence.COMMAND_LINE, False)):
        with living(tmp_path / presence / "home") as other:
            person = replace(other, caller=replace(other.caller, is_person=True, presence=presence))
            person("memory_import", path=str(tmp_path / "export.json"))
            with other.mind.store.read(other.caller, "test") as work:
                row = work.session.exec(select(Thought)).one()
                assert bool(row.caution)
                assert (row.accepted_at is not None) is is_accepted


def test_what_others_shared_is_neither_taken_over_nor_missed(tmp_path: Path) -> None:
    """Bob builds on what Ada shared; his export comes home and goes elsewhere, and Ada's thought stays hers."""
    with living(tmp_path / "team" / "home", Mode.TEAM) as ada:
        hers = ada("contribute_to_brain", prompt=REFUND).trace.thought_id
        bob = ada.of("bob").over(None, "cursor")
        his = bob("contribute_to_brain", prompt=LIMIT, refines=hers).trace.thought_id
        ada("query_brain", prompt=PROMPT)
        bob.as_person()("memory_export", output_path=str(tmp_path / "bob.json"))
        document = json.loads((tmp_path / "bob.json").read_text(encoding="utf-8"))
        assert document["thoughts"][0]["links"] == [{"relation": "refines", "id": hers, "elsewhere": True}]
        bob.as_person()("memory_import", path=str(tmp_path / "bob.json"), mode="replace")
        assert ada("brain_get_thought", id=hers).refined_by == his
        assert _count(ada, ThoughtReader) == 3, "who of others read it stays"
        taken = {
            **document["thoughts"][0],
            "id": hers,
            "links": [],
            "content": "Refunds need nothing at all, says Bob.",
        }
        document["thoughts"] = [taken | {"updated_at": "2026-03-02T00:00:00Z"}]
        (tmp_path / "taken.json").write_text(json.dumps(document), encoding="utf-8")
        assert not bob.as_person()("memory_import", path=str(tmp_path / "taken.json")).changed
        assert ada("brain_get_thought", id=hers).content == REFUND
        assert _count(ada, Thought) == 2
    with living(tmp_path / "elsewhere" / "home") as other:
        other.as_person()("memory_import", path=str(tmp_path / "bob.json"))
        assert (_count(other, Thought), _count(other, ThoughtLink)) == (1, 0)


def test_a_long_chain_is_looked_through_once(filled: Memory, tmp_path: Path) -> None:
    document = written(filled, tmp_path / "export.json")
    one = document["thoughts"][0] | {"readers": []}
    ids = [f"00000000-0000-4000-8000-{number:012x}" for number in range(300)]
    chain = [{**one, "id": uid} for uid in ids]
    for each, before in zip(chain[1:], ids, strict=False):
        each["links"] = [{"relation": "refines", "id": before}]
    document["thoughts"] = chain
    (tmp_path / "chain.json").write_text(json.dumps(document), encoding="utf-8")
    filled.as_person()("memory_import", path=str(tmp_path / "chain.json"))
    assert _count(filled, ThoughtLink) == len(ids)
    chain[0]["links"] = [{"relation": "refines", "id": ids[-1]}]
    (tmp_path / "circle.json").write_text(json.dumps(document), encoding="utf-8")
    assert "rests on itself" in str(filled.as_person().refuses("memory_import", path=str(tmp_path / "circle.json")))
