"""Terms and clocks of a table; seats that wait for somebody, and what they answer by themselves."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0005"
down_revision = "0004"
branch_labels = None
depends_on = None

Big = sa.BigInteger().with_variant(sa.Integer(), "sqlite")
UNTIL_IDLE = 21 * 24 * 3600 * 1_000_000
"""Microseconds after which somebody looks whether a game still goes on."""


def upgrade() -> None:
    """Creates them. Tables there already have no clock; each is looked after one day."""
    op.add_column("tables", sa.Column("terms", sa.JSON, nullable=False, server_default="{}"))
    op.add_column(
        "players", sa.Column("vacant", sa.Boolean, nullable=False, server_default=sa.false())
    )
    op.add_column("players", sa.Column("orders", sa.JSON, nullable=False, server_default="{}"))
    op.create_table(
        "clocks",
        sa.Column("table", Big, autoincrement=False, nullable=False),
        sa.Column("seat", sa.Integer, autoincrement=False, nullable=False),
        sa.Column("budget", sa.Integer, nullable=False),
        sa.Column("left", sa.Integer, nullable=False),
        sa.Column("since", Big),
        sa.PrimaryKeyConstraint("table", "seat", name="pk_clocks"),
        sa.ForeignKeyConstraint(["table"], ["tables.id"], name="fk_clocks_table"),
    )
    op.execute(
        'INSERT INTO due ("table", seat, kind, at) '
        f"SELECT id, -1, 'idle', created + {UNTIL_IDLE} FROM tables WHERE status = 'playing'"
    )


def downgrade() -> None:
    """Drops them with all they hold."""
    op.drop_table("clocks")
    op.drop_column("players", "orders")
    op.drop_column("players", "vacant")
    op.drop_column("tables", "terms")
