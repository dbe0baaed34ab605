"""Whom a table awaits since when, and how they have been told."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0004"
down_revision = "0003"
branch_labels = None
depends_on = None

Big = sa.BigInteger().with_variant(sa.Integer(), "sqlite")


def upgrade() -> None:
    """Creates the table. Who is awaited already is called the next time."""
    op.create_table(
        "calls",
        sa.Column("table", Big, autoincrement=False, nullable=False),
        sa.Column("seat", sa.Integer, autoincrement=False, nullable=False),
        sa.Column("seq", sa.Integer, autoincrement=False, nullable=False),
        sa.Column("user", Big, nullable=False),
        sa.Column("since", Big, nullable=False),
        sa.Column("rung", sa.Boolean, nullable=False),
        sa.Column("told", sa.Boolean, nullable=False),
        sa.Column("over", sa.Boolean, nullable=False),
        sa.Column("reminders", sa.Integer, nullable=False),
        sa.Column("dm", Big),
        sa.Column("post", Big),
        sa.PrimaryKeyConstraint("table", "seat", "seq", name="pk_calls"),
        sa.ForeignKeyConstraint(["table"], ["tables.id"], name="fk_calls_table"),
    )


def downgrade() -> None:
    """Drops it with all it holds."""
    op.drop_table("calls")
