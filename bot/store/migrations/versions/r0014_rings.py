"""Messages about a seat's time have become rings, which tell all that stands for the seat; it is
noted when somebody who is awaited was last rung."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0014"
down_revision = "0013"
branch_labels = None
depends_on = None

Big = sa.BigInteger().with_variant(sa.Integer(), "sqlite")


def upgrade() -> None:
    """Rename what is still to be sent; when anybody was last rung is not known."""
    op.add_column("calls", sa.Column("told_at", Big))
    op.execute("UPDATE outbox SET kind = 'ring' WHERE kind = 'clock'")


def downgrade() -> None:
    """Name it as before, and drop the column, and messages of a kind that there was not."""
    op.drop_column("calls", "told_at")
    op.execute("DELETE FROM outbox WHERE kind = 'expired'")
    op.execute("UPDATE outbox SET kind = 'clock' WHERE kind = 'ring'")
