"""Sample rows to store."""

from __future__ import annotations

from datetime import UTC, datetime

from bot.store import EntryRow, Player, SnapshotRow, Status, Store, TableRow, WriteBatch

NOW = datetime(2030, 5, 1, 12, 0, 0, 123456, tzinfo=UTC)


def table_row(
    table: int, *, status: str = "lobby", channel: int = 500, guild: int | None = None
) -> TableRow:
    return TableRow(
        id=table,
        game="pebbles",
        version=1,
        status=Status(status),
        options={"length": "long"},
        host=2**63 - 1,
        guild=guild,
        channel=channel,
        thread=900 + table,
        lobby_message=None,
        panel_message=None,
        posted_seq=-1,
        key=bytes(range(32)),
        created=NOW,
    )


def player_row(table: int, seat: int, user: int) -> Player:
    return Player(table, seat, f"user {user}", user, None, True)


def entry_row(table: int, seq: int) -> EntryRow:
    return EntryRow(table, seq, 0, 7, "choose 2", [1, 0], NOW)


def snapshot_row(table: int, seq: int, *, due: bool = False) -> SnapshotRow:
    return SnapshotRow(table, seq, 1, 2, due, b"hash", b"state")


def entry(table: int, seq: int) -> WriteBatch:
    batch = WriteBatch()
    batch.insert(entry_row(table, seq))
    return batch


async def add_table(store: Store, **about: int | str | None) -> int:
    batch = WriteBatch()
    table = await store.new_table_id()
    batch.insert(table_row(table, **about))  # type: ignore[arg-type]
    batch.save_players(table, [player_row(table, 0, 7), player_row(table, 1, 8)])
    await store.commit(batch)
    return table
