"""The real tokenizer, to hold our own measure against."""

import warnings
from functools import cache
from typing import Any


@cache
def _encoding() -> Any:
    with warnings.catch_warnings():
        # It opens its data with a function that Python 3.11 calls deprecated.
        warnings.simplefilter("ignore", DeprecationWarning)
        import bpe_openai  # noqa: PLC0415 - only under the filter
    return bpe_openai.get_encoding("o200k_base")


def o200k(text: str) -> int:
    """Tokens of `text` in OpenAI's o200k encoding."""
    return len(_encoding().encode(text, disallowed_special=()))
