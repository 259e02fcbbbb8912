"""The default embedding model is another one: what has vectors of the former is searched by them until it has new ones.

Nobody chose the former where the store names no model. It is named now, and marked, so that BigMind changes to its
default behind the writes (`bigmind/search/model_state.py`); whoever chooses a model takes the mark away.
"""

import sqlalchemy as sa
from alembic import op

revision = "0016"
down_revision = "0015"
branch_labels = None
depends_on = None

FORMER = "all-MiniLM-L6-v2-int8"
NAMED = """
INSERT INTO store_property (name, value) SELECT 'embedding_model', :former
WHERE EXISTS (SELECT 1 FROM embedding WHERE model = :former)
AND NOT EXISTS (SELECT 1 FROM store_property WHERE name = 'embedding_model')
"""
MARKED = """
INSERT INTO store_property (name, value) SELECT 'embedding_outdated', 'yes'
WHERE NOT EXISTS (SELECT 1 FROM store_property WHERE name = 'embedding_next')
"""
UNNAMED = """
DELETE FROM store_property WHERE name = 'embedding_outdated'
OR name = 'embedding_model' AND EXISTS (SELECT 1 FROM store_property WHERE name = 'embedding_outdated')
"""


def upgrade() -> None:
    if op.get_bind().execute(sa.text(NAMED), {"former": FORMER}).rowcount:
        op.get_bind().execute(sa.text(MARKED))


def downgrade() -> None:
    op.get_bind().execute(sa.text(UNNAMED))
