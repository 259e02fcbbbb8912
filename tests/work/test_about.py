"""When a question or a contribution is about an item: each ground at its edge, and how often the rule is right."""

import re
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from app.meaning_search import MeaningSearch
from bigmind.embedding.models import ALIKE
from bigmind.work import about
from bigmind.work.about import Ground, Other, Subject, how_about, nearest_by_words
from bigmind.work.nearness import ground, similarities, similarity
from tests.memory.living import Memory, living
from tests.support import ROOT
from tests.work import pairs
from tests.work.shares import SETS, WAYS, PairSet, Way, is_about, measured, others_of, row

pytestmark = pytest.mark.xdist_group("about")

PAGE = (ROOT / "docs" / "work.md").read_text(encoding="utf-8")
REFUND = Subject(
    "Refunds are paid out twice",
    "pay/refunds",
    "The worker called Stripe, was killed by the rollout before it wrote the result, and the next pod took the row.",
)
HARDLY = 1e-6
MOST_REFUSED, MOST_PASSED = 0.05, 0.05
"""Of the pairs that the numbers were chosen on. The specification wants 2 % and 5 %: the first is not reached."""
HELD_OUT_REFUSED, HELD_OUT_PASSED = 0.17, 0.14
WORDS_REFUSED, WORDS_PASSED = 0.07, 0.05
HELD_OUT_WORDS_REFUSED, HELD_OUT_WORDS_PASSED = 0.27, 0.13


def judged(text: str, similarity: float | None = 0.0, subject: Subject = REFUND, others: tuple[Other, ...] = ()) -> str:
    """The ground, or nothing."""
    return how_about(subject, text, similarity, ALIKE, others) or ""


@pytest.mark.parametrize(
    "text",
    [
        "Refunds are paid out twice",
        "What is known of REFUNDS ARE PAID OUT TWICE?",
        "refunds  are\npaid\tout twice, again",
        "refunds_are-paid: out (twice)",
        "\uff32efunds are paid out twice",  # full width
        "x" * 15_000 + " refunds are paid out twice",
    ],
)
def test_what_holds_the_title_is_about_the_item_whatever_else_is_nearer(text: str) -> None:
    nearer = Other(Subject(text, "", text), 1.0)
    assert judged(text, 0.0, others=(nearer,)) == Ground.TITLE
    assert judged(text, None, others=(nearer,)) == Ground.TITLE


@pytest.mark.parametrize(
    ("title", "text", "holds"),
    [
        ("SAML", "the SAML is red", True),
        ("SAML", "saml/sso of it", True),
        ("SAML", "a samlet decision", False),
        ("SAML", "specially sam lied", False),
        ("Größe der Müller-Liste", "die GROSSE der muller liste", True),
        ("Größe der Müller-Liste", "die GRÖSSE der Mu\u0308ller Liste", True),
        ("Añadir paginación", "anadir paginacion por favor", True),
        ("支払いの重複", "今日は支払いの重複を調べる", True),
        ("支払いの重複", "今日は支払いを調べる", False),
        ("C++ leaks", "c leaks is no sentence", True),
        ("!!!", "what !!! now", False),
        ("", "anything", False),
    ],
)
def test_a_title_is_held_as_whole_words(title: str, text: str, holds: bool) -> None:
    assert (judged(text, 0.0, Subject(title)) == Ground.TITLE) is holds


UNTELLING = ("the", "It is", "The thing", "Fix it", "Do the test", "Deploy", "Das Ding", "C++", "!!!", "42", "Fix 🚀")


@pytest.mark.parametrize("title", UNTELLING)
def test_a_title_that_stands_in_any_text_is_no_ground(title: str) -> None:
    assert not about.is_telling(title)
    assert judged(f"Lorries wait for hours; {title}: so it was.", subject=Subject(title)) != Ground.TITLE


@pytest.mark.parametrize(
    "title", ["Fix login", "Fix the bug", "Task 1", "Node A", "Müller-Liste", "支払い", "SAML", "e2e"]
)
def test_a_telling_title_has_a_word_of_its_own_or_two_of_engineers_or_a_number(title: str) -> None:
    assert judged(f"Lorries wait for hours; {title}: so it was.", subject=Subject(title)) == Ground.TITLE


@pytest.mark.parametrize("text", ["", " \n", "?!", "the and of", "12 345", "🚀 ✓"])
def test_a_text_without_words_is_about_nothing(text: str) -> None:
    assert not judged(text)
    assert not judged(text, None)


