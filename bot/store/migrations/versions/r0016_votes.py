"""Votes belong to what they are about, and proposals know the post that asks for them."""

from __future__ import annotations

import time
from typing import Any

import sqlalchemy as sa
from alembic import op

revision = "0016"
down_revision = "0015"
branch_labels = None
depends_on = None

Big = sa.BigInteger().with_variant(sa.Integer(), "sqlite")
LASTING = 5 * 24 * 3600 * 1_000_000
"""Microseconds that are left for the votes to end a game, which had no deadline."""


def upgrade() -> None:
    """Makes both tables anew, with all that is in them; the votes to end a game unfinished are
    about a proposal like all others now."""
    votes, proposals = _taken("votes"), _taken("proposals")
    until = time.time_ns() // 1000 + LASTING
    open_tables = set(
        op.get_bind().scalars(
            sa.text("SELECT id FROM tables WHERE status NOT IN ('finished', 'abandoned')")
        )
    )
    for vote in sorted(votes, key=lambda each: each["at"]):
        known = {(each["table"], each["kind"]) for each in proposals}
        key = vote["table"], vote["kind"]
        if vote["kind"] == "abandon" and vote["table"] in open_tables and key not in known:
            asked = {"by": vote["user"], "at": vote["at"], "until": until}
            proposals.append({"table": vote["table"], "kind": "abandon", "word": ""} | asked)
            op.bulk_insert(
                sa.table("due", *map(sa.column, ("table", "seat", "kind", "at"))),
                [{"table": vote["table"], "seat": -1, "kind": "proposal.abandon", "at": until}],
            )
    words = {(each["table"], each["kind"]): each["word"] for each in proposals}
    _made(
        "votes",
        [{**each, "word": words.get((each["table"], each["kind"]), "")} for each in votes],
        sa.Column("word", sa.Text, nullable=False),
        sa.Column("user", Big, autoincrement=False, nullable=False),
        sa.Column("at", Big, nullable=False),
        key=("table", "kind", "word", "user"),
    )
    _made(
        "proposals",
        [{**each, "verdict": "open"} for each in proposals],
        sa.Column("word", sa.Text, nullable=False),
        sa.Column("by", Big, nullable=False),
        sa.Column("at", Big, nullable=False),
        sa.Column("until", Big, nullable=False),
        sa.Column("verdict", sa.Text, nullable=False),
        sa.Column("refused_by", Big),
        sa.Column("place", Big),
        sa.Column("message", Big),
        key=("table", "kind", "word"),
    )


def downgrade() -> None:
    """Keeps one proposal of a kind at each table, and the votes on it."""
    proposals = {
        (each["table"], each["kind"]): each
        for each in _taken("proposals")
        if each["verdict"] == "open" and each["kind"] != "abandon"
    }
    votes = [
        each
        for each in _taken("votes")
        if each["word"] == proposals.get((each["table"], each["kind"]), {"word": ""})["word"]
    ]
    op.execute("DELETE FROM due WHERE kind LIKE 'proposal.reminder.%' OR kind = 'proposal.abandon'")
    _made(
        "votes",
        [{name: each[name] for name in ("table", "kind", "user", "at")} for each in votes],
        sa.Column("user", Big, autoincrement=False, nullable=False),
        sa.Column("at", Big, nullable=False),
        key=("table", "kind", "user"),
    )
    names = ("table", "kind", "word", "by", "at", "until")
    _made(
        "proposals",
        [{name: each[name] for name in names} for each in proposals.values()],
        sa.Column("word", sa.Text, nullable=False),
        sa.Column("by", Big, nullable=False),
        sa.Column("at", Big, nullable=False),
        sa.Column("until", Big, nullable=False),
        key=("table", "kind"),
    )


def _taken(name: str) -> list[dict[str, Any]]:
    """The rows of a table, which is dropped."""
    found = op.get_bind().execute(sa.text(f'SELECT * FROM "{name}"')).mappings()
    rows = [dict(each) for each in found]
    op.drop_table(name)
    return rows


def _made(
    name: str, rows: list[dict[str, Any]], *columns: sa.Column[Any], key: tuple[str, ...]
) -> None:
    """Creates the table with those rows."""
    made = op.create_table(
        name,
        sa.Column("table", Big, autoincrement=False, nullable=False),
        sa.Column("kind", sa.Text, nullable=False),
        *columns,
        sa.PrimaryKeyConstraint(*key, name=f"pk_{name}"),
        sa.ForeignKeyConstraint(["table"], ["tables.id"], name=f"fk_{name}_table"),
    )
    op.bulk_insert(made, rows)
