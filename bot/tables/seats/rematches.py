"""Another game for those who have just ended one: once for each table."""

from __future__ import annotations

from collections.abc import Callable

from msgspec.structs import replace

from bot.game.chance import commitment
from bot.store import HandledRow
from bot.tables.core import errors, seating
from bot.tables.core.cache import from_store
from bot.tables.core.model import Player, Status, Table
from bot.tables.core.unit_of_work import UnitOfWork


class Rematches:
    """Opens rematches, and knows those that there are."""

    def __init__(self, unit_of_work: UnitOfWork, new_key: Callable[[], bytes]) -> None:
        self._unit_of_work = unit_of_work
        self._new_key = new_key

    async def of(self, table_id: int) -> Table | None:
        """The rematch of a table, if there is one. Raises StoreUnavailable."""
        found = await from_store(self._unit_of_work.store.rematch(table_id))
        return None if found is None else (await self._unit_of_work.cache.read(found)).table

    async def open(
        self,
        table_id: int,
        user: int,
        name: str,
        *,
        reachable: bool = True,
        delivery: str | None = None,
    ) -> Table:
        """A lobby with the game, the options and the terms of a table that is over.

        The user, who sat there, is its host. Raises not_seated, not_over or rematch_open.
        """
        unit_of_work = self._unit_of_work

        async def work() -> Table:
            before = (await unit_of_work.cache.load(table_id)).table
            seating.seated(before, user)
            if not before.is_over:
                raise errors.Rejected("not_over")
            known = await self.of(table_id)
            if known is not None:
                raise errors.Rejected("rematch_open", table=known.id)
            game, key = unit_of_work.newest(before.game), self._new_key()
            table = replace(
                before,
                id=await from_store(unit_of_work.store.new_table_id()),
                version=game.version,
                status=Status.LOBBY,
                options=seating.options_of(game, seating.kept_options(before, game)),
                players=(Player(0, name, user, None, reachable),),
                host=user,
                thread=None,
                lobby_message=None,
                panel_message=None,
                key_hash=commitment(key),
                created=unit_of_work.clock.now(),
                posted_seq=-1,
                rematch_of=table_id,
            )
            try:
                return await unit_of_work.open_lobby(table, key, delivery)
            except errors.ConflictingWrite as error:
                # Somebody else has opened it, in another process: that is seen the second time.
                raise errors.StaleCopy("conflict") from error

        async def again(done: HandledRow) -> Table:
            return (await unit_of_work.cache.read(done.table)).table

        # Alone at the table that is over, so that it has one rematch; nobody knows the new one yet.
        return await unit_of_work.once(table_id, delivery, work, again)
