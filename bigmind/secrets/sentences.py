"""Secrets that a sentence or a line of a session gives away: `PIN: …`, `use … as the password`, a wallet's words.

Each takes what only a secret looks like there: four digits and more behind a PIN, a digit or a sign within a password.
"""

from bigmind.secrets.findings import Form
from bigmind.text.lazy_pattern import lazy_pattern

PIN = "PIN"
"""Its digits look like a placeholder's."""
_WORD_FOR_IT = "(?:password|passphrase|passcode|passwort|kennwort|mot de passe|contraseña)"
_HINTS = ("passw", "passphrase", "passcode", "kennwort", "mot de passe", "contraseña")
_MIXED = (
    r"(?=[^\s\"'`]{0,100}[\d@#%^&*!+~])(?=[^\s\"'`]{0,100}[A-Za-z])(?![^\s@]{1,60}@[\w-]{1,60}\.)"
    r"[^\s\"'`<>(){}\[\]$%:/\\][^\s\"'`<>(){}$\\]{5,127}"
)
_CHOSEN = (
    r"(?:(?=[^\s\"'`]{0,60}\d)[A-Za-z][\w.-]{2,40}[@#%^&*!+~][^\s\"'`<>(){}]{0,40}"
    r"|(?-i:[A-Z][a-z]{3,20}\d{2,6})|[a-z]{1,20}\d{1,4}[a-z]{1,20}\d\w{0,20})"
)
_OTHER = (
    r"(?![ \t_-]{1,2}(?:hash|encod|algo|manage|field|stor|polic|generat|source|key|type|format|prompt|param|var|name"
    r"|deriv|kdf|replac|grant|mechan|database|tool|safe\b|app\b|header|vault|digest|scheme|function|valid|tresor|verfahren))"
)
"""Behind a word for a password: what makes it another thing, as in "the password database"."""
_WALLET_WORD = r"(?!(?:the|and|for|are|was|has|not|its|per|but|which|from|with|words|into|your)\b)[a-z]{3,8}"
_SPACED, _LISTED = f"(?:{_WALLET_WORD} {{1,2}})", f"(?:{_WALLET_WORD}, ?)"
_WALLET = f"(?:{_SPACED}{{11,23}}|{_LISTED}{{11,23}}){_WALLET_WORD}"
_PLAIN = rf"(?!(?:then|before|because|when|after|until|that|this|they|will|all|our|you|run|use)\b){_WALLET_WORD}"
"""What is in no sentence about a seed or a recovery."""
_NUMBERED = rf"{_SPACED}{{11}}(?:{_SPACED}{{3}}){{0,4}}{_WALLET_WORD}(?![ ,]{{1,2}}[a-z])"
"""As many as a wallet has: 12, 15, 18, 21, or 24."""
_WALLETS = ("seed", "mnemonic", "recovery")


def _password(hint: str, pattern: str) -> Form:
    return Form("password", hint, lazy_pattern(pattern))


def _wallet(hint: str, noun: str, words: str) -> Form:
    return Form(
        "seed phrase",
        hint,
        lazy_pattern(
            rf"(?i)\b{hint}{noun}(?:[ \t]\([^()\r\n]{{1,30}}\))?\*{{0,2}}[ \t]{{0,3}}"
            r"(?:(?:is|ist|lautet|est)[ \t]{0,3})?(?:[:=]\*{0,2}|(?=[\"'`]))\s{0,6}[\"'`]{0,3}"
            rf"(?P<value>{words})(?![a-z])"
        ),
    )


SENTENCES = (
    Form(
        PIN,
        "pin",
        lazy_pattern(
            r"[Pp](?<![\w./].)(?:IN(?:[ -]?[Cc]ode)?|in[ -]?code)(?![\w-])"
            r"(?:[ \t](?:of|for|der|des|vom|von|für|zur|zum|de|du|del)[ \t][\w '’-]{1,40}?)?\*{0,2}"
            r"(?:[ \t]{0,3}[:=]\*{0,2}[ \t]{0,3}|[ \t](?:is|ist|lautet|est|es)[ \t])[\"'`]?"
            r"(?P<value>\d{4,8})(?![\w:/-]|[.,]\d)"
        ),
    ),
    *(
        _password(
            hint,
            rf"(?i)\b(?:use|set|try|take|enter|type|nimm|verwende|nutze|benutze|nehmt)[ \t]{{1,3}}[\"'`„“]?"
            rf"(?P<value>{_MIXED})[\"'`“”]?[ \t]{{1,3}}(?:as|als)[ \t]{{1,3}}"
            rf"(?:(?:the|a|my|your|our|new|das|dein|mein|unser|neues|temporary|initial"
            r"|[\w-]{2,20})[ \t]{1,3}){0,3}?"
            rf"{_WORD_FOR_IT}(?![\w]){_OTHER}",
        )
        for hint in _HINTS
    ),
    *(
        _password(
            hint,
            rf"(?i)\b(?:new|temporary|temp|initial|neue[sn]?|temporäre[sn]?|vorläufige[sn]?|nouveau|nueva)"
            rf"[ \t]{_WORD_FOR_IT}[ \t]{{1,3}}[\"'`„“]?(?P<value>{_CHOSEN})(?=[\s.,;!\"'`“”]|$)",
        )
        for hint in _HINTS
    ),
    _password(
        "auth ",
        r"(?m)(?:^[ \t]{0,20}|[>`][ \t]?)AUTH[ \t]{1,3}(?:[A-Za-z][\w-]{1,40}[ \t]{1,3})?"
        r"(?P<value>(?=[^\s`\"']{0,100}\d)(?=[^\s`\"']{0,100}[a-z])[^\s`\"'<>$\[{(:-][^\s`\"'<>$(){}]{5,400})"
        r"(?=`|[ \t]*\r?$)",
    ),
    Form(
        "Kubernetes secret",
        "dockerconfigjson",
        lazy_pattern(
            r"\.dockerconfigjson[\"']?[ \t]{0,3}[:=][ \t]{0,3}(?:[|>][-+]?[ \t]{0,8}\r?\n[ \t]{1,40})?[\"']?"
            r"(?P<value>[A-Za-z0-9+/]{24,40000}={0,2})"
        ),
    ),
    *(_wallet(hint, "[ _-]?(?:phrases?|words)", _WALLET) for hint in _WALLETS),
    *(_wallet(hint, "(?:[ _-]?code)?", rf"(?:{_PLAIN} {{1,2}}){{11,23}}{_PLAIN}") for hint in _WALLETS),
    *(_wallet(hint, "(?:[ _-]?code)?", _NUMBERED) for hint in _WALLETS[:2]),
)
