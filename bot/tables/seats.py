"""Changes of seats during a game (autopilot, takeovers, the host), and rematches.

While a computer player acts for a person, the seat stays theirs: they still get its secrets, and
take control back with one button or by acting. Any user without a seat at the table may take over a
vacant one, including its hand and secrets.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from datetime import timedelta
from enum import StrEnum

from msgspec.structs import replace

from bot.game.chance import commitment
from bot.game.contract import Seat
from bot.store import OutboxItem, OutboxKind, Player, ScheduledRow, Status
from bot.tables.core import (
    SUBSTITUTE,
    SUSPENDED,
    Scheduler,
    Table,
    TableChange,
    UnitOfWork,
    errors,
    from_store,
    log,
    seating,
)
from bot.tables.core.unit_of_work import schedule_check

ONE_TURN = "one turn"
"""The task of a seat whose autopilot is for one turn. While it is scheduled, `return_seat` gives
the seat back at the end of the turn. The task itself does so if the turn ended without an action,
as after an undo."""
CHECK_EVERY = timedelta(days=1)


class AutopilotBy(StrEnum):
    """The cause of an autopilot."""

    OWNER = "owner"
    CLOCK = "clock"
    OTHERS = "others"


class Seats:
    """Changes the players of seats and opens rematches."""

    def __init__(
        self,
        unit_of_work: UnitOfWork,
        new_key: Callable[[], bytes],
        scheduler: Scheduler,
        check_may_join: Callable[[Table, int], Awaitable[None]],
    ) -> None:
        self._unit_of_work = unit_of_work
        self._new_key = new_key
        self._check_may_join = check_may_join
        scheduler.at_table(ONE_TURN, self._check_turn)

    async def autopilot(
        self, table_id: int, user: int, *, on: bool = True, delivery: str | None = None
    ) -> Table:
        """Turn the user's autopilot on, or off, which also wakes the table.

        Raise not_seated, not_autopiloted, not_started, table_paused, table_asleep or table_over.
        """

        async def work(change: TableChange) -> None:
            table = change.table
            is_asleep = table.status is Status.SLEEPING
            if on or not is_asleep:
                seating.check_playing(table)
            seat = seating.seated(table, user)
            is_on = table.players[seat].is_autopiloted
            if not (on or is_on):
                raise errors.Rejected("not_autopiloted")
            if is_on and on:
                # It may have been for one turn.
                change.batch.schedule(table_id, seat, ONE_TURN, None)
            if is_on is on:
                return
            if on:
                hand_over(change, seat, user)
            elif is_asleep:
                change.wake(seat, user)
            else:
                change.note(seating.take_back(table, seat), seat, user, log.MANUAL)

        return await self._unit_of_work.table_after(table_id, delivery, work)

    async def wake(self, table_id: int, user: int, *, delivery: str | None = None) -> Table:
        """Wake a sleeping table for the user, who takes control of their seat.

        A table that is awake does not change. Raise not_seated, not_started, table_paused or
        table_over.
        """

        async def work(change: TableChange) -> None:
            seat = seating.seated(change.table, user)
            if change.table.status is Status.SLEEPING:
                change.wake(seat, user)
            else:
                seating.check_playing(change.table)

        return await self._unit_of_work.table_after(table_id, delivery, work)

    async def claim(
        self,
        table_id: int,
        user: int,
        name: str,
        seat: Seat | None = None,
        *,
        instead_of: int | None = None,
        if_absent: bool = False,
        delivery: str | None = None,
    ) -> Table:
        """Give the user this seat, or else the first vacant one, or else a computer player's.

        With `instead_of`, it is the seat of that user, `if_absent` only while it is on autopilot.
        They get its hand. A sleeping table wakes.
        Raise already_seated or seat_taken, and the errors of `autopilot` and
        `Results.check_may_join`.
        """

        async def work(change: TableChange) -> None:
            if change.table.status not in SUSPENDED:
                # At an imported game, players take their seats while it is paused.
                seating.check_playing(change.table)
            own = change.table.seat_of(user)
            if own is not None:
                raise errors.Rejected("already_seated", seat=own)
            takeable = [
                each
                for each in change.table.players
                if change.table.watch_pace is None
                and (
                    (each.user == instead_of and (each.is_autopiloted or not if_absent))
                    or (instead_of is None and each.vacant)
                )
            ]
            takeable.sort(key=lambda player: not player.vacant)
            free = next((each.seat for each in takeable if seat in (None, each.seat)), None)
            if free is None:
                raise errors.Rejected("seat_taken", seat=-1 if seat is None else seat)
            await self._check_may_join(change.table, user)
            table = seating.with_player(change.table, Player(table_id, free, name, user, None))
            # The new player must not get private messages for the seat's previous player.
            change.batch.delete(OutboxItem, table=table_id, seat=free)
            change.note(table, free, user, log.CLAIM)
            if table.status is Status.SLEEPING:
                change.wake(free, user)
            change.post(OutboxKind.HAND, free)

        return await self._unit_of_work.table_after(table_id, delivery, work)

    async def make_host(
        self, table_id: int, user: int, host: int, *, delivery: str | None = None
    ) -> Table:
        """Make another person at the table its host, for a user who may do that.

        Raise no_such_seat if the person has left, or table_over.
        """

        async def work(change: TableChange) -> None:
            seating.check_open(change.table)
            seat, table = change.table.seat_of(host), replace(change.table, host=host)
            if seat is None:
                raise errors.Rejected("no_such_seat", names=table.names)
            if host == change.table.host:
                return
            if table.status is not Status.LOBBY:
                change.note(table, seat, user, log.HOST)
                return
            change.after = change.after.with_table(table)
            change.post(OutboxKind.LOBBY)
            schedule_check(change.batch, table_id, self._unit_of_work.clock.now())

        return await self._unit_of_work.table_after(table_id, delivery, work)

    async def _check_turn(self, change: TableChange, task: ScheduledRow) -> None:
        table = change.table
        is_autopiloted = table.players[task.seat].is_autopiloted
        if not is_autopiloted or table.is_over or change.after.problem is not None:
            return
        now = change.after.position()
        if table.status is Status.PLAYING and task.seat not in {seat for seat, _ in now.to_act()}:
            change.note(seating.take_back(table, task.seat), task.seat, None, log.MANUAL)
        else:
            change.batch.save(replace(task, at=self._unit_of_work.clock.now() + CHECK_EVERY))

    async def autopiloted_by(self, table_id: int, seat: Seat) -> AutopilotBy:
        """Return who turned on the autopilot of a seat."""
        table = (await self._unit_of_work.cache.read(table_id)).table
        entries = await from_store(self._unit_of_work.store.entries(table_id))
        handed_over = [(seat, log.AUTO), (seat, log.ACT)]
        users = (row.user for row in reversed(entries) if (row.seat, row.action) in handed_over)
        by = next(users, None)
        if by is not None and by == table.players[seat].user:
            return AutopilotBy.OWNER
        is_clock = by is None and seating.term(table, seating.AT_ZERO) == "autopilot"
        return AutopilotBy.CLOCK if is_clock else AutopilotBy.OTHERS

    async def rematch_of(self, table_id: int) -> Table | None:
        """Return the rematch of a table, if there is one. Raise StoreUnavailable."""
        rematch = await from_store(self._unit_of_work.store.rematch(table_id))
        return None if rematch is None else (await self._unit_of_work.cache.read(rematch)).table

    async def open_rematch(
        self,
        table_id: int,
        user: int,
        name: str,
        *,
        delivery: str | None = None,
    ) -> Table:
        """Open a lobby with the game, options and terms of a table that is over.

        The user, who must have a seat there, is its host. Raise not_seated, not_over or
        rematch_open, and the errors of `Results.check_may_join`.
        """
        unit_of_work = self._unit_of_work

        async def work() -> Table:
            before = (await unit_of_work.cache.load(table_id)).table
            seating.seated(before, user)
            if not before.is_over:
                raise errors.Rejected("not_over")
            existing = await self.rematch_of(table_id)
            if existing is not None:
                raise errors.Rejected("rematch_open", table=existing.id)
            await self._check_may_join(before, user)
            game, key = unit_of_work.newest_rules(before.game), self._new_key()
            new_id = await from_store(unit_of_work.store.new_table_id())
            table = Table(
                id=new_id,
                game=before.game,
                version=game.version,
                status=Status.LOBBY,
                options=seating.options_of(game, before.options),
                players=(Player(new_id, 0, name, user, None),),
                host=user,
                guild=before.guild,
                channel=before.channel,
                key_hash=commitment(key),
                created=unit_of_work.clock.now(),
                terms=before.terms,
                rematch_of=table_id,
            )
            try:
                return await unit_of_work.open_lobby(table, key, delivery)
            except errors.ConflictingWrite as error:
                # Another process has opened the rematch, which a retry will find.
                raise errors.StaleCopy("conflict") from error

        # Under the lock of the finished table, so that it has only one rematch.
        return await unit_of_work.run_idempotent(
            table_id, delivery, work, unit_of_work.opened_table
        )


def hand_over(
    change: TableChange,
    seat: Seat,
    user: int | None,
    *,
    vacant: bool = False,
    one_turn: bool = False,
) -> None:
    """Turn on the autopilot of a seat, or until the end of `one_turn`.

    If `vacant`, other users may also take the seat over.
    """
    player = replace(change.table.players[seat], policy=SUBSTITUTE, vacant=vacant)
    until = change.unit_of_work.clock.now() + CHECK_EVERY if one_turn else None
    change.batch.schedule(player.table, seat, ONE_TURN, until)
    line = log.ACT if one_turn else log.AUTO
    change.note(seating.with_player(change.table, player), seat, user, line)


async def return_seat(change: TableChange, seat: Seat) -> None:
    """Give the seat back to its owner if a computer player has acted for one turn only."""
    table, store = change.table, change.unit_of_work.store
    if await from_store(store.scheduled_at(table.id, seat, ONE_TURN)) is not None:
        change.batch.schedule(table.id, seat, ONE_TURN, None)
        change.note(seating.take_back(table, seat), seat, None, log.MANUAL)
