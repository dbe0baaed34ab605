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
from typing import TypeVar

import msgspec

from bot.local import changes
from bot.local.model import AppEmoji, Channel, ChannelKind, Command, Guild, Message, User
from bot.local.snowflakes import Snowflakes
from bot.local.world import World
from bot.workers import in_thread

_SCHEMA = """
CREATE TABLE IF NOT EXISTS thing (kind TEXT, id INTEGER, json BLOB, PRIMARY KEY (kind, id));
CREATE TABLE IF NOT EXISTS file (id INTEGER PRIMARY KEY, data BLOB NOT NULL);
CREATE TABLE IF NOT EXISTS seen (
    user_id INTEGER, channel_id INTEGER, message_id INTEGER, PRIMARY KEY (user_id, channel_id)
);
"""
_INCREMENTAL = 2
_BATCH_S = 0.2
#: How many bytes of files stay in memory once they are on disk.
_IN_MEMORY = 8 << 20
#: How many bytes of the log of changes stay on disk once they are in the file.
_LOG_KEPT = 4 << 20

_Row = tuple[str, int, bytes]
_T = TypeVar("_T", bound=msgspec.Struct)


class WorldStore:
    """One SQLite file. Open it, `load()`, `watch()` the world, and finally `close()`."""

    def __init__(self, path: Path) -> None:
        self._db = sqlite3.connect(path, check_same_thread=False)
        if self._db.execute("PRAGMA auto_vacuum").fetchone() != (_INCREMENTAL,):
            # A file that was written before this can only be changed so, and not with a log.
            self._db.execute("PRAGMA journal_mode=DELETE")
            self._db.execute(f"PRAGMA auto_vacuum={_INCREMENTAL}")
            self._db.execute("VACUUM")
        self._db.execute("PRAGMA journal_mode=WAL")
        self._db.execute(f"PRAGMA journal_size_limit={_LOG_KEPT}")
        self._db.executescript(_SCHEMA)
        self._lock = asyncio.Lock()
        self._world: World | None = None
        self._changed: dict[tuple[str, int], bytes | None] = {}
        self._reads: dict[tuple[int, int], int] = {}
        self._new_files: set[int] = set()
        self._gone_files: set[int] = set()
        self._commands_changed = False
        self._wake = asyncio.Event()
        self._closing = asyncio.Event()
        self._writer: asyncio.Task[None] | None = None

    def load(self) -> World | None:
        """The world as it was left, or `None` when the file is new."""
        guilds = self._read("guild", Guild)
        bots = [user for user in self._read("user", User) if user.is_bot]
        if not guilds or not bots:
            return None
        world = World(bots[0], Snowflakes())
        world.guilds = {guild.id: guild for guild in guilds}
        world.users = {user.id: user for user in self._read("user", User)}
        world.channels = {c.id: c for c in self._read("channel", Channel)}
        for channel in world.channels.values():
            # Files written when there was one server do not name it.
            if channel.guild_id is None and channel.kind is not ChannelKind.DM:
                channel.guild_id = world.guild.id
        world.commands = {c.id: c for c in self._read("command", Command)}
        world.emojis = {emoji.id: emoji for emoji in self._read("emoji", AppEmoji)}
        world.messages = {channel_id: {} for channel_id in world.channels}
        used = [*world.guilds, *world.users, *world.channels, *world.commands, *world.emojis]
        shown: set[int] = set()
        for message in self._read("message", Message):
            world.messages[message.channel_id][message.id] = message
            world.remember_nonce(message)
            if not message.dismissed:
                shown.update(attachment.id for attachment in message.attachments)
            used.append(message.id)
        rows = self._db.execute("SELECT user_id, channel_id, message_id FROM seen")
        world.reads = {(user_id, channel_id): read for user_id, channel_id, read in rows}
        self._forget_files_but(shown)
        world.snowflakes.skip_past(max(used + list(shown)))
        return world

    def watch(self, world: World) -> None:
        """Write the whole world, and every change from now on."""
        self._world = world
        for guild in world.guilds.values():
            self._put("guild", guild.id, guild)
        for user in world.users.values():
            self._put("user", user.id, user)
        for channel in world.channels.values():
            self._put("channel", channel.id, channel)
        world.subscribe(self._on_change)
        self._writer = asyncio.create_task(self._write_batches())

    async def read_file(self, file_id: int) -> bytes | None:
        """The bytes of an attachment, or `None`."""
        async with self._lock:
            return await in_thread(self._read_file, file_id)

    async def close(self) -> None:
        """Write what is left and close the file."""
        self._closing.set()
        self._wake.set()
        if self._writer is not None:
            await self._writer
            # What came while the last batch was being written.
            await self._flush()
        self._db.close()

    def _on_change(self, change: changes.Change) -> None:
        match change:
            case (
                changes.MessageCreated(message)
                | changes.MessageEdited(message)
                | changes.MessageDismissed(message)
            ):
                self._put("message", message.id, message)
                self._new_files.update(attachment.id for attachment in message.attachments)
                channel = self._known.channels[message.channel_id]
                self._put("channel", channel.id, channel)
            case changes.MessageDeleted(message):
                self._changed["message", message.id] = None
            case changes.ChannelCreated(channel) | changes.ChannelChanged(channel):
                self._put("channel", channel.id, channel)
            case changes.ThreadMembersChanged(channel=channel):
                self._put("channel", channel.id, channel)
            case changes.ChannelDeleted(channel, message_ids):
                self._changed["channel", channel.id] = None
                self._changed |= {("message", message_id): None for message_id in message_ids}
            case changes.FileGone(file_id):
                self._new_files.discard(file_id)
                self._gone_files.add(file_id)
            case changes.ReadMoved(user_id, channel_id):
                self._reads[user_id, channel_id] = self._known.reads[user_id, channel_id]
            case changes.UserChanged(user):
                self._put("user", user.id, user)
            case changes.GuildChanged(guild):
                self._put("guild", guild.id, guild)
            case changes.EmojiChanged(emoji):
                self._put("emoji", emoji.id, emoji)
            case changes.EmojiDeleted(emoji):
                self._changed["emoji", emoji.id] = None
            case changes.CommandsChanged():
                self._commands_changed = True
        self._wake.set()

    @property
    def _known(self) -> World:
        assert self._world is not None
        return self._world

    def _put(self, kind: str, thing_id: int, thing: msgspec.Struct) -> None:
        self._changed[kind, thing_id] = msgspec.json.encode(thing)
        self._wake.set()

    def _read(self, kind: str, type_: type[_T]) -> list[_T]:
        rows = self._db.execute("SELECT json FROM thing WHERE kind = ? ORDER BY id", (kind,))
        return [msgspec.json.decode(blob, type=type_) for (blob,) in rows]

    def _read_file(self, file_id: int) -> bytes | None:
        row = self._db.execute("SELECT data FROM file WHERE id = ?", (file_id,)).fetchone()
        return None if row is None else bytes(row[0])

    def _forget_files_but(self, shown: set[int]) -> None:
        stored = [file_id for (file_id,) in self._db.execute("SELECT id FROM file")]
        with self._db:
            unused = [(file_id,) for file_id in stored if file_id not in shown]
            self._db.executemany("DELETE FROM file WHERE id = ?", unused)
        self._give_back()

    def _give_back(self) -> None:
        """Shorten the file by what nothing stands in any more."""
        # By `execute` it would give back one page.
        self._db.executescript("PRAGMA incremental_vacuum")

    async def _write_batches(self) -> None:
        while not self._closing.is_set():
            await self._wake.wait()
            with suppress(TimeoutError):
                await asyncio.wait_for(self._closing.wait(), _BATCH_S)
            await self.flush()

    async def flush(self) -> None:
        """Write what has changed until now."""
        async with self._lock:
            await self._flush()

    async def _flush(self) -> None:
        self._wake.clear()
        changed, self._changed = self._changed, {}
        reads, self._reads = self._reads, {}
        new_files, self._new_files = self._new_files, set()
        gone_files, self._gone_files = self._gone_files, set()
        commands: list[_Row] | None = None
        if self._commands_changed:
            self._commands_changed = False
            registered = self._known.commands.values()
            commands = [("command", c.id, msgspec.json.encode(c)) for c in registered]
        held = self._known.files
        files = [(file_id, held[file_id]) for file_id in new_files if file_id in held]
        await in_thread(self._write, changed, reads, files, gone_files, commands)
        room = _IN_MEMORY
        for file_id in reversed(list(held)):
            room -= len(held[file_id])
            if room < 0 and file_id not in self._new_files:
                del held[file_id]

    def _write(
        self,
        changed: dict[tuple[str, int], bytes | None],
        reads: dict[tuple[int, int], int],
        files: Iterable[tuple[int, bytes]],
        gone_files: Iterable[int],
        commands: list[_Row] | None,
    ) -> None:
        rows = [(kind, i, blob) for (kind, i), blob in changed.items() if blob is not None]
        gone = [(kind, i) for (kind, i), blob in changed.items() if blob is None]
        with self._db:
            if commands is not None:
                self._db.execute("DELETE FROM thing WHERE kind = 'command'")
                rows = rows + commands
            self._db.executemany("REPLACE INTO thing VALUES (?, ?, ?)", rows)
            self._db.executemany("DELETE FROM thing WHERE kind = ? AND id = ?", gone)
            read_marks = [(user_id, channel_id, m) for (user_id, channel_id), m in reads.items()]
            self._db.executemany("REPLACE INTO seen VALUES (?, ?, ?)", read_marks)
            self._db.executemany("INSERT OR IGNORE INTO file VALUES (?, ?)", files)
            removed = [(file_id,) for file_id in gone_files]
            self._db.executemany("DELETE FROM file WHERE id = ?", removed)
        if removed:
            self._give_back()
