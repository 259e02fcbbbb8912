"""Whether a value that stands where a secret would stand is one: not a placeholder, a reference, a type or a word."""

import re
from enum import Enum

from bigmind.text.everyday_words import ENGLISH
from bigmind.text.lazy_pattern import lazy_pattern
from bigmind.text.stop_words import FRENCH, GERMAN

_FILLER = lazy_pattern(
    r"(?i)change[-_ ]?(?:me|this|it)|placeholder|redacted|x{6,}|\*{3}|•|\.\.\.|…"
    r"|(?<![a-z])(?:your|masked|dummy|hidden|sample|insert|replace|fixme|todo|fake|xxx+)(?![a-z])"
    r"|example|your[-_]|<[^>]*>|\{\{|_here(?![a-z])"
)
_WORDS = lazy_pattern(r"[^\W\d_]+(?:[-_/.'’ ]+[^\W\d_]+)*")
_WORDY = r"[A-Za-z_][A-Za-z_-]*\d{0,3}"
_REFERENCE = lazy_pattern(
    r"\$(?:[A-Za-z_{(]|$)|%[\w(]|[{<\[(]|[&*@!#][A-Za-z]+\d?$|[A-Za-z_][\w.:>?!-]*[(\[{]|\\"
    r"|[A-Za-z][A-Za-z+.-]*://|(?:arn|op|vault|ref|env|file|ssm|keyring|sha\d+|md5)[:+]|sha\d+-|ENC\[|data:|//"
    rf"|(?:{_WORDY}(?:\?\.|\.|::|->))+{_WORDY}[;)]*$"
    r"|[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+$"
)
_PATH = lazy_pattern(
    rf"(?:[A-Za-z]:)?[.~]*(?:[/\\]{_WORDY}(?:\.{_WORDY})*)+[/\\]?$|{_WORDY}(?:/{_WORDY}(?:\.{_WORDY})*)+/?$"
)
_JUMBLED_PATH = lazy_pattern(r"(?:.*?[a-z][A-Z]){3}")
_SELF_NAMED = lazy_pattern(
    r"\w{0,40}(?:passw(?:or)?d|pwd|secret|token|key|credential|passphrase|kennwort|passwort)[a-z_]{0,40}\d{0,2}$",
    re.IGNORECASE,
)
_NUMBER = lazy_pattern(
    r"v?\d+(?:\.\d+){1,4}[\w.+-]*$|\d{4}-\d\d(?:-\d\d)?(?:T[\d:.+-]*Z?)?$|\d{1,2}[./]\d{1,2}[./]\d{2,4}$"
    r"|\d{1,6}/\d{1,6}$|\d+(?:[.,]\d+)?\s?(?:%|[a-zA-Z]{1,7})$|\d{1,2}:\d\d|0x[0-9a-fA-F]{1,8}$"
)
_TECHNICAL = lazy_pattern(
    r"(?i)(?:h?s?ha|md|aes|rsa|rs|es|ps|hs|ed|utf|base|oauth|openid|argon|pbkdf|tls|ssl|ipv|https?|h|x|v|u?int|float|cl|"
    r"o|p|k|s|i|u|f|ec|log4j|python|java|gpt|bcrypt|scrypt|blake|chacha|poly|secp|curve|iso|rfc|pkcs|crc|sql|mp|web|"
    r"win|q|t|step|part|level|phase|tier|version|stage|option|type|test|line|figure|section|chapter|page|day|week)"
    r"[-_ ]?\d{1,5}(?:[a-z]{0,3}|[-_/.][\w-]{0,12})$"
)
_MIXED = lazy_pattern(r"\d|[a-zA-Z][@#$%^&*!+~]")
_SETTING = lazy_pattern(r"[a-z][a-z_]*=(?:\d+|true|false)$")
_MAIL = lazy_pattern(r"[\w.+-]+@[\w-]+(?:\.[\w-]+)+$")
_PLAIN_WORDS = """
    true false null none nil undefined void yes no on off any auto default empty blank unset missing
    str string text bytes int integer number bool boolean object array list dict enum optional required mandatory
    hidden masked encrypted hashed plain plaintext cleartext visible invalid valid wrong correct incorrect expired
    revoked unknown disabled enabled never always generic bearer basic digest opaque refresh access session cookie
    header body query path field input label form user username admin name value type test testing foo bar baz
    bcrypt scrypt argon jwt oauth saml vault keyring kubernetes docker env environment prompt interactive stdin file
    password passwd passwort kennwort passphrase secret token apikey key credential credentials pass pwd
    contraseña contrasena senha wachtwoord parola login erforderlich optionnel obligatoire forgotten forgot passe
    placeholder dummy sample write read readonly private public internal external
"""
_PLAIN = frozenset(_PLAIN_WORDS.split())


_JUMBLED = lazy_pattern(r"(?=.{20})(?:[A-Za-z]*?[a-z][A-Z]){5}")
_STRONG = lazy_pattern(
    r"(?=(?:\D*\d){2})(?=[^a-z]*[a-z])(?=[^A-Z]*[A-Z])\S{16,}|(?=(?:\D*\d){2})(?=[^a-zA-Z]*[a-zA-Z])[A-Za-z0-9]{24,}"
)
_BODY = lazy_pattern(r"(?<![A-Za-z0-9])(?=(?:[A-Za-z]*[0-9]){2})[A-Za-z0-9]{20,}")
_FEWEST_CHARACTERS = 4
_FEWEST_WORDS = 3
_MOST_WORDS = 12
_PHRASE_WORD = lazy_pattern(r"[A-Za-z0-9]+|[^\w\s]")
_LEET = lazy_pattern(r"[A-Za-z]\d[A-Za-z]{3}|[a-z]\d[A-Z]|\d[A-Z][a-z]")
_JUMBLED_WORD = lazy_pattern(r"(?=[^\d]*\d)(?=[^A-Za-z]*[A-Za-z])|[A-Za-z][@#$%^&*+~!][A-Za-z]")
_LONGEST_SHOWN = 200


