"""Tags are those that are given, or words of topic, project and text."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bigmind.brain.tagging import tags_of
from tests.thorough import often

TEXT = "The refund worker calls getUserById twice, and the ledger locks the row of user_id for every refund."


def test_given_tags_are_kept_in_their_order_and_nothing_is_added() -> None:
    assert tags_of(["refunds", "ledger"], "pay/x", "billing", TEXT) == ["refunds", "ledger"]


@pytest.mark.parametrize(("given_tags", "kept"), [(7, 7), (8, 8), (9, 8)])
def test_at_most_eight_are_kept(given_tags: int, kept: int) -> None:
    tags = [f"tag{number}" for number in range(given_tags)]
    assert tags_of(tags, "", None, "") == tags[:kept]


@pytest.mark.parametrize(
    ("tag", "cleaned"),
    [
        ("Refunds", "refunds"),
        ("  load   test ", "load-test"),
        ("load\ntest\r\nplan", "load-test-plan"),
        ("#deploy", "deploy"),
        ("Übergabe", "übergabe"),
        ("u\u0308bergabe", "übergabe"),
        ("a\u200bb\x07c", "abc"),
        ("x" * 39, "x" * 39),
        ("x" * 40, "x" * 40),
        ("x" * 41, "x" * 40),
        (f"{'x' * 39} y", "x" * 39),
    ],
)
def test_a_given_tag_is_one_short_word_in_lower_case(tag: str, cleaned: str) -> None:
    assert tags_of([tag], "", None, "") == [cleaned]


def test_a_tag_that_is_given_twice_is_one_and_an_empty_one_is_none() -> None:
    assert tags_of(["Pay", "pay ", "", " ", "#", "pay"], "", None, "") == ["pay"]
    assert tags_of(["", " "], "ledger", None, "") == ["ledger"]


def test_without_tags_topic_and_project_come_first_and_then_the_text() -> None:
    tags = tags_of([], "pay/Refunds", "/home/ada/src/Billing", TEXT)
    assert tags[:3] == ["pay", "refunds", "billing"]
    assert {"getuserbyid", "user_id", "ledger"} <= set(tags)
    assert len(tags) <= 8


@pytest.mark.parametrize(
    "project", ["billing", "/home/ada/billing/", r"C:\src\billing", "git@host:acme/billing.git", "acme/billing"]
)
def test_the_last_part_of_a_project_is_a_tag(project: str) -> None:
    assert tags_of([], "", project, "") == ["billing"]


def test_nothing_given_and_nothing_said_is_no_tag() -> None:
    assert tags_of([], "", None, "") == []
    assert tags_of([], "", None, "It is what it is, and we have to do that. 2026 12345 1.2.3") == []


@pytest.mark.parametrize(("word", "is_tag"), [("dns", False), ("disk", True), ("x509", False), ("10000", False)])
def test_a_word_of_the_text_has_at_least_four_letters(word: str, is_tag: bool) -> None:
    assert (word in tags_of([], "", None, f"it is the {word} that we have")) is is_tag


def test_stop_words_everyday_words_and_dates_are_no_tags() -> None:
    text = "Decision: because everybody always wanted something like that since Wednesday in September."
    assert set(tags_of([], "", None, text)) <= {"like"}
    assert tags_of([], "", None, "Wir haben das immer wieder überall gesehen und wollten es nicht.") == ["gesehen"]


def test_identifiers_and_what_is_said_often_come_first() -> None:
    text = "The shelf is full. The shelf is old. The shelf moved. A shelf fell. A table stood by parse_row."
    assert tags_of([], "", None, text)[:2] == ["shelf", "parse_row"]


def test_forms_of_a_word_are_one_tag_and_none_where_the_topic_has_it() -> None:
    assert tags_of([], "", None, "A refund, many refunds, the refunds: refunded.") == ["refunds"]
    assert tags_of([], "refund", None, "A refund, many refunds, the refunds: refunded.") == ["refund"]


def test_addresses_are_no_tags() -> None:
    text = "Ask ada.lovelace@example.net about https://wiki.example.net/secret-page and the barometer."
    assert tags_of([], "", None, text) == ["barometer"]


def test_a_clause_of_a_script_without_blanks_is_no_tag() -> None:
    assert tags_of([], "pay", None, "支付回调必须先写入 postgres 数据库再返回成功。") == ["pay", "postgres"]


@settings(max_examples=often(300, 30))
@given(st.lists(st.text(max_size=60), max_size=12), st.text(max_size=40), st.none() | st.text(max_size=40), st.text())
def test_tags_are_always_few_short_and_distinct(given_tags, topic, project, text) -> None:
    tags = tags_of(given_tags, topic, project, text)
    assert tags == tags_of(given_tags, topic, project, text)
    assert len(tags) == len(set(tags)) <= 8
    for tag in tags:
        assert 0 < len(tag) <= 40
        assert tag == "".join(tag.split())


@pytest.mark.timeout(10)
@pytest.mark.parametrize("piece", ["a", "a-", "a/", "a.", "a@", "http://", "-", "word ", "aB_", "支"])
def test_ten_thousand_characters_are_tagged_at_once(piece: str) -> None:
    assert len(tags_of([], "", None, (piece * 10_000)[:10_000])) <= 8
