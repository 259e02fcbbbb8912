"""What the model does not read is found by its words, and is near to nothing."""

from dataclasses import replace
from datetime import UTC, datetime

import pytest
from sqlmodel import select

from bigmind.core.operation import Presence
from bigmind.embedding.embedder import EmbeddedPiece
from bigmind.embedding.models import MINILM, MULTILINGUAL
from bigmind.search.documents import EmbeddingDocument
from bigmind.search.vector_rows import replace as replace_vectors
from bigmind.search.vector_rows import rows_of
from bigmind.store.tables import Embedding, EmbeddingQueue
from tests.memory.living import Memory
from tests.search.alike import alike, alike_in

ROCKET = "We use 🚀 emoji in the commit titles"
JAPANESE = "データベースの移行は金曜日です。"
CHINESE = "数据库迁移在周五晚上进行。"
ARABIC = "نحن ننشر يوم الجمعة بعد الاختبار"
LATIN = "The table 東京 holds the offices of Tokyo"


def facts(memory: Memory, query: str) -> list[str]:
    return [hit.excerpt for hit in memory("memory_semantic_search", query=query, kinds=["fact"]).hits]


def keep(memory: Memory, *those: str) -> None:
    for fact in those:
        memory("memory_store_fact", category="codebase", fact=fact)


@pytest.mark.parametrize("query", ["🚀", "✓", "☺", "😀😀😀", "∀x", "x" * 10_000])
def test_a_question_without_a_word_is_looked_for_by_words_and_the_answer_says_so(memory: Memory, query: str) -> None:
    keep(memory, ROCKET, JAPANESE, CHINESE, ARABIC, LATIN)
    with alike_in(memory) as index:
        index.catch_up()
        answer = memory("memory_semantic_search", query=query, kinds=["fact"])
    assert answer.words_only == f"the question has no word that {MINILM.name} reads"
    assert [hit.excerpt for hit in answer.hits] == ([ROCKET.replace("🚀", "**🚀**")] if query == "🚀" else [])


@pytest.mark.parametrize("query", ["١", "金曜日の", "Привет"])
def test_a_question_in_another_script_is_told_which_model_reads_it(memory: Memory, query: str) -> None:
    with alike_in(memory):
        answer = memory("memory_semantic_search", query=query)
    assert answer.words_only == f"{MINILM.name} does not read this script, {MULTILINGUAL.name} does"


def test_what_the_model_does_not_read_is_near_to_nothing_and_lacks_nothing(memory: Memory) -> None:
    keep(memory, JAPANESE, CHINESE, ARABIC, "🚀 ✓", LATIN)
    with alike_in(memory) as index:
        index.catch_up()
        assert facts(memory, "what do we do") == [LATIN]
        assert facts(memory, "金曜日") == [JAPANESE.replace("金曜日", "**金曜日**")]
        with memory.mind.store.read(memory.caller, "test") as work:
            assert len(work.session.exec(select(Embedding.id)).all()) == 1
            assert not work.session.exec(select(EmbeddingQueue.id)).all()
        assert memory("memory_health_check").findings == []


def test_vectors_that_an_earlier_version_made_of_it_go_when_everything_is_embedded_anew(memory: Memory) -> None:
    keep(memory, JAPANESE)
    told = EmbeddingDocument("", ROCKET, memory.caller.user_id, "", datetime(2026, 1, 1, tzinfo=UTC))
    with memory.mind.store.write(memory.caller, "test") as work:
        place = work.session.exec(select(EmbeddingQueue)).one()
        vector = alike(JAPANESE)
        replace_vectors(work, MINILM.name, [place], rows_of(MINILM.name, place, told, [EmbeddedPiece(0, 9, vector)]))
    with alike_in(memory) as index:
        assert facts(memory, "what do we do") == [JAPANESE]
        replace(memory, caller=replace(memory.caller, is_person=True, presence=Presence.WINDOW))("memory_reindex")
        index.catch_up()
        assert facts(memory, "what do we do") == []


def test_of_a_text_in_two_scripts_the_pieces_that_are_read_have_vectors() -> None:
    text = CHINESE + ROCKET
    told = EmbeddingDocument("", text, 1, "", datetime(2026, 1, 1, tzinfo=UTC))
    place, middle = EmbeddingQueue(id=1, kind="fact", item=1, owner=1), len(CHINESE)
    pieces = [EmbeddedPiece(0, middle, b"one"), EmbeddedPiece(middle, len(text), b"two")]
    assert [(row["piece"], row["start"]) for row in rows_of(MINILM.name, place, told, pieces)] == [(0, middle)]
    assert len(rows_of(MINILM.name, place, told, pieces[:1])) == 1
    assert len(rows_of(MULTILINGUAL.name, place, told, pieces)) == 2
