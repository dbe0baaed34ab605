"""SQLite storage of the chat.

A thread writes changes in batches, so that the event loop never waits for the disk. If the process
is killed, the last changes may be lost.
"""

from __future__ import annotations

import asyncio
import sqlite3
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path
from typing import Any, TypeVar

import msgspec

from bot.local import changes
from bot.local.model import (
    AppEmoji,
    Channel,
    ChannelKind,
    Command,
    Guild,
    Message,
    Snowflakes,
    User,
)
from bot.local.world import World
from bot.workers import in_thread

_SCHEMA = """
CREATE TABLE IF NOT EXISTS thing (kind TEXT, id INTEGER, json BLOB, PRIMARY KEY (kind, id));
CREATE TABLE IF NOT EXISTS file (id INTEGER PRIMARY KEY, data BLOB NOT NULL);
CREATE TABLE IF NOT EXISTS seen (
    user_id INTEGER, channel_id INTEGER, message_id INTEGER, PRIMARY KEY (user_id, channel_id)
);
"""
_WITHOUT_FILE = "DELETE FROM file WHERE id = ?"
_BATCH_S = 0.2
#: Bytes of stored files to cache in memory.
_CACHE_SIZE = 8 << 20
#: Bytes of the write-ahead log after a checkpoint.
_MAX_LOG_SIZE = 4 << 20

_Entity = Guild | User | Channel | Message | AppEmoji | Command
_T = TypeVar("_T", bound=_Entity)
_KINDS: dict[type, str] = {
    Guild: "guild",
    User: "user",
    Channel: "channel",
    Message: "message",
    AppEmoji: "emoji",
    Command: "command",
}
_Statement = tuple[str, tuple[Any, ...]]


