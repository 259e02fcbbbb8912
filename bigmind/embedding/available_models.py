"""The models that can be chosen, and what each needs. Imported in the embedder's process only."""

from importlib.util import find_spec
from typing import Any

from fastembed.common.model_description import DenseModelDescription

from bigmind.embedding.engine_fastembed import descriptions, is_here
from bigmind.embedding.models import KNOWN, model_named

UNFIT = ("text&image", "text & image", "query-side", "document side", "document-side")
"""What fastembed says of models that liken texts to pictures, or are half of a pair."""
PREFIXES = "Prefixes for queries/documents:"


def offered() -> list[dict[str, Any]]:
    """Of each model its name, what it is, its megabytes, whether it is here, and whether it can be downloaded."""
    own = [
        {
            "name": each.name,
            "about": each.label,
            "megabytes": 0,
            "is_here": each.weights is not None and find_spec(each.weights[0]) is not None,
            "is_download": False,
        }
        for each in KNOWN.values()
    ]
    others = [
        {
            "name": each.model,
            "about": f"{each.description} Licence: {each.license}.",
            "megabytes": round(each.size_in_GB * 1000),
            "is_here": is_here(each),
            "is_download": True,
        }
        for each in descriptions()
        if each.model not in KNOWN and works_here(each)
    ]
    return own + sorted(others, key=lambda each: each["megabytes"])


def works_here(description: DenseModelDescription) -> bool:
    """Whether questions find texts by it: it is made for that, and BigMind knows the prefixes that it needs."""
    told = description.description
    if any(each in told.lower() for each in UNFIT):
        return False
    needs_none = told.partition(PREFIXES)[2].strip().startswith("not ")
    return needs_none or PREFIXES not in told or model_named(description.model).query_prefix != ""
