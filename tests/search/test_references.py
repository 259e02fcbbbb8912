"""An id, or its first eight characters, finds its thing."""

import pytest

from bigmind.search.references import ids_in, is_nothing_else
from tests.memory.living import Memory
from tests.search.hits import matched


def kept(memory: Memory) -> dict[str, str]:
    """One thing of each kind, by its kind."""
    session = memory("memory_start_session", project="engine").session_id
    chunk = memory("memory_flag_important", content="The loom weaves", flag_reason="kept").chunk_id
    fact = memory("memory_store_fact", category="codebase", fact="The loom is blue").fact.fact_id
    belief = memory("memory_add_hypothesis", hypothesis="I believe in looms").hypothesis.hypothesis_id
    entry = memory("memory_promote_to_global", category="pattern", title="Looms", content="One for each").entry.entry_id
    memory("memory_end_session", one_liner="Weaving", topics=["loom"], outcome="ok")
    return {"session": session, "chunk": chunk, "fact": fact, "hypothesis": belief, "knowledge": entry}


WRITTEN = ("{}", "`{}`", '"{}"', "({})", "  {}\n", "{}?")


def test_an_id_or_the_beginning_of_one_finds_its_thing_and_nothing_else(memory: Memory) -> None:
    things = kept(memory)
    for number, uid in enumerate(things.values()):
        for reference in (uid, uid[:8], uid[:13].upper()):
            answer = memory("memory_semantic_search", query=WRITTEN[number].format(reference))
            assert [(hit.id, hit.score, hit.similarity) for hit in matched(answer)] == [(uid, 1.0, 1.0)]
            assert answer.answers_well
            assert "its id" in matched(answer)[0].why
    assert memory("memory_search_chunks", query=things["chunk"][:8]).hits[0].chunk_id == things["chunk"]
    assert memory("memory_search_global", query=things["knowledge"]).hits[0].entry.entry_id == things["knowledge"]


def test_among_words_it_goes_first(memory: Memory) -> None:
    things = kept(memory)
    for kind, uid in things.items():
        found = matched(memory("memory_semantic_search", query=f"what about the loom of {uid[:8]} and weaving?"))
        first = found[0] if kind != "chunk" else next(each for each in found if each.id == uid)
        assert (first.id, first.why.split(";")[0]) == (uid, "its id")
        assert len(found) > 1


def test_an_id_finds_within_what_is_asked_for_and_allowed_only(memory: Memory) -> None:
    things = kept(memory)
    charles = memory.of("charles")
    for kind, uid in things.items():
        others = [each for each in things if each != kind]
        assert matched(memory("memory_semantic_search", query=uid, kinds=others)) == []
        assert matched(memory("memory_semantic_search", query=uid, project="elsewhere")) == []
        assert [each.id for each in matched(charles("memory_semantic_search", query=uid))] == (
            [uid] if kind == "knowledge" else []
        )
    memory("memory_deprecate_fact", fact_id=things["fact"], reason="red now")
    assert memory("memory_semantic_search", query=things["fact"]).hits == []


@pytest.mark.parametrize(
    ("query", "found"),
    [
        ("1f0c9a2e", ["1f0c9a2e"]),
        ("1F0C9A2E and 1f0c9a2e", ["1f0c9a2e"]),
        ("1f0c9a2", []),
        ("x1f0c9a2e", []),
        ("1f0c9a2e4", ["1f0c9a2e4"]),
        ("1f0c9a2ez", []),
        ("what of 1f0c9a2e-1111?", ["1f0c9a2e-1111"]),
    ],
)
def test_what_may_be_an_id_is_read_out_of_a_question(query: str, found: list[str]) -> None:
    assert ids_in(query) == found
    assert is_nothing_else(query) is (len(query.split()) == 1 and bool(found))
