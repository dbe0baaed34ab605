"""Lobbies in which nobody does anything: they say so, and close some days later.

Whatever anybody changes in a lobby keeps it open, and so does one press of who sits there.
"""

from __future__ import annotations

from datetime import datetime, timedelta

from msgspec.structs import replace

from bot.store import DueRow, Unit
from bot.tables import lobby
from bot.tables.desk import Desk, kept
from bot.tables.due import WHOLE_TABLE, Due
from bot.tables.model import OwedKind, Status, Table
from bot.tables.owing import Debt

IDLE = "lobby.idle"
CLOSE = "lobby.close"

UNTIL_WARNED = timedelta(days=14)
UNTIL_CLOSED = timedelta(days=3)
"""How long nothing was done when a lobby says that it will close, and how much later it does."""


def look_after(unit: Unit, table: Table, at: datetime) -> None:
    """Adds to the unit that somebody looks, one day, whether anything is done in that lobby."""
    unit.set_due(DueRow(table.id, WHOLE_TABLE, IDLE, at + UNTIL_WARNED))
    unit.drop_due(table.id, WHOLE_TABLE, CLOSE)


class Dormant:
    """Warns lobbies, and closes them."""

    def __init__(self, desk: Desk, due: Due) -> None:
        self._desk = desk
        desk.tending.append(look_after)
        due.on(IDLE, self._look)
        due.on(CLOSE, self._look)

    async def closes(self, table_id: int) -> datetime | None:
        """When the lobby will close; None where it has not been warned."""
        return await kept(self._desk.store.due_at(table_id, WHOLE_TABLE, CLOSE))

    async def keep(self, table_id: int, user: int, *, delivery: str | None = None) -> Table:
        """The user keeps a lobby open. Raises NotSeated, or AlreadyStarted where it is none."""

        def change(table: Table, _: object) -> Table:
            lobby.check_lobby(table)
            lobby.seated(table, user)
            return table

        return await self._desk.change(table_id, delivery, change, lambda _: [Debt(OwedKind.LOBBY)])

    async def _look(self, due: DueRow) -> None:
        async def work() -> None:
            loaded = await self._desk.shelf.load(due.table)
            unit, debts = Unit(), []
            unit.drop_due(due.table, WHOLE_TABLE, due.kind)
            if loaded.table.status is Status.LOBBY:
                debts.append(Debt(OwedKind.LOBBY))
                if due.kind == IDLE:
                    at = self._desk.clock.now() + UNTIL_CLOSED
                    unit.set_due(replace(due, kind=CLOSE, at=at))
                else:
                    closed = replace(loaded.table, status=Status.ABANDONED)
                    loaded = loaded.with_table(closed)
                    unit.save_table(loaded.row())
            await self._desk.commit(unit, loaded, debts, None)

        await self._desk.shelf.alone(due.table, work)