class ValueContext(Enum):
    """How a value stands in its text, which says how much of a secret it must look like."""

    LITERAL = "in quotes"
    SETTING = "the rest of a setting: NAME=value, or a part of a connection string"
    PROSE = "bare, among other words"


_LONG = 16
_SHORTEST_PASSWORD = 4
_SHORTEST_IN_PROSE = 6
_SHORTEST_TOKEN = {ValueContext.LITERAL: 8, ValueContext.SETTING: 6, ValueContext.PROSE: 8}


def is_placeholder(value: str) -> bool:
    """Whether a value only shows where a secret goes: `changeme`, `xxxx`, `<your-token>`, `****`."""
    return len(set(value.lower())) < _FEWEST_CHARACTERS or _FILLER.search(value) is not None


def is_only_shown(value: str) -> bool:
    """Whether a value of a vendor's own form is a placeholder: by chance, random ones hold `xxx` and `...` too."""
    return len(value) <= _LONGEST_SHOWN and is_placeholder(value) and not _BODY.search(_FILLER.sub("", value))


def is_reference(value: str) -> bool:
    """Whether a value says where a secret comes from: a variable, a call, a path, an address."""
    if _PATH.match(value) and not _JUMBLED_PATH.match(value):
        return True
    return _REFERENCE.match(value) is not None


def is_empty(value: str) -> bool:
    """Whether a value holds nothing: a placeholder, a reference, or a word of forms such as `password` itself."""
    return value.lower() in _PLAIN or is_placeholder(value) or is_reference(value)


def is_strong(value: str) -> bool:
    """Whether only a machine makes such a value: 16 characters of both cases and digits, or 24 letters and digits."""
    return _STRONG.fullmatch(value) is not None


def is_password(value: str, standing: ValueContext) -> bool:
    """Whether a value after a word for a password is one. People choose them, so short ones and words may be."""
    if standing is ValueContext.LITERAL:
        value = value.strip()
        if len(words := value.split()) > 1:
            return _is_passphrase(value, words)
    if len(value) < _SHORTEST_PASSWORD or _is_nothing(value, standing):
        return False
    if value.isdigit():
        return standing is not ValueContext.PROSE or len(value) >= _SHORTEST_IN_PROSE
    if _WORDS.fullmatch(value):
        return standing is not ValueContext.PROSE and value.isascii() and not _is_plain(value)
    if standing is not ValueContext.PROSE:
        return True
    return len(value) >= _SHORTEST_IN_PROSE and _MIXED.search(value) is not None and not is_usual(value)


def _is_passphrase(value: str, words: list[str]) -> bool:
    """Whether words in quotes are a password, and no label or rule: jumbled ones, or several that make no sentence."""
    if len(words) > _MOST_WORDS or is_placeholder(value) or is_reference(value):
        return False
    if any(_is_jumbled(word) for word in words):
        return True
    bare = [word.strip(".,;:!?…()") for word in words]
    is_said = value[-1] in ".?!…:" or any(map(_SELF_NAMED.match, bare)) or 4 * sum(map(_is_common, bare)) > len(words)
    return len(words) >= _FEWEST_WORDS and not is_said and all(map(_PHRASE_WORD.fullmatch, words))


def _is_common(word: str) -> bool:
    small = word.lower()
    return small in ENGLISH or small in GERMAN or small in FRENCH or _is_plain(small) or is_usual(word)


def _is_jumbled(word: str) -> bool:
    if is_reference(word) or _SELF_NAMED.match(word):
        return False
    return _LEET.search(word) is not None or (_JUMBLED_WORD.search(word) is not None and not is_usual(word))


def is_token(value: str, standing: ValueContext) -> bool:
    """Whether a value after a word for a token, a key or a secret is one. Machines make them: long, not of words."""
    if len(value) < _SHORTEST_TOKEN[standing] or _is_nothing(value, standing):
        return False
    if value.isdigit():
        return standing is not ValueContext.PROSE and len(value) >= _LONG
    if _WORDS.fullmatch(value):
        return (
            value.isascii()
            and value.isalpha()
            and (_is_setting_word(value, standing) or _JUMBLED.match(value) is not None)
        )
    return not is_usual(value) and any(map(str.isdigit, value)) and any(map(str.isalpha, value))


def _is_setting_word(value: str, standing: ValueContext) -> bool:
    return standing is ValueContext.SETTING and not _is_plain(value)


def _is_nothing(value: str, standing: ValueContext) -> bool:
    if value.split() != [value]:
        return True
    named = _SELF_NAMED.match(value) and (standing is not ValueContext.SETTING or re.search("[a-z][A-Z]", value))
    return bool(named) or is_empty(value)


def is_setting(value: str) -> bool:
    """Whether a value is the setting of something else: `max_tokens=4096`."""
    return _SETTING.match(value) is not None


def is_usual(value: str) -> bool:
    """Whether a value is a number with a unit, a date, a version, an algorithm or an address."""
    return any(pattern.match(value) for pattern in (_NUMBER, _TECHNICAL, _MAIL))


def _is_plain(value: str) -> bool:
    return any(word in _PLAIN for word in re.split(r"[^a-zñ]+", value.lower()))
