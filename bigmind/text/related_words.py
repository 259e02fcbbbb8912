"""English words that mean nearly what another does, or belong to it: `children` for `kids`, `hurt` for `injured`.

They come from the default model's own table of words (packaging/related_words.py). Everyday words have none.
"""

from bisect import bisect_left
from functools import cache, lru_cache
from pathlib import Path

REMEMBERED = 1_024
"""Words that are not looked up again."""
_FILE = Path(__file__).with_name("related_words.txt")


@lru_cache(maxsize=REMEMBERED)
def related_words(word: str) -> tuple[str, ...]:
    """At most three words for one in small letters, the nearest first; none of a word that is not known."""
    lines, sought = _lines(), f"{word} ".encode()
    at = bisect_left(lines, sought)
    if at == len(lines) or not lines[at].startswith(sought):
        return ()
    return tuple(lines[at].decode("ascii").split()[1:])


@cache
def _lines() -> list[bytes]:
    """A word and those that are related to it, sorted."""
    return _FILE.read_bytes().splitlines()
