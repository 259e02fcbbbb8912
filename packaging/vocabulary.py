"""Writes bigmind/memory/vocabulary.txt: what the o200k tokenizer (MIT licence, OpenAI) reads as a single token.

First line: single characters outside ASCII. Then one ASCII word per line, as written, that is one token with and
without a blank before it. Run by hand with the test environment; the file is committed.
"""

import re
from pathlib import Path

import bpe_openai

TARGET = Path(__file__).resolve().parent.parent / "bigmind" / "memory" / "vocabulary.txt"
WORD = re.compile(r"[A-Z]?[a-z]+|[A-Z]+")
SHORTEST = 2


def main() -> None:
    """Read every token of the encoding and keep what the measure needs."""
    encoding = bpe_openai.get_encoding("o200k_base")
    tokens: set[str] = set()
    for number in range(199_998):
        try:
            tokens.add(encoding.decode_single_token_bytes(number).decode())
        except UnicodeDecodeError:
            continue  # part of a character
    characters = sorted(token for token in tokens if len(token) == 1 and not token.isascii() and token.isprintable())
    words = sorted(
        token for token in tokens if len(token) >= SHORTEST and WORD.fullmatch(token) and f" {token}" in tokens
    )
    TARGET.write_text("".join(characters) + "\n" + "\n".join(words) + "\n", encoding="utf-8")
    print(f"{len(characters)} characters, {len(words)} words")


if __name__ == "__main__":
    main()
