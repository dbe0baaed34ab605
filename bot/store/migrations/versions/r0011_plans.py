"""What people plan for their seats, each for themselves."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0011"
down_revision = "0010"
branch_labels = None
depends_on = None

Big = sa.BigInteger().with_variant(sa.Integer(), "sqlite")


def upgrade() -> None:
    """Creates the table; nobody has planned anything so far."""
    op.create_table(
        "plans",
        sa.Column("table", Big, autoincrement=False, nullable=False),
        sa.Column("seat", sa.Integer, autoincrement=False, nullable=False),
        sa.Column("number", sa.Integer, autoincrement=False, nullable=False),
        sa.Column("user", Big, nullable=False),
        sa.Column("name", sa.Text, nullable=False),
        sa.Column("asked", sa.Text, nullable=False),
        sa.Column("actions", sa.JSON, nullable=False),
        sa.Column("marks", sa.JSON, nullable=False),
        sa.Column("armed", sa.Boolean, nullable=False),
        sa.PrimaryKeyConstraint("table", "seat", "number", name="pk_plans"),
        sa.ForeignKeyConstraint(["table"], ["tables.id"], name="fk_plans_table"),
    )
    op.create_index("ix_plans_user", "plans", ["user"])


def downgrade() -> None:
    """Drops it, plans and all."""
    op.drop_index("ix_plans_user", "plans")
    op.drop_table("plans")
