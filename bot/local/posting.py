"""Turns what the bot sends into messages: content, mentions, embeds, components, files.

Channel routes, interaction answers and follow-ups all post and edit through here.
"""

from __future__ import annotations

import re
from typing import Any
from urllib.parse import unquote

from bot.local import checks, errors
from bot.local.changes import ChannelChanged
from bot.local.components import with_emoji, with_ids, with_media
from bot.local.layout_checks import check_emojis, check_media
from bot.local.model import (
    Attachment,
    Channel,
    ChannelKind,
    Json,
    Message,
    MessageFlag,
    MessageKind,
    Origin,
    Permission,
    Reference,
)
from bot.local.snowflakes import now_iso
from bot.local.uploads import Body, Upload, describe_file
from bot.local.wire import Wire
from bot.local.world import World

_MENTION = re.compile(r"<@!?(\d{1,20})>")
_EVERYONE = re.compile(r"@(everyone|here)\b")
_BOT_FLAGS = (
    MessageFlag.SUPPRESS_EMBEDS | MessageFlag.SUPPRESS_NOTIFICATIONS | MessageFlag.COMPONENTS_V2
)
_ALL_MENTIONS: Json = {"parse": ["users", "roles", "everyone"]}


class Posting:
    """Posts and edits messages as the bot, enforcing every limit.

    All methods raise `ApiError` as Discord would answer.
    """

    def __init__(self, world: World, wire: Wire) -> None:
        self._world = world
        self._wire = wire

    def send(self, channel: Channel, body: Body) -> Message:
        """Post to a channel, as `POST /channels/{id}/messages` does."""
        payload = body.payload
        self._hold_to_permissions(channel, body)
        self._hold_to_limits(body, payload, _bot_flags(payload))
        nonce = payload.get("nonce")
        if nonce is not None and payload.get("enforce_nonce"):
            earlier = self._world.message_by_nonce(channel.id, str(nonce))
            if earlier is not None:
                return earlier
        self._take_out_of_archive(channel)
        message, files = self._compose(channel, body)
        message.nonce = None if nonce is None else str(nonce)
        reference = payload.get("message_reference")
        if reference is not None:
            message.reference = self._reference(channel, reference)
            message.kind = MessageKind.REPLY
            self._mention_replied(message, payload)
        return self._world.add_message(message, files)

    def answer(
        self,
        channel: Channel,
        body: Body,
        *,
        origin: Origin,
        kind: MessageKind,
        visible_to: int | None,
        reference: Reference | None,
    ) -> Message:
        """Post the answer to an interaction; needs no permissions."""
        self._hold_to_existence(channel)
        self._hold_to_limits(body, body.payload, _bot_flags(body.payload))
        if visible_to is None:
            self._take_out_of_archive(channel)
        message, files = self._compose(channel, body)
        message.origin, message.kind, message.reference = origin, kind, reference
        message.visible_to = visible_to
        if visible_to is not None:
            message.flags |= MessageFlag.EPHEMERAL
        return self._world.add_message(message, files)

    def placeholder(
        self, channel: Channel, *, origin: Origin, kind: MessageKind, visible_to: int | None
    ) -> Message:
        """Post the "is thinking" of a deferred answer."""
        self._hold_to_existence(channel)
        flags = int(MessageFlag.LOADING)
        if visible_to is not None:
            flags |= MessageFlag.EPHEMERAL
        else:
            self._take_out_of_archive(channel)
        message = Message(
            id=self._world.snowflakes.next(),
            channel_id=channel.id,
            author_id=self._world.bot.id,
            kind=kind,
            flags=flags,
            origin=origin,
            visible_to=visible_to,
        )
        return self._world.add_message(message)

    def edit(self, message: Message, body: Body, *, by_token: bool = False) -> Message:
        """Change only what the payload names; `by_token` edits an answer."""
        payload = body.payload
        channel = self._world.channels[message.channel_id]
        if not by_token:
            self._hold_edit_to_permissions(channel, body)
        flags = message.flags & ~int(MessageFlag.LOADING)
        if "flags" in payload:
            flags = (flags & ~int(_BOT_FLAGS)) | _bot_flags(payload)
            if message.is_layout and not flags & MessageFlag.COMPONENTS_V2:
                raise errors.cannot_remove_layout()
        # What a classic message says has to be taken away by the edit that makes it a layout.
        written = {"content": message.content, "embeds": message.embeds, **payload}
        self._hold_to_limits(body, written, flags)
        attachments, files = self._attachments(message.attachments, body)
        content = message.content
        if "content" in payload:
            content = payload["content"] or ""
        embeds = message.embeds
        if payload.get("embeds") is not None:
            embeds = self._embeds(payload["embeds"])
        components = message.components
        if payload.get("components") is not None:
            components = self._components(payload["components"])
        if not _shows(flags, content, embeds, components, attachments):
            raise errors.empty_message()
        check_media(components, _named(attachments, message.attachments, payload))
        was_loading = message.is_loading
        dropped = [a for a in message.attachments if a not in attachments]
        message.content, message.embeds = content, embeds
        message.components, message.attachments = components, attachments
        message.flags = flags
        if was_loading or ("components" if message.is_layout else "content") in payload:
            self._set_mentions(message, payload)
        if not was_loading:
            message.edited_at = now_iso()
        self._world.edited(message, files=files, dropped=dropped)
        return message

    # Parts

    def _compose(self, channel: Channel, body: Body) -> tuple[Message, dict[int, bytes]]:
        payload = body.payload
        attachments, files = self._attachments([], body)
        message = Message(
            id=self._world.snowflakes.next(),
            channel_id=channel.id,
            author_id=self._world.bot.id,
            content=payload.get("content") or "",
            embeds=self._embeds(payload.get("embeds") or []),
            components=self._components(payload.get("components") or []),
            attachments=attachments,
            flags=_bot_flags(payload),
        )
        if not _shows(
            message.flags, message.content, message.embeds, message.components, attachments
        ):
            raise errors.empty_message()
        check_media(message.components, [a.filename for a in attachments])
        self._set_mentions(message, payload)
        return message, files

    def _attachments(
        self, present: list[Attachment], body: Body
    ) -> tuple[list[Attachment], dict[int, bytes]]:
        """The files a message will have: those kept by the `attachments` array, then new ones.

        Without the array all are kept, unless there are new ones.
        """
        entries: list[Json] | None = body.payload.get("attachments")
        described: dict[int, Json] = {}
        left = [] if body.files else present
        if entries is not None:
            by_id = {a.id: a for a in present}
            ids = [int(entry.get("id", -1)) for entry in entries]
            left = [by_id[i] for i in ids if i in by_id]
            described = {i: e for i, e in zip(ids, entries, strict=True) if i not in by_id}
        new: list[Attachment] = []
        files: dict[int, bytes] = {}
        for number, upload in sorted(body.files.items()):
            entry = described.get(number, {})
            named = Upload(str(entry.get("filename") or upload.filename), upload.data)
            attachment_id = self._world.snowflakes.next()
            new.append(describe_file(named, attachment_id, entry.get("description")))
            files[attachment_id] = upload.data
        return [*left, *new], files

    def _components(self, components: list[Json]) -> list[Json]:
        """Components as stored: with ids, and files of this server as `attachment://` again."""

        def stored(media: Json) -> Json:
            return {"url": self._stored_url(str(media.get("url") or ""))}

        check_emojis(components, self._world.emojis)
        return with_media(with_emoji(with_ids(components)), stored)

    def _embeds(self, embeds: list[Json]) -> list[Json]:
        """Embeds as stored: files of this server become `attachment://` again."""
        stored = []
        for embed in embeds:
            written = dict(embed)
            for key in ("image", "thumbnail"):
                url = (embed.get(key) or {}).get("url", "")
                if url != self._stored_url(url):
                    written[key] = {"url": self._stored_url(url)}
            stored.append(written)
        return stored

    def _stored_url(self, url: str) -> str:
        if not url.startswith(f"{self._wire.base_url}/attachments/"):
            return url
        return f"attachment://{unquote(url.rpartition('/')[2].partition('?')[0])}"

    def _set_mentions(self, message: Message, payload: Json) -> None:
        allowed = payload.get("allowed_mentions")
        if allowed is None:
            allowed = _ALL_MENTIONS
        kinds = allowed.get("parse") or []
        listed = {int(user_id) for user_id in allowed.get("users") or []}
        message.mentions = [
            user_id
            for user_id in mentioned_users(self._world, message.text)
            if "users" in kinds or user_id in listed
        ]
        message.mention_everyone = "everyone" in kinds and bool(_EVERYONE.search(message.text))

    def _mention_replied(self, message: Message, payload: Json) -> None:
        replied = (payload.get("allowed_mentions") or {"replied_user": True}).get("replied_user")
        reference = message.reference
        if not replied or reference is None or reference.message_id is None:
            return
        target = self._world.messages[reference.channel_id][reference.message_id]
        if target.author_id not in message.mentions:
            message.mentions.append(target.author_id)

    def _reference(self, channel: Channel, reference: dict[str, Any]) -> Reference | None:
        message_id = int(reference["message_id"])
        if message_id in self._world.messages[channel.id]:
            return Reference(channel_id=channel.id, message_id=message_id)
        if reference.get("fail_if_not_exists", True):
            said = {"_errors": [{"code": "REPLIES_UNKNOWN_MESSAGE", "message": "Unknown message"}]}
            raise errors.invalid_form({"message_reference": said})
        return None

    def _hold_to_limits(self, body: Body, payload: Json, flags: int) -> None:
        sizes = [len(file.data) for file in body.files.values()]
        layout = bool(flags & MessageFlag.COMPONENTS_V2)
        checks.check_message(payload, sizes, layout=layout)

    def _hold_to_existence(self, channel: Channel) -> None:
        # An interaction remembers its channel for as long as its token lives.
        if channel.id not in self._world.channels:
            raise errors.unknown_channel()

    def _hold_to_permissions(self, channel: Channel, body: Body) -> None:
        if channel.kind is ChannelKind.DM:
            if self._world.users[channel.recipient_id or 0].blocks_dms:
                raise errors.cannot_message_user()
            return
        granted = self._world.bot_permissions(channel)
        needed = Permission.SEND_MESSAGES
        if channel.thread is not None:
            needed = Permission.SEND_MESSAGES_IN_THREADS
            if channel.thread.archived and channel.thread.locked:
                raise errors.thread_archived()
        if body.payload.get("embeds"):
            needed |= Permission.EMBED_LINKS
        if body.files:
            needed |= Permission.ATTACH_FILES
        if not granted & Permission.VIEW_CHANNEL:
            raise errors.missing_access()
        if granted & needed != needed:
            raise errors.missing_permissions()

    def _hold_edit_to_permissions(self, channel: Channel, body: Body) -> None:
        if channel.thread is not None and channel.thread.archived:
            raise errors.thread_archived()
        may_attach = self._world.bot_permissions(channel) & Permission.ATTACH_FILES
        if body.files and channel.kind is not ChannelKind.DM and not may_attach:
            raise errors.missing_permissions()

    def _take_out_of_archive(self, channel: Channel) -> None:
        """A new message unarchives a thread, as it does in Discord."""
        if channel.thread is not None and channel.thread.archived:
            channel.thread.archived = False
            channel.thread.archive_changed_at = now_iso()
            self._world.publish(ChannelChanged(channel))


