"""Which texts are stored: the spec's three reasons against it, at their edges."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bigmind.brain.contribution import IN_WORDS, NotStored, why_not
from bigmind.brain.rules import TOO_SHORT
from tests.brain.agents import Agent
from tests.thorough import often

TAIL = "of the payments service in the staging cluster of the second region"


@pytest.mark.parametrize(
    ("length", "reason"), [(1, NotStored.TOO_SHORT), (49, NotStored.TOO_SHORT), (50, NotStored.TOO_SHORT), (51, None)]
)
def test_a_text_is_stored_from_51_characters_on(length: int, reason: NotStored | None) -> None:
    assert why_not("x" * length) is reason


def test_blanks_around_a_text_make_it_no_longer() -> None:
    assert why_not(f"\n  {'x' * 50}\t \n") is NotStored.TOO_SHORT
    assert why_not("") is NotStored.TOO_SHORT
    assert why_not(" " * 10_000) is NotStored.TOO_SHORT


def test_what_is_short_is_told_to_be_short_whatever_else_it_is() -> None:
    assert why_not("Why?") is NotStored.TOO_SHORT
    assert why_not("Based on that, yes.") is NotStored.TOO_SHORT


@pytest.mark.parametrize(
    "text",
    [
        f"How do I roll back a release {TAIL}?",
        f"How do I roll back a release {TAIL}？",
        f"Is there, apart from the wiki, any description {TAIL}?",
        f"If the queue is full, what happens to the messages {TAIL}?",
        f"When the pods of the worker are restarted, do they lose the jobs {TAIL}?",
        f"For the deploys of the importer, how do we roll back to the last release {TAIL}?",
        f"Hi, can you tell me who owns the configuration {TAIL}?",
        f"How do we, e.g. on a Friday, roll back a release {TAIL}?",
        f"Who owns the outbox {TAIL}? And who reads it?",
        f"Who owns the outbox {TAIL}? Thanks a lot in advance!",
        f"I have a question. Who owns the outbox {TAIL}?",
        f'Does `SELECT 1` suffice as a health check {TAIL}?"',
        f"Does it suffice as a health check {TAIL}?!",
        "Warum werden die Rechnungen für Kunden in der Schweiz ohne Mehrwertsteuer erzeugt?",
        "Comment faut-il invalider le cache des images après la publication d'un article ?",
        "支付服务的重试策略应该怎么配置才能避免在网关超时之后重复发货，而且不会影响其他服务的处理速度，例如库存服务和发票服务呢？",
    ],
)
def test_what_only_asks_is_a_question(text: str) -> None:
    assert len(text) > TOO_SHORT
    assert why_not(text) is NotStored.QUESTION


@pytest.mark.parametrize(
    "text",
    [
        "The outbox is read once a second. Should it be read less often at night?",
        "Should the outbox be read less often at night? It is read once a second now.",
        "Redis evicts keys. Should we therefore give the sessions a longer TTL?",
        "When the disk is full, restart the writer. Is that what everybody does here?",
        "The job runs at 2 every night, can it run at 4 instead of that?",
        "The cache lives for five minutes; is that not far too long for prices?",
        "Der Import läuft jede Nacht um zwei Uhr, kann man ihn auf vier verschieben?",
        "支付服务的重试策略是五次，每次间隔一秒，这是去年定下来的规则。网关超时之后应该怎么配置才能避免重复发货，而且不影响库存服务？",
        "https://shop.example.net/search?q=1 answers 404 for each tenant since Monday",
        "Why does the rollout hang? The readiness probe waits for a cache that is never warm.",
        "How to roll back: run make rollback with the tag of the last release, then purge the cache.",
    ],
)
def test_what_states_something_is_stored_though_it_asks_too(text: str) -> None:
    assert len(text) > TOO_SHORT
    assert why_not(text) is None


@pytest.mark.parametrize("phrase", ["based on", "you said", "you told me", "regarding your", "about your response"])
@pytest.mark.parametrize("form", [str, str.upper, str.capitalize, '"{}'.format, "  {}".format])
def test_what_goes_back_to_an_answer_is_a_follow_up(phrase, form) -> None:
    assert why_not(f"{form(phrase)} the outbox is read once a second, so I changed it.") is NotStored.FOLLOW_UP


def test_any_white_space_may_stand_in_a_follow_up_phrase() -> None:
    assert why_not("Based\n  on the benchmarks the outbox is read once a second.") is NotStored.FOLLOW_UP


@pytest.mark.parametrize(
    "text",
    [
        "Basedon is the host that runs the nightly batch of the bank, and nothing else.",
        "You saidly is a typo in the log of the importer, it means that the file was empty.",
        "The retry limit is based on what you said about the gateway: five in a minute.",
        "Regarding yours truly: the name of the team's bot is a joke, keep it as it is.",
    ],
)
def test_a_phrase_inside_a_text_or_a_word_is_no_follow_up(text: str) -> None:
    assert why_not(text) is None


def test_a_follow_up_that_asks_is_called_a_follow_up() -> None:
    assert why_not("Based on your answer, how often is the outbox read at night?") is NotStored.FOLLOW_UP


@pytest.mark.parametrize("reason", NotStored)
def test_each_reason_is_told_in_words(reason: NotStored) -> None:
    assert IN_WORDS[reason].endswith(".")
    assert "\n" not in IN_WORDS[reason]


def test_the_limit_is_told() -> None:
    assert "50 characters" in IN_WORDS[NotStored.TOO_SHORT]


@settings(max_examples=often(500, 50))
@given(st.text(max_size=300))
def test_any_text_has_an_answer_and_a_statement_behind_it_makes_it_stored(text: str) -> None:
    assert why_not(text) in {None, *NotStored}
    if why_not(text) is NotStored.QUESTION:
        assert why_not(f"{text.strip()} The outbox is read once a second.") is None


@pytest.mark.timeout(10)
@pytest.mark.parametrize("piece", ["? ", "a, ", "\n", ".", "see ", "(", "：", "? a b c d, "])
def test_ten_thousand_characters_are_judged_at_once(piece: str) -> None:
    assert why_not((piece * 10_000)[:9_990] + "how is it?") in {None, *NotStored}


@pytest.mark.parametrize(
    "text", ["Quokkas nest late.", "Based on what you said, quokkas nest late, in a burrow of their own."]
)
def test_who_states_what_is_not_stored_is_not_told_that_nothing_is_known(agent: Agent, text: str) -> None:
    told = " ".join(agent.contribute(text)["result"]["guidance"])
    assert "Nothing is known" not in told
    assert "State it anew with contribute_to_brain: what it is about, what holds of it, and why." in told


def test_who_asks_by_contributing_is_told_that_nothing_is_known(agent: Agent) -> None:
    told = " ".join(agent.contribute("Where do wombats nest?")["result"]["guidance"])
    assert "State it anew" not in told
    assert "Nothing is known of this yet." in told or "Nothing answers well" in told
