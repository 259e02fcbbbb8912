"""What people may do with the tokens of their clients, and admins with users.

Not offered to models: an agent must not make itself a key.
"""

import operator
from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Annotated, Any

from pydantic import Field

from bigmind.core.client_names import is_of_token
from bigmind.core.clock import local
from bigmind.core.errors import invalid
from bigmind.core.ids import short
from bigmind.core.operation import Effect, Mode, Offer, Role, TokenScope
from bigmind.core.plain_text import LONGEST_USER_NAME
from bigmind.operations.catalogue import Answer, for_people
from bigmind.operations.inputs import ClientName, Line, Reference
from bigmind.operations.token_scope import scope_in
from bigmind.people.scope_inputs import ReadOnly, ScopeRoles, ScopeToolsets, ShownScope, chosen_scope
from bigmind.people.service import (
    active_tokens,
    add_user,
    end_access,
    everybody,
    mint_token,
    other_user,
    rename,
    revoke_token,
)
from bigmind.people.token_format import TokenKind
from bigmind.people.user_rules import refuse_former_admin
from bigmind.store.work import Work
from bigmind.text.phrasing import counted, plain


class NewToken(Answer):
    """A token, shown this once."""

    shown_once = True

    token_id: str
    client: str
    token: str
    expires_at: datetime | None
    scope: ShownScope | None = Field(default=None, description="What it is limited to; null: to nothing.")
    others: int = Field(default=0, exclude_if=operator.not_, description="Other tokens of that name, valid as before.")

    def as_text(self) -> str:
        ending = f" It ends on {local(self.expires_at)}." if self.expires_at else ""
        limit = f" Its scope: {self.scope.in_words}." if self.scope else ""
        told = f"Id {short(self.token_id)}.{ending}{limit}"
        return f"Token for {self.client} (shown only now):\n\n    {self.token}\n\n{told}"

    def hints(self, offer: Offer) -> Sequence[str]:
        del offer
        if not self.others:
            return ()
        there = "There is another token of that name, and it stays"
        if self.others > 1:
            there = f"There are {self.others} other tokens of that name, and they stay"
        return (f"{there} valid: token_list shows the ids, and token_revoke ends one.",)


class NewUser(NewToken):
    """A new user, with the token for their first client, shown this once."""

    username: str
    role: Role
    mode: Mode

    def as_text(self) -> str:
        article = "an" if self.role is Role.ADMIN else "a"
        return (
            f"{plain(self.username)} is {article} {self.role} now, with a memory of their own.\n\n{super().as_text()}"
        )

    def hints(self, offer: Offer) -> Sequence[str]:
        del offer
        own = "Whoever holds the token reads what this user keeps private: hand it to nobody else, and keep no copy."
        if self.mode is Mode.TEAM:
            return (own,)
        return (
            own,
            "In `personal` mode, what anybody promotes counts at once: settings_change(mode=team) before they do.",
        )


class UserToken(NewToken):
    """A further token for a client of another user, shown this once."""

    username: str

    def as_text(self) -> str:
        return f"For {plain(self.username)}. {super().as_text()}"

    def hints(self, offer: Offer) -> Sequence[str]:
        del offer
        others = ()
        if self.others:
            there = "Another token of theirs is" if self.others == 1 else f"{self.others} other tokens of theirs are"
            others = (f"{there} valid as before: user_sign_out ends all, this one too.",)
        return ("Whoever holds the token reads what this user keeps private: hand it to nobody else.", *others)


class UserRow(Answer):
    """A user of this store."""

    user_id: str
    username: str
    display_name: str
    role: Role
    created_at: datetime
    last_seen_at: datetime | None = Field(description="When they last kept something or began a conversation.")
    disabled_at: datetime | None = Field(default=None, description="Since when nobody gets in as them.")
    tokens: int = Field(description="Valid tokens of clients that connect over HTTP.")
    is_you: bool

    def as_text(self) -> str:
        called = f" ({plain(self.display_name)})" if self.display_name != self.username else ""
        you = ", you" if self.is_you else ""
        end = f", disabled since {local(self.disabled_at)}" if self.disabled_at else ""
        seen = f"last seen {local(self.last_seen_at)}" if self.last_seen_at else "not seen yet"
        return (
            f"- **{plain(self.username)}**{called}, {self.role}{you}, since {local(self.created_at)}, {seen}, "
            f"{counted(self.tokens, 'token')}{end}"
        )


