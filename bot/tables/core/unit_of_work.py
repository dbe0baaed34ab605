"""Changes of tables: made under the table's lock, once per delivery, and stored before they are
visible."""

from __future__ import annotations

import asyncio
import contextvars
import logging
from collections.abc import Awaitable, Callable, Iterable, Iterator
from contextlib import AbstractContextManager, contextmanager
from datetime import datetime, timedelta
from functools import partial
from typing import TypeVar

from msgspec.structs import replace

from bot.game.contract import IllegalAction, Seat
from bot.game.game import AnyGame
from bot.game.versions import Games
from bot.store import (
    WHOLE_TABLE,
    EntryRow,
    HandledRow,
    Notification,
    OutboxKind,
    Status,
    Store,
    WriteBatch,
)
from bot.store.commits import COMMITS
from bot.store.sharing import FENCE, Fence, Shards
from bot.tables.core import errors, log, outbox_drafts, position, seating
from bot.tables.core.cache import ATTEMPTS, LoadedTable, TableCache, from_store, rules_of
from bot.tables.core.calendar import Clock
from bot.tables.core.model import Table
from bot.tables.core.outbox_drafts import OutboxDraft
from bot.tables.core.position import Position
from bot.tables.core.server_members import ServerMembers

logger = logging.getLogger(__name__)

T = TypeVar("T")

LOBBY_IDLE = "lobby.idle"
LOBBY_CLOSE = "lobby.close"
"""The kinds of tasks that warn an idle lobby and close it."""
LOBBY_UNTIL_WARNED = timedelta(days=14)
"""How long a lobby is idle before its warning."""
DELIVERY_LIFETIME = timedelta(days=1)
"""How long a handled delivery is stored. Discord's tokens live for 15 minutes."""
PRUNE_EVERY = timedelta(hours=1)
PUBLIC = (OutboxKind.BOARD, OutboxKind.END)
"""The posts about the game."""


class Ownership:
    """The tables that this process owns at the moment: in this class, all of them."""

    def shards(self) -> Shards | None:
        """Return the shards that are ours, or None if all tables are."""
        return None

    def owns(self, guild: int | None) -> bool:
        """Return whether tables of this server, or of direct messages (None), are ours."""
        return True

    def fence(self, guild: int | None) -> Fence | None:
        """Return the fence for work at these tables, or None if it needs none. Raise NotOurs."""
        return None


def current_fence() -> Fence | None:
    """Return the fence of this task's writes, if any."""
    return FENCE.get()


@contextmanager
def fenced(fence: Fence | None) -> Iterator[None]:
    """Have the database refuse this task's writes once the fence's shard has changed hands."""
    token = FENCE.set(fence)
    try:
        yield
    finally:
        FENCE.reset(token)


