"""What a finished game takes on the disk."""

from __future__ import annotations

from datetime import UTC, datetime
from random import Random
from typing import Any

import msgspec
import sqlalchemy as sa

from bot.game.contract import canonical
from bot.store import EntryRow, ResultRow, SnapshotRow, Store, WriteBatch, schema
from bot.tables import Status
from bot.titles.title import Title
from bot.tools.measures.scale import databases
from bot.tools.measures.scale.filling import fill
from bot.tools.measures.scale.sharing import opened
from bot.tools.measures.tables import new_table
from bot.tools.playing import play, players

GAMES = 200
"""Copies of a game that are stored, so that the pages that are not full count for little."""
KIB = 1 << 10


class Storage(msgspec.Struct, frozen=True):
    """A game of computer players to its end, as people would have played it."""

    game: str
    database: str
    entries: int
    game_kib: float
    """With its log, its last state, results and indexes, once all of it has been posted."""


async def storage(url: str, title: Title) -> Storage:
    """Plays a game, stores it many times into an empty database, and measures the difference."""
    seats = max(title.game.seats)
    async with opened(url, title.game) as (store, tables):
        model = await new_table(title.game, tables, 1)
        entries = await _finish(store, model, title, seats)
        await _posted(url, model)
        before = await databases.size(url)
        await fill(store, url, model, GAMES, waiting=False)
    return Storage(
        game=title.game.name,
        database=url.partition("+")[0],
        entries=entries,
        game_kib=(await databases.size(url) - before) / GAMES / KIB,
    )


async def _finish(store: Store, table: int, title: Title, seats: int) -> int:
    """Stores a whole game as that of the table; how many log entries it has."""
    stored, now = await store.load(table), datetime.now(UTC)
    assert stored is not None
    assert stored.snapshot is not None
    users = {player.seat: player.user for player in stored.players}
    batch, seq, state = WriteBatch(), 0, None
    seated = players(title, [title.usual], seats)
    for seq, played in enumerate(play(title.game, seated, {}, Random(1))):
        state = played.state
        if seq:
            line = canonical(played.action)
            user = users[played.seat]
            batch.insert(EntryRow(table, seq, played.seat, user, line, played.drawn, now))
    batch.save(_end(stored.snapshot, seq, title.game.encode(state)))
    batch.save_table(msgspec.structs.replace(stored.table, status=Status.FINISHED, posted_seq=seq))
    for player in stored.players:
        assert player.user is not None
        batch.insert(
            ResultRow(
                table, player.user, player.seat, player.name, 0, title.game.name, seats,
                player.seat + 1, seq, seq, seq, now,
            )
        )  # fmt: skip
    await store.commit(batch)
    return seq + 1


def _end(snapshot: SnapshotRow, seq: int, blob: bytes) -> SnapshotRow:
    return msgspec.structs.replace(snapshot, seq=seq, blob=blob, due=False)


async def _posted(url: str, table: int) -> None:
    """Nothing is due any more, and nothing waits to be sent."""
    waiting: Any
    async with databases.connection(url) as connection:
        for waiting in (schema.outbox, schema.scheduled, schema.notifications):
            await connection.execute(sa.delete(waiting).where(waiting.c.table == table))
