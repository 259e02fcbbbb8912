"""Models that fastembed runs. Imported in the embedder's process only."""

import os
from collections.abc import Iterable, Sequence
from itertools import islice
from typing import Any

from fastembed import TextEmbedding
from fastembed.common.model_description import DenseModelDescription, ModelSource, PoolingType
from huggingface_hub import try_to_load_from_cache
from tokenizers import Tokenizer

from bigmind.embedding.engine_interface import CannotLoadError, Piece, as_bytes, tokenizer_folder, weights
from bigmind.embedding.models import Model
from bigmind.embedding.token_windows import TokenCutter

MOST_TOKENS = 512
"""Tokens at once, with those that fill up. With 2,048 the process takes 790 MB at its peak, with 1,024 450, with 512
310, of which 290 are needed to load the model; it is no faster with more."""


class WithFastembed:
    """A model that fastembed runs."""

    def __init__(self, model: Model, embedding: TextEmbedding) -> None:
        self._model = model
        self._embedding = embedding
        fast: Any = embedding.model  # fastembed types its parts loosely
        truncation: dict[str, int] = fast.tokenizer.truncation or {}
        window = min(model.window, truncation.get("max_length", model.window))
        tokenizer = Tokenizer.from_str(fast.tokenizer.to_str())
        tokenizer.no_truncation()
        tokenizer.no_padding()
        self._cutter = TokenCutter(tokenizer, window)

    def query(self, text: str) -> bytes:
        """The vector of a question."""
        stretch = next(self._cutter.cut(self._model.query_prefix, text))
        return as_bytes(next(iter(self._embedding.query_embed(self._model.query_prefix + text[: stretch.stop]))))

    def documents(self, texts: Sequence[tuple[str, str]]) -> list[list[Piece]]:
        """The pieces of each text, and their vectors."""
        before = [self._cutter.head(self._model.passage_prefix + head) for head, _ in texts]
        cut = [list(self._cutter.cut(head, text)) for head, (_, text) in zip(before, texts, strict=True)]
        flat = [
            (each.tokens, f"{head}{text[each.start : each.stop]}")
            for head, (_, text), stretches in zip(before, texts, cut, strict=True)
            for each in stretches
        ]
        vectors = iter(self._vectors(flat))
        return [
            [(each.start, each.stop, vector) for each, vector in zip(stretches, vectors_of_it, strict=True)]
            for stretches in cut
            for vectors_of_it in [list(islice(vectors, len(stretches)))]
        ]

    def _vectors(self, texts: list[tuple[int, str]]) -> list[bytes]:
        """In batches of like length, because a batch costs what its longest costs."""
        found: list[bytes] = [b""] * len(texts)
        for batch in batches([tokens for tokens, _ in texts]):
            made = self._embedding.passage_embed([texts[place][1] for place in batch], batch_size=len(batch))
            for place, vector in zip(batch, made, strict=True):
                found[place] = as_bytes(vector)
        return found


def batches(tokens: Sequence[int]) -> Iterable[list[int]]:
    """Places of texts that go together: of like length, at most `MOST_TOKENS`, counted with those that fill up."""
    batch: list[int] = []
    for place in sorted(range(len(tokens)), key=tokens.__getitem__):
        if batch and tokens[place] * (len(batch) + 1) > MOST_TOKENS:
            yield batch
            batch = []
        batch.append(place)
    if batch:
        yield batch


def bundled(model: Model) -> TextEmbedding:
    """A model whose weights are a package's and whose tokenizer is BigMind's."""
    path = weights(model)
    folder = tokenizer_folder(model)
    if not any(each.model == model.name for each in descriptions()):
        TextEmbedding.add_custom_model(
            model=model.name,
            pooling=PoolingType.MEAN,
            normalization=True,
            sources=ModelSource(hf=f"bigmind/{model.name}"),  # never asked: the files are here
            dim=384,
            model_file=str(path),
        )
    return TextEmbedding(model.name, specific_model_path=str(folder), threads=1, enable_cpu_mem_arena=False)


def downloaded(model: Model) -> TextEmbedding:
    """A model of fastembed's that was downloaded before."""
    found = described(model.name)
    if not is_here(found):
        again = f"bigmind memory use-model {found.model} --download"
        raise CannotLoadError(f"{found.model} is not on this machine; choose it again to download it: {again}")
    return TextEmbedding(found.model, threads=1, local_files_only=True, **_without_arena(found))


def _without_arena(description: DenseModelDescription) -> dict[str, Any]:
    """The option that returns memory after each batch, of models that have it."""
    return {"enable_cpu_mem_arena": False} if description.model_file.endswith(".onnx") else {}


def descriptions() -> list[DenseModelDescription]:
    """Every model of fastembed's."""
    return TextEmbedding._list_supported_models()  # noqa: SLF001  # pyright: ignore[reportPrivateUsage] - the public one makes dictionaries of them


def described(name: str) -> DenseModelDescription:
    """The model of that name, in whatever case.

    Raises:
        CannotLoadError: there is none.
    """
    for each in descriptions():
        if each.model.lower() == name.lower():
            return each
    raise CannotLoadError(f"fastembed knows no model {name}")


def is_here(description: DenseModelDescription) -> bool:
    """Whether a model's files were downloaded."""
    cache = os.environ.get("FASTEMBED_CACHE_PATH")
    files = [description.model_file, *description.additional_files, "tokenizer.json"]
    source = description.sources.hf
    return source is not None and all(isinstance(try_to_load_from_cache(source, each, cache), str) for each in files)
