"""What each client was given last: word for word, within bounds, of nobody else."""

from bigmind.core.activity import MOST_UNCOUNTED, Activity
from bigmind.core.deliveries import (
    LONGEST_TEXT,
    MOST_CHARACTERS,
    MOST_PER_CLIENT,
    SAMPLE,
    Delivery,
    DeliveryLog,
    TokenCount,
)
from bigmind.core.operation import Caller, Role


def caller(client: str, user: int = 1, *, is_person: bool = False) -> Caller:
    return Caller(user, "ada", Role.ADMIN, client, 1, is_person=is_person, project="example.org/ada/apollo")


def tokens(number: int) -> TokenCount:
    return lambda *_: number


def delivery(text: str) -> Delivery:
    return Delivery("memory_get_context", text, len(text), tokens(3), 0.0)


def test_a_client_s_last_deliveries_are_had_again_word_for_word_the_newest_first() -> None:
    activity = Activity()
    activity.note_delivery(caller("zed"), "memory_get_context", "what is known", tokens(4))
    activity.note_delivery(caller("zed"), "memory_store_fact", "fact: got 1", tokens(5), is_error=True)
    activity.note_delivery(caller("codex"), "hook session-start", "begun", tokens(1))
    activity.note_delivery(caller("zed", user=2), "memory_get_context", "another person's", tokens(4))
    found = [each for _, each in activity.deliveries(1, "zed")]
    assert [(each.source, each.text, each.tokens, each.is_error) for each in found] == [
        ("memory_store_fact", "fact: got 1", 5, True),
        ("memory_get_context", "what is known", 4, False),
    ]
    assert {each.project for each in found} == {"example.org/ada/apollo"}
    assert [each.tokens for each in activity.uses()] == [9, 1, 4]


def test_what_people_read_of_their_own_memory_and_what_bigmind_tries_is_no_delivery() -> None:
    activity = Activity()
    activity.note_delivery(caller("terminal", is_person=True), "memory_get_context", "what is known", tokens(4))
    with activity.trying(1, "zed"):
        activity.note_delivery(caller("zed"), "memory_get_context", "what is known", tokens(4))
    assert activity.deliveries(1, "terminal") == []
    assert activity.deliveries(1, "zed") == []


def test_a_client_s_oldest_deliveries_go_first_and_a_long_one_keeps_its_beginning_and_its_length() -> None:
    activity = Activity()
    for number in range(MOST_PER_CLIENT + 3):
        activity.note_delivery(caller("zed"), f"tool {number}", "x", tokens(1))
    activity.note_delivery(caller("zed"), "long", "y" * (LONGEST_TEXT + 7), tokens(9_000))
    found = [each for _, each in activity.deliveries(1, "zed")]
    assert len(found) == MOST_PER_CLIENT
    assert found[0].source == "long"
    assert (len(found[0].text), found[0].length, found[0].is_whole) == (LONGEST_TEXT, LONGEST_TEXT + 7, False)
    assert found[-1].source == "tool 4"


def test_all_clients_together_keep_no_more_than_the_bound_and_the_one_that_asked_last_keeps_its_own() -> None:
    kept = DeliveryLog()
    names = [f"client {number}" for number in range(2 * MOST_CHARACTERS // LONGEST_TEXT)]
    for name in names:
        kept.add((1, name), delivery("z" * LONGEST_TEXT))
    left = kept.clients(1)
    assert left == list(reversed(names))[: MOST_CHARACTERS // LONGEST_TEXT]
    assert kept.of((1, names[0])) == []


def test_they_are_dropped_for_everybody_or_for_one_user_alone() -> None:
    kept = DeliveryLog()
    for user in (1, 2):
        kept.add((user, "zed"), delivery("what is known"))
    kept.clear(1)
    assert kept.clients(1) == []
    assert kept.clients(2) == ["zed"]
    kept.clear()
    assert kept.clients(2) == []
    kept.add((2, "zed"), delivery("z" * LONGEST_TEXT))
    assert [each.length for each in kept.of((2, "zed"))] == [LONGEST_TEXT]


def test_who_is_answered_waits_for_no_count_and_what_is_read_is_counted_once() -> None:
    activity, counted = Activity(), list[tuple[int, int]]()

    def count(text: str, length: int) -> int:
        counted.append((len(text), length))
        return length // 5

    activity.note_delivery(caller("zed"), "memory_get_context", "k" * 5 * SAMPLE, count, drawn_from=20 * SAMPLE)
    assert counted == []
    assert [(each.tokens, each.sources, each.spared) for each in activity.uses()] == [(2_000, 8_000, 6_000)]
    assert activity.uses()[0].tokens == 2_000
    assert counted == [(SAMPLE, 5 * SAMPLE)]
    activity.kept(activity.uses())
    assert activity.uses() == []


def test_what_is_beyond_the_bound_is_estimated_by_what_was_counted() -> None:
    activity, counted = Activity(), list[int]()

    def count(_: str, length: int) -> int:
        counted.append(length)
        return length // 8

    def serve(times: int) -> None:
        for _ in range(times):
            activity.note_delivery(caller("zed"), "memory_get_context", "k" * 800, count)

    serve(MOST_UNCOUNTED)
    assert activity.uses()[0].tokens == MOST_UNCOUNTED * 100
    serve(2 * MOST_UNCOUNTED)
    assert activity.uses()[0].tokens == 3 * MOST_UNCOUNTED * 100
    assert len(counted) == 2 * MOST_UNCOUNTED


def test_what_is_forgotten_waits_nowhere_to_be_counted() -> None:
    activity, counted = Activity(), list[str]()

    def count(text: str, _: int) -> int:
        counted.append(text)
        return 4

    activity.note_delivery(caller("zed"), "memory_get_context", "what is known", count)
    activity.forget_deliveries()
    assert counted == ["what is known"]
    assert (activity.deliveries(1, "zed"), [each.tokens for each in activity.uses()]) == ([], [4])
    assert counted == ["what is known"]
