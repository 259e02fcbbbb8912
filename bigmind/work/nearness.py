"""How near a text is to an item, by meaning."""

from bigmind.store.work import Work
from bigmind.work.about import Subject


def similarity(work: Work, subject: Subject, text: str) -> float | None:
    """TEMPORARY"""
    return None
