"""Notes as engineers keep them that speak of secrets, or look like them, and hold none; the same for the same seed."""

import base64
import uuid
from collections.abc import Callable, Iterator
from hashlib import md5, sha256
from itertools import islice
from random import Random

from tests.bench.corpus import texts

FIXED: tuple[str, ...] = (
    "use the password field in LoginForm",
    "set api_key from the environment variable OPENAI_API_KEY",
    "token bucket rate limiter, refill 10/s, burst 100",
    "secret: never commit it",
    "the database is at postgres://localhost:5432/app",
    "def get_token(): return os.environ['TOKEN']",
    'password=os.environ["DB_PASSWORD"]',
    "password: ${DB_PASSWORD}",
    "password: {{ vault_db_password }}",
    "Authorization: Bearer <your-token>",
    "Authorization: Bearer $TOKEN",
    'headers = {"Authorization": f"Bearer {token}"}',
    "headers: { Authorization: `Bearer ${accessToken}` }",
    "api_key = 'xxxxxxxxxxxxxxxx'",
    "API_KEY=changeme",
    "API_KEY=your-api-key-here",
    "password: ********",
    "token: <paste the token here>",
    "ghp_xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx is how GitHub's tokens look",
    "AKIAIOSFODNN7EXAMPLE is the key of AWS's documentation",
    "password = getpass.getpass()",
    "password = request.form['password']",
    "token = auth.create_token(user_id=user.id, ttl=3600)",
    "const token = await getToken({ audience: 'https://api.internal' });",
    "let token: Token = lexer.next_token()?;",
    'String password = System.getenv("DB_PASSWORD");',
    'password := os.Getenv("DB_PASSWORD")',
    "auto token = std::make_unique<Token>(TokenKind::Identifier);",
    "self.password = PasswordField(max_length=128)",
    "password: str = Field(min_length=12, max_length=128)",
    "type Props = { password: string; token?: string }",
    "public string Password { get; set; }",
    "def login(user: str, password: str) -> Session: ...",
    "connect(user=user, password=password, token=token)",
    "if (token == null) throw new AuthError('token missing');",
    "assert response.json()['token'] == token",
    "max_tokens=4096, token_count: 128000, context 200k tokens",
    "next_page_token: CAUQAA, see the paging docs",
    "pad_token='<pad>', eos_token='</s>', cl100k_base tokenizer",
    "password_hash = argon2id, 64 MiB, 3 passes",
    "password hashing: argon2id; tokens: JWT with RS256, secret rotation every 90 days",
    "the token is sha256-hashed before it is stored",
    "the password is stored in 1Password, vault Team, item db-prod",
    "Password: required, at least 12 characters",
    "**Password:** at least 12 characters, **Token:** see `docs/auth.md`",
    "**Password**: stored with bcrypt, cost 12; __Token__: `Authorization` header",
    "token ** 2 == password * 2, secret: * none",
    '"password": "must be at least 12 characters"',
    '{"password": "required", "token": "expired"}',
    "errors.password = 'Password is required'",
    "i18n: password: 'Passwort', forgotPassword: 'Passwort vergessen?'",
    '<input type="password" name="password" autocomplete="current-password">',
    '<label for="password">Password</label>',
    "secretKeyRef:\n  name: db-credentials\n  key: password",
    "imagePullSecrets:\n  - name: registry-pull",
    "secret: vault:secret/data/app#password",
    "password_file: /run/secrets/db_password",
    "POSTGRES_PASSWORD_FILE=/run/secrets/db_password",
    "private_key_path = ~/.ssh/id_ed25519",
    "ssh-ed25519 public keys go to ~/.ssh/authorized_keys",
    "a file that starts with -----BEGIN RSA PRIVATE KEY----- must not be committed",
    "the block between -----BEGIN PRIVATE KEY----- and -----END PRIVATE KEY----- is base64",
    "Das Passwort steht im Tresor, nicht im Wiki; Token laufen nach 15 Minuten ab.",
    "Passwort: wird beim ersten Start erzeugt",
    "Das Passwort ist Pflicht, der Schlüssel kommt aus der Umgebung.",
    "Le mot de passe est haché avec bcrypt, le jeton expire après 15 minutes.",
    "mot de passe : obligatoire",
    "密码不能写进日志，令牌从环境变量读取。",
    "密码：必填",
    "パスワードは環境変数から読み込むこと。トークンは15分で失効する。",
    "パスワード：必須",
    "La contraseña se guarda cifrada con AES256.",
    "Пароль: обязательное поле",
    "the KEY is the natural key (order_id, line_no)",
    "primary key = (tenant_id, created_at), sort key: created_at",
    "cache_key = f'user:{user_id}:v2'",
    "partition key: customer_2024_q3",
    "public_key: see the README of the team",
    "api keys are rotated on 2026-03-01",
    "token: 2026-03-01 rotated, next on 2026-06-01",
    "Basic authentication is off; bearer authentication is on",
    'WWW-Authenticate: Bearer realm="bigmind"',
    "Authorization: required on every route",
    "X-Request-Id: 7f3c, X-Api-Key: see the vault",
    "credentials: include",
    "credentials: 'same-origin'",
    "git clone https://github.com/org/repo.git && cd repo",
    "see https://example.com/a/b?id=AbC123xyz and #section-2",
    "http://user@host/path has a user and no password",
    "redis://cache:6379/0, amqp://queue:5672, mongodb://db:27017/app",
    "postgres://$USER:$PASSWORD@db/app is assembled at start",
    "postgres://user:password@host:port/database is the format",
    "docker run -e POSTGRES_PASSWORD=$POSTGRES_PASSWORD postgres:16",
    "export API_TOKEN=$(vault read -field=token secret/ci)",
    "- run: echo ${{ secrets.NPM_TOKEN }}",
    'resource "random_password" "db" { length = 24 }',
    "password = var.db_password",
    "password = data.aws_secretsmanager_secret_version.db.secret_string",
    "SELECT password_hash FROM users WHERE token = ?",
    "ALTER USER app WITH PASSWORD :password",
    'curl -u "$USER:$PASS" https://api.internal',
    "mysql -u root -p app < dump.sql",
    "use --password to be asked for it; --token FILE reads it from a file",
    "sk-learn style estimators, task-runner-with-a-very-long-name-in-kebab-case",
    "the class is called KeywordTokenizerFactoryBean2",
    "scikit's token_pattern=r'(?u)\\b\\w\\w+\\b'",
    "bm_ is the prefix of BigMind's tokens",
    'eyJ is how a JWT begins: base64url of {"',
    "sha512-integrity of the package is checked by npm",
    "PATH=/usr/local/bin:/usr/bin TOKEN_TTL=900 SECRET_BACKEND=vault",
    "pwd; ls -la; cd /srv/app",
    "pass: 12, fail: 3, skipped: 1",
    "tests pass: 128 of 130; passed=128",
    "password reset: 3 mails, password policy: 12+ characters",
    "secrets: inherit",
    "Secret: Kubernetes object of type Opaque",
    "token=abc in the URL is forbidden",
    "passphrase: leave it empty",
    "compass: north, bypass: yes, passage: 12b",
    "keyboard: qwerty2, monkey: 12345678",
    "auth: oauth2, scopes: read:user",
    "access_key in the docs means the AWS access key id",
    "you need to pass `max_buffer_size=0` if you trust the token `items[0]`",
    "the secret of good tests is to wait for events",
)

