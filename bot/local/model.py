"""Data types of the stand-in: users, servers, channels, messages and commands.

Components and command options stay JSON, as Discord passes them through unchanged.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from datetime import UTC, datetime
from enum import IntEnum, IntFlag
from itertools import count
from typing import Any

import msgspec

Json = dict[str, Any]

#: Zero of the milliseconds in an id.
DISCORD_EPOCH_MS = 1_420_070_400_000


def now_iso() -> str:
    """Return the current time in Discord's format."""
    return datetime.now(UTC).isoformat()


def snowflake_time(snowflake: int) -> float:
    """Return the creation time of an id, in seconds since 1970."""
    return ((snowflake >> 22) + DISCORD_EPOCH_MS) / 1000


class Snowflakes:
    """Generator of increasing, time-based ids, even if the clock steps back."""

    def __init__(self) -> None:
        self._last = 0

    def next(self) -> int:
        """Return a new id, greater than all earlier ones."""
        by_clock = (int(time.time() * 1000) - DISCORD_EPOCH_MS) << 22
        self._last = max(by_clock, self._last + 1)
        return self._last

    def next_on(self, shard: int, count: int) -> int:
        """Return a new server id on shard `shard` of `count`; its time may be slightly ahead.

        Raises `ValueError` if there is no such shard.
        """
        if not 0 <= shard < count:
            raise ValueError(f"there is no shard {shard} of {count}")
        milliseconds = (self.next() >> 22) + 1
        milliseconds += (shard - milliseconds) % count
        self._last = milliseconds << 22
        return self._last

    def skip_past(self, used: int) -> None:
        """Make all later ids greater than `used`."""
        self._last = max(self._last, used)


class ChannelKind(IntEnum):
    """Discord's channel types that the stand-in supports."""

    TEXT = 0
    DM = 1
    PUBLIC_THREAD = 11
    PRIVATE_THREAD = 12

    @property
    def is_thread(self) -> bool:
        return self in (ChannelKind.PUBLIC_THREAD, ChannelKind.PRIVATE_THREAD)


class MessageKind(IntEnum):
    """Discord's message types that the stand-in creates."""

    DEFAULT = 0
    THREAD_NOTICE = 18
    REPLY = 19
    COMMAND = 20
    THREAD_STARTER = 21


class MessageFlag(IntFlag):
    """Bits of a message's `flags`."""

    HAS_THREAD = 1 << 5
    EPHEMERAL = 1 << 6
    LOADING = 1 << 7
    SUPPRESS_NOTIFICATIONS = 1 << 12
    COMPONENTS_V2 = 1 << 15


class ComponentKind(IntEnum):
    """Discord's component types, in messages and modals."""

    ACTION_ROW = 1
    BUTTON = 2
    STRING_SELECT = 3
    TEXT_INPUT = 4
    SECTION = 9
    TEXT_DISPLAY = 10
    THUMBNAIL = 11
    MEDIA_GALLERY = 12
    FILE = 13
    SEPARATOR = 14
    CONTAINER = 17
    LABEL = 18


def is_select(component: Json) -> bool:
    return component.get("type") == ComponentKind.STRING_SELECT


def walk(components: Iterable[Json]) -> Iterator[Json]:
    """Yield all components in reading order, parents before children."""
    for component in components:
        yield component
        yield from walk(component.get("components") or [])
        if component.get("accessory"):
            yield from walk([component["accessory"]])


def rebuilt(components: Iterable[Json], change: Callable[[Json], Json]) -> list[Json]:
    """Return copies of components and their children, each passed through `change`."""

    def copy(component: Json) -> Json:
        changed = {**change(component)}
        if component.get("components"):
            changed["components"] = [copy(part) for part in component["components"]]
        if component.get("accessory"):
            changed["accessory"] = copy(component["accessory"])
        return changed

    return [copy(component) for component in components]


def with_ids(components: Sequence[Json]) -> list[Json]:
    """Return components as Discord stores them: all numbered, emoji ids as text.

    Bots may send emoji ids as numbers.
    """
    used_ids = {component["id"] for component in walk(components) if component.get("id")}
    free_ids = (number for number in count(1) if number not in used_ids)

    def stored(part: Json) -> Json:
        numbered = _with_emoji({**part, "id": part.get("id") or next(free_ids)})
        if part.get("options"):
            numbered["options"] = [_with_emoji(option) for option in part["options"]]
        return numbered

    return rebuilt(components, stored)


def _with_emoji(part: Json) -> Json:
    emoji = part.get("emoji")
    if not emoji or emoji.get("id") is None:
        return part
    return {**part, "emoji": {**emoji, "id": str(emoji["id"])}}


class Permission(IntFlag):
    """Permissions that the stand-in checks. All others are always granted."""

    VIEW_CHANNEL = 1 << 10
    SEND_MESSAGES = 1 << 11
    MANAGE_MESSAGES = 1 << 13
    ATTACH_FILES = 1 << 15
    READ_MESSAGE_HISTORY = 1 << 16
    USE_APPLICATION_COMMANDS = 1 << 31
    MANAGE_THREADS = 1 << 34
    CREATE_PUBLIC_THREADS = 1 << 35
    CREATE_PRIVATE_THREADS = 1 << 36
    SEND_MESSAGES_IN_THREADS = 1 << 38


