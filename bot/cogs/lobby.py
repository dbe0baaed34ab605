"""The buttons of a table that has not begun."""

from __future__ import annotations

from collections.abc import Sequence

from discord.ext import commands

from bot.cogs.flows.lobby_options import ADVANCED, LobbyOptions
from bot.cogs.flows.seating import Seating
from bot.cogs.ui.access import Scope
from bot.cogs.ui.custom_id import CustomId, Forged, only
from bot.cogs.ui.reply import Reply
from bot.cogs.ui.routes import PressRoute, Routes, Verb, Way
from bot.cogs.ui.services import Services
from bot.tables import Status


class LobbyCog(commands.Cog, name="lobby"):
    """Join, leave, computers, options, start."""

    def __init__(
        self,
        services: Services,
        seating: Seating,
        panels: LobbyOptions,
        router: Routes,
    ) -> None:
        self._services = services
        self._panels = panels
        self._seating = seating
        self._router = router
        self._verbs: dict[str, PressRoute] = {
            "newgame": Verb(self._new, scope=Scope.NO_TABLE),
            "newtable": Verb(self._open, scope=Scope.NO_TABLE, words=(0, 2), decided=True),
            "join": Verb(self._join),
            "leave": Verb(self._leave),
            "begin": Verb(self._begin),
            "keep": Verb(self._keep),
            "computer": Verb(self._computer),
            "options": Verb(self._options, words=(0, 1)),
            "set": Verb(self._set, (Way.SELECT,), words=(1,)),
            "add": Verb(self._add, words=(1,)),
            "remove": Verb(self._remove),
        }

    async def cog_load(self) -> None:
        """Register the verbs of the lobby."""
        for name, verb in self._verbs.items():
            self._router.on(name, verb)

    async def cog_unload(self) -> None:
        """Remove them."""
        self._router.off(*self._verbs)

    async def _new(self, reply: Reply, _custom_id: CustomId, _values: Sequence[str]) -> None:
        await self._seating.offer(reply)

    async def _open(self, reply: Reply, custom_id: CustomId, _values: Sequence[str]) -> None:
        count, level = custom_id.words or ("0", "")
        if custom_id.decision is None or not (count.isdecimal() and len(count) == 1):
            raise Forged(custom_id)
        await self._seating.open(reply, custom_id.decision, int(count), level)

    async def _join(self, reply: Reply, custom_id: CustomId, _values: Sequence[str]) -> None:
        await self._seating.join(reply, custom_id.table, quiet=True)

    async def _leave(self, reply: Reply, custom_id: CustomId, _values: Sequence[str]) -> None:
        await self._seating.leave(reply, custom_id.table, quiet=True)

    async def _begin(self, reply: Reply, custom_id: CustomId, _values: Sequence[str]) -> None:
        await self._seating.start(reply, custom_id.table, quiet=True)

    async def _keep(self, reply: Reply, custom_id: CustomId, _values: Sequence[str]) -> None:
        await self._services.tables.idleness.keep_open(
            custom_id.table, reply.user, delivery=reply.delivery
        )
        await reply.acknowledge()

    async def _computer(self, reply: Reply, custom_id: CustomId, _values: Sequence[str]) -> None:
        table = await self._services.tables.reader.get(custom_id.table)
        await self._seating.add_computer(
            reply, custom_id.table, self._services.title_of(table).usual
        )
        await reply.acknowledge()

    async def _options(self, reply: Reply, custom_id: CustomId, _values: Sequence[str]) -> None:
        advanced = bool(custom_id.words) and only(custom_id.words, (ADVANCED,)) == ADVANCED
        table = await self._services.tables.reader.get(custom_id.table)
        await self._panels.show(reply, table, advanced=advanced)

    async def _set(self, reply: Reply, custom_id: CustomId, values: Sequence[str]) -> None:
        name, value = only(custom_id.words), only(values)
        if await self._is_late(reply, custom_id):
            return
        table = await self._seating.set_option(reply, custom_id.table, name, value)
        await self._panels.show(reply, table, advanced=self._panels.is_advanced(table, name))

    async def _add(self, reply: Reply, custom_id: CustomId, _values: Sequence[str]) -> None:
        policy = only(custom_id.words)
        if await self._is_late(reply, custom_id):
            return
        table = await self._seating.add_computer(reply, custom_id.table, policy)
        await self._panels.show(reply, table)

    async def _remove(self, reply: Reply, custom_id: CustomId, _values: Sequence[str]) -> None:
        if await self._is_late(reply, custom_id):
            return
        await self._panels.show(reply, await self._seating.remove_computer(reply, custom_id.table))

    async def _is_late(self, reply: Reply, custom_id: CustomId) -> bool:
        """Whether the table has started or closed; the panel then says so and loses its buttons."""
        table = await self._services.tables.reader.get(custom_id.table)
        if table.status is Status.LOBBY:
            return False
        await self._panels.show(reply, table)
        return True
