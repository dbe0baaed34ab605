"""What a finished game's review says."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0013"
down_revision = "0012"
branch_labels = None
depends_on = None

Big = sa.BigInteger().with_variant(sa.Integer(), "sqlite")


def upgrade() -> None:
    """Creates the table; no game has been reviewed so far."""
    op.create_table(
        "reviews",
        sa.Column("table", Big, autoincrement=False, nullable=False),
        sa.Column("blob", sa.LargeBinary, nullable=False),
        sa.PrimaryKeyConstraint("table", name="pk_reviews"),
        sa.ForeignKeyConstraint(["table"], ["tables.id"], name="fk_reviews_table"),
    )


def downgrade() -> None:
    """Drops it, reviews and all: they can be worked out again."""
    op.drop_table("reviews")
