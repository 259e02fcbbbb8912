"""Values that a word gives away: `password: …`, `API_KEY=…`, `"client_secret": "…"`, `--token …`, `<password>…`.

Each word is found once and what follows it is matched in place, with bounds, so the time is linear in the text.
"""

import re
from collections.abc import Iterator

from bigmind.secrets.findings import Certainty, Finding
from bigmind.secrets.layouts import is_laid_out, laid_out, may_be_laid_out
from bigmind.secrets.phrases import OF, SAID, login_passwords, value_said
from bigmind.secrets.plausibility import ValueContext, is_password, is_setting, is_strong, is_token
from bigmind.text.lazy_pattern import lazy_pattern
from bigmind.text.small_letters import small_letters


def _at_end_of(names: str, word: str) -> str:
    """A short word as the end of some names: `dbpass`."""
    return "|".join(f"{word}(?<={name}{word})(?![a-z])" for name in names.split())


# Each alternative begins with a letter, so that the search skips from one possible beginning to the next, and has no
# alternatives within it.
_KINDS = {
    "AWS key": r"aws[ _-]?secret[ _-]?(?:access[ _-]?)?key|secret[ _-]?access[ _-]?key",
    "password": r"passwords?|passwd|passwort|passcode|passphrase|passw|kennwort|pwd"
    rf"|pass(?<![a-z]pass)(?![a-z])|{_at_end_of('db ssh key user root admin store', 'pass')}"
    rf"|pw(?<![a-z]pw)(?![a-z])|{_at_end_of('db bind root', 'pw')}"
    r"|mot de passe|contraseña|contrasena|senha|wachtwoord|mdp(?<![a-z]mdp)(?![a-z])|密码|密碼|口令|パスワード|비밀번호"
    r"|пароль|парола|hasło|haslo|heslo|şifre|parola|lösenord|passord|adgangskode|kodeord|salasana|jelszó|jelszo|geslo"
    r"|κωδικ[όο]σ(?: πρ[όο]σβασησ)?|συνθηματικ[όο]|гасло|parool|salasõna|slaptažodis|lykilorð|contrasenya"
    r"|lozinka|mật khẩu|kata sandi|kata laluan|סיסמה|סיסמא|كلمة المرور|كلمة السر|رمز عبور|पासवर्ड|รหัสผ่าน"
    r"|identified by",
    "API key": r"api[ _-]?key|api[ _-]?secret|app[_-]?key",
    "access key": r"access[ _-]?key|account[ _-]?key|service[ _-]?key|storage[ _-]?key|shared[ _-]?access[ _-]?key"
    r"|subscription[ _-]?key|licen[cs]e[ _-]?key|pre-?shared[ _-]?key|psk(?<![a-z]psk)(?![a-z])",
    "private key": r"private[ _-]?key|signing[ _-]?key|encryption[ _-]?key|master[ _-]?key|deploy[ _-]?key"
    r"|ssh[ _-]?key|auth[ _-]?key|hmac[ _-]?key",
    "secret": r"secret[ _-]?key|secret|geheimnis",
    "token": r"token",
    "credential": r"credentials?",
}


def _by_first_letter(words: str) -> str:
    """The same words, in their order, one branch for each letter that they begin with: at most one of them is tried."""
    found: dict[str, list[str]] = {}
    for word in words.split("|"):
        found.setdefault(word[0], []).append(word[1:])
    return "|".join(f"{letter}(?:{'|'.join(rests)})" for letter, rests in found.items())


_WORD = lazy_pattern(_by_first_letter("|".join(_KINDS.values())))
_WORDS_OF = {kind: lazy_pattern(words) for kind, words in _KINDS.items()}

