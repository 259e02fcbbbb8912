"""What an assistant imported says so in its caution, and waits until a person accepts it."""

IMPORTED = "imported"
"""Stands among the names of a row's caution: nobody has seen what was in the assistant's file."""


def is_imported(caution: str) -> bool:
    """Whether an assistant imported the row with this caution."""
    return IMPORTED in caution.split(",")


def as_imported(caution: str) -> str:
    """The caution of such a row, with what was found in its texts."""
    return ",".join(sorted({*filter(None, caution.split(",")), IMPORTED}))
