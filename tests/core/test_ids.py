"""Ids, their beginnings, and the range an index looks them up in."""

import uuid

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bigmind.core.ids import SHORT, as_prefix, new_id, prefix_range, short

UUIDS = st.uuids(version=4).map(str)


def test_an_id_is_a_canonical_random_uuid():
    ids = {new_id() for _ in range(1_000)}
    assert len(ids) == 1_000
    assert all(str(uuid.UUID(each)) == each and uuid.UUID(each).version == 4 for each in ids)


@given(UUIDS, st.integers(SHORT, 36))
def test_every_beginning_of_an_id_is_a_prefix_however_it_is_written(identifier: str, length: int):
    begun = identifier[:length]
    assert as_prefix(begun) == as_prefix(f" {begun.upper()}\n") == begun
    assert short(identifier) == identifier[:8]


@given(UUIDS, UUIDS, st.integers(SHORT, 36))
def test_the_range_of_a_prefix_holds_exactly_the_ids_that_begin_with_it(one: str, other: str, length: int):
    lowest, beyond = prefix_range(one[:length])
    assert lowest <= one < beyond
    assert (lowest <= other < beyond) == other.startswith(one[:length])


@pytest.mark.parametrize(
    "text", ["", "1234567", "g" * 8, "1234567-", "1" * 37, "12345678%", "12345678\n12", "１２３４５６７８"]
)
def test_what_cannot_begin_an_id_is_no_prefix(text: str):
    assert as_prefix(text) is None