class TableChange:
    """A change of one table in progress; the caller holds the table's lock.

    It collects the batch to store, the table after the change, its new log entries, and the
    messages to send. Changed fields and players of the table are stored with it.
    """

    def __init__(
        self, unit_of_work: UnitOfWork, before: LoadedTable, *, is_new: bool = False
    ) -> None:
        self.unit_of_work = unit_of_work
        self.before = self.after = self._staged = before
        self.batch = WriteBatch()
        self.rows: list[EntryRow] = []
        self.drafts: list[OutboxDraft] = []
        self._shows_board = False
        if is_new:
            self.batch.insert(before.row())
            self.batch.save_players(before.table.id, before.table.players)

    @property
    def table(self) -> Table:
        """The table after the change."""
        return self.after.table

    @contextmanager
    def savepoint(self) -> Iterator[None]:
        """Roll the change back to here if the block raises."""
        after, steps, rows = self.after, len(self.batch.steps), len(self.rows)
        try:
            yield
        except BaseException:
            self.after = self._staged = after
            self.drafts.clear()
            del self.batch.steps[steps:], self.rows[rows:]
            raise

    def post(self, kind: OutboxKind, seat: Seat | None = None) -> None:
        """Queue a message to the table, or to a seat."""
        self.drafts.append(OutboxDraft(kind, seat))

    def become(self, status: Status) -> None:
        """Set the table's status without a log entry."""
        self.after = self.after.with_table(replace(self.table, status=status))

    def enter(self, now: Position, user: int | None) -> None:
        """Add the last log entry of the new position, made by this user."""
        entry, table = now.entry, self.table.id
        row = EntryRow(table, entry.seq, entry.seat, user, entry.action, entry.drawn, entry.at)
        self.batch.insert(row)
        self.rows.append(row)
        self.after = replace(self.after, now=now)

    def note(self, table: Table, seat: Seat, user: int | None, line: str) -> None:
        """Add one of `log.TABLE_EVENTS` to the log. `table` is the table after it.

        If computer players then act for all people, the table falls asleep before they move.
        """
        game, at = self.unit_of_work.rules(table), self.unit_of_work.clock.now()
        self.after = self.after.with_table(table)
        self.enter(position.enter(game, self.after.position(), seat, line, at), user)
        if OutboxDraft(OutboxKind.BOARD) not in self.drafts:
            self.post(OutboxKind.BOARD)
        if table.status is Status.PLAYING and not table.humans and table.watch_pace is None:
            resting = replace(table, status=Status.SLEEPING)
            self.note(resting, log.NO_SEAT, None, log.REST)

    def wake(self, seat: Seat, user: int) -> None:
        """Wake a sleeping table for the user on that seat, who takes control of it."""
        if self.table.players[seat].is_autopiloted:
            self.note(seating.take_back(self.table, seat), seat, user, log.MANUAL)
        self.note(replace(self.table, status=Status.PLAYING), seat, user, log.WAKE)

    async def stage(self) -> None:
        """Add to the batch all data and messages that follow from the change so far.

        The messages belong to the last log entry.
        """
        batch, before, after = self.batch, self._staged, self.after
        if after.table is not before.table:
            batch.save_table(after.row())
        if after.table.players != before.table.players:
            batch.save_players(after.table.id, after.table.players)
        drafts, self.drafts = self.drafts, []
        if after.table.lesson is not None:
            # Its player sees everything in their panel.
            drafts = []
        elif after.seq() >= 0 or after.problem is not None:
            further = outbox_drafts.at_any_change(before, after)
            drafts += [draft for draft in further if draft not in drafts]
            now = self.unit_of_work.clock.now()
            if write_notifications(batch, before, after, now):
                # These posts also notify players.
                posted = any(draft.kind in PUBLIC for draft in drafts)
                drafts += [] if posted else [OutboxDraft(OutboxKind.NOTIFY)]
            for write in self.unit_of_work.writers:
                await write(self, before)
            drafts, self.drafts = drafts + self.drafts, []
        if after.table.webhook and any(draft.kind in PUBLIC for draft in drafts):
            drafts.append(OutboxDraft(OutboxKind.WEBHOOK))
        outbox_drafts.write(batch, after.table.id, after.seq(), drafts)
        self._shows_board |= any(draft.kind is OutboxKind.BOARD for draft in drafts)
        self._staged = after

    async def commit(self, delivery: str | None, *, notifies: bool = True) -> None:
        """Commit what has been staged, with its delivery, then notify subscribers."""
        unit_of_work, batch, after = self.unit_of_work, self.batch, self.after
        if after.now is not None and after.now is not self.before.now:
            batch.save(position.snapshot(after.table, after.now))
        if delivery is not None:
            now = unit_of_work.clock.now()
            batch.insert(HandledRow(delivery, after.table.id, after.seq(), now))
        unit_of_work.prune(batch)
        if self._shows_board:
            unit_of_work.prepare(batch, after)
        await unit_of_work.commit(batch, after)
        if notifies:
            unit_of_work.notify(after)

    async def store(self, delivery: str | None = None) -> None:
        """Stage and commit the change."""
        await self.stage()
        await self.commit(delivery)


