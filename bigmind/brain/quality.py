"""The flags that a contribution gets for its text alone, and whether it adds anything to what it rests on. Pure.

Advice to whoever writes, so in doubt there is no flag.
"""

import re
import unicodedata
from collections.abc import Iterator, Sequence
from itertools import pairwise

from bigmind.brain.categories import Draft
from bigmind.brain.rules import ECHO_PROMPTS, ECHO_SHARE, ECHO_WORD, LEAST_NEW_WORDS, ORPHAN
from bigmind.text.antonyms import FILLERS
from bigmind.text.everyday_words import ENGLISH as EVERYDAY
from bigmind.text.everyday_words import GERMAN as EVERYDAY_GERMAN
from bigmind.text.lazy_pattern import lazy_pattern
from bigmind.text.similarity import root
from bigmind.text.stop_words import ENGLISH, FRENCH, GERMAN, is_in, stop_words
from bigmind.text.words import UNSPACED, folded

LOOKED_AT = 2_000
"""Characters that tell a text's language and script."""
LONGEST_PERSON = 30
"""Characters behind a name in which it is said what that person does."""

_GERMAN_TOO = EVERYDAY_GERMAN - {"falls", "mal", "tag"}
"""What shows German where its articles are words of English too: "Man sollte …", "Die … sollte immer"."""

_RUN = lazy_pattern(r"[^\W_]+")


def text_flags(draft: Draft, last_prompts: Sequence[str]) -> list[str]:
    """The flags that a text gets by itself, in the order of the spec's table.

    Args:
        draft: what is contributed; its content is looked at, and for a reason the alternatives that it names.
        last_prompts: what the same agent asked and was not stored, the newest last; five are looked at.
    """
    text = draft.content.strip()
    looked = (
        ("keyword_echo", _is_echo(text, last_prompts[-ECHO_PROMPTS:])),
        ("orphaned_reference", len(text) < ORPHAN and _refers(text)),
        ("naked_statement", not _has_substance(f"{text}\n{draft.alternatives}")),
    )
    return [name for name, holds in looked if holds]


def _is_echo(text: str, prompts: Sequence[str]) -> bool:
    words = _long_words(text)
    return any(len(words & _long_words(each)) / len(words) > ECHO_SHARE for each in prompts) if words else False


def _long_words(text: str) -> set[str]:
    """The distinct words of three letters and more, without case."""
    return {word for word in _words(text) if len(word) >= ECHO_WORD or UNSPACED.match(word)}


def _words(text: str) -> Iterator[str]:
    """Words without case; of scripts without blanks, each pair of characters."""
    for match in _RUN.finditer(unicodedata.normalize("NFC", text).casefold()):
        rest = match.group()
        for run in UNSPACED.findall(rest):
            yield from (first + second for first, second in pairwise(run))
        yield from UNSPACED.sub(" ", rest).split()


# "See …" points elsewhere where it begins a sentence or a clause, or is asked for; "we see errors" does not.
_TARGET = (
    r"(?:(?:the|our|my|this|that|its|their|also|an?|in|under|at|der|die|das|den|le|la|les)\s+)*(?:[\w'’-]+\s+){0,2}"
    r"(?:https?:|[`<\[#/~.]|[\w.-]*[/\\_]\w|\w+\.\w{2,5}\b|(?-i:[A-Z]{2,})|\w+-\d|above|below|docs?|documentation|wiki"
    r"|tickets?|issues?|pull requests?|readme|runbooks?|threads?|channel|commits?|pages?|sections?|chapter|files?"
    r"|links?|notes?|minutes|specs?|guides?|handbook|comments?|discussions?|code|tests?|table|appendix|dashboard|folder"
    r"|manual|article|e-?mail|message|chat|meeting)"
)
_REFERENCE = lazy_pattern(
    r"(?:^|[.!?;:(\[*]\s*|[\r\n]\s*|\s[–—-]+\s+|\b(?:please|pls|also|or)\s+)(?:see|voir)(?:\s+|:\s*)"
    r"(?!(?:if|whether|you|that|errors?|it|them|him|her|us|me|what happens|si)\b)\S|\bsiehe\b"
    rf"|(?:,\s*|\b(?:and|but|so)\s+)(?:see|voir)\s+{_TARGET}"
    rf"|\b(?:for|about|details?|more|information|info|background|context)\b[^.;!?]{{0,80}}?\ssee\s+{_TARGET}",
    re.IGNORECASE,
)
_SEEN_BY = lazy_pattern(
    r"\b(?:we|i|you|they|users?|people|customers?|clients?|who|which|that|to|can|cannot|could|will|would|may|might|must"
    r"|should|do|does|did|not|never|n['’]t|let['’]s|lets|make|still|often|sometimes|always|only|even|then|just|already"
    r"|now|rarely)\s+see\b",
    re.IGNORECASE,
)