def test_alike_is_enough_and_hardly_less_is_not() -> None:
    assert judged("lorem", ALIKE) == Ground.MEANING
    assert judged("lorem", ALIKE + HARDLY) == Ground.MEANING
    assert not judged("lorem", ALIKE - HARDLY)


def test_a_telling_word_is_enough_whatever_the_similarity() -> None:
    assert judged("stripe lorem", 0.0) == Ground.WORD
    assert judged("stripe lorem", None) == Ground.WORD


@pytest.mark.parametrize("number", range(about.MOST_COUNTED + 2))
def test_everyday_words_of_engineers_add_to_the_similarity_up_to_three(number: int) -> None:
    text = " ".join(["rollout", "result", "row", "called"][:number])
    missing = (about.LEAST_NEARNESS - about.EVERYDAY * min(number, about.MOST_COUNTED)) * ALIKE
    assert judged(text, missing + HARDLY) == Ground.MEANING
    assert not judged(text, missing - HARDLY)


def test_without_a_model_two_everyday_words_are_enough_and_one_is_not() -> None:
    assert judged("the rollout and the row", None) == Ground.WORD
    assert not judged("the rollout", None)


@pytest.mark.parametrize(
    ("text", "is_shared"),
    [
        ("killing", True),  # of the same root
        ("stripeClient.call()", True),  # a part of an identifier
        ("refu", False),
        ("roll", True),  # the beginning, whole, of four letters
        ("rol", False),
        ("rollo", True),
        ("STRIPES", True),
        ("stri", True),
        ("strip_tags", True),
        ("straw", False),
    ],
)
def test_forms_of_a_word_are_the_same(text: str, is_shared: bool) -> None:
    """With a similarity to which one everyday word of engineers is wanting."""
    wanting = (about.LEAST_NEARNESS - about.EVERYDAY) * ALIKE + HARDLY
    assert bool(judged(text, wanting, Subject("", "", "Stripe rollout killed"))) is is_shared


def test_only_the_first_characters_of_a_description_are_read() -> None:
    filler = "lorem " * 100
    at = about.DESCRIPTION_READ
    inside, outside = filler[: at - 8] + " stripes", filler[: at - 1] + " stripes"
    assert judged("stripes", 0.0, Subject("x", "", inside)) == Ground.WORD
    assert not judged("stripes", 0.0, Subject("x", "", outside))


def test_the_topic_and_the_fields_are_read_too() -> None:
    assert judged("kubernetes", 0.0, Subject("x", "infra/kubernetes")) == Ground.WORD
    assert judged("outbox", 0.0, Subject("x", dna_text='{"files": ["src/pay/outbox.py"]}')) == Ground.WORD
    assert not judged("outbox", 0.0, Subject("x"))


@pytest.mark.parametrize(("similarity", "margin"), [(ALIKE, about.MARGIN), (None, about.MARGIN_BY_WORDS)])
def test_what_is_clearly_nearer_to_another_item_is_about_that_one(similarity: float | None, margin: float) -> None:
    """One telling word here; the other item has as much, and so much more similarity, or words, as the margin is."""
    own = Subject("", "", "stripe")
    if similarity is not None:
        others = [Other(own, similarity + (margin + more) * ALIKE) for more in (-HARDLY, HARDLY)]
    else:  # words count in steps
        others = [Other(Subject("", "", words)) for words in ("stripe", "stripe row")]
    assert judged("stripe row", similarity, own, (others[0],))
    assert not judged("stripe row", similarity, own, (others[1],))


def test_without_a_model_what_others_are_similar_to_says_nothing() -> None:
    assert judged("stripe", None, others=(Other(Subject("x"), 1.0),)) == Ground.WORD


def test_those_are_chosen_that_share_most_words() -> None:
    many = [Subject(f"item {number}") for number in range(5)]
    nearer, nearest = Subject("row"), Subject("Stripe row")
    assert nearest_by_words("the Stripe row", [*many, nearer, nearest], 2) == [nearest, nearer]
    assert nearest_by_words("lorem", many, 9) == many


