"""The two rule libraries as finders: detect-secrets and betterleaks. Neither is asked to verify: no network is used.

Each misses many of the kinds that the other finds. betterleaks is a compiled library without a build for every platform
(none for musl, Windows on ARM, or the newest Python): `library_finders` is the one place that decides. What people use
most of what it finds alone is then found by `prefixes`.
"""

import importlib
import importlib.util
import logging
import re
import sys
from collections.abc import Callable, Generator, Iterator
from contextlib import contextmanager
from functools import cache
from types import ModuleType
from typing import TYPE_CHECKING, NamedTuple

from bigmind.secrets.findings import Certainty, Finder, Finding
from bigmind.secrets.labels import kind_of_rule
from bigmind.secrets.plausibility import (
    ValueContext,
    is_only_shown,
    is_password,
    is_placeholder,
    is_reference,
    is_setting,
    is_strong,
)
from bigmind.secrets.prefixes import prefix_findings
from bigmind.text.lazy_pattern import lazy_pattern
from bigmind.text.small_letters import small_letters

if TYPE_CHECKING:
    import betterleaks


log = logging.getLogger(__name__)


class Plugin(NamedTuple):
    """A plugin class of detect-secrets: what it finds, and how to take its matches.

    `hint` is quick to search and matches a part of each match in small letters.
    An `exact` form has a fixed length: a longer run is something else. A `guess` counts only if it is strong.
    A `pattern` stands in place of the library's own, where that takes time by the square of a text.
    """

    module: str
    name: str
    kind: str
    hint: str
    exact: bool = False
    guess: bool = False
    pattern: str = ""


PLUGINS = (
    Plugin(
        "artifactory",
        "ArtifactoryDetector",
        "Artifactory credential",
        r"akc[a-z0-9]{10}|ap[0-9a-f][a-z0-9]{8}",
        guess=True,
    ),
    Plugin("aws", "AWSKeyDetector", "AWS key", r"a[3bck][tici][a-z0-9]{17}|asia|aws", exact=True),
    Plugin(
        "cloudant",
        "CloudantDetector",
        "Cloudant credential",
        r"cloudant|clo?u?[_-]?(?:api)?(?:key|p|token)",
        exact=True,
    ),
    Plugin("discord", "DiscordBotTokenDetector", "Discord bot token", r"\.[a-z\d_-]{6}\.", exact=True),
    Plugin("github_token", "GitHubTokenDetector", "GitHub token", "gh"),
    Plugin("gitlab_token", "GitLabTokenDetector", "GitLab token", "gl[a-z]{2,5}-|gr1348941"),
    Plugin(
        "ibm_cloud_iam",
        "IbmCloudIamDetector",
        "IBM Cloud key",
        r"(?:key|pwd|password|pass|token)\W{1,9}[a-z0-9_-]{44}",
        exact=True,
        guess=True,
    ),
    Plugin("ibm_cos_hmac", "IbmCosHmacDetector", "IBM Cloud key", r"secret[_-]?(?:access)?[_-]?key", exact=True),
    Plugin("mailchimp", "MailchimpDetector", "Mailchimp API key", "-us", exact=True),
    Plugin(
        "openai",
        "OpenAIDetector",
        "OpenAI API key",
        "t3blbkfj",
        pattern=r"sk-(?=[\w-]{20,220}T3BlbkFJ)[A-Za-z0-9_-]{0,200}[A-Za-z0-9]{20}T3BlbkFJ[A-Za-z0-9]{20}",
    ),
    Plugin("pypi_token", "PypiTokenDetector", "PyPI token", "pypi-"),
    Plugin("sendgrid", "SendGridDetector", "SendGrid API key", r"sg\."),
    Plugin("slack", "SlackDetector", "Slack token", "xox"),
    Plugin(
        "softlayer",
        "SoftlayerDetector",
        "SoftLayer credential",
        r"softlayer|sl[_-]?(?:api)?[_-]?(?:key|p|token)",
        exact=True,
    ),
    Plugin("square_oauth", "SquareOAuthDetector", "Square token", "sq0csp-"),
    Plugin("stripe", "StripeDetector", "Stripe key", "_live_"),
    Plugin("telegram_token", "TelegramBotTokenDetector", "Telegram bot token", r":[a-z0-9_-]{35}", exact=True),
    Plugin("twilio", "TwilioKeyDetector", "Twilio key", "(?:ac|sk)[a-z0-9]{32}", exact=True),
)
"""Left out: the entropy plugins (they flag hashes and pictures), public addresses (no secrets), and those whose secrets
`formats` finds whole: JSON Web Tokens, private keys, passwords in URLs, npm's and Azure's."""

