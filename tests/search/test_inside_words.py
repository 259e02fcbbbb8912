"""What stands inside words is found too: parts of identifiers, hashes, paths, versions, runs of kanji."""

import pytest

from bigmind.registry import KINDS
from bigmind.store.sqlite import trigrams
from bigmind.text.substrings import inside_words, pieces
from bigmind.text.words import folded, query_terms
from tests.mcp.manifest import shows
from tests.memory.living import Memory
from tests.search.hits import matched
from tests.thorough import spread

FILLER = "The weather was fine, we allocated an hour and had tea with the neighbours. "

INSIDE = {
    "JsonSerializerFactory": ["Serializ", "serializerfact", "sonSer", "nSerializerF", "FACTORY"],
    "timeout_ms": ["timeout_m", "meout_ms", "imeou"],
    "commit 9f4f2a7c1e": ["4f2a", "4F2A7C", "9f4f2a7c1e"],
    "src/app/main_window.py": ["app/main_w", "n_window.p", "main_win"],
    "release 1.24.3-rc1": ["1.24.3", "24.3-rc", ".24."],
    "数据库迁移在周五晚上进行": ["数据库", "库迁移", "在周五晚"],
    "データベースの移行": ["データベ", "タベース"],
    "Zürcher Dampfschifffahrtsgesellschaft": ["schifffahrt", "DAMPFSCHIFF", "gesellsch"],
    "décrémenter l'État": ["remente", "decrem"],
    "e\u0301le\u0301phantesque": ["elephant", "\u00e9l\u00e9phant", "e\u0301le\u0301phan"],
    "сериализатор": ["ериализ", "СЕРИАЛИЗ"],
    "key=" + "Ab1" * 60: ["b1Ab1Ab1", "Ab1" * 60],
}


def keep_all(memory: Memory, text: str) -> set[str]:
    """The text as a thing of each kind; their ids."""
    session = memory("memory_start_session").session_id
    kept = memory("memory_flag_important", content=f"See {text} there.", flag_reason="kept").chunk_id
    fact = memory("memory_store_fact", category="codebase", fact=f"It is {text} here").fact.fact_id
    belief = memory("memory_add_hypothesis", hypothesis=f"I believe in {text} now").hypothesis.hypothesis_id
    entry = memory("memory_promote_to_global", category="pattern", title="A title", content=f"Use {text} only")
    told = f"About {text} it was"
    memory("memory_end_session", session_id=session, one_liner="Done", topics=["x"], outcome="ok", summary=told)
    return {session, kept, fact, belief, entry.entry.entry_id}


@pytest.mark.parametrize("text", spread(INSIDE, 6))
@shows("memory_semantic_search.parts")
def test_a_piece_of_it_finds_it_in_every_kind_and_is_marked(memory: Memory, text: str):
    things = keep_all(memory, text)
    keep_all(memory, FILLER)
    for query in INSIDE[text]:
        hits = matched(memory("memory_semantic_search", query=query, limit=50))
        assert {hit.id for hit in hits} == things, query
        assert all("**" in hit.excerpt for hit in hits), query
        assert all(hit.why.startswith("words: ") for hit in hits), query
        assert len(memory("memory_search_chunks", query=query).hits) == 1
        assert len(memory("memory_search_global", query=query).hits) == 1


def test_the_part_that_a_piece_is_inside_of_is_what_is_marked(memory: Memory):
    keep_all(memory, "JsonSerializerFactory")
    [hit] = memory("memory_search_chunks", query="where is Serializ used").hits
    assert hit.excerpt == "See Json**Serializer**Factory there."
    assert hit.why == "words: serializer"


def test_what_contains_the_code_as_it_is_written_goes_before_what_has_its_parts_only(memory: Memory):
    right = "we raised timeout_ms to some other number then"
    for text in (
        "the ms of a timeout, a timeout in ms: timeout!",
        right,
        "ms and timeout, timeout and ms, timeout, ms",
    ):
        memory("memory_start_session")
        memory("memory_flag_important", content=text, flag_reason="kept")
    hits = memory("memory_search_chunks", query="what is timeout_ms").hits
    assert len(hits) == 3
    assert hits[0].excerpt == right.replace("timeout_ms", "**timeout_ms**")


def test_an_unknown_word_of_prose_brings_in_nothing_that_merely_contains_its_letters(memory: Memory):
    """`cat` stands in `allocated`; the rest of the question is found, so it is not looked for inside words."""
    memory("memory_flag_important", content=FILLER, flag_reason="kept")
    memory("memory_start_session")
    best = memory("memory_flag_important", content="What she eats is fish", flag_reason="kept").chunk_id
    assert [hit.chunk_id for hit in memory("memory_search_chunks", query="what fish does the cat eat").hits] == [best]


def test_a_piece_that_is_only_nearly_there_finds_nothing(memory: Memory):
    """All its trigrams stand in the text, and it does not."""
    memory("memory_flag_important", content="abcdxbcdefxcdefg", flag_reason="kept")
    assert memory("memory_search_chunks", query="x1abcdefg").hits == []
    assert memory("memory_search_chunks", query="abcdefg").hits == []
    assert len(memory("memory_search_chunks", query="bcdefx").hits) == 1


def test_pieces_are_found_within_what_is_asked_for_only(memory: Memory):
    memory("memory_start_session", project="engine")
    kept = memory("memory_flag_important", content="JsonSerializerFactory", flag_reason="kept").chunk_id
    assert [hit.chunk_id for hit in memory("memory_search_chunks", query="Serializ", project="engine").hits] == [kept]
    for restricted in ({"project": "loom"}, {"since": "2027-01-01"}):
        assert memory("memory_search_chunks", query="Serializ", **restricted).hits == []
        assert memory("memory_semantic_search", query="Serializ", **restricted).hits == []
    assert memory("memory_semantic_search", query="Serializ", kinds=["fact", "session"]).hits == []


