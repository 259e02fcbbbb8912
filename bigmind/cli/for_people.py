"""An answer as somebody at a terminal reads it: without what is said to models alone."""

from bigmind.text.phrasing import RECALLED

_OF_THINGS = ("- ", "> ", " ")
"""How lines begin that hold what is stored."""


def for_people(words: str) -> str:
    """The answer without the sentence that keeps a model from obeying what is recalled; a person is in no such danger.

    It stands in the heading, before all that is stored: where that says the same, it is left as it is.
    """
    before, _, after = words.partition(RECALLED)
    if len(before) == len(words) or any(line.startswith(_OF_THINGS) for line in before.splitlines()):
        return words
    heading = before.rstrip(" ")
    return heading + (after.removeprefix("\n") if not heading or heading.endswith("\n") else after)
