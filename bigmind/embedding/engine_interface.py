"""What the engines share: their interface, and the files of a model. Imported in the embedder's process only."""

import hashlib
import importlib.util
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Protocol

import numpy as np

from bigmind.embedding.models import Model
from bigmind.local.program import how_to_add
from bigmind.paths import asset

Piece = tuple[int, int, bytes]
"""Where it starts and ends in the text, and its vector: one signed byte per dimension."""


class LoadedModel(Protocol):
    """A model that is ready. Safe to use from several threads."""

    def query(self, text: str) -> bytes:
        """The vector of a question."""
        ...

    def documents(self, texts: Sequence[tuple[str, str]]) -> list[list[Piece]]:
        """The pieces of each text; each piece is embedded behind the text's head."""
        ...


class CannotLoadError(Exception):
    """A model cannot be loaded, and why, for people."""


def weights(model: Model) -> Path:
    """The file with a model's weights, out of its package, after a look at its checksum.

    Raises:
        CannotLoadError: it is missing, or another file.
    """
    package, name = model.weights or ("", "")
    spec = importlib.util.find_spec(package)
    if spec is None or spec.origin is None:
        wanted = f"bigmind[{model.extra}]" if model.extra else package.replace("_", "-")
        raise CannotLoadError(f"the package with the model's weights is not installed: {how_to_add(wanted)}")
    return checked(Path(spec.origin).parent / name, model.sha256)


def tokenizer_folder(model: Model) -> Path:
    """The folder with a model's tokenizer, after a look at its checksum.

    Raises:
        CannotLoadError: it is missing, or another one.
    """
    folder = asset(model.files)
    checked(folder / "tokenizer.json", model.tokenizer_sha256)
    return folder


def checked(path: Path, sha256: str) -> Path:
    """A file, if it is the one that BigMind was tested with."""
    try:
        with path.open("rb") as stream:
            digest = hashlib.file_digest(stream, "sha256").hexdigest()
    except OSError as error:
        raise CannotLoadError(
            f"the file {path.name} cannot be read: {error.strerror}; install BigMind again"
        ) from error
    if digest != sha256:
        raise CannotLoadError(f"the file {path.name} is not the one that BigMind was tested with; install it again")
    return path


def as_bytes(vector: Any) -> bytes:
    """A vector in one signed byte per dimension. Its length goes lost, which a cosine does not look at."""
    largest = float(np.maximum.reduce(np.abs(vector))) or 1.0
    return np.rint(vector * (127.0 / largest)).astype(np.int8).tobytes()
