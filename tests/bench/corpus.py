"""Texts like the ones engineers keep, and the questions they ask of them. The same ones in every run.

The words and their frequencies are those of Python's own reference manual (`pydoc_data`, part of every Python): real
technical English with its few common and many rare words, on which the cost of a full-text search depends. Every
seventh word becomes an identifier, a path, a number or a version.
"""

import re
from collections import Counter
from collections.abc import Iterator
from functools import cache
from itertools import accumulate
from pydoc_data.topics import topics
from random import Random

from bigmind.text.stop_words import ENGLISH

SHORTEST, LONGEST = 100, 400


@cache
def _vocabulary() -> tuple[list[str], list[int]]:
    """Words, and their frequencies added up."""
    text = "\n".join(topics[name] for name in sorted(topics))
    counted = sorted(Counter(re.findall(r"[A-Za-z][a-z]+", text)).items())
    return [word for word, _ in counted], list(accumulate(number for _, number in counted))


def texts(seed: int) -> Iterator[str]:
    """Texts of 100 to 400 characters, without end."""
    random = Random(seed)
    words, weights = _vocabulary()
    while True:
        length = random.randint(SHORTEST, LONGEST)
        drawn = random.choices(words, cum_weights=weights, k=LONGEST // 2)
        for place in range(random.randrange(7), len(drawn), 7):
            drawn[place] = _artefact(random, drawn[place].lower(), drawn[place - 1].lower())
        yield " ".join(drawn)[:length]


def _artefact(random: Random, one: str, other: str) -> str:
    match random.randrange(5):
        case 0:
            return f"{one}_{other}"
        case 1:
            return f"{one}{other.capitalize()}"
        case 2:
            return f"src/{one}/{other}.py"
        case 3:
            return str(random.randrange(10_000))
        case _:
            return f"v{random.randrange(9)}.{random.randrange(30)}"


def questions(seed: int) -> Iterator[str]:
    """Two to five telling words of a text each, without end."""
    random = Random(seed)
    for text in texts(seed):
        telling = [word for word in re.findall(r"\w+", text)[:-1] if word.lower() not in ENGLISH]
        asked = list(dict.fromkeys(word for word in telling if len(word) > 2))
        if len(asked) >= 5:
            yield " ".join(random.sample(asked, random.randint(2, 5)))


_ASKED = (
    "what did we decide about {}",
    "why was {} changed",
    "how does {} work",
    "where is {} set",
    "{}",
    "the error with {}",
    "which decision did we take about {}",
)


def natural_questions(seed: int) -> Iterator[str]:
    """Questions of three to eight words or so, of which two to four tell something, without end."""
    random = Random(seed)
    for asked in questions(seed):
        yield random.choice(_ASKED).format(" ".join(asked.split()[: random.randint(2, 4)]))
