"""The default model: a graph of BigMind's own, a package's weights. Imported in the embedder's process only."""

import json
import mmap
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import onnxruntime  # pyright: ignore[reportMissingTypeStubs]
from tokenizers import Tokenizer

from bigmind.embedding.engine_interface import Piece, as_bytes, checked, tokenizer_folder, weights
from bigmind.embedding.models import Model
from bigmind.embedding.token_windows import LOOKED_AT, TokenCutter
from bigmind.paths import asset

runtime: Any = onnxruntime  # without types
runtime.disable_telemetry_events()  # before there is a session; its environment variable says the same

EXACT = ("session.x64quantprecision", "1")
"""Sums of products of 8 bits that do not overflow on processors without VNNI, for a tenth of the speed. One with VNNI
is kept from using it by this, and takes twice as long."""
LARGEST_SUM = 384 * 255 * 127
ROWS = (1, 2, 7, 64)
"""Of how many rows a product is looked at: ONNX Runtime has several ways to multiply."""


class WithOnnxRuntime:
    """A model whose graph packaging/embedding_graph.py made. One text at a time: more together are no faster."""

    def __init__(self, model: Model) -> None:
        """Load it; ONNX Runtime copies the weights, so the pages of their file need not stay in memory."""
        self._model = model
        folder = tokenizer_folder(model)
        graph = checked(folder / "graph.onnx", model.graph_sha256).read_bytes()
        places = checked(folder / "weights.json", model.places_sha256)
        content = _mapping(weights(model))
        self._weights = _tensors(content, places)  # for as long as the session
        self._session = _session(graph, self._weights)
        if hasattr(mmap, "MADV_DONTNEED"):  # not on Windows
            content.madvise(mmap.MADV_DONTNEED)
        self._tokenizer: Any = Tokenizer.from_file(str(folder / "tokenizer.json"))
        self._cutter = TokenCutter(self._tokenizer, model.window)

    def query(self, text: str) -> bytes:
        """The vector of a question."""
        prefix = self._model.query_prefix
        whole = self._whole(prefix + text)
        return whole or self._vector(prefix + text[: next(self._cutter.cut(prefix, text)).stop])

    def documents(self, texts: Sequence[tuple[str, str]]) -> list[list[Piece]]:
        """The pieces of each text, and their vectors."""
        return [self._pieces(self._cutter.head(self._model.passage_prefix + head), text) for head, text in texts]

    def _pieces(self, head: str, text: str) -> list[Piece]:
        if (whole := self._whole(head + text)) is not None:
            return [(0, len(text), whole)]
        return [
            (each.start, each.stop, self._vector(head + text[each.start : each.stop]))
            for each in self._cutter.cut(head, text)
        ]

    def _whole(self, text: str) -> bytes | None:
        """The vector of a text that the window holds, as it does most: nothing is cut, so its tokens are made once."""
        if len(text) > LOOKED_AT:
            return None
        tokens: list[int] = self._tokenizer.encode(text).ids
        return self._run(tokens) if len(tokens) <= self._model.window else None

    def _vector(self, text: str) -> bytes:
        tokens: list[int] = self._tokenizer.encode(text).ids
        if len(tokens) > self._model.window:  # it was cut inside a word
            tokens = [*tokens[: self._model.window - 1], tokens[-1]]
        return self._run(tokens)

    def _run(self, tokens: list[int]) -> bytes:
        (found,) = self._session.run(["embedding"], {"input_ids": np.array([tokens], dtype=np.int64)})
        return as_bytes(found[0])


def mapped(weights: Path, places: Path) -> dict[str, Any]:
    """Each tensor as an array over its place in the file of the weights; one that lies askew is copied."""
    return _tensors(_mapping(weights), places)


def _mapping(weights: Path) -> mmap.mmap:
    with weights.open("rb") as file:
        return mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)


def _tensors(content: mmap.mmap, places: Path) -> dict[str, Any]:
    told: dict[str, Any] = json.loads(places.read_text(encoding="utf-8"))
    return {name: _tensor(content, **place) for name, place in told.items()}


def _tensor(content: mmap.mmap, begin: int, dtype: str, shape: list[int]) -> Any:
    count = int(np.prod(shape))
    return np.require(np.frombuffer(content, dtype, count, begin).reshape(shape), requirements="A")


def session_options() -> Any:
    """How the graph is run: on the thread that asks, exactly, and with little memory."""
    options = _bare_options()
    if not sums_are_exact():
        options.add_session_config_entry(*EXACT)
    return options


@cache
def sums_are_exact() -> bool:
    """Whether this processor adds products of 8 bits exactly without being told to, tried with the largest."""
    content = (asset("model") / "sums.onnx").read_bytes()
    session = runtime.InferenceSession(content, _bare_options(), providers=["CPUExecutionProvider"])
    found = (session.run(["sums"], {"values": np.full((rows, 384), 255, np.uint8)})[0] for rows in ROWS)
    return all(bool((each == LARGEST_SUM).all()) for each in found)


def _bare_options() -> Any:
    options = runtime.SessionOptions()
    options.intra_op_num_threads = options.inter_op_num_threads = 1
    options.enable_cpu_mem_arena = False  # memory goes back after each text
    return options


def _session(graph: bytes, weights: dict[str, Any]) -> Any:
    options = session_options()
    values = [runtime.OrtValue.ortvalue_from_numpy(each) for each in weights.values()]
    options.add_external_initializers(list(weights), values)
    return runtime.InferenceSession(graph, options, providers=["CPUExecutionProvider"])
