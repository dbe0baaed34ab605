"""Another game between those who have just ended one: once for each table."""

from __future__ import annotations

from collections.abc import Callable

from msgspec.structs import replace

from bot.game.chance import commitment
from bot.store import HandledRow, Unit
from bot.tables import errors, lobby
from bot.tables.desk import Desk, kept
from bot.tables.model import OwedKind, Player, Status, Table
from bot.tables.owing import Debt
from bot.tables.shelf import Loaded


class Rematches:
    """Opens rematches and knows of those there are."""

    def __init__(self, desk: Desk, new_key: Callable[[], bytes]) -> None:
        self._desk = desk
        self._new_key = new_key

    async def of(self, table_id: int) -> Table | None:
        """The rematch of a table, if there is one. Raises StoreUnavailable."""
        found = await kept(self._desk.store.rematch(table_id))
        return None if found is None else (await self._desk.shelf.look(found)).table

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

        The user, who sat there, is its host. Raises NotSeated, NotOver or RematchOpen.
        """
        desk = self._desk

        async def work() -> Table:
            before = (await desk.shelf.load(table_id)).table
            lobby.seated(before, user)
            if not before.is_over:
                raise errors.NotOver()
            known = await self.of(table_id)
            if known is not None:
                raise errors.RematchOpen(table=known.id)
            game, key = desk.newest(before.game), self._new_key()
            table = replace(
                before,
                id=desk.store.new_table_id(),
                version=game.version,
                status=Status.LOBBY,
                options=lobby.options_of(game, lobby.kept_options(before, game)),
                players=(Player(0, name, user, None, reachable),),
                host=user,
                thread=None,
                lobby_message=None,
                panel_message=None,
                key_hash=commitment(key),
                created=desk.clock.now(),
                posted_seq=-1,
                rematch_of=table_id,
            )
            after = Loaded(table, key)
            unit = Unit()
            unit.add_table(after.row())
            unit.save_players(table.id, after.player_rows())
            desk.tend(unit, table)
            await desk.commit(unit, after, [Debt(OwedKind.LOBBY)], delivery)
            return table

        async def again(done: HandledRow) -> Table:
            return (await desk.shelf.look(done.table)).table

        # Alone at the table that is over, so that it has one rematch; nobody knows the new one yet.
        return await desk.once(table_id, delivery, work, again)
