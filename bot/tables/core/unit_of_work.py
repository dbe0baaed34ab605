"""How a change is made: under the table's lock, once per delivery, stored before it is visible."""

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
"""The kinds of tasks that warn an idle lobby, and that close it."""
LOBBY_UNTIL_WARNED = timedelta(days=14)
"""How long a lobby is idle before it is warned."""
REMEMBERED = timedelta(days=1)
"""How long a delivery is remembered; Discord's tokens live for 15 minutes."""
PRUNED_EVERY = timedelta(hours=1)


class Ownership:
    """Says which tables are this process's own, at this moment: here all of them."""

    def shards(self) -> Shards | None:
        """The shards that are ours; None where all tables are."""
        return None

    def owns(self, guild: int | None) -> bool:
        """Whether tables of that server, or of direct messages (None), are ours."""
        return True

    def fence(self, guild: int | None) -> Fence | None:
        """What their work is fenced by; None where nothing is shared. Raises NotOurs."""
        return None


def on_whose_behalf() -> Fence | None:
    """What this task's work is fenced by; None for nothing."""
    return FENCE.get()


@contextmanager
def fenced(fence: Fence | None) -> Iterator[None]:
    """Within the block whatever this task stores is refused once that shard has changed hands."""
    token = FENCE.set(fence)
    try:
        yield
    finally:
        FENCE.reset(token)


class TableChange:
    """A change of one table as it is made, for one who holds its lock: the batch to be stored, the
    table after it, its new log entries, and what is to be sent.

    What of the table itself has changed is stored with it.
    """

    def __init__(
        self, unit_of_work: UnitOfWork, before: LoadedTable, *, is_new: bool = False
    ) -> None:
        self.unit_of_work = unit_of_work
        self.before = self.after = self._followed = before
        self.batch = WriteBatch()
        self.rows: list[EntryRow] = []
        self.drafts: list[OutboxDraft] = []
        self._shows_board = False
        if is_new:
            self.batch.insert(before.row())
            self.batch.save_players(before.table.id, before.table.players)

    @property
    def table(self) -> Table:
        """The table as it will be."""
        return self.after.table

    @contextmanager
    def as_a_whole(self) -> Iterator[None]:
        """Where the block raises, nothing of it is in the change."""
        after, steps, rows = self.after, len(self.batch.steps), len(self.rows)
        try:
            yield
        except BaseException:
            self.after = self._followed = after
            self.drafts.clear()
            del self.batch.steps[steps:], self.rows[rows:]
            raise

    def post(self, kind: OutboxKind, seat: Seat | None = None) -> None:
        """Has something sent to the table, or to a seat."""
        self.drafts.append(OutboxDraft(kind, seat))

    def become(self, status: Status) -> None:
        """The table is in that state from now on, of which its log says nothing."""
        self.after = self.after.with_table(replace(self.table, status=status))

    def enter(self, now: Position, user: int | None) -> None:
        """Adds the log entry by which the game comes to stand so, made by that user."""
        entry, table = now.entry, self.table.id
        row = EntryRow(table, entry.seq, entry.seat, user, entry.action, entry.drawn, entry.at)
        self.batch.insert(row)
        self.rows.append(row)
        self.after = replace(self.after, now=now)

    def note(self, table: Table, seat: Seat, user: int | None, line: str) -> None:
        """Add one of `log.TABLE_EVENTS` to the log. `table` is the table after it.

        Where nobody plays for themselves any more, it rests before a computer player moves.
        """
        game, at = self.unit_of_work.rules(table), self.unit_of_work.clock.now()
        self.after = self.after.with_table(table)
        self.enter(position.enter(game, self.after.position(), seat, line, at), user)
        if OutboxDraft(OutboxKind.BOARD) not in self.drafts:
            self.post(OutboxKind.BOARD)
        if table.status is Status.PLAYING and not table.humans:
            resting = replace(table, status=Status.SLEEPING)
            self.note(resting, log.NO_SEAT, None, log.REST)

    def wake(self, seat: Seat, user: int) -> None:
        """The user, who sits there, wakes a sleeping table and plays themselves."""
        if self.table.players[seat].is_autopiloted:
            table = seating.take_back(self.table, seat)
            self.note(table, seat, user, log.MANUAL)
        playing = replace(self.table, status=Status.PLAYING)
        self.note(playing, seat, user, log.WAKE)

    async def follow(self) -> None:
        """Adds to the batch what is stored along with the change so far, and sent as of its last
        log entry."""
        batch, before, after = self.batch, self._followed, self.after
        if after.table is not before.table:
            batch.save_table(after.row())
        if after.table.players != before.table.players:
            batch.save_players(after.table.id, after.table.players)
        drafts, self.drafts = self.drafts, []
        if after.seq() >= 0 or after.problem is not None:
            passing = outbox_drafts.in_passing(before, after)
            drafts += [draft for draft in passing if draft not in drafts]
            now = self.unit_of_work.clock.now()
            if write_notifications(batch, before, after, now):
                # A post of the table notifies as well.
                posted = any(draft.kind in (OutboxKind.BOARD, OutboxKind.END) for draft in drafts)
                drafts += [] if posted else [OutboxDraft(OutboxKind.NOTIFY)]
            for write in self.unit_of_work.writers:
                await write(self, before)
            drafts, self.drafts = drafts + self.drafts, []
        outbox_drafts.write(batch, after.table.id, after.seq(), drafts)
        self._shows_board |= any(draft.kind is OutboxKind.BOARD for draft in drafts)
        self._followed = after

    async def conclude(self, delivery: str | None, *, tells: bool = True) -> None:
        """Stores what has been followed, with its delivery; then tells everybody here of it."""
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
        if tells:
            unit_of_work.tell(after)

    async def store(self, delivery: str | None = None) -> None:
        """Stores the change with all that goes along, and tells everybody here."""
        await self.follow()
        await self.conclude(delivery)


