"""Standing orders: answers that people give in advance, for while they are away or busy."""

from __future__ import annotations

from collections.abc import Mapping

from bot.game.contract import AnyGame
from bot.tables.computers.choosing import Orders, StandingOrder, of_table
from bot.tables.core import errors, seating
from bot.tables.core.model import Table
from bot.tables.core.unit_of_work import UnitOfWork


class StandingOrders:
    """The orders that each player has given at a table."""

    def __init__(self, unit_of_work: UnitOfWork, orders: Orders) -> None:
        self._unit_of_work = unit_of_work
        self._orders = orders

    def known(self, table: Table) -> Mapping[str, StandingOrder]:
        """The standing orders that can be given at a table, by name."""
        return of_table(self._orders, table)

    async def give(
        self,
        table_id: int,
        user: int,
        name: str,
        value: str | None,
        *,
        delivery: str | None = None,
    ) -> Table:
        """Gives one standing order for the user; None takes it back.

        Raises unknown_option or not_seated.
        """

        def change(table: Table, _: AnyGame) -> Table:
            known = self.known(table).get(name)
            if known is None or value not in (None, *known.values):
                raise errors.Rejected("unknown_option", option=name, value=value or "")
            return seating.set_order(table, user, name, value)

        return await self._unit_of_work.change(table_id, delivery, change, lambda _: ())
