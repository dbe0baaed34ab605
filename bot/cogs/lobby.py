"""The buttons of a table that has not begun."""

from __future__ import annotations

from collections.abc import Sequence

import discord
from discord.ext import commands

from bot.cogs.flows.seating import Seating
from bot.cogs.ui.component_router import ComponentRouter, Verb, Way
from bot.cogs.ui.components import Pressable, button, option, select
from bot.cogs.ui.custom_id import CustomId, only
from bot.cogs.ui.layout import said
from bot.cogs.ui.reply import Reply
from bot.cogs.ui.services import Services
from bot.cogs.ui.table_terms import agreed, offered_terms
from bot.tables import Status, Table
from bot.text import general, terms
from bot.text.contract import Label
from bot.text.markup import bold
from bot.text.words import Words


class LobbyCog(commands.Cog, name="lobby"):
    """Join, leave, computers, options, start."""

    def __init__(self, services: Services, seating: Seating, router: ComponentRouter) -> None:
        self._services = services
        self._seating = seating
        self._router = router
        self._verbs: dict[str, Verb] = {
            "join": Verb(self._join),
            "leave": Verb(self._leave),
            "begin": Verb(self._begin),
            "keep": Verb(self._keep),
            "computer": Verb(self._computer),
            "options": Verb(self._options),
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

    async def _join(self, reply: Reply, custom_id: CustomId, _values: Sequence[str]) -> None:
        await self._seating.join(reply, custom_id.table, quiet=True)

    async def _leave(self, reply: Reply, custom_id: CustomId, _values: Sequence[str]) -> None:
        await self._seating.leave(reply, custom_id.table, quiet=True)

    async def _begin(self, reply: Reply, custom_id: CustomId, _values: Sequence[str]) -> None:
        await self._seating.start(reply, custom_id.table, quiet=True)

    async def _keep(self, reply: Reply, custom_id: CustomId, _values: Sequence[str]) -> None:
        await self._services.tables.idle_lobbies.keep(
            custom_id.table, reply.user, delivery=reply.delivery
        )
        await reply.acknowledge()

    async def _computer(self, reply: Reply, custom_id: CustomId, _values: Sequence[str]) -> None:
        table = await self._services.tables.reader.get(custom_id.table)
        await self._seating.add_computer(
            reply, custom_id.table, self._services.usual_computer(table)
        )
        await reply.acknowledge()

    async def _options(self, reply: Reply, custom_id: CustomId, _values: Sequence[str]) -> None:
        await self._show(reply, await self._services.tables.reader.get(custom_id.table))

    async def _set(self, reply: Reply, custom_id: CustomId, values: Sequence[str]) -> None:
        name, value = only(custom_id.words), only(values)
        if await self._is_late(reply, custom_id):
            return
        table = await self._seating.set_option(reply, custom_id.table, name, value)
        await self._show(reply, table)

    async def _add(self, reply: Reply, custom_id: CustomId, _values: Sequence[str]) -> None:
        policy = only(custom_id.words)
        if await self._is_late(reply, custom_id):
            return
        table = await self._seating.add_computer(reply, custom_id.table, policy)
        await self._show(reply, table)

    async def _remove(self, reply: Reply, custom_id: CustomId, _values: Sequence[str]) -> None:
        if await self._is_late(reply, custom_id):
            return
        await self._show(reply, await self._seating.remove_computer(reply, custom_id.table))

    async def _is_late(self, reply: Reply, custom_id: CustomId) -> bool:
        """Whether the table has started or closed; the panel then says so and loses its buttons."""
        table = await self._services.tables.reader.get(custom_id.table)
        if table.status is Status.LOBBY:
            return False
        await self._show(reply, table)
        return True

    async def _show(self, reply: Reply, table: Table) -> None:
        words, text = self._services.reader(reply.interaction), self._services.text(table)
        if table.status is Status.LOBBY:
            # The menus say how each stands.
            await reply.show(said(bold(words(general.OPTIONS)), self._items(words, table)))
            return
        if table.status is Status.ABANDONED:
            lines = [words(general.ABANDONED)]
        else:
            lines = [words(general.OPTIONS_STAY), text.options_summary(words, table.options)]
            lines.append(terms.summary(words, agreed(self._services, table)))
        await reply.show(said("\n".join(lines)))

    def _items(self, words: Words, table: Table) -> list[Pressable]:
        text = self._services.text(table)
        values = {**table.options, **agreed(self._services, table)}
        items = []
        offered = offered_terms(self._services, table)
        for known in (*self._services.rules(table).options, *offered):
            name = terms.option(words, text, known.name)
            chosen = values.get(known.name, known.values[0])
            lines: list[discord.SelectOption] = [
                option(
                    value,
                    Label(f"{name}: {terms.option_value(words, text, known.name, value)}"),
                    default=value == chosen,
                )
                for value in known.values
            ]
            custom_id = CustomId("set", table.id, None, (known.name,))
            items.append(select(custom_id, lines, name))
        full = len(table.players) >= max(self._services.rules(table).seats)
        for policy in self._services.computers(table):
            label = f"{words(general.ADD_COMPUTER)}: {general.policy_label(words, policy)}"
            custom_id = CustomId("add", table.id, None, (policy,))
            items.append(button(custom_id, label, disabled=full))
        if any(not player.is_human for player in table.players):
            items.append(button(CustomId("remove", table.id), words(general.REMOVE_COMPUTER)))
        return items
