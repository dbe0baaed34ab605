"""The discord.py client: what it listens to, and the commands it makes known."""

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

FAREWELL = 3.0
"""Seconds that answers under way have to end when the bot stops."""

RATE_LIMIT_S = 30.0
"""Seconds that a request waits for a rate limit of Discord at most; the library takes no less."""

HEARD = (discord.InteractionType.component, discord.InteractionType.modal_submit)

TEXTS = ("name", "description", "name_localizations", "description_localizations")
KEPT = (
    *(*TEXTS, "type", "options", "contexts", "integration_types", "nsfw", "value"),
    *("default_member_permissions", "required", "autocomplete", "choices", "channel_types"),
    *("min_value", "max_value", "min_length", "max_length"),
)
"""What Discord keeps of a command, an option or a choice. It adds ids and a version, and derives
`dm_permission` from the contexts."""
DEFAULTS = {"type": 1, "integration_types": [0]}
"""What Discord takes a command to be where nothing is said: typed in the chat, of a server."""
GLOBAL_ALONE = ("contexts", "integration_types")
"""What Discord does not keep of a command that is registered in one server."""

GROUPED = (
    discord.AppCommandOptionType.subcommand.value,
    discord.AppCommandOptionType.subcommand_group.value,
)
"""The options of a command that are commands themselves."""


class GameBot(commands.Bot):
    """Plays by slash commands and components alone, so it needs no privileged intents."""

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
            # A bot that somebody takes along for themselves could answer where it can post nothing.
            allowed_installs=app_commands.AppInstallationType(guild=True, user=False),
            allowed_contexts=app_commands.AppCommandContext(
                guild=True, dm_channel=True, private_channel=False
            ),
            allowed_mentions=discord.AllowedMentions.none(),
            member_cache_flags=discord.MemberCacheFlags.none(),
            chunk_guilds_at_startup=False,
            max_messages=None,
            # What would wait longer fails, and is tried again by whoever asked for it.
            max_ratelimit_timeout=RATE_LIMIT_S,
            guild_ready_timeout=guild_ready_s,
            # None stands for none, though its type does not say so.
            http_trace=cast(aiohttp.TraceConfig, http_trace),
            **sharding,
        )
        self.router = Routes(services)
        self.answers = Answers(services.metrics)
        self.services = services
        self.cogs_to_load: tuple[commands.Cog, ...] = ()
        self.dialogues: tuple[object, ...] = ()
        """Whose decorated methods answer commands and presses."""
        self.at_work: tuple[Callable[[], AbstractAsyncContextManager[Any]], ...] = ()
        """What runs as long as the bot does; what comes last ends first."""
        self._working = AsyncExitStack()
        self._dev_guild = dev_guild
        self._languages = discord_languages(services.words_for)

    async def setup_hook(self) -> None:
        """Load the cogs, make the commands known."""
        await self.load()
        await self.sync_commands()

    async def load(self) -> None:
        """Begin what runs all the time, and add the commands."""
        for cog in self.cogs_to_load:
            await self.add_cog(cog)
        register(self.tree, self.router, self.dialogues)
        for each in self.at_work:
            await self._working.enter_async_context(each())

    def expects_server(self, guild: int) -> bool:
        """Whether Discord would tell of that server somewhere else, or later than of all others."""
        return False

    async def close(self) -> None:
        """Let answers and posts under way end, then leave Discord."""
        await self.answers.finish(FAREWELL)
        for name in list(self.cogs):
            await self.remove_cog(name)
        await self._working.aclose()
        await super().close()

    def dispatch(self, event_name: str, /, *args: Any, **kwargs: Any) -> None:
        """Tell of an event, as long as there is a loop: discord.py's wait for the last of its
        servers outlives a client that is closed early.
        """
        if self.loop is not discord.utils.MISSING:
            super().dispatch(event_name, *args, **kwargs)

    async def on_interaction(self, interaction: discord.Interaction[Any]) -> None:
        """Hear presses and filled forms here: discord.py forgets them when the process ends."""
        if interaction.type in HEARD:
            await self.router.hear(interaction)

    async def sync_commands(self) -> None:
        """Give Discord the commands, unless it has the same."""
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

        # Not by discord.py's own functions, which know one language at a time.
        known = await ask("GET", params={"with_localizations": "true"})
        if are_in_sync(known, wanted, in_guild=guild is not None):
            log.info("commands unchanged count=%s", len(wanted))
        else:
            await ask("PUT", json=wanted)
            log.info("commands synced count=%s", len(wanted))


Payload = Mapping[str, Any]


def discord_languages(words_for: Callable[[str | None], Words]) -> Mapping[str, Words]:
    """The languages besides English by Discord's names for them."""
    known = {locale.value: words_for(locale.value) for locale in discord.Locale}
    return {locale: words for locale, words in known.items() if words.locale != ENGLISH}


def localized(
    payload: Mapping[str, Any],
    languages: Mapping[str, Words],
    place: NameContext | None = NameContext.COMMAND,
) -> dict[str, Any]:
    """What Discord is told of a command, with its names and descriptions in those languages.

    discord.py would ask for each of them in all the languages that Discord has.
    """
    told = dict(payload)
    name, description = Message(payload["name"]), payload.get("description")
    told["name_localizations"] = {
        locale: words(name) if place is None else words.name(place, name)
        for locale, words in languages.items()
    }
    if description is not None:
        told["description_localizations"] = {
            locale: words(Message(description)) for locale, words in languages.items()
        }
    if "options" in payload:
        told["options"] = [
            localized(
                option,
                languages,
                NameContext.COMMAND if option["type"] in GROUPED else NameContext.OPTION,
            )
            for option in payload["options"]
        ]
    if "choices" in payload:
        told["choices"] = [localized(choice, languages, None) for choice in payload["choices"]]
    return told


def are_in_sync(known: Iterable[Payload], wanted: Iterable[Payload], *, in_guild: bool) -> bool:
    """Whether the commands that Discord gives back are those that would be sent, in any order.

    Discord gives them back in another form (its documentation, "Application Command Object").
    Sending them anew makes people's clients load them anew.
    """

    def by_name(commands: Iterable[Payload]) -> dict[tuple[Any, Any], Payload]:
        told = [DEFAULTS | _comparable(each) for each in commands]
        for each in told if in_guild else ():
            for name in GLOBAL_ALONE:
                each.pop(name, None)
        return {(each["type"], each["name"]): each for each in told}

    return by_name(known) == by_name(wanted)


def _comparable(said: Payload) -> dict[str, Any]:
    """A command, an option or a choice, without what says nothing."""
    told: dict[str, Any] = {}
    for name in KEPT:
        value = said.get(name)
        # A lowest value of 0 does say something.
        if value is None or value is False or value in ("", [], {}):
            continue
        match name:
            case "default_member_permissions":
                value = str(value)
            case "contexts" | "integration_types" | "channel_types":
                value = sorted(value)
            case "options" | "choices":
                value = [_comparable(each) for each in value]
        told[name] = value
    return told
