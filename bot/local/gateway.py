"""The gateway: Discord's websocket of events.

Supports heartbeats, RESUME with replay, invalid sessions, compression, sequence numbers, shards and
close codes. If a shard has several sessions, each gets every event.

Sends the events of the GUILDS intent, the only one the bot needs, and interactions. Events of a
server go to the sessions of its shard, those of DMs to shard 0.
"""

from __future__ import annotations

import asyncio
import importlib
import secrets
import time
import zlib
from collections import Counter, deque
from collections.abc import Callable
from enum import IntEnum
from typing import TYPE_CHECKING, Any

import msgspec
from aiohttp import WSMsgType, web

from bot.local import changes
from bot.local.model import Channel, ChannelKind, Guild, Json

if TYPE_CHECKING:
    from bot.local.standin import Standin

_MAX_IDLE_SESSIONS = 64
_ACKNOWLEDGE_S = 0.5
"""Network latency: a client may record the time of a heartbeat only after sending it."""
_ONLY_ON_CREATION = ("members", "channels", "threads", "presences", "voice_states")
"""Fields of GUILD_CREATE that GUILD_UPDATE lacks."""


#: How many events a session stores for a resume.
REPLAY_EVENTS = 1000

#: Compresses one event into one frame of the stream.
Compress = Callable[[bytes], bytes]


class Op(IntEnum):
    """Gateway opcodes."""

    DISPATCH = 0
    HEARTBEAT = 1
    IDENTIFY = 2
    PRESENCE = 3
    RESUME = 6
    INVALID_SESSION = 9
    HELLO = 10
    HEARTBEAT_ACK = 11


#: Close codes and Discord's reasons.
REASONS = {
    4001: "Unknown opcode.",
    4002: "Error while decoding payload.",
    4003: "Not authenticated.",
    4004: "Authentication failed.",
    4005: "Already authenticated.",
    4009: "Session timed out.",
    4010: "Invalid shard.",
    4011: "Sharding required.",
    4013: "Invalid intent(s).",
}


class RefusedError(Exception):
    """A protocol error that closes the connection with a code in `REASONS`."""

    def __init__(self, code: int) -> None:
        super().__init__(REASONS[code])
        self.code = code


def compressor(name: str | None) -> Compress | None:
    """Return the stream compressor that a client requested in the URL, if any.

    Raises `RefusedError` if it is unknown or its library is not installed.
    """
    stream: Any
    if name is None:
        return None
    if name == "zlib-stream":
        stream = zlib.compressobj(1)
        return lambda data: bytes(stream.compress(data) + stream.flush(zlib.Z_SYNC_FLUSH))
    # discord.py requests zstd if one of these is installed in its environment, maybe not this one.
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
    """A websocket with a queue of events. `cut` closes it without a close frame."""

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
        """Queue a payload."""
        payload = {"op": int(op), "d": data, "s": seq, "t": name}
        self._queue.put_nowait(msgspec.json.encode(payload))

    def finish(self) -> None:
        """Close the socket after the queued payloads are sent."""
        self._queue.put_nowait(None)

    async def write(self) -> None:
        """Send queued payloads until the connection ends."""
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
    """The state that survives a reconnect: sequence number and events to replay.

    `shard` is the shard's number and the number of shards.
    """

    def __init__(self, shard: tuple[int, int]) -> None:
        self.id = secrets.token_hex(16)
        self.shard = shard
        self.seq = 0
        self.events: deque[tuple[int, str, Json]] = deque(maxlen=REPLAY_EVENTS)
        self.connection: Connection | None = None

    def dispatch(self, name: str, data: Json) -> None:
        """Number an event, store it for a replay, and send it if a client is connected."""
        self.seq += 1
        self.events.append((self.seq, name, data))
        if self.connection is not None:
            self.connection.send(Op.DISPATCH, data, seq=self.seq, name=name)

    def serves(self, guild_id: int | None) -> bool:
        """Return whether the session's shard has a server, or DMs if `None`."""
        index, count = self.shard
        return index == (0 if guild_id is None else (guild_id >> 22) % count)


