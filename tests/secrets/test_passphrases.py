"""Passwords with blanks, in quotes; and labels and rules that stand in the same place."""

from itertools import product
from random import Random

import pytest

from bigmind.secrets.masking import mask
from tests.thorough import often

WORDS = """
gravel umbrella octopus lantern copper meadow violin anchor walnut glacier pepper saddle tulip marble canyon
ribbon falcon orchard velvet timber comet harbor mustard pigeon quartz rocket sparrow tundra willow zeppelin
acorn bamboo candle dolphin ember fiddle goblet hammock igloo jigsaw kettle lobster magnet nectar oyster
paddle raven spindle Hund Katze Fenster Kirsche Ofen maison chaise fromage tortue
""".split()  # noqa: SIM905 - in quotes each, the words could not be read
MARKS = ["p1zza", "w0rd!", "dr4gon", "x9Kq", "r@in", "4ever7", "tr0ub4dor"]
NAMES = [
    "password = {}",
    "PASSWORD={}",
    '"password": {}',
    "db_password: {}",
    "passphrase := {}",
    "pwd => {}",
    "PGPASSWORD={}",
]
QUOTES = ['"{}"', "'{}'"]

LABELS = [
    "must be at least 12 characters", "Password is required", "Enter your password", "leave it empty", "see the vault",
    "Passwort vergessen?", "Neues Kennwort festlegen", "wird beim Start erzeugt", "Mot de passe oublié ?",
    "mot de passe trop court", "La contraseña no coincide", "min 8 chars, 1 digit", "expires in 90 days", "not set yet",
    "stored as an argon2id hash", "bcrypt hash, cost 12", "Please choose another one", "is read from the environment",
    "use at least one digit and one symbol", "the same as on staging", "Your new password", "too short", "do not share",
    "SHA-256 of the old one", "Введите пароль ещё раз", "请输入 新的 密码", "Wachtwoord vergeten?", "only for admins",
]  # fmt: skip


@pytest.mark.parametrize(("name", "quote"), list(product(NAMES, QUOTES)))
def test_a_passphrase_in_quotes_is_masked(name: str, quote: str):
    random = Random(f"{name}{quote}")
    for _ in range(often(100, 15)):
        words = random.sample(WORDS, random.randint(3, 6))
        for secret in (
            " ".join(words),
            " ".join([words[0], random.choice(MARKS)]),
            f"{words[0]} {random.choice(MARKS)} {words[1]}",
        ):
            note = f"{name.format(quote.format(secret))}\nhost: db.internal"
            masked = mask(note)
            assert secret not in masked.text, note
            assert masked.text.endswith("\nhost: db.internal")


@pytest.mark.parametrize("label", LABELS)
def test_what_is_said_of_a_password_stays(label: str):
    for name, quote in product(NAMES, QUOTES):
        assert mask(name.format(quote.format(label))).kinds == (), name


def test_blanks_around_a_password_are_a_part_of_its_quotes():
    assert "hunter2" not in mask("pwd = ' hunter2 '").text


def test_a_flag_takes_a_passphrase_too():
    assert "lantern" not in mask('mysql --password "gravel lantern octopus raven"').text
