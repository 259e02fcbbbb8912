"""Whether a text is about an item. Pure."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Subject:
    """An item, as far as it is read to tell whether a text is about it."""

    title: str
    topic: str = ""
    description: str = ""
    dna_text: str = ""
