"""Narrows a list of rows by what is being typed, with the table's own indexes of words and of trigrams."""

from collections.abc import Sequence

from sqlalchemy import TextClause, text

from bigmind.text.substrings import LEAST_PIECE, LONGEST_PIECE, grams
from bigmind.text.words import folded

MOST_WORDS = 12

_BEGINS = "{table}.id IN (SELECT rowid FROM {table}_fts WHERE {table}_fts MATCH :begins{number})"
# The trigrams of a word may stand apart from each other, so what they find is looked at once more.
_HOLDS = """
({table}.id IN (SELECT rowid FROM {table}_grams WHERE {table}_grams MATCH :grams{number}) AND ({held}))
"""


def narrowed(table: str, columns: Sequence[str], typed: str) -> list[TextClause]:
    """The conditions of a row that holds every word of `typed`: its beginning or, from three letters on, any part.

    Args:
        table: one with indexes of words (`<table>_fts`) and of trigrams (`<table>_grams`).
        columns: its columns that those are made of.
        typed: of it, the first `MOST_WORDS` words; nothing that stands in it is an operator.
    """
    words = typed.replace("\x00", "").split()[:MOST_WORDS]
    return [_holding(table, columns, number, word[:LONGEST_PIECE]) for number, word in enumerate(words)]


def _holding(table: str, columns: Sequence[str], number: int, word: str) -> TextClause:
    values = {f"begins{number}": f"{_quoted(word)}*"}
    told = _BEGINS.format(table=table, number=number)
    if len(piece := folded(word)) >= LEAST_PIECE:
        held = " OR ".join(f"{table}.{column} LIKE :held{number} ESCAPE '\\'" for column in columns)
        told += " OR " + _HOLDS.format(table=table, number=number, held=held)
        values[f"grams{number}"] = " AND ".join(_quoted(each) for each in grams(piece))
        values[f"held{number}"] = f"%{_as_it_is(word)}%"
    return text(f"({told})").bindparams(**values)


def _quoted(word: str) -> str:
    doubled = word.replace('"', '""')
    return f'"{doubled}"'


def _as_it_is(word: str) -> str:
    return word.replace("\\", "\\\\").replace("%", "\\%").replace("_", "\\_")
