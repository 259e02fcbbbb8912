"""What an import does with the names of projects, and with facts that belong to the person."""

import json
from pathlib import Path
from typing import Any

from tests.memory.living import Memory
from tests.portable.files import changed, counts, everything, exported, written

LATER = "2026-03-02T00:00:00Z"
PAY = "github.com/acme/pay"


def name(project: str, at: str = "2026-03-01T00:00:00Z", called: str = "Pay") -> dict[str, str]:
    return {"name": called, "project": project, "updated_at": at}


def test_a_document_of_the_first_version_is_read_by_todays_rules(ada: Memory, small_export: Path, tmp_path: Path):
    def older(document: dict[str, Any]) -> None:
        document["header"] |= {"version": 1, "schema": "urn:bigmind:export:1"}
        del document["project_names"]
        for number, category in enumerate(("Identity", "preference", "decision")):
            document["facts"][number] |= {"category": category, "project": "loom"}

    path = changed(small_export, tmp_path / "older.json", older)
    told = json.loads(Path(path).read_text(encoding="utf-8"))["facts"]
    ada("memory_import", path=path)
    facts = {each["id"]: each for each in exported(ada, tmp_path / "after.json")["facts"]}
    assert [facts[each["id"]]["project"] for each in told[:3]] == [None, None, "loom"]
    moved = facts[told[0]["id"]]["history"][-1]
    assert (moved["action"], moved["reason"]) == ("moved", "project was: loom")
    assert facts[told[2]["id"]] == told[2]
    before = everything(ada.mind.store)
    assert not ada("memory_import", path=path).changed
    assert everything(ada.mind.store) == before


def test_what_is_imported_under_a_joined_name_goes_to_its_project(ada: Memory, small_export: Path, tmp_path: Path):
    """Whether the name comes with the import, or was joined here before."""

    def rename(document: dict[str, Any]) -> None:
        document["project_names"] = [name(PAY)]
        document["sessions"][0]["project"] = "Pay"
        document["chunks"][0]["project"] = "loom"

    ada("project_join_alias", alias="loom", project="github.com/ada/loom")
    ada("memory_import", path=changed(small_export, tmp_path / "named.json", rename))
    after = exported(ada, tmp_path / "after.json")
    assert after["sessions"][0]["project"] == PAY
    assert after["chunks"][0]["project"] == "github.com/ada/loom"
    assert {each["project"] for each in after["facts"]}.isdisjoint({"Pay", "loom"})
    ada("project_undo_alias", alias="Pay")
    assert exported(ada, tmp_path / "undone.json")["sessions"][0]["project"] == "Pay"


def test_of_two_meanings_of_a_name_the_newer_wins(ada: Memory, small_export: Path, tmp_path: Path):
    empty = json.loads(small_export.read_text(encoding="utf-8"))["header"]

    def bring(mode: str = "merge", *names: dict[str, str]) -> Any:
        path = written(tmp_path / "names.json", {"header": empty, "project_names": list(names)})
        return ada("memory_import", path=path, mode=mode)

    def meant() -> dict[str, str]:
        return {each.alias: each.project for each in ada("project_list_aliases").aliases}

    assert counts(bring("merge", name(PAY)), "new") == {"project_names": 1}
    assert counts(bring("merge", name(PAY)), "unchanged") == {"project_names": 1}
    assert counts(bring("merge", name("elsewhere", LATER, "PAY")), "newer") == {"project_names": 1}
    assert counts(bring("merge", name(PAY)), "older") == {"project_names": 1}
    assert meant() == {"PAY": "elsewhere"}
    answer = bring("replace", name(PAY, called="p"))
    assert (counts(answer, "removed"), counts(answer, "new")) == ({"project_names": 1}, {"project_names": 1})
    assert meant() == {"p": PAY}
