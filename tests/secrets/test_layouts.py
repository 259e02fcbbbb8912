"""What a layout names is masked: a table's cell, the line below a label, emphasis, tags; tables and code stay."""

import pytest

from bigmind.secrets.masking import mask

CHOSEN = "hunter2-xk9"
LABELLED = (
    "_Password:_ {}",
    "_Password_: {}",
    "**Password (prod):** {}",
    "**Password** (prod): {}",
    "Password (for the staging database): {}",
    "<b>Password:</b> {}",
    "- **DB password** → {}",
    "Password: ``{}``",
    "| **Password** | {} |",
    "| Field | Value |\n| --- | --- |\n| Password | {} |\n| User | ada |",
    "| password | `{}` | rotated in May |",
    "<tr><td>Password</td><td>{}</td></tr>",
    "<dl><dt>Password</dt>\n  <dd>{}</dd></dl>",
    "**Password:**\n`{}`",
    "Password:\n\n    {}",
    "Password:\r\n{}\r\nUser: ada",
    "Password:\n```\n{}\n```",
    "Password:\n```text\n{}\n```",
    "# Notes\n\n## Staging password\n\n{}\n",
    "passwords:\n  - {}",
    "| Password: | {} |",
    "| **Password:** | `{}` |",
    "| Password | {}",
    "**Password**\n\n{}",
    "**DB password**\n`{}`",
    "Password:\n~~~\n{}\n~~~",
    "<b>Password</b>: {}",
    "<strong>Password</strong>: {}",
    "Password: <code>{}</code>",
    "<td><b>Password</b></td><td>{}</td>",
    '<td class="a">Password:</td>\n<td class="b"><code>{}</code></td>',
    "| DB_PASS | {} |",
    "DB_PASS:\n{}",
)
LANGUAGES = (
    *("hasło", "heslo", "şifre", "parola", "lösenord", "passord", "adgangskode", "salasana", "jelszó", "geslo"),
    *("парола", "lozinka", "mật khẩu", "kata sandi", "סיסמה", "كلمة المرور", "पासवर्ड", "รหัสผ่าน"),
)
COMMANDS = (
    "docker login -u ada -p {} registry.internal",
    "podman login --username ada -p {}",
    "mariadb -uroot -p{} shop",
    "redis-cli -h cache -a {} ping",
    "redis-cli --no-auth-warning -p 6380 -a {}",
)
NEIGHBORS = """
| Password | required | 12 characters |
| password | string | the user's password |
| token | `max_tokens=4096` | of an answer |
| Password | Argon2id | SHA-256 |
| secret | path/to/secret2 | see there |
**Token:** `max_tokens=4096`
cat password | sha256sum | cut -c1-8
if not password:
    raise_for(401)
password:
  secretKeyRef:
    name: db2
Password (see section 2): at least 12 characters
token (see RFC 6750): a string
docker login -p reads it from the command line, so use --password-stdin
# Password
Argon2id with 3 passes
# Reset the password
step2
<td>Password</td><td>required</td>
redis-cli ping
| PASS | TC-012 | login |
**Rotate** the password
step-2nd
<b>Password</b>: <b>required</b>
| Password:
| pass | ubuntu-22.04 | 3 min |
Pass: 134/135
| Password | PR#4521 | open |
| Password | auth.py:42 | hashed |
| Secret | db-credentials-2026 | payments |
| SSH key | id_ed25519 | of the runner |
| Design token | font-size-14 | small |
secrets:
  - smtp-relay1
passwords:
  user1-prod:
    file: ./one
redis-cli takes the password with -a where the server asks for it
docker login first, then publish it with -p 127.0.0.1:8080:80
def check(password: str | None, token: str | bytes2) -> bool:
"""


@pytest.mark.parametrize("written", [*LABELLED, *COMMANDS])
def test_a_password_that_a_layout_or_a_command_names_is_masked(written: str):
    masked = mask(written.format(CHOSEN))
    assert masked.text == written.format("[masked: password]")
    assert mask(masked.text).text == masked.text


@pytest.mark.parametrize("word", LANGUAGES)
def test_a_password_is_masked_behind_its_word_in_other_languages(word: str):
    for written in (f"{word}: {{}}", f"{word.capitalize()} = {{}}", f"**{word}:** `{{}}`"):
        assert mask(written.format(CHOSEN)).text == written.format("[masked: password]")


def test_a_token_in_a_tables_cell_is_masked():
    token = "q7Xw9Lk2" + "Pz4Rt8Yv6Nm3Bc5D"
    assert mask(f"| API key | {token} |").text == "| API key | [masked: API key] |"
    assert mask(f"## Deploy token\n\n{token}\n").text == "## Deploy token\n\n[masked: token]\n"


def test_tables_code_and_sentences_about_passwords_stay():
    assert mask(NEIGHBORS) == (NEIGHBORS, ())
    for line in NEIGHBORS.strip().splitlines():
        assert mask(line) == (line, ())
