"""Routes for messages in channels, threads and direct conversations."""

from __future__ import annotations

from bot.local import errors
from bot.local.api import ApiRoute, Call, Result, channel_of, message_of
from bot.local.changes import MessageEdited, Typing
from bot.local.model import Channel, ChannelKind, Json, Message, MessageKind, Permission, Reference
from bot.local.posting import Posting
from bot.local.wire import Wire
from bot.local.world import World

_MESSAGES = "/channels/{channel_id}/messages"
_MESSAGE = _MESSAGES + "/{message_id}"
_PINS = "/channels/{channel_id}/messages/pins"
_OLD_PINS = "/channels/{channel_id}/pins"
_MAX_PAGE = 100


class MessageRoutes:
    """Create, read, edit, delete and pin."""

    def __init__(self, world: World, wire: Wire, posting: Posting) -> None:
        self._world = world
        self._wire = wire
        self._posting = posting

    def routes(self) -> list[ApiRoute]:
        """The table."""
        return [
            ApiRoute("POST", _MESSAGES, self.create),
            ApiRoute("GET", _MESSAGES, self.list_newest),
            ApiRoute("POST", _MESSAGES + "/bulk-delete", self.bulk_delete),
            ApiRoute("GET", _PINS, self.pins),
            ApiRoute("PUT", _PINS + "/{message_id}", self.pin),
            ApiRoute("DELETE", _PINS + "/{message_id}", self.unpin),
            ApiRoute("GET", _OLD_PINS, self.old_pins),
            ApiRoute("PUT", _OLD_PINS + "/{message_id}", self.pin),
            ApiRoute("DELETE", _OLD_PINS + "/{message_id}", self.unpin),
            ApiRoute("GET", _MESSAGE, self.get),
            ApiRoute("PATCH", _MESSAGE, self.edit),
            ApiRoute("DELETE", _MESSAGE, self.delete),
            ApiRoute("POST", "/channels/{channel_id}/typing", self.typing),
        ]

    async def create(self, call: Call) -> Result:
        """Post a message; a repeated nonce returns the first message."""
        return self._wire.message(self._posting.send(channel_of(call, self._world), call.body))

    async def list_newest(self, call: Call) -> Result:
        """Up to 100 messages, newest first, by `before`, `after` or `around`."""
        channel = channel_of(call, self._world)
        limit = min(call.number("limit", 50), _MAX_PAGE)
        if not self._world.bot_permissions(channel) & Permission.READ_MESSAGE_HISTORY:
            return []
        public = [m for m in self._world.messages[channel.id].values() if not m.is_ephemeral]
        before, after = call.number("before", 0), call.number("after", 0)
        around = call.number("around", 0)
        if around:
            older = [m for m in public if m.id < around][-(limit // 2) :]
            newer = [m for m in public if m.id >= around][: limit - len(older)]
            chosen = older + newer
        elif after:
            chosen = [m for m in public if m.id > after][:limit]
        else:
            chosen = [m for m in public if not before or m.id < before][-limit:]
        return [self._wire.message(m) for m in reversed(chosen)]

    async def get(self, call: Call) -> Result:
        """One message."""
        return self._wire.message(message_of(call, self._world))

    async def edit(self, call: Call) -> Result:
        """Change one of the bot's own messages."""
        message = message_of(call, self._world)
        if message.author_id != self._world.bot.id:
            raise errors.cannot_edit_others()
        if message.kind is MessageKind.THREAD_NOTICE:
            raise errors.cannot_act_on_system_message()
        return self._wire.message(self._posting.edit(message, call.body))

    async def delete(self, call: Call) -> Result:
        """Delete a message; another's needs the permission, and is never possible in a DM."""
        message = message_of(call, self._world)
        if message.author_id != self._world.bot.id:
            self._need(self._world.channels[message.channel_id], Permission.MANAGE_MESSAGES)
        self._world.delete_message(message)
        return None

    async def bulk_delete(self, call: Call) -> Result:
        """Delete many; unknown ids are skipped."""
        channel = channel_of(call, self._world)
        self._need(channel, Permission.MANAGE_MESSAGES)
        for message_id in call.body.payload.get("messages") or []:
            message = self._world.messages[channel.id].get(int(message_id))
            if message is not None:
                self._world.delete_message(message)
        return None

    async def pins(self, call: Call) -> Result:
        """The pinned messages in today's form, newest first."""
        items: list[Json] = []
        for message in self._pinned(call):
            written = self._wire.message(message)
            pinned_at = message.edited_at or written["timestamp"]
            items.append({"pinned_at": pinned_at, "message": written})
        return {"items": items, "has_more": False}

    async def old_pins(self, call: Call) -> Result:
        """The pinned messages as a plain list."""
        return [self._wire.message(m) for m in self._pinned(call)]

    async def pin(self, call: Call) -> Result:
        """Pin a message, which leaves a notice."""
        message = message_of(call, self._world)
        channel = self._world.channels[message.channel_id]
        self._need_pins(channel)
        if not message.pinned:
            message.pinned = True
            self._world.publish(MessageEdited(message))
            self._world.add_message(
                Message(
                    id=self._world.snowflakes.next(),
                    channel_id=channel.id,
                    author_id=self._world.bot.id,
                    kind=MessageKind.PIN_NOTICE,
                    reference=Reference(channel_id=channel.id, message_id=message.id),
                )
            )
        return None

    async def unpin(self, call: Call) -> Result:
        """Unpin a message."""
        message = message_of(call, self._world)
        self._need_pins(self._world.channels[message.channel_id])
        if message.pinned:
            message.pinned = False
            self._world.publish(MessageEdited(message))
        return None

    async def typing(self, call: Call) -> Result:
        """Show that the bot is typing."""
        channel = channel_of(call, self._world)
        self._world.publish(Typing(self._world.bot.id, channel.id))
        return None

    def _pinned(self, call: Call) -> list[Message]:
        channel = channel_of(call, self._world)
        return [m for m in reversed(self._world.messages[channel.id].values()) if m.pinned]

    def _need(self, channel: Channel, permission: Permission) -> None:
        if channel.kind is ChannelKind.DM or not (
            self._world.bot_permissions(channel) & permission
        ):
            raise errors.missing_permissions()

    def _need_pins(self, channel: Channel) -> None:
        if channel.kind is not ChannelKind.DM:
            self._need(channel, Permission.MANAGE_MESSAGES)