class WorldStore:
    """An SQLite file. Call `load()`, `watch()` and finally `close()`."""

    def __init__(self, path: Path) -> None:
        self._db = sqlite3.connect(path, check_same_thread=False)
        # Only effective in a new file, before the journal mode is set.
        self._db.execute("PRAGMA auto_vacuum=INCREMENTAL")
        self._db.execute("PRAGMA journal_mode=WAL")
        self._db.execute(f"PRAGMA journal_size_limit={_MAX_LOG_SIZE}")
        self._db.executescript(_SCHEMA)
        self._lock = asyncio.Lock()
        self._world: World
        self._pending: dict[tuple[str, int, int], _Statement] = {}
        """The newest statement for each row."""
        self._new_files: set[int] = set()
        self._wake = asyncio.Event()
        self._closing = asyncio.Event()
        self._writer: asyncio.Task[None] | None = None

    def load(self) -> World | None:
        """Return the stored world, or `None` if the file is new."""
        users = self._read(User)
        bots = [user for user in users.values() if user.is_bot]
        guilds = self._read(Guild)
        if not guilds or not bots:
            return None
        world = World(bots[0], Snowflakes())
        world.guilds, world.users, world.channels = guilds, users, self._read(Channel)
        for channel in world.channels.values():
            # Old files, written when there was only one server, do not name it.
            if channel.guild_id is None and channel.kind is not ChannelKind.DM:
                channel.guild_id = world.guild.id
        world.commands, world.emojis = self._read(Command), self._read(AppEmoji)
        world.messages = {channel_id: {} for channel_id in world.channels}
        messages, used_files = self._read(Message), set[int]()
        for message in messages.values():
            world.messages[message.channel_id][message.id] = message
            if not message.dismissed:
                used_files.update(attachment.id for attachment in message.attachments)
        rows = self._db.execute("SELECT user_id, channel_id, message_id FROM seen")
        world.reads = {(user_id, channel_id): read for user_id, channel_id, read in rows}
        stored = [file_id for (file_id,) in self._db.execute("SELECT id FROM file")]
        with self._db:
            unused = [(file_id,) for file_id in stored if file_id not in used_files]
            self._db.executemany(_WITHOUT_FILE, unused)
        entities = (guilds, users, world.channels, world.commands, world.emojis, messages)
        world.snowflakes.skip_past(max([*used_files, *(id for each in entities for id in each)]))
        return world

    def watch(self, world: World) -> None:
        """Write the world's servers, users and channels now, and all later changes."""
        self._world = world
        for entities in (world.guilds, world.users, world.channels):
            for entity in entities.values():
                self._put(entity)
        world.subscribe(self._on_change)
        self._writer = asyncio.create_task(self._write_batches())

    async def read_file(self, file_id: int) -> bytes | None:
        """Return the bytes of an attachment, or `None` if it is not stored."""

        def read() -> bytes | None:
            row = self._db.execute("SELECT data FROM file WHERE id = ?", (file_id,)).fetchone()
            return None if row is None else bytes(row[0])

        async with self._lock:
            return await in_thread(read)

    async def close(self) -> None:
        """Write the remaining changes and close the file."""
        self._closing.set()
        self._wake.set()
        if self._writer is not None:
            await self._writer
            # Changes may have arrived during the last batch.
            await self.flush()
        self._db.close()

    def _on_change(self, change: changes.Change) -> None:
        match change:
            case changes.MessageDeleted(message):
                self._delete("message", message.id)
            case changes.OfMessage(message):
                self._put(message)
                self._put(self._world.channels[message.channel_id])
                self._new_files.update(attachment.id for attachment in message.attachments)
            case changes.ChannelDeleted(channel, message_ids):
                self._delete("channel", channel.id)
                for message_id in message_ids:
                    self._delete("message", message_id)
            case (
                changes.OfChannel(entity)
                | changes.EmojiCreated(entity)
                | changes.UserChanged(entity)
                | changes.GuildChanged(entity)
            ):
                self._put(entity)
            case changes.FileDeleted(file_id):
                self._new_files.discard(file_id)
                self._pending["file", file_id, 0] = _WITHOUT_FILE, (file_id,)
            case changes.ChannelRead(user_id, channel_id):
                row = user_id, channel_id, self._world.reads[user_id, channel_id]
                self._pending["seen", user_id, channel_id] = (
                    "REPLACE INTO seen VALUES (?, ?, ?)",
                    row,
                )
            case changes.CommandsChanged(removed):
                for command_id in removed:
                    self._delete("command", command_id)
                for command in self._world.commands.values():
                    self._put(command)
        self._wake.set()

    def _put(self, entity: _Entity) -> None:
        row = _KINDS[type(entity)], entity.id, msgspec.json.encode(entity)
        self._pending[row[0], entity.id, 0] = "REPLACE INTO thing VALUES (?, ?, ?)", row
        self._wake.set()

    def _delete(self, kind: str, entity_id: int) -> None:
        sql = "DELETE FROM thing WHERE kind = ? AND id = ?"
        self._pending[kind, entity_id, 0] = sql, (kind, entity_id)

    def _read(self, type_: type[_T]) -> dict[int, _T]:
        sql = "SELECT json FROM thing WHERE kind = ? ORDER BY id"
        rows = self._db.execute(sql, (_KINDS[type_],))
        entities = [msgspec.json.decode(blob, type=type_) for (blob,) in rows]
        return {entity.id: entity for entity in entities}

    async def _write_batches(self) -> None:
        while not self._closing.is_set():
            await self._wake.wait()
            with suppress(TimeoutError):
                await asyncio.wait_for(self._closing.wait(), _BATCH_S)
            await self.flush()

    async def flush(self) -> None:
        """Write all pending changes."""
        async with self._lock:
            self._wake.clear()
            pending, self._pending = self._pending, {}
            new_files, self._new_files = self._new_files, set()
            cache = self._world.files
            files = [(file_id, cache[file_id]) for file_id in new_files if file_id in cache]
            await in_thread(self._write, pending.values(), files)
            room = _CACHE_SIZE
            for file_id in reversed(list(cache)):
                room -= len(cache[file_id])
                if room < 0 and file_id not in self._new_files:
                    del cache[file_id]

    def _write(self, statements: Iterable[_Statement], files: Iterable[tuple[int, bytes]]) -> None:
        with self._db:
            for sql, row in statements:
                self._db.execute(sql, row)
            self._db.executemany("INSERT OR IGNORE INTO file VALUES (?, ?)", files)
        # Return free pages to the file system; `execute` would free only one.
        self._db.executescript("PRAGMA incremental_vacuum")
