"""Whether a text that comes without an instruction is stored, or is a question to be answered. Pure.

In doubt it is stored: a question that is kept costs a line on a page, a statement that is not is lost.
"""

import re
from enum import StrEnum

from bigmind.brain.rules import TOO_SHORT
from bigmind.text.lazy_pattern import lazy_pattern
from bigmind.text.words import UNSPACED

LEAST_SENTENCE, LEAST_CLAUSE = 3, 4
"""Words from which on a sentence, or a part of one, can state something: "Good morning." does not."""
LEAST_UNSPACED = 6
"""The same in characters, where a script has no blanks between words."""


class NotStored(StrEnum):
    """Why a text is answered and not kept."""

    TOO_SHORT = "too_short"
    QUESTION = "question"
    FOLLOW_UP = "follow_up"


IN_WORDS: dict[NotStored, str] = {
    NotStored.TOO_SHORT: f"only a text of more than {TOO_SHORT} characters is kept.",
    NotStored.QUESTION: "it asks, and states nothing.",
    NotStored.FOLLOW_UP: "it begins by going back to an answer; what is kept must be understood by itself.",
}
"""The reason of each, as the first line of the answer says it."""


def not_stored(reason: NotStored) -> str:
    """The first line of the answer to a text that was not stored."""
    return f"Nothing was stored ({reason}): {IN_WORDS[reason]}"


_FOLLOW_UP = lazy_pattern(
    r"\W*(?:based\s+on|you\s+said|you\s+told\s+me|regarding\s+your|about\s+your\s+response)\b", re.IGNORECASE
)
# A mark inside a word ends nothing: `a.b`, `/search?q=`, "e.g. ". Wide marks need no blank behind them.
_SENTENCE_END = lazy_pattern(
    r"(?<=[.!?؟])(?<!e\.g\.)(?<!i\.e\.)(?<!z\.B\.)(?<!d\.h\.)(?<!\bvs\.)(?<!\bcf\.)(?<!p\. ex\.)"
    r"[\"'\u2019\u201d»)\]]*\s+"
    r"|(?<=[。！？])\s*|[\r\n]+"
)
_ASKS = lazy_pattern(r"[?？؟][!?？！؟.…\s\"'\u2019\u201d»)\]*_]*$")
_CLAUSE_END = lazy_pattern(r"[,;:]\s+|\s+[-–—]+\s+|[；—]")
_ASKING = lazy_pattern(
    r"\W*(?:(?:and|but|so|also|then|hence|und|aber|also|et|mais|donc)\s+)?(?:"
    r"who|whom|whose|what|which|when|where|why|how|is|are|was|were|do|does|did|has|have|had|can|could|will|would|shall"
    r"|should|may|might|must|am|any|anyone|anybody|isn't|aren't|don't|doesn't|didn't|can't|won't|shouldn't"
    r"|wie|was|wer|wen|wem|wo|wann|warum|weshalb|wieso|welche[rmns]?|ist|sind|gibt|kann|können|soll|sollen|sollte|darf"
    r"|muss|hat|haben|wird|werden"
    r"|comment|pourquoi|où|quand|qui|que|quel(?:le)?s?|combien|est-ce|peut-on|faut-il|y\s+a-t-il"
    r")\b",
    re.IGNORECASE,
)
_COURTESY = lazy_pattern(
    r"\W*(?:please|thanks|thank\s+you|hi|hello|hey|sorry|(?:a\s+)?(?:quick\s+|short\s+)?question"
    r"|i\s+(?:have\s+a\s+question|want|need|wonder|am\s+wondering|would\s+like)|i'd\s+like|i'm\s+wondering"
    r"|we\s+(?:want|need)\s+to\s+know|let\s+me\s+know|tell\s+me|help|bitte|danke|hallo|ich\s+(?:frage|möchte|will)|merci"
    r"|bonjour|je\s+(?:me\s+demande|voudrais))\b",
    re.IGNORECASE,
)
# A clause that only says when, or of what, is asked.
_SUBORDINATE = lazy_pattern(
    r"\W*(?:if|when|whenever|while|once|because|since|as|given|assuming|suppose|although|though|unless|until|after"
    r"|before|wenn|falls|weil|da|sobald|nachdem|si|lorsque|quand|comme|puisque)\b",
    re.IGNORECASE,
)
_STATES = lazy_pattern(
    r"\b(?:is|are|was|were|has|have|had|do|does|did|will|would|can|cannot|could|must|should|may|\w+n['\u2019]t|\w{3,}ed"
    r"|(?:run|use|read|write|take|fail|need|keep|live|send|get|stay|expire|return|call|hold|wait|break|cost|say)s?|goes"
    r"|found|saw|got|made|went|set|ran|kept|sent|took|said"
    r"|\w{2,}s\s+(?:an?|the|to|in|on|at|by|for|from|with|after|before|only|\d+|no|not|its|their|our|all|every|as)"
    r"|ist|sind|hat|haben|wird|werden|wurde|kann|muss|läuft|laufen|braucht|steht|liegt|kommt"
    r"|est|sont|doit|peut|avons|utilise|utilisons|faut)\b",
    re.IGNORECASE,
)


def why_not(text: str) -> NotStored | None:
    """Why a text that neither refines nor consolidates is not kept; None where it is.

    A text that states something and then asks qualifies. Blanks at either end do not count.
    """
    bare = text.strip()
    if len(bare) <= TOO_SHORT:
        return NotStored.TOO_SHORT
    if _FOLLOW_UP.match(bare):
        return NotStored.FOLLOW_UP
    return NotStored.QUESTION if only_asks(bare) else None


def only_asks(text: str) -> bool:
    """Whether a text asks, and states nothing."""
    sentences = [sentence for each in _SENTENCE_END.split(text) if (sentence := each.strip())]
    asked = [_ASKS.search(sentence) is not None for sentence in sentences]
    return any(asked) and not any(
        _states_before_asking(sentence) if asks else _is_statement(sentence)
        for sentence, asks in zip(sentences, asked, strict=True)
    )


def _is_statement(sentence: str) -> bool:
    """Whether a sentence that ends without a question mark says more than "Hello there." or "I have a question."."""
    return _is_long(sentence, LEAST_SENTENCE) and not _COURTESY.match(sentence)


def _states_before_asking(sentence: str) -> bool:
    """Whether a question begins with a statement: "The job runs at 2, can it run at 4?"."""
    for clause in _CLAUSE_END.split(sentence)[:-1]:
        if _ASKING.match(clause):
            return False
        is_main = not (_COURTESY.match(clause) or _SUBORDINATE.match(clause))
        if is_main and _is_long(clause, LEAST_CLAUSE) and _STATES.search(clause):
            return True
    return False


def _is_long(text: str, least: int) -> bool:
    unspaced = sum(len(run) for run in UNSPACED.findall(text))
    return len(text.split()) >= least or unspaced >= LEAST_UNSPACED
