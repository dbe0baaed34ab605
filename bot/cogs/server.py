"""`/server`: what the owners of a server set for its tables. Only they see and use it.

It also hears when the bot leaves a server or comes back.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from typing import Any

import aiohttp
import discord
from discord import app_commands
from discord.ext import commands

from bot.cogs.flows.personal_settings import DISCORD
from bot.cogs.ui.access import Scope, owned
from bot.cogs.ui.autocomplete import Choice, bilingual, matching
from bot.cogs.ui.custom_id import CustomId
from bot.cogs.ui.layout import Interaction, button, said
from bot.cogs.ui.localized_commands import command, fixed, in_servers
from bot.cogs.ui.reply import Reply
from bot.cogs.ui.routes import Routes, Verb
from bot.cogs.ui.services import Services, is_in
from bot.tables import Rejected, StoreUnavailable
from bot.tables.servers import Closers, Server
from bot.text import general
from bot.text import server_settings as text
from bot.text.commands import COMMANDS
from bot.text.contract import Style
from bot.text.personal_settings import AS_DISCORD, languages

log = logging.getLogger(__name__)

NO_MEMBER = (10007, 10013)
"""Discord's errors where a user is not in a server, or is no more."""
ASKED_S = 2.0
"""Seconds that Discord has to say whether somebody is in a server."""


