"""Opening a table, joining and leaving it, and checking that direct messages get through."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager, suppress
from functools import cache
from typing import Any

import discord

from bot.cogs.ui import user_errors, who
from bot.cogs.ui.budgets import Budget
from bot.cogs.ui.channels import MAX_NONCE, Closed, Places, Unreachable
from bot.cogs.ui.custom_id import CustomId
from bot.cogs.ui.layout import Card, Control, Image, Layout, Part, Row, Text, button, said
from bot.cogs.ui.reply import Reply
from bot.cogs.ui.services import Services
from bot.cogs.ui.user_errors import TABLE, explained
from bot.resources import data
from bot.tables import Rejected, Status, Table
from bot.tables.people import Notices
from bot.tables.servers import Server
from bot.text import general, table_words
from bot.text.contract import Style
from bot.text.markup import bold
from bot.text.words import Words

log = logging.getLogger(__name__)

NEEDED = discord.Permissions(view_channel=True, send_messages=True, attach_files=True)
NEEDED_IN_THREAD = discord.Permissions(
    view_channel=True, send_messages_in_threads=True, attach_files=True
)


class Seating:
    """What people do around a table before the game; each method answers the person."""

    def __init__(self, services: Services, places: Places) -> None:
        self._services = services
        self._tables = services.tables
        self._places = places
        self._opening = asyncio.Lock()

    async def offer(self, reply: Reply, computers: int = 0, policy: str = "") -> None:
        """Show the games to choose from, a card each; a table is opened with what is given.

        Raises unknown_policy, and Rejected where no table can be opened.
        """
        titles, words = self._services.titles, self._words(reply)
        known = {level for title in titles.values() for level in self._services.levels(title)}
        if policy and policy not in known:
            raise Rejected("unknown_policy", policy=policy)
        _channel(reply.interaction)
        user_errors.charge(self._services, reply.interaction, Budget.PICTURES)
        chosen = (str(computers), policy) if computers else ()
        parts: list[Part] = [Text(bold(words(general.WHICH_GAME)))]
        for name, title in titles.items():
            said = general.card(words, title.text, title.game.seats)
            game, picture = words(title.text.title), _cover(name)
            if picture is None:
                parts.append(Text(said))
            else:
                alt = words(general.COVER, game=game)
                parts.append(Card(said, Image(f"{name}.png", alt, picture)))
            label = words(general.PLAY_GAME, game=game)
            parts.append(Row([button(CustomId("newtable", 0, name, chosen), label)]))
        await reply.say(Layout(parts))

    async def open(self, reply: Reply, game: str, computers: int = 0, policy: str = "") -> None:
        """Open a table in this channel, with the person seated; without a `policy` computer players
        are of the usual level."""
        interaction = reply.interaction
        if game not in self._services.titles:
            raise Rejected("unknown_game", game=game)
        channel = _channel(interaction)
        known = self._services.titles[game]
        policy = policy or known.usual
        if policy not in self._services.levels(known):
            raise Rejected("unknown_policy", policy=policy)
        user_errors.charge(self._services, interaction, Budget.TABLES)
        user, words = interaction.user, self._words(reply)
        async with self._room(reply, interaction.guild_id, channel) as server:
            table = await self._tables.lobby.open(
                game,
                user.id,
                who.stored_name(user),
                interaction.guild_id,
                channel,
                server.options_of(self._services.titles.games[game]),
                delivery=reply.delivery,
            )
        interaction.extras[TABLE] = table
        _log(reply, "opened", table)
        for number in range(min(computers, max(self._services.titles.games[game].seats) - 1)):
            table = await self.add_computer(reply, table.id, policy, mark=f".{number}")
        title = words(self._services.titles.texts[game].title)
        await reply.show(words(general.OPENED, table=table.id, game=title))
        await self._try_message(reply, table)

    async def usual(self, guild: int | None) -> str | None:
        """What is played where nobody says what: what the server's owners have set, or the only
        game there is."""
        titles = self._services.titles
        game = "" if guild is None else (await self._tables.servers.get(guild)).game
        if game in titles:
            return game
        return next(iter(titles)) if len(titles) == 1 else None

    async def rematch(self, reply: Reply, table_id: int) -> None:
        """Open another table for those who have finished a game, or say where it is."""
        interaction, words = reply.interaction, self._words(reply)
        before = await self._tables.reader.get(table_id)
        after = await self._tables.seats.rematch_of(table_id)
        if after is not None:
            content = words(table_words.REMATCH_THERE, table=after.id, place=_place(after))
            joining = after.status is Status.LOBBY and after.seat_of(reply.user) is None
            await reply.say(said(content, [_join(words, after)] if joining else []))
            return
        async with self._room(reply, before.guild, before.channel):
            after = await self._tables.seats.open_rematch(
                table_id, reply.user, who.stored_name(interaction.user), delivery=reply.delivery
            )
        _log(reply, f"asked for a rematch of {table_id}:", after)
        known = self._services.levels(self._services.title_of(after))
        policies = [player.policy for player in before.players if player.user is None]
        for number, policy in enumerate(policies):
            if policy is not None:
                level = policy if policy in known else self._services.title_of(after).usual
                await self.add_computer(reply, after.id, level, mark=f".{number}")
        await reply.say(words(table_words.REMATCH_OPENED, table=after.id))
        others = [player for player in before.owners if player.user != reply.user]
        house = await self._services.house(interaction.client, before)
        content = table_words.invited(
            house,
            who.own_name(house, before, interaction.user),
            after.id,
            _place(after),
            [f"<@{player.user}>" for player in others],
        )
        invitation = said(content, [_join(house, after)])
        notify = [player.user for player in others if player.user is not None]
        await self.announce(reply, before, invitation, notify=notify)
        await self._try_message(reply, after)

    async def bring(self, reply: Reply, data: bytes) -> None:
        """Open a table in this channel with a game from a file."""
        interaction, words = reply.interaction, self._words(reply)
        channel = _channel(interaction)
        # Checking a long game takes a while, and others may open tables meanwhile.
        checked = await self._tables.imports.check(data)
        async with self._room(reply, interaction.guild_id, channel):
            table = await self._tables.imports.open(
                checked, reply.user, interaction.guild_id, channel, delivery=reply.delivery
            )
        interaction.extras[TABLE] = table
        _log(reply, "imported", table)
        message = table_words.BROUGHT_OVER if table.is_over else table_words.BROUGHT
        title = self._services.title(words, table.game)
        await reply.say(words(message, table=table.id, game=title))

    async def join(self, reply: Reply, table_id: int, *, quiet: bool = False) -> None:
        """Give the person a seat; `quiet` where the lobby message is answer enough."""
        user = reply.interaction.user
        table = await self._tables.lobby.join(
            table_id, user.id, who.stored_name(user), delivery=reply.delivery
        )
        _log(reply, "joined", table)
        if quiet:
            await reply.acknowledge()
        else:
            await reply.say(self._words(reply)(general.JOINED, table=table.id))
        await self._try_message(reply, table)

    async def leave(self, reply: Reply, table_id: int, *, quiet: bool = False) -> None:
        """The person leaves the table."""
        user = reply.interaction.user
        table = await self._tables.lobby.leave(table_id, user.id, delivery=reply.delivery)
        _log(reply, "left", table)
        if quiet:
            await reply.acknowledge()
        else:
            await reply.say(self._words(reply)(general.LEFT))

    async def start(self, reply: Reply, table_id: int, *, quiet: bool = False) -> None:
        """The game begins."""
        table = await self._tables.lobby.start(
            table_id, reply.interaction.user.id, delivery=reply.delivery
        )
        _log(reply, "started", table)
        if quiet:
            await reply.acknowledge()
        else:
            words = self._words(reply)
            title = self._services.title(words, table.game)
            players = words.listing([bold(name) for name in who.names(words, table)])
            await reply.say(words(general.STARTED, players=players, game=title))

    async def add_computer(
        self, reply: Reply, table_id: int, policy: str, *, mark: str = ""
    ) -> Table:
        """Seat a computer player. `mark` tells several from one interaction apart."""
        table = await self._tables.reader.get(table_id)
        words = self._words(reply)
        taken = set(table.names)
        number = next(
            number
            for number in range(1, len(taken) + 2)
            if general.computer_name(words, policy, number) not in taken
        )
        table = await self._tables.lobby.add_computer(
            table_id,
            reply.interaction.user.id,
            policy,
            name=general.computer_name(words, policy, number),
            delivery=reply.delivery + mark,
        )
        _log(reply, "added a computer", table)
        return table

    async def remove_computer(self, reply: Reply, table_id: int) -> Table:
        """Remove the last computer player."""
        table = await self._tables.lobby.remove_computer(
            table_id, reply.interaction.user.id, delivery=reply.delivery
        )
        _log(reply, "removed a computer", table)
        return table

    async def set_option(self, reply: Reply, table_id: int, name: str, value: str) -> Table:
        """Another value for an option."""
        table = await self._tables.lobby.set_option(
            table_id, reply.interaction.user.id, name, value, delivery=reply.delivery
        )
        _log(reply, "set an option", table)
        return table

    async def announce(
        self,
        reply: Reply,
        table: Table,
        layout: Layout,
        *,
        notify: Sequence[int] = (),
    ) -> None:
        """Post to the whole table, wherever the person acted; once per interaction.

        It rings the users to `notify`.
        """
        try:
            nonce = f"say.{reply.delivery}"
            await self._places.say(table, layout, nonce=nonce, pinged=notify)
        except Closed:
            log.warning("table=%s has no place to be told anything", table.id)

    async def is_told_here(self, user: int) -> bool:
        """Whether a ping in the channel is how and when the user wants to be told something."""
        person = await self._tables.people.get(user)
        is_held = await self._tables.notifications.held_until(user) is not None
        return person.notices is not Notices.DM and not is_held

    async def write_to(self, user: int, table: Table, message: str) -> None:
        """A direct message to somebody who sits at a table no more; in quiet hours it does not
        ring."""
        is_held = await self._tables.notifications.held_until(user) is not None
        nonce = f"{table.id}.{user % 10**12}.out"[:MAX_NONCE]
        try:
            await self._places.say_direct(user, message, nonce=nonce, silent=is_held)
        except Unreachable:
            log.info("table=%s user=%s gets no direct messages", table.id, user)

    @asynccontextmanager
    async def _room(self, reply: Reply, guild: int | None, channel: int) -> AsyncIterator[Server]:
        """Held while a table is opened, so that nobody else opens one; yields the server's
        settings.

        Raises Rejected where its owners do not want a table there, and what `Servers.check_room`
        raises.
        """
        servers = self._tables.servers
        async with self._opening:
            server = Server(0) if guild is None else await servers.get(guild)
            if server.channels and await self._parent(reply, guild, channel) not in server.channels:
                raise Rejected("channel_closed", channels=tuple(server.channels))
            await servers.check_room(self._services.limits, guild, reply.user)
            yield server

    async def _parent(self, reply: Reply, guild: int | None, place: int) -> int:
        """The channel of a thread, or the channel itself."""
        client = reply.interaction.client
        here = None if guild is None else client.get_guild(guild)
        found: Any = None if here is None else here.get_channel_or_thread(place)
        if found is None and guild is not None:
            # It may be archived, or another process may have the server.
            with suppress(discord.HTTPException):
                found = await client.fetch_channel(place)
        return found.parent_id if isinstance(found, discord.Thread) else place

    async def _try_message(self, reply: Reply, table: Table) -> None:
        """Find out now whether secrets will get through, not in the middle of the game."""
        words, user = self._words(reply), reply.interaction.user
        title = self._services.title(words, table.game)
        try:
            await self._places.say_direct(
                user.id,
                words(general.WELCOME_DM, table=table.id, game=title),
                nonce=f"{table.id}.{user.id % 10**12}.hi"[:MAX_NONCE],
                silent=True,
            )
        except Unreachable as error:
            if not error.closed:
                return
            log.info("table=%s user=%s takes no direct messages", table.id, user.id)
            await self._tables.lobby.set_reachable(table.id, user.id, False)
            await reply.say(explained(self._services, words, Rejected("dm_blocked"), table))

    def _words(self, reply: Reply) -> Words:
        return reply.words


@cache
def _cover(game: str) -> bytes | None:
    """The small picture on the card of a game; None where it has none."""
    file = data(game, "cover.png")
    return file.read_bytes() if file.is_file() else None


def _channel(interaction: discord.Interaction[Any]) -> int:
    """The channel to open a table in. Raises Rejected where no table can be opened."""
    in_thread = isinstance(interaction.channel, discord.Thread)
    needed = NEEDED_IN_THREAD if in_thread else NEEDED
    if interaction.guild_id is not None and not interaction.app_permissions >= needed:
        raise Rejected("no_permission")
    if interaction.channel_id is None:
        raise Rejected("not_in_server")
    return interaction.channel_id


def _place(table: Table) -> str:
    return f"<#{table.thread or table.channel}>"


def _join(words: Words, table: Table) -> Control:
    return button(CustomId("join", table.id), words(general.JOIN), style=Style.SUCCESS)


def _log(reply: Reply, what: str, table: Table) -> None:
    log.info("%s table=%s user=%s", what, table.id, reply.interaction.user.id)
