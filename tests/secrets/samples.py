"""Secrets of many types in their real formats, all of them made up; the same ones for the same seed."""

import base64
import json
import string
from collections.abc import Callable
from random import Random
from typing import NamedTuple

LETTERS, DIGITS = string.ascii_letters, string.digits
ALNUM, HEX, UPPER = LETTERS + DIGITS, "0123456789abcdef", string.ascii_uppercase + DIGITS
URLSAFE = ALNUM + "-_"
BASE64 = ALNUM + "+/"
SYMBOLS = "!#%+-_=?@"


class Sample(NamedTuple):
    """What is written, which part of it is the secret, and the kind it must be named."""

    written: str
    secret: str
    kind: str


def drawn(random: Random, alphabet: str, length: int) -> str:
    """Characters of an alphabet, a digit and a capital among them where it has any: as good as every real one has."""
    characters = random.choices(alphabet, k=length)
    for needed in (DIGITS, string.ascii_uppercase):
        usable = [character for character in needed if character in alphabet]
        if usable and length > 8:
            characters[random.randrange(2, length - 2)] = random.choice(usable)
    return "".join(characters)


def _url64(random: Random, size: int) -> str:
    return base64.urlsafe_b64encode(random.randbytes(size)).decode().rstrip("=")


def _jwt(random: Random) -> str:
    parts = [{"alg": "HS256", "typ": "JWT"}, {"sub": str(random.randrange(10**9)), "iat": random.randrange(2 * 10**9)}]
    packed = [base64.urlsafe_b64encode(json.dumps(part).encode()).decode().rstrip("=") for part in parts]
    return ".".join([*packed, _url64(random, 32)])


def _pem(random: Random, label: str) -> str:
    body = base64.b64encode(random.randbytes(random.choice([120, 600, 1200]))).decode()
    lines = [body[place : place + 64] for place in range(0, len(body), 64)]
    return "\n".join([f"-----BEGIN {label}-----", *lines, f"-----END {label}-----"])


def _uuid(random: Random) -> str:
    return "-".join(drawn(random, HEX, length) for length in (8, 4, 4, 4, 12))


def _password(random: Random) -> str:
    """A password as a person makes one: a word, digits, a symbol."""
    word = random.choice(["hunter", "Sommer", "dragon", "Tr0ub4dor", "qwerty", "Monkey", "letmein", "Passw0rt"])
    return word + str(random.randrange(10, 9999)) + random.choice(["", *SYMBOLS])