_CONTINUED = lazy_pattern(r"[A-Za-z0-9_-]*")
_DELIMITED = lazy_pattern(r"[\s=:\"]*(?P<secret>\S*?)[\s\"]*$")
_LEAST_OF_GROUP = 12
_LONGEST_PLACEHOLDER = 1_000
"""What is longer is no placeholder; to search it at each of its matches would take minutes."""
_SPACES, _NINE_SPACES = lazy_pattern(r"[ \t]{9,}"), " " * 9
_LINE = lazy_pattern(r"[^\r\n]{1,1000}")
_QUOTE = lazy_pattern("[\"'`]")
_UNUSUAL = lazy_pattern(r"[^\x01-\x7f]")
_PUNCTUATION = lazy_pattern(r"(?<=[\w=])[.,:!?)\]}>*|]+(?=\s|$)")
_HASH = lazy_pattern(r"(?:0x)?[0-9a-f-]+$", re.IGNORECASE)
_LONG_WORD = lazy_pattern(r"[A-Za-z0-9][A-Za-z0-9_-]{7,}")
_JUMBLE = lazy_pattern(
    r"(?<![A-Za-z0-9])(?=[A-Za-z]*[0-9])(?=[0-9]*[A-Za-z])[A-Za-z0-9]{10,}"  # letters and digits mixed
    r"|[A-Za-z]{24,}|[A-Z0-9]{5}-[A-Z0-9]{5}"  # longer than a word; in groups
    r"|[A-Z][a-z][A-Z]|[a-z][A-Z]{2,}[a-z]|[A-Za-z][0-9]+[A-Za-z]"  # as neither words nor camelCase are
)
_ALL_CLASSES = lazy_pattern(r"(?=[^0-9]*[0-9])(?=[^a-z]*[a-z])[^A-Z]*[A-Z]")
_LONG = 20
_LONG_LETTERS = 15
_REACH = 16
_GIVING = "=:>,|.(\"'`"
_HINTS = "key|token|secret|private|pass|pwd|auth|cred|access"
# Of a text in small letters.
_SECRET_WORD = lazy_pattern(_HINTS)
_SECRET_SET = lazy_pattern(rf"(?:{_HINTS})[^\n]{{0,40}}[=:]")


@cache
def library_finders() -> tuple[Finder, ...]:
    """The finders of this installation: detect-secrets always, betterleaks or what stands in for it."""
    return (detect_secrets_finder(), betterleaks_finder() or prefix_findings)


def detect_secrets_finder() -> Finder:
    """The plugins' patterns, searched directly: the library's own scan keeps its settings in a global."""
    with _without_requests():
        rules = [(plugin, re.compile(plugin.hint), _patterns(plugin)) for plugin in PLUGINS]
        keyword = importlib.import_module("detect_secrets.plugins.keyword")
    quoted: dict[re.Pattern[str], int] = keyword.QUOTES_REQUIRED_DENYLIST_REGEX_TO_GROUP
    words = re.compile("|".join(keyword.DENYLIST))  # in small letters, as a test holds

    def find(text: str) -> Iterator[Finding]:
        # The assignment patterns try every split of a run of spaces: long runs end them, and no form contains one.
        if "\t" in text or _NINE_SPACES in text:
            text = _SPACES.sub(lambda spaces: "\n" * len(spaces[0]), text)
        small = small_letters(text)
        for plugin, hint, patterns in rules:
            if hint.search(small):
                yield from _by_plugin(text, plugin, patterns)
        if words.search(small):
            yield from _by_keyword(text, small, words, quoted)

    return find


