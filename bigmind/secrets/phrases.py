"""Values that a sentence gives away: `the password for staging is …`, `secret …`, `login admin / …`.

Between a word for a secret and such a value stands no sign, or a whole phrase: so the value has to look like one, more
than where `password:` names it.
"""

import re
from collections.abc import Iterator

from bigmind.secrets.plausibility import ValueContext, is_password, is_strong, is_token
from bigmind.text.lazy_pattern import lazy_pattern

OF = "for|of|to|on|at|für|fuer|der|des|vom|von|zum|zur|im|am|auf|pour|du|de|del|para|van|voor|di|per|do|dla|от|для|від"
"""What begins the words that say of what a secret is."""
_IS = "is|was|ist|war|lautet|est|es|=|:"
_NOW = "now|still|currently|jetzt|nun|noch|aktuell|maintenant|ahora"
_OF_IT = rf"(?:{OF})(?:[ \t]{{1,3}}(?!(?:{_IS})[ \t])[\w.'’-]{{1,40}}){{1,6}}(?:[ \t]{{0,3}}[:=]|[ \t]{{1,3}}(?:{_IS}))"
_PHRASE = rf"(?:{_OF_IT}|\([^()\r\n]{{1,40}}\)[ \t]{{0,3}}[:=]|{_IS})[ \t]{{1,3}}(?:(?:{_NOW})[ \t]{{1,3}})?"
SAID = lazy_pattern(
    rf"(?:[ \t]{{1,3}}(?:{_PHRASE})?|[ \t\u3000]{{0,3}}(?:[はが是为為]|는|은)[ \t\u3000]{{0,3}})"
    r"(?P<value>(?=[!-~]{0,60}\d)[!#-&(-;=?-_a-~]{8,500})"
)
"""What is said behind a word for a secret, in small letters. The value holds no blank, no quote and no letter beyond
ASCII, and a digit soon."""
_LOGIN = lazy_pattern(
    r"(?:login|user(?:name)?|benutzer|zugang(?:sdaten)?|cred(?:ential)?s?|identifiants?)[ \t]{0,3}:?[ \t]{1,3}"
    r"[\w.@+-]{2,60}[ \t]{1,3}/[ \t]{1,3}(?P<value>[!-~]{8,200})"
)
_SIGN = lazy_pattern(r"(?=.*\d)(?=.*[A-Za-z]).*[A-Za-z\d][@#$%^&*!+~]")
_CHOSEN = lazy_pattern(r"[A-Za-z]+\d+[A-Za-z]+\d|[A-Z][a-z]{3,}\d{2,}$|[A-Za-z]{3,}(?:[-_.][A-Za-z]{3,})+[-_.]?\d{2,}$")
"""Digits in the place of letters, or words with a number behind them; of one word and a hyphen are tickets."""
_MADE = lazy_pattern(r"(?=[^a-z]*[a-z])(?=[^A-Z]*[A-Z])(?!0x|AAAA)[A-Za-z0-9+/_=-]{20,200}")
"""But addresses of contracts and public keys, which look the same."""
_CHANGE = lazy_pattern(r"(?<=[a-z])[A-Z]|(?<=[A-Za-z])\d|(?<=\d)[A-Za-z]")
_FEWEST_CHANGES = 4
"""One for so many characters: names of classes, with numbers in them, have fewer."""
_AROUND = ".,;:*|\\()[]{}?"


def value_said(said: re.Match[str], text: str, *, is_of_password: bool) -> tuple[int, int] | None:
    """Where the value of a match of `SAID` stands in its text, if it is a secret's."""
    start, end = _bare(text, *said.span("value"))
    value = text[start:end]
    is_bare = said.string[said.start() : said.start("value")].isspace()
    if is_bare or not is_of_password:
        is_one = is_made(value) and is_token(value, ValueContext.PROSE)
    else:
        is_one = (_is_chosen(value) or is_made(value)) and is_password(value, ValueContext.PROSE)
    return (start, end) if is_one else None


def login_passwords(text: str, small: str) -> Iterator[tuple[int, int]]:
    """Where passwords stand behind a user's name: `login admin / …`."""
    for login in _LOGIN.finditer(small) if " / " in small else ():
        start, end = _bare(text, *login.span("value"))
        value = text[start:end]
        if (_SIGN.match(value) or is_made(value)) and is_password(value, ValueContext.PROSE):
            yield start, end


def is_made(value: str) -> bool:
    """Whether only a machine makes such a value: long, strong, of both cases, and jumbled."""
    if _MADE.fullmatch(value) is None or not is_strong(value):
        return False
    return len(_CHANGE.findall(value)) * _FEWEST_CHANGES >= len(value)


def _is_chosen(value: str) -> bool:
    return _SIGN.match(value) is not None or _CHOSEN.match(value) is not None


def _bare(text: str, start: int, end: int) -> tuple[int, int]:
    """Without the punctuation around it."""
    value = text[start:end]
    start += len(value) - len(value.lstrip(_AROUND))
    return start, max(start, end - (len(value) - len(value.rstrip(_AROUND))))
