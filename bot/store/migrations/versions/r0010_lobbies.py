"""Lobbies that are there already are looked after as new ones are."""

from __future__ import annotations

from alembic import op

revision = "0010"
down_revision = "0009"
branch_labels = None
depends_on = None

UNTIL_WARNED = 14 * 24 * 3600 * 1_000_000
"""Microseconds after which somebody looks whether anything is still done in a lobby."""


def upgrade() -> None:
    """Has each of them looked after one day."""
    op.execute(
        'INSERT INTO due ("table", seat, kind, at) '
        f"SELECT id, -1, 'lobby.idle', created + {UNTIL_WARNED} FROM tables "
        "WHERE status = 'lobby'"
    )


def downgrade() -> None:
    """Nobody looks after them any more."""
    op.execute("DELETE FROM due WHERE kind IN ('lobby.idle', 'lobby.close')")
