"""Opening a table, sitting down, getting up, and trying whether direct messages get through."""

from __future__ import annotations

import logging

import discord

from bot.cogs.common.places import Closed, Nowhere, Places, Unreachable
from bot.cogs.common.reply import Reply
from bot.cogs.common.shell import Shell
from bot.cogs.common.trouble import TABLE, Sorry, in_words
from bot.tables import Table, UnknownPolicy
from bot.text import general
from bot.text.markup import bold
from bot.text.words import Words

log = logging.getLogger(__name__)

NEEDED = discord.Permissions(view_channel=True, send_messages=True, attach_files=True)
NEEDED_IN_THREAD = discord.Permissions(
    view_channel=True, send_messages_in_threads=True, attach_files=True
)


class Seating:
    """What people do around a table before the game; answers the person each time."""

    def __init__(self, shell: Shell, places: Places) -> None:
        self._shell = shell
        self._tables = shell.tables
        self._places = places

    async def open(self, reply: Reply, game: str, computers: int, policy: str) -> None:
        """A new table in this channel, with the person at it."""
        interaction = reply.interaction
        if game not in self._shell.games:
            raise Sorry("unknown_game", game=game)
        in_thread = isinstance(interaction.channel, discord.Thread)
        needed = NEEDED_IN_THREAD if in_thread else NEEDED
        if interaction.guild_id is not None and not interaction.app_permissions >= needed:
            raise Sorry("no_permission")
        if interaction.channel_id is None:
            raise Sorry("not_in_server")
        if computers and policy not in self._shell.policies[game]:
            raise UnknownPolicy(policy=policy)
        user, words = interaction.user, self._words(reply)
        table = await self._tables.open(
            game,
            user.id,
            user.display_name,
            interaction.guild_id,
            interaction.channel_id,
            delivery=reply.delivery,
        )
        interaction.extras[TABLE] = table
        _log(reply, "opened", table)
        for number in range(min(computers, max(self._shell.games[game].seats) - 1)):
            table = await self.add_computer(reply, table.id, policy, mark=f".{number}")
        title = self._shell.texts[game].title
        await reply.say(words(general.OPENED, name=bold(user.display_name), game=title))
        await self._try_message(reply, table)

    async def join(self, reply: Reply, table_id: int, *, quiet: bool = False) -> None:
        """The person takes a seat; `quiet` where the lobby message tells enough."""
        user = reply.interaction.user
        table = await self._tables.join(
            table_id, user.id, user.display_name, delivery=reply.delivery
        )
        _log(reply, "joined", table)
        if quiet:
            await reply.acknowledge()
        else:
            name = bold(user.display_name)
            await reply.say(self._words(reply)(general.JOINED, name=name))
        await self._try_message(reply, table)

    async def leave(self, reply: Reply, table_id: int, *, quiet: bool = False) -> None:
        """The person gets up."""
        user = reply.interaction.user
        table = await self._tables.leave(table_id, user.id, delivery=reply.delivery)
        _log(reply, "left", table)
        if quiet:
            await reply.acknowledge()
        else:
            name = bold(user.display_name)
            await reply.say(self._words(reply)(general.LEFT, name=name))

    async def start(self, reply: Reply, table_id: int, *, quiet: bool = False) -> None:
        """The game begins."""
        table = await self._tables.start(
            table_id, reply.interaction.user.id, delivery=reply.delivery
        )
        _log(reply, "started", table)
        if quiet:
            await reply.acknowledge()
        else:
            words, title = self._words(reply), self._shell.texts[table.game].title
            players = words.listing([bold(name) for name in table.names])
            await reply.say(words(general.STARTED, players=players, game=title))

    async def add_computer(
        self, reply: Reply, table_id: int, policy: str, *, mark: str = ""
    ) -> Table:
        """A computer player sits down. Several of one interaction are told apart by `mark`."""
        table = await self._tables.get(table_id)
        words = self._words(reply)
        taken = set(table.names)
        number = next(
            number
            for number in range(1, len(taken) + 2)
            if general.computer_name(words, number) not in taken
        )
        table = await self._tables.add_computer(
            table_id,
            reply.interaction.user.id,
            policy,
            name=general.computer_name(words, number),
            delivery=reply.delivery + mark,
        )
        _log(reply, "added a computer", table)
        return table

    async def remove_computer(self, reply: Reply, table_id: int) -> Table:
        """The last computer player gets up."""
        table = await self._tables.remove_computer(
            table_id, reply.interaction.user.id, delivery=reply.delivery
        )
        _log(reply, "removed a computer", table)
        return table

    async def set_option(self, reply: Reply, table_id: int, name: str, value: str) -> Table:
        """Another value for an option."""
        table = await self._tables.set_option(
            table_id, reply.interaction.user.id, name, value, delivery=reply.delivery
        )
        _log(reply, "set an option", table)
        return table

    async def announce(
        self, reply: Reply, table: Table, content: str, view: discord.ui.View
    ) -> None:
        """Tell the whole table, wherever the person acted; once for each interaction."""
        view.stop()
        try:
            await self._places.send(
                table,
                content=content,
                view=view,
                nonce=f"say.{reply.delivery}",
                allowed_mentions=discord.AllowedMentions.none(),
            )
        except (Nowhere, Closed):
            log.warning("table=%s has no place to be told anything", table.id)

    async def _try_message(self, reply: Reply, table: Table) -> None:
        """Whether secrets will get through is learnt now, not in the middle of the game."""
        words, user = self._words(reply), reply.interaction.user
        title = self._shell.texts[table.game].title
        try:
            await self._places.whisper_to(
                user.id,
                content=words(general.WELCOME_DM, table=table.id, game=title),
                nonce=f"{table.id}.{user.id % 10**12}.hi"[:25],
            )
        except Unreachable:
            log.info("table=%s user=%s takes no direct messages", table.id, user.id)
            await self._tables.set_reachable(table.id, user.id, False)
            await reply.say(in_words(self._shell, words, Sorry("dm_blocked"), table))

    def _words(self, reply: Reply) -> Words:
        return self._shell.reader(reply.interaction)


def _log(reply: Reply, what: str, table: Table) -> None:
    log.info("%s table=%s user=%s", what, table.id, reply.interaction.user.id)
