"""A PIN, a password that is named behind its value, and a wallet's words are masked; sentences about them stay."""

import pytest

from bigmind.secrets.masking import mask

CHOSEN = "Sommer2026" + "!"
WALLET = "legal winner thank year wave sausage worth useful legal winner thank yellow"
DOCKER = "eyJhdXRocyI6eyJyZWdpc3RyeSI6e30sImEiOjF9fQ"
PLACES = {
    "PIN: 4711": "4711",
    "Die PIN der Karte ist 4711.": "4711",
    "SIM-PIN: 48213": "48213",
    "the PIN is `004711`": "004711",
    "**PIN code:** 4711": "4711",
    f"new password {CHOSEN}": CHOSEN,
    f"Das neue Passwort {CHOSEN} gilt ab morgen.": CHOSEN,
    "temporary password Winter2026, please change it": "Winter2026",
    f"use {CHOSEN} as the password": CHOSEN,
    f"Use `{CHOSEN}` as the admin password for staging": CHOSEN,
    f"nimm {CHOSEN} als Passwort": CHOSEN,
    "set hunter22x as the new passphrase": "hunter22x",
    "127.0.0.1:6379> AUTH hunter22x": "hunter22x",
    "AUTH default hunter22x\nOK": "hunter22x",
    "AUTH PLAIN AGFkYQBodW50ZXIyMng=": "AGFkYQBodW50ZXIyMng=",
    f"seed phrase: {WALLET}": WALLET,
    f'My recovery phrase is "{WALLET}".': WALLET,
    f"mnemonic={WALLET}": WALLET,
    f"Seed words:\n{WALLET} {WALLET}": WALLET,
    f"seed phrase: {', '.join(WALLET.split())}": ", ".join(WALLET.split()),
    f"set mnemonic: '{WALLET}', and restart": WALLET,
    f"seed: {WALLET} keep it safe": WALLET,
    f"recovery: {WALLET}": WALLET,
    f"use {CHOSEN} as the password during the tests": CHOSEN,
    f"use {CHOSEN} as the password - Ada": CHOSEN,
    f"data:\n  .dockerconfigjson: {DOCKER}==": DOCKER,
}
NEIGHBORS = """
GPIO pin: 4711
PIN: 13
pin the version: 2024
A PIN has 4 digits, and PIN: 4-8 digits are taken
PIN: 2024-05-01
the new password must have 12 characters
new password policy2
new password hash
use it as the password
use the token as a password
use SHA-256 as the password hash
use x-access-token as the username
use $PASSWORD as the password
use `<token>` as the password
use ada@example.com as the password
AUTH password
AUTH username password
AUTH LOGIN
AUTH SHA-256
ERR AUTH called without any password configured
The seed phrase has twelve words
seed phrase: twelve words that the user keeps in a safe place and never shows to anybody else at all
The seed is 42
seed: users, orders, products, carts, prices, items, stock, shops, roles, teams, files, notes
Recovery: stop server, restore backup file, start server, check logs, run health checks, then tell team
Recovery: restart nginx then check logs then drain pods then verify health then close
Seed: run make seed before tests because fixtures need users orders carts prices stock
use KeePass2 as the password database
use PBKDF2 as the password derivation function
use OAuth2 as a password replacement
verwende bcrypt2 als Passwort Verfahren
type: kubernetes.io/dockerconfigjson
.dockerconfigjson: <base64>
""".strip().splitlines()


@pytest.mark.parametrize("text", PLACES)
def test_it_is_masked(text: str) -> None:
    found = mask(text)
    assert PLACES[text] not in found.text
    assert len(found.kinds) == 1


@pytest.mark.parametrize("text", NEIGHBORS)
def test_what_speaks_of_it_stays(text: str) -> None:
    assert mask(text).text == text