_TYPE = r"(?::[ \t]{0,3}[A-Za-z&][A-Za-z_.\[\]<>|?&]{0,40}|[ \t]string)[ \t]{1,3}=(?!=)"
_MARK_CLOSED = r"(?:[ \t]{0,8}(?:\*{1,3}|_{1,2}|</[a-z]{1,6}>)(?=[ \t`]))?"
"""What ends an emphasis where the sign stands within it: `**Password:** value`, `<b>Password:</b> value`."""
_ASIDE = (
    r"(?P<aside>(?:[ \t]\([^()\r\n]{1,40}\)|[ \t]\[[^\[\]\r\n]{1,40}\]"
    rf"|[ \t](?:{OF})(?:[ \t][\w.'’-]{{1,40}}){{1,4}}?)(?=\**[ \t]{{0,3}}[:=：]))?"
)
"""Of what it is: `Password (staging): value`, `Password for staging: value`."""
_BLOCK = r"(?:!!str[ \t]{1,3}|[|>][-+]?[ \t]{0,8}\r?\n[ \t]{1,40})?"
"""What YAML may say of a text before it, or of the lines below."""
_VALUE = (
    rf"{_MARK_CLOSED}[ \t]{{0,8}}{_BLOCK}(?:<(?:code|kbd|b|strong)>)?(?:[rbfuL@](?=[\"']))?"
    r"(?:\\{1,7}\"(?P<escaped>[^\"\\\r\n]{1,4000})\\{1,7}\"|\"(?P<double>(?:[^\"\\\r\n]|\\.){1,4000})\""
    r"|'(?P<single>(?:[^'\\\r\n]|\\.){1,4000})'|`{1,2}(?P<back>[^`\r\n]{1,4000})`"
    r"|[„“«»‘‚](?P<curly>[^“”»«’‘\r\n]{1,200})[“”»«’‘]|(?P<bare>[^\s\"'`<>„“«”]{1,500}))"
)
_PAIR = lazy_pattern(
    r"(?P<suffix>[\w-]{0,40})(?:\\{0,7}[\"'`\])*]){0,3}(?:\[\d{0,4}\])?"
    rf"(?:</(?:code|b|strong)>)?{_ASIDE}\*{{0,3}}"
    rf"(?P<operator>[ \t]{{0,3}}{_TYPE}|[ \t]{{0,40}}(?::=|=>|->|→|⇒|[!=]={{1,2}}|\?=|\|\|=|[=:：>](?![=:>]|//))"
    rf"|[ \t]{{1,3}}[—–-](?=[ \t])|,(?=[ \t]{{0,3}}[\"'])|\((?=[\"'])|[ \t]{{1,3}}(?=\\{{0,7}}[\"'`„“«»‘‚])){_VALUE}"
)
_FLAG = lazy_pattern(r"(?P<suffix>[\w-]{0,40})(?P<operator>[ \t]{1,3})(?P<bare>[^\s\"'`<>|;-][^\s\"'`<>|;]{3,500})")
_SENTENCE = lazy_pattern(
    r"(?P<suffix>)(?P<operator>[ \t]{1,3}(?:is|ist|est|es|was|lautet|to|=|:)[ \t]{1,3})"
    r"(?:[\"'`„“«»‘‚](?P<curly>[^\"'`“”»«’‘\r\n]{6,200})[\"'`“”»«’‘]|(?P<bare>[^\s\"'`<>]{8,500}))",
    re.IGNORECASE,
)
_NETRC = lazy_pattern(
    r"(?:(?:login|user)[ \t]{1,9}[^\s,]{1,200}[ \t]{1,9}"
    r"|machine[ \t]{1,9}\S{1,200}\s{1,9}login[ \t]{1,9}\S{1,200}\s{1,9})password[ \t]{1,9}(?P<value>\S{4,500})"
)