class UnitOfWork:
    """Writes changes to the store, then to the cache, and then notifies subscribers."""

    def __init__(
        self, store: Store, games: Games, clock: Clock, capacity: int, ownership: Ownership
    ) -> None:
        self.store = store
        self.ownership = ownership
        self.games = games
        self.clock = clock
        self.members = ServerMembers(clock)
        self.cache = TableCache(store, games, capacity)
        self.after_commit: list[Callable[[LoadedTable], None]] = []
        """Called after each change made here, and after other processes' changes to tables that
        are ours."""
        self.subscribers: list[Callable[[int], None]] = []
        """Called like `after_commit`, but with the table's id."""
        self.deleted: list[Callable[[int], None]] = []
        """Called with the id of a deleted table."""
        self.before_commit: list[Callable[[LoadedTable], str | None]] = []
        """Called with the table after a change whose board will be posted, before it is stored.
        The commit may still fail, so hooks may only prepare. They return the kind of the message
        that will be sent at once, or None."""
        self.reserve_number: Callable[[WriteBatch, int, str, int], None] | None = None
        """Reserves the number of such a message: (batch, table, kind, log entry)."""
        self.writers: list[Callable[[TableChange, LoadedTable], Awaitable[None]]] = []
        """Called with (change, table before it) to add further data to the change."""
        self._pruned = clock.now() - PRUNE_EVERY

    def newest_rules(self, name: str) -> AnyGame:
        """Return the rules of a title for new games. Raise unknown_game."""
        game = self.games.get(name)
        if game is None:
            raise errors.Rejected("unknown_game", game=name)
        return game

    def rules(self, table: Table) -> AnyGame:
        """Return the rules of a table's game. Raise title_gone or rules_changed."""
        return rules_of(self.games, table.game, table.version)

    def on_behalf(self, table: Table | None) -> AbstractContextManager[None]:
        """Do background work for a table, or (None) for no table, within the block.

        Writes are refused once another process owns that work. Raise NotOurs.
        """
        return fenced(self.ownership.fence(None if table is None else table.guild))

    async def run_idempotent(
        self,
        table_id: int,
        delivery: str | None,
        work: Callable[[], Awaitable[T]],
        repeat: Callable[[HandledRow], Awaitable[T]],
    ) -> T:
        """Do the work under the table's lock, or `repeat` if the delivery was handled before."""

        async def unless_handled() -> T:
            try:
                return await work()
            except (errors.StoreUnavailable, errors.StaleCopy):
                raise
            except (errors.Rejected, IllegalAction):
                # Look the delivery up only now, to keep the first attempt fast. A repeated one
                # always gets here, as the database stores each delivery only once.
                done = None
                if delivery is not None:
                    done = await from_store(self.store.handled(delivery))
                if done is None:
                    raise
                if await self.cache.is_stale(table_id):
                    raise errors.StaleCopy("conflict") from None
                return await repeat(done)

        return await self.cache.run_locked(table_id, unless_handled)

    async def carry_out(
        self,
        table_id: int,
        delivery: str | None,
        work: Callable[[TableChange], Awaitable[T]],
        repeat: Callable[[HandledRow], Awaitable[T]] | None = None,
        *,
        notifies: bool = True,
    ) -> T:
        """Run `work` on the table, store its change if there is one, and return its result.

        For a delivery that was handled before, return the result of `repeat`. A change that is one
        user's own business does not notify subscribers.
        """

        async def work_and_store() -> T:
            change = TableChange(self, await self.cache.load(table_id))
            result = await work(change)
            if change.batch.steps or change.drafts or change.after is not change.before:
                if notifies:
                    await change.stage()
                await change.commit(delivery, notifies=notifies)
            return result

        if repeat is None:
            return await self.cache.run_locked(table_id, work_and_store)
        return await self.run_idempotent(table_id, delivery, work_and_store, repeat)

    async def table_after(
        self, table_id: int, delivery: str | None, work: Callable[[TableChange], Awaitable[None]]
    ) -> Table:
        """Carry out the work and return the table after it."""

        async def work_and_return(change: TableChange) -> Table:
            await work(change)
            return change.table

        return await self.carry_out(table_id, delivery, work_and_return, self.handled_table)

    async def change(
        self,
        table_id: int,
        delivery: str | None,
        change: Callable[[Table, AnyGame], Table],
        drafts: Callable[[Table], Iterable[OutboxDraft]],
        *,
        is_activity: bool = True,
        check: Callable[[Table], Awaitable[None]] | None = None,
    ) -> Table:
        """Change a table and its players, but not its game; `check` may raise to refuse it.

        If `is_activity`, the change keeps a lobby open.
        """

        async def work(pending: TableChange) -> None:
            if check is not None:
                await check(pending.table)
            table = change(pending.table, self.rules(pending.table))
            pending.after = pending.after.with_table(table)
            pending.drafts += drafts(table)
            # A change that no one sees must not delay the public warning.
            if is_activity and table.status is Status.LOBBY and pending.drafts:
                schedule_check(pending.batch, table_id, self.clock.now())

        return await self.table_after(table_id, delivery, work)

    async def open_lobby(
        self, table: Table, key: bytes, delivery: str | None, searches: WriteBatch | None = None
    ) -> Table:
        """Store a new lobby, queue its post, and return the table.

        If it comes from `searches`, store their changes with it and ping its people.
        """
        change = TableChange(self, LoadedTable(table, key), is_new=True)
        if searches is not None:
            change.batch.steps += searches.steps
            change.batch.names.update(searches.names)
            change.drafts += [OutboxDraft(OutboxKind.PING, each.seat) for each in table.players]
        schedule_check(change.batch, table.id, self.clock.now())
        change.post(OutboxKind.LOBBY)
        await change.store(delivery)
        return table

    async def handled_table(self, handled: HandledRow) -> Table:
        """Return the table of a handled delivery, for a caller that holds its lock."""
        return (await self.cache.load(handled.table)).table

    async def opened_table(self, handled: HandledRow) -> Table:
        """Return the table that a handled delivery opened, for a caller without its lock."""
        return (await self.cache.read(handled.table)).table

    def prepare(self, batch: WriteBatch, after: LoadedTable) -> None:
        """Run the `before_commit` hooks and reserve the numbers of their messages."""
        for hook in self.before_commit:
            try:
                message = hook(after)
            # Preparation only saves time: without it the work is done after the commit.
            except Exception:
                logger.exception("post not prepared table=%s", after.table.id)
                continue
            if message is not None and self.reserve_number is not None:
                self.reserve_number(batch, after.table.id, message, after.seq())

    def notify(self, after: LoadedTable) -> None:
        """Notify subscribers of a changed table."""
        self._call_soon([partial(hook, after) for hook in self.after_commit])
        self._call_soon([partial(hook, after.table.id) for hook in self.subscribers])

    async def delete_table(self, table_id: int) -> None:
        """Delete a table with everything about it, if it exists."""

        async def work() -> None:
            # Not with the cache: this program may be unable to read the table.
            revision = await from_store(self.store.revision_of(table_id))
            if revision is not None:
                batch = WriteBatch()
                batch.drop_table(table_id)
                batch.tables[table_id] = revision
                await from_store(self.store.commit(batch))
                self.notify_deleted(table_id)

        await self.cache.run_locked(table_id, work)

    def notify_deleted(self, table_id: int) -> None:
        """Drop a deleted table from the cache and notify subscribers."""
        self.cache.drop(table_id)
        self._call_soon([partial(hook, table_id) for hook in (*self.deleted, *self.subscribers)])

    def _call_soon(self, hooks: Iterable[Callable[[], None]]) -> None:
        # Not at once, so that no hook's error is raised here. Tasks started by hooks must not
        # inherit the fence of the change.
        context = contextvars.copy_context()
        context.run(FENCE.set, None)
        context.run(COMMITS.set, None)
        for hook in hooks:
            asyncio.get_running_loop().call_soon(hook, context=context)

    async def commit(self, batch: WriteBatch, after: LoadedTable) -> None:
        """Write the batch, then cache `after`. Raise StoreUnavailable or ConflictingWrite."""
        batch.tables[after.table.id] = after.revision
        try:
            await from_store(self.store.commit(batch))
        except (errors.Rejected, errors.NotOurs):
            # It may have been stored after all, so read the table again.
            self.cache.drop(after.table.id)
            raise
        self.cache.put(replace(after, revision=after.revision + 1))

    async def guarded(self, name: str, work: Callable[[WriteBatch], Awaitable[T]]) -> T:
        """Store the batch that `work` fills, and retry if another process wrote under `name`.

        The work must read its data from the store, not from a cache. Raise StoreUnavailable after
        too many attempts, and any error of the work.
        """
        for _ in range(ATTEMPTS):
            batch = WriteBatch()
            await self.guard(batch, name)
            result = await work(batch)
            try:
                await from_store(self.store.commit(batch))
            except errors.StaleCopy:
                continue
            return result
        raise errors.StoreUnavailable("store_unavailable")

    async def guard(self, batch: WriteBatch, name: str) -> None:
        """Make the batch fail if another process writes under `name` before it is stored."""
        if self.store.is_shared:
            batch.names[name] = await from_store(self.store.revision(name))

    def prune(self, batch: WriteBatch) -> None:
        """Add the removal of old deliveries to the batch, every PRUNE_EVERY."""
        now = self.clock.now()
        if now - self._pruned >= PRUNE_EVERY:
            self._pruned = now
            batch.prune_handled(now - DELIVERY_LIFETIME)


