"""What nobody ended within a day weighs little, and its headline tells what was kept in it last."""

import sqlalchemy as sa
from alembic import op

revision = "0007"
down_revision = "0006"
branch_labels = None
depends_on = None

MARK = "[auto-closed — session exceeded 24h]"
IMPORTANCE = 2
LONGEST = 120
MOST_READ = 1_000

AUTO_CLOSED = sa.text(
    # The mark alone: whoever corrected such a session has told it in their own words.
    "SELECT id, (SELECT substr(content, 1, :most) FROM chunk WHERE chunk.session_id = session.id AND caution = ''"
    " ORDER BY seq DESC LIMIT 1) FROM session WHERE one_liner = :mark"
)
WEIGH = sa.text("UPDATE session SET importance = :importance, one_liner = :headline WHERE id = :id")
# The words that a session is found by are derived of its headline: the next start derives them anew.
DERIVE = sa.text("DELETE FROM store_property WHERE name = 'derived'")


def upgrade() -> None:
    connection = op.get_bind()
    rows = connection.execute(AUTO_CLOSED, {"mark": MARK, "most": MOST_READ}).all()
    for key, moment in rows:
        told = {"id": key, "importance": IMPORTANCE, "headline": _headline(moment or "")}
        connection.execute(WEIGH, told)
    if rows:
        connection.execute(DERIVE)


def _headline(moment: str) -> str:
    whole = " ".join((MARK, *moment.split()))
    return whole if len(whole) <= LONGEST else f"{whole[: LONGEST - 1].rpartition(' ')[0]}…"


def downgrade() -> None:
    pass
