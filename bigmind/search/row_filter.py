"""Narrows a list down by what somebody types: every word must stand somewhere in a row, also inside of words."""

from collections.abc import Sequence
from typing import Any

from sqlalchemy import ColumnElement, or_
from sqlmodel import col

MOST_WORDS = 12
LONGEST_WORD = 100


def holding(text: str, columns: Sequence[Any]) -> list[ColumnElement[bool]]:
    """The conditions of a row that holds each word of `text` in any of the columns, whatever its case.

    For lists of some thousand rows of one person, which are read one by one; `finding.find` is for everything else.
    """
    return [_in_any(word[:LONGEST_WORD], columns) for word in text.split()[:MOST_WORDS]]


def _in_any(word: str, columns: Sequence[Any]) -> ColumnElement[bool]:
    return or_(*(col(column).icontains(each, autoescape=True) for column in columns for each in _cases(word)))


def _cases(word: str) -> tuple[str, ...]:
    """The database folds the case of ASCII only; other words are looked for as people write them."""
    return (word,) if word.isascii() else tuple(dict.fromkeys((word, word.lower(), word.upper(), word.capitalize())))
