"""Promises in words that go with offers."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"
branch_labels = None
depends_on = None

Big = sa.BigInteger().with_variant(sa.Integer(), "sqlite")


def upgrade() -> None:
    """Creates the table; no game so far has any."""
    op.create_table(
        "promises",
        sa.Column("table", Big, autoincrement=False, nullable=False),
        sa.Column("offer", sa.Text, nullable=False),
        sa.Column("giver", sa.Integer, autoincrement=False, nullable=False),
        sa.Column("receiver", sa.Integer, nullable=False),
        sa.Column("words", sa.Text, nullable=False),
        sa.Column("secret", sa.Boolean, nullable=False),
        sa.Column("status", sa.Text, nullable=False),
        sa.Column("made", sa.Integer, nullable=False),
        sa.Column("closed", sa.Integer),
        sa.PrimaryKeyConstraint("table", "offer", "giver", name="pk_promises"),
        sa.ForeignKeyConstraint(["table"], ["tables.id"], name="fk_promises_table"),
    )


def downgrade() -> None:
    """Drops it, promises and all."""
    op.drop_table("promises")