def schedule_check(batch: WriteBatch, table: int, now: datetime) -> None:
    """Schedule a lobby's next idle check, and cancel its closing."""
    batch.schedule(table, WHOLE_TABLE, LOBBY_IDLE, now + LOBBY_UNTIL_WARNED)
    batch.schedule(table, WHOLE_TABLE, LOBBY_CLOSE, None)


def write_notifications(
    batch: WriteBatch, before: LoadedTable, after: LoadedTable, at: datetime
) -> bool:
    """Begin and end notifications after a change; return whether a message about them is needed.

    A player who was to act before the change and still is gets no second notification, even if the
    decision is a different one.
    """
    table = after.table
    if table.is_over:
        if not before.table.is_over:
            batch.end_notifications(table.id)
        return not before.table.is_over
    decisions_before, decisions = _decisions(before), _decisions(after)
    was, now = {each[:2] for each in decisions_before}, {each[:2] for each in decisions}
    for seat, _user in sorted(was - now):
        batch.end_notifications(table.id, seat)
    for seat, user in sorted(now - was):
        batch.insert(Notification(table.id, seat, after.seq(), user, at))
    return decisions_before != decisions


def people_to_act(loaded: LoadedTable) -> set[tuple[Seat, int]]:
    """Return the people's seats that are to act, with their users."""
    return {(seat, user) for seat, user, _kind in _decisions(loaded)}


def _decisions(loaded: LoadedTable) -> set[tuple[Seat, int, str]]:
    """Return the people's seats that are to act, with their users and kinds of decision."""
    if loaded.now is None or loaded.table.status is not Status.PLAYING:
        return set()
    players = loaded.table.players
    return {
        (seat, user, kind)
        for seat, kind in loaded.now.to_act()
        if players[seat].is_human and (user := players[seat].user) is not None
    }
