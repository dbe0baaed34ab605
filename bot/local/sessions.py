"""The parts of the gateway: opcodes, close codes, compression, connections and sessions."""

from __future__ import annotations

import asyncio
import importlib
import secrets
import zlib
from collections import deque
from collections.abc import Callable
from enum import IntEnum
from typing import Any

import msgspec
from aiohttp import web

from bot.local.model import Json

#: How many events a disconnected session keeps for a resume.
REPLAY_EVENTS = 1000

#: Turns one event into one frame of the stream.
Compress = Callable[[bytes], bytes]


class Op(IntEnum):
    """Opcodes."""

    DISPATCH = 0
    HEARTBEAT = 1
    IDENTIFY = 2
    PRESENCE = 3
    RESUME = 6
    INVALID_SESSION = 9
    HELLO = 10
    HEARTBEAT_ACK = 11


#: Close codes and what Discord says with them.
REASONS = {
    4001: "Unknown opcode.",
    4002: "Error while decoding payload.",
    4003: "Not authenticated.",
    4004: "Authentication failed.",
    4005: "Already authenticated.",
    4008: "Rate limited.",
    4009: "Session timed out.",
    4010: "Invalid shard.",
    4011: "Sharding required.",
    4013: "Invalid intent(s).",
}


class RefusedError(Exception):
    """Closes the connection with one of the codes in `REASONS`."""

    def __init__(self, code: int) -> None:
        super().__init__(REASONS[code])
        self.code = code


def compressor(name: str | None) -> Compress | None:
    """The stream compressor that a client requests in the URL, `None` for none.

    Raises `RefusedError` when it is unknown or its library is not installed.
    """
    stream: Any
    if name is None:
        return None
    if name == "zlib-stream":
        stream = zlib.compressobj(1)
        return lambda data: bytes(stream.compress(data) + stream.flush(zlib.Z_SYNC_FLUSH))
    # discord.py requests zstd when it finds one of two libraries, so one is installed here too,
    # unless the bot runs from another environment.
    for library in ("compression.zstd", "zstandard") if name == "zstd-stream" else ():
        try:
            stream = importlib.import_module(library).ZstdCompressor()
        except ModuleNotFoundError:
            continue
        if library == "compression.zstd":
            return lambda data: bytes(stream.compress(data, mode=stream.FLUSH_BLOCK))
        stream, block = stream.compressobj(), 1  # COMPRESSOBJ_FLUSH_BLOCK
        return lambda data: bytes(stream.compress(data) + stream.flush(block))
    raise RefusedError(4002)


class Connection:
    """One websocket: writes events in order, compressed as the client asked.

    `cut` breaks the line without a close frame.
    """

    def __init__(
        self, socket: web.WebSocketResponse, compress: Compress | None, cut: Callable[[], None]
    ) -> None:
        self.socket = socket
        self.cut = cut
        self._compress = compress
        self._queue: asyncio.Queue[bytes | None] = asyncio.Queue()

    def send(
        self, op: Op, data: object, *, seq: int | None = None, name: str | None = None
    ) -> None:
        """Queue one payload."""
        payload = {"op": int(op), "d": data, "s": seq, "t": name}
        self._queue.put_nowait(msgspec.json.encode(payload))

    def finish(self) -> None:
        """Close once everything queued has been sent."""
        self._queue.put_nowait(None)

    async def write(self) -> None:
        """Send what is queued, until the connection ends."""
        while (data := await self._queue.get()) is not None:
            try:
                if self._compress is None:
                    await self.socket.send_str(data.decode())
                else:
                    await self.socket.send_bytes(self._compress(data))
            except ConnectionError:
                return
        await self.socket.close()


class Session:
    """What outlives a connection: sequence number and events to replay.

    `shard` is its number and how many there are.
    """

    def __init__(self, shard: tuple[int, int]) -> None:
        self.id = secrets.token_hex(16)
        self.shard = shard
        self.seq = 0
        self.events: deque[tuple[int, str, Json]] = deque(maxlen=REPLAY_EVENTS)
        self.connection: Connection | None = None

    def dispatch(self, name: str, data: Json) -> None:
        """Number an event, keep it for a replay, and send it if a client is connected."""
        self.seq += 1
        self.events.append((self.seq, name, data))
        if self.connection is not None:
            self.connection.send(Op.DISPATCH, data, seq=self.seq, name=name)

    def can_replay_after(self, seq: int) -> bool:
        """Whether everything after `seq` is still kept."""
        return 0 <= seq <= self.seq and self.seq - seq <= len(self.events)

    def serves(self, guild_id: int | None) -> bool:
        """Whether its shard is that of a server, or of direct messages for `None`."""
        index, count = self.shard
        return index == (0 if guild_id is None else (guild_id >> 22) % count)


def decode(data: str | bytes) -> tuple[Op, object]:
    """Opcode and data of a payload; raises `RefusedError`."""
    try:
        payload = msgspec.json.decode(data, type=dict[str, Any])
        return Op(payload["op"]), payload.get("d")
    # Malformed JSON is a kind of ValueError too, so it comes first.
    except (msgspec.DecodeError, KeyError):
        raise RefusedError(4002) from None
    except ValueError:
        raise RefusedError(4001) from None


def shard_of(data: Json) -> tuple[int, int]:
    """Number and count of the shard that an IDENTIFY asks for; raises `RefusedError`."""
    match data.get("shard"):
        case None:
            return 0, 1
        case [int(index), int(count)] if 0 <= index < count:
            return index, count
        case _:
            raise RefusedError(4010)
