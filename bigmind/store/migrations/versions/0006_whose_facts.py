"""Facts of a person belong to no project, and a project has one name; what was stored otherwise is moved.

Identity and preference facts leave their projects. A short name that is the last part of exactly one full name among
its user's rows becomes an alias of that one, as if its owner had joined it: they can undo it. Others stay.
"""

from collections import defaultdict
from collections.abc import Mapping
from datetime import UTC, datetime

import sqlalchemy as sa
from alembic import op

revision = "0006"
down_revision = "0005"
branch_labels = None
depends_on = None

MOMENT = sa.DateTime(timezone=True)
KEY = sa.BigInteger().with_variant(sa.Integer(), "sqlite")

NAMED = ("session", "chunk", "fact", "hypothesis")
"""Tables of a user's rows that have a project and an id for the outside."""

MOVED = """
INSERT INTO fact_event (fact_id, at, client, action, other_uid, reason, confidence)
SELECT id, :at, 'bigmind', 'moved', NULL, 'project was: ' || project, confidence FROM fact WHERE {which}
"""
NOTED = """
INSERT INTO project_move (user_id, folded, kind, uid) SELECT user_id, :folded, '{table}', uid FROM {table} WHERE {which}
"""
OF_PERSON = "project IS NOT NULL AND lower(category) IN ('identity', 'preference')"
OF_USER = "user_id = :user AND project = :name"


def _user() -> sa.Column[int]:
    owner = sa.ForeignKey("user.id", ondelete="CASCADE")
    return sa.Column("user_id", KEY, owner, primary_key=True, autoincrement=False, nullable=False)


def upgrade() -> None:
    op.create_table(
        "project_alias",
        _user(),
        sa.Column("folded", sa.String(300), primary_key=True),
        sa.Column("name", sa.String(200), nullable=False),
        sa.Column("project", sa.String(200), nullable=False),
        sa.Column("at", MOMENT, nullable=False),
    )
    op.create_table(
        "project_move",
        _user(),
        sa.Column("folded", sa.String(300), primary_key=True),
        sa.Column("kind", sa.String(20), primary_key=True),
        sa.Column("uid", sa.String(36), primary_key=True),
    )
    at = {"at": datetime.now(UTC).replace(tzinfo=None).isoformat(" ", "microseconds")}
    _run(MOVED.format(which=OF_PERSON), at)
    _run(f"UPDATE fact SET project = NULL WHERE {OF_PERSON}", {})  # noqa: S608 - words of our own
    for user, names in _names().items():
        for name, project in _meant(names):
            _join({"user": user, "name": name, "folded": name.casefold(), "project": project, **at})


def _names() -> dict[int, set[str]]:
    found: dict[int, set[str]] = defaultdict(set)
    for table in (*NAMED, "conversation"):
        query = f"SELECT DISTINCT user_id, project FROM {table} WHERE project IS NOT NULL"  # noqa: S608
        for user, name in op.get_bind().execute(sa.text(query)):
            found[user].add(name)
    return found


def _meant(names: set[str]) -> list[tuple[str, str]]:
    """Each short name that is the last part of exactly one full name, with that one."""
    full: dict[str, set[str]] = defaultdict(set)
    for name in names:
        if "/" in name:
            full[name.rpartition("/")[2].casefold()].add(name)
    return [
        (name, next(iter(full[name.casefold()])))
        for name in sorted(names)
        if "/" not in name and len(full.get(name.casefold(), ())) == 1
    ]


def _join(values: dict[str, object]) -> None:
    columns = "user_id, folded, name, project, at"
    known = "SELECT 1 FROM project_alias WHERE user_id = :user AND folded = :folded"
    # Names that differ in case alone are one alias.
    _run(
        f"INSERT INTO project_alias ({columns}) SELECT :user, :folded, :name, :project, :at WHERE NOT EXISTS ({known})",
        values,
    )
    _run(MOVED.format(which=OF_USER), values)
    for table in NAMED:
        _run(NOTED.format(table=table, which=OF_USER), values)
    for table in (*NAMED, "conversation"):
        _run(f"UPDATE {table} SET project = :project WHERE {OF_USER}", values)  # noqa: S608
    _run(
        "UPDATE knowledge SET project = :project WHERE promoted_by_id = :user AND project = :name",
        values,
    )


def _run(statement: str, values: Mapping[str, object]) -> None:
    """Run a statement with those of the values that it names."""
    clause = sa.text(statement)
    named = {name: values[name] for name in clause.compile().params}
    op.get_bind().execute(clause, named)


def downgrade() -> None:
    op.drop_table("project_move")
    op.drop_table("project_alias")
