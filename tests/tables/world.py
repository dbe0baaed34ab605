"""Tables of Pebbles over a database that tests can close and reopen."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import UTC, datetime, timedelta
from functools import partial
from random import Random
from typing import Any

import pytest

from bot.game.choices import Done, OneOf
from bot.game.contract import Action, Decision
from bot.game.log import Entry
from bot.game.versions import Games, Versions
from bot.store import Store, Verdict, WriteBatch
from bot.store.sql import Statement
from bot.tables import OutboxKind, Status, Table, Tables
from bot.tables.choosing import Legal, Orders, Policies, StrongPlayer
from bot.tables.core.record import Record
from bot.tables.core.replay import record_of
from bot.tables.reader import ObservedTable
from bot.tables.votes import Proposal
from tests.games.pebbles import GAME
from tests.store.database import Database

ANNA, BEN, CARA = 101, 102, 103
NAMES = {ANNA: "Anna", BEN: "Ben", CARA: "Cara"}
KEY = bytes(range(32))
NEVER_S = 1e6
"""Seconds, longer than any test takes."""


class StillClock:
    """A clock that tests move by hand."""

    def __init__(self) -> None:
        self.time = datetime(2030, 5, 1, 12, tzinfo=UTC)

    def now(self) -> datetime:
        return self.time

    def move(self, **parts: float) -> None:
        self.time += timedelta(**parts)


def at_random(view: Any, decision: Decision, legal: Legal, rng: Random) -> Action:
    kind = decision.kind if decision.kind != "answer" else rng.choice(("accept", "decline"))
    return whole((kind,), legal, rng)


def whole(prefix: Action, legal: Legal, rng: Random) -> Action:
    """Complete an action with random words."""
    while not isinstance(choices := legal(prefix), Done):
        prefix = (*prefix, choices.sample(rng))
    return prefix


def unforced(seen: ObservedTable, seat: int, moves: Mapping[str, Any], rng: Random) -> Action:
    """Return a random action of a seat that is not a free move."""
    legal = partial(seen.legal, seat)
    kinds = legal(())
    assert isinstance(kinds, OneOf)
    return whole((rng.choice([each for each in kinds.values if not moves[each].free]),), legal, rng)


async def whole_record(tables: Tables, table_id: int) -> Record:
    """Return the whole log with its secrets, and the key if the table is over."""
    unit_of_work, key = tables._unit_of_work, await tables.reader.key(table_id)
    table = (await unit_of_work.cache.read(table_id)).table
    return record_of(table, await unit_of_work.store.entries(table_id), key)


class TablesSetup:
    """The games and players of tables; by default, the small game of the tests."""

    title = "pebbles"

    def __init__(
        self,
        database: Database,
        games: Games | None = None,
        policies: Policies | None = None,
        orders: Orders | None = None,
        strong_player: StrongPlayer | None = None,
    ) -> None:
        self.database = database
        self.clock = StillClock()
        self.games = games or Games((GAME,))
        self.policies: Policies = policies or Versions({"pebbles": {"normal": at_random}})
        self.orders: Orders = orders or Versions({})
        self.strong_player = strong_player

    def tables_on(self, store: Store, rng: Random, **more: Any) -> Tables:
        """Return tables whose scheduler checks only at the start and when a test calls `tick`."""
        tables = Tables(
            store,
            self.games,
            self.policies,
            self.clock,
            rng,
            new_key=lambda: KEY,
            retry_s=0.01,
            orders=self.orders,
            strong_player=self.strong_player,
            **more,
        )
        tables.scheduler._every_s = NEVER_S
        return tables

    async def opened(
        self, tables: Tables, users: Sequence[int], options: Mapping[str, str], guild: int = 1
    ) -> Table:
        """Open a table with these users, seated in this order."""
        first, *others = users
        table = await tables.lobby.open(self.title, first, NAMES[first], guild, 500, options)
        for user in others:
            table = await tables.lobby.join(table.id, user, NAMES[user])
        return table


class World(TablesSetup):
    """One process over one database, which it can close and reopen."""

    store: Store
    tables: Tables
    capacity = 256

    async def open(self) -> World:
        """Open the database without starting the computer players; see `Tables.resume`."""
        self.store = await self.database.open()
        self.tables = self.tables_on(self.store, Random(7), capacity=self.capacity)
        return self

    async def close(self) -> None:
        await self.tables.close()
        await self.store.close()

    async def reopen(self) -> None:
        await self.close()
        await self.open()

    async def lobby(self, *users: int, **options: str) -> Table:
        return await self.opened(self.tables, users, options)

    async def game(self, *users: int, **options: str) -> Table:
        table = await self.lobby(*users, **options)
        return await self.tables.lobby.start(table.id, users[0])

    async def play(self, table_id: int, steps: int, rng: Random) -> None:
        """Play random actions for people and computer players."""
        for _ in range(steps):
            asked = [d for d in await self.tables.reader.pending(table_id) if not d.optional]
            if not asked:
                return
            decision = rng.choice(asked)
            action = (decision.kind, str(rng.choice((1, 2))))
            await self.tables.play.act(table_id, decision.seat, action, decision=decision.id)

    async def act(self, table_id: int, seat: int, action: str, **more: Any) -> tuple[Entry, bool]:
        return await self.tables.play.act(table_id, seat, tuple(action.split()), **more)

    async def against(self, *levels: str) -> tuple[int, int]:
        """Start a game of Anna against computer players; return the table and her seat."""
        table = await self.lobby(ANNA)
        for number, level in enumerate(levels, 1):
            name = f"Computer {number}"
            await self.tables.lobby.add_computer(table.id, ANNA, level, name=name)
        await self.tables.lobby.start(table.id, ANNA)
        return table.id, await self.tables.reader.seat_of(table.id, ANNA)

    async def asked(self, table_id: int) -> list[int]:
        pending = await self.tables.reader.pending(table_id)
        return [decision.seat for decision in pending if not decision.optional]

    async def user_at(self, table_id: int, seat: int) -> int:
        user = (await self.tables.reader.get(table_id)).players[seat].user
        assert user is not None
        return user

    async def status(self, table_id: int) -> Status:
        return (await self.tables.reader.get(table_id)).status

    async def blob(self, table_id: int) -> bytes:
        return (await self.tables._unit_of_work.cache.read(table_id)).position().blob

    async def actions(self, table_id: int) -> list[str]:
        """Return the whole log, the set-up first."""
        return [entry.action for entry in (await whole_record(self.tables, table_id)).entries]

    async def queued(self, table_id: int, kind: OutboxKind) -> list[int | None]:
        """Return the seats of the outbox items of this kind."""
        return [row.seat for row in await self.tables.outbox.items(table_id) if row.kind is kind]

    async def all_sent(self) -> None:
        await self.tables.outbox.acknowledge(await self.tables.outbox.items())

    async def open_votes(self, table_id: int) -> list[Proposal]:
        proposals = await self.tables.votes.to_post(table_id)
        return [each for each in proposals if each.verdict is Verdict.OPEN]

    async def all_abandon(self, table_id: int, *users: int) -> None:
        """Have these users abandon the game."""
        for user in users:
            await self.tables.leaving.abandon(table_id, user)


def recorded_statements(store: Store, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Return a list that collects the statements the store reads and commits from now on."""
    read, commit, statements = store._read_all, store.commit, list[str]()

    async def recording_read(*asked: Statement) -> list[list[Sequence[Any]]]:
        statements.extend(each.sql for each in asked)
        return await read(*asked)

    async def recording_commit(batch: WriteBatch) -> None:
        statements.extend(sql for sql, _values in batch.steps)
        await commit(batch)

    monkeypatch.setattr(store, "_read_all", recording_read)
    monkeypatch.setattr(store, "commit", recording_commit)
    return statements
