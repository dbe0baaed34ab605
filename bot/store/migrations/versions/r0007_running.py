"""Rematches, what people note for themselves, and what owners set for their servers."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0007"
down_revision = "0006"
branch_labels = None
depends_on = None

Big = sa.BigInteger().with_variant(sa.Integer(), "sqlite")


def upgrade() -> None:
    """Creates them."""
    op.add_column("tables", sa.Column("rematch_of", Big))
    op.create_index("ix_tables_rematch_of", "tables", ["rematch_of"], unique=True)
    op.create_index("ix_tables_guild", "tables", ["guild"])
    op.create_table(
        "notes",
        sa.Column("table", Big, autoincrement=False, nullable=False),
        sa.Column("user", Big, autoincrement=False, nullable=False),
        sa.Column("text", sa.Text, nullable=False),
        sa.PrimaryKeyConstraint("table", "user", name="pk_notes"),
        sa.ForeignKeyConstraint(["table"], ["tables.id"], name="fk_notes_table"),
    )
    op.create_table(
        "servers",
        sa.Column("guild", Big, autoincrement=False, nullable=False),
        sa.Column("settings", sa.JSON, nullable=False),
        sa.PrimaryKeyConstraint("guild", name="pk_servers"),
    )


def downgrade() -> None:
    """Drops them with all they hold."""
    op.drop_table("servers")
    op.drop_table("notes")
    op.drop_index("ix_tables_guild", "tables")
    op.drop_index("ix_tables_rematch_of", "tables")
    op.drop_column("tables", "rematch_of")
