"""Reads an excerpt: which stretches of it are the words that were looked for."""

import re

# A mark holds no blank at its ends, so that `2 ** 3` in a stored text is none.
MARK = re.compile(r"\*\*(?=\S)(.+?)(?<=\S)\*\*")
"""What is read as marked, also where the text itself has it in bold."""


def stretches(excerpt: str) -> list[tuple[str, bool]]:
    """The excerpt in its stretches, in order; `True` for one that stood between `**`.

    An excerpt is plain text in which `text/excerpts.py` marked the hits. A stored text that holds `**` itself may
    look marked: what is shown is a matter of emphasis only.
    """
    pieces = MARK.split(excerpt)
    return [(piece, place % 2 == 1) for place, piece in enumerate(pieces) if piece]
