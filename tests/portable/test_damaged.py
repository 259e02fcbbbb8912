"""Five hundred damaged exports: each is refused over HTTP in clear words, and nothing is changed or left behind."""

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest

from bigmind.core.errors import Code
from bigmind.maintenance.forgetting import finish_forgetting
from bigmind.people.token_format import TokenKind
from bigmind.portable.format.document import export_schema
from bigmind.portable.format.records import FORMS
from bigmind.registry import KINDS
from tests.http.inside import Inside, server_inside
from tests.memory.living import Memory, living
from tests.portable.damage import damages
from tests.portable.files import changed, everything, left_behind
from tests.thorough import often

COUNT = often(500, 50)
CLEAR = {Code.INVALID_INPUT, Code.TOO_LARGE}
CANARY = "zwetschgenmus"


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Inside]:
    with server_inside(tmp_path_factory.mktemp("damaged") / "home") as inside:
        yield inside


@pytest.fixture(scope="module")
def http(served: Inside) -> Iterator[httpx.Client]:
    with served.http(served.token(kind=TokenKind.CLI)) as client:
        yield client


def test_each_of_five_hundred_damaged_exports_is_refused_and_changes_nothing(
    served: Inside, http: httpx.Client, small_export: Path, tmp_path: Path
):
    assert http.post("/api/v1/memory_import", json={"path": str(small_export)}).status_code == 200
    before, files = everything(served.mind.store), _bytes_of(served.home)
    path, tried = tmp_path / "damaged.json", 0
    for tried, (what, content) in enumerate(damages(small_export.read_bytes(), COUNT), start=1):
        path.write_bytes(content)
        mode = "replace" if tried % 2 else "merge"
        answered = http.post("/api/v1/memory_import", json={"path": str(path), "mode": mode, "dry_run": tried % 3 == 0})
        assert answered.status_code in {422, 413}, (what, answered.text)
        said = answered.json()
        assert said["code"] in CLEAR, what
        assert said["title"].startswith(("The file ", "Record ", "The header ", "damaged.json is not ")), what
        assert said.get("fields") or said.get("hint"), what
        assert len(answered.text) < 4_000, what
        if tried % 50 == 0:
            assert everything(served.mind.store) == before, what
    assert tried >= COUNT
    assert everything(served.mind.store) == before
    assert left_behind(served.home) == []
    assert _bytes_of(served.home) == files


def _bytes_of(home: Path) -> dict[str, bytes]:
    """The store's files, but for the lock's words, which are the process's."""
    return {file.name: file.read_bytes() for file in sorted(home.iterdir()) if file.name.startswith("bigmind.db")}


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (b"PK\x03\x04 and more", "is a zip archive"),
        (b"\x1f\x8b\x08 and more", "is compressed with gzip"),
        (b"SQLite format 3\x00" + bytes(4_000), "not a memory of the older BigMind"),
        (b"", "is empty"),
        (b"[]", "does not begin with a JSON object"),
        (b"{}", "has no header"),
        (
            b'{"header": {"format": "bigmind-export", "version": 9}}',
            "is an export of version 9; this BigMind reads versions up to 5",
        ),
        (b'{"facts": [', "ends before it is complete, or is not JSON in UTF-8, after its beginning"),
        (b'{"dreams": [], "header": {}}', "a part that no export has, before any header"),
        (b'{"header": [' + b"[]," * 300_000 + b"0]}", "holds too much in its beginning"),
        (b'{"header":' + b'{"a":' * 50, "is nested deeper than 12 levels"),
    ],
)
def test_what_is_wrong_with_a_file_is_said(ada: Memory, tmp_path: Path, content: bytes, said: str):
    path = tmp_path / "wrong.json"
    path.write_bytes(content)
    refusal = ada.refuses("memory_import", path=str(path))
    assert refusal.code is Code.INVALID_INPUT
    assert said in refusal.message


def test_the_record_and_the_field_are_named(ada: Memory, small_export: Path, tmp_path: Path):
    path = tmp_path / "wrong.json"
    path.write_bytes(small_export.read_bytes().replace(b'"importance":', b'"importance":"high","x":', 1))
    refusal = ada.refuses("memory_import", path=str(path))
    assert str(refusal).splitlines()[:2] == [
        "Record 1 of sessions is not valid; nothing was imported.",
        "- sessions[1].importance: got a text of 4 characters; expected a valid integer",
    ]


