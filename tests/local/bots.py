"""A sample bot on the real discord.py."""

from __future__ import annotations

import asyncio
import io
import re
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from typing import Any

import discord
import pytest
from discord import app_commands
from PIL import Image

from bot.host.gateway import point_discord_at
from bot.local import Standin

COLOURS = ("red", "green", "blue")
PATIENCE_S = 30.0
"""Timeout of waits, long enough for a busy machine."""


class Count(discord.ui.DynamicItem[discord.ui.Button[Any]], template=r"count:(?P<n>\d+)"):
    """A button that survives restarts, as its id has its number."""

    def __init__(self, n: int) -> None:
        super().__init__(discord.ui.Button(label=f"Count {n}", custom_id=f"count:{n}"))
        self.n = n

    @classmethod
    async def from_custom_id(
        cls, interaction: discord.Interaction, item: discord.ui.Item[Any], match: re.Match[str], /
    ) -> Count:
        return cls(int(match["n"]))

    async def callback(self, interaction: discord.Interaction) -> None:
        await interaction.response.edit_message(content="counted", view=counter(self.n + 1))


def counter(n: int) -> discord.ui.View:
    return discord.ui.View(timeout=None).add_item(Count(n))


class Letter(discord.ui.Modal, title="A letter"):
    """A modal with a select and a text field."""

    to: discord.ui.Label[Any] = discord.ui.Label(
        text="Recipient",
        component=discord.ui.Select(
            custom_id="to", options=[discord.SelectOption(label=name) for name in ("Bert", "Clara")]
        ),
    )
    words: discord.ui.Label[Any] = discord.ui.Label(
        text="Words", component=discord.ui.TextInput(custom_id="words", max_length=20)
    )

    async def on_submit(self, interaction: discord.Interaction) -> None:
        assert isinstance(self.to.component, discord.ui.Select)
        assert isinstance(self.words.component, discord.ui.TextInput)
        text = f"to {self.to.component.values[0]}: {self.words.component.value}"
        await interaction.response.send_message(text, ephemeral=True)


class Panel(discord.ui.View):
    def __init__(self) -> None:
        super().__init__(timeout=None)

    @discord.ui.button(label="Secret", custom_id="secret", style=discord.ButtonStyle.primary)
    async def secret(self, interaction: discord.Interaction, _: Any) -> None:
        await interaction.response.send_message("for you only", ephemeral=True)

    @discord.ui.button(label="Letter", custom_id="letter")
    async def letter(self, interaction: discord.Interaction[SampleBot], _: Any) -> None:
        await interaction.response.send_modal(Letter())
        interaction.client.mark_ready("letter")

    @discord.ui.button(label="Silence", custom_id="silence", style=discord.ButtonStyle.danger)
    async def silence(self, interaction: discord.Interaction, _: Any) -> None:
        """Do not answer."""

    @discord.ui.button(label="Later", custom_id="later")
    async def later(self, interaction: discord.Interaction, _: Any) -> None:
        await interaction.response.defer()
        await interaction.edit_original_response(content="changed later")

    @discord.ui.button(label="Closed", custom_id="closed", disabled=True)
    async def closed(self, interaction: discord.Interaction, _: Any) -> None:
        """Fail to be pressed, as the button is disabled."""

    @discord.ui.select(
        custom_id="goods",
        min_values=1,
        max_values=2,
        options=[discord.SelectOption(label=name) for name in ("Ore", "Fish", "Cloth")],
        row=1,
    )
    async def goods(self, interaction: discord.Interaction, select: Any) -> None:
        await interaction.response.send_message("loaded " + " and ".join(select.values))


