"""What is refused whole: two records that are one, times that are not yet, lists without end."""

import uuid
from pathlib import Path
from typing import Any

import pytest

from bigmind.core.errors import Code
from bigmind.people.tables import User
from bigmind.portable.format.records import MOST_CATEGORY
from tests.memory.living import Memory
from tests.portable.files import changed, counts, everything, exported, in_person, whole

LATER = "2026-03-02T00:00:00Z"
AHEAD = "2026-03-03T00:00:00Z"
LONG_LIST = ["word " * 20_000 for _ in range(10)]
SUMMARY = {"summary": "", "key_facts": [], "code_refs": [], "created_at": "2026-03-01T00:00:00Z"}


def test_two_users_of_one_name_are_refused(ada: Memory, small_export: Path, tmp_path: Path):
    user = {"username": "bob", "display_name": "Bob", "role": "member", "created_at": LATER, "last_seen_at": LATER}

    def double(document: dict[str, Any]) -> None:
        document["users"] = [user | {"id": str(uuid.uuid4())} for _ in range(2)]

    before = everything(ada.mind.store)
    refusal = ada.refuses("memory_import", path=changed(small_export, tmp_path / "x.json", double))
    assert refusal.code is Code.INVALID_INPUT
    assert "records 1 and 2 of users have the same username" in refusal.message
    assert everything(ada.mind.store) == before


def test_two_records_that_would_be_one_here_are_a_conflict(filled: Memory, small_export: Path, tmp_path: Path):
    bob = in_person(filled.of("bob"))
    with filled.mind.store.read(bob.caller, "test") as work:
        bobs = uuid.UUID(work.session.get_one(User, bob.caller.user_id).uid)

    def collide(document: dict[str, Any]) -> None:
        fact = document["facts"][0]
        document["facts"] = [fact, fact | {"id": str(uuid.uuid5(bobs, fact["id"]))}]

    before = everything(filled.mind.store)
    refusal = bob.refuses("memory_import", path=changed(small_export, tmp_path / "x.json", collide))
    assert refusal.code is Code.CONFLICT
    assert "nothing was imported" in refusal.message
    assert everything(filled.mind.store) == before


EVENT = {
    "at": "2026-03-01T00:00:00Z",
    "client": "x",
    "action": "contradicted",
    "other": None,
    "reason": "",
    "confidence": 1,
}


@pytest.mark.parametrize(
    ("section", "within", "change"),
    [
        ("sessions", "started_at", lambda record: record | {"started_at": "9999-01-01T00:00:00Z"}),
        ("sessions", "ended_at", lambda record: record | {"ended_at": "2026-03-02T12:00:01Z"}),
        ("sessions", "summary.created_at", lambda record: record | {"summary": SUMMARY | {"created_at": AHEAD}}),
        ("facts", "history.at", lambda record: record | {"history": [EVENT | {"at": AHEAD}]}),
        ("facts", "accepted_at", lambda record: record | {"accepted_at": AHEAD}),
        ("sessions", "", lambda record: record | {"summary": SUMMARY | {"key_facts": LONG_LIST, "code_refs": ["x"]}}),
        ("profiles", "", lambda record: record | {"pinned_facts": [*LONG_LIST, "x"]}),
        ("facts", "", lambda record: record | {"history": [EVENT | {"reason": each} for each in LONG_LIST]}),
    ],
)
def test_a_record_of_the_future_or_with_too_long_lists_is_refused(
    ada: Memory, small_export: Path, tmp_path: Path, section: str, within: str, change: Any
):
    def spoil(document: dict[str, Any]) -> None:
        document[section][0] = change(document[section][0])

    before = everything(ada.mind.store)
    refusal = ada.refuses("memory_import", path=changed(small_export, tmp_path / "x.json", spoil))
    assert refusal.code is Code.INVALID_INPUT
    assert f"Record 1 of {section} is not valid" in refusal.message
    assert [each.field for each in refusal.problems] == [f"{section}[1].{within}".removesuffix(".")]
    assert everything(ada.mind.store) == before


def test_a_long_text_is_taken_whole_and_a_long_category_cut(ada: Memory, small_export: Path, tmp_path: Path):
    """The older BigMind kept facts of any length, which an export of them brings back; categories are words."""
    text, masked = "word " * 10_000, "[masked: password]" * 10

    def stretch(document: dict[str, Any]) -> None:
        document["facts"][0] |= {"text": text.strip(), "category": "own " * 75}
        document["facts"][1] |= {"category": masked}

    ada("memory_import", path=changed(small_export, tmp_path / "x.json", stretch))
    first, second = exported(ada, tmp_path / "after.json")["facts"][:2]
    assert (first["text"], second["category"]) == (text.strip(), masked)
    assert (len(first["category"]) <= MOST_CATEGORY, first["category"][-1]) == (True, "…")
    assert not ada("memory_import", path=str(tmp_path / "after.json")).changed


def test_a_text_that_masking_makes_too_long_is_refused(ada: Memory, small_export: Path, tmp_path: Path):
    def leak(document: dict[str, Any]) -> None:
        document["facts"][0]["text"] = ("password: 'hunter2-xk' " * 5_000)[:100_000]

    refusal = ada.refuses("memory_import", path=changed(small_export, tmp_path / "x.json", leak))
    assert refusal.code is Code.INVALID_INPUT
    assert [each.field for each in refusal.problems] == ["facts[1].text"]
    assert "hunter2" not in str(refusal)


def test_a_record_at_the_bounds_is_taken(ada: Memory, small_export: Path, tmp_path: Path):
    def stretch(document: dict[str, Any]) -> None:
        document["profiles"][0] |= {"pinned_facts": LONG_LIST, "updated_at": "2026-03-02T12:00:00Z"}

    answer = ada("memory_import", path=changed(small_export, tmp_path / "x.json", stretch))
    assert counts(answer, "new") == whole(small_export)
