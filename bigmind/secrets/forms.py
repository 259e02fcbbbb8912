"""Secrets that give themselves away by their form: a vendor's prefix, a PEM block, a URL's password, a header.

The two libraries know hundreds of forms; these are the common ones, where their rules end too early, demand a certain
character behind the secret, or do not exist. A form is only searched for when a literal part of it stands in the text.
"""

from collections.abc import Iterator
from itertools import zip_longest

from bigmind.secrets.command_lines import COMMAND_LINES
from bigmind.secrets.findings import Certainty, Finding, Form
from bigmind.secrets.phrases import is_made
from bigmind.secrets.plausibility import is_empty, is_placeholder, is_usual
from bigmind.secrets.sentences import PIN, SENTENCES
from bigmind.text.lazy_pattern import lazy_pattern
from bigmind.text.small_letters import small_letters


def _token(kind: str, hint: str, pattern: str) -> Form:
    """A token that begins at no letter or digit, and whose last character is followed by none of its alphabet.

    What stands before it is looked at behind its first character: so the search skips from one such to the next. A
    pattern has no alternatives but within parentheses.
    """
    if first := _first_of(pattern):
        written = rf"(?P<value>{first}(?<![A-Za-z0-9].){pattern.removeprefix(first)})"
        return Form(kind, hint.lower(), lazy_pattern(written))
    return Form(kind, hint.lower(), lazy_pattern(rf"(?<![A-Za-z0-9])(?P<value>{pattern})"))


def _first_of(pattern: str) -> str:
    """The letter, digit or set that a pattern begins with; empty where it begins otherwise, or with many of it."""
    first = pattern[: pattern.index("]") + 1] if pattern[0] == "[" else pattern[0]
    is_one = first[0] == "[" or first.isalnum()
    return first if is_one and pattern[len(first)] not in "{*+?|" else ""


