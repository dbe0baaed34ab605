"""Messages about a seat's time have become rings, which tell all that stands for the seat."""

from __future__ import annotations

from alembic import op

revision = "0014"
down_revision = "0013"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Rename what is still to be sent."""
    op.execute("UPDATE outbox SET kind = 'ring' WHERE kind = 'clock'")


def downgrade() -> None:
    """Name it as before."""
    op.execute("UPDATE outbox SET kind = 'clock' WHERE kind = 'ring'")
