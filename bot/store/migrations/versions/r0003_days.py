"""What a table that lives for days needs: proposals, things due at a time, personal settings."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"
branch_labels = None
depends_on = None

Big = sa.BigInteger().with_variant(sa.Integer(), "sqlite")


def upgrade() -> None:
    """Creates the tables."""
    op.create_table(
        "proposals",
        sa.Column("table", Big, autoincrement=False, nullable=False),
        sa.Column("kind", sa.Text, nullable=False),
        sa.Column("word", sa.Text, nullable=False),
        sa.Column("by", Big, nullable=False),
        sa.Column("at", Big, nullable=False),
        sa.Column("until", Big, nullable=False),
        sa.PrimaryKeyConstraint("table", "kind", name="pk_proposals"),
        sa.ForeignKeyConstraint(["table"], ["tables.id"], name="fk_proposals_table"),
    )
    op.create_table(
        "due",
        sa.Column("table", Big, autoincrement=False, nullable=False),
        sa.Column("seat", Big, autoincrement=False, nullable=False),
        sa.Column("kind", sa.Text, nullable=False),
        sa.Column("at", Big, nullable=False),
        sa.PrimaryKeyConstraint("table", "seat", "kind", name="pk_due"),
    )
    op.create_index("ix_due_at", "due", ["at"])
    op.create_table(
        "people",
        sa.Column("user", Big, autoincrement=False, nullable=False),
        sa.Column("settings", sa.JSON, nullable=False),
        sa.PrimaryKeyConstraint("user", name="pk_people"),
    )


def downgrade() -> None:
    """Drops them with all they hold."""
    for name in ("people", "due", "proposals"):
        op.drop_table(name)
