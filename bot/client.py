"""The discord.py client: its events, and how it syncs the commands."""

from __future__ import annotations

import logging
from collections.abc import Callable, Coroutine, Iterable, Mapping
from contextlib import AbstractAsyncContextManager, AsyncExitStack
from typing import Any, cast

import aiohttp
import discord
from discord import app_commands
from discord.ext import commands

from bot.cogs.ui.reply import Answers
from bot.cogs.ui.routes import Routes, Tree, register
from bot.cogs.ui.services import Services
from bot.text.words import ENGLISH, Message, NameContext, Words

log = logging.getLogger(__name__)

SHUTDOWN_S = 3.0
"""Seconds that replies in progress have to finish when the bot stops."""

RATE_LIMIT_S = 30.0
"""Maximum seconds that a request waits for a rate limit; discord.py allows no lower limit."""

ROUTED = (discord.InteractionType.component, discord.InteractionType.modal_submit)

TEXTS = ("name", "description", "name_localizations", "description_localizations")
COMPARED_FIELDS = (
    *(*TEXTS, "type", "options", "contexts", "integration_types", "nsfw", "value"),
    *("default_member_permissions", "required", "autocomplete", "choices", "channel_types"),
    *("min_value", "max_value", "min_length", "max_length"),
)
"""The fields of commands, options and choices to compare.

Discord adds ids and a version, and derives `dm_permission` from the contexts.
"""
DEFAULTS = {"type": 1, "integration_types": [0]}
"""Discord's default values: a slash command, for servers."""
GLOBAL_ONLY = ("contexts", "integration_types")
"""Fields that Discord drops for commands of a single server."""

GROUPED = (
    discord.AppCommandOptionType.subcommand.value,
    discord.AppCommandOptionType.subcommand_group.value,
)
"""The types of options that are sub-commands."""


class GameBot(commands.Bot):
    """The bot. It uses only slash commands and components, so it needs no privileged intents."""

    tree: Tree

    def __init__(
        self,
        services: Services,
        *,
        dev_guild: int | None,
        guild_ready_s: float,
        http_trace: aiohttp.TraceConfig | None,
        **sharding: Any,
    ) -> None:
        intents = discord.Intents.none()
        intents.guilds = True
        super().__init__(
            commands.when_mentioned,
            help_command=None,
            intents=intents,
            tree_cls=Tree,
            # A user-installed bot could answer in places where it cannot post.
            allowed_installs=app_commands.AppInstallationType(guild=True, user=False),
            allowed_contexts=app_commands.AppCommandContext(
                guild=True, dm_channel=True, private_channel=False
            ),
            allowed_mentions=discord.AllowedMentions.none(),
            member_cache_flags=discord.MemberCacheFlags.none(),
            chunk_guilds_at_startup=False,
            max_messages=None,
            # A request that would wait longer fails, and its caller retries.
            max_ratelimit_timeout=RATE_LIMIT_S,
            guild_ready_timeout=guild_ready_s,
            # None is allowed, although its type does not say so.
            http_trace=cast(aiohttp.TraceConfig, http_trace),
            **sharding,
        )
        self.router = Routes(services)
        self.answers = Answers(services.metrics)
        self.services = services
        self.cogs_to_load: tuple[commands.Cog, ...] = ()
        self.dialogues: tuple[object, ...] = ()
        """Objects whose decorated methods answer commands and components."""
        self.at_work: tuple[Callable[[], AbstractAsyncContextManager[Any]], ...] = ()
        """Background services that run as long as the bot; they end in reverse order."""
        self._working = AsyncExitStack()
        self._dev_guild = dev_guild
        self._languages = discord_languages(services.words_for)

    async def setup_hook(self) -> None:
        """Load the cogs and sync the commands."""
        await self.load()
        await self.sync_commands()

    async def load(self) -> None:
        """Add the cogs and commands, and start the background services."""
        for cog in self.cogs_to_load:
            await self.add_cog(cog)
        register(self.tree, self.router, self.dialogues)
        for each in self.at_work:
            await self._working.enter_async_context(each())

    def expects_server(self, guild: int) -> bool:
        """Return whether another process has this server, or Discord has not sent it yet."""
        return False

    async def close(self) -> None:
        """Finish replies and posts, then disconnect."""
        await self.answers.finish(SHUTDOWN_S)
        for name in list(self.cogs):
            await self.remove_cog(name)
        await self._working.aclose()
        await super().close()

    def dispatch(self, event_name: str, /, *args: Any, **kwargs: Any) -> None:
        """Dispatch an event, unless there is no event loop.

        discord.py's wait for the last server may outlive a client that is closed early.
        """
        if self.loop is not discord.utils.MISSING:
            super().dispatch(event_name, *args, **kwargs)

    async def on_interaction(self, interaction: discord.Interaction[Any]) -> None:
        """Route components and modals, as discord.py's own views are lost at a restart."""
        if interaction.type in ROUTED:
            await self.router.dispatch(interaction)

    async def sync_commands(self) -> None:
        """Send the commands to Discord if they have changed."""
        guild, scope = None, ""
        if self._dev_guild is not None:
            guild, scope = discord.Object(self._dev_guild), f"/guilds/{self._dev_guild}"
            self.tree.copy_global_to(guild=guild)
        wanted = [
            localized(command.to_dict(self.tree), self._languages)
            for command in self.tree.get_commands(guild=guild)
        ]

        def ask(method: str, **parts: Any) -> Coroutine[Any, Any, Any]:
            path = f"/applications/{{application_id}}{scope}/commands"
            route = discord.http.Route(method, path, application_id=self.application_id)
            return self.http.request(route, **parts)

        # discord.py's own functions handle only one language at a time.
        existing = await ask("GET", params={"with_localizations": "true"})
        if are_in_sync(existing, wanted, in_guild=guild is not None):
            log.info("commands unchanged count=%s", len(wanted))
        else:
            await ask("PUT", json=wanted)
            log.info("commands synced count=%s", len(wanted))