SHAPES: tuple[Callable[[Random], str], ...] = (
    lambda r: f"commit {r.randbytes(20).hex()} fixed the bug",
    lambda r: f"reverted {r.randbytes(4).hex()[:7]} and {r.randbytes(20).hex()}",
    lambda r: f"the run id is {uuid.UUID(bytes=r.randbytes(16))}",
    lambda r: f"request_id={uuid.UUID(bytes=r.randbytes(16))} took 312 ms",
    lambda r: f"sha256:{sha256(r.randbytes(8)).hexdigest()}",
    lambda r: f"image: registry.internal/app@sha256:{sha256(r.randbytes(8)).hexdigest()}",
    lambda r: f"md5 {md5(r.randbytes(8)).hexdigest()} dump.sql",  # noqa: S324 - a checksum in a text
    lambda r: f"--hash=sha256:{sha256(r.randbytes(8)).hexdigest()}",
    lambda r: f'"integrity": "sha512-{base64.b64encode(r.randbytes(64)).decode()}"',
    lambda r: (
        f"![logo](data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAUA{base64.b64encode(r.randbytes(300)).decode()})"
    ),
    lambda r: f"base64 of the picture: iVBORw0KGgo{base64.b64encode(r.randbytes(120)).decode()}",
    lambda r: f"ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAI{base64.b64encode(r.randbytes(32)).decode()} ada@laptop",
    lambda r: (
        "-----BEGIN CERTIFICATE-----\n" + base64.encodebytes(r.randbytes(300)).decode() + "-----END CERTIFICATE-----"
    ),
    lambda r: (
        "-----BEGIN PUBLIC KEY-----\n" + base64.encodebytes(r.randbytes(91)).decode() + "-----END PUBLIC KEY-----"
    ),
    lambda r: f"https://tracker.internal/issues/{r.randrange(10**6)}?focus={r.randrange(10**9)}#c{r.randrange(10**6)}",
    lambda r: f"https://docs.internal/d/{r.randbytes(16).hex()}/edit",
    lambda r: f"trace {r.randbytes(16).hex()} span {r.randbytes(8).hex()} was slow",
    lambda r: f'etag W/"{r.randbytes(16).hex()}" cache_key={r.randbytes(20).hex()}',
    lambda r: f"ULID 01J{''.join(r.choices('0123456789ABCDEFGHJKMNPQRSTVWXYZ', k=23))} is the memory's id",
    lambda r: f"token_count={r.randrange(10**6)}, max_tokens: {r.randrange(10**5)}",
    lambda r: f"src/auth/token_{r.randrange(99)}.py:{r.randrange(999)} def rotate_secret(key: str) -> None:",
    lambda r: f"2026-0{r.randrange(1, 10)}-1{r.randrange(10)}T10:00:00Z INFO token refreshed user={r.randrange(9999)}",
    lambda r: f"0x{r.randbytes(20).hex()} is the contract's address",
    lambda r: (
        f"v{r.randrange(9)}.{r.randrange(30)}.{r.randrange(99)}+build.{r.randrange(10**6)} changed the password policy"
    ),
    lambda r: f"E{r.randrange(1000, 9999)}: token expired; password attempts: {r.randrange(9)}",
    lambda r: f"arn:aws:secretsmanager:eu-central-1:{r.randrange(10**11, 10**12)}:secret:app/db-AbCdEf",
    lambda r: (
        f"10.{r.randrange(255)}.{r.randrange(255)}.7:5432 and fe80::{r.randbytes(2).hex()}:{r.randbytes(2).hex()}"
    ),
)


def notes(seed: int) -> Iterator[str]:
    """Notes without end: each fixed line alone first, then lines, shapes and real prose mixed."""
    random = Random(seed)
    prose = texts(seed)
    yield from FIXED
    while True:
        lines = [random.choice(FIXED), random.choice(SHAPES)(random), next(prose)]
        random.shuffle(lines)
        yield random.choice(["\n", "\r\n", "\n\n", "\n- "]).join(lines[: random.randrange(2, 4)])


def benign(seed: int, number: int) -> list[str]:
    """So many notes without a secret."""
    return list(islice(notes(seed), number))
