"""Posting and editing of the bot's messages, in channels and as answers to interactions."""

from __future__ import annotations

import io
import mimetypes
import re
from dataclasses import dataclass

import msgspec
from PIL import Image, UnidentifiedImageError

from bot.local.checks import check_message
from bot.local.errors import ApiError, wrong_field
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
    now_iso,
    with_ids,
)
from bot.local.world import World

_MENTION = re.compile(r"<@!?(\d{1,20})>")
_EVERYONE = re.compile(r"@(everyone|here)\b")
_BOT_FLAGS = int(MessageFlag.SUPPRESS_NOTIFICATIONS | MessageFlag.COMPONENTS_V2)
_ALL_MENTIONS: Json = {"parse": ["users", "roles", "everyone"]}
_BOUNDARY = re.compile(r'boundary="?([^";]+)"?')
#: Captures the field name of a part, and the number and filename of a file.
_PART = re.compile(
    rb'content-disposition:[^\r\n]*?;\s*name="(files\[(\d+)\]|[^"]*)"(?:;\s*filename="([^"]*)")?',
    re.IGNORECASE,
)


#: A file's name and bytes.
Upload = tuple[str, bytes]


@dataclass(frozen=True, slots=True)
class Body:
    """A request's JSON, if any, and its files by number."""

    json: Json | list[Json] | None
    files: dict[int, Upload]

    @property
    def payload(self) -> Json:
        """The JSON object; raises `ApiError` 50109 for any other body."""
        if not isinstance(self.json, dict):
            raise ApiError("The request body contains invalid JSON.")
        return self.json


def parse_body(content_type: str, data: bytes) -> Body:
    """Parse JSON, or `multipart/form-data` with `payload_json` and `files[n]`.

    Raises `ApiError` 50109 for an invalid body.
    """
    if not content_type.startswith("multipart/form-data"):
        return Body(_json(data) if data else None, {})
    # aiohttp's reader parses line by line, which takes milliseconds for a picture.
    match = _BOUNDARY.search(content_type)
    parts = [b""] if match is None else (b"\r\n" + data).split(b"\r\n--" + match[1].encode())[1:-1]
    payload: Json | list[Json] | None = None
    files: dict[int, Upload] = {}
    for part in parts:
        head, separator, content = part.partition(b"\r\n\r\n")
        field = _PART.search(head)
        if not separator or field is None:
            raise ApiError("The request body contains invalid JSON.")
        if field[1] == b"payload_json":
            payload = _json(content)
        elif field[2] is not None and field[3] is not None:
            files[int(field[2])] = field[3].decode(errors="replace"), content
    return Body(payload, files)


def _json(data: bytes) -> Json | list[Json]:
    try:
        return msgspec.json.decode(data, type=Json | list[Json])
    except msgspec.DecodeError:
        raise ApiError("The request body contains invalid JSON.") from None


def describe_file(upload: Upload, attachment_id: int, alt: str | None) -> Attachment:
    """Return a file's metadata: its type, and its size in pixels if it is a picture."""
    filename, data = upload
    content_type = mimetypes.guess_type(filename)[0] or "application/octet-stream"
    width = height = None
    if content_type.startswith("image/"):
        try:
            with Image.open(io.BytesIO(data)) as picture:
                width, height = picture.size
        except (UnidentifiedImageError, OSError, ValueError):
            content_type = "application/octet-stream"
    return Attachment(
        id=attachment_id,
        filename=filename,
        size=len(data),
        content_type=content_type,
        width=width,
        height=height,
        description=alt,
    )


