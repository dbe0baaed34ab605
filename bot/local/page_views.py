"""What the page is told about users, channels, messages and commands."""

from __future__ import annotations

import time

from bot.local.interactions import TOKEN_LIFE_S
from bot.local.model import Channel, ChannelKind, Guild, Json, Message, User, snowflake_time
from bot.local.options import innermost, is_offered
from bot.local.wire import Wire
from bot.local.world import World


class Views:
    """Writes the world as one person's page needs it; ids are strings throughout."""

    def __init__(self, world: World, wire: Wire) -> None:
        self._world = world
        self._wire = wire

    def user(self, user: User) -> Json:
        """A user, with the colour of their initials."""
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
        """The server that a page asks for, or else the first one that this person is on."""
        guilds = self._guilds(viewer) or [self._world.guild]
        return next((guild for guild in guilds if str(guild.id) == guild_id), guilds[0])

    def servers(self, viewer: User, shown: Guild) -> list[Json]:
        """The servers that this person is on, and which of them their page shows."""
        return [
            {"id": str(guild.id), "name": guild.name, "current": guild is shown}
            for guild in self._guilds(viewer)
        ]

    def _guilds(self, viewer: User) -> list[Guild]:
        return [g for g in self._world.guilds.values() if self._world.is_member(viewer.id, g)]

    def channels(self, viewer: User, guild: Guild) -> list[Json]:
        """All channels, threads and conversations on this person's page of a server."""
        self._world.dm_with(viewer.id)
        channels = [c for c in self._world.channels.values() if self.shows(viewer.id, c, guild)]
        return [self.channel(viewer, c) for c in channels]

    def shows(self, viewer_id: int, channel: Channel, guild: Guild) -> bool:
        """Whether a channel is on a person's page of a server; their conversations are on each."""
        there = channel.guild_id in (None, guild.id)
        return there and self._world.can_see(viewer_id, channel)

    def channel(self, viewer: User, channel: Channel) -> Json:
        """One channel with this person's marks."""
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
        """Unread messages, and those among them that ping this person."""
        unread, mentions = self._world.unread(viewer_id, channel.id)
        return {"unread": unread, "calls": mentions}

    def mentions(self) -> Json:
        """For each person, how many messages ping them anywhere: the badges at the switch."""
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
        """A message as Discord writes it, with what else the page needs."""
        written = self._wire.message(message)
        age = time.time() - snowflake_time(message.id)
        written["private"] = message.is_ephemeral
        written["thinking"] = message.is_loading and age < TOKEN_LIFE_S
        written["abandoned"] = message.is_loading and age >= TOKEN_LIFE_S
        if message.origin is not None:
            user_id = str(message.origin.user_id)
            written["used"] = {"user": user_id, "command": message.origin.command}
        return written

    def commands(self, viewer: User, guild: Guild) -> Json:
        """The commands this person may use on a server or in conversations, and the languages that
        the bot speaks, by its commands; English first.

        One entry for each that can be sent, with names and descriptions in their language under
        `label` and `description`, and under `words` what each word of the name is in any language.
        """
        entries: list[Json] = []
        told: set[str] = set()
        for command in self._world.commands.values():
            told.update(command.spec.get("name_localizations") or {})
            in_guild = is_offered(self._world, command, viewer, guild)
            in_dm = is_offered(self._world, command, viewer, None)
            if in_guild or in_dm:
                places = {"in_guild": in_guild, "in_dm": in_dm}
                for path in innermost(command.spec):
                    entries.append({**_entry(path, viewer.locale), **places})
        entries.sort(key=lambda entry: str(entry["label"]))
        return {"commands": entries, "languages": ["en-US", *sorted(told)]}


def _entry(path: tuple[Json, ...], locale: str) -> Json:
    """A command or subcommand that can be sent on its own."""

    def local(spec: Json, key: str) -> str:
        return str((spec.get(f"{key}_localizations") or {}).get(locale) or spec.get(key, ""))

    def option(spec: Json) -> Json:
        choices = [
            {"name": local(choice, "name"), "value": choice["value"]}
            for choice in spec.get("choices") or []
        ]
        named = {"label": local(spec, "name"), "description": local(spec, "description")}
        return {**spec, **named, "choices": choices}

    words = [[each["name"], *(each.get("name_localizations") or {}).values()] for each in path]
    return {
        "command": " ".join(each["name"] for each in path),
        "label": " ".join(local(each, "name") for each in path),
        "words": words,
        "description": local(path[-1], "description"),
        "options": [option(each) for each in path[-1].get("options") or []],
    }
