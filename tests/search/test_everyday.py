"""What shares only everyday words with a question is no answer to it."""

import pytest

from bigmind.text.everyday_words import everyday_words
from bigmind.text.words import query_terms
from tests.memory.living import Memory
from tests.search.alike import alike_in

KEPT = (
    "We use the first thing that works, and look for a better way next week.",
    "People always want to know what happened last time; today we tell them right away.",
    "Ada likes to start early in the morning and needs a long time for new things.",
    "The most important thing is to keep going and to help each other every day.",
    "Wir haben letzte Woche viel Zeit gebraucht, und heute machen wir es gleich richtig.",
    "Nous avons toujours besoin de beaucoup de temps pour faire les choses comme il faut.",
    "Siempre queremos hacer las cosas bien, y hoy tenemos mucho tiempo para todo.",
)
UNANSWERED = (
    "what is the best way to bake sourdough?",
    "which things do people always want to know about whales?",
    "who took the last parking space today?",
    "what happened to the umbrella last week?",
    "how long does it take to learn the violin?",
    "what did we decide to do about the giraffe next time?",
    "do we need help with the wedding every day?",
    "when should I start planting tomatoes in the morning?",
    "what is the most important thing about cricket?",
    "Was haben wir letzte Woche mit dem Klavier gemacht?",
    "Wie viel Zeit braucht man heute für die Steuererklärung?",
    "Was ist gleich noch mal richtig bei Pflaumenkuchen?",
    "de quoi avons-nous toujours besoin pour le fromage ?",
    "combien de temps faut-il pour faire une choucroute ?",
    "comment faire les choses avec un dromadaire ?",
    "¿cuánto tiempo tenemos hoy para la paella?",
    "¿qué cosas queremos hacer siempre con el caballo?",
    "what do we want to do first, and why?",
    "how did it go last time?",
)


@pytest.fixture
def filled(memory: Memory) -> Memory:
    for text in KEPT:
        memory("memory_start_session", project=None)
        memory("memory_flag_important", content=text, flag_reason="said")
        memory("memory_store_fact", category="codebase", fact=text)
    return memory


def test_what_shares_only_everyday_words_is_not_found(filled: Memory) -> None:
    for question in UNANSWERED:
        answer = filled("memory_semantic_search", query=question)
        assert [hit.id for hit in answer.hits] == [], question
        assert not answer.answers_well
        assert filled("memory_search_chunks", query=question).hits == [], question


def test_a_rarer_word_beside_them_finds(filled: Memory) -> None:
    filled("memory_start_session", project=None)
    kept = filled("memory_flag_important", content="Last week the giraffe was fed.", flag_reason="said").chunk_id
    for question in ("what happened to the giraffe last week?", "when did we feed giraffes"):
        answer = filled("memory_search_chunks", query=question)
        assert [hit.chunk_id for hit in answer.hits] == [kept]
        assert answer.answers_well


def test_who_asks_for_a_word_or_two_means_them(filled: Memory) -> None:
    assert filled("memory_search_chunks", query="morning").hits
    assert filled("memory_search_chunks", query="last time").hits


def test_a_meaning_that_is_far_off_does_not_help(filled: Memory) -> None:
    """With vectors everything is about equally near here: such an answer may come, as what is nearest."""
    with alike_in(filled) as index:
        index.catch_up()
        assert filled("memory_search_chunks", query="what happened last time?").words_only == ""


@pytest.mark.parametrize(
    ("question", "everyday"),
    [
        ("what do we use for caching", {"use"}),
        ("fast name lookup", set()),
        ("good morning", set()),
        ("what did we decide last week", {"decide", "last", "week"}),
        ("Was machen wir heute mit dem Klavier?", {"machen", "heute"}),
        ("war and peace", set()),
    ],
)
def test_a_language_has_its_own(question: str, everyday: set[str]) -> None:
    assert everyday_words(question, query_terms(question)) == everyday
