"""Takes texts apart as the full-text indexes do: by an index of the same making, in memory, that is emptied again."""

from collections.abc import Collection, Iterable, Iterator, Sequence
from typing import Any

from bigmind.store.sqlite.driver import sound_driver
from bigmind.store.sqlite.schema import WORDS
from bigmind.text.words import UNSPACED

MOST_COLUMNS = 8
"""Columns of a row whose texts are taken apart."""
MOST_KNOWN = 10_000
"""Words whose tokens are held; where they are more, all go."""
_COLUMNS = ", ".join(f"c{number}" for number in range(MOST_COLUMNS))
_OPENING = (
    f"CREATE VIRTUAL TABLE text USING fts5({_COLUMNS}, content='', {WORDS})",
    "CREATE VIRTUAL TABLE token USING fts5vocab(text, instance)",
)
# As bytes: a text that is no sound UTF-8 is one to SQLite all the same.
_PUT = f"INSERT INTO text (rowid, {_COLUMNS}) VALUES (?{', CAST(? AS TEXT)' * MOST_COLUMNS})"  # noqa: S608 - ours
_TOKENS = "SELECT term, doc, CAST(substr(col, 2) AS INTEGER) FROM token"


class Tokenizer:
    """For one thread at a time; what it is given is in no file."""

    def __init__(self) -> None:
        """Open nothing yet."""
        self._opened: Any = None
        self._known: dict[str, bytes | None] = {}

    def words(self, words: Collection[str]) -> dict[str, bytes] | None:
        """The token of each word; None where one of them is looked for as more than one token, or as a beginning."""
        unknown = [each for each in words if each not in self._known]
        if unknown:
            if len(self._known) > MOST_KNOWN:
                self._known, unknown = {}, [*words]
            self._learn(unknown)
        found = {each: self._known[each] for each in words}
        return None if None in found.values() else {word: token for word, token in found.items() if token is not None}

    def tokens(self, rows: Iterable[Sequence[Any]]) -> Iterator[tuple[bytes, int, int]]:
        """Each token of each row, in which row it stands and in which of its texts, from 0 on.

        Args:
            rows: a key, and at most `MOST_COLUMNS` texts, as bytes; None is an empty one.

        Yields:
            In the order of the tokens, of one token in that of the rows.
        """
        if self._opened is None:
            self._opened = sound_driver().connect(":memory:", isolation_level=None, check_same_thread=False)
            self._opened.text_factory = bytes
            for statement in _OPENING:
                self._opened.execute(statement)
        self._opened.execute("BEGIN")
        try:
            self._opened.executemany(_PUT, ((*row, *[None] * (MOST_COLUMNS + 1 - len(row))) for row in rows))
            yield from self._opened.execute(_TOKENS).fetchall()
        finally:
            self._opened.execute("ROLLBACK")

    def _learn(self, words: Sequence[str]) -> None:
        found: dict[int, list[bytes]] = {}
        for token, row, _ in self.tokens([(number, word.encode()) for number, word in enumerate(words)]):
            found.setdefault(row, []).append(token)
        for number, word in enumerate(words):
            tokens = found.get(number, [])
            self._known[word] = tokens[0] if len(tokens) == 1 and not UNSPACED.fullmatch(word) else None
