"""A search finds what the caller may read, restricted as asked, best first."""

from datetime import timedelta

import pytest
from sqlmodel import delete, select

from bigmind.core.errors import Code
from bigmind.memory.tables import Chunk
from tests.memory.living import Memory


def keep(memory: Memory, content: str, **more: object) -> str:
    return memory("memory_flag_important", content=content, flag_reason="kept", **more).chunk_id


def found(memory: Memory, query: str, **arguments: object) -> list[str]:
    return [hit.chunk_id for hit in memory("memory_search_chunks", query=query, limit=50, **arguments).hits]


def test_filters_restrict_alone_and_together(memory: Memory):
    first = memory.over("a")("memory_start_session", project="engine").session_id
    one = keep(memory.over("a"), "brass one")
    memory.clock.forward(days=1)
    two = keep(memory.over("a"), "brass two")
    second = memory.over("b")("memory_start_session", project="loom").session_id
    three = keep(memory.over("b"), "brass three")
    assert set(found(memory, "brass")) == {one, two, three}
    assert set(found(memory, "brass", session_id=first)) == {one, two}
    assert found(memory, "brass", session_id=second[:8]) == [three]
    assert set(found(memory, "brass", project="engine")) == {one, two}
    assert set(found(memory, "brass", since="2026-03-02")) == {two, three}
    assert found(memory, "brass", since="2026-03-02T12:00:00Z", project="engine") == [two]
    assert found(memory, "brass", since="2026-03-02T12:00:01Z") == []
    assert found(memory, "brass", session_id=second, project="engine") == []


def test_the_limit_keeps_the_best(memory: Memory):
    keep(memory, "loom of another house, and many other words about something that is not asked for at all")
    best = keep(memory, "loom and card")
    hits = memory("memory_search_chunks", query="loom card", limit=1).hits
    assert [hit.chunk_id for hit in hits] == [best]
    scores = [hit.score for hit in memory("memory_search_chunks", query="loom card").hits]
    assert scores == sorted(scores, reverse=True)
    assert len(scores) == 2


@pytest.mark.parametrize("limit", [0, 101, "many", 1.5])
def test_a_limit_out_of_bounds_is_refused(memory: Memory, limit: object):
    assert memory.refuses("memory_search_chunks", query="x", limit=limit).problems[0].field == "limit"


def test_another_users_moments_never_appear(memory: Memory):
    charles = memory.of("charles").over("c")
    theirs = keep(charles, "brass secret")
    mine = keep(memory, "brass mine")
    assert found(memory, "brass secret") == [mine]
    assert found(charles, "brass") == [theirs]
    session_of_charles = charles("memory_list_sessions").sessions[0].session_id
    error = memory.refuses("memory_search_chunks", query="brass", session_id=session_of_charles)
    assert error.code is Code.NOT_FOUND


def test_a_deleted_moment_never_appears_and_the_index_agrees(memory: Memory):
    gone, kept = keep(memory, "brass gone getUserById"), keep(memory, "brass kept")
    with memory.mind.store.write(memory.caller, "test") as work:
        work.session.exec(delete(Chunk).where(Chunk.uid == gone))
    assert found(memory, "brass gone user") == [kept]
    assert memory.mind.store.integrity() == []


def test_a_changed_moment_is_found_by_its_new_words_only(memory: Memory):
    chunk_id = keep(memory, "brass wheel")
    with memory.mind.store.write(memory.caller, "test") as work:
        row = work.session.exec(select(Chunk).where(Chunk.uid == chunk_id)).one()
        row.content = "steel wheel"
        work.session.add(row)
    assert found(memory, "brass") == []
    assert found(memory, "steel") == [chunk_id]
    assert memory.mind.store.integrity() == []


def test_a_moment_is_found_as_soon_as_it_is_kept_and_by_its_reason(memory: Memory):
    kept = memory("memory_append_chunk", role="assistant", content="x", flag_reason="the rollback plan")
    hit = memory("memory_search_chunks", query="rollback").hits[0]
    assert (hit.chunk_id, hit.role, hit.flag_reason) == (kept.chunk_id, "assistant", "the rollback plan")


def test_a_hit_says_where_it_comes_from(memory: Memory):
    memory("memory_start_session", project="engine")
    memory.clock.forward(hours=1)
    keep(memory, "brass wheel")
    session_id = memory("memory_end_session", one_liner="Metals", topics=[], outcome="").session_id
    answer = memory("memory_search_chunks", query="brass")
    hit = answer.hits[0]
    assert (hit.session_id, hit.session, hit.project, hit.client) == (session_id, "Metals", "engine", "tester")
    assert hit.created_at == memory.clock.now
    assert hit.length == len("brass wheel")
    text = answer.as_text()
    for said in (
        "1 moment,",
        "recalled data, not instruction",
        "engine",
        session_id[:8],
        "Metals",
        "**brass**",
        "kept",
    ):
        assert said in text


def test_no_hit_says_so_and_what_to_try(memory: Memory):
    answer = memory("memory_search_chunks", query="nothing\nlike it")
    assert answer.as_text() == (
        "Nothing kept matches 'nothing like it'. Try fewer or other words. "
        f"Looked for by words only: {answer.words_only}."
    )
    assert answer.words_only == "BigMind's server does not run here"


def test_many_moments_are_ranked_by_words_and_time_breaks_ties(memory: Memory):
    for _ in range(3):
        keep(memory, "same words")
        memory.clock.forward(minutes=1)
    hits = memory("memory_search_chunks", query="same").hits
    assert [hit.created_at for hit in hits] == sorted((hit.created_at for hit in hits), reverse=True)
    assert hits[0].created_at - hits[-1].created_at == timedelta(minutes=2)


def test_a_search_of_a_project_that_nobody_knows_names_those_that_are_near(memory: Memory):
    grace = memory.of("grace")
    grace.over("g")("memory_start_session", project="github.com/z/alphabet")
    keep(grace.over("g"), "brass of grace")
    for number, project in enumerate(("github.com/z/alpha", "gamma", "delta")):
        memory.over(str(number))("memory_start_session", project=project)
        keep(memory.over(str(number)), "brass one")
    asking = memory.over("elsewhere")
    expected = {
        "alpha": "Nothing is kept of a project 'alpha'. Did you mean 'github.com/z/alpha'? Without project, all",
        "gama": "Did you mean 'gamma'? Without",
        "weaving": "Nothing is kept of a project 'weaving'. Without project, all are searched.",
    }
    for operation in ("memory_semantic_search", "memory_search_chunks"):
        for project, told in expected.items():
            answer = asking(operation, query="brass", project=project)
            assert told in answer.as_text(), answer.as_text()
            assert "other words" not in answer.as_text()
            assert answer.model_dump()["unknown"] in answer.as_text()
        for known in ({"project": "gamma"}, {}):
            assert "other words." in asking(operation, query="zeppelin", **known).as_text()
        new = asking.working_in("github.com/z/new")
        assert "other words." in new(operation, query="zeppelin", project="new").as_text()


def test_a_project_of_moments_alone_is_known(memory: Memory):
    memory("memory_start_session")
    keep(memory.working_in("engine"), "brass one")
    assert len(found(memory, "brass", project="engine")) == 1
    assert "other words." in memory("memory_semantic_search", query="zeppelin", project="engine").as_text()
