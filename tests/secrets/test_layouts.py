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
    'the admin password is "{}"',
    "Das Passwort lautet „{}“.",
    "Passwort »{}«",
    "password ‘{}’",
    'var password string = "{}"',
    "Password — {}",
    "- **DB password** – {} (rotated in May)",
    "* Password - {}",
    "Password for prod: {}",
    "Passwort für die neue Datenbank: {}",
    "Password [prod]: {}",
    "root pw: {}",
    "password: |\n  {}",
    "password: !!str {}",
    "- name: DB_PASSWORD\n  value: {}",
    '{{"name": "DB_PASSWORD", "value": "{}"}}',
    '{{\n  "key": "password",\n  "value": "{}"\n}}',
    '<add key="DbPassword" value="{}" />',
    'variable "db_password" {{\n  type    = string\n  default = "{}"\n}}',
    "define('DB_PASSWORD', '{}');",
    '"{{\\\\\\"password\\\\\\":\\\\\\"{}\\\\\\"}}"',
    'master_password                = "{}"',
)
LANGUAGES = (
    *("hasło", "heslo", "şifre", "parola", "lösenord", "passord", "adgangskode", "salasana", "jelszó", "geslo"),
    *("парола", "lozinka", "mật khẩu", "kata sandi", "סיסמה", "كلمة المرور", "पासवर्ड", "รหัสผ่าน"),
    *("κωδικός", "κωδικός πρόσβασης", "συνθηματικό", "гасло", "parool", "salasõna", "slaptažodis", "lykilorð"),
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
# Password
Argon2id with 3 passes
# Reset the password
step2
<td>Password</td><td>required</td>
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
password: `min_length=12`
password — at least 12 characters, one digit
- forgot password — PROJ-4711
Reset password - step2of3
DB password - see db2.md
Passwords - SHA256 was replaced in v2.14
token - auth2login
PASS — TC-012
the password is "12 characters", the token is `max_tokens=4096`
Password for tests: see TC-012
Password for prod: in 1Password, item ci-2024
The password for the admin page: PROJ-1234
Token for CI: github-actions-2
Password [y/N]: no
pw: Playwright
PW-1234 is done
- name: DB_PASSWORD
  valueFrom:
    secretKeyRef:
      name: db2
- name: DB_HOST
  value: $(DB_HOST2)
{"name": "password", "value": "required"}
<input type="password" value="Show password">
variable "password_length" { default = "min12chars" }
["password", "sha256sum1"]
test("password", "should2fail")
os.getenv("DB_PASSWORD", "changeme1")
func login(user string, password string) error
def check(password: str | None, token: str | bytes2) -> bool:
"""


@pytest.mark.parametrize("written", LABELLED)
def test_a_password_that_a_layout_names_is_masked(written: str):
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