class UserList(Answer):
    """Whose memories this store holds."""

    users: list[UserRow]

    def as_text(self) -> str:
        return "\n".join(user.as_text() for user in self.users)


class SignedOutUser(Answer):
    """Whose tokens are no longer valid."""

    username: str
    tokens: int = Field(description="How many were valid.")

    def as_text(self) -> str:
        if not self.tokens:
            return f"{plain(self.username)} had no valid token."
        return f"{plain(self.username)} is signed out: {counted(self.tokens, 'token')} revoked. What they kept stays."


class TokenRow(Answer):
    """A token, without its secret."""

    token_id: str
    client: str
    kind: TokenKind
    created_at: datetime
    expires_at: datetime | None
    scope: ShownScope | None = Field(default=None, description="What it is limited to; null: to nothing.")

    def as_text(self) -> str:
        ending = f", ends {local(self.expires_at)}" if self.expires_at else ""
        limit = f", allows {self.scope.in_words}" if self.scope else ""
        return f"- {short(self.token_id)} **{self.client}** ({self.kind}) since {local(self.created_at)}{ending}{limit}"


class TokenList(Answer):
    """The tokens that are valid now."""

    tokens: list[TokenRow]

    def as_text(self) -> str:
        return "\n".join(token.as_text() for token in self.tokens) or "No tokens."


class RenamedUser(Answer):
    """How the user is called now."""

    username: str
    display_name: str

    def as_text(self) -> str:
        return f"{self.username} is called {plain(self.display_name)} now."


class RevokedToken(Answer):
    """A token that is no longer valid."""

    token_id: str
    client: str

    def as_text(self) -> str:
        return f"The token of {self.client} is revoked; that client is signed out now."


@for_people("Create a token", Effect.WRITE, toolset="people", while_paused=True)
def token_create(
    work: Work,
    client: ClientName,
    days: Annotated[int, Field(ge=1, le=3_650, description="Valid for so many days.")] | None = None,
    toolsets: ScopeToolsets | None = None,
    read_only: ReadOnly = False,
    work_roles: ScopeRoles | None = None,
) -> NewToken:
    """Make a token for a client that connects over HTTP. It is shown once."""
    _permit_client(client)
    scope = chosen_scope(work, toolsets, work_roles, read_only=read_only)
    others = sum(each.client == client for each in active_tokens(work, work.caller.user_id))
    return NewToken(**_minted(work, work.caller.user_id, client, days, scope), others=others)


@for_people("List tokens", Effect.READ, toolset="people")
def token_list(work: Work) -> TokenList:
    """Show which clients may use this memory."""
    rows = [
        TokenRow(
            token_id=token.uid,
            client=token.client,
            kind=TokenKind(token.kind),
            created_at=token.created_at,
            expires_at=token.expires_at,
            scope=ShownScope.of(scope_in(token.scope)),
        )
        for token in active_tokens(work, work.caller.user_id)
    ]
    return TokenList(tokens=rows)


@for_people("Revoke a token", Effect.DESTRUCTIVE, toolset="people", while_paused=True)
def token_revoke(work: Work, token_id: Reference) -> RevokedToken:
    """Sign a client out, at once."""
    token = revoke_token(work, token_id)
    return RevokedToken(token_id=token.uid, client=token.client)


@for_people("Change your name", Effect.WRITE, toolset="people", idempotent=True, while_paused=True)
def user_rename(
    work: Work,
    display_name: Annotated[Line, Field(min_length=1, max_length=60, description="As the pages show it.")],
) -> RenamedUser:
    """Change the name that the pages show; whose memory it is stays as it was."""
    user = rename(work, display_name)
    return RenamedUser(username=user.username, display_name=user.display_name)


