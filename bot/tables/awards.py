"""Records and achievements of people in finished games, separate for each server.

Only games and people with a result count (`bot.tables.results`). A record has one holder, and only
a better value beats it. An achievement counts once for each person. The records of people who turn
statistics off are open again, but stay stored until another record replaces them.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence

import msgspec

from bot.game.contract import Seat
from bot.store import AwardRow, ResultRow, WriteBatch
from bot.tables.core import Table, UnitOfWork, from_store


class Claim(msgspec.Struct, frozen=True):
    """A seat's value for an award. `better` is 1 for a record that higher values beat, -1 for one
    that lower values beat, and 0 for an achievement."""

    award: str
    seat: Seat
    value: int
    better: int


NewAward = tuple[Claim, ResultRow, AwardRow | None]
"""An award that a game brings, the result of its new holder, and the record that it beats."""


class Awards:
    """Records and achievements. All methods raise StoreUnavailable."""

    def __init__(self, unit_of_work: UnitOfWork) -> None:
        self._unit_of_work = unit_of_work
        # Held from the read of the old records to the commit of the new ones. `guarded` does the
        # same between processes.
        self._giving = asyncio.Lock()

    async def find(self, **where: int | str | None) -> list[AwardRow]:
        """Return the awards with these values, without people who turned statistics off."""
        return await from_store(self._unit_of_work.store.awards(**where))

    async def new(self, table: Table, claims: Sequence[Claim]) -> list[NewAward]:
        """Return the awards that a finished game brings. Better claims must come first."""
        people = {
            row.seat: row
            for row in await from_store(self._unit_of_work.store.results_at(table.id))
            if row.score is not None
        }
        held = await self.find(guild=table.guild, game=table.game) if people else []
        new: dict[tuple[str, int], NewAward] = {}
        for claim in claims:
            if (person := people.get(claim.seat)) is None:
                continue
            # A record has only one holder.
            key = claim.award, 0 if claim.better else person.user
            old = [row for row in held if row.award == claim.award and key[1] in (0, row.user)]
            if not old or claim.value * claim.better > old[0].value * claim.better:
                new.setdefault(key, (claim, person, old[0] if old else None))
        return [*new.values()]

    async def give(
        self, table: Table, claims: Sequence[Claim], sent: Callable[[WriteBatch], None]
    ) -> None:
        """Store the awards that a finished game brings, and in the same transaction that their
        post was `sent`: if it is posted again, it must be the same."""

        async def work(batch: WriteBatch) -> None:
            sent(batch)
            for claim, person, _ in await self.new(table, claims):
                batch.give_award(person, claim.award, claim.value, alone=claim.better != 0)

        async with self._giving:
            await self._unit_of_work.guarded(f"awards:{table.guild}:{table.game}", work)
