"""The messages of a table by kind: the newest of each, noted before it is sent and after."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0008"
down_revision = "0007"
branch_labels = None
depends_on = None

Big = sa.BigInteger().with_variant(sa.Integer(), "sqlite")


def upgrade() -> None:
    """Creates it."""
    op.create_table(
        "sendings",
        sa.Column("table", Big, autoincrement=False, nullable=False),
        sa.Column("what", sa.Text, nullable=False),
        sa.Column("number", sa.Integer, nullable=False),
        sa.Column("seq", sa.Integer, nullable=False),
        sa.Column("message", Big),
        sa.Column("noted", sa.Boolean, nullable=False),
        sa.PrimaryKeyConstraint("table", "what", name="pk_sendings"),
        sa.ForeignKeyConstraint(["table"], ["tables.id"], name="fk_sendings_table"),
    )


def downgrade() -> None:
    """Drops it with all it holds."""
    op.drop_table("sendings")
