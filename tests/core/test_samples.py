"""What the gate leaves to a thorough run: each value is met, the same each time."""

from tests.thorough import crossed, spread, turn


def test_a_spread_has_the_first_and_the_last_and_what_lies_between() -> None:
    assert spread(range(100), 4, thorough=False) == [0, 33, 66, 99]
    assert spread("abc", 1, thorough=False) == ["a"]
    assert spread("abc", 5, thorough=False) == ["a", "b", "c"]
    assert spread("abc", 1, thorough=True) == ["a", "b", "c"]


def test_each_case_has_its_turn() -> None:
    assert [turn("abc", number, thorough=False) for number in range(4)] == [["a"], ["b"], ["c"], ["a"]]
    assert turn("abcde", 2, 2, thorough=False) == ["e", "a"]
    assert turn("abc", 7, thorough=True) == ["a", "b", "c"]


def test_crossed_values_each_occur_and_a_thorough_run_has_all_of_their_pairs() -> None:
    pairs = crossed("abcde", (1, 2), "xy", thorough=False)
    assert [pair[0] for pair in pairs] == list("abcde")
    assert {pair[1] for pair in pairs} == {1, 2}
    assert {pair[2] for pair in pairs} == {"x", "y"}
    assert len(crossed("abcde", (1, 2), "xy", thorough=True)) == 20
