"""The parts of the gateway: opcodes, intents, close codes, connections and sessions."""

from __future__ import annotations

import asyncio
import secrets
import zlib
from collections import deque
from enum import IntEnum, IntFlag

import msgspec
from aiohttp import web

from bot.local.compression import Compress, compressor
from bot.local.model import Json

#: How many events a disconnected session keeps for a resume.
REPLAY_EVENTS = 1000


class Op(IntEnum):
    """Opcodes."""

    DISPATCH = 0
    HEARTBEAT = 1
    IDENTIFY = 2
    PRESENCE = 3
    VOICE_STATE = 4
    RESUME = 6
    RECONNECT = 7
    REQUEST_MEMBERS = 8
    INVALID_SESSION = 9
    HELLO = 10
    HEARTBEAT_ACK = 11


class Intent(IntFlag):
    """Which events a session wants."""

    GUILDS = 1 << 0
    GUILD_MEMBERS = 1 << 1
    GUILD_MESSAGES = 1 << 9
    GUILD_TYPING = 1 << 11
    DM_MESSAGES = 1 << 12
    DM_TYPING = 1 << 14
    MESSAGE_CONTENT = 1 << 15


class CloseCode(IntEnum):
    """Close codes."""

    UNKNOWN_OPCODE = 4001
    DECODE_ERROR = 4002
    NOT_AUTHENTICATED = 4003
    AUTHENTICATION_FAILED = 4004
    ALREADY_AUTHENTICATED = 4005
    RATE_LIMITED = 4008
    SESSION_TIMED_OUT = 4009
    INVALID_SHARD = 4010
    SHARDING_REQUIRED = 4011
    INVALID_API_VERSION = 4012
    INVALID_INTENTS = 4013


class RefusedError(Exception):
    """Closes the connection with a code and a reason."""

    def __init__(self, code: CloseCode, reason: str) -> None:
        super().__init__(reason)
        self.code = code
        self.reason = reason


class Connection:
    """One websocket: writes events in order, compressed as the client asked."""

    def __init__(self, socket: web.WebSocketResponse, request: web.Request) -> None:
        self.socket = socket
        self._request = request
        self._queue: asyncio.Queue[bytes | None] = asyncio.Queue()
        self._stream: Compress | None = None
        self.compresses_payloads = False

    def start(self) -> asyncio.Task[None]:
        """Start writing; the task ends with the connection."""
        self._stream = compressor(self._request.query.get("compress"))
        return asyncio.create_task(self._write())

    def send(
        self, op: Op, data: object, *, seq: int | None = None, name: str | None = None
    ) -> None:
        """Queue one payload."""
        payload = {"op": int(op), "d": data, "s": seq, "t": name}
        self._queue.put_nowait(msgspec.json.encode(payload))

    def finish(self) -> None:
        """Close once everything queued has been sent."""
        self._queue.put_nowait(None)

    def drop(self) -> None:
        """Cut the line without a close frame."""
        if self._request.transport is not None:
            self._request.transport.abort()

    async def _write(self) -> None:
        while (data := await self._queue.get()) is not None:
            try:
                if self._stream is not None:
                    await self.socket.send_bytes(self._stream(data))
                elif self.compresses_payloads:
                    await self.socket.send_bytes(zlib.compress(data))
                else:
                    await self.socket.send_str(data.decode())
            except ConnectionError:
                return
        await self.socket.close()


class Session:
    """What outlives a connection: sequence number, intents and events to replay.

    `shard` is its number and how many there are.
    """

    def __init__(self, intents: int, shard: tuple[int, int]) -> None:
        self.id = secrets.token_hex(16)
        self.intents = intents
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

    def wants(self, intent: Intent) -> bool:
        """Whether the session subscribed to these events."""
        return bool(self.intents & intent)


def decode(data: str | bytes) -> tuple[Op, object]:
    """Opcode and data of a payload; raises `RefusedError`."""
    try:
        payload = msgspec.json.decode(data)
        return Op(payload["op"]), payload.get("d")
    # Malformed JSON is a kind of ValueError too, so it comes first.
    except (msgspec.DecodeError, KeyError, TypeError, AttributeError):
        raise RefusedError(CloseCode.DECODE_ERROR, "Error while decoding payload.") from None
    except ValueError:
        raise RefusedError(CloseCode.UNKNOWN_OPCODE, "Unknown opcode.") from None


def shard_of(data: Json) -> tuple[int, int]:
    """Number and count of the shard that an IDENTIFY asks for; raises `RefusedError`."""
    match data.get("shard"):
        case None:
            return 0, 1
        case [int(index), int(count)] if 0 <= index < count:
            return index, count
        case _:
            raise RefusedError(CloseCode.INVALID_SHARD, "Invalid shard.")
