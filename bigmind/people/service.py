"""Use cases of users and tokens."""

import unicodedata
from collections import Counter
from dataclasses import dataclass
from datetime import datetime, timedelta

from sqlalchemy import bindparam
from sqlmodel import col, select

from bigmind.core import plain_text
from bigmind.core.errors import BigMindError, Code, invalid, not_found
from bigmind.core.events import Action, Kind
from bigmind.core.ids import as_prefix, new_id, of_prefix
from bigmind.core.operation import Caller, Presence, Role, TokenScope
from bigmind.operations.token_scope import as_json
from bigmind.people.tables import Token, User
from bigmind.people.token_format import TokenKind, digest, new_secret
from bigmind.people.user_rules import refuse_disabled, refuse_former_admin, refuse_start, role_given
from bigmind.secrets.libraries import may_hold_token
from bigmind.secrets.masking import mask
from bigmind.store.driver_statements import first_row
from bigmind.store.store import Store
from bigmind.store.tables import ChangeRow
from bigmind.store.work import Work

UI_SESSION = timedelta(days=30)
OWN_KINDS = (TokenKind.CLI, TokenKind.BRIDGE)
"""The tokens that BigMind gives its own command line and bridge, in files."""
_TAKEN = "user_list shows all of them; user_token makes another token for who lost theirs."
_NAME = select(User.display_name).where(User.id == bindparam("user"))


def ensure_user(work: Work, username: str) -> User:
    """The user of that name; made when there is none. The first user of a store may do everything, the others not.

    Raises:
        BigMindError: `invalid_input`, when a new user's name holds a secret.
    """
    user = work.session.exec(select(User).where(User.username == username)).first()
    if user is None:
        _refuse_secret("user", username, "Choose another name: BIGMIND_USER, or `user` in the settings file.")
        _refuse_alike_disabled(work, username)
        is_first = work.session.exec(select(User.id).limit(1)).first() is None
        user = User(
            uid=new_id(),
            username=username,
            display_name=username,
            role=Role.ADMIN if is_first else Role.MEMBER,
            created_at=work.now,
            last_seen_at=work.now,
        )
        work.session.add(user)
        work.session.flush()
    return user


def _refuse_alike_disabled(work: Work, username: str) -> None:
    """Nobody who is disabled comes back under their name in other capitals."""
    for known in work.session.exec(select(User).where(col(User.disabled_at).is_not(None))):
        if _alike(known.username) == _alike(username):
            refuse_start(work, known)


def _refuse_secret(whose: str, name: str, hint: str) -> None:
    if may_hold_token(name) and (kinds := mask(name).kinds):
        raise BigMindError(
            Code.INVALID_INPUT,
            f"The {whose}'s name holds a secret ({', '.join(kinds)}), and would stand in files, logs and exports.",
            hint,
        )


def add_user(work: Work, username: str, client: str, role: Role = Role.MEMBER) -> User:
    """A new user. A name that is there in other capitals or other forms of its letters is taken.

    Raises:
        BigMindError: `conflict` for a name that is taken; `invalid_input`, for a secret or what nobody sees in a name.
    """
    refuse_former_admin(work)
    for whose, name in (("user", username), ("client", client)):
        _refuse_secret(whose, name, "Choose another name.")
    if not username.isprintable() or not all(each == " " or plain_text.seen(each) for each in username):
        raise invalid("username", username, "a name without characters that nobody sees")
    if username.startswith("-"):
        raise invalid("username", username, "a name that begins otherwise: commands would take it for an option")
    taken = {_alike(name): name for name in work.session.exec(select(User.username))}.get(_alike(username))
    if taken is not None:
        raise BigMindError(Code.CONFLICT, f"There is a user called {taken} already.", _TAKEN)
    user = ensure_user(work, username)
    user.role = role
    work.session.add(user)
    work.changed(Kind.USER, user.uid, Action.CREATED)
    if role is not Role.MEMBER:
        work.changed(Kind.USER, user.uid, role_given(role))
    return user


def _alike(name: str) -> str:
    return unicodedata.normalize("NFKC", name).casefold()


@dataclass(frozen=True, slots=True)
class Listed:
    """A user, as an admin sees them.

    Attributes:
        last_seen_at: when they last changed anything or began a conversation; None where they never did.
        tokens: how many valid ones their clients have.
    """

    user: User
    last_seen_at: datetime | None
    tokens: int


def everybody(work: Work) -> list[Listed]:
    """Whose memory is kept, the oldest first."""
    tokens = Counter(each.user_id for each in active_tokens(work) if each.kind == TokenKind.CLIENT)
    # Through the index of the users: a `max` of the times would read the whole audit log.
    last = select(ChangeRow.at).where(ChangeRow.user_id == User.id).order_by(col(ChangeRow.id).desc()).limit(1)
    rows = work.session.exec(select(User, last.scalar_subquery()).order_by(col(User.id)))
    return [Listed(user, _last(user, changed_at), tokens[user.id or 0]) for user, changed_at in rows]


def _last(user: User, changed_at: datetime | None) -> datetime | None:
    if changed_at is not None:
        return max(changed_at, user.last_seen_at)
    return user.last_seen_at if user.last_seen_at > user.created_at else None


def is_shared(work: Work) -> bool:
    """Whether more than one person's memory is kept."""
    return len(work.session.exec(select(User.id).limit(2)).all()) > 1


