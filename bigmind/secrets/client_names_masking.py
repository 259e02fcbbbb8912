"""Masks the names that clients give themselves and their workspaces: they are stored with all that is written."""

from functools import lru_cache


@lru_cache(maxsize=256)
def without_secrets(name: str) -> str:
    """A short name as `masking.mask` leaves it; the same few names come with every request."""
    from bigmind.secrets.masking import mask  # noqa: PLC0415 - its rules are loaded at the first use

    return mask(name).text
