"""What an assistant imports adds nothing to what others wrote here: neither moments nor links that supersede it."""

import json
import uuid
from pathlib import Path
from typing import Any

import pytest

from bigmind.core.client_names import IMPORTED as BY
from bigmind.portable.verdicts import LINKS_KEPT_BACK, MOMENTS_LEFT
from tests.memory.living import Memory
from tests.portable.files import agent_of, changed, counts, exported, written
from tests.portable.test_import_by_agents import rows

LATER = "2026-03-01T12:00:00Z"


def as_client(memory: Memory, client: str) -> Memory:
    """An assistant with a token of that name."""
    return agent_of(memory.over(None, client))


def one_more(document: dict[str, Any]) -> None:
    """A moment more in the first session, and nothing else of the file."""
    [first] = document["sessions"][:1]
    chunk = document["chunks"][0] | {"id": str(uuid.uuid4()), "session": first["id"], "seq": 900}
    for section in document:
        if section != "header":
            document[section] = []
    document["chunks"] = [chunk]


@pytest.fixture
def session(ada: Memory, tmp_path: Path) -> Path:
    """A session of Cursor's with one moment, exported."""
    cursor = as_client(ada, "cursor")
    cursor("memory_flag_important", content="The brass wheel turns left", flag_reason="decision")
    exported(ada, tmp_path / "session.json")
    return tmp_path / "session.json"


def test_an_assistant_adds_no_moment_to_what_another_wrote(ada: Memory, session: Path, tmp_path: Path) -> None:
    path = changed(session, tmp_path / "more.json", one_more)
    for dry_run in (True, False):
        answer = as_client(ada, "mallory")("memory_import", path=str(path), dry_run=dry_run)
        assert (answer.changed, counts(answer, "left_out"), counts(answer, "new")) == (False, {"chunks": 1}, {})
        assert MOMENTS_LEFT in answer.as_text()
    assert len(rows(ada, "chunk")) == 1
    answer = ada("memory_import", path=str(path))
    assert (counts(answer, "new"), counts(answer, "left_out")) == ({"chunks": 1}, {})
    assert len(rows(ada, "chunk")) == 2


def test_what_is_its_own_goes_on(ada: Memory, session: Path, tmp_path: Path) -> None:
    path = changed(session, tmp_path / "more.json", one_more)
    assert counts(as_client(ada, "cursor")("memory_import", path=str(path)), "new") == {"chunks": 1}
    assert len(rows(ada, "chunk")) == 2


def test_a_session_that_it_imported_itself_goes_on(ada: Memory, small_export: Path, tmp_path: Path) -> None:
    mallory, path = as_client(ada, "mallory"), changed(small_export, tmp_path / "more.json", one_more)
    mallory("memory_import", path=str(small_export))
    assert counts(mallory("memory_import", path=str(path)), "new") == {"chunks": 1}
    again = changed(small_export, tmp_path / "again.json", one_more)
    assert counts(as_client(ada, "cursor")("memory_import", path=again), "left_out") == {"chunks": 1}


def thoughts(ada: Memory, tmp_path: Path, relation: str) -> Path:
    """A file with a thought of Cursor's that is here, and two new ones: one leads to that, and one to the other."""
    as_client(ada, "cursor")("contribute_to_brain", prompt="The gateway is deployed on Tuesdays by the release train.")
    document = exported(ada, tmp_path / "all.json")
    [known] = document["thoughts"]
    first, second = (
        known | {"id": str(uuid.uuid4()), "content": f"The gateway needs no deploy {number}.", "links": links}
        for number, links in enumerate(([{"relation": relation, "id": known["id"]}], []))
    )
    second["links"] = [{"relation": relation, "id": first["id"]}]
    document["thoughts"] = [known, first, second]
    written(tmp_path / "thoughts.json", document)
    return tmp_path / "thoughts.json"


@pytest.mark.parametrize("relation", ["supersedes", "refines", "consolidates"])
def test_no_thought_that_an_assistant_imports_supersedes_what_is_here(
    ada: Memory, tmp_path: Path, relation: str
) -> None:
    path = thoughts(ada, tmp_path, relation)
    for dry_run in (True, False):
        answer = as_client(ada, "mallory")("memory_import", path=str(path), dry_run=dry_run)
        assert counts(answer, "new") == {"thoughts": 2}
        assert LINKS_KEPT_BACK in answer.as_text()
    assert [each["relation"] for each in rows(ada, "thought_link")] == [relation]
    for item in ada("memory_list_flagged", limit=500).items:
        ada("memory_accept", id=item.id)
    found = as_client(ada, "cursor")("query_brain", prompt="When is the gateway deployed?").result.sources
    [here] = [each for each in found if "Tuesdays" in each.content_preview]
    assert (here.superseded, here.refined_by) == (False, None)


def test_it_relates_them_and_a_person_imports_all(ada: Memory, tmp_path: Path) -> None:
    path = thoughts(ada, tmp_path, "related")
    answer = as_client(ada, "mallory")("memory_import", path=str(path))
    assert LINKS_KEPT_BACK not in answer.as_text()
    assert len(rows(ada, "thought_link")) == 2


def test_a_person_imports_links_to_what_is_here(ada: Memory, tmp_path: Path) -> None:
    path = thoughts(ada, tmp_path, "supersedes")
    assert LINKS_KEPT_BACK not in ada("memory_import", path=str(path)).as_text()
    assert len(rows(ada, "thought_link")) == 2


def test_it_goes_on_with_thoughts_that_it_imported(ada: Memory, tmp_path: Path) -> None:
    path = thoughts(ada, tmp_path, "refines")
    mallory = as_client(ada, "mallory")
    mallory("memory_import", path=str(path))
    document = json.loads(path.read_text(encoding="utf-8"))
    last = document["thoughts"][-1]
    more = last | {"id": str(uuid.uuid4()), "content": "More.", "links": [{"relation": "refines", "id": last["id"]}]}
    document["thoughts"].append(more)
    answer = mallory("memory_import", path=written(tmp_path / "more.json", document))
    assert (counts(answer, "new"), LINKS_KEPT_BACK in answer.as_text()) == ({"thoughts": 1}, False)
    assert len(rows(ada, "thought_link")) == 2
    assert {each["client"].partition("/")[0] for each in rows(ada, "thought")} == {"cursor", f"{BY}mallory"}