_ADMINISTRATOR = 1 << 3
#: All permissions except Administrator, which would override a channel's denials.
ALL_PERMISSIONS = ((1 << 53) - 1) & ~_ADMINISTRATOR
#: Permissions of @everyone: read, write, use commands and threads; no moderation.
EVERYONE_PERMISSIONS = int(
    Permission.VIEW_CHANNEL
    | Permission.SEND_MESSAGES
    | Permission.ATTACH_FILES
    | Permission.READ_MESSAGE_HISTORY
    | Permission.USE_APPLICATION_COMMANDS
    | Permission.CREATE_PUBLIC_THREADS
    | Permission.SEND_MESSAGES_IN_THREADS
)


class User(msgspec.Struct, kw_only=True):
    """A person or the bot. `slug` is the name in the page's URL."""

    id: int
    name: str
    slug: str
    colour: str = "#7aa2c8"
    is_bot: bool = False
    is_spectator: bool = False
    locale: str = "en-US"
    blocks_dms: bool = False


class Guild(msgspec.Struct, kw_only=True):
    """A server. All users are members except those in `outsiders`."""

    id: int
    name: str
    owner_id: int
    bot_role_id: int
    locale: str = "en-US"
    outsiders: list[int] = msgspec.field(default_factory=list)


class ThreadState(msgspec.Struct, kw_only=True):
    """The thread fields of a channel. `members` maps user ids to ISO join times."""

    archived: bool = False
    locked: bool = False
    auto_archive_minutes: int = 1440
    archive_changed_at: str = ""
    members: dict[int, str] = msgspec.field(default_factory=dict)
    message_count: int = 0


class Channel(msgspec.Struct, kw_only=True):
    """A text channel, a thread or the DM between the bot and one person.

    `denied` are the permissions denied to the bot. Only a DM has no `guild_id`.
    """

    id: int
    kind: ChannelKind
    guild_id: int | None = None
    name: str = ""
    topic: str = ""
    position: int = 0
    parent_id: int | None = None
    owner_id: int | None = None
    recipient_id: int | None = None
    denied: int = 0
    last_message_id: int | None = None
    thread: ThreadState | None = None


class Attachment(msgspec.Struct, kw_only=True):
    """A file of a message. Its bytes are stored separately under this id."""

    id: int
    filename: str
    size: int
    content_type: str
    width: int | None = None
    height: int | None = None
    description: str | None = None


class Origin(msgspec.Struct, kw_only=True):
    """The interaction that a message answers; `kind` is its type."""

    id: int
    kind: int
    user_id: int
    command: str = ""


class Reference(msgspec.Struct, kw_only=True):
    """The message or thread that a message points to."""

    channel_id: int
    message_id: int | None = None


class Message(msgspec.Struct, kw_only=True):
    """A message. `visible_to` is the user id of an ephemeral answer's only reader."""

    id: int
    channel_id: int
    author_id: int
    content: str = ""
    components: list[Json] = msgspec.field(default_factory=list)
    attachments: list[Attachment] = msgspec.field(default_factory=list)
    mentions: list[int] = msgspec.field(default_factory=list)
    mention_everyone: bool = False
    kind: MessageKind = MessageKind.DEFAULT
    flags: int = 0
    edited_at: str | None = None
    nonce: str | None = None
    reference: Reference | None = None
    origin: Origin | None = None
    visible_to: int | None = None
    dismissed: bool = False

    @property
    def is_ephemeral(self) -> bool:
        return self.visible_to is not None

    @property
    def is_loading(self) -> bool:
        """Whether the message is the placeholder of a deferred answer."""
        return bool(self.flags & MessageFlag.LOADING)

    @property
    def is_layout(self) -> bool:
        """Whether the message has only layout components, no `content` or embeds."""
        return bool(self.flags & MessageFlag.COMPONENTS_V2)

    @property
    def text(self) -> str:
        """The content, or the texts of a layout, one per line."""
        if not self.is_layout:
            return self.content
        return "\n".join(
            part["content"]
            for part in walk(self.components)
            if part["type"] == ComponentKind.TEXT_DISPLAY
        )

    @property
    def parts(self) -> list[Json]:
        """All buttons and selects, in order, at any depth."""
        usable = (ComponentKind.BUTTON, ComponentKind.STRING_SELECT)
        return [part for part in walk(self.components) if part["type"] in usable]

    def custom_ids(self, start: str = "", *, kind: int | None = None) -> list[str]:
        """Return the custom ids of enabled components, by prefix and component type."""
        usable = [part for part in self.parts if "custom_id" in part and not part.get("disabled")]
        ids = [str(part["custom_id"]) for part in usable if kind in (None, part["type"])]
        return [each for each in ids if each.startswith(start)]


class AppEmoji(msgspec.Struct, kw_only=True):
    """An emoji of the application, with its picture."""

    id: int
    name: str
    content_type: str
    data: bytes


class Command(msgspec.Struct, kw_only=True):
    """A registered application command; `spec` is the JSON from the bot."""

    id: int
    guild_id: int | None
    spec: Json