_TOKENS = (
    _token("BigMind token", "bm_", r"bm_[A-Za-z0-9_-]{43}[0-9a-f]{8}(?![A-Za-z0-9_-])"),
    _token("GitHub token", "gh", r"gh[pousr]_[A-Za-z0-9]{30,255}"),
    _token("GitHub token", "github_pat_", r"github_pat_[A-Za-z0-9_]{22,255}"),
    _token("GitLab token", "gl", r"gl(?:pat|dt|ft|soat|rt|rtr|cbt|ptt|imt|agent|oas|ffct|wt)-[A-Za-z0-9_-]{20,255}"),
    _token("Slack token", "xox", r"xox[abceoprs](?:\.xox[bp])?-[A-Za-z0-9-]{10,255}"),
    _token("Slack token", "xapp-", r"xapp-\d-[A-Za-z0-9-]{20,255}"),
    _token(
        "Slack webhook", "hooks.slack.com", r"https://hooks\.slack\.com/(?:services|workflows)/[A-Za-z0-9/_-]{20,255}"
    ),
    _token(
        "Discord webhook",
        "/api/webhooks/",
        r"https://(?:\w+\.)?discord(?:app)?\.com/api/webhooks/\d{15,25}/[\w-]{40,120}",
    ),
    _token("Anthropic API key", "sk-ant-", r"sk-ant-[A-Za-z0-9_-]{20,255}"),
    _token("OpenAI API key", "sk-", r"sk-(?=[A-Za-z_-]{0,200}\d)(?=[a-z0-9_-]{0,200}[A-Z])[A-Za-z0-9_-]{20,255}"),
    _token("AWS key", "a", r"A(?:3T[A-Z0-9]|BIA|CCA|KIA|SIA)[A-Z0-9]{16}(?![A-Za-z0-9])"),
    _token("Google API key", "aiza", r"AIza[A-Za-z0-9_-]{35}"),
    _token("Google client secret", "gocspx-", r"GOCSPX-[A-Za-z0-9_-]{28,40}"),
    _token("Google access token", "ya29.", r"ya29\.[A-Za-z0-9_-]{20,512}"),
    _token("Stripe key", "k_", r"[rs]k_(?:live|test|prod)_[A-Za-z0-9]{16,255}"),
    _token("Stripe webhook secret", "whsec_", r"whsec_[A-Za-z0-9+/=]{24,255}"),
    _token("SendGrid API key", "sg.", r"SG\.[A-Za-z0-9_-]{16,32}\.[A-Za-z0-9_-]{32,64}"),
    _token("Mailchimp API key", "-us", r"[0-9a-f]{32}-us\d{1,2}(?![A-Za-z0-9])"),
    _token("Mailgun API key", "key-", r"key-[0-9a-f]{32}(?![A-Za-z0-9])"),
    _token("Twilio key", "sk", r"SK[0-9a-f]{32}(?![A-Za-z0-9])"),
    _token("npm token", "npm_", r"npm_[A-Za-z0-9]{36,64}"),
    _token("npm token", ":_authtoken", r":_authToken=[ \t]{0,3}\"?(?P<inner>[A-Za-z0-9_+/=-]{16,255})"),
    _token("PyPI token", "pypi-", r"pypi-[A-Za-z0-9_-]{50,512}"),
    _token("Hugging Face token", "hf_", r"(?:hf|api_org)_(?=[a-z]{0,40}[A-Z])[A-Za-z]{34}(?![A-Za-z])"),
    _token("DigitalOcean token", "_v1_", r"do[opr]_v1_[0-9a-f]{64}"),
    _token("Shopify token", "shp", r"shp(?:at|ca|pa|ss)_[0-9a-fA-F]{32}"),
    _token("Square token", "sq0", r"sq0[a-z]{3}-[A-Za-z0-9_-]{22,60}"),
    _token("Telegram bot token", ":aa", r"\d{8,10}:AA[A-Za-z0-9_-]{33}(?![A-Za-z0-9_-])"),
    _token(
        "Discord bot token", ".", r"[MNO][A-Za-z\d_-]{23,25}\.[A-Za-z\d_-]{6}\.[A-Za-z\d_-]{27,38}(?![A-Za-z0-9_-])"
    ),
    _token("Databricks token", "dapi", r"dapi[0-9a-f]{32}(?:-\d)?"),
    _token("HashiCorp Vault token", "hv", r"hv[sbr]\.[A-Za-z0-9_-]{24,512}"),
    _token("Terraform token", ".atlasv1.", r"[A-Za-z0-9]{14}\.atlasv1\.[A-Za-z0-9_=-]{60,70}"),
    _token("Grafana token", "gl", r"gl(?:sa|c)_[A-Za-z0-9_+/=]{32,400}"),
    _token("Linear API key", "lin_api_", r"lin_api_[A-Za-z0-9]{32,64}"),
    _token("Notion token", "ntn_", r"ntn_[A-Za-z0-9]{40,60}"),
    _token("Docker token", "dckr_", r"dckr_(?:pat|oat)_[A-Za-z0-9_-]{27,64}"),
    _token("Groq API key", "gsk_", r"gsk_[A-Za-z0-9]{40,64}"),
    _token("Atlassian token", "atatt3", r"ATATT3[A-Za-z0-9_=-]{100,255}"),
    _token("age secret key", "age-secret-key-", r"AGE-SECRET-KEY-(?:PQ-)?1[A-Z0-9]{50,120}"),
    _token("Azure storage key", "accountkey=", r"AccountKey=(?P<inner>[A-Za-z0-9+/]{86}==)"),
    _token("Azure client secret", "q~", r"[A-Za-z0-9_~.-]{3}\dQ~[A-Za-z0-9_~.-]{31,34}"),
    _token(
        "token in a URL",
        "://",
        r"(?<=://)(?=[A-Za-z_-]{0,40}\d)(?=[a-z\d_-]{0,40}[A-Z])(?=[A-Z\d_-]{0,40}[a-z])[A-Za-z\d_-]{20,255}(?=@\w)",
    ),
    _token(
        "private key",
        "ls0tls1crudjtib",
        r"LS0tLS1CRUdJTiB(?:SU0Eg|QUklW|FQyBQ|PUEVO|FTkNS)[A-Za-z0-9+/]{16,20000}={0,2}",
    ),
    _token("signed URL", "sig=", r"sig=(?P<inner>[A-Za-z0-9%+/]{30,120}={0,2})"),
    _token(
        "JWT",
        "eyj",
        r"(?<![A-Za-z0-9_-])eyJ[A-Za-z0-9_-]{8,4000}\.{1,2}[A-Za-z0-9_-]{8,8000}(?:\.[A-Za-z0-9_-]{1,8000}){0,3}",
    ),
)

_SCHEME = "(?:bearer|basic|token|apikey|api-key|key|negotiate|digest|bot|oauth)"
_HEADERS = (
    Form(
        "authorization header",
        "authorization",
        lazy_pattern(
            r"(?i)authorization\\?[\"'`]?[ \t]{0,3}[:=,][ \t]{0,3}\\?[\"'`]?[ \t]{0,3}"
            rf"(?:{_SCHEME}[ \t]{{1,3}}|(?!{_SCHEME}[ \t]))"
            r"(?P<value>(?![\"'`$<{%(\[])[^\s\"'`<>,;\\){}]{6,8000})"
        ),
    ),
    Form(
        "authorization header", "bearer", lazy_pattern(r"(?i)\bbearer[ \t]{1,3}(?P<value>[A-Za-z0-9_~+/.=-]{16,8000})")
    ),
    Form(
        "authorization header", "basic ", lazy_pattern(r"\b[Bb]asic[ \t]{1,3}(?P<value>[A-Za-z0-9+/]{16,8000}={1,2})")
    ),
    Form(
        "API key",
        "x-",
        lazy_pattern(
            r"(?i)\bx-[a-z-]{0,30}(?:key|token|secret|signature)\\?[\"'`]?[ \t]{0,3}[:=][ \t]{0,3}\\?[\"'`]?"
            r"(?P<value>[A-Za-z0-9_~+/.=-]{12,8000})"
        ),
    ),
    Form(
        "session cookie",
        "cookie",
        lazy_pattern(r"(?i)\bcookie:[ \t]{0,3}[\w.-]{1,60}=(?P<value>[A-Za-z0-9_%+/.=-]{16,4000})"),
    ),
    Form(
        "session cookie",
        "sess",
        lazy_pattern(
            r"(?i)(?:\bcookie:|[ \t](?:-b|--cookie)[ \t])[^\r\n]{0,400}?sess[\w.-]{0,30}="
            r"(?P<value>[A-Za-z0-9_%+/.=-]{16,4000})"
        ),
    ),
)

