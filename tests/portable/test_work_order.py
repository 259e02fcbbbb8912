"""Items of work are written behind those that they rest on."""

from bigmind.portable.writing.work_order import in_order


def test_items_come_behind_those_that_they_rest_on() -> None:
    order = list(in_order({"c": ["b", "elsewhere"], "b": ["a"], "a": [], "d": ["a", "c"]}))
    assert order == [["a"], ["b"], ["c"], ["d"]]


def test_items_that_rest_on_one_another_come_together() -> None:
    order = [
        sorted(each) for each in in_order({"a": ["b"], "b": ["c"], "c": ["a"], "d": ["c"], "e": ["f"], "f": ["e"]})
    ]
    assert sorted(order) == [["a", "b", "c"], ["d"], ["e", "f"]]
    assert order.index(["a", "b", "c"]) < order.index(["d"])


def test_two_circles_that_share_an_item_are_one() -> None:
    order = [sorted(each) for each in in_order({"a": ["b"], "b": ["a", "c"], "c": ["b"], "d": []})]
    assert sorted(order) == [["a", "b", "c"], ["d"]]


def test_many_circles_are_found_in_one_go() -> None:
    pairs = {f"{side}{number}": [f"{other}{number}"] for number in range(3_000) for side, other in ("ab", "ba")}
    assert sorted(map(sorted, in_order(pairs))) == sorted([f"a{number}", f"b{number}"] for number in range(3_000))
