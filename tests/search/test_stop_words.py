"""Which words of a question count: those of its own language that say nothing do not."""

import pytest

from bigmind.text.stop_words import ENGLISH, FRENCH, GERMAN
from bigmind.text.words import query_terms


@pytest.mark.parametrize(
    ("question", "telling"),
    [
        ("Warum fehlten bei der Inventur so viele Stücke?", {"fehlten", "inventur", "stücke"}),
        ("pourquoi ne pas vider le cache par un message ?", {"vider", "cache", "message"}),
        ("why did we drop the cache?", {"drop", "cache"}),
        ("whose cache did she drop with him, hers or his?", {"cache", "drop"}),
        ("Wo kommt der Fehler her?", {"kommt", "fehler"}),
        ("Wie stellt man den Zustand her?", {"stellt", "zustand"}),
        ("MIT licence", {"mit", "licence"}),
        ("which DES keys are in the EU", {"des", "keys", "eu"}),
        ("error in der_parser of des.py", {"error", "der", "parser", "des", "py"}),
        ("Maria and Son die", {"maria", "son", "die"}),
    ],
)
def test_words_that_say_nothing_in_the_questions_language_are_left_out(question: str, telling: set[str]):
    assert set(query_terms(question)) == telling


def test_a_question_of_nothing_else_keeps_its_words():
    for words in (ENGLISH, GERMAN, FRENCH):
        asked = " ".join(sorted(words)[:10])
        assert set(query_terms(asked)) == set(asked.split())
