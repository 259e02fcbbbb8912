"""Identifiers are found by their parts, and scripts without blanks by the words inside."""

from collections.abc import Iterator

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from bigmind.text.stop_words import ENGLISH
from bigmind.text.words import MOST_TERMS, index_terms, query_terms
from tests.mcp.manifest import shows
from tests.memory.living import Memory, living
from tests.thorough import often


@pytest.fixture(scope="module")
def memory(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Memory]:
    with living(tmp_path_factory.mktemp("identifiers") / "home") as opened:
        yield opened


def keep(memory: Memory, text: str) -> str:
    return memory("memory_flag_important", content=text, flag_reason="kept").chunk_id


def finds(memory: Memory, query: str, chunk_id: str, session_id: str | None = None) -> bool:
    answer = memory("memory_search_chunks", query=query, limit=100, session_id=session_id)
    return any(hit.chunk_id == chunk_id for hit in answer.hits)


EXAMPLES = {
    "getUserById": ["get", "user", "id", "getUserById", "getuserbyid", "GETUSERBYID", "UserById"],
    "user_id": ["user", "id", "user_id", "USER_ID"],
    "src/app/main.py": ["src", "app", "main", "py", "main.py", "app/main.py", "src/app/main.py"],
    "HTTPServerError": ["http", "server", "error", "HTTPServerError", "ServerError"],
    "utf8mb4": ["utf", "utf8mb4", "mb", "utf8"],
    "kebab-case-name": ["kebab", "case", "name", "kebab-case-name"],
    "std::vector<int>": ["std", "vector", "std::vector", "std::vector<int>"],
    "com.example.Loom": ["com", "example", "loom", "com.example.Loom"],
    "MAX_RETRY_COUNT": ["max", "retry", "count", "MAX_RETRY_COUNT"],
    "getHTTP2URL": ["http", "url", "getHTTP2URL"],
    "--no-verify": ["no-verify", "verify"],
    "foo->bar()": ["foo", "bar", "foo->bar()"],
    "@nestjs/common": ["nestjs", "common", "@nestjs/common"],
    "ValueError('x')": ["value", "ValueError"],
    "v1.24.3-rc1": ["1.24.3", "rc1", "v1.24.3-rc1"],
    "数据库迁移在周五晚上进行": ["数据", "数据库", "迁移", "周五", "晚上", "库", "行", "数据库迁移"],
    "データベースの移行は金曜日の夜です": ["データベース", "移行", "金曜日", "夜", "ベース"],
    "การย้ายฐานข้อมูลจะเกิดขึ้นคืนวันศุกร์": ["ฐานข้อมูล", "ข้อมูล", "วันศุกร์"],
    "데이터베이스 마이그레이션은금요일밤": ["데이터베이스", "데이터", "금요일", "마이그레이션"],
    "使用PostgreSQL数据库": ["postgresql", "PostgreSQL", "数据库", "使用"],
    "Zürich-Straße": ["zurich", "Zürich", "straße"],
}


@pytest.mark.parametrize("text", EXAMPLES)
@shows("memory_search_chunks.parts")
def test_an_identifier_or_a_sentence_is_found_by_its_parts(memory: Memory, text: str):
    chunk_id = keep(memory, f"See {text} for it.")
    missed = [part for part in EXAMPLES[text] if not finds(memory, part, chunk_id)]
    assert not missed


PARTS = st.lists(
    st.text("abcdefghijklmnopqrstuvwxyz", min_size=2, max_size=9).filter(lambda word: word not in ENGLISH),
    min_size=2,
    max_size=5,
    unique=True,
)
STYLES = {
    "camelCase": lambda parts: parts[0] + "".join(map(str.capitalize, parts[1:])),
    "PascalCase": lambda parts: "".join(map(str.capitalize, parts)),
    "ACRONYMCase": lambda parts: parts[0].upper() + "".join(map(str.capitalize, parts[1:])),
    "snake_case": "_".join,
    "SCREAMING_SNAKE": lambda parts: "_".join(parts).upper(),
    "kebab-case": "-".join,
    "path": lambda parts: "/".join(parts) + ".py",
    "windows path": lambda parts: "C:\\" + "\\".join(parts),
    "dotted": ".".join,
    "scoped": "::".join,
    "call": lambda parts: f"{'->'.join(parts)}()",
}


@settings(max_examples=often(100, 15), deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(parts=PARTS, style=st.sampled_from(sorted(STYLES)))
def test_a_made_identifier_is_found_by_each_of_its_parts_and_as_a_whole(memory: Memory, parts: list[str], style: str):
    identifier = STYLES[style](parts)
    session_id = memory("memory_start_session").session_id
    chunk_id = keep(memory, f"it uses {identifier}, mostly")
    missed = [part for part in (*parts, identifier) if not finds(memory, part, chunk_id, session_id)]
    assert not missed


def test_a_word_that_stands_nowhere_in_it_does_not_find_it(memory: Memory):
    chunk_id = keep(memory, "getUserById")
    assert not finds(memory, "serbi", chunk_id)
    assert not finds(memory, "loom", chunk_id)


@pytest.mark.parametrize(
    ("query", "terms"),
    [
        ("0xdeadbeefcafe", ["0xdeadbeefcafe", "xdeadbeefcafe"]),
        ("S3", ["s3"]),
        ("S3Bucket", ["s3bucket", "bucket"]),
        ("plan B", ["plan", "b"]),
        ("vitamin C3", ["vitamin", "c3"]),
        ("Priya's birthday", ["priya", "birthday"]),
        ("Priya\u2019s birthday", ["priya", "birthday"]),
        ("s = 's'", ["s"]),
        ("使用C语言", ["使用c语言", "使用", "用", "c", "语言", "言"]),
    ],
)
def test_parts_of_one_character_are_not_looked_for_where_the_whole_is(query: str, terms: list[str]):
    assert query_terms(query) == terms


def test_what_has_only_a_character_in_common_with_an_identifier_is_not_found(memory: Memory):
    sessions = [memory("memory_start_session").session_id]
    other = keep(memory, "It has 0 errors and 3 of Ada's warnings")
    sessions.append(memory("memory_start_session").session_id)
    wanted = keep(memory, "put it into S3")
    assert finds(memory, "S3", wanted, sessions[1])
    assert not finds(memory, "S3", other, sessions[0])
    assert not finds(memory, "0xdeadbeefcafe", other, sessions[0])


def test_prose_needs_no_terms_of_its_own():
    assert index_terms("The quick brown fox, who jumps over THE lazy dog.") == ""


def test_the_terms_of_one_text_are_bounded():
    text = " ".join(f"getThing{number}Now" for number in range(20_000))
    assert len(index_terms(text).split()) == MOST_TERMS