_NAME_BEFORE = lazy_pattern(r"[\w.-]*$")
_LINE_BEFORE = lazy_pattern(r"[\r\n;&?][ \t]*(?:(?:export|set|setx|ENV|ARG|-)[ \t]+|\$env:)?\"?[\w.-]*$")
_SAME_THING = lazy_pattern(
    r"(?:[_-]?(?:key|value|base|text|raw|plain|live|prod|production|dev|development|stage|staging|test|main|old|new|"
    r"primary|secondary|default|string|b64|base64|[a-z]{0,3}\d{1,3}))*_{0,2}$",
    re.IGNORECASE,
)
_OTHER_THING = lazy_pattern(
    r"(?:(?<![A-Za-z])|(?<=[a-z])(?=[A-Z]))(?i:page|next|continuation|sync|cursor|stop|end|eos|bos|pad|special|mask|"
    r"unk|sep|max|min|num|public|forgot|forgotten|reset|wrong|invalid|change|show|hide|toggle|confirm|enter|label|error|"
    r"help|hint|missing|no|has|is|use|with|without|validate|check|hash|verify|require)[sS]?[_.-]?$"
)
"""Behind the beginning of a word: an admin's token is one."""
_FETCHING = lazy_pattern(
    r"(?:get|read|load|fetch|find|lookup|require|env|delete|from|create|use)\w*[_.]?$", re.IGNORECASE
)
_NEXT_PAIR = lazy_pattern(r"[,;&](?=[\w\"'. -]{1,60}[:=])|[;&](?=$)")
_CODE = lazy_pattern(r"[=(\[]")
_SETTING_CALL = lazy_pattern(r"(?i)(?:define|set\w{0,20}|put\w{0,20}|env)\([ \t]*\\?[\"'][\w.-]*$")
_NAMES_NEXT = lazy_pattern(r"(?:setx|setenv|set -x|ENV)[ \t]{1,3}[\w.-]*$")
_LABEL_BEFORE = lazy_pattern(r"[\r\n][ \t]*(?:[-*•>][ \t]{1,3})?[*_`]{0,3}(?:\w[\w.-]{0,20}[ \t]){0,2}[\w.-]*$")
_LINE_END = lazy_pattern(r"[*_`]{0,3}[,;.]?(?:[ \t]{0,3}\([^()\r\n]{0,60}\))?[ \t]*(?![^\r\n])")
_MIXED = lazy_pattern(r"(?=\D*\d)(?=[\W\d_]*[^\W\d_]).{6}")
_RUN = lazy_pattern(r"[^\s\"'`<>]*")
_DASHES = frozenset("—–-")
_MOST_JUDGED = 500
_LOOK_BACK = 60


def keyword_findings(text: str) -> Iterator[Finding]:
    """Findings after each word; the values are judged by `plausible`, as strictly as their standing asks."""
    end = 0
    small = small_letters(text)
    for word in _WORD.finditer(small):
        if word.start() < end:
            continue
        for finding in _after(word, text):
            end = max(end, finding.end)
            yield finding
    for span in login_passwords(text, small):
        yield Finding(*span, "password", Certainty.NAMED)
    for match in _NETRC.finditer(text):
        if is_password(match["value"], ValueContext.SETTING):
            yield Finding(*match.span("value"), "password", Certainty.NAMED)


def _after(word: re.Match[str], text: str) -> Iterator[Finding]:
    start = word.start()
    before = "\n" + text[:start] if start < _LOOK_BACK else text[start - _LOOK_BACK : start]
    forms = (_PAIR, _SENTENCE, _FLAG) if _is_flag(before) else (_PAIR, _SENTENCE)
    for match in (*(form.match(text, word.end()) for form in forms), laid_out(text, before, word.end())):
        finding = _judged(match, before, word) if match else None
        if finding:
            yield finding
    if said := SAID.match(word.string, word.end()):
        kind = _kind_of(word)
        value = value_said(said, text, is_of_password=kind == "password")
        if value and kind != "private key":  # public keys and fingerprints look the same
            yield Finding(*value, kind, Certainty.NAMED)


def _kind_of(word: re.Match[str]) -> str:
    return next(kind for kind, words in _WORDS_OF.items() if words.match(word.string, word.start()))


def _is_flag(before: str) -> bool:
    """Whether the name's value is the next word: `--password …`, `-Password …`, `setx DB_PASSWORD …`."""
    name = _NAME_BEFORE.search(before)
    return name is not None and (name[0].startswith("-") or _NAMES_NEXT.search(before) is not None)


