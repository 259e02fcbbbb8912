"""A line that says what a longer text is about."""

import re
from collections.abc import Sequence

from bigmind.core.plain_text import one_line, shortened
from bigmind.text.lazy_pattern import lazy_pattern

FEWEST_WORDS = 4
FEWEST_WIDE = 8
"""Characters of a script without spaces, which stand for the words."""

LONGEST_LOOKED_AT = 4_000
LONGEST_COURTESY = 100
"""Characters of a sentence that is polite and says no more."""

ENDINGS = ".!?。！？"
FENCES = ("```", "~~~")

_FENCED = lazy_pattern(r"^\s*(```|~~~).*?(^\s*\1|\Z)", re.MULTILINE | re.DOTALL)
_BEGINNING = lazy_pattern(r"^[\s#>*+\-|]*(?:\d{1,3}[.)]\s+)?")
# A line that only says what comes: `## Summary`, `**Summary**`, `Changes:`.
_HEADING = lazy_pattern(r"^\s*#|^\s*(\*\*|__)[^*_\n]*[^*_\n.!?。！？]\1:?\s*$|:\W*$")
_MARKS = lazy_pattern(r"\*\*|__|`|\[([^\]\n]*)\]\([^)\n]*\)")
_COURTESY = lazy_pattern(
    r"(?:(?:and|so|please|just|great|perfect|okay?|sure|of course|always|gerne)[,!]? )*"
    r"(?:let me know\b(?! (?:whether to|which of|when the|if the .{1,50} should)\b)|feel free to\b"
    r"|don['’]t hesitate to\b|you(?:['’]re| are) (?:very |most )?welcome\b(?! to\b)"
    r"|no problem\b(?! (?:was|were|is|in|with)\b)"
    r"|(?:i['’]?a?m )?(?:glad|happy) (?:to help|i could|that|it|you|everything)\b|thank(?:s| you)\b(?! to\b)"
    r"|(?:is there )?anything else\b(?! (?:is|was|in|that (?!you|i)))"
    r"|have a (?:great|good|nice|lovely|wonderful) "
    r"(?:[a-z]*day|one|week|weekend|evening|afternoon|morning|night|time|trip|rest)\b"
    r"|enjoy (?:the|your) |what would you like\b"
    r"|(?:sag|gib|sagt|sagen sie|geben sie)(?: mir)?(?: einfach| gerne?)? bescheid\b|gerne? geschehen\b"
    r"|(?:brauchst du|brauchen sie|benötigen sie|kann ich)(?: dir| ihnen)? (?:noch|sonst)\b|viel (?:erfolg|spaß)\b"
    r"|meldet? dich\b(?! (?:ab|an)\b)|melden sie sich\b(?! (?:ab|an|am|im)\b)"
    r"|schöne[ns]? (?:wochenende|tag|abend|feierabend)\b|n['’]hésite[sz]? pas\b|de rien\b|avec plaisir\b"
    r"|(?:dis|dites)-moi s(?:i (?:tu|vous|besoin|quelque)\b|['’]il)|bonne (?:journée|soirée|fin)\b)",
    re.IGNORECASE,
)
"""What a conversation ends with, whatever it was about."""
_TOLD_BESIDE = lazy_pattern(
    r"[:;] \S+ \S|, (?:the|it|they|nothing|der|die|alle|er|es|ob ich|le|la|les|il|elle|tout)\b", re.IGNORECASE
)
"""What says more behind a courtesy: "Feel free to merge: CI is green", "Thanks, the migration went through"."""
_ENDS = lazy_pattern(r"(?<=[.!?])\s+|(?<=[。！？])|\n+")


def headline(text: str, longest: int) -> str:
    """The first sentence that says something, of at most `longest` characters: no "Done.", no courtesy, no heading.

    Where none does, all that is said, short as it is; of nothing but code its first line. Empty when the text is.
    """
    looked = text[:LONGEST_LOOKED_AT]
    sentences, headings = _parts(looked)
    told = _telling((*sentences, *headings)) or _joined(sentences) or _joined(headings) or _code(looked)
    return shortened(told or one_line(text), longest)


def says_something(text: str) -> bool:
    """Whether a text has a sentence that says something, or code: not "You're welcome!" alone."""
    looked = text[:LONGEST_LOOKED_AT]
    sentences, headings = _parts(looked)
    return bool(_telling((*sentences, *headings)) or _code(looked))


def _parts(looked: str) -> tuple[list[str], list[str]]:
    """The sentences of a text, without its code, and its headings."""
    parts = [(part, said) for part in _ENDS.split(_FENCED.sub("", looked)) if (said := _plain(part))]
    headings = [said for part, said in parts if _HEADING.search(part)]
    return [said for part, said in parts if not _HEADING.search(part)], headings


def _telling(sentences: Sequence[str]) -> str:
    return next((each for each in sentences if _is_telling(each)), "")


def _joined(sentences: Sequence[str]) -> str:
    return " ".join(each if each[-1] in ENDINGS else f"{each};" for each in sentences).removesuffix(";")


def _code(text: str) -> str:
    """The first line of the first code that is there."""
    found = _FENCED.search(text)
    lines = found.group().strip().splitlines()[1:] if found is not None else []
    first = next((line for each in lines if (line := one_line(each)) and not line.startswith(FENCES)), "")
    return f"Code: {first}" if first else ""


def _plain(part: str) -> str:
    return one_line(_MARKS.sub(r"\1", _BEGINNING.sub("", part)))


def _is_telling(sentence: str) -> bool:
    if len(sentence) <= LONGEST_COURTESY and _COURTESY.match(sentence) and not _TOLD_BESIDE.search(sentence):
        return False
    wide = sum(character > "\u2e7f" for character in sentence)
    return len(sentence.split()) >= FEWEST_WORDS or wide >= FEWEST_WIDE
