"""What people took away from the games they played, and their ratings."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0006"
down_revision = "0005"
branch_labels = None
depends_on = None

Big = sa.BigInteger().with_variant(sa.Integer(), "sqlite")


def upgrade() -> None:
    """Creates the table; games that ended before have no results."""
    op.create_table(
        "results",
        sa.Column("table", Big, autoincrement=False, nullable=False),
        sa.Column("user", Big, autoincrement=False, nullable=False),
        sa.Column("seat", sa.Integer, nullable=False),
        sa.Column("name", sa.Text, nullable=False),
        sa.Column("guild", Big, nullable=False),
        sa.Column("game", sa.Text, nullable=False),
        sa.Column("seats", sa.Integer, nullable=False),
        sa.Column("place", sa.Integer, nullable=False),
        sa.Column("score", sa.Integer),
        sa.Column("moves", sa.Integer, nullable=False),
        sa.Column("seconds", Big, nullable=False),
        sa.Column("finished", Big, nullable=False),
        sa.Column("mu", sa.Float),
        sa.Column("sigma", sa.Float),
        sa.PrimaryKeyConstraint("table", "user", name="pk_results"),
        sa.ForeignKeyConstraint(["table"], ["tables.id"], name="fk_results_table"),
    )
    op.create_index("ix_results_user", "results", ["user"])
    op.create_index("ix_results_guild_game", "results", ["guild", "game"])


def downgrade() -> None:
    """Drops it."""
    op.drop_table("results")