TOKENS: dict[str, tuple[str, Callable[[Random], str]]] = {
    "BigMind": ("BigMind token", lambda r: "bm_" + _url64(r, 32) + drawn(r, HEX, 8)),
    "GitHub personal": ("GitHub token", lambda r: "ghp_" + drawn(r, ALNUM, 36)),
    "GitHub app": ("GitHub token", lambda r: r.choice(["gho_", "ghu_", "ghs_", "ghr_"]) + drawn(r, ALNUM, 36)),
    "GitHub fine-grained": (
        "GitHub token",
        lambda r: "github_pat_" + drawn(r, ALNUM, 22) + "_" + drawn(r, ALNUM, 59),
    ),
    "GitLab": ("GitLab token", lambda r: "glpat-" + drawn(r, URLSAFE, 19) + drawn(r, ALNUM, 1)),
    "Slack bot": ("Slack token", lambda r: f"xoxb-{drawn(r, DIGITS, 12)}-{drawn(r, DIGITS, 12)}-{drawn(r, ALNUM, 24)}"),
    "Slack webhook": (
        "Slack webhook",
        lambda r: (
            "https://hooks.slack.com/services/T"
            + drawn(r, UPPER, 8)
            + "/B"
            + drawn(r, UPPER, 8)
            + "/"
            + drawn(r, ALNUM, 24)
        ),
    ),
    "Anthropic": ("Anthropic API key", lambda r: "sk-ant-api03-" + drawn(r, URLSAFE, 93) + "AA"),
    "OpenAI legacy": ("OpenAI API key", lambda r: "sk-" + drawn(r, ALNUM, 20) + "T3BlbkFJ" + drawn(r, ALNUM, 20)),
    "OpenAI project": (
        "OpenAI API key",
        lambda r: "sk-proj-" + drawn(r, URLSAFE, 74) + "T3BlbkFJ" + drawn(r, URLSAFE, 73) + "A",
    ),
    "AWS access key": (
        "AWS key",
        lambda r: r.choice(["AKIA", "ASIA"]) + drawn(r, string.ascii_uppercase + "234567", 16),
    ),
    "Google API key": ("Google API key", lambda r: "AIza" + drawn(r, URLSAFE, 34) + "A"),
    "Google client secret": ("Google client secret", lambda r: "GOCSPX-" + drawn(r, URLSAFE, 27) + "x"),
    "Stripe": (
        "Stripe key",
        lambda r: r.choice(["sk_live_", "rk_live_", "sk_test_"]) + drawn(r, ALNUM, r.choice([24, 99])),
    ),
    "SendGrid": ("SendGrid API key", lambda r: "SG." + drawn(r, URLSAFE, 22) + "." + drawn(r, URLSAFE, 42) + "k"),
    "Mailchimp": ("Mailchimp API key", lambda r: drawn(r, HEX, 32) + f"-us{r.randrange(1, 22)}"),
    "Mailgun": ("Mailgun API key", lambda r: "key-" + drawn(r, HEX, 32)),
    "Twilio": ("Twilio key", lambda r: "SK" + drawn(r, HEX, 32)),
    "npm": ("npm token", lambda r: "npm_" + drawn(r, ALNUM, 36)),
    "PyPI": ("PyPI token", lambda r: "pypi-AgEIcHlwaS5vcmc" + drawn(r, URLSAFE, 149) + "A"),
    "Hugging Face": ("Hugging Face token", lambda r: "hf_" + drawn(r, LETTERS, 34)),
    "DigitalOcean": ("DigitalOcean token", lambda r: "dop_v1_" + drawn(r, HEX, 64)),
    "Shopify": ("Shopify token", lambda r: "shpat_" + drawn(r, HEX, 32)),
    "Square": ("Square token", lambda r: "sq0csp-" + drawn(r, URLSAFE, 42) + "A"),
    "Telegram": ("Telegram bot token", lambda r: f"{r.randrange(10**8, 10**10 - 1)}:AA" + drawn(r, URLSAFE, 32) + "A"),
    "Discord": (
        "Discord bot token",
        lambda r: "M" + drawn(r, ALNUM, 23) + "." + drawn(r, URLSAFE, 6) + "." + drawn(r, URLSAFE, 26) + "A",
    ),
    "Databricks": ("Databricks token", lambda r: "dapi" + drawn(r, HEX, 32)),
    "Vault": ("HashiCorp Vault token", lambda r: "hvs." + drawn(r, URLSAFE, 89) + "A"),
    "Grafana": ("Grafana token", lambda r: "glsa_" + drawn(r, ALNUM, 32) + "_" + drawn(r, HEX, 8)),
    "Linear": ("Linear API key", lambda r: "lin_api_" + drawn(r, ALNUM, 40)),
    "Docker": ("Docker token", lambda r: "dckr_pat_" + drawn(r, URLSAFE, 26) + "x"),
    "age": ("age secret key", lambda r: "AGE-SECRET-KEY-1" + drawn(r, "QPZRY9X8GF2TVDW0S3JN54KHCE6MUA7L", 58)),
    "JWT": ("JWT", _jwt),
}
"""Tokens that are known by their form wherever they stand."""

TOKEN_PLACES: tuple[str, ...] = (
    "We fixed it by setting {} in the config",
    "the deploy uses {}.",
    "it was {}, then it was rotated",
    "(see {})",
    "Use `{}` for staging",
    'client = Client("{}")',
    "const c = connect('{}');",
    '{{"value": "{}", "retries": 3}}',
    '{{"nested": {{"list": ["{}"]}}}}',
    "ci:\n  value: {}\n  retries: 3",
    "export SOMETHING={}",
    "SOMETHING={}\nOTHER=1",
    "first line\r\nit is {}\r\nlast line",
    "Der Schlüssel für die Übergabe 🗝️ ist {} – bitte wechseln",
    "鍵は{}です。",
    "curl http://api.internal/v1/items -H 'X-Thing: {}'",
    "| name | {} |",
    "<value>{}</value>",
    "{}",
)


def _around(kind: str, secret: Callable[[Random], str], *forms: str) -> Callable[[Random], Sample]:
    def make(random: Random) -> Sample:
        value = secret(random)
        return Sample(random.choice(forms).format(value), value, kind)

    return make


