"""What a client is called: by the name of its token and, behind a slash, by what it calls itself, as claimed.

`cursor` is what Cursor's token says, `cursor/reviewer` what somebody with that token claims to be. With BigMind's own
bridge token all is behind the slash. What an assistant imported is named so too: `import by cursor/claude-code`.
"""

import hashlib
import unicodedata

SLASH = "/"
BRIDGE = "bridge"
IMPORTED = "import by "
BOTH = " + "

LONGEST = 120
LONGEST_CLAIM = 38
"""Characters: behind a token's name, of at most 80, it fits into what is stored."""

DIGEST = 8
"""Characters of a digest that keep long names of agents apart."""

_MARKS = "-_. "
_LIKE_SLASH = frozenset("\u2f03\u3033\u3035\u30ce\u31d3\u4e3f\u01c0\U00020cd3")
"""Letters that look like a slash."""


def claim(text: str) -> str:
    """What a client calls itself, as it may stand behind a slash: letters, digits and few marks, at most 38 characters.

    Nothing that looks like a part of a source is left in it; empty where nothing is.
    """
    found = "".join(_kept(each) for each in unicodedata.normalize("NFKC", text[: 10 * LONGEST]))
    words = " ".join(found.split())
    while "--" in words:
        words = words.replace("--", "-")
    return words.strip(_MARKS)[:LONGEST_CLAIM].strip(_MARKS)


def _kept(character: str) -> str:
    if unicodedata.category(character) in {"Mn", "Mc", "Me", "Cf"}:
        return ""
    is_plain = character.isalnum() and character not in _LIKE_SLASH
    return character if is_plain or character in _MARKS else "-"


def of_token(name: str) -> str:
    """The name of a token, without what it is told apart by from a claim."""
    return name.replace(SLASH, "-").replace(BOTH, "-")


def is_of_token(name: str) -> bool:
    """Whether a token may be called so: like nothing that BigMind says of one."""
    return of_token(name) == name and not name.casefold().startswith(IMPORTED)


def named(client: str, claimed: str | None) -> str:
    """A client, and behind it what it claims to be; that takes the place of what it claimed before.

    Args:
        client: as its token, or an earlier claim, names it.
        claimed: what it calls itself; nothing, or the token's own name, adds nothing.
    """
    said = claim(claimed or "")
    token = token_name(client)
    if not said or said.casefold() == token.casefold():
        return client
    return f"{token}{SLASH}{said}"[:LONGEST]


def of_agent(name: str) -> str:
    """What an agent calls itself, as a claim: a long name ends with a digest of the whole, so that two stay two."""
    if len(claim(name)) < LONGEST_CLAIM:
        return name
    return f"{claim(name)[: LONGEST_CLAIM - DIGEST - 1]}-{hashlib.sha256(name.encode()).hexdigest()[:DIGEST]}"


def token_name(client: str) -> str:
    """What of a name nobody chooses for themselves: that of the token."""
    return client.partition(SLASH)[0]


def token_behind(client: str) -> str:
    """The token that answers for a name: its own one, or that by which the name was imported."""
    return token_name(client).removeprefix(IMPORTED)


def agent_of(client: str) -> str:
    """Whom BigMind takes a client for where it keeps its books: toolsets, use, conversations, sessions.

    That is the token's name; behind BigMind's own bridge token, which several clients share, what was claimed. It
    proves nothing, and never stands as the source of anything.
    """
    token, _, claimed = client.partition(SLASH)
    return claimed if token == BRIDGE and claimed else token


def is_own(written: str, client: str) -> bool:
    """Whether what stands as the source of something is a client itself, or says that it imported it."""
    if written.startswith(IMPORTED):
        return token_name(written) == f"{IMPORTED}{token_name(client)}"
    return token_name(written) == token_name(client) and agent_of(written) == agent_of(client)


def rewritten_by(before: str, client: str) -> str:
    """The source of a text that a client writes anew: the client, under the name that it claimed for it before."""
    return before if token_name(before) == token_name(client) and SLASH not in client else client


def continued_by(before: str, client: str) -> str:
    """The source of what one client began and another went on with: both, each once."""
    writers = before.split(BOTH)
    if token_name(client) in {token_name(each) for each in writers}:
        return before
    room = LONGEST - len(BOTH) - len(client)
    return f"{before[:room]}{BOTH}{client}" if room > 0 else client


def imported_by(client: str, claimed: str) -> str:
    """The source of what a client imported; behind it what the file calls its source."""
    return named(f"{IMPORTED}{token_name(client)}", claimed)
