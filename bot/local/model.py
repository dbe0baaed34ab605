"""What the stand-in's world is made of: people, channels, threads, messages, commands.

JSON that Discord passes through untouched (components, command options) stays JSON.
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

#: Ids carry the time, in milliseconds since then.
DISCORD_EPOCH_MS = 1_420_070_400_000


def now_iso() -> str:
    """The time now as Discord writes it."""
    return datetime.now(UTC).isoformat()


def snowflake_time(snowflake: int) -> float:
    """When an id was made, in seconds since 1970."""
    return ((snowflake >> 22) + DISCORD_EPOCH_MS) / 1000


class Snowflakes:
    """Makes ids that carry the time and never repeat, even when the clock steps back."""

    def __init__(self) -> None:
        self._last = 0

    def next(self) -> int:
        """A new id, greater than every earlier one."""
        by_clock = (int(time.time() * 1000) - DISCORD_EPOCH_MS) << 22
        self._last = max(by_clock, self._last + 1)
        return self._last

    def next_on(self, shard: int, count: int) -> int:
        """A new id for a server that belongs on a shard, of so many; it may lie milliseconds ahead.

        Raises `ValueError` where there is no such shard.
        """
        if not 0 <= shard < count:
            raise ValueError(f"there is no shard {shard} of {count}")
        milliseconds = (self.next() >> 22) + 1
        milliseconds += (shard - milliseconds) % count
        self._last = milliseconds << 22
        return self._last

    def skip_past(self, used: int) -> None:
        """Never hand out an id up to and including `used`."""
        self._last = max(self._last, used)


class ChannelKind(IntEnum):
    """Discord's channel types, as far as the stand-in knows them."""

    TEXT = 0
    DM = 1
    PUBLIC_THREAD = 11
    PRIVATE_THREAD = 12

    @property
    def is_thread(self) -> bool:
        """Whether a channel of this kind lives under another one."""
        return self in (ChannelKind.PUBLIC_THREAD, ChannelKind.PRIVATE_THREAD)


class MessageKind(IntEnum):
    """Discord's message types, as far as the stand-in makes them."""

    DEFAULT = 0
    PIN_NOTICE = 6
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
    """Discord's component types: parts of messages and of forms."""

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
    """Whether a component of a message or a form is a select."""
    return component.get("type") == ComponentKind.STRING_SELECT


def walk(components: Iterable[Json]) -> Iterator[Json]:
    """Each component in the order in which it is read, one before what stands in it."""
    for component in components:
        yield component
        yield from walk(component.get("components") or [])
        if component.get("accessory"):
            yield from walk([component["accessory"]])


def rebuilt(components: Iterable[Json], change: Callable[[Json], Json]) -> list[Json]:
    """Copies of components, each and all that stand in them as `change` returns it."""

    def one(component: Json) -> Json:
        written = {**change(component)}
        if component.get("components"):
            written["components"] = [one(part) for part in component["components"]]
        if component.get("accessory"):
            written["accessory"] = one(component["accessory"])
        return written

    return [one(component) for component in components]


def with_ids(components: Sequence[Json]) -> list[Json]:
    """Components as Discord keeps them: those without an id are numbered, and their emoji have
    their ids as text, which bots send as numbers."""
    given = {component["id"] for component in walk(components) if component.get("id")}
    free = (number for number in count(1) if number not in given)

    def kept(part: Json) -> Json:
        written = _with_emoji({**part, "id": part.get("id") or next(free)})
        if part.get("options"):
            written["options"] = [_with_emoji(option) for option in part["options"]]
        return written

    return rebuilt(components, kept)


def _with_emoji(part: Json) -> Json:
    emoji = part.get("emoji")
    if not emoji or emoji.get("id") is None:
        return part
    return {**part, "emoji": {**emoji, "id": str(emoji["id"])}}


class Permission(IntFlag):
    """The permissions that the stand-in looks at. All other bits are always granted."""

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
#: All permissions that Discord has given a number so far, but for the one that would let a
#: member pass by what a channel denies.
ALL_PERMISSIONS = ((1 << 53) - 1) & ~_ADMINISTRATOR
#: What @everyone may do: talk, read, use commands and threads, but manage nothing.
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
    """A person or the bot. `slug` names a person in the page's address."""

    id: int
    name: str
    slug: str
    colour: str = "#7aa2c8"
    is_bot: bool = False
    is_spectator: bool = False
    locale: str = "en-US"
    blocks_dms: bool = False


class Guild(msgspec.Struct, kw_only=True):
    """A server. Everybody is a member but for the users in `outsiders`."""

    id: int
    name: str
    owner_id: int
    bot_role_id: int
    locale: str = "en-US"
    outsiders: list[int] = msgspec.field(default_factory=list)


class ThreadState(msgspec.Struct, kw_only=True):
    """What a thread has beyond a channel. `members` maps user ids to ISO join times."""

    archived: bool = False
    locked: bool = False
    auto_archive_minutes: int = 1440
    archive_changed_at: str = ""
    members: dict[int, str] = msgspec.field(default_factory=dict)
    message_count: int = 0


class Channel(msgspec.Struct, kw_only=True):
    """A text channel, a thread or a direct conversation between the bot and one person.

    `denied` holds the permissions that the bot lacks here. Only a direct conversation has no
    `guild_id`.
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
    """A file of a message; its bytes are kept separately, under the same id."""

    id: int
    filename: str
    size: int
    content_type: str
    width: int | None = None
    height: int | None = None
    description: str | None = None


class Origin(msgspec.Struct, kw_only=True):
    """The interaction that a message answers. `kind` is the interaction's type."""

    id: int
    kind: int
    user_id: int
    command: str = ""


class Reference(msgspec.Struct, kw_only=True):
    """The message or thread that a message points to."""

    channel_id: int
    message_id: int | None = None


class Message(msgspec.Struct, kw_only=True):
    """One message. `visible_to` names the only person who sees it, for private answers."""

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
        """Whether only one person sees it."""
        return self.visible_to is not None

    @property
    def is_loading(self) -> bool:
        """Whether it is the placeholder of a deferred answer."""
        return bool(self.flags & MessageFlag.LOADING)

    @property
    def is_layout(self) -> bool:
        """Whether it is made of layout components alone, without `content` and embeds."""
        return bool(self.flags & MessageFlag.COMPONENTS_V2)

    @property
    def text(self) -> str:
        """What it says: its content, or the texts of a layout, a line each."""
        if not self.is_layout:
            return self.content
        return "\n".join(
            part["content"]
            for part in walk(self.components)
            if part["type"] == ComponentKind.TEXT_DISPLAY
        )

    @property
    def parts(self) -> list[Json]:
        """Its buttons and selects, in order, wherever they stand."""
        usable = (ComponentKind.BUTTON, ComponentKind.STRING_SELECT)
        return [part for part in walk(self.components) if part["type"] in usable]

    def custom_ids(self, start: str = "", *, kind: int | None = None) -> list[str]:
        """The custom ids with this prefix of its enabled components, optionally of one type
        only."""
        usable = [part for part in self.parts if "custom_id" in part and not part.get("disabled")]
        ids = [str(part["custom_id"]) for part in usable if kind in (None, part["type"])]
        return [each for each in ids if each.startswith(start)]


class AppEmoji(msgspec.Struct, kw_only=True):
    """An emoji of the application: its picture, by bytes and type such as `image/png`."""

    id: int
    name: str
    content_type: str
    data: bytes


class Command(msgspec.Struct, kw_only=True):
    """A registered application command; `spec` is what the bot sent."""

    id: int
    guild_id: int | None
    spec: Json
