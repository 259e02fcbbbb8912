"""The default model's graph: it is what its script makes, and its integers are multiplied exactly on any processor."""

import runpy
from pathlib import Path

import numpy as np
import onnx
import pytest
from onnx.reference import ReferenceEvaluator

from bigmind.embedding import engine_onnxruntime
from bigmind.embedding.engine_interface import as_bytes, weights
from bigmind.embedding.engine_onnxruntime import EXACT, WithOnnxRuntime, mapped, runtime, session_options
from bigmind.embedding.models import MINILM
from bigmind.paths import asset
from tests.system_programs import ROOT

SCRIPT = runpy.run_path(str(ROOT / "packaging" / "embedding_graph.py"))
FOLDER = asset("model")
TEXT = "Which port does the gateway listen on?"


def test_the_committed_files_are_those_that_the_script_makes() -> None:
    model, places = SCRIPT["made"](SCRIPT["packaged"]())
    assert (FOLDER / "graph.onnx").read_bytes() == model
    assert (FOLDER / "weights.json").read_bytes() == places
    assert (FOLDER / "sums.onnx").read_bytes() == SCRIPT["sums"]()


def test_the_graph_is_sound_and_holds_no_weights() -> None:
    graph = onnx.load(FOLDER / "graph.onnx", load_external_data=False)
    kinds = [each.op_type for each in graph.graph.node]
    assert kinds.count("MatMulInteger") == 36
    assert {each.domain for each in graph.graph.node} == {""}  # none of one runtime only
    within = [each for each in graph.graph.initializer if not each.external_data]
    assert sum(each.ByteSize() for each in within) < 5_000


def test_its_vectors_are_those_of_plain_arithmetic() -> None:
    loaded = WithOnnxRuntime(MINILM)
    tokens = np.array([loaded._tokenizer.encode(TEXT).ids], dtype=np.int64)
    (plain,) = ReferenceEvaluator(_with_weights(FOLDER / "graph.onnx")).run(None, {"input_ids": tokens})
    expected, found = (
        np.frombuffer(each, dtype=np.int8).astype(int) for each in (as_bytes(plain[0]), loaded.query(TEXT))
    )
    # Numbers that lie between two steps fall to either side, as a processor adds floats.
    assert expected @ found > 0.99 * np.linalg.norm(expected) * np.linalg.norm(found)


@pytest.mark.parametrize("is_exact", [True, False], ids=["as found", "where sums overflow"])
def test_sums_of_products_do_not_overflow_whatever_the_processor(
    is_exact: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    if not is_exact:
        monkeypatch.setattr(engine_onnxruntime, "sums_are_exact", lambda: False)
    session = runtime.InferenceSession(SCRIPT["sums"](), session_options(), providers=["CPUExecutionProvider"])
    for rows in (1, 3, 150):
        (found,) = session.run(None, {"values": np.full((rows, 384), 255, np.uint8)})
        assert set(found.ravel()) == {384 * 255 * 127}


@pytest.mark.parametrize("is_exact", [True, False])
def test_the_slower_way_is_taken_only_where_sums_overflow(is_exact: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(engine_onnxruntime, "sums_are_exact", lambda: is_exact)
    options = session_options()
    if is_exact:
        with pytest.raises(RuntimeError):
            options.get_session_config_entry(EXACT[0])
    else:
        assert options.get_session_config_entry(EXACT[0]) == EXACT[1]


def test_its_vectors_are_the_same_by_the_slower_way(monkeypatch: pytest.MonkeyPatch) -> None:
    as_found = WithOnnxRuntime(MINILM)
    monkeypatch.setattr(engine_onnxruntime, "sums_are_exact", lambda: False)
    slower = WithOnnxRuntime(MINILM)
    for text in (TEXT, TEXT * 20):
        assert as_found.query(text) == slower.query(text)


def _with_weights(file: Path) -> onnx.ModelProto:
    """The graph with its weights in it."""
    model = onnx.load(file, load_external_data=False)
    tensors = mapped(weights(MINILM), FOLDER / "weights.json")
    for each in model.graph.initializer:
        if each.external_data:
            each.CopyFrom(onnx.numpy_helper.from_array(tensors[each.name], each.name))
    return model
