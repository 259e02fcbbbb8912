"""Writes bigmind/memory/o200k.bin: the ranks of the o200k tokenizer (MIT licence, OpenAI), for `text/tokens.py`.

Each token is a number of 64 bits: 46 of a hash of its bytes, then its rank. They are sorted, so that one is found by
bisection. Run by hand with the test environment; the file is committed.
"""

import sys
from array import array
from pathlib import Path

import bpe_openai

from bigmind.text.tokens import RANK_BITS, fingerprint

TARGET = Path(__file__).resolve().parent.parent / "bigmind" / "text" / "o200k.bin"
TOKENS = 199_998


def main() -> None:
    """Read every token of the encoding and keep what counting needs."""
    encoding = bpe_openai.get_encoding("o200k_base")
    rows = sorted(fingerprint(encoding.decode_single_token_bytes(rank)) << RANK_BITS | rank for rank in range(TOKENS))
    if len({row >> RANK_BITS for row in rows}) != TOKENS:
        sys.exit("two tokens have the same fingerprint: take another hash")
    numbers = array("Q", rows)
    if sys.byteorder == "big":
        numbers.byteswap()
    TARGET.write_bytes(numbers.tobytes())
    print(f"{TOKENS} tokens, {TARGET.stat().st_size} bytes")


if __name__ == "__main__":
    main()
