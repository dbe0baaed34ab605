"""Keeps the chat in an SQLite file, so that it survives a restart.

Changes are collected and written in batches by a thread; the event loop never waits for the disk. A
kill may lose the last moments before it, nothing else.
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
#: How many bytes of files stay in memory once they are on disk.
_IN_MEMORY = 8 << 20
#: How many bytes of the log of changes stay on disk once they are in the file.
_LOG_KEPT = 4 << 20

_Thing = Guild | User | Channel | Message | AppEmoji | Command
_T = TypeVar("_T", bound=_Thing)
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
    """One SQLite file. Open it, `load()`, `watch()` the world, and finally `close()`."""

    def __init__(self, path: Path) -> None:
        self._db = sqlite3.connect(path, check_same_thread=False)
        # That takes effect in a new file alone, and before there is a log.
        self._db.execute("PRAGMA auto_vacuum=INCREMENTAL")
        self._db.execute("PRAGMA journal_mode=WAL")
        self._db.execute(f"PRAGMA journal_size_limit={_LOG_KEPT}")
        self._db.executescript(_SCHEMA)
        self._lock = asyncio.Lock()
        self._world: World
        self._pending: dict[tuple[str, int, int], _Statement] = {}
        """The newest statement about each thing."""
        self._new_files: set[int] = set()
        self._wake = asyncio.Event()
        self._closing = asyncio.Event()
        self._writer: asyncio.Task[None] | None = None

    def load(self) -> World | None:
        """The world as it was left, or `None` when the file is new."""
        users = self._read(User)
        bots = [user for user in users.values() if user.is_bot]
        guilds = self._read(Guild)
        if not guilds or not bots:
            return None
        world = World(bots[0], Snowflakes())
        world.guilds, world.users, world.channels = guilds, users, self._read(Channel)
        for channel in world.channels.values():
            # Files written when there was one server do not name it.
            if channel.guild_id is None and channel.kind is not ChannelKind.DM:
                channel.guild_id = world.guild.id
        world.commands, world.emojis = self._read(Command), self._read(AppEmoji)
        world.messages = {channel_id: {} for channel_id in world.channels}
        messages, shown = self._read(Message), set[int]()
        for message in messages.values():
            world.messages[message.channel_id][message.id] = message
            if not message.dismissed:
                shown.update(attachment.id for attachment in message.attachments)
        rows = self._db.execute("SELECT user_id, channel_id, message_id FROM seen")
        world.reads = {(user_id, channel_id): read for user_id, channel_id, read in rows}
        stored = [file_id for (file_id,) in self._db.execute("SELECT id FROM file")]
        with self._db:
            unused = [(file_id,) for file_id in stored if file_id not in shown]
            self._db.executemany(_WITHOUT_FILE, unused)
        things = (guilds, users, world.channels, world.commands, world.emojis, messages)
        world.snowflakes.skip_past(max([*shown, *(id for each in things for id in each)]))
        return world

    def watch(self, world: World) -> None:
        """Write the whole world, and every change from now on."""
        self._world = world
        for things in (world.guilds, world.users, world.channels):
            for thing in things.values():
                self._put(thing)
        world.subscribe(self._on_change)
        self._writer = asyncio.create_task(self._write_batches())

    async def read_file(self, file_id: int) -> bytes | None:
        """The bytes of an attachment, or `None`."""

        def read() -> bytes | None:
            row = self._db.execute("SELECT data FROM file WHERE id = ?", (file_id,)).fetchone()
            return None if row is None else bytes(row[0])

        async with self._lock:
            return await in_thread(read)

    async def close(self) -> None:
        """Write what is left and close the file."""
        self._closing.set()
        self._wake.set()
        if self._writer is not None:
            await self._writer
            # What came while the last batch was being written.
            await self.flush()
        self._db.close()

    def _on_change(self, change: changes.Change) -> None:
        match change:
            case changes.MessageDeleted(message):
                self._drop("message", message.id)
            case changes.OfMessage(message):
                self._put(message)
                self._put(self._world.channels[message.channel_id])
                self._new_files.update(attachment.id for attachment in message.attachments)
            case changes.ChannelDeleted(channel, message_ids):
                self._drop("channel", channel.id)
                for message_id in message_ids:
                    self._drop("message", message_id)
            case (
                changes.OfChannel(thing)
                | changes.EmojiCreated(thing)
                | changes.UserChanged(thing)
                | changes.GuildChanged(thing)
            ):
                self._put(thing)
            case changes.FileGone(file_id):
                self._new_files.discard(file_id)
                self._pending["file", file_id, 0] = _WITHOUT_FILE, (file_id,)
            case changes.ReadMoved(user_id, channel_id):
                row = user_id, channel_id, self._world.reads[user_id, channel_id]
                self._pending["seen", user_id, channel_id] = (
                    "REPLACE INTO seen VALUES (?, ?, ?)",
                    row,
                )
            case changes.CommandsChanged(gone):
                for command_id in gone:
                    self._drop("command", command_id)
                for command in self._world.commands.values():
                    self._put(command)
        self._wake.set()

    def _put(self, thing: _Thing) -> None:
        row = _KINDS[type(thing)], thing.id, msgspec.json.encode(thing)
        self._pending[row[0], thing.id, 0] = "REPLACE INTO thing VALUES (?, ?, ?)", row
        self._wake.set()

    def _drop(self, kind: str, thing_id: int) -> None:
        sql = "DELETE FROM thing WHERE kind = ? AND id = ?"
        self._pending[kind, thing_id, 0] = sql, (kind, thing_id)

    def _read(self, type_: type[_T]) -> dict[int, _T]:
        sql = "SELECT json FROM thing WHERE kind = ? ORDER BY id"
        rows = self._db.execute(sql, (_KINDS[type_],))
        things = [msgspec.json.decode(blob, type=type_) for (blob,) in rows]
        return {thing.id: thing for thing in things}

    async def _write_batches(self) -> None:
        while not self._closing.is_set():
            await self._wake.wait()
            with suppress(TimeoutError):
                await asyncio.wait_for(self._closing.wait(), _BATCH_S)
            await self.flush()

    async def flush(self) -> None:
        """Write what has changed until now."""
        async with self._lock:
            self._wake.clear()
            pending, self._pending = self._pending, {}
            new_files, self._new_files = self._new_files, set()
            held = self._world.files
            files = [(file_id, held[file_id]) for file_id in new_files if file_id in held]
            await in_thread(self._write, pending.values(), files)
            room = _IN_MEMORY
            for file_id in reversed(list(held)):
                room -= len(held[file_id])
                if room < 0 and file_id not in self._new_files:
                    del held[file_id]

    def _write(self, statements: Iterable[_Statement], files: Iterable[tuple[int, bytes]]) -> None:
        with self._db:
            for sql, row in statements:
                self._db.execute(sql, row)
            self._db.executemany("INSERT OR IGNORE INTO file VALUES (?, ?)", files)
        # Shorten the file by what nothing stands in any more; by `execute` it would be one page.
        self._db.executescript("PRAGMA incremental_vacuum")
