"""Tables, players, log, snapshots, outbox, handled deliveries and votes."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None
branch_labels = None
depends_on = None

Big = sa.BigInteger().with_variant(sa.Integer(), "sqlite")


def upgrade() -> None:
    """Creates everything."""
    op.create_table(
        "tables",
        sa.Column("id", Big, autoincrement=False, nullable=False),
        sa.Column("game", sa.Text, nullable=False),
        sa.Column("version", sa.Integer, nullable=False),
        sa.Column("status", sa.Text, nullable=False),
        sa.Column("options", sa.JSON, nullable=False),
        sa.Column("host", Big, nullable=False),
        sa.Column("guild", Big),
        sa.Column("channel", Big, nullable=False),
        sa.Column("thread", Big),
        sa.Column("lobby_message", Big),
        sa.Column("panel_message", Big),
        sa.Column("posted_seq", sa.Integer, nullable=False),
        sa.Column("key", sa.LargeBinary, nullable=False),
        sa.Column("created", Big, nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_tables"),
    )
    op.create_index("ix_tables_status", "tables", ["status"])
    op.create_index("ix_tables_channel", "tables", ["channel"])
    op.create_index("ix_tables_thread", "tables", ["thread"])
    op.create_table(
        "players",
        sa.Column("table", Big, autoincrement=False, nullable=False),
        sa.Column("seat", sa.Integer, autoincrement=False, nullable=False),
        sa.Column("name", sa.Text, nullable=False),
        sa.Column("user", Big),
        sa.Column("policy", sa.Text),
        sa.Column("reachable", sa.Boolean, nullable=False),
        sa.PrimaryKeyConstraint("table", "seat", name="pk_players"),
        sa.ForeignKeyConstraint(["table"], ["tables.id"], name="fk_players_table"),
        sa.UniqueConstraint("table", "user", name="uq_players_table_user"),
    )
    op.create_index("ix_players_user", "players", ["user"])
    op.create_table(
        "log",
        sa.Column("table", Big, autoincrement=False, nullable=False),
        sa.Column("seq", sa.Integer, autoincrement=False, nullable=False),
        sa.Column("seat", sa.Integer, nullable=False),
        sa.Column("user", Big),
        sa.Column("action", sa.Text, nullable=False),
        sa.Column("drawn", sa.JSON, nullable=False),
        sa.Column("at", Big, nullable=False),
        sa.PrimaryKeyConstraint("table", "seq", name="pk_log"),
        sa.ForeignKeyConstraint(["table"], ["tables.id"], name="fk_log_table"),
    )
    op.create_table(
        "snapshots",
        sa.Column("table", Big, autoincrement=False, nullable=False),
        sa.Column("seq", sa.Integer, nullable=False),
        sa.Column("version", sa.Integer, nullable=False),
        sa.Column("draws", sa.Integer, nullable=False),
        sa.Column("due", sa.Boolean, nullable=False),
        sa.Column("hash", sa.LargeBinary, nullable=False),
        sa.Column("blob", sa.LargeBinary, nullable=False),
        sa.PrimaryKeyConstraint("table", name="pk_snapshots"),
        sa.ForeignKeyConstraint(["table"], ["tables.id"], name="fk_snapshots_table"),
    )
    op.create_index("ix_snapshots_due", "snapshots", ["due"])
    op.create_table(
        "outbox",
        sa.Column("id", Big, autoincrement=False, nullable=False),
        sa.Column("table", Big, nullable=False),
        sa.Column("kind", sa.Text, nullable=False),
        sa.Column("seat", sa.Integer),
        sa.Column("seq", sa.Integer, nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_outbox"),
        sa.ForeignKeyConstraint(["table"], ["tables.id"], name="fk_outbox_table"),
    )
    op.create_index("ix_outbox_table", "outbox", ["table"])
    op.create_table(
        "handled",
        sa.Column("delivery", sa.Text, nullable=False),
        sa.Column("table", Big, nullable=False),
        sa.Column("seq", sa.Integer, nullable=False),
        sa.Column("at", Big, nullable=False),
        sa.PrimaryKeyConstraint("delivery", name="pk_handled"),
        sa.ForeignKeyConstraint(["table"], ["tables.id"], name="fk_handled_table"),
    )
    op.create_index("ix_handled_at", "handled", ["at"])
    op.create_table(
        "votes",
        sa.Column("table", Big, autoincrement=False, nullable=False),
        sa.Column("kind", sa.Text, nullable=False),
        sa.Column("user", Big, autoincrement=False, nullable=False),
        sa.Column("at", Big, nullable=False),
        sa.PrimaryKeyConstraint("table", "kind", "user", name="pk_votes"),
        sa.ForeignKeyConstraint(["table"], ["tables.id"], name="fk_votes_table"),
    )


def downgrade() -> None:
    """Drops everything."""
    for name in ("votes", "handled", "outbox", "snapshots", "log", "players", "tables"):
        op.drop_table(name)