def mentioned_users(world: World, text: str) -> list[int]:
    """The ids of the known users mentioned in a text, each once, in order."""
    named = dict.fromkeys(int(digits) for digits in _MENTION.findall(text))
    return [user_id for user_id in named if user_id in world.users]


def _named(attachments: list[Attachment], before: list[Attachment], payload: Json) -> set[str]:
    """The file names that the components of an edit may show.

    Where the edit lists what it keeps, what it lists by id alone is not found by its name.
    """
    entries = payload.get("attachments")
    if entries is None or payload.get("components") is None:
        return {a.filename for a in attachments}
    listed = {int(entry.get("id", -1)): entry.get("filename") for entry in entries}
    return {a.filename for a in attachments if a not in before or listed.get(a.id) == a.filename}


def _bot_flags(payload: Json) -> int:
    """Of the flags of a message to be posted those that a bot may set."""
    return int(payload.get("flags") or 0) & int(_BOT_FLAGS)


def _shows(
    flags: int,
    content: str,
    embeds: list[Json],
    components: list[Json],
    attachments: list[Attachment],
) -> bool:
    """Whether there is anything to show. A layout shows its components alone."""
    if flags & MessageFlag.COMPONENTS_V2:
        return bool(components)
    return bool(content or embeds or components or attachments)
