"""The default model's graph: it is what its script makes, and its integers are multiplied exactly on any processor."""

import runpy
from pathlib import Path

import numpy as np
import onnx
from onnx import TensorProto, helper
from onnx.reference import ReferenceEvaluator

from bigmind.embedding.engine_interface import as_bytes, weights
from bigmind.embedding.engine_onnxruntime import WithOnnxRuntime, mapped, runtime, session_options
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


def test_sums_of_products_do_not_overflow_whatever_the_processor() -> None:
    weight = onnx.numpy_helper.from_array(np.full((384, 8), 127, np.int8), "weight")
    zeros = [onnx.numpy_helper.from_array(np.zeros((), kind), kind.__name__) for kind in (np.uint8, np.int8)]
    graph = helper.make_graph(
        [helper.make_node("MatMulInteger", ["value", "weight", "uint8", "int8"], ["sum"])],
        "sum",
        [helper.make_tensor_value_info("value", TensorProto.UINT8, [1, 384])],
        [helper.make_tensor_value_info("sum", TensorProto.INT32, [1, 8])],
        [weight, *zeros],
    )
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 20)], ir_version=9)
    session = runtime.InferenceSession(model.SerializeToString(), session_options(), providers=["CPUExecutionProvider"])
    (found,) = session.run(None, {"value": np.full((1, 384), 255, np.uint8)})
    assert set(found.ravel()) == {384 * 255 * 127}


def _with_weights(file: Path) -> onnx.ModelProto:
    """The graph with its weights in it."""
    model = onnx.load(file, load_external_data=False)
    tensors = mapped(weights(MINILM), FOLDER / "weights.json")
    for each in model.graph.initializer:
        if each.external_data:
            each.CopyFrom(onnx.numpy_helper.from_array(tensors[each.name], each.name))
    return model
