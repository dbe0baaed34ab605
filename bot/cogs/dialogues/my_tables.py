"""`/game mine`: a user's tables, longest wait first, then those that they only follow."""

from __future__ import annotations

import asyncio
from contextlib import suppress
from functools import partial

import discord
from discord import app_commands

from bot.cogs.ui import (
    Control,
    CustomId,
    Layout,
    MessageSender,
    Part,
    Press,
    Reply,
    Row,
    Services,
    TableOption,
    Text,
    Unreachable,
    button,
    command,
    fixed_choices,
    integer,
    link_button,
    route,
    rows,
    table_lines,
    table_link,
    tables_of,
    text_layout,
)
from bot.cogs.ui.access import may_see, may_view
from bot.cogs.ui.layout import Card
from bot.cogs.ui.services import has_left_server
from bot.cogs.ui.waiting import Seated
from bot.game.contract import SPECTATOR
from bot.render import png
from bot.tables import NOT_OVER, Rejected, Table
from bot.text import Label, Style, Words, bold, clip, general, msg
from bot.text.chronicle import round_name

PER_PAGE = 5
"""Tables of a page: a message has room for 40 components."""
MAX_LINE = 700
"""Characters about each table."""
THUMBNAIL = 320
"""Width in pixels."""
LOOKUP_S = 5.0
"""Seconds to find out whether a follower may still see a table."""


class MyTablesDialogue:
    """The list of a user's tables, and the tables that they follow."""

    def __init__(self, services: Services, sender: MessageSender, client: discord.Client) -> None:
        self._services = services
        self._sender = sender
        self._client = client
        self._following = services.tables.following
        self._following.on_news(self._send)

    @command("game mine")
    async def mine(self, reply: Reply) -> None:
        """Show the first page of the user's tables."""
        await reply.say(await self._page(reply, 0))

    @route("mine", at_table=False, words=(1,))
    async def turn_page(self, press: Press) -> None:
        """Show another page in the same message."""
        await press.reply.show(await self._page(press.reply, integer(press.custom_id.words)))

    async def _page(self, reply: Reply, start: int) -> Layout:
        """Return the page that begins with the table at `start`."""
        words = reply.words
        tables: list[Seated] = [*await tables_of(self._services, reply.user)]
        for table in await self._following.of_user(reply.user):
            tables.append((table, SPECTATOR if may_see(reply.interaction, table) else None, None))
        if not tables:
            return text_layout(words("You aren't playing at any table. `/game new` opens one."))
        start = min(max(start, 0), (len(tables) - 1) // PER_PAGE * PER_PAGE)
        shown = tables[start : start + PER_PAGE]
        parts: list[Part] = [Text(words("**Your tables, longest wait first**"))]
        for each, line in zip(shown, await table_lines(self._services, words, shown), strict=True):
            parts += await self._entry(reply, each, line)
        steps = ((-PER_PAGE, general.BACK, "◀️"), (PER_PAGE, general.FORWARD, "▶️"))
        controls = [
            button(CustomId("mine", 0, words=(str(start + step),)), Label(words(name), emoji))
            for step, name, emoji in steps
            if start + step in range(len(tables))
        ]
        return Layout([*parts, *rows(controls)])

    async def _entry(self, reply: Reply, seated: Seated, line: str) -> list[Part]:
        """Return a table's line with its picture, and its buttons."""
        (table, observer, since), words = seated, reply.words
        text, controls = clip(line, MAX_LINE), [_link(words, table)]
        if since is not None:
            play = CustomId("play", table.id)
            controls.insert(0, button(play, words(general.TAKE_TURN), style=Style.PRIMARY))
        if table.seat_of(reply.user) is None:
            text += "\n-# 👀 " + words("You're following this table, not playing.")
            controls.append(_unfollow_button(words, table))
        card = None if observer is None else await self._card(reply, table, text)
        return [card or Text(text), Row(controls)]

    async def _card(self, reply: Reply, table: Table, text: str) -> Card | None:
        """Return the text with a small public picture of the board; None without a picture."""
        services = self._services
        try:
            table_view = await services.table_view(
                table.id, SPECTATOR, reply.words, user=reply.user
            )
        except Rejected:
            return None
        # Without marked events, for which the whole log might have to be read.
        picture = (
            None
            if await services.prefers_text(table_view)
            else await services.picture(table_view, table_view.seq, ())
        )
        if picture is None or picture.data is None:
            return None
        small = await services.pictures.draw(partial(png.thumbnail, picture.data, THUMBNAIL))
        return Card(text, picture._replace(name=f"board-{table.id}.png", data=small))

    # Following

    @command("table follow", among=NOT_OVER)
    @app_commands.choices(pings=fixed_choices("pings"))
    async def follow(self, reply: Reply, pings: str | None = None, *, table: TableOption) -> None:
        """Follow a table, with or without messages."""
        await self._following.follow(table.id, reply.user, pings=pings == "on")
        answer = (
            msg(
                "You follow table {table}. I'll message you when a round begins and when the game "
                "is over. `/game mine` lists the table."
            )
            if pings == "on"
            else msg("You follow table {table}. `/game mine` lists it.")
        )
        await reply.say(
            text_layout(reply.words(answer, table=table.id), [_unfollow_button(reply.words, table)])
        )

    @route("unfollow", at_table=False, words=(1,))
    async def unfollow(self, press: Press) -> None:
        """Stop following the table in the id, which the user need not see here."""
        number, words = integer(press.custom_id.words), press.reply.words
        await self._following.unfollow(number, press.user)
        await press.reply.say(words("You no longer follow table {table}.", table=number))

    async def _send(self, table: Table, user: int, round_: int) -> bool | None:
        """Send a follower what is public now. See `bot.tables.following.Following.on_news`."""
        server = table.guild or 0
        guild = self._client.get_guild(server)
        if guild is None or guild.unavailable:
            return False if has_left_server(self._client, server) else None
        try:
            async with asyncio.timeout(LOOKUP_S):
                member = await guild.fetch_member(user)
        except discord.NotFound:
            return False
        if not may_view(member, table.channel):
            return False
        services = self._services
        words = await services.user_words(user, await services.server_words(self._client, server))
        table_view = await services.table_view(table.id, SPECTATOR, words)
        if table_view.outcome is not None:
            news = f"{words(general.GAME_OVER)} {table_view.text.winners(table_view.outcome)}"
        elif table_view.table.is_over:
            news = words(general.ABANDONED)
        else:
            to_act = general.to_act_line(words, table_view.to_act())
            news = f"👀 {round_name(words, round_)} · {to_act}"
        content = text_layout(
            f"{bold(services.heading(words, table))}\n{news}",
            [_link(words, table), _unfollow_button(words, table)],
        )
        # By its nonce Discord recognizes a message that is sent again, after a crash or because
        # the game has ended in the meantime.
        nonce = f"{table.id}.{table_view.table.status.value}.{round_}"
        with suppress(Unreachable):
            await self._sender.send_direct(user, content, nonce=nonce)
        return True


def _link(words: Words, table: Table) -> Control:
    return link_button(words(general.GO_TO_TABLE), table_link(table))


def _unfollow_button(words: Words, table: Table) -> Control:
    return button(CustomId("unfollow", 0, words=(str(table.id),)), words("Unfollow"))
