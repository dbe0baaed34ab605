"""The gateway: Discord's websocket of events.

Speaks HELLO, IDENTIFY, READY, heartbeats, RESUME with replay, invalid sessions, compression,
sequence numbers, shards and the close codes. Several sessions of one shard each get every event.

There are the events of the intent GUILDS, which is all that the bot asks for, and interactions.
Those of a server go to the sessions of its shard, those of a direct conversation to shard 0.
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

_IDLE_SESSIONS_KEPT = 64
_ACKNOWLEDGE_S = 0.5
"""As on a real network: a client may note only after sending when it sent a heartbeat."""
_WITH_CREATION = ("members", "channels", "threads", "presences", "voice_states")
"""What is told of a server when it becomes known, and not with its later changes."""


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


class GatewayServer:
    """All sessions, and the only way by which events reach the bot."""

    def __init__(self, standin: Standin, *, heartbeat_interval_s: float) -> None:
        self._standin = standin
        self._world = standin.model
        self._wire = standin.wire
        self._heartbeat_s = heartbeat_interval_s
        #: Sessions that are connected or can still be resumed, oldest first.
        self.sessions: list[Session] = []
        self._connections: set[Connection] = set()
        #: Set while at least one session is connected.
        self.online = asyncio.Event()
        self._world.subscribe(self._on_change)

    def shards(self) -> Counter[int]:
        """How many sessions are connected, by the number of their shard."""
        return Counter(s.shard[0] for s in self.sessions if s.connection is not None)

    # Events

    def interaction(self, payload: Json, channel: Channel) -> int:
        """Deliver an interaction; returns to how many sessions."""
        return self._tell(channel.guild_id, "INTERACTION_CREATE", payload)

    def _tell(self, guild_id: int | None, name: str, payload: Json) -> int:
        listeners = [session for session in self.sessions if session.serves(guild_id)]
        for session in listeners:
            session.dispatch(name, payload)
        return len(listeners)

    def _on_change(self, change: changes.Change) -> None:
        match change:
            case changes.ChannelCreated(channel):
                self._channel_event(channel, "CREATE")
            case changes.ChannelChanged(channel):
                self._channel_event(channel, "UPDATE")
            case changes.ChannelDeleted(channel=channel):
                self._channel_event(channel, "DELETE")
            case changes.GuildChanged(guild):
                whole = self._wire.guild(guild)
                told = {name: whole[name] for name in whole if name not in _WITH_CREATION}
                self._tell(guild.id, "GUILD_UPDATE", told)

    def _channel_event(self, channel: Channel, what: str) -> None:
        # Discord does not tell bots that a direct conversation was opened.
        if channel.kind is ChannelKind.DM:
            return
        payload = self._wire.channel(channel)
        if channel.kind.is_thread and what == "CREATE":
            payload["newly_created"] = True
        kind = "THREAD" if channel.kind.is_thread else "CHANNEL"
        self._tell(channel.guild_id, f"{kind}_{what}", payload)

    # The socket

    async def handle(self, request: web.Request) -> web.WebSocketResponse:
        """Serve one connection until it closes."""
        # discord.py waits for its own close frame to be answered; aiohttp does that by itself.
        socket = web.WebSocketResponse(max_msg_size=4096 * 4, compress=False, timeout=2.0)
        await socket.prepare(request)
        assert request.transport is not None
        await self.serve(socket, request.query.get("compress"), request.transport.abort)
        return socket

    async def serve(
        self, socket: web.WebSocketResponse, compression: str | None, cut: Callable[[], None]
    ) -> None:
        """Talk to a client until it goes; `cut` breaks its line without a close frame."""
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
            # A client that closes cleanly gives up its session.
            if session is not None and socket.close_code in (1000, 1001):
                self._forget([session])
            for each in self.sessions:
                if each.connection is connection:
                    each.connection = None
            self._tell_presence()
            connection.finish()
            await writer

    async def _converse(self, connection: Connection) -> Session | None:
        session: Session | None = None
        heard = time.monotonic()
        while True:
            wait_s = heard + self._heartbeat_s * 2 - time.monotonic()
            try:
                frame = await connection.socket.receive(timeout=max(0.0, wait_s))
            except TimeoutError:
                raise RefusedError(4009) from None
            if frame.type not in (WSMsgType.TEXT, WSMsgType.BINARY):
                return session
            op, data = decode(frame.data)
            if op is Op.HEARTBEAT:
                heard = time.monotonic()
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
                self._tell_presence()
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
            # Discord would reset the token.
            raise RefusedError(4004)
        if not self._standin.limiter.may_identify(index):
            return None
        session = Session((index, count))
        session.connection = connection
        self.sessions.append(session)
        idle = [each for each in self.sessions if each.connection is None]
        self._forget(idle[:-_IDLE_SESSIONS_KEPT])
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

    def _forget(self, gone: list[Session]) -> None:
        self.sessions = [session for session in self.sessions if session not in gone]

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

    def _tell_presence(self) -> None:
        if self.shards():
            self.online.set()
        else:
            self.online.clear()
        self._world.publish(changes.SessionsChanged(self.online.is_set()))

    # Faults and the end

    def drop_sockets(self) -> None:
        """Cut all connections; the sessions are kept."""
        for connection in tuple(self._connections):
            connection.cut()

    def invalidate_sessions(self) -> None:
        """End all sessions with opcode 9."""
        for session in self.sessions:
            if session.connection is not None:
                session.connection.send(Op.INVALID_SESSION, False)
        self.sessions.clear()
        self._tell_presence()

    async def close(self) -> None:
        """Close all connections properly."""
        for connection in tuple(self._connections):
            await connection.socket.close(code=1001)