@in_servers
@app_commands.default_permissions(manage_guild=True)
class ServerCog(
    commands.GroupCog,
    name="server",
    group_name="server",
    group_description=COMMANDS["server"].description,
):
    """Settings of a server; each answer shows all of them."""

    def __init__(self, services: Services, client: discord.Client, router: Routes) -> None:
        super().__init__()
        self._services = services
        self._servers = services.tables.servers
        self._client = client
        self._router = router

    async def cog_load(self) -> None:
        """Register the button under /server forget, and how it is found out who has left."""
        self._services.tables.server_members.ask = self._has_left
        self._router.on("forgetserver", Verb(self._forget, scope=Scope.NO_TABLE))

    async def cog_unload(self) -> None:
        """Remove them."""
        self._services.tables.server_members.ask = None
        self._router.off("forgetserver")

    @command("server show")
    async def show(self, interaction: Interaction) -> None:
        """Show what is set."""
        async with Reply(interaction) as reply:
            await self._say(reply, await self._servers.get(owned(interaction)))

    @command("server set")
    @app_commands.choices(closers=fixed("closers"), palette=fixed("palette"))
    async def set(
        self,
        interaction: Interaction,
        tables: app_commands.Range[int, 0, 1000] | None = None,
        own: app_commands.Range[int, 0, 1000] | None = None,
        game: str | None = None,
        closers: app_commands.Choice[str] | None = None,
        palette: app_commands.Choice[str] | None = None,
        language: str | None = None,
    ) -> None:
        """Change one setting or several."""
        said: dict[str, Any] = {
            "most_tables": tables,
            "most_own": own,
            "game": game,
            "closers": None if closers is None else Closers(closers.value),
            "palette": None if palette is None else palette.value,
        }
        async with Reply(interaction) as reply:
            guild = owned(interaction)
            fields = {name: value for name, value in said.items() if value is not None}
            if not fields and language is None:
                raise Rejected("nothing_to_set")
            if language is not None:
                if language not in self._languages(interaction):
                    raise Rejected("not_a_choice")
                fields["language"] = None if language == DISCORD else language
            limits = self._services.limits
            for number, most, usual in (
                (tables, limits.tables_most, limits.tables),
                (own, limits.own_most, limits.own),
            ):
                if number is not None and number > most:
                    raise Rejected("limit_too_high", most=most, usual=min(usual, most))
            if game is not None and game not in self._services.titles:
                raise Rejected("unknown_game", game=game)
            await self._say(reply, await self._servers.change(guild, **fields))

    @command("server channel")
    @app_commands.choices(change=fixed("change"))
    async def channel(
        self,
        interaction: Interaction,
        channel: discord.TextChannel | discord.VoiceChannel,
        change: str = "add",
    ) -> None:
        """Set where tables may be opened."""
        async with Reply(interaction) as reply:
            server = await self._servers.allow(
                owned(interaction), channel.id, allowed=change == "add"
            )
            await self._say(reply, server)

    @command("server option")
    async def option(
        self, interaction: Interaction, option: str, value: str, game: str | None = None
    ) -> None:
        """Set what new tables are opened with."""
        async with Reply(interaction) as reply:
            guild = owned(interaction)
            chosen = game or await self._usual(guild)
            before = await self._servers.get(guild)
            server = await self._servers.set_option(guild, chosen, option, value)
            words, title = self._services.words_of(interaction), self._services.titles[chosen]
            usual = {each.name: each.values[0] for each in title.game.options}
            was = before.options_of(title.game).get(option, usual[option])
            name = partial(title.text.option_value, words, option)
            change = general.changed(
                words, title.text.option(words, option), name(was), name(value)
            )
            await self._say(reply, server, change)

    @command("server forget")
    async def forget(self, interaction: Interaction) -> None:
        """Delete all that is stored about the server, once confirmed."""
        async with Reply(interaction) as reply:
            guild, words = owned(interaction), self._services.words_of(interaction)
            tables, still_open = await self._servers.count(guild)
            sure = button(CustomId("forgetserver", 0), words(general.CONFIRM), style=Style.DANGER)
            await reply.say(said(text.forget(words, tables, still_open), [sure]))

    async def _forget(self, reply: Reply, _custom_id: CustomId, _values: Sequence[str]) -> None:
        guild = owned(reply.interaction)
        log.info("server=%s is to be deleted, by user=%s", guild, reply.user)
        await self._servers.remove(guild)
        await reply.show(reply.words(text.FORGETTING))

    # Where people and the bot are

    async def _has_left(self, guild: int, user: int) -> bool:
        try:
            async with asyncio.timeout(ASKED_S):
                await self._client.http.get_member(guild, user)
        except discord.NotFound as error:
            return error.code in NO_MEMBER
        except (discord.HTTPException, aiohttp.ClientError, OSError) as error:
            # Whoever may be there is asked like everybody.
            log.info("server=%s user=%s not looked for: %s", guild, user, type(error).__name__)
        return False

    @commands.Cog.listener()
    async def on_guild_remove(self, guild: discord.Guild) -> None:
        """Remember that the bot has left; of an outage Discord tells in another way."""
        with _logged():
            await self._servers.left(guild.id)

    @commands.Cog.listener()
    async def on_guild_join(self, guild: discord.Guild) -> None:
        """The bot may have come back."""
        with _logged():
            await self._servers.joined(guild.id)

    @commands.Cog.listener()
    async def on_ready(self) -> None:
        """Find out what has happened while the bot was not connected."""
        with _logged():
            await self._servers.look_through(lambda guild: is_in(self._client, guild))

    @commands.Cog.listener()
    async def on_shard_ready(self, _shard: int) -> None:
        """The same for the servers of one shard."""
        await self.on_ready()

    # Choices while typing

    @set.autocomplete("game")
    @option.autocomplete("game")
    async def _games(self, interaction: Interaction, typed: str) -> list[Choice]:
        words = self._services.words_of(interaction)
        games = ((name, words(text.title)) for name, text in self._services.titles.texts.items())
        return matching(games, typed)

    def _languages(self, interaction: Interaction) -> dict[str, str]:
        return {DISCORD: self._services.words_of(interaction)(AS_DISCORD), **languages()}

    @set.autocomplete("language")
    async def _spoken(self, interaction: Interaction, typed: str) -> list[Choice]:
        return matching(self._languages(interaction).items(), typed)

    @option.autocomplete("option")
    async def _options(self, interaction: Interaction, typed: str) -> list[Choice]:
        words, game = self._services.words_of(interaction), await self._meant(interaction)
        text = self._services.titles.texts[game]
        known = self._services.titles.games[game].options
        return matching(
            (bilingual(words, each.name, partial(text.option, name=each.name)) for each in known),
            typed,
        )

    @option.autocomplete("value")
    async def _values(self, interaction: Interaction, typed: str) -> list[Choice]:
        words, game = self._services.words_of(interaction), await self._meant(interaction)
        text, name = self._services.titles.texts[game], interaction.namespace.option
        values = (
            bilingual(words, value, partial(text.option_value, name=name, value=value))
            for each in self._services.titles.games[game].options
            if each.name == name
            for value in each.values
        )
        return matching(values, typed)

    async def _meant(self, interaction: Interaction) -> str:
        game = interaction.namespace.game
        return (
            game if game in self._services.titles else await self._usual(interaction.guild_id or 0)
        )

    async def _usual(self, guild: int) -> str:
        game = (await self._servers.get(guild)).game
        return game if game in self._services.titles else next(iter(self._services.titles))

    async def _say(self, reply: Reply, server: Server, change: str = "") -> None:
        words = reply.words
        options = []
        for title in self._services.titles.values():
            known = title.text
            said = [
                f"{known.option(words, option)}: {known.option_value(words, option, value)}"
                for option, value in server.options_of(title.game).items()
            ]
            if said:
                options.append((words(known.title), said))
        is_known = server.game in self._services.titles
        settings = text.settings(
            words,
            channels=[f"<#{channel}>" for channel in server.channels],
            most_tables=self._services.limits.tables_in(server),
            most_own=self._services.limits.own_in(server),
            game=self._services.title(words, server.game) if is_known else None,
            options=options,
            closers=server.closers.value,
            palette=server.palette,
            language=self._languages(reply.interaction).get(
                server.language or DISCORD, str(server.language)
            ),
        )
        await reply.say("\n".join(filter(None, (change, settings))))


@contextmanager
def _logged() -> Iterator[None]:
    """A database that does not answer has been logged; what was missed is found at the next
    start."""
    try:
        yield
    except StoreUnavailable:
        log.debug("which servers the bot is in cannot be stored just now")