@contextmanager
def _without_requests() -> Generator[None]:
    """Let detect-secrets be imported without what it verifies by: nothing here could ask a service about a secret.

    It also leaves 3 MB to every server. Who imports requests later gets the real one.
    """
    if "requests" in sys.modules:
        yield
        return
    sys.modules["requests"] = stand_in = ModuleType("requests", "Stands for requests, without anything that asks.")
    vars(stand_in)["Response"] = object  # named in annotations
    try:
        yield
    finally:
        del sys.modules["requests"]


def _patterns(plugin: Plugin) -> tuple[re.Pattern[str], ...]:
    if plugin.pattern:
        return (re.compile(plugin.pattern),)
    module = importlib.import_module(f"detect_secrets.plugins.{plugin.module}")
    return tuple(getattr(module, plugin.name).denylist)


def _by_plugin(text: str, plugin: Plugin, patterns: tuple[re.Pattern[str], ...]) -> Iterator[Finding]:
    # A run of letters that holds many matches is looked through once, and found once.
    for pattern in patterns:
        after, found_to = 0, 0
        for match in pattern.finditer(text):
            start, end = _secret_of(match)
            after = _end_of_run(text, end) if end > after else after
            if plugin.exact and (after > end or text[start - 1 : start].isalnum()):
                continue
            if after > found_to and _is_secret(plugin, text[start:after]):
                found_to = after
                yield Finding(start, after, plugin.kind, Certainty.FORM)


def _end_of_run(text: str, place: int) -> int:
    run = _CONTINUED.match(text, place)
    return run.end() if run else place


def _is_secret(plugin: Plugin, value: str) -> bool:
    if len(value) <= _LONGEST_PLACEHOLDER and is_placeholder(value):
        return False
    return not plugin.guess or is_strong(value)


def _secret_of(match: re.Match[str]) -> tuple[int, int]:
    """A long group is the secret; a short one is a part of it, as a token's prefix is."""
    for number in range(1, match.re.groups + 1):
        if match[number] and len(match[number]) >= _LEAST_OF_GROUP:
            return match.span(number)
    inner = _DELIMITED.match(match[0])
    start, end = inner.span("secret") if inner else (0, len(match[0]))
    return match.start() + start, match.start() + end


def _by_keyword(text: str, small: str, words: re.Pattern[str], quoted: dict[re.Pattern[str], int]) -> Iterator[Finding]:
    """The keyword plugin, line by line as it asks, and in pieces: on a long line its patterns are not linear."""
    for line in _LINE.finditer(text):
        place = line.span()
        if not (_QUOTE.search(text, *place) and words.search(small, *place)):
            continue
        for pattern, group in quoted.items():
            for match in pattern.finditer(text, *place):
                value = match[group]
                if is_strong(value) and not is_placeholder(value) and not is_reference(value):
                    yield Finding(*match.span(group), "secret", Certainty.GUESS)


def knows_all_forms() -> bool:
    """Whether betterleaks is installed, which knows some hundred vendors more than what stands in for it."""
    return importlib.util.find_spec("betterleaks") is not None


def betterleaks_finder() -> Finder | None:
    """The rules of betterleaks, or nothing if this platform has no build of it."""
    if not knows_all_forms():
        return None

    def find(text: str) -> Iterator[Finding]:
        if not may_hold_token(text):
            return
        scan = _betterleaks_scan()
        if scan is None:
            yield from prefix_findings(text)
            return
        # One byte a character, so that its columns are ours; it stops at a zero byte.
        plain = _UNUSUAL.sub(" ", text)
        yield from _leaks(scan, plain)
        # Its rules were made for code: most want a space or a quote after a key, where a sentence has a comma.
        bare = _PUNCTUATION.sub(lambda found: " " * len(found[0]), plain)
        if bare != plain:
            yield from (finding for finding in _leaks(scan, bare) if finding.certainty is Certainty.FORM)

    return find


