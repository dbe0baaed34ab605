"""When the bot was away, or could not post at a table."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0015"
down_revision = "0014"
branch_labels = None
depends_on = None

Big = sa.BigInteger().with_variant(sa.Integer(), "sqlite")


def upgrade() -> None:
    """Creates the table; it is not known when the bot was away so far."""
    op.create_table(
        "outages",
        sa.Column("table", Big, autoincrement=False, nullable=False),
        sa.Column("since", Big, nullable=False),
        sa.Column("until", Big, nullable=True),
        sa.PrimaryKeyConstraint("table", "since", name="pk_outages"),
    )


def downgrade() -> None:
    """Drops it."""
    op.drop_table("outages")
