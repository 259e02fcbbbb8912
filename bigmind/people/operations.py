"""What people may do with the tokens of their clients. Not offered to models: an agent must not make itself a key."""

import operator
from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Annotated

from pydantic import Field

from bigmind.core.client_names import is_of_token
from bigmind.core.clock import local
from bigmind.core.errors import invalid
from bigmind.core.ids import short
from bigmind.core.operation import Effect, Offer
from bigmind.operations.catalogue import Answer, for_people
from bigmind.operations.inputs import ClientName, Line, Reference
from bigmind.people.service import active_tokens, mint_token, rename, revoke_token
from bigmind.people.token_format import TokenKind
from bigmind.store.work import Work
from bigmind.text.phrasing import plain


class NewToken(Answer):
    """A token, shown this once."""

    shown_once = True

    token_id: str
    client: str
    token: str
    expires_at: datetime | None
    others: int = Field(default=0, exclude_if=operator.not_, description="Other tokens of that name, valid as before.")

    def as_text(self) -> str:
        ending = f" It ends on {local(self.expires_at)}." if self.expires_at else ""
        return f"Token for {self.client} (shown only now):\n\n    {self.token}\n\nId {short(self.token_id)}.{ending}"

    def hints(self, offer: Offer) -> Sequence[str]:
        del offer
        if not self.others:
            return ()
        there = "There is another token of that name, and it stays"
        if self.others > 1:
            there = f"There are {self.others} other tokens of that name, and they stay"
        return (f"{there} valid: token_list shows the ids, and token_revoke ends one.",)


class TokenRow(Answer):
    """A token, without its secret."""

    token_id: str
    client: str
    kind: TokenKind
    created_at: datetime
    expires_at: datetime | None

    def as_text(self) -> str:
        ending = f", ends {local(self.expires_at)}" if self.expires_at else ""
        return f"- {short(self.token_id)} **{self.client}** ({self.kind}) since {local(self.created_at)}{ending}"


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
) -> NewToken:
    """Make a token for a client that connects over HTTP. It is shown once."""
    if not is_of_token(client):
        raise invalid("client", client, "a name without a slash, for what a client claims stands behind one")
    others = sum(each.client == client for each in active_tokens(work, work.caller.user_id))
    minted = mint_token(work, work.caller.user_id, client, TokenKind.CLIENT, timedelta(days=days) if days else None)
    return NewToken(
        token_id=minted.row.uid,
        client=client,
        token=minted.secret,
        expires_at=minted.row.expires_at,
        others=others,
    )


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


OPERATIONS = (token_create, token_list, token_revoke, user_rename)
