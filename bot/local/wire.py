"""Discord's JSON for users, servers, channels, messages and commands."""

from __future__ import annotations

from datetime import UTC, datetime
from urllib.parse import quote

from bot.local.checks import FILE
from bot.local.model import (
    ALL_PERMISSIONS,
    EVERYONE_PERMISSIONS,
    AppEmoji,
    Attachment,
    Channel,
    ChannelKind,
    Command,
    ComponentKind,
    Guild,
    Json,
    Message,
    Reference,
    User,
    rebuilt,
    snowflake_time,
)
from bot.local.world import World


class Wire:
    """Encoder of the world as Discord's JSON.

    `base_url` is the start of attachment URLs, such as `http://127.0.0.1:8120`.
    """

    base_url = ""

    def __init__(self, world: World) -> None:
        self.world = world

    @property
    def gateway_url(self) -> str:
        return self.base_url.replace("http", "ws", 1) + "/gateway"

    def user(self, user: User) -> Json:
        """Return a user, without member fields."""
        return {
            "id": str(user.id),
            "username": user.name if user.is_bot else user.slug,
            "global_name": None if user.is_bot else user.name,
            "discriminator": "0000" if user.is_bot else "0",
            "avatar": None,
            "bot": user.is_bot,
            "system": False,
            "public_flags": 0,
            "flags": 0,
        }

    def me(self) -> Json:
        return {
            **self.user(self.world.bot),
            "mfa_enabled": False,
            "locale": "en-US",
            "verified": True,
            "email": None,
        }

    def application(self) -> Json:
        owner = self.world.users[self.world.guild.owner_id]
        return {
            "id": str(self.world.bot.id),
            "name": self.world.bot.name,
            "icon": None,
            "description": "",
            "bot_public": True,
            "bot_require_code_grant": False,
            "verify_key": "0" * 64,
            "owner": self.user(owner),
            "team": None,
            "flags": 0,
            "approximate_guild_count": len(self.world.guilds),
            "bot": self.user(self.world.bot),
        }

    def member(self, user: User, guild: Guild, *, with_user: bool = True) -> Json:
        payload: Json = {
            "roles": [str(guild.bot_role_id)] if user.is_bot else [],
            "nick": None,
            "avatar": None,
            "joined_at": _time_of(guild.id),
            "premium_since": None,
            "deaf": False,
            "mute": False,
            "pending": False,
            "flags": 0,
            "communication_disabled_until": None,
        }
        if with_user:
            payload["user"] = self.user(user)
        return payload

    def guild(self, guild: Guild) -> Json:
        """Return a server with its channels and active threads, and the bot as only member."""
        channels = [c for c in self.world.channels.values() if c.guild_id == guild.id]
        return {
            "id": str(guild.id),
            "name": guild.name,
            "icon": None,
            "splash": None,
            "discovery_splash": None,
            "owner_id": str(guild.owner_id),
            "afk_channel_id": None,
            "afk_timeout": 300,
            "verification_level": 0,
            "default_message_notifications": 1,
            "explicit_content_filter": 0,
            "roles": [
                _role(guild.id, "@everyone", EVERYONE_PERMISSIONS, 0),
                _role(guild.bot_role_id, self.world.bot.name, ALL_PERMISSIONS, 1),
            ],
            "emojis": [],
            "stickers": [],
            "features": ["COMMUNITY"],
            "mfa_level": 0,
            "system_channel_id": None,
            "system_channel_flags": 0,
            "rules_channel_id": None,
            "public_updates_channel_id": None,
            "safety_alerts_channel_id": None,
            "premium_tier": 0,
            "premium_subscription_count": 0,
            "premium_progress_bar_enabled": False,
            "preferred_locale": guild.locale,
            "nsfw_level": 0,
            "vanity_url_code": None,
            "description": None,
            "banner": None,
            "joined_at": _time_of(guild.id),
            "large": False,
            "unavailable": False,
            "member_count": len(self.world.members(guild)),
            "voice_states": [],
            "presences": [],
            "stage_instances": [],
            "guild_scheduled_events": [],
            "soundboard_sounds": [],
            "members": [self.member(self.world.bot, guild)],
            "channels": [self.channel(c) for c in channels if c.kind is ChannelKind.TEXT],
            "threads": [
                self.channel(c) for c in channels if c.thread is not None and not c.thread.archived
            ],
        }

    def channel(self, channel: Channel) -> Json:
        payload: Json = {
            "id": str(channel.id),
            "type": int(channel.kind),
            "last_message_id": _id(channel.last_message_id),
            "flags": 0,
        }
        if channel.kind is ChannelKind.DM:
            recipient = self.world.users[channel.recipient_id or 0]
            return {**payload, "recipients": [self.user(recipient)]}
        payload |= {
            "guild_id": str(channel.guild_id),
            "name": channel.name,
            "parent_id": _id(channel.parent_id),
            "rate_limit_per_user": 0,
            "nsfw": False,
        }
        if channel.thread is None:
            overwrite = {"id": str(self.world.bot.id), "type": 1, "allow": "0"}
            overwrites = [{**overwrite, "deny": str(channel.denied)}] if channel.denied else []
            return {
                **payload,
                "topic": channel.topic or None,
                "position": channel.position,
                "permission_overwrites": overwrites,
            }
        state = channel.thread
        payload |= {
            "owner_id": _id(channel.owner_id),
            "message_count": state.message_count,
            "total_message_sent": state.message_count,
            "member_count": len(state.members),
            "applied_tags": [],
            "thread_metadata": {
                "archived": state.archived,
                "locked": state.locked,
                "auto_archive_duration": state.auto_archive_minutes,
                "archive_timestamp": state.archive_changed_at or _time_of(channel.id),
                "create_timestamp": _time_of(channel.id),
                "invitable": True,
            },
        }
        return payload

    def attachment_url(self, channel_id: int, attachment: Attachment) -> str:
        name = quote(attachment.filename)
        return f"{self.base_url}/attachments/{channel_id}/{attachment.id}/{name}"

    def attachment(self, attachment: Attachment, channel_id: int, *, is_ephemeral: bool) -> Json:
        url = self.attachment_url(channel_id, attachment)
        payload: Json = {
            "id": str(attachment.id),
            "filename": attachment.filename,
            "size": attachment.size,
            "url": url,
            "proxy_url": url,
            "content_type": attachment.content_type,
            "ephemeral": is_ephemeral,
        }
        if attachment.width is not None:
            payload |= {"width": attachment.width, "height": attachment.height}
        if attachment.description:
            payload["description"] = attachment.description
        return payload

    def message(self, message: Message, *, nested: bool = False) -> Json:
        """Return a message, with the referenced message unless `nested`."""
        components, shown = self._components(message)
        origin = message.origin
        channel = self.world.channels.get(message.channel_id)
        payload: Json = {
            "id": str(message.id),
            "channel_id": str(message.channel_id),
            "author": self.user(self.world.users[message.author_id]),
            "content": message.content,
            "timestamp": _time_of(message.id),
            "edited_timestamp": message.edited_at,
            "tts": False,
            "mention_everyone": message.mention_everyone,
            "mentions": [self.user(self.world.users[user_id]) for user_id in message.mentions],
            "mention_roles": [],
            "attachments": [
                self.attachment(a, message.channel_id, is_ephemeral=message.is_ephemeral)
                for a in message.attachments
                if a.id not in shown
            ],
            "embeds": [],
            "components": components,
            "pinned": False,
            "type": int(message.kind),
            "flags": message.flags,
            "reactions": [],
            "sticker_items": [],
        }
        if message.nonce is not None:
            payload["nonce"] = message.nonce
        if message.author_id == self.world.bot.id:
            payload["application_id"] = str(self.world.bot.id)
        if origin is not None:
            payload["webhook_id"] = str(self.world.bot.id)
            payload["interaction_metadata"] = {
                "id": str(origin.id),
                "type": origin.kind,
                "user": self.user(self.world.users[origin.user_id]),
                "authorizing_integration_owners": {"0": str((channel and channel.guild_id) or 0)},
                **({"name": origin.command} if origin.command else {}),
            }
        if message.reference is not None:
            payload |= self._reference(message.reference, nested=nested)
        thread = self.world.channels.get(message.id)
        if thread is not None:
            payload["thread"] = self.channel(thread)
        return payload

    def _reference(self, reference: Reference, *, nested: bool) -> Json:
        pointer: Json = {"type": 0, "channel_id": str(reference.channel_id)}
        place = self.world.channels.get(reference.channel_id)
        if place is not None and place.guild_id is not None:
            pointer["guild_id"] = str(place.guild_id)
        if reference.message_id is None:
            return {"message_reference": pointer}
        pointer["message_id"] = str(reference.message_id)
        if nested:
            return {"message_reference": pointer}
        target = self.world.messages.get(reference.channel_id, {}).get(reference.message_id)
        return {
            "message_reference": pointer,
            "referenced_message": None if target is None else self.message(target, nested=True),
        }

    def _components(self, message: Message) -> tuple[list[Json], set[int]]:
        """Return a message's components with URLs, and the ids of the files they show."""
        by_name = {f"{FILE}{a.filename}": a for a in message.attachments}
        shown: set[int] = set()

        def media(item: Json) -> Json:
            attachment = by_name.get(item["url"])
            if attachment is None:
                return {**item, "proxy_url": item["url"], "loading_state": 2}
            shown.add(attachment.id)
            url = self.attachment_url(message.channel_id, attachment)
            return {
                "id": str(attachment.id),
                "url": url,
                "proxy_url": url,
                "width": attachment.width,
                "height": attachment.height,
                "content_type": attachment.content_type,
                "loading_state": 2,
                "attachment_id": str(attachment.id),
                "size": attachment.size,
                "name": attachment.filename,
            }

        def with_urls(part: Json) -> Json:
            match part["type"]:
                case ComponentKind.THUMBNAIL:
                    return {**part, "media": media(part["media"])}
                case ComponentKind.MEDIA_GALLERY:
                    items = [{**item, "media": media(item["media"])} for item in part["items"]]
                    return {**part, "items": items}
                case ComponentKind.FILE:
                    file = media(part["file"])
                    return {**part, "file": file, "name": file["name"], "size": file["size"]}
            return part

        return rebuilt(message.components, with_urls), shown

    def emoji(self, emoji: AppEmoji) -> Json:
        return {
            "id": str(emoji.id),
            "name": emoji.name,
            "animated": emoji.content_type == "image/gif",
            "available": True,
            "managed": False,
            "require_colons": True,
            "roles": [],
            "user": self.user(self.world.bot),
        }

    def command(self, command: Command) -> Json:
        permissions = command.spec.get("default_member_permissions")
        payload: Json = {
            "type": 1,
            "description": "",
            "nsfw": False,
            **command.spec,
            "default_member_permissions": None if permissions is None else str(permissions),
            "id": str(command.id),
            "application_id": str(self.world.bot.id),
            "version": str(command.id),
        }
        if command.guild_id is not None:
            payload["guild_id"] = str(command.guild_id)
        return payload


def _id(snowflake: int | None) -> str | None:
    return None if snowflake is None else str(snowflake)


def _time_of(snowflake: int) -> str:
    return datetime.fromtimestamp(snowflake_time(snowflake), UTC).isoformat()


def _role(role_id: int, name: str, permissions: int, position: int) -> Json:
    return {
        "id": str(role_id),
        "name": name,
        "permissions": str(permissions),
        "position": position,
        "color": 0,
        "colors": {"primary_color": 0, "secondary_color": None, "tertiary_color": None},
        "hoist": False,
        "managed": position > 0,
        "mentionable": False,
        "flags": 0,
        "icon": None,
        "unicode_emoji": None,
    }