def seen(work: Work) -> None:
    """Note that the caller is here."""
    user = work.session.get_one(User, work.caller.user_id)
    user.last_seen_at = work.now
    work.session.add(user)


def display_name(work: Work) -> str:
    """How the caller is called on the pages."""
    row = first_row(work.session, _NAME, {"user": work.caller.user_id})
    return row.display_name if row is not None else work.caller.username


def rename(work: Work, name: str) -> User:
    """Call the caller by another name."""
    user = work.session.get_one(User, work.caller.user_id)
    user.display_name = name
    work.session.add(user)
    work.changed(Kind.USER, user.uid, Action.UPDATED)
    return user


@dataclass(frozen=True, slots=True)
class MintedToken:
    """A new token: the row, and the secret that is shown this once."""

    row: Token
    secret: str


def mint_token(
    work: Work,
    user_id: int,
    client: str,
    kind: TokenKind,
    lifetime: timedelta | None = None,
    scope: TokenScope | None = None,
) -> MintedToken:
    """Make a token for a client of a user, limited to `scope`; it ends after `lifetime`, or when it is revoked.

    Raises:
        BigMindError: `forbidden` for a user who is disabled.
    """
    refuse_disabled(work.session.get_one(User, user_id))
    secret = new_secret()
    row = Token(
        uid=new_id(),
        user_id=user_id,
        client=client,
        kind=kind,
        digest=digest(secret),
        created_at=work.now,
        expires_at=work.now + lifetime if lifetime else None,
        scope=as_json(scope),
    )
    work.session.add(row)
    work.changed(Kind.TOKEN, row.uid, Action.CREATED)
    return MintedToken(row, secret)


def active_tokens(work: Work, user_id: int | None = None) -> list[Token]:
    """Tokens that are valid now, of one user or of all, the oldest first."""
    query = select(Token).where(col(Token.revoked_at).is_(None)).order_by(col(Token.id))
    if user_id is not None:
        query = query.where(Token.user_id == user_id)
    return [token for token in work.session.exec(query) if not is_over(token.expires_at, work.now)]


def is_over(end: datetime | None, now: datetime) -> bool:
    """Whether an expiry has passed."""
    return end is not None and end <= now


def revoke_token(work: Work, reference: str) -> Token:
    """End a token of one of the caller's clients, or of a browser.

    Raises:
        BigMindError: `not_found`, `ambiguous`; `conflict` for the tokens of BigMind's own command line and bridge.
    """
    prefix = as_prefix(reference)
    if prefix is None:
        raise invalid("token_id", reference, "the id of a token, or at least its first 8 characters (0-9, a-f)")
    mine = select(Token).where(Token.user_id == work.caller.user_id, col(Token.revoked_at).is_(None))
    found = work.session.exec(mine.where(*of_prefix(Token.uid, prefix))).all()
    if not found:
        raise not_found("token", reference, "`bigmind token list` shows their ids.")
    if len(found) > 1:
        raise BigMindError(Code.AMBIGUOUS, f"More than one token begins with {prefix!r}.", "Give more of the id.")
    token = found[0]
    if token.kind in OWN_KINDS and token.client == token.kind:
        raise BigMindError(
            Code.CONFLICT,
            f"The token of {token.client} is BigMind's own.",
            "The command line and the bridge could not reach BigMind without it. To replace it, stop BigMind, delete "
            "its file in the data folder's tokens, and start again.",
        )
    end_token(work, token)
    return token


def end_token(work: Work, token: Token) -> None:
    """Make a token invalid, at once."""
    token.revoked_at = work.now
    work.session.add(token)
    work.changed(Kind.TOKEN, token.uid, Action.REVOKED)


def end_access(work: Work, username: str) -> int:
    """Make every token of another user invalid, at once; how many there were.

    Raises:
        BigMindError: as `other_user`: the caller's own command would be signed out with them.
    """
    refuse_former_admin(work)
    user = other_user(work, username, "token_revoke ends single tokens of yours.")
    tokens = active_tokens(work, user.id)
    for token in tokens:
        end_token(work, token)
    work.changed(Kind.USER, user.uid, Action.REVOKED)
    return len(tokens)


def known_user(work: Work, username: str) -> User:
    """A user, by the name as it is written; raises BigMindError `not_found`."""
    user = work.session.exec(select(User).where(User.username == username)).first()
    if user is None:
        raise not_found("user", username, "user_list shows their names.")
    return user


def other_user(work: Work, username: str, for_oneself: str) -> User:
    """Another user, by the name.

    Raises:
        BigMindError: `not_found`; `conflict` for the caller, who is told what to take for oneself.
    """
    user = known_user(work, username)
    if user.id == work.caller.user_id:
        raise BigMindError(Code.CONFLICT, "That is you.", for_oneself)
    return user


NOBODY = Caller(user_id=0, username="", role=Role.ADMIN, client="bigmind", token_id=0)
"""The caller of the program itself, before anybody is known."""


def person(store: Store, username: str) -> Caller:
    """The person of that name, at the terminal of the machine that holds the store."""
    with store.read(NOBODY, "person") as work:
        user = work.session.exec(select(User).where(User.username == username)).one()
        return Caller(
            user_id=user.id or 0,
            username=user.username,
            role=Role(user.role),
            client="terminal",
            token_id=0,
            is_person=True,
            presence=Presence.COMMAND_LINE,
        )
