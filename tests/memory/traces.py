"""Looks for the bytes of a text in every file of a data folder, whatever SQLite says is in them."""

import re
import sqlite3
from collections.abc import Iterable
from pathlib import Path

from bigmind.text.words import index_terms

SHORTEST = 5
"""Bytes of a word that is looked for by itself: shorter ones stand anywhere by chance."""


def patterns_of(*texts: str) -> set[bytes]:
    """What must not be found: the texts, their words as they are, in lower case and stemmed, and their split terms."""
    wanted: set[str] = set()
    for text in texts:
        words = set(re.findall(r"\w+", text)) | set(index_terms(text).split())
        wanted |= {text, text.lower(), *words, *(word.lower() for word in words), *stems(text)}
    return {each.encode() for each in wanted if len(each.encode()) >= SHORTEST}


def stems(text: str) -> set[str]:
    """The words of a text as the index keeps them."""
    index = sqlite3.connect(":memory:")
    index.execute("CREATE VIRTUAL TABLE t USING fts5(text, tokenize='porter unicode61 remove_diacritics 2')")
    index.execute("INSERT INTO t VALUES (?)", (text,))
    index.execute("CREATE VIRTUAL TABLE v USING fts5vocab(t, row)")
    found = {term for (term,) in index.execute("SELECT term FROM v")}
    index.close()
    return found


def traces(folder: Path, patterns: Iterable[bytes]) -> dict[str, list[bytes]]:
    """Which of the patterns stand in which files of a folder and those below it.

    Vectors, when there are any, are given as patterns too.
    """
    wanted = sorted(patterns)
    found: dict[str, list[bytes]] = {}
    for file in sorted(each for each in folder.rglob("*") if each.is_file()):
        content = file.read_bytes()
        if here := [each for each in wanted if each in content]:
            found[file.relative_to(folder).as_posix()] = here
    return found