def test_lists_within_a_record_count_from_one_as_records_do(ada: Memory, small_export: Path, tmp_path: Path):
    def spoil(document: dict[str, Any]) -> None:
        document["thoughts"][0]["links"] = [{"id": document["thoughts"][1]["id"]}]

    refusal = ada.refuses("memory_import", path=changed(small_export, tmp_path / "wrong.json", spoil))
    assert "- thoughts[1].links[1].relation: got nothing; expected a value: the field is required" in str(refusal)


@pytest.mark.parametrize(
    ("section", "change", "said"),
    [
        (
            "facts",
            {"id": "../../etc"},
            "- facts[1].id: got a text of 9 characters; expected an id as BigMind makes them,",
        ),
        ("facts", {"session": "12"}, "- facts[1].session: got a text of 2 characters; expected an id as BigMind makes"),
        (
            "thoughts",
            {"temporal_scope": "March"},
            "- thoughts[1].temporal_scope: got a text of 5 characters; expected a day",
        ),
    ],
)
def test_a_form_that_is_not_kept_to_is_told_in_words(
    ada: Memory, small_export: Path, tmp_path: Path, section: str, change: dict[str, str], said: str
):
    def spoil(document: dict[str, Any]) -> None:
        document[section][0] |= change

    told = str(ada.refuses("memory_import", path=changed(small_export, tmp_path / "wrong.json", spoil)))
    assert said in told
    assert "pattern" not in told


def test_no_refusal_tells_what_a_file_holds(ada: Memory, small_export: Path, tmp_path: Path):
    """An agent may name any JSON file of the person's; what stands in it is not told back."""
    path = tmp_path / "credentials.json"
    holding = [
        b'{"%s": {"token": "%s"}}',
        b'{"token": "%s" "%s"}',
        b'{"%s": "%s"',
        b"%s %s",
        b'{"header": {"%s": "%s"}}',
        b'{"header": {"format": "%s", "%s": 1}}',
        b'{"header": "%s%s"}',
    ]
    for content in holding:
        path.write_bytes(content % (CANARY.encode(), CANARY.encode()))
        assert CANARY not in str(ada.refuses("memory_import", path=str(path)))
    for field in (b'"importance":', b'"started_at":', b'"topics":', b'"id":'):
        path.write_bytes(small_export.read_bytes().replace(field, field + b'"' + CANARY.encode() + b'","a":', 1))
        assert CANARY not in str(ada.refuses("memory_import", path=str(path)))


def test_a_fault_in_the_last_record_undoes_all(ada: Memory, small_export: Path, tmp_path: Path):
    content = small_export.read_bytes()
    last = content.rindex(b'"category":')
    path = tmp_path / "last.json"
    path.write_bytes(content[:last] + b'"category":"rumour"' + content[content.index(b",", last) :])
    before = everything(ada.mind.store)
    assert "thoughts[12].category" in str(ada.refuses("memory_import", path=str(path)))
    assert everything(ada.mind.store) == before


def test_a_fault_while_writing_undoes_all(ada: Memory, small_export: Path):
    """The last section fails after all others were written."""
    with ada.mind.store.write(ada.caller, "test") as work:
        connection = work.session.connection()
        fails = "BEGIN SELECT RAISE(ABORT, 'no'); END"
        connection.exec_driver_sql(f"CREATE TRIGGER fail AFTER INSERT ON thought_link {fails}")
    before = everything(ada.mind.store)
    assert ada.refuses("memory_import", path=str(small_export)).code is Code.CONFLICT
    finish_forgetting(ada.mind.store)  # as the next start does: what was taken back may have left bytes
    assert everything(ada.mind.store) == before
    assert left_behind(ada.mind.store.home) == []


def test_what_a_killed_import_left_is_gone_at_the_next_start(home: Path):
    """Every text of the file stands in it, secrets and all."""
    with living(home):
        pass
    (home / ".import-0123456789abcdef.db").write_bytes(b"SQLite format 3\x00" + CANARY.encode())
    with living(home):
        assert left_behind(home) == []


def test_every_form_of_a_text_has_words():
    schema = json.dumps(export_schema(KINDS))
    assert {json.loads(each) for each in re.findall(r'"pattern": ("(?:[^"\\]|\\.)*")', schema)} == set(FORMS)