def test_a_changed_or_forgotten_text_is_not_found_by_its_pieces(memory: Memory):
    kept = memory("memory_flag_important", content="JsonSerializerFactory", flag_reason="kept").chunk_id
    fact = memory("memory_store_fact", category="x", fact="JsonSerializerFactory").fact.fact_id
    memory("memory_deprecate_fact", fact_id=fact, reason="gone")
    assert [hit.id for hit in matched(memory("memory_semantic_search", query="Serializ"))] == [kept]
    memory.as_person()("memory_forget", id=kept, confirm=True)
    assert memory("memory_semantic_search", query="Serializ").hits == []


@pytest.mark.parametrize(
    "question",
    [
        "What did we decide about the login timeout?",
        "When did Caroline go to the LGBTQ support group - and why?",
        "why is it slow... (again)",
        "Wann haben wir die Datenbank umgezogen?",
        "qu'est-ce qu'on a décidé hier",
        "会议",
        "うまくいかなかった",
    ],
)
def test_prose_has_no_pieces(question: str):
    assert pieces(question) == []


@pytest.mark.parametrize(
    ("question", "found"),
    [
        ("why does `getUserById` fail?", ["getuserbyid"]),
        ("the file src/app/main.py, line 3", ["src/app/main.py"]),
        ("(foo->bar)", ["foo->bar"]),
        ("ValueError: x_1 in std::vector<int>", ["valueerror", "x_1", "std::vector<int"]),
        ("v1.24.3 or 0.9?", ["v1.24.3", "0.9"]),
        ("使用PostgreSQL数据库のデータ", ["数据库", "データ"]),
        ("ab c_ #1", []),
    ],
)
def test_code_is_looked_for_as_it_is_written(question: str, found: list[str]):
    assert pieces(question) == found


def test_words_of_scripts_without_blanks_are_not_looked_for_inside_words():
    """Pairs of characters find them already."""
    assert inside_words(query_terms("数据库 迁移 loom ab")) == ["loom"]


def test_of_many_that_contain_it_the_newest_are_found(memory: Memory):
    for number in range(120):
        memory("memory_store_fact", category="x", fact=f"Number {number} of JsonSerializerFactory{number}")
    hits = memory("memory_semantic_search", query="erializerFac", limit=100).hits
    assert len(hits) == 100
    assert min(int(hit.excerpt.split()[1]) for hit in hits) >= 20


def test_a_common_piece_does_not_take_the_room_of_a_rare_one(memory: Memory, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(trigrams, "MOST_READ", 2_000)
    rare = memory("memory_store_fact", category="x", fact="ThePsycopgConnectionPoolSize").fact.fact_id
    for number in range(60):
        memory("memory_store_fact", category="x", fact=f"Number {number} of JsonSerializerFactory{number}")
    hits = memory("memory_semantic_search", query="`erializerFac` or `sycopgConnectionPoo`", limit=100).hits
    assert rare in {hit.id for hit in hits}


def test_of_a_long_text_what_the_index_covers_is_read_and_no_more(memory: Memory, monkeypatch: pytest.MonkeyPatch):
    """Each row once, however many pieces there are."""
    read: list[int] = []

    def counted(text: str) -> str:
        read.append(len(text))
        return folded(text)

    monkeypatch.setattr(trigrams, "folded", counted)
    text = "JsonSerializerFactory in timeout_ms of app/main_window " + FILLER * 2_000
    for _ in range(5):
        memory("memory_start_session")
        memory("memory_flag_important", content=text, flag_reason="kept")
    hits = memory("memory_search_chunks", query="`erializerFac` `meout_m` `n_window` `erFactor`").hits
    assert len(hits) == 5
    assert len(read) == 5
    assert max(read) <= 20_000 + len("\nkept")


def test_a_row_is_read_by_its_key(memory: Memory):
    """The view that holds what the index covers is no copy."""
    with memory.mind.store.read(memory.caller, "test") as work:
        for kind in KINDS.searched:
            table, columns = kind.name, ", ".join(kind.searched)
            said = f"SELECT {columns} FROM {table}_inside WHERE id IN (SELECT value FROM json_each('[1]'))"
            plan = " ".join(row[3] for row in work.session.connection().exec_driver_sql(f"EXPLAIN QUERY PLAN {said}"))
            key = "INDEX ix_profile_id (id=?)" if kind.is_single else "INTEGER PRIMARY KEY (rowid=?)"
            assert f"SEARCH {table} USING {key}" in plan


@pytest.mark.parametrize(
    ("text", "query"),
    [
        ("Parts are scarce now", "car"),
        ("It is important", "port"),
        ("allocated by hand", "cat"),
        ("the biology", "log"),
    ],
)
def test_a_few_letters_in_the_middle_of_a_word_find_nothing(memory: Memory, text: str, query: str):
    memory("memory_flag_important", content=text, flag_reason="kept")
    assert memory("memory_search_chunks", query=query).hits == []


@pytest.mark.parametrize(("text", "query"), [("a postgresql server", "sql"), ("the catalogue", "cat"), ("x42y", "42y")])
def test_a_few_letters_at_the_edge_of_a_word_find_it(memory: Memory, text: str, query: str):
    memory("memory_flag_important", content=text, flag_reason="kept")
    assert len(memory("memory_search_chunks", query=query).hits) == 1