@pytest.mark.parametrize("piece", ["word ", "a", "getUserById_", "支払", "\u0308", "Stripe worker row "])
def test_of_a_megabyte_the_beginning_is_read(piece: str) -> None:
    text = piece * (1_000_000 // len(piece))
    others = tuple(Other(replace(REFUND, title=f"item {each}"), 0.1) for each in range(10))
    subject = Subject("Wombat", "", text, text)
    assert judged(f"{text} wombat", 0.1, subject, others) == judged(text[: about.TEXT_READ], 0.1, subject, others)


def test_a_title_is_looked_for_in_so_many_characters() -> None:
    before = " " * (about.TEXT_READ - len("wombat"))
    assert judged(f"{before}wombat", 0.0, Subject("Wombat")) == Ground.TITLE
    assert judged(f"{before} wombat", 0.0, Subject("Wombat")) != Ground.TITLE


@pytest.mark.parametrize("judged_set", SETS, ids=["chosen on", "held out"])
@pytest.mark.parametrize("way", WAYS, ids=lambda way: way.title)
def test_the_page_says_how_often_the_rule_is_right(judged_set: PairSet, way: Way) -> None:
    """Machines differ a little in how they round: one pair may fall on the other side."""
    [told] = [line for line in PAGE.splitlines() if line.startswith(f"| {judged_set.title} | {way.title} |")]
    counts = [int(each) for each in re.findall(r"(\d+) of \d+", told)]
    share = measured(judged_set, way)
    assert counts == [pytest.approx(share.refused, abs=1), pytest.approx(share.passed, abs=1)], row(judged_set, way)


@pytest.mark.parametrize(
    ("number", "way", "refused", "passed"),
    [
        (0, WAYS[0], MOST_REFUSED, MOST_PASSED),
        (1, WAYS[0], HELD_OUT_REFUSED, HELD_OUT_PASSED),
        (0, WAYS[2], WORDS_REFUSED, WORDS_PASSED),
        (1, WAYS[2], HELD_OUT_WORDS_REFUSED, HELD_OUT_WORDS_PASSED),
    ],
)
def test_few_honest_texts_are_refused_and_few_others_pass(number: int, way: Way, refused: float, passed: float) -> None:
    share = measured(SETS[number], way)
    wrong = [f"refused: {each.text}" for each in SETS[number].honest if not is_about(each, way)]
    wrong += [f"{each.item.slug} passed: {each.text}" for each in SETS[number].other if is_about(each, way)]
    assert share.refused <= refused * share.honest, wrong
    assert share.passed <= passed * share.other, wrong


def test_there_are_as_many_pairs_as_the_page_says() -> None:
    assert (len(pairs.ITEMS), len(pairs.HONEST), len(pairs.OTHER)) == (40, 200, 200)
    assert sum(each.is_question for each in pairs.HONEST) == 100
    assert len(pairs.NEIGHBOURS) == 130
    assert [len(each.honest) for each in SETS] == [200, 49]
    assert [len(each.other) for each in SETS] == [200, 59]


@pytest.mark.parametrize("name", ["DESCRIPTION_READ", "TELLING", "EVERYDAY", "MARGIN", "MARGIN_BY_WORDS"])
def test_the_page_says_the_number_that_holds(name: str) -> None:
    [told] = re.findall(rf"([\d.]+)\s\(`{name}`\)", PAGE)
    assert float(told) == getattr(about, name)


@pytest.fixture(scope="module")
def memory(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Memory]:
    """A store with the model that comes with BigMind."""
    home: Path = tmp_path_factory.mktemp("about") / "home"
    with living(home, is_copy=True) as opened:
        meaning = MeaningSearch(opened.mind.store)
        opened.mind.store.host = replace(opened.mind.store.host, meaning=meaning.meaning)
        try:
            yield opened
        finally:
            meaning.stop()


@pytest.mark.parametrize("number", range(0, 200, 40))
def test_a_store_judges_as_it_was_measured(memory: Memory, number: int) -> None:
    with memory.mind.store.read(memory.caller, "test") as work:
        for each in (pairs.HONEST[number], pairs.OTHER[number]):
            found = ground(work, each.subject, each.text, others_of(each))
            assert (found is not None) is is_about(each, WAYS[0])


def test_a_store_says_how_similar_a_text_is_to_items(memory: Memory) -> None:
    one, other = (Subject("x", "", text) for text in ("the worker paid a refund twice", "birds of the Andes"))
    with memory.mind.store.read(memory.caller, "test") as work:
        near, far, unread = similarities(work, "a refund was paid two times", [one, other, Subject("支払いの重複")])
        assert near is not None
        assert far is not None
        assert near > ALIKE > far
        assert unread is None
        assert similarity(work, one, "a refund was paid two times") == near
        assert similarity(work, one, "返金が二回支払われた") is None
        assert similarity(work, Subject("支払いの重複"), "a refund") is None


def test_a_store_without_a_model_goes_by_words(home: Path) -> None:
    with living(home, is_copy=True) as opened, opened.mind.store.read(opened.caller, "test") as work:
        assert similarity(work, REFUND, "a refund was paid two times") is None
        assert ground(work, REFUND, "why did Stripe answer 409?") is Ground.WORD
        assert ground(work, REFUND, "please let me in") is None
