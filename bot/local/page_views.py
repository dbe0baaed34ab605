"""The page's JSON for users, servers, channels, messages and commands."""

from __future__ import annotations

import time

from bot.local.interactions import TOKEN_LIFE_S
from bot.local.model import Channel, ChannelKind, Guild, Json, Message, User, snowflake_time
from bot.local.options import innermost, is_offered
from bot.local.wire import Wire
from bot.local.world import World


class Views:
    """Encoder of the world as JSON for one person's page; all ids are strings."""

    def __init__(self, world: World, wire: Wire) -> None:
        self._world = world
        self._wire = wire

    def user(self, user: User) -> Json:
        """Return a user with the settings that the page shows."""
        return {
            "id": str(user.id),
            "name": user.name,
            "slug": user.slug,
            "colour": user.colour,
            "bot": user.is_bot,
            "spectator": user.is_spectator,
            "locale": user.locale,
            "blocks_dms": user.blocks_dms,
        }

    def guild(self, viewer: User, guild_id: str) -> Guild:
        """Return the viewer's server with this id, or else their first one."""
        guilds = self._guilds(viewer) or [self._world.guild]
        return next((guild for guild in guilds if str(guild.id) == guild_id), guilds[0])

    def servers(self, viewer: User, shown: Guild) -> list[Json]:
        """Return the viewer's servers, with the shown one marked."""
        return [
            {"id": str(guild.id), "name": guild.name, "current": guild is shown}
            for guild in self._guilds(viewer)
        ]

    def _guilds(self, viewer: User) -> list[Guild]:
        return [g for g in self._world.guilds.values() if self._world.is_member(viewer.id, g)]

    def channels(self, viewer: User, guild: Guild) -> list[Json]:
        """Return all channels, threads and DMs that a viewer's page of a server shows."""
        self._world.dm_with(viewer.id)
        channels = [c for c in self._world.channels.values() if self.shows(viewer.id, c, guild)]
        return [self.channel(viewer, c) for c in channels]

    def shows(self, viewer_id: int, channel: Channel, guild: Guild) -> bool:
        """Return whether a viewer's page of a server shows a channel; all pages show DMs."""
        is_on_page = channel.guild_id in (None, guild.id)
        return is_on_page and self._world.can_see(viewer_id, channel)

    def channel(self, viewer: User, channel: Channel) -> Json:
        """Return a channel with the viewer's unread counts."""
        state = channel.thread
        is_dm = channel.kind is ChannelKind.DM
        return {
            "id": str(channel.id),
            "kind": "dm" if is_dm else "thread" if state is not None else "channel",
            "name": self._world.bot.name if is_dm else channel.name,
            "topic": channel.topic,
            "position": channel.position,
            "parent": None if channel.parent_id is None else str(channel.parent_id),
            "last": str(channel.last_message_id or channel.id),
            "archived": state is not None and state.archived,
            "locked": state is not None and state.locked,
            "marks": self.marks(viewer.id, channel),
        }

    def marks(self, viewer_id: int, channel: Channel) -> Json:
        """Return the viewer's numbers of unread messages and of pings in a channel."""
        unread, mentions = self._world.unread(viewer_id, channel.id)
        return {"unread": unread, "mentions": mentions}

    def mentions(self) -> Json:
        """Return the number of unread pings of each person, for the person switcher."""
        channels = list(self._world.channels.values())
        return {
            str(user.id): sum(
                self._world.unread(user.id, channel.id)[1]
                for channel in channels
                if self._world.can_see(user.id, channel)
            )
            for user in self._world.people
        }

    def message(self, message: Message) -> Json:
        """Return Discord's JSON of a message, with additional fields."""
        payload = self._wire.message(message)
        age = time.time() - snowflake_time(message.id)
        payload["private"] = message.is_ephemeral
        payload["thinking"] = message.is_loading and age < TOKEN_LIFE_S
        payload["abandoned"] = message.is_loading and age >= TOKEN_LIFE_S
        if message.origin is not None:
            user_id = str(message.origin.user_id)
            payload["used"] = {"user": user_id, "command": message.origin.command}
        return payload

    def commands(self, viewer: User, guild: Guild) -> Json:
        """Return the viewer's commands on a server and in DMs, and the languages of all commands.

        There is one entry for each subcommand. `label` and `description` are in the viewer's
        language; `words` are the translations of each word of the name. English is the first
        language.
        """
        entries: list[Json] = []
        locales: set[str] = set()
        for command in self._world.commands.values():
            locales.update(command.spec.get("name_localizations") or {})
            in_guild = is_offered(self._world, command, viewer, guild)
            in_dm = is_offered(self._world, command, viewer, None)
            if in_guild or in_dm:
                places = {"in_guild": in_guild, "in_dm": in_dm}
                entries += (
                    {**_entry(path, viewer.locale), **places} for path in innermost(command.spec)
                )
        entries.sort(key=lambda entry: str(entry["label"]))
        return {"commands": entries, "languages": ["en-US", *sorted(locales)]}


def _entry(path: tuple[Json, ...], locale: str) -> Json:
    """Return the entry of a command or subcommand, given its path."""

    def translated(spec: Json, key: str) -> str:
        return str((spec.get(f"{key}_localizations") or {}).get(locale) or spec.get(key, ""))

    def option(spec: Json) -> Json:
        choices = [
            {"name": translated(choice, "name"), "value": choice["value"]}
            for choice in spec.get("choices") or []
        ]
        texts = {"label": translated(spec, "name"), "description": translated(spec, "description")}
        return {**spec, **texts, "choices": choices}

    words = [[each["name"], *(each.get("name_localizations") or {}).values()] for each in path]
    return {
        "command": " ".join(each["name"] for each in path),
        "label": " ".join(translated(each, "name") for each in path),
        "words": words,
        "description": translated(path[-1], "description"),
        "options": [option(each) for each in path[-1].get("options") or []],
    }
