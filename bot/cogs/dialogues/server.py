"""`/server`: the settings of a server for its tables, for members who manage the server."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Coroutine
from functools import partial
from typing import Any

import aiohttp
import discord
from discord import app_commands
from discord.ext import commands

from bot.cogs.dialogues.me import DISCORD, ZONES
from bot.cogs.dialogues.opening import NEEDED
from bot.cogs.ui import (
    Choice,
    CustomId,
    Interaction,
    Press,
    Reply,
    Services,
    command,
    confirmation,
    fixed_choices,
    games_offered,
    in_servers,
    matching,
    options_offered,
    route,
    values_offered,
)
from bot.cogs.ui.access import managed_server
from bot.cogs.ui.routes import Handled
from bot.cogs.ui.services import is_in
from bot.tables import Closers, Rejected, Server, StoreUnavailable
from bot.tables.people import zones
from bot.text import bold, general, msg
from bot.text.personal_settings import AS_DISCORD, PALETTES, languages

log = logging.getLogger(__name__)

CLOSERS = {
    Closers.ALL: msg("all players together"),
    Closers.HOST: msg("all players together, or the host alone"),
    Closers.MODERATORS: msg("all players together, or a moderator alone"),
}
NO_MEMBER = (10007, 10013)
"""Discord's errors if a user is not in a server, or does not exist."""
LOOKUP_S = 2.0
"""Seconds for asking Discord whether a user is in a server."""


def managers(method: Handled) -> Handled:
    """Decorate a command that Discord offers only in servers, to members who manage them."""
    return app_commands.default_permissions(manage_guild=True)(in_servers(method))