def decode(data: str | bytes) -> tuple[Op, object]:
    """Return a payload's opcode and data; raise `RefusedError` if it is invalid."""
    try:
        payload = msgspec.json.decode(data, type=dict[str, Any])
        return Op(payload["op"]), payload.get("d")
    # DecodeError is a ValueError, so it comes first.
    except (msgspec.DecodeError, KeyError):
        raise RefusedError(4002) from None
    except ValueError:
        raise RefusedError(4001) from None


def shard_of(data: Json) -> tuple[int, int]:
    """Return the shard number and count of an IDENTIFY; raise `RefusedError` if invalid."""
    match data.get("shard"):
        case None:
            return 0, 1
        case [int(index), int(count)] if 0 <= index < count:
            return index, count
        case _:
            raise RefusedError(4010)


class GatewayServer:
    """Gateway sessions and connections; sends all events to the bot."""

    def __init__(self, standin: Standin, *, heartbeat_interval_s: float) -> None:
        self._standin = standin
        self._world = standin.model
        self._wire = standin.wire
        self._heartbeat_s = heartbeat_interval_s
        #: Connected or resumable sessions, oldest first.
        self.sessions: list[Session] = []
        self._connections: set[Connection] = set()
        #: Set while at least one session is connected; its bot may not have handled READY yet.
        self.online = asyncio.Event()
        self._world.subscribe(self._on_change)

    def shards(self) -> Counter[int]:
        """Return the number of connected sessions by shard number."""
        return Counter(s.shard[0] for s in self.sessions if s.connection is not None)

    # Events

    def interaction(self, payload: Json, channel: Channel) -> int:
        """Send an interaction; return the number of sessions."""
        return self._dispatch(channel.guild_id, "INTERACTION_CREATE", payload)

    def _dispatch(self, guild_id: int | None, name: str, payload: Json) -> int:
        sessions = [session for session in self.sessions if session.serves(guild_id)]
        for session in sessions:
            session.dispatch(name, payload)
        return len(sessions)

    def _on_change(self, change: changes.Change) -> None:
        match change:
            case changes.ChannelCreated(channel):
                self._channel_event(channel, "CREATE")
            case changes.ChannelChanged(channel):
                self._channel_event(channel, "UPDATE")
            case changes.ChannelDeleted(channel=channel):
                self._channel_event(channel, "DELETE")
            case changes.GuildChanged(guild):
                fields = self._wire.guild(guild).items()
                updated = {name: value for name, value in fields if name not in _ONLY_ON_CREATION}
                self._dispatch(guild.id, "GUILD_UPDATE", updated)

    def _channel_event(self, channel: Channel, action: str) -> None:
        # Discord does not notify bots of new DMs.
        if channel.kind is ChannelKind.DM:
            return
        payload = self._wire.channel(channel)
        if channel.kind.is_thread and action == "CREATE":
            payload["newly_created"] = True
        kind = "THREAD" if channel.kind.is_thread else "CHANNEL"
        self._dispatch(channel.guild_id, f"{kind}_{action}", payload)

    # The socket

    async def handle(self, request: web.Request) -> web.WebSocketResponse:
        """Serve one connection until it closes."""
        # discord.py waits for an answer to its close frame, which aiohttp sends.
        socket = web.WebSocketResponse(max_msg_size=4096 * 4, compress=False, timeout=2.0)
        await socket.prepare(request)
        assert request.transport is not None
        await self.serve(socket, request.query.get("compress"), request.transport.abort)
        return socket

    async def serve(
        self, socket: web.WebSocketResponse, compression: str | None, cut: Callable[[], None]
    ) -> None:
        """Serve a client until it disconnects; `cut` closes without a close frame."""
        try:
            connection = Connection(socket, compressor(compression), cut)
        except RefusedError as refused:
            await socket.close(code=refused.code, message=str(refused).encode())
            return
        writer = asyncio.create_task(connection.write())
        self._connections.add(connection)
        session: Session | None = None
        try:
            connection.send(Op.HELLO, {"heartbeat_interval": int(self._heartbeat_s * 1000)})
            session = await self._converse(connection)
        except RefusedError as refused:
            await socket.close(code=refused.code, message=str(refused).encode())
        finally:
            self._connections.discard(connection)
            # A clean close ends the session.
            if session is not None and socket.close_code in (1000, 1001):
                self._forget([session])
            for each in self.sessions:
                if each.connection is connection:
                    each.connection = None
            self._publish_presence()
            connection.finish()
            await writer

    async def _converse(self, connection: Connection) -> Session | None:
        session: Session | None = None
        heartbeat_at = time.monotonic()
        while True:
            wait_s = heartbeat_at + self._heartbeat_s * 2 - time.monotonic()
            try:
                frame = await connection.socket.receive(timeout=max(0.0, wait_s))
            except TimeoutError:
                raise RefusedError(4009) from None
            if frame.type not in (WSMsgType.TEXT, WSMsgType.BINARY):
                return session
            op, data = decode(frame.data)
            if op is Op.HEARTBEAT:
                heartbeat_at = time.monotonic()
                loop = asyncio.get_running_loop()
                loop.call_later(_ACKNOWLEDGE_S, connection.send, Op.HEARTBEAT_ACK, None)
            elif op in (Op.IDENTIFY, Op.RESUME):
                if session is not None:
                    raise RefusedError(4005)
                if not isinstance(data, dict) or data.get("token") != self._standin.token:
                    raise RefusedError(4004)
                start = self._identify if op is Op.IDENTIFY else self._resume
                session = start(connection, data)
                if session is None:
                    connection.send(Op.INVALID_SESSION, False)
                self._publish_presence()
            elif session is None:
                raise RefusedError(4003)
            elif op is not Op.PRESENCE:
                raise RefusedError(4001)

    def _identify(self, connection: Connection, data: Json) -> Session | None:
        if not isinstance(data.get("intents"), int):
            raise RefusedError(4013)
        index, count = shard_of(data)
        if count == 1 and self._standin.limits.needs_shards:
            raise RefusedError(4011)
        if not self._standin.limiter.may_start(index):
            # Discord resets the token.
            raise RefusedError(4004)
        if not self._standin.limiter.may_identify(index):
            return None
        session = Session((index, count))
        session.connection = connection
        self.sessions.append(session)
        idle = [each for each in self.sessions if each.connection is None]
        self._forget(idle[:-_MAX_IDLE_SESSIONS])
        guilds: list[Guild] = [g for g in self._world.guilds.values() if session.serves(g.id)]
        ready = {
            "v": 10,
            "user": self._wire.me(),
            "guilds": [{"id": str(guild.id), "unavailable": True} for guild in guilds],
            "session_id": session.id,
            "resume_gateway_url": self._wire.gateway_url,
            "shard": [index, count],
            "application": {"id": str(self._world.bot.id), "flags": 0},
        }
        session.dispatch("READY", ready)
        for guild in guilds:
            session.dispatch("GUILD_CREATE", self._wire.guild(guild))
        return session

    def _forget(self, ended: list[Session]) -> None:
        self.sessions = [session for session in self.sessions if session not in ended]

    def _resume(self, connection: Connection, data: Json) -> Session | None:
        by_id = {session.id: session for session in self.sessions}
        session, seq = by_id.get(str(data.get("session_id"))), data.get("seq")
        if session is None or not isinstance(seq, int):
            return None
        if not session.seq - len(session.events) <= seq <= session.seq:
            return None
        if session.connection is not None:
            session.connection.cut()
        session.connection = connection
        for number, name, payload in session.events:
            if number > seq:
                connection.send(Op.DISPATCH, payload, seq=number, name=name)
        session.dispatch("RESUMED", {})
        return session

    def _publish_presence(self) -> None:
        if self.shards():
            self.online.set()
        else:
            self.online.clear()
        self._world.publish(changes.SessionsChanged(self.online.is_set()))

    # Faults and shutdown

    def drop_sockets(self) -> None:
        """Cut all connections without a close frame; sessions can resume."""
        for connection in tuple(self._connections):
            connection.cut()

    def invalidate_sessions(self) -> None:
        """End all sessions by INVALID_SESSION; the bot has to identify again."""
        for session in self.sessions:
            if session.connection is not None:
                session.connection.send(Op.INVALID_SESSION, False)
        self.sessions.clear()
        self._publish_presence()

    async def close(self) -> None:
        """Close all connections with a close frame."""
        for connection in tuple(self._connections):
            await connection.socket.close(code=1001)
