"""Writes bigmind/text/related_words.txt: words, each with the few that are nearest to it, for `text/related_words.py`.

Two words are near whose rows in the table of words of all-MiniLM-L6-v2 are, once what all rows have in common is taken
away. Left out are everyday words, months, numbers and the like, of which each is near to the next, opposites, and forms
of the word itself, which the full-text index finds by their stem. Run by hand with the test environment,
`.venv/bin/python packaging/related_words.py`; the file is committed.
"""

import sqlite3
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import numpy as np
from tokenizers import Tokenizer

from bigmind.embedding.engine_interface import tokenizer_folder, weights
from bigmind.embedding.engine_onnxruntime import mapped
from bigmind.embedding.models import DEFAULT, model_named
from bigmind.text.antonyms import FAMILIES, NUMBERS, OPPOSITES
from bigmind.text.everyday_words import ENGLISH
from bigmind.text.stop_words import ENGLISH as STOP_WORDS
from bigmind.text.word_matches import has_form, word_root

TARGET = Path(__file__).resolve().parent.parent / "bigmind" / "text" / "related_words.txt"
LEAST_COSINE = 0.45
MOST_RELATED = 3
LOOKED_AT = 40
"""The nearest words that are looked at: most of them may be forms of the word itself."""
SHORTEST, LEAST_ROOT = 3, 4
BLOCK = 1_000
"""Words that are compared with all others at once."""
SERIES = frozenset(
    """
    thirteen fourteen fifteen sixteen seventeen eighteen nineteen twenty thirty forty fifty sixty seventy eighty ninety
    eleven twelve hundred hundreds thousand thousands million millions billion billions second third fourth fifth sixth
    seventh eighth ninth tenth north south east west northern southern eastern western
    """.split()  # noqa: SIM905 - in quotes each, the words could not be read
).union(NUMBERS, *(family.split() for family in FAMILIES))
"""Words of a row, of which each is near to the next and means another thing."""
NEGATIONS = ("un", "in", "im", "il", "ir", "dis", "non", "mis")
MORE_OPPOSITES = tuple(
    tuple(pair.split("/"))
    for pair in """
    increase/decrease increased/decreased increasing/decreasing import/export imports/exports imported/exported
    cheap/expensive upstream/downstream upstairs/downstairs horizontal/vertical horizontally/vertically
    positive/negative buy/sell buying/selling bought/sold buyer/seller buyers/sellers male/female males/females
    upper/lower inside/outside inner/outer indoor/outdoor plaintiff/defendant victory/defeat win/lose won/lost
    winner/loser internal/external minimum/maximum minimal/maximal input/output inputs/outputs encode/decode
    absence/presence absent/present ancient/modern attack/defend attacker/defender arrival/departure
    arrive/depart ascending/descending borrow/lend broad/narrow client/server clients/servers deep/shallow
    domestic/foreign downward/upward downwards/upwards employer/employee employers/employees even/odd
    exclude/include excluding/including failure/success failed/succeeded fail/succeed forward/backward
    forwards/backwards gain/loss gains/losses giant/tiny guilty/innocent heavy/light hire/fire hired/fired
    huge/tiny landlord/tenant lender/borrower lenders/borrowers loud/quiet passive/active private/public
    profit/loss profits/losses prosecution/defense push/pull pushed/pulled rural/urban shorter/longer
    simple/complex singular/plural slow/fast slower/faster slowly/quickly smaller/larger smallest/largest
    strength/weakness strengths/weaknesses stronger/weaker subtract/add supply/demand temporary/permanent
    thick/thin thicker/thinner tight/loose victim/suspect weak/strong wet/dry wide/narrow wider/narrower
    worse/better young/old younger/older accept/reject accepted/rejected allow/forbid allowed/forbidden
    approve/reject approved/rejected attach/detach connect/disconnect enabled/disabled locked/unlocked
    """.split()  # noqa: SIM905 - in quotes each, the words could not be read
)
"""Words that mean the opposite, beside those by which facts are judged."""


def main() -> None:
    """Find the nearest of each word."""
    names, table = _words()
    stems = _stems(names)
    opposites = _opposites(stems)
    lines = []
    for start in range(0, len(names), BLOCK):
        cosines = table[start : start + BLOCK] @ table.T
        for word, row in zip(names[start : start + BLOCK], cosines, strict=True):
            if found := list(_related(word, row, names, stems, opposites)):
                lines.append(" ".join((word, *found)))
    TARGET.write_bytes(b"\n".join(sorted(line.encode("ascii") for line in lines)) + b"\n")
    print(f"{len(lines)} words, {TARGET.stat().st_size} bytes")


def _words() -> tuple[list[str], "np.ndarray"]:
    """The whole words of the model that say something, and the direction of each."""
    model = model_named(DEFAULT)
    folder = tokenizer_folder(model)
    known = mapped(weights(model), folder / "weights.json")
    table = known["words"].astype(np.float32) * known["word_scales"].astype(np.float32)
    table -= table.mean(axis=0)
    table /= np.linalg.norm(table, axis=1, keepdims=True)
    vocabulary: dict[str, int] = Tokenizer.from_file(str(folder / "tokenizer.json")).get_vocab()
    names = sorted(each for each in vocabulary if _says_something(each))
    return names, table[[vocabulary[each] for each in names]]


def _says_something(word: str) -> bool:
    is_word = word.isascii() and word.isalpha() and len(word) >= SHORTEST
    return is_word and word not in ENGLISH and word not in SERIES


def _stems(names: list[str]) -> dict[str, str]:
    """The stem of each word, as the full-text index has it."""
    index = sqlite3.connect(":memory:")
    index.execute("CREATE VIRTUAL TABLE word USING fts5(text, tokenize='porter unicode61 remove_diacritics 2')")
    index.execute("CREATE VIRTUAL TABLE term USING fts5vocab(word, instance)")
    index.executemany("INSERT INTO word (rowid, text) VALUES (?, ?)", enumerate(names))
    return {names[number]: stem for stem, number in index.execute("SELECT term, doc FROM term")}


def _related(
    word: str, cosines: "np.ndarray", names: list[str], stems: dict[str, str], opposites: list[set[str]]
) -> Iterator[str]:
    """The nearest of a word, each of another stem."""
    own, found = stems[word], 0
    seen = {own} | {stem for pair in opposites if own in pair for stem in pair}
    for number in np.argsort(-cosines)[1:LOOKED_AT]:
        other = names[number]
        if cosines[number] < LEAST_COSINE or found == MOST_RELATED:
            return
        if stems[other] not in seen and not _negates(own, stems[other]) and _is_itself(other):
            seen.add(stems[other])
            found += 1
            yield other


def _opposites(stems: dict[str, str]) -> list[set[str]]:
    """The stems of words that mean the opposite of each other."""
    return [{stems.get(each, each) for each in pair} for pair in (*OPPOSITES, *MORE_OPPOSITES)]


def _negates(word: str, other: str) -> bool:
    """Whether one of two stems is the other with a syllable before it that says no."""
    return any(word == each + other or other == each + word for each in NEGATIONS)


@cache
def _is_itself(word: str) -> bool:
    """Whether no form of its root, by which it is looked for in texts, is a word that says nothing."""
    root = word_root(word)
    is_long = root == word or len(root) >= LEAST_ROOT
    return is_long and not any(has_form(each, root) for each in STOP_WORDS | ENGLISH)


if __name__ == "__main__":
    main()
