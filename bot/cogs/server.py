"""`/server`: what the owners of a server set for its tables. Only they see and use it."""

from __future__ import annotations

from typing import Any

import discord
from discord import app_commands
from discord.ext import commands

from bot.cogs.flows.personal_settings import DISCORD
from bot.cogs.ui.autocomplete import Choice, matching
from bot.cogs.ui.components import Interaction
from bot.cogs.ui.localized_commands import command, described, fixed, in_servers, named
from bot.cogs.ui.reply import Reply
from bot.cogs.ui.server_policy import owned
from bot.cogs.ui.services import Services
from bot.cogs.ui.user_errors import UserError
from bot.tables.people.servers import Closers, Server
from bot.text import server_settings as text
from bot.text.personal_settings import AS_DISCORD, languages


@in_servers
@app_commands.default_permissions(manage_guild=True)
class ServerCog(
    commands.GroupCog,
    name="server",
    group_name=named("server"),
    group_description=described("server"),
):
    """Settings of a server; each answer shows all of them."""

    def __init__(self, services: Services) -> None:
        super().__init__()
        self._services = services
        self._servers = services.tables.servers

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
                raise UserError("nothing_to_set")
            if language is not None:
                if language not in self._languages(interaction):
                    raise UserError("not_a_choice")
                fields["language"] = None if language == DISCORD else language
            limits = self._services.limits
            for number, most, usual in (
                (tables, limits.tables_most, limits.tables),
                (own, limits.own_most, limits.own),
            ):
                if number is not None and number > most:
                    raise UserError("limit_too_high", most=most, usual=min(usual, most))
            if game is not None and game not in self._services.titles:
                raise UserError("unknown_game", game=game)
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
            await self._say(reply, await self._servers.set_option(guild, chosen, option, value))

    # Choices while typing

    @set.autocomplete("game")
    @option.autocomplete("game")
    async def _games(self, interaction: Interaction, typed: str) -> list[Choice]:
        words = self._services.reader(interaction)
        games = ((name, words(text.title)) for name, text in self._services.titles.texts.items())
        return matching(games, typed)

    def _languages(self, interaction: Interaction) -> dict[str, str]:
        return {DISCORD: self._services.reader(interaction)(AS_DISCORD), **languages()}

    @set.autocomplete("language")
    async def _spoken(self, interaction: Interaction, typed: str) -> list[Choice]:
        return matching(self._languages(interaction).items(), typed)

    @option.autocomplete("option")
    async def _options(self, interaction: Interaction, typed: str) -> list[Choice]:
        words, game = self._services.reader(interaction), await self._meant(interaction)
        text = self._services.titles.texts[game]
        known = self._services.titles.games[game].options
        return matching(((each.name, text.option(words, each.name)) for each in known), typed)

    @option.autocomplete("value")
    async def _values(self, interaction: Interaction, typed: str) -> list[Choice]:
        words, game = self._services.reader(interaction), await self._meant(interaction)
        text, name = self._services.titles.texts[game], interaction.namespace.option
        values = (
            (value, text.option_value(words, name, value))
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

    async def _say(self, reply: Reply, server: Server) -> None:
        words = self._services.reader(reply.interaction)
        options = []
        for title in self._services.titles.values():
            known = title.text
            said = [
                f"{known.option(words, option)}: {known.option_value(words, option, value)}"
                for option, value in server.options_of(title.game).items()
            ]
            if said:
                options.append((words(known.title), said))
        usual = (
            server.game
            if server.game in self._services.titles
            else next(iter(self._services.titles.games))
        )
        await reply.say(
            text.settings(
                words,
                channels=[f"<#{channel}>" for channel in server.channels],
                most_tables=self._services.limits.tables_in(server),
                most_own=self._services.limits.own_in(server),
                game=words(self._services.titles.texts[usual].title),
                options=options,
                closers=server.closers.value,
                palette=server.palette,
                language=self._languages(reply.interaction).get(
                    server.language or DISCORD, str(server.language)
                ),
            )
        )
