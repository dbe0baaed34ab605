"""Tables that rest: paused because all agree, or asleep because nobody has acted for weeks.

While a table rests nobody acts, nobody is awaited, and no clock runs. A sleeping one was warned
before, and whoever sits there wakes it by one press.
"""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime, timedelta

from msgspec.structs import replace

from bot.store import DueRow, ProposalRow, Unit
from bot.tables import lobby, record
from bot.tables.desk import Desk
from bot.tables.due import WHOLE_TABLE, Due
from bot.tables.model import OwedKind, Status, Table
from bot.tables.owing import Debt
from bot.tables.proposals import Proposal, Proposals
from bot.tables.record import NOBODY
from bot.tables.shelf import Loaded

PAUSE = "pause"
RESUME = "resume"
"""The kinds of proposals to rest, and to go on."""

LASTING = timedelta(days=5)
"""How long the others have to agree."""

IDLE = "idle"
SLEEP = "sleep"

UNTIL_WARNED = timedelta(days=21)
UNTIL_ASLEEP = timedelta(days=7)
"""How long nobody has acted when a table is warned, and how much later it falls asleep."""


def look_after(unit: Unit, table: int, at: datetime) -> None:
    """Adds to the unit that somebody looks, one day, whether the game still goes on."""
    unit.set_due(DueRow(table, WHOLE_TABLE, IDLE, at + UNTIL_WARNED))


class Pausing:
    """Rests and wakes tables."""

    def __init__(self, desk: Desk, due: Due, proposals: Proposals) -> None:
        self._desk = desk
        self._proposals = proposals
        proposals.on(PAUSE, self._pause)
        proposals.on(RESUME, self._resume, during=Status.PAUSED)
        due.on(IDLE, self._look)
        due.on(SLEEP, self._look)

    async def propose(self, table_id: int, user: int, *, delivery: str | None = None) -> Proposal:
        """Asks all whether to rest; of a table that is paused, whether to go on.

        Raises what `Proposals.make` raises.
        """
        table = (await self._desk.shelf.look(table_id)).table
        kind = RESUME if table.status is Status.PAUSED else PAUSE
        return await self._proposals.make(table_id, user, kind, "", LASTING, delivery=delivery)

    async def wake(self, table_id: int, user: int, *, delivery: str | None = None) -> Table:
        """The user wakes a sleeping table; one that is awake stays as it is.

        Raises NotSeated, NotStarted, TablePaused or TableOver.
        """

        async def work() -> Table:
            loaded = await self._desk.shelf.load(table_id)
            seat = lobby.seated(loaded.table, user)
            if loaded.table.status is not Status.SLEEPING:
                lobby.check_playing(loaded.table)
                return loaded.table
            unit = Unit()
            table = replace(loaded.table, status=Status.PLAYING)
            after = self._desk.note(unit, loaded, table, seat, user, record.WAKE)
            look_after(unit, table_id, self._desk.clock.now())
            await self._desk.commit(unit, after, [Debt(OwedKind.BOARD)], delivery)
            return after.table

        return await self._desk.once(table_id, delivery, work, self._desk.table_again)

    async def _pause(
        self, loaded: Loaded, row: ProposalRow, unit: Unit
    ) -> tuple[Loaded, Iterable[Debt]]:
        return self._agreed(loaded, row, unit, Status.PAUSED, record.PAUSE)

    async def _resume(
        self, loaded: Loaded, row: ProposalRow, unit: Unit
    ) -> tuple[Loaded, Iterable[Debt]]:
        return self._agreed(loaded, row, unit, Status.PLAYING, record.RESUME)

    def _agreed(
        self, loaded: Loaded, row: ProposalRow, unit: Unit, status: Status, line: str
    ) -> tuple[Loaded, Iterable[Debt]]:
        seat = lobby.seated(loaded.table, row.by)
        table = replace(loaded.table, status=status)
        after = self._desk.note(unit, loaded, table, seat, row.by, line)
        return after, [Debt(OwedKind.BOARD)]

    async def _look(self, due: DueRow) -> None:
        """Warns a table at which nobody has acted for weeks, or puts it to sleep after that."""
        desk = self._desk

        async def work() -> None:
            loaded = await desk.shelf.load(due.table)
            unit, now = Unit(), desk.clock.now()
            unit.drop_due(due.table, WHOLE_TABLE, due.kind)
            after, debts = loaded, list[Debt]()
            last = await self._last(loaded)
            if loaded.table.status is Status.PAUSED:
                look_after(unit, due.table, now)
            elif loaded.table.status is Status.PLAYING and last + UNTIL_WARNED > now:
                look_after(unit, due.table, last)
            elif loaded.table.status is Status.PLAYING and due.kind == IDLE:
                unit.set_due(replace(due, kind=SLEEP, at=now + UNTIL_ASLEEP))
                debts = [Debt(OwedKind.IDLE)]
            elif loaded.table.status is Status.PLAYING:
                table = replace(loaded.table, status=Status.SLEEPING)
                after = desk.note(unit, loaded, table, NOBODY, None, record.SLEEP)
                debts = [Debt(OwedKind.BOARD)]
            await desk.commit(unit, after, debts, None)

        await desk.shelf.alone(due.table, work)

    async def _last(self, loaded: Loaded) -> datetime:
        """When all last noticed that something was done at the table. All see when it is warned,
        and so what is done in secret does not put that off."""
        if loaded.now is None:
            return loaded.table.created
        happened = loaded.now.recent
        if not any(each.noticed for each in happened):
            happened = await self._desk.shelf.happened(loaded.table.id, 0)
        return next(each.at for each in reversed(happened) if each.noticed)