def _refers(text: str) -> bool:
    """Whether a text points elsewhere by "see …"; what people see in it is taken out first."""
    return _REFERENCE.search(_SEEN_BY.sub(" ", text)) is not None


# No number: the digits in words such as "e2e".
_NUMERONYM = lazy_pattern(r"\b(?:e2e|i18n|l10n|a11y|b2b|b2c|p2p)\b", re.IGNORECASE)
_NUMBER = lazy_pattern(
    r"\d|\b(?:two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|twenty|thirty|forty|fifty|sixty|ninety|hundred"
    r"|thousand|million|dozen|twice|zwei|drei|vier|fünf|sechs|sieben|acht|neun|zehn|zwölf|hundert|tausend|deux|trois"
    r"|quatre|cinq|sept|huit|neuf|dix|douze)\b|[一二两三四五六七八九十百千万]+[个次秒分小天周月年台倍件回時时日人つ本]",
    re.IGNORECASE,
)
# In French numbers and a "because"; in English a coin, a name and a vehicle.
_FRENCH_SUBSTANCE = lazy_pattern(r"\b(?:cent|mille)\b|, car ", re.IGNORECASE)
_DATE = lazy_pattern(
    r"\b(?:(?:mon|tues|wednes|thurs|fri|satur|sun)days?|(?:mon|diens|donners|frei|sams|sonn)tags?|mittwochs?|lundi|mardi"
    r"|mercredi|jeudi|vendredi|samedi|dimanche|january|february|april|june|july|august|september|october|november"
    r"|december|januar|februar|märz|juni|juli|oktober|dezember|janvier|février|avril|juin|juillet|août|septembre"
    r"|octobre|novembre|décembre|yesterday|midnight|gestern|mitternacht|minuit)\b",
    re.IGNORECASE,
)
_PATH = lazy_pattern(
    r"(?<![\w/])(?:~|\.{1,2})?/\w|\b[A-Za-z]:\\\w|(?<=\w)/[\w.-]+/\w|\w/[\w-]*[\d_.]\w|://|\w/\*|(?<![\w.])\.[a-z]\w"
    r"|\b(?:in|under|below|inside|from|at|file|folder|directory|path) (?!(?:and|he|his|she)/)[\w-]+/\w"
)
_IDENTIFIER = lazy_pattern(
    r"`[^`\n]+`|[a-z][A-Z]|\w_\w|(?<!\S)--?[A-Za-z]|\w\(\)|\w::\w|\w->\w|\$\w|(?<!\S)@\w|\w@\w|\w=\S"
    r"|\b(?!(?i:e\.g|i\.e|z\.b|d\.h|u\.a|p\.ex|a\.m|p\.m)\b)[A-Za-z]\w*\.[A-Za-z]"
)
_CAPITALS = lazy_pattern(r"\b[A-Z]{2,}s?\b")
_SHOUTED = frozenset(
    """
    OK FYI TODO NB IMO IMHO ASAP BTW PS TBD WIP AFAIK AKA EG IE ETC TLDR RTFM NEVER ALWAYS MUST ALL ANY NONE ONLY EVERY
    BAD GOOD VERY NOW YES NO NOT DO AND OR IF PLEASE NOTE WARNING IMPORTANT HINT NEW OLD STOP IN IS ON SO WE YOU THE
    NIE IMMER NICHT KEIN JAMAIS TOUJOURS
    """.split()  # noqa: SIM905 - in quotes each, the words could not be read
)
"""Words in capitals that name nothing."""
_INSIDE = lazy_pattern(r"(?<=[\w,)%\"'’] )[A-ZÀ-ÖØ-ÞĀ-ŽΑ-ΩА-Я][\w'’]+|(?<=[a-z] )[A-HJ-Z]\b")
# A name may begin a sentence where it does what people do, or where the text goes on with "he" or "she".
_FIRST = lazy_pattern(r"(?:^|[.!?]\s+)([A-Z][a-zà-ÿ]+)\b")
_PERSON = lazy_pattern(
    r"\A (?:owns|says|said|wants|asked|decided|reviews|maintains|knows|prefers|likes|approves|leads|wrote|writes|works"
    r"|hat|is (?:the |our )?(?:owner|lead|maintainer|contact|responsible|on call|in charge)|sagt|pflegt"
    r"|kennt|a dit|veut)\b"
)
_PRONOUN = lazy_pattern(r"\b(?:he|she|his|her)\b")
_TOOLS = frozenset(
    """
    airflow alembic android angular ansible apache aws azure babel bash bazel bitbucket bluetooth celery chrome
    clickhouse cloudflare cmake confluence cron curl cypress datadog dbt debian django docker doctrine dynamodb
    elasticsearch electron eslint fastapi figma firebase firefox flask flink flutter gcc gerrit ghostscript git
    github gitlab golang gradle grafana graphql grpc gunicorn haproxy helm hibernate istio java javascript jenkins
    jest jira json jwt kafka keycloak kibana kotlin kubectl kubernetes laravel libvips linux litestar lodash loki
    lua macos mariadb maven memcached minio mongodb mypy mysql nats nginx nodejs npm numpy nuxt oauth openapi
    openssl opentelemetry oracle pandas paypal perl php pip playwright pnpm podman poetry postgres postgresql
    postman powershell prisma prometheus protobuf pulumi pydantic pyright pytest pytorch rabbitmq rails redis redux
    rollup ros ruby ruff rust s3 safari samba scala selenium sentry snowflake solr spark sqlalchemy sqlite ssh
    stripe svelte symfony systemd tailwind tcp tensorflow terraform tls tomcat traefik typescript ubuntu udp uv
    uvicorn uwsgi vagrant vault vitest webpack websocket websockets wireguard xcode yaml yarn zookeeper
    """.split()  # noqa: SIM905 - in quotes each, the words could not be read
)
"""Names that engineers write without a capital, and that begin sentences."""
_REASON = lazy_pattern(
    r"\b(?:because|since|so that|due to|therefore|otherwise|to (?:avoid|prevent)|in order to|so as to"
    r"|hence|thus|as a result|owing to|thanks to|that['’]s why"
    r"|which is why|that is why|caused by|leads? to|or else|lest"
    r"|given that|which means|rationale|justification|reasons? (?:is|was|for|why)"
    r"|weil|denn|damit|deshalb|daher|deswegen|darum|somit|sonst|andernfalls|aufgrund|wegen|um .{3,60} zu vermeiden"
    r"|parce qu\w*|puisqu\w*|afin (?:de|que|d)|pour éviter|à cause d\w*|grâce à|sinon|donc|c['’]est pourquoi"
    r"|porque|para evitar|debido a|ya que|por eso|perché|потому что|так как|чтобы|из-за|иначе)\b"
    r"|(?<!ok), so (?!that['’]s (?:it|all)|far|on\b)"
    r"|因为|因為|由于|由於|所以|因此|为了|為了|否则|否則|以免|避免|以防|导致|導致|ため|ので|理由|避け|防ぐ|防止|때문|위해|므로|따라서|그래서|않으면",
    re.IGNORECASE,
)