class Posting:
    """Posts and edits messages as the bot. Methods raise `ApiError` as Discord would."""

    def __init__(self, world: World) -> None:
        self._world = world

    def send(self, channel: Channel, body: Body) -> Message:
        """Post a message to a channel."""
        self._check_permissions(channel, body)
        message, nonce = self._world.blank_message(channel), body.payload.get("nonce")
        files, _ = self._write(message, body, _bot_flags(body.payload))
        if nonce is not None:
            message.nonce = str(nonce)
            earlier = self._world.message_by_nonce(channel.id, message.nonce)
            if earlier is not None and body.payload.get("enforce_nonce"):
                return earlier
        self._unarchive(channel)
        return self._world.add_message(message, files)

    def answer(
        self,
        channel: Channel,
        body: Body | None,
        *,
        origin: Origin,
        kind: MessageKind,
        visible_to: int | None,
        reference: Reference | None = None,
    ) -> Message:
        """Post the answer to an interaction, or its "thinking" placeholder if `body` is `None`.

        Needs no permissions.
        """
        # The channel may have been deleted since the interaction.
        if channel.id not in self._world.channels:
            raise ApiError("Unknown Channel")
        message, files = self._world.blank_message(channel), dict[int, bytes]()
        if body is None:
            message.flags = int(MessageFlag.LOADING)
        else:
            files, _ = self._write(message, body, _bot_flags(body.payload))
        message.origin, message.kind, message.reference = origin, kind, reference
        message.visible_to = visible_to
        if visible_to is None:
            self._unarchive(channel)
        else:
            message.flags |= MessageFlag.EPHEMERAL
        return self._world.add_message(message, files)

    def edit(self, message: Message, body: Body, *, by_token: bool = False) -> Message:
        """Edit the fields in the payload; `by_token` means an answer to an interaction."""
        payload, was_loading = body.payload, message.is_loading
        channel = self._world.channels[message.channel_id]
        if not by_token:
            if channel.thread is not None and channel.thread.archived:
                raise ApiError("Thread is archived")
            may_attach = self._world.bot_permissions(channel) & Permission.ATTACH_FILES
            if body.files and channel.kind is not ChannelKind.DM and not may_attach:
                raise ApiError("Missing Permissions")
        flags = message.flags & ~int(MessageFlag.LOADING)
        if "flags" in payload:
            flags = (flags & ~_BOT_FLAGS) | _bot_flags(payload)
            if message.is_layout and not flags & MessageFlag.COMPONENTS_V2:
                code = "MESSAGE_CANNOT_REMOVE_COMPONENTS_V2_FLAG"
                text = "The IS_COMPONENTS_V2 flag cannot be removed from a message."
                raise wrong_field("flags", code, text)
        files, dropped = self._write(message, body, flags)
        if not was_loading:
            message.edited_at = now_iso()
        self._world.edited(message, files=files, dropped=dropped)
        return message

    def _write(
        self, message: Message, body: Body, flags: int
    ) -> tuple[dict[int, bytes], list[Attachment]]:
        """Check a payload and set its fields on a message; other fields do not change.

        Returns the bytes of new files, and the dropped attachments.
        """
        payload, before = body.payload, message.attachments
        attachments, files = self._attachments(before, body)
        # An edit that turns a classic message into a layout must clear its content.
        content = (payload["content"] or "") if "content" in payload else message.content
        components = payload.get("components")
        filenames = {a.filename for a in attachments}
        if components is None:
            components = message.components
        elif payload.get("attachments") is not None:
            # Files that an edit keeps by id only are not found by name.
            listed = {
                int(each.get("id", -1)): each.get("filename") for each in payload["attachments"]
            }
            only_by_id = [a for a in attachments if a in before and listed.get(a.id) != a.filename]
            filenames -= {a.filename for a in only_by_id}
        is_layout = bool(flags & MessageFlag.COMPONENTS_V2)
        check_message(
            {**payload, "content": content, "components": components},
            [len(data) for _, data in body.files.values()],
            layout=is_layout,
            filenames=filenames,
            emojis=self._world.emojis,
        )
        if not (components or (not is_layout and (content or attachments))):
            raise ApiError("Cannot send an empty message")
        message.content, message.components = content, with_ids(components)
        message.attachments, message.flags = attachments, flags
        if ("components" if is_layout else "content") in payload:
            self._set_mentions(message, payload)
        return files, [a for a in before if a not in attachments]

    def _attachments(
        self, present: list[Attachment], body: Body
    ) -> tuple[list[Attachment], dict[int, bytes]]:
        """Return a message's files: old ones listed in `attachments`, then new ones.

        Without the array, old files stay unless there are new ones.
        """
        entries: list[Json] | None = body.payload.get("attachments")
        remaining, described = [] if body.files else present, dict[int, Json]()
        if entries is not None:
            by_id = {a.id: a for a in present}
            listed = {int(entry.get("id", -1)): entry for entry in entries}
            remaining = [by_id[i] for i in listed if i in by_id]
            described = {i: entry for i, entry in listed.items() if i not in by_id}
        new: list[Attachment] = []
        files: dict[int, bytes] = {}
        for number, (filename, data) in sorted(body.files.items()):
            entry, attachment_id = described.get(number, {}), self._world.snowflakes.next()
            upload = str(entry.get("filename") or filename), data
            new.append(describe_file(upload, attachment_id, entry.get("description")))
            files[attachment_id] = data
        return [*remaining, *new], files

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

    def _check_permissions(self, channel: Channel, body: Body) -> None:
        if channel.kind is ChannelKind.DM:
            if self._world.users[channel.recipient_id or 0].blocks_dms:
                raise ApiError("Cannot send messages to this user")
            return
        needed = Permission.SEND_MESSAGES
        if channel.thread is not None:
            needed = Permission.SEND_MESSAGES_IN_THREADS
            if channel.thread.archived and channel.thread.locked:
                raise ApiError("Thread is archived")
        if body.files:
            needed |= Permission.ATTACH_FILES
        if self._world.bot_permissions(channel) & needed != needed:
            raise ApiError("Missing Permissions")

    def _unarchive(self, channel: Channel) -> None:
        if channel.thread is not None and channel.thread.archived:
            self._world.archive(channel, archived=False)


def mentioned_users(world: World, text: str) -> list[int]:
    """Return the ids of known users mentioned in a text, in order, without duplicates."""
    user_ids = dict.fromkeys(int(digits) for digits in _MENTION.findall(text))
    return [user_id for user_id in user_ids if user_id in world.users]


def _bot_flags(payload: Json) -> int:
    return int(payload.get("flags") or 0) & _BOT_FLAGS
