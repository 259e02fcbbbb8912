"""Whatever is done to the rows of a chain is found."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from hypothesis import assume, given, settings
from hypothesis import strategies as st

from bigmind.flow.hash_chain import FIRST, ChainFault, Row, broken, digest_of, new_salt, salted

values = st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=6)
bodies = st.dictionaries(st.text(max_size=4), values | st.lists(values, max_size=2), max_size=3)


def chain(said: Sequence[dict[str, Any]]) -> list[Row]:
    rows: list[Row] = []
    for number, body in enumerate(said, 1):
        before = rows[-1].digest if rows else FIRST
        rows.append(Row(number, body, before, digest_of(number, body, before)))
    return rows


def faults(rows: Sequence[Row], head: str | None = None) -> list[ChainFault]:
    return [*broken(rows, head)]


chains = st.lists(bodies, min_size=1, max_size=6).map(chain)
longer = st.lists(bodies, min_size=2, max_size=6).map(chain)


@given(chains)
def test_a_chain_holds_with_each_head_that_it_had(rows: list[Row]) -> None:
    assert faults(rows) == []
    for head in (FIRST, *(each.digest for each in rows)):
        assert faults(rows, head) == []
    assert faults([]) == faults([], FIRST) == []


@given(chains, st.data())
def test_a_row_that_says_something_else_is_found(rows: list[Row], data: st.DataObject) -> None:
    at = data.draw(st.integers(0, len(rows) - 1))
    body = data.draw(bodies)
    assume(repr(body) != repr(rows[at].body))
    assume({*body} != {*rows[at].body} or any(repr(body[key]) != repr(rows[at].body[key]) for key in body))
    rows[at] = replace(rows[at], body=body)
    assert ChainFault(at + 1, f"row {at + 1} was changed") in faults(rows)


@given(chains, st.data())
def test_a_row_with_another_hash_is_found(rows: list[Row], data: st.DataObject) -> None:
    at = data.draw(st.integers(0, len(rows) - 1))
    other = "f" * 64
    assert faults([*rows[:at], replace(rows[at], digest=other), *rows[at + 1 :]])
    assert faults([*rows[:at], replace(rows[at], before=other), *rows[at + 1 :]])
    assert faults([*rows[:at], replace(rows[at], number=at + 2), *rows[at + 1 :]])


@given(longer, st.data())
def test_a_row_that_was_changed_with_its_hash_is_found_by_the_next(rows: list[Row], data: st.DataObject) -> None:
    at = data.draw(st.integers(0, len(rows) - 2))
    body = {**rows[at].body, "more": "x"}
    rows[at] = replace(rows[at], body=body, digest=digest_of(at + 1, body, rows[at].before))
    assert ChainFault(at + 2, f"row {at + 2} does not follow the one before it") in faults(rows)


@given(longer, st.data())
def test_a_row_that_was_removed_is_found(rows: list[Row], data: st.DataObject) -> None:
    at = data.draw(st.integers(0, len(rows) - 2))
    del rows[at]
    assert ChainFault(at + 1, f"row {at + 1} is missing") in faults(rows)
    assert ChainFault(at + 2, f"row {at + 2} does not follow the one before it") in faults(rows)


@given(longer, st.data())
def test_rows_that_were_swapped_are_found(rows: list[Row], data: st.DataObject) -> None:
    one = data.draw(st.integers(0, len(rows) - 2))
    other = data.draw(st.integers(one + 1, len(rows) - 1))
    rows[one], rows[other] = rows[other], rows[one]
    assert faults(rows)
    as_numbered = [replace(each, number=number) for number, each in enumerate(rows, 1)]
    assert faults(as_numbered)


@given(chains, st.data())
def test_a_row_that_is_there_twice_is_found(rows: list[Row], data: st.DataObject) -> None:
    at = data.draw(st.integers(0, len(rows) - 1))
    doubled = [*rows[: at + 1], *rows[at:]]
    assert any("twice" in each.message for each in faults(doubled))
    assert faults([replace(each, number=number) for number, each in enumerate(doubled, 1)])


@given(chains, st.data())
def test_a_chain_that_was_cut_lacks_the_head_that_is_known(rows: list[Row], data: st.DataObject) -> None:
    left = data.draw(st.integers(0, len(rows) - 1))
    cut = rows[:left]
    assert faults(cut) == []
    assert [each.message for each in faults(cut, rows[-1].digest)] == [
        "the chain lacks rows that it is known to have had"
    ]


@given(longer)
def test_a_chain_that_was_written_anew_from_some_row_lacks_the_head_that_is_known(rows: list[Row]) -> None:
    anew = chain([{**rows[0].body, "more": "x"}, *(each.body for each in rows[1:])])
    assert faults(anew) == []
    assert len(faults(anew, rows[-1].digest)) == 1


@given(st.text(max_size=6), st.text(max_size=6))
def test_a_salted_text_tells_texts_apart_and_is_told_by_its_salt(one: str, other: str) -> None:
    salt = new_salt()
    assert (salted(one, salt) == salted(other, salt)) == (one == other)
    assert salted(one, salt) != salted(one, new_salt())
    assert len({new_salt() for _ in range(50)}) == 50


def test_half_characters_and_numbers_of_every_size_can_be_hashed() -> None:
    rows = chain([{"a": "\ud800"}, {"b": 10**400, "c": 1e308, "d": [None, {"e": True}]}])
    assert faults(rows, rows[-1].digest) == []
    assert salted("\ud800", "s")


def test_the_order_of_keys_says_nothing() -> None:
    assert digest_of(1, {"a": 1, "b": 2}, FIRST) == digest_of(1, {"b": 2, "a": 1}, FIRST)


def test_a_hash_is_bound_to_number_words_and_the_row_before() -> None:
    assert len({digest_of(*each) for each in ((1, {}, FIRST), (2, {}, FIRST), (1, {"a": 1}, FIRST), (1, {}, "e"))}) == 4


@settings(max_examples=20)
@given(chains)
def test_a_chain_begins_at_its_beginning(rows: list[Row]) -> None:
    assert faults([replace(rows[0], before="e" * 64), *rows[1:]])