def _has_substance(text: str) -> bool:
    """Whether a text holds a number, a name, a date, a path or a reason."""
    plain = _NUMERONYM.sub(" ", text)
    if any(each.search(plain) for each in (_NUMBER, _REASON, _DATE, _PATH, _IDENTIFIER)):
        return True
    is_french = is_in({each.lower() for each in _RUN.findall(plain)}, FRENCH)
    return (is_french and _FRENCH_SUBSTANCE.search(plain) is not None) or _names_something(plain)


def _names_something(text: str) -> bool:
    """Whether a text names a tool, has a word in capitals, or one with a capital inside a sentence.

    In German every noun has a capital, so there it says nothing. Where the script has no capitals, any word in Latin
    letters is a name.
    """
    words = [each.lower() for each in _RUN.findall(text[:LOOKED_AT])]
    if not _TOOLS.isdisjoint(words):
        return True
    if _is_caseless(text[:LOOKED_AT]):
        return re.search(r"[A-Za-z]{2,}", text) is not None
    is_shouted = text.isupper()
    if not is_shouted and any(each.rstrip("s") not in _SHOUTED for each in _CAPITALS.findall(text)):
        return True
    if is_shouted or is_in(set(words), GERMAN) or is_in(set(words), _GERMAN_TOO):
        return False
    return any(map(_is_name, _INSIDE.findall(text))) or _begins_with_name(text)


def _is_name(word: str) -> bool:
    """Whether a word with a capital inside a sentence is a name: the `B` of "slot B", and not "I'm" or shouting."""
    bare = re.split("['’]", word)[0]
    return len(word) == 1 or not (bare.isupper() or bare.lower() in ENGLISH)


def _begins_with_name(text: str) -> bool:
    goes_on = _PRONOUN.search(text) is not None
    return any(
        (goes_on or _PERSON.match(text[each.end() : each.end() + LONGEST_PERSON]))
        and each.group(1).lower() not in EVERYDAY
        for each in _FIRST.finditer(text)
    )


def _is_caseless(text: str) -> bool:
    """Whether most letters are of a script without capitals: Chinese, Japanese, Arabic …."""
    letters = [each for each in text if each.isalpha()]
    return 2 * sum(each.lower() == each.upper() for each in letters) > len(letters)


def telling_words(text: str) -> frozenset[str]:
    """The distinct words of a text that say something, as roots; numbers are some too."""
    words = {word for word in _words(text) if len(word) > 1 or word.isdigit()}
    return frozenset(root(folded(word)) for word in words - stop_words(words) - FILLERS)


def adds_little(text: str, sources: Sequence[str]) -> bool:
    """Whether fewer than three of a text's telling words stand in none of the texts that it rests on."""
    known = frozenset[str]().union(*map(telling_words, sources))
    return len(telling_words(text) - known) < LEAST_NEW_WORDS
