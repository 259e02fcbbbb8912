"""One scale for all models: what is alike, close and the same stands at the same place, whatever the model."""

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bigmind.embedding.models import FAMILIES, MINILM, MULTILINGUAL, Model, model_named

MODELS = [MINILM, MULTILINGUAL, Model("of nobody"), *(model_named(f"{family}-x") for family in FAMILIES)]
IDS = [model.name for model in MODELS]


@pytest.mark.parametrize("model", MODELS, ids=IDS)
@given(st.floats(-1, 1), st.floats(-1, 1))
def test_a_nearer_vector_is_never_less_similar(model: Model, one: float, other: float) -> None:
    low, high = sorted((one, other))
    assert 0 <= model.similarity(low) <= model.similarity(high) <= 1


@pytest.mark.parametrize("model", MODELS, ids=IDS)
def test_lines_are_straight_between_what_is_known_and_to_0_and_1(model: Model) -> None:
    places = [0.0, model.alike, *((model.close, model.same) if model.close else ()), 1.0]
    known = [0.0, 0.5, *((0.85, 0.9) if model.close else ()), 1.0]
    assert [model.similarity(each) for each in places] == pytest.approx(known)
    for low, high in pairwise(places[:2] if not model.close else places):
        middle = (model.similarity(low) + model.similarity(high)) / 2
        assert model.similarity((low + high) / 2) == pytest.approx(middle)


def test_of_the_default_model_close_and_the_same_are_those_very_cosines() -> None:
    assert [MINILM.similarity(each) for each in (0.35, 0.85, 0.9)] == pytest.approx([0.5, 0.85, 0.9])
