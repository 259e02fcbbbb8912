"""A private file that signs a browser in: the code stands in it, and on no command line.

Everybody on a machine can read the command lines of all programs there (`ps`), and with them the address that a browser
is started with. The name of a file tells nothing, and its content is this user's alone. The page posts the code by
itself as soon as it is open; the server removes it then, and at its start all of them, for no code is valid any more.
"""

import base64
import hashlib
import html
import time
from contextlib import suppress
from datetime import timedelta
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

from bigmind.disk.open_files import remove
from bigmind.paths import sign_in_folder, write_private_file
from bigmind.people.token_format import digest

CODE_LIFETIME = timedelta(minutes=10)
"""How long a code signs in, once."""
FROM_FILE = "/sign-in/from-file"
"""Where the page posts its code."""
FIRST_PASSPHRASE = "/sign-in/passphrase"  # noqa: S105 - no secret
"""Where a passphrase can be set, in the browser that the very first sign-in signed in."""

_SCRIPT = "document.forms[0].submit()"
_PAGE = """<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; script-src 'sha256-{hash}'; form-action {goal}">
<meta name="referrer" content="no-referrer">
<meta name="color-scheme" content="light dark">
<title>BigMind</title>
</head>
<body>
<form method="post" action="{goal}"><input type="hidden" name="code" value="{code}"><button>Open BigMind</button></form>
<script>{script}</script>
</body>
</html>
"""


def write_sign_in_file(home: Path, link: str) -> Path:
    """A page that signs in, once, whatever browser opens it.

    Args:
        home: the data folder.
        link: an address that signs in, as `bigmind open` prints it.

    Raises:
        BigMindError: `storage_full`, `store_unusable`.
    """
    _remove_old(home)
    parts = urlsplit(link)
    code = parse_qs(parts.query)["code"][0]
    values = {
        "hash": base64.b64encode(hashlib.sha256(_SCRIPT.encode()).digest()).decode(),
        "goal": html.escape(f"{parts.scheme}://{parts.netloc}{FROM_FILE}"),
        "code": html.escape(code),
        "script": _SCRIPT,
    }
    path = _file(home, code)
    write_private_file(path, _PAGE.format(**values))
    return path


def remove_sign_in_file(home: Path, code: str) -> None:
    """Remove the page of a code, which is there once."""
    with suppress(OSError):
        remove(_file(home, code))


def remove_sign_in_files(home: Path) -> None:
    """Remove all pages: at the start of a server, which knows none of their codes."""
    with suppress(OSError):
        for path in sign_in_folder(home).iterdir():
            remove(path)


def _remove_old(home: Path) -> None:
    """Remove those whose code is over."""
    with suppress(OSError):
        for path in sign_in_folder(home).iterdir():
            if time.time() - path.lstat().st_mtime > CODE_LIFETIME.total_seconds():
                remove(path)


def _file(home: Path, code: str) -> Path:
    """By a digest: who sees the name knows nothing of the code."""
    return sign_in_folder(home) / f"{digest(code)[:16]}.html"