class UnitOfWork:
    """Writes changes to the store, then to the cache, and then tells the subscribers."""

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
        """Called after each change made here, and after those that other processes have made at
        tables that are ours."""
        self.subscribers: list[Callable[[int], None]] = []
        """The same, called with the id of the table."""
        self.deleted: list[Callable[[int], None]] = []
        """Called with the id of a table that is no more."""
        self.before_commit: list[Callable[[LoadedTable], str | None]] = []
        """Called with a table as it will be, before a change is stored that has its board posted.
        The commit may still fail: they may prepare for it, and tell nobody. They return the kind of
        the message that will tell of it at once, or None."""
        self.begin_ahead: Callable[[WriteBatch, int, str, int], None] | None = None
        """Adds to the batch of a log entry that such a message is begun: (batch, table, kind,
        entry)."""
        self.writers: list[Callable[[TableChange, LoadedTable], Awaitable[None]]] = []
        """Add to a change what is stored along with it: (change, the table before it)."""
        self._pruned = clock.now() - PRUNED_EVERY

    def newest_rules(self, name: str) -> AnyGame:
        """The rules of a title for games that begin now. Raises unknown_game."""
        game = self.games.get(name)
        if game is None:
            raise errors.Rejected("unknown_game", game=name)
        return game

    def rules(self, table: Table) -> AnyGame:
        """The rules by which a table is played. Raises title_gone or rules_changed."""
        return rules_of(self.games, table.game, table.version)

    def on_behalf(self, table: Table | None) -> AbstractContextManager[None]:
        """Within the block this task does what is due at a table, or (None) at none of them: what
        it stores is refused once that is for another process to do. Raises NotOurs.
        """
        return fenced(self.ownership.fence(None if table is None else table.guild))

    async def once(
        self,
        table_id: int,
        delivery: str | None,
        work: Callable[[], Awaitable[T]],
        again: Callable[[HandledRow], Awaitable[T]],
    ) -> T:
        """Does the work under the table's lock, or `again` where the delivery has been handled."""

        async def unless_handled() -> T:
            try:
                return await work()
            except (errors.StoreUnavailable, errors.StaleCopy):
                raise
            except (errors.Rejected, IllegalAction):
                # Asked only now: a second time is always refused, if by nothing else then
                # because a delivery is stored once; and the first time should be fast.
                done = None
                if delivery is not None:
                    done = await from_store(self.store.handled(delivery))
                if done is None:
                    raise
                if await self.cache.is_stale(table_id):
                    raise errors.StaleCopy("conflict") from None
                return await again(done)

        return await self.cache.alone(table_id, unless_handled)

    async def carry_out(
        self,
        table_id: int,
        delivery: str | None,
        work: Callable[[TableChange], Awaitable[T]],
        again: Callable[[HandledRow], Awaitable[T]] | None = None,
        *,
        tells: bool = True,
    ) -> T:
        """Stores what `work` makes of the table, if it makes anything of it; returns its result.

        A delivery that has been handled has that of `again` instead. Where it `tells` nobody, what
        is stored is one person's own.
        """

        async def stored() -> T:
            change = TableChange(self, await self.cache.load(table_id))
            result = await work(change)
            if change.batch.steps or change.drafts or change.after is not change.before:
                if tells:
                    await change.follow()
                await change.conclude(delivery, tells=tells)
            return result

        if again is None:
            return await self.cache.alone(table_id, stored)
        return await self.once(table_id, delivery, stored, again)

    async def table_after(
        self, table_id: int, delivery: str | None, work: Callable[[TableChange], Awaitable[None]]
    ) -> Table:
        """The same; returns the table after it."""

        async def changed(change: TableChange) -> Table:
            await work(change)
            return change.table

        return await self.carry_out(table_id, delivery, changed, self.table_again)

    async def change(
        self,
        table_id: int,
        delivery: str | None,
        change: Callable[[Table, AnyGame], Table],
        drafts: Callable[[Table], Iterable[OutboxDraft]],
        *,
        is_activity: bool = True,
    ) -> Table:
        """Changes a table and its players, but not its game. As `is_activity` of somebody's it
        keeps a lobby open."""

        async def work(made: TableChange) -> None:
            table = change(made.table, self.rules(made.table))
            made.after = made.after.with_table(table)
            made.drafts += drafts(table)
            # What nobody sees must not put off the warning that all see.
            if is_activity and table.status is Status.LOBBY and made.drafts:
                schedule_check(made.batch, table_id, self.clock.now())

        return await self.table_after(table_id, delivery, work)

    async def open_lobby(self, table: Table, key: bytes, delivery: str | None) -> Table:
        """Stores a new table that waits for players, and queues its post; returns it."""
        change = TableChange(self, LoadedTable(table, key), is_new=True)
        schedule_check(change.batch, table.id, self.clock.now())
        change.post(OutboxKind.LOBBY)
        await change.store(delivery)
        return table

    async def table_again(self, done: HandledRow) -> Table:
        """The table of a delivery that has been carried out."""
        return (await self.cache.load(done.table)).table

    async def opened_again(self, done: HandledRow) -> Table:
        """The same of one that opened a new table, for a caller that does not hold its lock."""
        return (await self.cache.read(done.table)).table

    def prepare(self, batch: WriteBatch, after: LoadedTable) -> None:
        """Has those prepare who will show the board of a table that is about to be stored."""
        for hook in self.before_commit:
            try:
                message = hook(after)
            # Whatever cannot be prepared is done when it is needed.
            except Exception:
                logger.exception("post not prepared table=%s", after.table.id)
                continue
            if message is not None and self.begin_ahead is not None:
                self.begin_ahead(batch, after.table.id, message, after.seq())

    def tell(self, after: LoadedTable) -> None:
        """Tells everybody here that a table has changed."""
        self._soon([partial(hook, after) for hook in self.after_commit])
        self._soon([partial(hook, after.table.id) for hook in self.subscribers])

    def tell_deleted(self, table_id: int) -> None:
        """Tells everybody here that a table is no more."""
        self.cache.drop(table_id)
        self._soon([partial(hook, table_id) for hook in (*self.deleted, *self.subscribers)])

    def _soon(self, hooks: Iterable[Callable[[], None]]) -> None:
        # Soon, not now: none of their errors may be raised here. What they begin is not on behalf
        # of whoever made the change.
        context = contextvars.copy_context()
        context.run(FENCE.set, None)
        context.run(COMMITS.set, None)
        for hook in hooks:
            asyncio.get_running_loop().call_soon(hook, context=context)

    async def commit(self, batch: WriteBatch, after: LoadedTable) -> None:
        """Writes the batch, then puts `after` into memory.

        Raises StoreUnavailable or ConflictingWrite.
        """
        batch.guard_table(after.table.id, after.revision)
        try:
            await from_store(self.store.commit(batch))
        except (errors.Rejected, errors.NotOurs):
            # It is not certain whether it was stored: the database knows.
            self.cache.drop(after.table.id)
            raise
        self.cache.put(replace(after, revision=after.revision + 1))

    async def guarded(self, name: str, work: Callable[[WriteBatch], Awaitable[T]]) -> T:
        """Stores the batch that `work` fills, as long as nobody else has written under that name
        since it began to read; else it is done again.

        It must read from the store. Raises StoreUnavailable, and what the work raises.
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
        """Adds to the batch that nobody has written under that name meanwhile."""
        if self.store.is_shared:
            batch.guard(name, await from_store(self.store.revision(name)))

    def prune(self, batch: WriteBatch) -> None:
        """Now and then adds the removal of old deliveries to the batch."""
        now = self.clock.now()
        if now - self._pruned >= PRUNED_EVERY:
            self._pruned = now
            batch.prune_handled(now - REMEMBERED)


def schedule_check(batch: WriteBatch, table: int, now: datetime) -> None:
    """Adds to the batch when the lobby is next checked; it no longer is about to close."""
    batch.schedule(table, WHOLE_TABLE, LOBBY_IDLE, now + LOBBY_UNTIL_WARNED)
    batch.schedule(table, WHOLE_TABLE, LOBBY_CLOSE, None)


def write_notifications(
    batch: WriteBatch, before: LoadedTable, after: LoadedTable, at: datetime
) -> bool:
    """Begins and ends notifications as the change requires; returns whether anybody has to be told
    anew.

    Whoever is awaited before and after is notified once, though what they are asked may change.
    """
    table = after.table
    if table.is_over:
        if not before.table.is_over:
            batch.end_notifications(table.id)
        return not before.table.is_over
    asked_before, asked = _asked(before), _asked(after)
    was, now = {each[:2] for each in asked_before}, {each[:2] for each in asked}
    for seat, _user in sorted(was - now):
        batch.end_notifications(table.id, seat)
    for seat, user in sorted(now - was):
        batch.insert(Notification(table.id, seat, after.seq(), user, at))
    return asked_before != asked


def people_to_act(loaded: LoadedTable) -> set[tuple[Seat, int]]:
    """The seats that everybody waits for, and the people who play on them."""
    return {(seat, user) for seat, user, _kind in _asked(loaded)}


def _asked(loaded: LoadedTable) -> set[tuple[Seat, int, str]]:
    """The seats that everybody waits for, the people on them, and what each is asked."""
    if loaded.now is None or loaded.table.status is not Status.PLAYING:
        return set()
    players = loaded.table.players
    return {
        (seat, user, kind)
        for seat, kind in loaded.now.to_act()
        if players[seat].is_human and (user := players[seat].user) is not None
    }