PLACED: dict[str, Callable[[Random], Sample]] = {
    "password": _around(
        "password", _password,
        "password: {}", "Passwort: {}", "db_password = '{}'", 'password = "{}"', '"password": "{}"', "DB_PASSWORD={}",
        "passwd={}", "MYSQL_PWD={}", "--password {}", "--password={}", "密码：{}", 'password: str = "{}"', "pwd: '{}'",
        "spring.datasource.password={}", "Server=db;User Id=sa;Password={};Encrypt=true", "<password>{}</password>",
        "CREATE USER ada WITH PASSWORD '{}'", "export PGPASSWORD='{}'",
        "**Password:** `{}`", "- **Password**: `{}`", "__Password:__ `{}`", "*DB password:* {}", "__password__: {}",
    ),
    "password in a URL": _around(
        "password in a URL", lambda r: _password(r).rstrip(SYMBOLS),
        "postgres://ada:{}@db.internal:5432/app", "https://ada:{}@git.internal/x.git", "redis://:{}@cache:6379/0",
        "mongodb+srv://svc:{}@cluster0.internal/app", "amqp://svc:{}@queue",
    ),
    "bearer header": _around(
        "authorization header", lambda r: drawn(r, ALNUM, 32),
        "Authorization: Bearer {}", "curl -H 'Authorization: Bearer {}' https://x.internal",
        '"Authorization": "Bearer {}"', "authorization: token {}",
    ),
    "basic header": _around(
        "authorization header", lambda r: base64.b64encode(f"ada:{_password(r)}".encode()).decode(),
        "Authorization: Basic {}", "Proxy-Authorization: Basic {}",
    ),
    "API key": _around(
        "API key", lambda r: drawn(r, HEX, 32),
        "api_key: {}", "API_KEY={}", "apiKey = '{}'", '"api_key": "{}"', "--api-key {}", "API key: {}",
        "STRIPE_API_KEY={}", "api-key = {}", "**API key:** {}", "- **API key**: `{}`",
    ),
    "client secret": _around(
        "secret", lambda r: drawn(r, ALNUM, 40),
        "client_secret: {}", "CLIENT_SECRET={}",
        '"clientSecret": "{}"', 'clientSecret := "{}"', "SECRET_KEY='{}'",
    ),
    "AWS secret key": _around(
        "AWS key", lambda r: drawn(r, BASE64, 38) + "aB",
        "aws_secret_access_key = {}", "AWS_SECRET_ACCESS_KEY={}", 'secretAccessKey: "{}"',
        'AWS_SECRET_ACCESS_KEY="{}"',
    ),
    "Azure storage key": _around(
        "Azure storage key", lambda r: drawn(r, BASE64, 86) + "==",
        "DefaultEndpointsProtocol=https;AccountName=logs;AccountKey={};EndpointSuffix=core.windows.net",
        "AccountKey={}",
    ),
    "token": _around(
        "token", _uuid,
        "token: {}", "auth_token={}", "ACCESS_TOKEN={}", '"refresh_token": "{}"', "--token {}", "x.token = '{}'",
        "https://api.internal/items?access_token={}",
    ),
    "private key": _around(
        "private key",
        lambda r: _pem(r, r.choice(["RSA PRIVATE KEY", "EC PRIVATE KEY", "OPENSSH PRIVATE KEY", "PRIVATE KEY",
                                    "ENCRYPTED PRIVATE KEY", "PGP PRIVATE KEY BLOCK"])),
        "{}", "key:\n{}\n", "The old one was\n\n{}\n\nand it is gone.",
    ),
    "private key in JSON": _around(
        "private key", lambda r: _pem(r, "PRIVATE KEY").replace("\n", "\\n"),
        '{{"private_key": "{}\\n", "type": "service_account"}}',
    ),
    "netrc": _around("password", _password, "machine git.internal login ada password {}"),
}  # fmt: skip
"""Secrets that their place gives away."""

PLACED_IN: tuple[str, ...] = (
    "{}",
    "Notes on the outage:\n{}\nThat was all.",
    "# config\r\n{}\r\n# end",
    "Größe 🧠 über alles\n  {}\n",
    "- first\n{}\n- last",
)


def token_samples(name: str, seed: int, number: int) -> list[Sample]:
    """Samples of one type of token, in one place after another."""
    kind, make = TOKENS[name]
    random = Random(f"{name} {seed}")
    secrets = [make(random) for _ in range(number)]
    places = [TOKEN_PLACES[count % len(TOKEN_PLACES)] for count in range(number)]
    return [Sample(place.format(secret), secret, kind) for place, secret in zip(places, secrets, strict=True)]


def placed_samples(name: str, seed: int, number: int) -> list[Sample]:
    """Samples of one type of placed secret, in one text after another."""
    random = Random(f"{name} {seed}")
    made = [PLACED[name](random) for _ in range(number)]
    return [
        sample._replace(written=PLACED_IN[count % len(PLACED_IN)].format(sample.written))
        for count, sample in enumerate(made)
    ]


def samples(seed: int, number: int) -> list[Sample]:
    """So many samples of every type."""
    tokens = [sample for name in TOKENS for sample in token_samples(name, seed, number)]
    return tokens + [sample for name in PLACED for sample in placed_samples(name, seed, number)]
