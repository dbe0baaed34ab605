"""Messages with buttons to answer an offer, which go when it can no longer be answered."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0009"
down_revision = "0008"
branch_labels = None
depends_on = None

Big = sa.BigInteger().with_variant(sa.Integer(), "sqlite")


def upgrade() -> None:
    """Creates it."""
    op.create_table(
        "asking",
        sa.Column("table", Big, autoincrement=False, nullable=False),
        sa.Column("message", Big, autoincrement=False, nullable=False),
        sa.Column("place", Big, nullable=False),
        sa.Column("seat", sa.Integer, nullable=False),
        sa.Column("offer", sa.Text, nullable=False),
        sa.PrimaryKeyConstraint("table", "message", name="pk_asking"),
        sa.ForeignKeyConstraint(["table"], ["tables.id"], name="fk_asking_table"),
    )


def downgrade() -> None:
    """Drops it with all it holds."""
    op.drop_table("asking")
