"""How few letters two words differ by."""

LEAST_LETTERS = 5
"""Letters of a word that may have been typed wrongly: shorter ones are near to too many others."""
LETTERS_FOR_TWO = 9
"""Letters from which on a word may have two wrong ones."""
LONGEST_WORD = 40
"""Letters of the longest word that is compared."""


def most_edits(word: str) -> int:
    """How many letters of a word may be wrong."""
    return 0 if len(word) < LEAST_LETTERS else 1 if len(word) < LETTERS_FOR_TWO else 2


def edits_between(word: str, other: str) -> int | None:
    """By how many letters (left out, added, other ones, two that changed places) a word differs; None of too many.

    Both begin with the same letter. Where two letters differ, they stand close together.
    """
    most = most_edits(word)
    if word[:1] != other[:1] or abs(len(word) - len(other)) > most or len(other) > LONGEST_WORD:
        return None
    one, two = _without_common_ends(word, other)
    # So short that comparing them costs nothing, however many words are compared.
    if max(len(one), len(two)) > 2 * most:
        return None
    edits = _edits(one, two)
    return edits if edits <= most else None


def _without_common_ends(one: str, two: str) -> tuple[str, str]:
    begins = 0
    while begins < min(len(one), len(two)) and one[begins] == two[begins]:
        begins += 1
    one, two = one[begins:], two[begins:]
    ends = 0
    while ends < min(len(one), len(two)) and one[-1 - ends] == two[-1 - ends]:
        ends += 1
    return one[: len(one) - ends], two[: len(two) - ends]


def _edits(one: str, two: str) -> int:
    if not one or not two:
        return len(one) + len(two)
    if one[0] == two[0]:
        return _edits(one[1:], two[1:])
    found = 1 + min(_edits(one[1:], two), _edits(one, two[1:]), _edits(one[1:], two[1:]))
    if one[:2] == two[1::-1] and len(one) > 1:
        found = min(found, 1 + _edits(one[2:], two[2:]))
    return found