class ServerDialogue:
    """Settings of a server; each answer shows all of them."""

    def __init__(self, services: Services) -> None:
        self._services = services
        self._servers = services.tables.servers

    @command("server show")
    @managers
    async def show(self, reply: Reply) -> None:
        await self._say(reply, await self._servers.get(managed_server(reply.interaction)))

    async def _offer_languages(self, interaction: Interaction, typed: str) -> list[Choice]:
        return matching(self._languages(interaction).items(), typed)

    @command("server set", game=games_offered, language=_offer_languages)
    @app_commands.choices(
        closers=fixed_choices("closers"),
        palette=fixed_choices("palette"),
        web=fixed_choices("web"),
    )
    @managers
    async def set(
        self,
        reply: Reply,
        tables: app_commands.Range[int, 0, 1000] | None = None,
        own: app_commands.Range[int, 0, 1000] | None = None,
        game: str | None = None,
        closers: app_commands.Choice[str] | None = None,
        palette: app_commands.Choice[str] | None = None,
        language: str | None = None,
        web: app_commands.Choice[str] | None = None,
    ) -> None:
        """Change one setting or several."""
        guild, limits = managed_server(reply.interaction), self._services.limits
        typed: dict[str, Any] = {
            "most_tables": tables,
            "most_own": own,
            "game": game,
            "closers": None if closers is None else Closers(closers.value),
            "palette": None if palette is None else palette.value,
            "web": None if web is None else web.value == "on",
        }
        fields = {name: value for name, value in typed.items() if value is not None}
        if not fields and language is None:
            raise Rejected("nothing_to_set")
        if language is not None:
            if language not in self._languages(reply.interaction):
                raise Rejected("not_a_choice")
            fields["language"] = None if language == DISCORD else language
        for number, maximum, usual in (
            (tables, limits.tables_max, limits.tables),
            (own, limits.own_max, limits.own),
        ):
            if number is not None and number > maximum:
                raise Rejected("limit_too_high", most=maximum, usual=min(usual, maximum))
        self._services.check_game(game)
        await self._say(reply, await self._servers.change(guild, **fields))

    def _languages(self, interaction: Interaction) -> dict[str, str]:
        return {DISCORD: self._services.words_of(interaction)(AS_DISCORD), **languages()}

    @command("server channel")
    @app_commands.choices(change=fixed_choices("change"))
    @managers
    async def channel(
        self,
        reply: Reply,
        channel: discord.TextChannel | discord.VoiceChannel,
        change: str = "add",
    ) -> None:
        """Set where tables may be opened."""
        guild, allowed = managed_server(reply.interaction), change == "add"
        await self._say(reply, await self._servers.allow(guild, channel.id, allowed=allowed))

    async def _offer_zones(self, _: Interaction, typed: str) -> list[Choice]:
        return matching(((zone, zone) for zone in (sorted(zones()) if typed else ZONES)), typed)

    @command("server find", zone=_offer_zones)
    @managers
    async def find(
        self,
        reply: Reply,
        channel: discord.TextChannel | None = None,
        role: discord.Role | None = None,
        zone: str = "UTC",
    ) -> None:
        """Set where and how searches for players are shown; without a channel, nowhere."""
        guild = managed_server(reply.interaction)
        if channel is not None and not channel.permissions_for(channel.guild.me) >= NEEDED:
            raise Rejected("no_permission")
        if zone not in zones():
            raise Rejected("unknown_zone", zone=zone)
        server = await self._servers.change(
            guild,
            find_channel=None if channel is None else channel.id,
            find_role=None if role is None else role.id,
            find_zone=zone,
        )
        await self._services.tables.searches.refresh(guild)
        await self._say(reply, server)

    async def _offer_options(self, interaction: Interaction, typed: str) -> list[Choice]:
        words, game = self._services.words_of(interaction), await self._chosen_game(interaction)
        titles = self._services.titles
        return options_offered(words, titles.texts[game], titles.games[game].options, typed)

    async def _offer_values(self, interaction: Interaction, typed: str) -> list[Choice]:
        words, game = self._services.words_of(interaction), await self._chosen_game(interaction)
        titles, name = self._services.titles, interaction.namespace.option
        return values_offered(words, titles.texts[game], titles.games[game].options, name, typed)

    @command("server option", game=games_offered, option=_offer_options, value=_offer_values)
    @managers
    async def option(self, reply: Reply, option: str, value: str, game: str | None = None) -> None:
        """Set the default of a game's option for new tables."""
        guild = managed_server(reply.interaction)
        chosen = game or await self._services.usual_game(guild)
        before = await self._servers.get(guild)
        server = await self._servers.set_option(guild, chosen, option, value)
        words, title = reply.words, self._services.titles[chosen]
        own = title.text(words)
        usual = {each.name: each.values[0] for each in title.game.options}
        old_value = before.options_of(title.game).get(option, usual[option])
        shown, name = partial(own.option_value, option), own.option(option)
        await self._say(reply, server, general.changed(words, name, shown(old_value), shown(value)))

    async def _chosen_game(self, interaction: Interaction) -> str:
        game: str = interaction.namespace.game
        if game in self._services.titles:
            return game
        return await self._services.usual_game(interaction.guild_id or 0)

    @command("server forget")
    @managers
    async def ask_to_forget(self, reply: Reply) -> None:
        """Ask to confirm the deletion of everything stored about the server."""
        tables, still_open = await self._servers.count(managed_server(reply.interaction))
        words, open_tables = reply.words, reply.words("No tables are open.")
        if still_open:
            open_tables = words.plural(
                "{count} table is still open and will close.",
                "{count} tables are still open and will close.",
                still_open,
            )
        question = words(
            "Delete everything I store about this server? That is {tables} with all moves, notes "
            "and plans, all results and ratings, and the server's settings. {open} You can't undo "
            "this.",
            tables=words.plural("{count} table", "{count} tables", tables),
            open=open_tables,
        )
        await reply.say(confirmation(words, question, CustomId("forgetserver", 0)))

    @route("forgetserver", at_table=False)
    async def forget(self, press: Press) -> None:
        """Start the deletion."""
        guild = managed_server(press.interaction)
        log.info("server deletion confirmed server=%s user=%s", guild, press.user)
        await self._servers.remove(guild)
        await press.reply.show(
            press.reply.words(
                "I'm deleting everything about this server. It takes a few minutes at most, and "
                "tables opened meanwhile go too. My posts in your channels stay, and backups keep "
                "a copy until they expire."
            )
        )

    async def _say(self, reply: Reply, server: Server, change: str = "") -> None:
        words, titles, limits = reply.words, self._services.titles, self._services.limits
        options = []
        for title in titles.values():
            own = title.text(words)
            shown_options = [
                f"{own.option(name)}: {own.option_value(name, value)}"
                for name, value in server.options_of(title.game).items()
            ]
            if shown_options:
                options.append(
                    words(
                        "New tables of {game}: {options}",
                        game=words(title.text.title),
                        options=" · ".join(shown_options),
                    )
                )
        channels = words.listing([f"<#{channel}>" for channel in server.channels])
        game = bold(self._services.title(words, server.game)) if server.game in titles else ""
        palette = PALETTES.get(server.palette, PALETTES["standard"])
        language = server.language or DISCORD
        found = [
            words("Channel for finding players: {channel}", channel=f"<#{server.find_channel}>"),
            words(
                "Role pinged by new searches, 8:00–22:00 ({zone}): {role}",
                zone=server.find_zone,
                role=words("no one") if server.find_role is None else f"<@&{server.find_role}>",
            ),
        ]
        lines = [
            change,
            words("**Settings for this server's tables**"),
            words("Tables are opened in: {channels}", channels=channels or words("in any channel")),
            words("Limit of open tables: {most}", most=limits.tables_in(server)),
            words("Limit of open tables per person: {most}", most=limits.own_in(server)),
            words("Default game: {game}", game=game or words("not set")),
            *options,
            words("Ending a game unfinished: {who}", who=words(CLOSERS[server.closers])),
            words("Colours of public pictures: {palette}", palette=words(palette)),
            words(
                "Language of public posts: {language}",
                language=self._languages(reply.interaction).get(language, language),
            ),
            words("Tables on the web: those in public channels, if this bot offers that")
            if server.web
            else "",
            *([] if server.find_channel is None else found),
            words(
                "-# Change them with `/server set`, `/server channel`, `/server option` and "
                "`/server find`. Moderators are people who can manage messages. `/server forget` "
                "deletes everything."
            ),
        ]
        await reply.say("\n".join(filter(None, lines)))


