"""Opening a table: a new one, a rematch, or one from a file."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from functools import cache
from typing import Any

import discord
from discord import app_commands

from bot.cogs.dialogues.lobby import LobbyDialogue, policies_offered
from bot.cogs.ui import (
    Budget,
    Control,
    CustomId,
    Dialogue,
    Forged,
    Image,
    Interaction,
    Layout,
    MessageSender,
    Part,
    Press,
    Reply,
    Row,
    Services,
    TableOption,
    Text,
    button,
    charge,
    command,
    fixed_choices,
    games_offered,
    own_name,
    place_of,
    route,
    stored_name,
    text_layout,
)
from bot.cogs.ui.access import server_of
from bot.cogs.ui.layout import Card
from bot.cogs.ui.user_errors import TABLE
from bot.resources import data
from bot.tables import Rejected, Server, Status, Table
from bot.tables.importing import MAX_BYTES
from bot.text import Style, Words, bold, general, msg, terms
from bot.text.game_data import lessons

log = logging.getLogger(__name__)

OVER = (Status.FINISHED, Status.ABANDONED)
NEEDED = discord.Permissions(view_channel=True, send_messages=True, attach_files=True)
NEEDED_IN_THREAD = discord.Permissions(
    view_channel=True, send_messages_in_threads=True, attach_files=True
)


class OpeningDialogue(Dialogue):
    """Opening of tables in the channel of the command."""

    def __init__(self, services: Services, sender: MessageSender, lobby: LobbyDialogue) -> None:
        super().__init__(services, sender)
        self._lobby = lobby
        self._lock = asyncio.Lock()

    @command("game new", game=games_offered, policy=policies_offered)
    async def new(
        self,
        reply: Reply,
        game: str | None = None,
        computers: app_commands.Range[int, 0, 8] | None = None,
        policy: str | None = None,
    ) -> None:
        """Open a table, or offer the games if the game is not clear."""
        if game is None:
            guild, titles = reply.interaction.guild_id, self._services.titles
            default = "" if guild is None else (await self._tables.servers.get(guild)).game
            games = [default] if default in titles else list(titles)
            game = games[0] if len(games) == 1 else None
        level = "" if policy is None else general.level_of(policy)
        # A level without a number means one computer player.
        count = int(policy is not None) if computers is None else computers
        if game is None:
            await self._offer(reply, count, level)
        else:
            await self._open(reply, game, count, level)

    @route("newgame", at_table=False)
    async def offer(self, press: Press) -> None:
        await self._offer(press.reply)

    async def _offer(self, reply: Reply, computers: int = 0, policy: str = "") -> None:
        """Show a card for each game; its button opens a table with these computer players."""
        titles, words = self._services.titles, reply.words
        known = {level for title in titles.values() for level in self._services.levels(title)}
        if policy and policy not in known:
            raise Rejected("unknown_policy", policy=policy)
        channel_of(reply.interaction)
        charge(self._services, reply.interaction, Budget.PICTURES)
        chosen = (str(computers), policy) if computers else ()
        parts: list[Part] = [Text(bold(words(general.WHICH_GAME)))]
        for name, title in titles.items():
            description = general.card(title.text(words), title.game.seats)
            game, picture = words(title.text.title), _cover(name)
            if picture is None:
                parts.append(Text(description))
            else:
                alt = words("Part of the board of {game}", game=game)
                parts.append(Card(description, Image(f"{name}.png", alt, picture)))
            label = words("Play {game}", game=game)
            controls = [button(CustomId("newtable", 0, name, chosen), label)]
            if lessons(name):
                controls.append(button(CustomId("learn", 0, name), words(general.LEARN)))
            parts.append(Row(controls))
        if reply.interaction.guild_id is not None:
            parts.append(Row([button(CustomId("find", 0), words("Find players"))]))
        await reply.say(Layout(parts))

    @route("newtable", at_table=False, words=(0, 2), has_decision=True)
    async def open_chosen(self, press: Press) -> None:
        """Open a table of the game on the pressed card."""
        _, _, game, words, _ = press.custom_id
        count, level = words or ("0", "")
        if game is None or not (count.isdecimal() and len(count) == 1):
            raise Forged(press.custom_id)
        await self._open(press.reply, game, int(count), level)

    async def _open(self, reply: Reply, game: str, computers: int, policy: str) -> None:
        """Open a table and seat the user and computer players, by default of the usual level."""
        interaction, user = reply.interaction, reply.interaction.user
        self._services.check_game(game)
        channel, title = channel_of(interaction), self._services.titles[game]
        policy = policy or title.default_level
        if policy not in self._services.levels(title):
            raise Rejected("unknown_policy", policy=policy)
        charge(self._services, interaction, Budget.TABLES)
        async with self.may_open(reply, interaction.guild_id, channel) as server:
            table = await self._tables.lobby.open(
                game,
                user.id,
                stored_name(user),
                interaction.guild_id,
                channel,
                server.options_of(title.game),
                delivery=reply.delivery,
            )
        interaction.extras[TABLE] = table
        log.info("opened table=%s user=%s", table.id, user.id)
        for number in range(min(computers, max(title.game.seats) - 1)):
            table = await self._lobby.add_computer(reply, table, policy, mark=f".{number}")
        game = reply.words(title.text.title)
        await reply.show(
            reply.words("You've opened table {table} ({game}).", table=table.id, game=game)
        )
        await self._lobby.welcome(reply, table)

    @command("game watch", game=games_offered, policy=policies_offered)
    @app_commands.choices(every=fixed_choices("every"))
    async def watch(
        self,
        reply: Reply,
        game: str,
        policy: str | None = None,
        every: str = "m1",
        players: app_commands.Range[int, 1, 8] = 3,
    ) -> None:
        """Open a game of computer players, and start it."""
        interaction, words = reply.interaction, reply.words
        self._services.check_game(game)
        guild, channel = server_of(interaction), channel_of(interaction)
        title = self._services.titles[game]
        level = title.default_level if policy is None else general.level_of(policy)
        if level not in self._services.levels(title):
            raise Rejected("unknown_policy", policy=level)
        async with self.may_open(reply, guild, channel) as server:
            table = await self._tables.lobby.open_to_watch(
                game,
                [general.computer_name(words, level, number + 1) for number in range(players)],
                level,
                every,
                host=reply.user,
                guild=guild,
                channel=channel,
                options=server.options_of(title.game),
                delivery=reply.delivery,
            )
        interaction.extras[TABLE] = table
        log.info("opened table=%s user=%s", table.id, reply.user)
        await reply.say(
            words(
                "Table {table}: computers play {game}, {pace}. You can end it with `/game "
                "abandon`.",
                table=table.id,
                game=words(title.text.title),
                pace=words(terms.WATCH_PACES[every]),
            )
        )

    @route("rematch")
    @command("table rematch", among=OVER)
    async def rematch(self, reply: Reply, table: TableOption) -> None:
        """Open a new table for the players of a finished game, or say where it is."""
        user, words = reply.interaction.user, reply.words
        after = await self._tables.seats.rematch_of(table.id)
        if after is not None:
            content = words(
                "There's already a rematch: table {table}, in {place}.",
                table=after.id,
                place=place_of(after),
            )
            joining = after.status is Status.LOBBY and after.seat_of(user.id) is None
            await reply.say(text_layout(content, [_join(words, after)] if joining else []))
            return
        async with self.may_open(reply, table.guild, table.channel):
            after = await self._tables.seats.open_rematch(
                table.id, user.id, stored_name(user), delivery=reply.delivery
            )
        log.info("rematch opened table=%s user=%s rematch_of=%s", after.id, user.id, table.id)
        title = self._services.title_of(after)
        policies = [player.policy for player in table.players if player.user is None]
        for number, policy in enumerate(policies):
            if policy is not None:
                level = policy if policy in self._services.levels(title) else title.default_level
                after = await self._lobby.add_computer(reply, after, level, mark=f".{number}")
        await reply.say(
            words("Table {table} is open for the rematch. I've invited the others.", table=after.id)
        )
        others = [each.user for each in table.owners if each.user and each.user != user.id]
        public_words = await self._services.server_words(reply.interaction.client, table.guild)
        content = general.invited(
            public_words,
            own_name(public_words, table, user),
            after.id,
            place_of(after),
            [f"<@{each}>" for each in others],
        )
        layout = text_layout(content, [_join(public_words, after)])
        await self._sender.announce(table, layout, reply.delivery, pinged=others)
        await self._lobby.welcome(reply, after)

    @command("table import")
    async def import_game(self, reply: Reply, file: discord.Attachment) -> None:
        """Open a table in this channel with the game from a file."""
        interaction = reply.interaction
        if file.size > MAX_BYTES:
            raise Rejected("not_a_game")
        content = await file.read()
        channel = channel_of(interaction)
        # Before taking the lock, as checking a long game takes a while.
        checked = await self._tables.imports.check(content)
        async with self.may_open(reply, interaction.guild_id, channel):
            table = await self._tables.imports.open(
                checked, reply.user, interaction.guild_id, channel, delivery=reply.delivery
            )
        interaction.extras[TABLE] = table
        log.info("imported table=%s user=%s", table.id, reply.user)
        over = msg("Table {table}: a finished game of {game}. Here is the final board.")
        paused = msg(
            "Table {table}: {game}, continued from a file and paused. Players take their seats "
            "with **Take over**, then you press **Resume**. Computer players play the other seats."
        )
        title = self._services.title(reply.words, table.game)
        message = over if table.is_over else paused
        await reply.say(reply.words(message, table=table.id, game=title))

    @asynccontextmanager
    async def may_open(
        self, reply: Reply, guild: int | None, channel: int
    ) -> AsyncIterator[Server]:
        """Hold the lock for opening a table, check the server's limits and yield its settings.

        Raise Rejected if tables may not be opened in this channel, and what `Servers.check_room`
        raises.
        """
        servers = self._tables.servers
        async with self._lock:
            server = Server(0) if guild is None else await servers.get(guild)
            await check_channel(reply, server, channel)
            await servers.check_room(self._services.limits, guild, reply.user)
            yield server


async def check_channel(reply: Reply, server: Server, channel: int) -> None:
    """Raise channel_closed if the server does not allow tables in the channel."""
    if server.channels and await _parent(reply, server.guild, channel) not in server.channels:
        raise Rejected("channel_closed", channels=tuple(server.channels))


async def _parent(reply: Reply, guild: int, place: int) -> int:
    """Return the channel of a thread, or the channel itself."""
    client = reply.interaction.client
    server = client.get_guild(guild)
    channel: Any = None if server is None else server.get_channel_or_thread(place)
    if channel is None:
        # An archived thread is not cached, and another process may have the server.
        with suppress(discord.HTTPException):
            channel = await client.fetch_channel(place)
    return channel.parent_id if isinstance(channel, discord.Thread) else place


@cache
def _cover(game: str) -> bytes | None:
    """Return the picture for a game's card; None if it has none."""
    file = data(game, "cover.png")
    return file.read_bytes() if file.is_file() else None


def channel_of(interaction: Interaction) -> int:
    """Return the channel to open a table in. Raise Rejected if the bot can't post there."""
    needed = NEEDED_IN_THREAD if isinstance(interaction.channel, discord.Thread) else NEEDED
    if interaction.guild_id is not None and not interaction.app_permissions >= needed:
        raise Rejected("no_permission")
    if interaction.channel_id is None:
        raise Rejected("not_in_server")
    return interaction.channel_id


def _join(words: Words, table: Table) -> Control:
    return button(CustomId("join", table.id), words(general.JOIN), style=Style.SUCCESS)