def _judged(match: re.Match[str], before: str, word: re.Match[str]) -> Finding | None:
    """The value of a match as a finding, if it is a secret's."""
    group = str(match.lastgroup)
    start, end = match.span(group)
    standing = ValueContext.LITERAL
    if group in {"bare", "back"}:
        standing = ValueContext.PROSE
    if group == "bare":
        standing = _standing(match, before, word)
        start, end = _trimmed(match.string, start, end, whole=standing is ValueContext.SETTING and _starts_line(before))
    value = match.string[start : min(end, start + _MOST_JUDGED)]
    if not _names_a_secret(match, before) and not (is_strong(value) and not match["suffix"][:1].islower()):
        return None
    if not _fits(match["operator"], group, value, before):
        return None
    kind = _kind_of(word)
    is_dashed = match["operator"].strip() in _DASHES
    if is_dashed and not (kind == "password" and _is_line(match, end, before)):
        return None
    if is_dashed or is_laid_out(match["operator"]) or match.groupdict().get("aside"):
        name = _NAME_BEFORE.search(before)
        if not may_be_laid_out(kind, (name[0] if name else "") + word[0], match[group]):
            return None
    judge = is_password if kind == "password" else is_token
    if not judge(value, standing):
        return None
    # Only of what is found: to look for the end after each word takes time by the square of a run of words.
    is_cut = group == "bare" and end - start >= _MOST_JUDGED
    return Finding(start, _end_of_run(match.string, end) if is_cut else end, kind, Certainty.NAMED)


def _is_line(match: re.Match[str], end: int, before: str) -> bool:
    """Whether a label and its value, that ends there, are a line of their own: `- DB password — value`."""
    label = _LABEL_BEFORE.search(before)
    is_of_other = label is not None and _OTHER_THING.search(label[0].rstrip())
    return label is not None and not is_of_other and _LINE_END.match(match.string, end) is not None


def _end_of_run(text: str, place: int) -> int:
    run = _RUN.match(text, place)
    return run.end() if run else place


def _standing(match: re.Match[str], before: str, word: re.Match[str]) -> ValueContext:
    """`NAME=value`, `name=value` at the start of a line and `;name=value;` are settings; the rest may be code."""
    value = match["bare"]
    attached = match["operator"] == "=" and match.end("operator") == match.start("bare")
    capitals = match.string[word.start() : word.end()].isupper() and not any(
        character.islower() for character in match["suffix"]
    )
    if attached and value[-1] not in ",)" and (capitals or _starts_line(before)):
        return ValueContext.SETTING
    return ValueContext.LITERAL if match["operator"].strip() == ">" else ValueContext.PROSE


def _starts_line(before: str) -> bool:
    return _LINE_BEFORE.search(before) is not None


def _trimmed(text: str, start: int, end: int, *, whole: bool) -> tuple[int, int]:
    """A bare value without the punctuation around it and without the pair that follows it; one cut off as it is."""
    if end - start >= _MOST_JUDGED:
        return start, end
    following = _NEXT_PAIR.search(text[start : min(len(text), end + 61)])
    if following and start + following.start() < end:
        end = start + following.start()
    if whole:
        return start, end
    while end > start and (text[end - 1] in ".,;:*|\\" or _closes_nothing(text[start:end])):
        end -= 1
    return start, end


def _closes_nothing(value: str) -> bool:
    pairs = {")": "(", "]": "[", "}": "{"}
    last = value[-1]
    return last in pairs and value.count(last) > value.count(pairs[last])


def _names_a_secret(match: re.Match[str], before: str) -> bool:
    """Whether the whole name is a secret's: `db_password_prod` is, `password_length` and `next_page_token` are not."""
    name = _NAME_BEFORE.search(before)
    return _SAME_THING.match(match["suffix"]) is not None and not (name and _OTHER_THING.search(name[0]))


def _fits(operator: str, group: str, value: str, before: str) -> bool:
    """Whether the sign between name and value allows such a value: the weaker the sign, the stronger the value."""
    sign = operator.strip()
    if group in {"back", "curly"} and is_setting(value):
        return False
    if is_laid_out(operator) or sign in _DASHES:
        return _is_mixed(value) and not _CODE.search(value)
    if sign in {"==", "===", "!=", "!=="}:
        return group != "bare"
    return _fits_sign(sign, group, value, before)


def _fits_sign(sign: str, group: str, value: str, before: str) -> bool:
    if sign in {",", "("}:
        is_set = _SETTING_CALL.search(before) if sign == "," else not _FETCHING.search(before)
        return bool(is_set) and _is_mixed(value)
    if not sign and group != "back" and _is_flag(before):
        return True
    if not sign:
        return _is_mixed(value) and not (group == "back" and _CODE.search(value))
    if sign.isalpha():
        return _is_mixed(value) and (
            group == "curly" or is_strong(value) or any(c.isupper() for c in value) or not value.isalnum()
        )
    return True


def _is_mixed(value: str) -> bool:
    return _MIXED.match(value) is not None