Payload = Mapping[str, Any]


def discord_languages(words_for: Callable[[str | None], Words]) -> Mapping[str, Words]:
    """Return the languages except English, by Discord's names for them."""
    by_locale = {locale.value: words_for(locale.value) for locale in discord.Locale}
    return {locale: words for locale, words in by_locale.items() if words.locale != ENGLISH}


def localized(
    payload: Mapping[str, Any],
    languages: Mapping[str, Words],
    place: NameContext | None = NameContext.COMMAND,
) -> dict[str, Any]:
    """Return a command's payload with names and descriptions in those languages.

    discord.py would ask for a translation into every language that Discord supports.
    """
    result = dict(payload)
    name, description = Message(payload["name"]), payload.get("description")
    result["name_localizations"] = {
        locale: words(name) if place is None else words.name(place, name)
        for locale, words in languages.items()
    }
    if description is not None:
        result["description_localizations"] = {
            locale: words(Message(description)) for locale, words in languages.items()
        }
    if "options" in payload:
        result["options"] = [
            localized(
                option,
                languages,
                NameContext.COMMAND if option["type"] in GROUPED else NameContext.OPTION,
            )
            for option in payload["options"]
        ]
    if "choices" in payload:
        result["choices"] = [localized(choice, languages, None) for choice in payload["choices"]]
    return result


def are_in_sync(existing: Iterable[Payload], wanted: Iterable[Payload], *, in_guild: bool) -> bool:
    """Return whether Discord's commands equal those that would be sent, in any order.

    Discord returns them in another form (see its documentation, "Application Command Object").
    Sending them again would make all clients reload them.
    """

    def by_name(commands: Iterable[Payload]) -> dict[tuple[Any, Any], Payload]:
        payloads = [DEFAULTS | _comparable(each) for each in commands]
        for each in payloads if in_guild else ():
            for name in GLOBAL_ONLY:
                each.pop(name, None)
        return {(each["type"], each["name"]): each for each in payloads}

    return by_name(existing) == by_name(wanted)


def _comparable(payload: Payload) -> dict[str, Any]:
    """Return a command, an option or a choice without fields that have default values."""
    result: dict[str, Any] = {}
    for name in COMPARED_FIELDS:
        value = payload.get(name)
        # A minimum of 0 is not a default.
        if value is None or value is False or value in ("", [], {}):
            continue
        match name:
            case "default_member_permissions":
                value = str(value)
            case "contexts" | "integration_types" | "channel_types":
                value = sorted(value)
            case "options" | "choices":
                value = [_comparable(each) for each in value]
        result[name] = value
    return result