_PASSWORDS = (
    Form(
        "password in a URL",
        "://",
        lazy_pattern(
            r"\b[A-Za-z][A-Za-z0-9+.-]{1,30}://[^\s/:@\"'`<>]{0,128}:(?P<value>[^\s/\"'`<>]{1,256})@(?=[\w\[$%{(.-])"
        ),
    ),
    *COMMAND_LINES,
    *SENTENCES,
)

_PEM_MARK = lazy_pattern(r"-----? ?(?P<mark>BEGIN|END) [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)? ?-----?")
# Greedy and bounded: a possessive group that fails within itself does not go back before Python 3.11.5 (gh-106052).
_PEM_BODY = lazy_pattern(
    r"(?:(?:[\s\"',|>]++|\\[nrt\s]){1,400}(?:[A-Za-z-]{4,20}:[^\r\n\\]{1,80}+|[A-Za-z0-9+/=]{16,}+)){0,4000}"
    r"(?:(?:\s|\\[nr])[A-Za-z0-9+/]{1,15}={1,2})?"
)
_KEY_MATERIAL = lazy_pattern(r"[A-Za-z0-9+/=]{24}")
_PUTTY_LINE = r"\r?\n(?:[A-Za-z-]{4,20}:[^\r\n]{0,200}|[A-Za-z0-9+/=]{4,100})"
_PUTTY = lazy_pattern(
    rf"PuTTY-User-Key-File-\d:[^\r\n]*(?:(?:{_PUTTY_LINE}){{2,600}}?\r?\nPrivate-MAC:[^\r\n]*|(?:{_PUTTY_LINE}){{3,600}})"
)
_JUMBLED = lazy_pattern(r"[a-z][A-Z].*[a-z][A-Z]|=$")
_AWS_SECRET = lazy_pattern(
    r"[^A-Za-z0-9][\s\S]{0,60}?(?<![A-Za-z0-9/+=_-])(?P<value>[A-Za-z0-9/+]{40})(?![A-Za-z0-9/+=_-])"
)
"""What stands beside the key's id, behind it."""
_LEAST_OF_HEADER = 8


def format_findings(text: str) -> Iterator[Finding]:
    """Findings of all the forms above."""
    small = small_letters(text)
    yield from _private_keys(text)
    for form in _TOKENS:
        if form.hint in small:
            yield from _tokens(form, text)
    for form in (*_HEADERS, *_PASSWORDS):
        if form.hint in small:
            yield from _placed(form, text)


def _tokens(form: Form, text: str) -> Iterator[Finding]:
    group = "inner" if "inner" in form.pattern.groupindex else "value"
    for match in form.pattern.finditer(text):
        if not is_placeholder(match[group]):
            yield Finding(*match.span(group), form.kind, Certainty.FORM)
            secret = _AWS_SECRET.match(text, match.end(group)) if form.kind == "AWS key" else None
            if secret and is_made(secret["value"]):
                yield Finding(*secret.span("value"), form.kind, Certainty.PLACED)


def _placed(form: Form, text: str) -> Iterator[Finding]:
    for match in form.pattern.finditer(text):
        value = match["value"].rstrip(".")
        if (form.kind != PIN and is_empty(value)) or (form in _HEADERS and not _is_sent(value)):
            continue
        yield Finding(match.start("value"), match.start("value") + len(value), form.kind, Certainty.PLACED)


def _is_sent(value: str) -> bool:
    """Whether a header's value is a real one, and no word about headers."""
    if any(character.isdigit() for character in value):
        return len(value) >= _LEAST_OF_HEADER and not is_usual(value)
    return _JUMBLED.search(value) is not None


def _private_keys(text: str) -> Iterator[Finding]:
    """PEM blocks with all their lines, cut off ones as far as they go; a header that is only talked about is none."""
    marks = list(_PEM_MARK.finditer(text))
    for mark, following in zip_longest(marks, marks[1:]):
        if mark["mark"] == "END":
            continue
        if following and following["mark"] == "END":
            body, end = following.start(), following.end()
        else:
            cut = _PEM_BODY.match(text, mark.end(), following.start() if following else len(text))
            body = end = cut.end() if cut else mark.end()
        if _KEY_MATERIAL.search(text, mark.end(), body):
            yield Finding(mark.start(), end, "private key", Certainty.FORM)
    for block in _PUTTY.finditer(text):
        yield Finding(*block.span(), "private key", Certainty.FORM)