class SampleBot(discord.Client):
    def __init__(self, **options: Any) -> None:
        intents = discord.Intents.none()
        intents.guilds = True
        super().__init__(intents=intents, guild_ready_timeout=0.05, **options)
        self.tree = app_commands.CommandTree(self)
        self.seen: list[discord.Interaction] = []
        self._changed = asyncio.Event()
        self._registered: set[str] = set()
        add_commands(self.tree)

    async def setup_hook(self) -> None:
        self.add_dynamic_items(Count)
        self.add_view(Panel())
        await self.tree.set_translator(ItalianNames())
        await self.tree.sync()

    async def before_identify_hook(self, shard_id: int | None, *, initial: bool = False) -> None:
        """Identify immediately; only Discord wants five seconds between two."""

    async def on_interaction(self, interaction: discord.Interaction) -> None:
        self.seen.append(interaction)
        self._changed.set()

    async def on_guild_available(self, _: discord.Guild) -> None:
        self._changed.set()

    async def on_guild_update(self, _before: discord.Guild, _after: discord.Guild) -> None:
        self._changed.set()

    async def on_guild_join(self, _: discord.Guild) -> None:
        self._changed.set()

    def mark_ready(self, name: str) -> None:
        """Record that discord.py has registered a modal or button."""
        self._registered.add(name)
        self._changed.set()

    async def until_ready(self, name: str) -> None:
        """Wait until the bot can handle a modal or button.

        discord.py registers it only after Discord's response, and ignores earlier interactions.
        """
        await self.until(lambda: name in self._registered)
        self._registered.remove(name)

    async def until_guilds_available(self) -> None:
        """Wait for all servers; on a busy machine, discord.py is ready before."""
        await self.until(lambda: not any(guild.unavailable for guild in self.guilds))

    async def until(self, predicate: Callable[[], bool]) -> None:
        """Wait until `predicate()` is true after an event."""
        async with asyncio.timeout(PATIENCE_S):
            while not predicate():
                await self._changed.wait()
                self._changed.clear()

    def place(self, channel_id: int) -> discord.TextChannel:
        channel = self.get_channel(channel_id)
        assert isinstance(channel, discord.TextChannel)
        return channel


class ItalianNames(app_commands.Translator):
    async def translate(
        self,
        string: app_commands.locale_str,
        locale: discord.Locale,
        context: app_commands.TranslationContextTypes,
    ) -> str | None:
        names = {"game": "partita", "new": "nuova", "paint": "dipingi", "colour": "colore"}
        return names.get(string.message) if locale is discord.Locale.italian else None


def add_commands(tree: app_commands.CommandTree[SampleBot]) -> None:
    game = app_commands.Group(name="game", description="Tables")
    tree.add_command(game)

    @game.command(name="new", description="Open a table")
    @app_commands.choices(
        game=[app_commands.Choice(name=n.title(), value=n) for n in ("kogge", "burgundy")]
    )
    async def new(
        interaction: discord.Interaction,
        game: str,
        seats: app_commands.Range[int, 2, 4] = 4,
        friend: discord.Member | None = None,
        open_money: bool = False,
    ) -> None:
        invited = friend.display_name if friend is not None else "no one"
        text = f"{game} for {seats} with {invited}, open {open_money}"
        await interaction.response.send_message(text, view=Panel())

    @tree.command(name="paint", description="Choose a colour")
    async def paint(interaction: discord.Interaction, colour: str) -> None:
        await interaction.response.send_message(f"painted {colour}", ephemeral=True)

    @paint.autocomplete("colour")
    async def colours(_: discord.Interaction, typed: str) -> list[app_commands.Choice[str]]:
        matches = [name for name in COLOURS if typed in name]
        return [app_commands.Choice(name=name.title(), value=name) for name in matches]

    @tree.command(name="count", description="A button that counts")
    async def count(interaction: discord.Interaction) -> None:
        await interaction.response.send_message("count", view=counter(1))

    @tree.command(name="import", description="Read a file")
    async def import_(interaction: discord.Interaction, file: discord.Attachment) -> None:
        data = await file.read()
        await interaction.response.send_message(f"{file.filename}: {data.decode()}")

    @tree.command(name="where", description="Show the language and the place")
    async def where(interaction: discord.Interaction) -> None:
        place = "direct" if interaction.guild is None else interaction.guild.name
        await interaction.response.send_message(f"{interaction.locale} in {place}")


@asynccontextmanager
async def running(bot: SampleBot, standin: Standin) -> AsyncIterator[SampleBot]:
    """Log the bot in to the stand-in, and out at the end."""
    with point_discord_at(standin.url):
        async with bot:
            await bot.login(standin.token)
            connection = asyncio.create_task(bot.connect())
            ready = asyncio.create_task(bot.wait_until_ready())
            await asyncio.wait((connection, ready), return_when=asyncio.FIRST_COMPLETED)
            if connection.done():
                ready.cancel()
                connection.result()
            try:
                await bot.until_guilds_available()
                yield bot
            finally:
                await bot.close()
                await connection


async def refused(code: int, action: Awaitable[object]) -> None:
    """Assert that Discord refuses an action with an error code."""
    with pytest.raises(discord.HTTPException) as raised:
        await action
    assert raised.value.code == code


def picture(name: str = "board.png", size: tuple[int, int] = (60, 40)) -> discord.File:
    file = io.BytesIO()
    Image.new("RGB", size, "#17364a").save(file, "PNG")
    file.seek(0)
    return discord.File(file, name, description="A blue board")