@for_people("Add a user", Effect.WRITE, toolset="people", while_paused=True, permission=Role.ADMIN, masks=False)
def user_add(
    work: Work,
    username: Annotated[
        Line, Field(min_length=1, max_length=80, description="Whose memory it is; cannot be changed later.")
    ],
    client: Annotated[ClientName, Field(description="Whom the token is for; else the user's name.")] | None = None,
    days: Annotated[int, Field(ge=1, le=3_650, description="The token is valid for so many days.")] | None = None,
    role: Annotated[Role, Field(description="What they may do; user_role changes it.")] = Role.MEMBER,
    toolsets: ScopeToolsets | None = None,
    read_only: ReadOnly = False,
    work_roles: ScopeRoles | None = None,
) -> NewUser:
    """Add a user, with a token for their first client. It is shown once."""
    client = client or username
    _permit_client(client)
    scope = chosen_scope(work, toolsets, work_roles, read_only=read_only)
    user = add_user(work, username, client, role)
    minted = _minted(work, user.id or 0, client, days, scope)
    return NewUser(**minted, username=user.username, role=Role(user.role), mode=work.mode)


@for_people("Create a token for a user", Effect.WRITE, toolset="people", while_paused=True, permission=Role.ADMIN)
def user_token(
    work: Work,
    username: Annotated[Line, Field(min_length=1, max_length=LONGEST_USER_NAME, description="As user_list shows it.")],
    client: Annotated[ClientName, Field(description="Whom the token is for; else the user's name.")] | None = None,
    days: Annotated[int, Field(ge=1, le=3_650, description="The token is valid for so many days.")] | None = None,
    toolsets: ScopeToolsets | None = None,
    read_only: ReadOnly = False,
    work_roles: ScopeRoles | None = None,
) -> UserToken:
    """Make a token for a client of another user, who has a new one or lost the token. It is shown once."""
    client = client or username
    _permit_client(client)
    refuse_former_admin(work)
    scope = chosen_scope(work, toolsets, work_roles, read_only=read_only)
    user = other_user(work, username, "token_create makes tokens of yours.")
    others = sum(each.kind == TokenKind.CLIENT for each in active_tokens(work, user.id))
    return UserToken(**_minted(work, user.id or 0, client, days, scope), username=user.username, others=others)


@for_people("List users", Effect.READ, toolset="people", permission=Role.ADMIN)
def user_list(work: Work) -> UserList:
    """Show whose memories this store holds, and nothing of what is in them."""
    return UserList(
        users=[
            UserRow(
                user_id=listed.user.uid,
                username=listed.user.username,
                display_name=listed.user.display_name,
                role=Role(listed.user.role),
                created_at=listed.user.created_at,
                last_seen_at=listed.last_seen_at,
                disabled_at=listed.user.disabled_at,
                tokens=listed.tokens,
                is_you=listed.user.id == work.caller.user_id,
            )
            for listed in everybody(work)
        ]
    )


@for_people(
    "Sign a user out", Effect.DESTRUCTIVE, toolset="people", while_paused=True, permission=Role.ADMIN, idempotent=True
)
def user_sign_out(
    work: Work,
    username: Annotated[Line, Field(min_length=1, max_length=LONGEST_USER_NAME, description="As user_list shows it.")],
) -> SignedOutUser:
    """End another user's access, at once: every token of their clients and browsers. What they kept stays."""
    return SignedOutUser(username=username, tokens=end_access(work, username))


def _minted(work: Work, user_id: int, client: str, days: int | None, scope: TokenScope | None) -> dict[str, Any]:
    """A new token for a client of a user, as the fields of `NewToken`."""
    minted = mint_token(work, user_id, client, TokenKind.CLIENT, timedelta(days=days) if days else None, scope)
    told = minted.row
    fields = {"token_id": told.uid, "client": client, "token": minted.secret, "expires_at": told.expires_at}
    return {**fields, "scope": ShownScope.of(scope)}


def _permit_client(client: str) -> None:
    if not is_of_token(client):
        raise invalid("client", client, "a name without a slash, for what a client claims stands behind one")


OPERATIONS = (
    token_create,
    token_list,
    token_revoke,
    user_add,
    user_token,
    user_list,
    user_sign_out,
    user_rename,
)