class ServersCog(commands.Cog, name="servers"):
    """Listener for the bot's servers, which also looks up whether users have left one."""

    def __init__(self, services: Services, client: discord.Client) -> None:
        self._servers = services.tables.servers
        self._members = services.tables.server_members
        self._client = client

    async def cog_load(self) -> None:
        """Start looking up members."""
        self._members.ask = self._has_left

    async def cog_unload(self) -> None:
        """Stop looking up members."""
        self._members.ask = None

    async def _has_left(self, guild: int, user: int) -> bool:
        try:
            async with asyncio.timeout(LOOKUP_S):
                await self._client.http.get_member(guild, user)
        except discord.NotFound as error:
            return error.code in NO_MEMBER
        except (discord.HTTPException, aiohttp.ClientError, OSError) as error:
            # If in doubt, treat them as present.
            log.info(
                "member lookup failed server=%s user=%s error=%s", guild, user, type(error).__name__
            )
        return False

    @commands.Cog.listener()
    async def on_guild_remove(self, guild: discord.Guild) -> None:
        """Record that the bot has left; Discord reports outages by another event."""
        await _stored(self._servers.left(guild.id))

    @commands.Cog.listener()
    async def on_guild_join(self, guild: discord.Guild) -> None:
        """Record that the bot has joined, perhaps again."""
        await _stored(self._servers.joined(guild.id))

    @commands.Cog.listener()
    @commands.Cog.listener("on_shard_ready")
    async def on_ready(self, _shard: int | None = None) -> None:
        """Find out which servers changed while the bot, or a shard, was not connected."""
        await _stored(self._servers.reconcile(lambda guild: is_in(self._client, guild)))


async def _stored(work: Coroutine[Any, Any, None]) -> None:
    """Ignore an unavailable database, which is logged already; the next start catches up."""
    try:
        await work
    except StoreUnavailable:
        log.debug("server list not saved, database unavailable")
