"""How a change is made: alone at its table, once per delivery, kept before it is seen."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable, Iterable
from datetime import datetime, timedelta
from typing import TypeVar

from msgspec.structs import replace

from bot.game.contract import AnyGame, IllegalAction, Seat
from bot.game.versions import Games
from bot.store import EntryRow, HandledRow, Store, Unit
from bot.store import errors as store_errors
from bot.tables import awaiting, errors, owing, position
from bot.tables.clock import Clock
from bot.tables.model import OwedKind, Status, Table
from bot.tables.owing import Debt
from bot.tables.position import Step
from bot.tables.shelf import Loaded, Shelf, rules_of

logger = logging.getLogger(__name__)

T = TypeVar("T")

REMEMBERED = timedelta(days=1)
"""How long a delivery is remembered; Discord's tokens live for 15 minutes."""

PRUNED_EVERY = timedelta(hours=1)


class Desk:
    """Writes changes to the store and then to the shelf, and tells who wants to know."""

    def __init__(self, store: Store, games: Games, clock: Clock, capacity: int) -> None:
        self.store = store
        self.games = games
        self.clock = clock
        self.shelf = Shelf(store, games, capacity)
        self.hooks: list[Callable[[Loaded], None]] = []
        self.writers: list[Callable[[Unit, Loaded, Loaded], Awaitable[None]]] = []
        """Add to the unit of a change what is kept along with it: (unit, before, after)."""
        self.tending: list[Callable[[Unit, Table, datetime], None]] = []
        """Add to the unit of a change in a lobby what looks after it: (unit, after, now)."""
        self._pruned = clock.now() - PRUNED_EVERY

    def tend(self, unit: Unit, table: Table) -> None:
        """Adds to the unit that somebody looks after a lobby in which something has been done."""
        if table.status is Status.LOBBY:
            for look_after in self.tending:
                look_after(unit, table, self.clock.now())

    def newest(self, name: str) -> AnyGame:
        """The rules of a title for what begins now. Raises UnknownGame."""
        game = self.games.get(name)
        if game is None:
            raise errors.UnknownGame(game=name)
        return game

    def rules(self, table: Table) -> AnyGame:
        """The rules that a table plays by. Raises TitleGone or RulesChanged."""
        return rules_of(self.games, table.game, table.version)

    async def once(
        self,
        table_id: int,
        delivery: str | None,
        work: Callable[[], Awaitable[T]],
        again: Callable[[HandledRow], Awaitable[T]],
    ) -> T:
        """Does the work alone at the table, or `again` where the delivery has been handled."""

        async def unless_handled() -> T:
            try:
                return await work()
            except errors.StoreUnavailable:
                raise
            except (errors.TableError, IllegalAction):
                # Asked only now: a second time is always refused, if by nothing else then
                # because the delivery is kept once; and the first time should be fast.
                done = await self._handled(delivery)
                if done is None:
                    raise
                return await again(done)

        return await self.shelf.alone(table_id, unless_handled)

    async def change(
        self,
        table_id: int,
        delivery: str | None,
        change: Callable[[Table, AnyGame], Table],
        debts: Callable[[Table], Iterable[Debt]],
    ) -> Table:
        """Changes a table and its players, but nothing of its game."""

        async def work() -> Table:
            loaded = await self.shelf.load(table_id)
            table = change(loaded.table, self.rules(loaded.table))
            after = loaded.with_table(table)
            unit = Unit()
            unit.save_table(after.row())
            unit.save_players(table_id, after.player_rows())
            self.tend(unit, table)
            await self.commit(unit, after, debts(table), delivery)
            return table

        async def again(_: HandledRow) -> Table:
            return (await self.shelf.load(table_id)).table

        return await self.once(table_id, delivery, work, again)

    def enter(self, unit: Unit, table: Table, seat: Seat, user: int | None, step: Step) -> EntryRow:
        """Adds a log entry and its snapshot to the unit; gives the entry."""
        now = step.position
        at = step.happened.at
        entry = EntryRow(table.id, now.seq, seat, user, step.line, step.drawn, at)
        unit.add_entry(entry)
        unit.save_snapshot(position.snapshot(table, now))
        return entry

    def note(
        self, unit: Unit, before: Loaded, table: Table, seat: Seat, user: int | None, line: str
    ) -> Loaded:
        """Adds a matter of the table's, one of `record.MATTERS`, to the unit, along with how the
        table is after it."""
        game, at = self.rules(table), self.clock.now()
        step = position.matter(game, before.position(), before.key, seat, line, at)
        after = replace(before, table=table, now=step.position)
        unit.save_table(after.row())
        unit.save_players(table.id, after.player_rows())
        self.enter(unit, table, seat, user, step)
        return after

    async def table_again(self, done: HandledRow) -> Table:
        """The table of a delivery that has been carried out."""
        return (await self.shelf.load(done.table)).table

    async def commit(
        self, unit: Unit, after: Loaded, debts: Iterable[Debt], delivery: str | None
    ) -> None:
        """Keeps the unit with its debts and its delivery, and tells all who subscribed."""
        table_id, seq = after.table.id, after.seq()
        if seq >= 0 or after.trouble is not None:
            before = await self.shelf.load(table_id)
            debts = list(debts)
            passing = owing.in_passing(before, after)
            debts += [debt for debt in passing if debt not in debts]
            if awaiting.write(unit, before, after, self.clock.now()):
                # A post of the table calls as well.
                posted = any(debt.kind in (OwedKind.BOARD, OwedKind.END) for debt in debts)
                debts += [] if posted else [Debt(OwedKind.CALL)]
            for write in self.writers:
                await write(unit, before, after)
        owing.write(self.store, unit, table_id, seq, debts)
        if delivery is not None:
            unit.handle(HandledRow(delivery, table_id, seq, self.clock.now()))
        self.prune(unit)
        await self.keep(unit, after)
        loop = asyncio.get_running_loop()
        for hook in self.hooks:
            # Soon, not now: no error of theirs may come back here.
            loop.call_soon(hook, after)

    async def keep(self, unit: Unit, after: Loaded) -> None:
        """Writes the unit; then the table is as `after`. Raises StoreUnavailable or Conflict."""
        try:
            await kept(self.store.commit(unit))
        except errors.TableError:
            # Whether it was kept may not be certain: the database knows.
            self.shelf.drop(after.table.id)
            raise
        self.shelf.put(after)

    def prune(self, unit: Unit) -> None:
        """Adds the forgetting of old deliveries to the unit, now and then."""
        now = self.clock.now()
        if now - self._pruned >= PRUNED_EVERY:
            self._pruned = now
            unit.prune_handled(now - REMEMBERED)

    async def _handled(self, delivery: str | None) -> HandledRow | None:
        return None if delivery is None else await kept(self.store.handled(delivery))


async def kept(work: Awaitable[T]) -> T:
    """What the store answers, its errors as those of a table."""
    try:
        return await work
    except store_errors.Conflict as error:
        raise errors.Conflict() from error
    except store_errors.StoreError as error:
        logger.warning("%s", error)
        raise errors.StoreUnavailable() from error