def _leaks(scan: "Callable[[str], list[betterleaks.Finding]]", plain: str) -> Iterator[Finding]:
    found = scan(plain)
    starts = _line_starts(plain) if found else []
    return filter(None, [_placed(plain, starts, leak) for leak in found])


@cache
def _betterleaks_scan() -> "Callable[[str], list[betterleaks.Finding]] | None":
    """Its scan, or nothing when the library does not work here. 20 MB: loaded when a text first asks for it."""
    try:
        import betterleaks  # noqa: PLC0415
    except (ImportError, OSError) as error:
        return _does_without(error)
    try:
        betterleaks.scan_string("ready")
    except (OSError, betterleaks.BetterleaksError) as error:
        return _does_without(error)
    return betterleaks.scan_string


def _does_without(error: Exception) -> None:
    log.warning("betterleaks cannot be used, detect-secrets goes on alone: %s", error)


def may_hold_token(text: str) -> bool:
    """Whether betterleaks could find something: a word that is jumbled, a hash that something is set to, a key that is.

    What it says no to, no rule of the library finds, but for its guesses; tests/secrets/test_rules.py compares.
    """
    small = small_letters(text)
    speaks_of_keys = _SECRET_WORD.search(small) is not None
    if speaks_of_keys and _SECRET_SET.search(small):
        return True
    return any(_is_doubtful(text, word, speaks_of_keys) for word in _LONG_WORD.finditer(text))


def _is_doubtful(text: str, word: re.Match[str], speaks_of_keys: bool) -> bool:
    if _HASH.match(word[0]):
        return speaks_of_keys or _is_given(text, word.start())
    if len(word[0]) < _LONG_LETTERS and word[0].isalpha() and word[0][1:].islower():
        return False  # a word as most are: none of what follows
    if len(word[0]) >= _LONG and _ALL_CLASSES.match(word[0]):
        return True
    is_bare = word[0].isalpha() and len(word[0]) >= _LONG_LETTERS
    return _JUMBLE.search(word[0]) is not None or (is_bare and _is_given(text, word.start()))


def _is_given(text: str, start: int) -> bool:
    """Whether something is said to have the value that starts there: `NAME=…`, `"NAME": "…"`."""
    before = text[max(0, start - _REACH) : start].rstrip()
    return before.endswith(tuple(_GIVING))


def _line_starts(text: str) -> list[int]:
    return [0, *(match.end() for match in re.finditer("\n", text))]


def _placed(text: str, starts: list[int], leak: "betterleaks.Finding") -> Finding | None:
    """The place of a leak's value in the text; it says line and column of the match around the value, from 1."""
    kind = kind_of_rule(leak.rule_id)
    place, value, full = leak.location, leak.secret, leak.match.full
    start = starts[place.start_line - 1] + place.start_column - 1
    end = starts[place.end_line - 1] + place.end_column
    if kind is None or not _is_credible(leak.rule_id, value, full):
        return None
    inner = text.rfind(value, start, end)
    if inner >= 0:
        start, end = inner, inner + len(value)
    certainty = Certainty.GUESS if leak.rule_id.startswith("generic-") else Certainty.FORM
    return Finding(start, end, kind, certainty)


def _is_credible(rule: str, value: str, full: str) -> bool:
    if not rule.startswith("generic-"):
        return not is_only_shown(value)
    if is_placeholder(value) or is_setting(value):
        return False
    if rule == "generic-api-key":
        # Its words are as wide as "key" and "access", and stand lines before; `keywords` finds the named ones.
        return is_strong(value) and "\n" not in full and not is_reference(value) and not _HASH.match(value)
    return is_password(value, ValueContext.LITERAL)
