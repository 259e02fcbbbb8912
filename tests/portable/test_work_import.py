"""Work goes out whole and comes in as new, or in person in its states; another store's ledger is kept apart."""

import json
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from bigmind.core.operation import Presence
from bigmind.portable.work.work_verdicts import AS_NEW, WORK_STAYS
from tests.memory.living import living
from tests.mindspace.grove import CODE, Grove
from tests.portable.files import Document, everything, exported, in_units, written
from tests.work.office import Office, Worker, as_command_line, office_in
from tests.work.test_verification import told

SLUG = "pay-1"
MEMORY = {"memory_query_session", "memory_contribution_id"}


@pytest.fixture(autouse=True, params=["at once", "late"])
def way(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """A few records are written in one unit of work, more of them later: one comes to the same as the other."""
    if request.param == "late":
        in_units(monkeypatch)


@pytest.fixture
def other(tmp_path: Path) -> Iterator[Office]:
    """Another store, to import into."""
    with living(tmp_path / "other") as memory:
        yield Office(memory)


@pytest.fixture
def worked(office: Office, tmp_path: Path) -> Document:
    """An export of: an item in review, one that waits for it, one that is claimed, one that is blocked."""
    agent, title = office.agent(), "Round refunds to the cent"
    office.task(
        title, slug=SLUG, description="Cents get lost.", dna={"plan": "measure", "parts": [1, {"a": None}, 2.5]}
    )
    office.task("Send the otter report", type="task", slug="pay-2", depends_on=[SLUG])
    office.task("Weigh the walrus", slug="pay-3")
    office.task("Feed the walrus", slug="pay-4")
    agent.claim(SLUG)
    agent.learn()
    agent.moves(SLUG, "review", reason="It is done.")
    agent.claim("pay-3", "Weigh the walrus")
    agent.claim("pay-4", "Feed the walrus")
    agent.moves("pay-4", "blocked", fields={"blocked_reason": "no fish"})
    return exported(office.memory, tmp_path / "worked.json")


def brought(office: Office, document: Document, folder: Path, worker: Worker | None = None, **more: Any) -> Any:
    """Import a document, in person where nobody else does."""
    path = written(folder / "brought.json", document)
    return (worker or office.person)("memory_import", path=path, **more)


def verdicts(answer: Any, section: str) -> dict[str, int]:
    [counts] = [each for each in answer.sections if each.section == section]
    return {name: value for name, value in counts.model_dump().items() if name not in {"section", "nodes"} and value}


def states(office: Office) -> dict[str, str]:
    return dict(office.rows("SELECT slug, state FROM work_item ORDER BY slug"))


def kinds(office: Office) -> list[str]:
    return [kind for (kind,) in office.rows("SELECT kind FROM work_ledger ORDER BY number")]


def item_of(document: Document, slug: str = SLUG) -> dict[str, Any]:
    [found] = [each for each in document["work_items"] if each["slug"] == slug]
    return found


def test_an_export_holds_items_and_the_whole_ledger_and_no_lease(worked: Document, office: Office):
    item = item_of(worked)
    assert (item["state"], item["process"], item["version"], item["made_by"]) == ("review", "solo", 1, "ada")
    assert item["dna"]["parts"] == [1, {"a": None}, 2.5]
    assert item_of(worked, "pay-2")["depends_on"] == [item["id"]]
    assert item_of(worked, "pay-4")["saved"] == {"state": "active", "role": item_of(worked, "pay-4")["role"]}
    assert {*item} & {"holder", "lease_until", "confirmations"} == set()
    rows = office.rows("SELECT number, body, digest FROM work_ledger ORDER BY number")
    assert [(each["number"], each["body"], each["digest"]) for each in worked["work_ledger"]] == rows
    words = {each["text"] for row in worked["work_ledger"] for each in row["words"]}
    assert "It is done." in words


def test_in_person_items_come_in_their_states_but_held_by_nobody(worked: Document, other: Office, tmp_path: Path):
    answer = brought(other, worked, tmp_path)
    assert verdicts(answer, "work_items") == {"new": 4}
    assert verdicts(answer, "work_ledger") == {"new": len(worked["work_ledger"])}
    assert states(other) == {SLUG: "review", "pay-2": "pending", "pay-3": "pending", "pay-4": "blocked"}
    assert other.rows("SELECT DISTINCT holder, is_imported, lease_until FROM work_item") == [("", 1, None)]
    assert kinds(other) == ["imported"] * 4
    assert other.rows("SELECT count(*) FROM work_confirmation") == [(0,)]
    assert other.rows("SELECT count(*) FROM work_evidence") == [(0,)]
    assert other.rows("SELECT count(*) FROM brain_query") == [(0,)]
    assert MEMORY & {*other.item(SLUG).dna} == set()
    assert other.item(SLUG).dna["parts"] == [1, {"a": None}, 2.5]
    assert [each.slug for each in other.item("pay-2").depends_on] == [SLUG]
    assert json.loads(other.rows("SELECT saved FROM work_item WHERE slug = 'pay-4'")[0][0])["state"] == "pending"
    assert told(other) == []
    other.yes(SLUG)
    assert told(other) == []
    assert other.state("pay-2") == "ready"


@pytest.mark.parametrize("who", ["agent", "command line"])
def test_else_they_begin_anew_and_the_ledger_is_not_taken(worked: Document, other: Office, tmp_path: Path, who: str):
    worker = other.agent() if who == "agent" else as_command_line(other.agent())
    answer = brought(other, worked, tmp_path, worker)
    assert verdicts(answer, "work_items") == {"new": 4}
    assert verdicts(answer, "work_ledger") == {"logged": len(worked["work_ledger"])}
    assert set(states(other).values()) == {"pending"}
    assert other.rows("SELECT DISTINCT is_imported, worked_by, self_reviewed FROM work_item") == [(0, "", 0)]
    assert other.rows("SELECT count(*) FROM work_foreign_ledger") == [(0,)]
    assert kinds(other) == ["imported"] * 4
    assert "a person brings another store's ledger" in answer.as_text()
    assert told(other) == []
    assert AS_NEW in answer.notes
    again = brought(other, worked, tmp_path)
    assert verdicts(again, "work_items")["newer"] >= 2, "what was complete stayed pending for good"
    assert states(other) == {SLUG: "review", "pay-2": "pending", "pay-3": "pending", "pay-4": "blocked"}
    assert told(other) == []
    assert not brought(other, worked, tmp_path).changed


def test_what_came_as_new_and_was_touched_since_stays(worked: Document, other: Office, tmp_path: Path):
    brought(other, worked, tmp_path, other.agent())
    other.forward(minutes=1)
    other.agent().claim(SLUG)
    brought(other, worked, tmp_path)
    assert other.state(SLUG) == "active"


@pytest.mark.parametrize("who", ["person", "agent"])
def test_importing_twice_changes_nothing(worked: Document, other: Office, tmp_path: Path, who: str):
    worker = other.person if who == "person" else other.agent()
    brought(other, worked, tmp_path, worker)
    before = everything(other.memory.mind.store)
    again = brought(other, worked, tmp_path, worker)
    assert not again.changed
    assert verdicts(again, "work_items") == {"unchanged": 4}
    assert everything(other.memory.mind.store) == before


def test_the_own_export_changes_nothing(worked: Document, office: Office, tmp_path: Path):
    for worker in (office.person, office.agent()):
        assert not brought(office, worked, tmp_path, worker).changed


def test_another_ledger_goes_out_again_as_it_came(worked: Document, other: Office, tmp_path: Path):
    brought(other, worked, tmp_path)
    again = exported(other.memory, tmp_path / "again.json")
    store = worked["work_ledger"][0]["store"]
    assert [each for each in again["work_ledger"] if each["store"] == store] == worked["work_ledger"]
    assert [each["kind"] for each in again["work_ledger"] if each["store"] != store] == ["imported"] * 4
    with office_in(tmp_path / "third") as third:
        answer = brought(third, again, tmp_path)
        assert verdicts(answer, "work_ledger") == {"new": len(again["work_ledger"])}
        assert answer.notes == []


def _change_body(document: Document) -> None:
    row = document["work_ledger"][4]
    row["body"] = row["body"].replace("cursor", "codex")


def _change_words(document: Document) -> None:
    row = next(each for each in document["work_ledger"] if each["words"])
    row["words"][0]["text"] = "Something else."


@pytest.mark.parametrize(
    ("change", "found"),
    [
        (_change_body, "at row 5: it was changed"),
        (_change_words, "at row 1: its words were changed"),
        (lambda document: document["work_ledger"].pop(2), "at row 4: the row that it follows is not there"),
        (lambda document: document["work_ledger"].pop(0), "at row 2: the row that it follows is not there"),
        (lambda document: document["work_ledger"][1].update(kind="edited"), "at row 2: it stands under another item"),
        (lambda document: document["work_ledger"][1].update(body="{"), "at row 2: it cannot be read"),
    ],
)
def test_a_ledger_that_does_not_hold_together_is_told_and_marked(
    worked: Document, other: Office, tmp_path: Path, change: Callable[[Document], object], found: str
):
    change(worked)
    told_before = brought(other, worked, tmp_path, dry_run=True)
    answer = brought(other, worked, tmp_path)
    assert told_before.notes == answer.notes
    assert any(found in each for each in answer.notes), answer.notes
    assert other.rows("SELECT count(*) FROM work_foreign_ledger WHERE fault != ''") == [(1,)]
    assert told(other) == []  # this store's own


def test_another_ledger_that_is_changed_here_is_found(worked: Document, other: Office, tmp_path: Path):
    brought(other, worked, tmp_path)
    other.run("UPDATE work_foreign_ledger SET body = replace(body, 'cursor', 'codex') WHERE number = 5")
    assert len(told(other)) == 1
    assert told(other)[0].startswith("5 ")


def test_a_slug_of_another_item_gets_a_number_and_that_is_told(worked: Document, other: Office, tmp_path: Path):
    other.task("Feed the otter", slug=SLUG)
    answer = brought(other, worked, tmp_path)
    assert answer.notes == [f"The slug {SLUG} is another item's here: its item comes as {SLUG}-2."]
    assert states(other)[f"{SLUG}-2"] == "review"
    assert not brought(other, worked, tmp_path).changed


def test_what_is_here_is_changed_in_person_alone(worked: Document, office: Office, tmp_path: Path):
    item = item_of(worked, "pay-2")
    item.update(title="Send no report", state="complete", depends_on=[], updated_at="2026-03-01T13:00:00Z")
    office.forward(hours=2)
    answer = brought(office, worked, tmp_path, office.agent())
    assert verdicts(answer, "work_items") == {"unchanged": 3, "kept": 1}
    assert answer.notes == [WORK_STAYS]
    assert office.state("pay-2") == "pending"
    revision = office.item("pay-2").revision
    assert verdicts(brought(office, worked, tmp_path), "work_items") == {"newer": 1, "unchanged": 3}
    after = office.item("pay-2")
    assert (after.title, after.context.state, after.is_imported) == ("Send no report", "complete", True)
    assert (after.depends_on, after.revision > revision) == ([], True)
    assert told(office) == []


def test_what_was_forgotten_does_not_come_back_nor_its_words(worked: Document, office: Office, tmp_path: Path):
    uid = item_of(worked)["id"]
    office.person("memory_forget", id=uid, confirm=True)
    for row in worked["work_ledger"]:
        row["store"] = uid  # as if it was another's
    answer = brought(office, worked, tmp_path)
    assert verdicts(answer, "work_items")["forgotten"] == 1
    texts = office.rows("SELECT DISTINCT texts FROM work_foreign_ledger WHERE item_uid = :uid", uid=uid)
    assert texts == [("",)]


def test_a_confirmation_of_what_is_imported_over_it_does_not_hold(worked: Document, office: Office, tmp_path: Path):
    office.person("work_confirm", slug=SLUG, revision=office.item(SLUG).revision)
    item_of(worked).update(updated_at="2026-03-01T13:00:00Z", description="All is well.")
    office.forward(hours=2)
    brought(office, worked, tmp_path)
    assert office.rows(
        "SELECT count(*) FROM work_confirmation JOIN work_item ON work_item.id = item_id "
        "WHERE withdrawn_at IS NULL AND work_confirmation.revision = work_item.revision"
    ) == [(0,)]


def test_agents_bring_in_no_items_that_they_may_not_make(worked: Document, other: Office, tmp_path: Path):
    item_of(worked).update(process="node")
    item_of(worked, "pay-3").update(process="elsewhere")
    answer = brought(other, worked, tmp_path, other.agent())
    assert verdicts(answer, "work_items") == {"new": 2, "left_out": 2}
    assert {each.split()[0] for each in answer.notes} == {"There", "Nodes", "Tasks"}
    assert any("no process elsewhere in version 1 here" in each for each in answer.notes)
    assert told(other) == []


def test_an_agents_items_wait_for_a_person_and_say_where_they_come_from(
    worked: Document, other: Office, tmp_path: Path
):
    brought(other, worked, tmp_path, other.agent())
    item = other.item(SLUG)
    assert (item.description, item.dna) == ("", {})
    assert other.rows("SELECT DISTINCT client FROM work_item") == [("import by cursor/planner",)]


def test_secrets_are_masked_and_masked_words_prove_nothing(worked: Document, other: Office, tmp_path: Path):
    secret = "ghp_abcdefghijklmnopqrstuvwxyz0123456789"
    item_of(worked)["dna"] |= {"key": secret, "human_confirmed": True}
    row = next(each for each in worked["work_ledger"] if each["words"])
    row["words"][0]["text"] = f"with {secret}"
    brought(other, worked, tmp_path)
    assert other.item(SLUG).dna["key"] == "[masked: GitHub token]"
    assert "human_confirmed" not in other.item(SLUG).dna  # only the engine grants it
    assert secret not in str([other.rows(f"SELECT * FROM {each}") for each in ("work_item", "work_foreign_ledger")])
    kept = other.rows("SELECT texts FROM work_foreign_ledger WHERE number = :n", n=row["number"])[0][0]
    assert json.loads(kept)[row["words"][0]["name"]][0] == ""


@pytest.mark.parametrize(
    ("change", "why"),
    [
        (lambda item: item.update(state="elsewhere"), "a state or role that solo does not have"),
        (lambda item: item.update(role="king"), "a state or role that solo does not have"),
        (lambda item: item.update(saved={"state": "active", "role": "dev"}), "does not say rightly what it interrupts"),
        (lambda item: item.update(depends_on=["0" * 8 + "-0000-0000-0000-000000000000"]), "neither in it nor here"),
        (lambda item: item.update(depends_on=[item["id"]]), "depends on itself"),
        (lambda item: item.update(due=[{"made_up": {}}]), "].due"),
        (lambda item: item.update(dna={"No name": 1}), "].dna"),
        (lambda item: item.update(holder="cursor"), "].holder"),
        (lambda item: item.update(lease_until="2030-01-01T00:00:00Z"), "].lease_until"),
        (lambda item: item.update(updated_at="2030-01-01T00:00:00Z"), "a later time"),
    ],
)
def test_a_file_edited_by_hand_is_refused_and_changes_nothing(
    worked: Document, other: Office, tmp_path: Path, change: Callable[[dict[str, Any]], object], why: str
):
    change(item_of(worked))
    before = everything(other.memory.mind.store)
    refusal = other.person.refuses("memory_import", path=written(tmp_path / "bad.json", worked))
    assert why in f"{refusal.message} {refusal.problems}"
    assert everything(other.memory.mind.store) == before


def test_a_circle_by_way_of_what_is_here_is_refused(worked: Document, office: Office, tmp_path: Path):
    item, waiting = item_of(worked), item_of(worked, "pay-2")
    worked["work_items"] = [item]
    item.update(depends_on=[waiting["id"]], updated_at="2026-03-01T13:00:00Z")
    office.forward(hours=2)
    refusal = office.person.refuses("memory_import", path=written(tmp_path / "bad.json", worked))
    assert "depends on itself, by way of others" in refusal.message
    assert kinds(office)[-1] != "imported"


def test_replacing_leaves_items_and_ledger(worked: Document, office: Office, tmp_path: Path):
    number = len(kinds(office))
    worked.update(work_items=[], work_ledger=[])
    brought(office, worked, tmp_path, mode="replace")
    assert len(states(office)) == 4
    assert len(kinds(office)) == number
    assert [each for each in told(office) if "rests on" in each] == []


def test_a_page_without_the_passphrase_is_no_person(worked: Document, other: Office, tmp_path: Path):
    person = other.person.memory
    page = Worker(replace(person, caller=replace(person.caller, presence=Presence.PAGE)))
    brought(other, worked, tmp_path, page)
    assert set(states(other).values()) == {"pending"}


@pytest.fixture
def tree(office: Office, tmp_path: Path) -> Document:
    """An export of a small tree: a node in review, one below it that waits for its output, one that is claimed."""
    grove = Grove(office)
    first = grove.make("Weigh the heron", definition_of_ready={"context": "By the lake.", "inputs": []})
    second = grove.make("Feed the heron", first, parent_id=first)
    third = grove.make("Wash the quartz")
    for node, title in ((first, "Weigh the heron"), (third, "Wash the quartz")):
        grove.dev.ask(title)
        grove.book(node, "active")
    grove.dev("mindspace_submit_output", node_id=first, outputs=[CODE])
    grove.dev.learn("Weigh the heron: herons of the lake weigh 1.5 kg, since they fish there by day, seen in 1987.")
    grove.book(first, "review")
    assert (grove.state(first), grove.state(second), grove.state(third)) == ("review", "pending", "active")
    return exported(office.memory, tmp_path / "tree.json")


def test_nodes_come_in_person_with_their_definitions_and_what_came_of_them(
    tree: Document, other: Office, tmp_path: Path
):
    assert verdicts(brought(other, tree, tmp_path, other.agent()), "work_items") == {"left_out": 3}
    answer = brought(other, tree, tmp_path)
    assert verdicts(answer, "work_items") == {"new": 3}
    assert "- Mindspace nodes: 3 added" in answer.in_words()
    assert "- Tasks:" not in answer.in_words()
    grove = Grove(other)
    assert states(other) == {"feed-the-heron": "pending", "wash-the-quartz": "ready", "weigh-the-heron": "review"}
    again = exported(other.memory, tmp_path / "again.json")
    nodes = [{each["id"]: each["node"] for each in document["work_items"]} for document in (tree, again)]
    assert nodes[0] == nodes[1]
    assert told(other) == []
    assert not brought(other, tree, tmp_path).changed
    grove.verifier("mindspace_record_gate", node_id="weigh-the-heron", gate="tests pass", status="pass", evidence="ok")
    assert (grove.state("weigh-the-heron"), grove.state("feed-the-heron")) == ("complete", "ready")
    assert told(other) == []


@pytest.mark.parametrize(
    ("change", "why"),
    [
        (lambda item: item.update(state="complete"), "a quality gate did not pass"),
        (lambda item: item["node"]["outputs"][0].update(produced_at=None), "an output was not produced"),
        (lambda item: item.pop("node"), "a node without its node"),
        (lambda item: item["node"].update(holder="me"), "node.holder"),
    ],
)
def test_a_node_edited_by_hand_is_refused(
    tree: Document, other: Office, tmp_path: Path, change: Callable[[dict[str, Any]], object], why: str
):
    change(item_of(tree, "weigh-the-heron"))
    refusal = other.person.refuses("memory_import", path=written(tmp_path / "bad.json", tree))
    assert why in f"{refusal.message} {refusal.problems}"
