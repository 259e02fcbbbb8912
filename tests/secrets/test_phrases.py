"""Values behind a phrase, or bare behind a word, are masked; sentences about passwords and tokens stay."""

import pytest

from bigmind.secrets.masking import mask
from tests.secrets.benign import benign

# In two halves, so that no scanner of repositories takes it for a real one.
STRONG = "7bHq2LkP9vXz3TnW8sYd" + "5RfGj1MuKc6EaVoI4pBx"
IDENTIFIER = "AKIA" + "Q3XJ7MZPL2WV8RTN"
CHOSEN = "Tr0ub4dor&3xyz"

PLACES = {
    f"AWS key of the CI user: {IDENTIFIER} secret {STRONG}": STRONG,
    f"AWS secret {STRONG}": STRONG,
    f"AWS credentials {IDENTIFIER} / {STRONG}": STRONG,
    f"{IDENTIFIER},{STRONG},eu-central-1": STRONG,
    f"key: {IDENTIFIER}\nand behind it:\n{STRONG}": STRONG,
    f"The secret of the CI user is {STRONG}.": STRONG,
    f"our deploy token {STRONG}, rotated in May": STRONG,
    "Das Passwort für die Testumgebung lautet Sommer-Regen-4711": "Sommer-Regen-4711",
    "Passwort für die Testumgebung: Sommer-Regen-4711": "Sommer-Regen-4711",
    "Password (staging): Sommer2024": "Sommer2024",
    f"Das Passwort der Datenbank ist jetzt {CHOSEN}.": CHOSEN,
    f"The password for the staging database is {CHOSEN} (rotated in May)": CHOSEN,
    f"Le mot de passe du serveur est {CHOSEN}": CHOSEN,
    f"La contraseña del servidor es {CHOSEN}": CHOSEN,
    f"mdp: {CHOSEN}": CHOSEN,
    f"パスワードは {CHOSEN} です": CHOSEN,
    f"パスワードは{CHOSEN}です。": CHOSEN,
    f"密码是{CHOSEN}": CHOSEN,
    f"비밀번호는 {CHOSEN}": CHOSEN,
    f"login admin / {CHOSEN}": CHOSEN,
    f"Zugangsdaten: ada / {CHOSEN}": CHOSEN,
}
NEIGHBORS = """
Das Passwort für die Testumgebung steht im Tresor
the secret of good tests is independence
login admin / user pages share a layout
The password for the staging database is rotated every 90 days
Das Passwort für den Server ist 90-Tage-gültig, danach PROJ-4711
The password for the admin page is ticket PROJ-1234
The token for the login page is tracked in JIRA-4711
The password of the database is Argon2id-hashed with SHA-256
The secret for staging is in vault-2, path secret/data/app
Das Passwort der Anwendung lautet in jeder Umgebung anders
login form / OAuth2TokenClient share a base class
user service / Http2ClientFactory are built by the composition root
user ada / ada2@example.com reviews it
パスワードは12文字以上、SHA256でハッシュ化する
密码是bcrypt加密的，令牌15分钟后过期
mdp: gamma is 0.99, MDP stands for Markov decision process
the token 0xdAC17F958D2ee523a2206206994597C13D831ec7 is a contract's address
the secret 3f2c9a1be4d05f6a7b8c9d0e1f2a3b4c5d6e7f80 is the commit that removed it
the token OAuth2AccessTokenResponseHttp11Converter is a class of the parser
Le mot de passe de l'utilisateur est haché avec Argon2id-v13
access key AKIAIOSFODNN7EXAMPLE wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY of AWS's documentation
the secret of the release is v2.14.3-rc1
The password for the second factor is checked in src/auth/Login2Factor.py:120
The token of the session is a UUID such as 7D9F1B8E-33A1-4C0B-9E6D-0A1B2C3D4E5F
The credentials for CI are in 1Password, item ci-2024
The secret to speed is O(log n) at 10.000 rows/s
password (8-64 characters): required
credentials of user 4711 / request 20240301-77
""".strip().splitlines()


@pytest.mark.parametrize(("note", "secret"), PLACES.items())
def test_a_value_that_a_phrase_names_is_masked_and_nothing_beside_it(note: str, secret: str):
    before, behind = note.split(secret)
    masked = mask(f"Notes\n{note}\nhost: db.internal")
    assert secret not in masked.text
    assert masked.text.endswith(f"]{behind}\nhost: db.internal")
    assert masked.text.startswith(f"Notes\n{before.replace(IDENTIFIER, '[masked: AWS key]')}[masked: ")
    assert mask(masked.text).text is masked.text


@pytest.mark.parametrize("note", NEIGHBORS)
def test_what_is_said_about_a_secret_stays(note: str):
    assert mask(note).text is note


def test_other_notes_are_untouched_beside_phrases():
    for note in benign(seed=5, number=300):
        assert mask(f"The password for the staging database is not here. {note}").kinds == (), note
