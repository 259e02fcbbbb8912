"""What the parts of a search bring about together, in a real store."""

from datetime import UTC, datetime

from bigmind.embedding.models import Model
from bigmind.embedding.vector_index import VectorMatch
from bigmind.search import engine
from bigmind.search.candidates import CandidatePlace, CandidatePool, WordScores
from bigmind.search.finding import find
from bigmind.search.scope import SearchQuery
from bigmind.store.descriptions import TermCounts
from tests.memory.living import Memory
from tests.search.alike import alike_in
from tests.search.hits import kinds_matched


def keep(memory: Memory, *contents: str) -> str:
    """Keep moments in a session of their own; its id."""
    opened = memory("memory_start_session", project="engine")
    for content in contents:
        memory("memory_append_chunk", role="user", content=content, flag_reason="kept")
    memory("memory_end_session", one_liner="A talk", topics=["talk"], outcome="over")
    return opened.session_id


def found(memory: Memory, query: str, **more: object) -> list[str]:
    return [hit.excerpt.replace("**", "") for hit in memory("memory_search_chunks", query=query, **more).hits]


def test_the_answer_to_a_question_is_found_by_the_words_of_the_question(memory: Memory) -> None:
    keep(
        memory,
        "Which port does the gateway listen on?",
        "On 8443, since the audit.",
        "Thank you, that was all for now.",
    )
    keep(memory, "Lunch was late again, and nobody minded much about it.")
    assert "On 8443, since the audit." in found(memory, "gateway port", limit=2)


def test_a_moment_of_the_time_that_is_named_goes_first(memory: Memory) -> None:
    for month in (2, 5, 9):
        memory.clock.now = datetime(2025, month, 8, 12, tzinfo=UTC)
        keep(memory, f"We moved the loom to another hall, for the {month}. time.")
    memory.clock.now = datetime(2026, 3, 1, tzinfo=UTC)
    assert found(memory, "where did the loom move in May 2025")[0].endswith("5. time.")
    assert found(memory, "where did the loom move on 2025-09-08")[0].endswith("9. time.")


def test_who_is_named_is_found_before_who_only_says_the_same(memory: Memory) -> None:
    keep(memory, "Grace: I prefer tabs to spaces in every makefile.")
    keep(memory, "Alan: I prefer tabs to spaces in every makefile.")
    assert found(memory, "What does Grace prefer, tabs or spaces?")[0].startswith("Grace")


def test_a_kind_whose_best_hardly_fits_does_not_go_before_what_fits(memory: Memory) -> None:
    keep(memory, "The staging database fails over to the second zone within a minute.")
    memory("memory_store_fact", category="codebase", fact="The zone of the office clock is staging.")
    found = kinds_matched(memory("memory_semantic_search", query="staging database failover zone"))
    assert [kind for kind in found if kind in {"chunk", "fact"}] == ["chunk", "fact"]


def test_all_moments_of_one_session_are_measured_however_many_others_are_nearer(memory: Memory) -> None:
    with alike_in(memory) as index:
        wanted = keep(memory, "one thing", "another thing")
        for number in range(4):
            keep(memory, *(f"noise {number} {each}" for each in range(40)))
        index.catch_up()
        assert sorted(
            found(memory, "qqq", session_id=wanted, limit=1) + found(memory, "qqq", session_id=wanted)[1:]
        ) == [
            "another thing",
            "one thing",
        ]


def test_neighbours_that_the_filter_leaves_out_are_not_found(memory: Memory) -> None:
    memory.clock.now = datetime(2025, 5, 8, tzinfo=UTC)
    memory("memory_start_session", project="engine")
    memory("memory_append_chunk", role="user", content="too early", flag_reason="kept")
    memory.clock.now = datetime(2025, 5, 9, tzinfo=UTC)
    memory("memory_append_chunk", role="user", content="the loom stands still", flag_reason="kept")
    memory("memory_append_chunk", role="user", content="beside it", flag_reason="kept")
    wanted = "why does the loom stand still"
    assert set(found(memory, wanted, since="2025-05-09T00:00:00Z")) == {"the loom stands still", "beside it"}
    assert found(memory, "loom") == ["the loom stands still"]  # beside one word, or a name, it would be noise


def test_over_a_connection_without_sqlite_vec_it_goes_by_words_and_says_why(memory: Memory) -> None:
    keep(memory, "the loom is blue", "the heddle is red")
    with alike_in(memory) as index:
        index.catch_up()
        assert memory("memory_search_chunks", query="loom").words_only == ""
        with memory.mind.store.write(memory.caller, "test") as work:  # the connection that writes never loads it
            answer = find(work, SearchQuery("loom", 1), ["chunk"])
    assert [hit.has_words for hit in answer.hits] == [True]
    assert "sqlite-vec" in answer.words_only


def test_a_letter_before_a_colon_names_nobody(memory: Memory) -> None:
    keep(memory, "e: the login certificate, see the link for all of it")
    keep(memory, "The login certificate was renewed in the vault on the second floor.")
    assert found(memory, "where was the login certificate renewed")[0].startswith("The login")


def test_scores_tell_nothing_of_what_others_keep(memory: Memory) -> None:
    def scores() -> list[float]:
        return [hit.score for hit in memory("memory_semantic_search", query="alpha zephyrine").hits]

    memory("memory_store_fact", category="codebase", fact="alpha report is done")
    charles = memory.of("charles")
    before = scores()
    for number in range(5):
        charles("memory_store_fact", category="codebase", fact=f"zephyrine number {number}")
    assert scores() == before == [1.0]


def test_where_nothing_answers_the_little_that_is_nearest_is_shown() -> None:
    near = {
        key: VectorMatch(key, similarity, 0, 9)
        for key, similarity in ((1, 0.1), (2, 0.3), (3, 0.25), (4, 0.28), (5, 0.34))
    }
    known = {key: CandidatePlace(0, 0, "", "") for key in (1, 2, 3, 4)}  # the fifth may not be found
    pool = CandidatePool("fact", WordScores({}), near, known, TermCounts(5, {}, {}))
    measure = engine._Measure({"fact": pool}, Model("some", alike=0.35), {})
    hits = engine._nearest([pool], measure)
    assert [(hit.key, hit.is_good) for hit in hits] == [(2, False), (4, False)]
