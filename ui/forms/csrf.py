"""Proof that a form came from a page of ours.

SameSite=Strict does not help against another server on this machine: a site has no port. Hence a value in the form that
only our own page can know.
"""

import hashlib
import hmac
import secrets


def new_form_token() -> str:
    """For a form of somebody who is not known yet: the same value goes into a cookie and into the form."""
    return secrets.token_urlsafe(24)


def signed_form_token(secret: str) -> str:
    """For a form of somebody signed in: made from the cookie, which no script and no other origin can read."""
    return hmac.new(secret.encode(), b"form", hashlib.sha256).hexdigest()


def is_same(expected: str, given: str) -> bool:
    """Whether the form carries the expected value; an empty one never does."""
    return bool(expected) and hmac.compare_digest(expected.encode(), given.encode())
