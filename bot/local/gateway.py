"""The gateway: Discord's websocket of events.

Speaks HELLO, IDENTIFY, READY, heartbeats, RESUME with replay, invalid sessions, `zlib-stream`,
sequence numbers, intents, shards and the close codes. Several sessions of one shard each get
every event. What the events are is in `bot.local.events`.
"""

from __future__ import annotations

import asyncio
import time
from collections import Counter, deque

from aiohttp import WSMsgType, web

from bot.local.changes import BotPresence, SessionsChanged
from bot.local.events import Events
from bot.local.limits import DiscordLimits, Limiter, LimitKind
from bot.local.model import Channel, Guild, Json
from bot.local.sessions import (
    CloseCode,
    Connection,
    Intent,
    Op,
    RefusedError,
    Session,
    decode,
    shard_of,
)
from bot.local.wire import Wire
from bot.local.world import World

API_VERSIONS = ("9", "10")
_IDLE_SESSIONS_KEPT = 64
_SENDS_PER_MINUTE = 120
_ACKNOWLEDGE_S = 0.05
"""As on a real network: a client may note only after sending when it sent a heartbeat."""


class GatewayServer:
    """All sessions, and the only way by which events reach the bot."""

    def __init__(
        self,
        world: World,
        wire: Wire,
        token: str,
        limits: DiscordLimits,
        limiter: Limiter,
        *,
        heartbeat_interval_s: float = 41.25,
    ) -> None:
        self._world = world
        self._wire = wire
        self._token = token
        self._limits = limits
        self._limiter = limiter
        self._heartbeat_s = heartbeat_interval_s
        self._sessions: dict[str, Session] = {}
        self._connections: set[Connection] = set()
        #: Set while at least one session is connected.
        self.online = asyncio.Event()
        self._events = Events(world, wire, lambda: self._sessions.values())

    @property
    def sessions(self) -> list[Session]:
        """Sessions that are connected or can still be resumed."""
        return list(self._sessions.values())

    def shards(self) -> Counter[int]:
        """How many sessions are connected, by the number of their shard."""
        return Counter(s.shard[0] for s in self._sessions.values() if s.connection is not None)

    def interaction(self, payload: Json, channel: Channel) -> int:
        """Deliver an interaction; returns to how many sessions."""
        return self._events.interaction(payload, channel)

    # The socket

    async def handle(self, request: web.Request) -> web.WebSocketResponse:
        """Serve one connection until it closes."""
        # discord.py waits for its own close frame to be answered; aiohttp does that by itself.
        socket = web.WebSocketResponse(max_msg_size=4096 * 4, compress=False, timeout=2.0)
        await socket.prepare(request)
        connection = Connection(socket, request)
        try:
            if request.query.get("v", "10") not in API_VERSIONS:
                raise RefusedError(CloseCode.INVALID_API_VERSION, "Invalid API version.")
            try:
                writer = connection.start()
            except ValueError as error:
                raise RefusedError(CloseCode.DECODE_ERROR, str(error)) from None
        except RefusedError as refused:
            await socket.close(code=refused.code, message=refused.reason.encode())
            return socket
        self._connections.add(connection)
        session: Session | None = None
        try:
            connection.send(Op.HELLO, {"heartbeat_interval": int(self._heartbeat_s * 1000)})
            session = await self._converse(connection)
        except RefusedError as refused:
            await socket.close(code=refused.code, message=refused.reason.encode())
        finally:
            self._connections.discard(connection)
            # A client that closes cleanly gives up its session.
            if session is not None and socket.close_code in (1000, 1001):
                self._sessions.pop(session.id, None)
            self._part(connection)
            connection.finish()
            await writer
        return socket

    async def _converse(self, connection: Connection) -> Session | None:
        session: Session | None = None
        sent: deque[float] = deque(maxlen=_SENDS_PER_MINUTE)
        heard = time.monotonic()
        while True:
            wait_s = heard + self._heartbeat_s * 2 - time.monotonic()
            try:
                frame = await connection.socket.receive(timeout=max(0.0, wait_s))
            except TimeoutError:
                raise RefusedError(CloseCode.SESSION_TIMED_OUT, "Session timed out.") from None
            if frame.type not in (WSMsgType.TEXT, WSMsgType.BINARY):
                return session
            now = time.monotonic()
            if len(sent) == _SENDS_PER_MINUTE and now - sent[0] < 60:
                raise RefusedError(CloseCode.RATE_LIMITED, "Rate limited.")
            sent.append(now)
            op, data = decode(frame.data)
            if op is Op.HEARTBEAT:
                heard = now
                loop = asyncio.get_running_loop()
                loop.call_later(_ACKNOWLEDGE_S, connection.send, Op.HEARTBEAT_ACK, None)
            elif op is Op.IDENTIFY:
                if session is not None:
                    raise RefusedError(CloseCode.ALREADY_AUTHENTICATED, "Already authenticated.")
                session = self._identify(connection, data)
            elif op is Op.RESUME:
                session = self._resume(connection, data)
            elif session is None:
                raise RefusedError(CloseCode.NOT_AUTHENTICATED, "Not authenticated.")
            elif op is Op.REQUEST_MEMBERS:
                self._send_members(session, data)
            elif op not in (Op.PRESENCE, Op.VOICE_STATE):
                raise RefusedError(CloseCode.UNKNOWN_OPCODE, "Unknown opcode.")

    def _identify(self, connection: Connection, data: object) -> Session | None:
        if not isinstance(data, dict) or data.get("token") != self._token:
            raise RefusedError(CloseCode.AUTHENTICATION_FAILED, "Authentication failed.")
        intents = data.get("intents")
        if not isinstance(intents, int):
            raise RefusedError(CloseCode.INVALID_INTENTS, "Invalid intent(s).")
        index, count = shard_of(data)
        if count == 1 and self._limits.needs_shards:
            raise RefusedError(CloseCode.SHARDING_REQUIRED, "Sharding required.")
        if not self._limiter.may_start():
            # Discord would reset the token.
            self._limiter.note(LimitKind.SESSION_STARTS, f"shard {index}: no session start is left")
            raise RefusedError(CloseCode.AUTHENTICATION_FAILED, "Authentication failed.")
        if not self._limiter.may_identify(index):
            connection.send(Op.INVALID_SESSION, False)
            return None
        connection.compresses_payloads = bool(data.get("compress"))
        session = Session(intents, (index, count))
        session.connection = connection
        self._sessions[session.id] = session
        self._forget_old_sessions()
        guilds = self._guilds(session)
        session.dispatch(
            "READY",
            {
                "v": 10,
                "user": self._wire.me(),
                "guilds": [{"id": str(guild.id), "unavailable": True} for guild in guilds],
                "session_id": session.id,
                "resume_gateway_url": self._wire.base_url.replace("http", "ws", 1) + "/gateway",
                "shard": [index, count],
                "application": {"id": str(self._world.bot.id), "flags": 0},
            },
        )
        if session.wants(Intent.GUILDS):
            for guild in guilds:
                whole = self._wire.guild(guild, with_members=session.wants(Intent.GUILD_MEMBERS))
                session.dispatch("GUILD_CREATE", whole)
        self._tell_presence()
        return session

    def _guilds(self, session: Session) -> list[Guild]:
        return [guild for guild in self._world.guilds.values() if session.serves(guild.id)]

    def _resume(self, connection: Connection, data: object) -> Session | None:
        wanted = data if isinstance(data, dict) else {}
        if wanted.get("token") != self._token:
            raise RefusedError(CloseCode.AUTHENTICATION_FAILED, "Authentication failed.")
        session = self._sessions.get(str(wanted.get("session_id")))
        seq = wanted.get("seq")
        if session is None or not isinstance(seq, int) or not session.can_replay_after(seq):
            connection.send(Op.INVALID_SESSION, False)
            return None
        if session.connection is not None:
            session.connection.drop()
        session.connection = connection
        for number, name, payload in session.events:
            if number > seq:
                connection.send(Op.DISPATCH, payload, seq=number, name=name)
        session.dispatch("RESUMED", {})
        self._tell_presence()
        return session

    def _send_members(self, session: Session, data: object) -> None:
        wanted = data if isinstance(data, dict) else {}
        guild = self._world.guilds.get(int(wanted.get("guild_id") or 0))
        if guild is None or not session.serves(guild.id):
            return
        ids = wanted.get("user_ids")
        users = self._world.members(guild)
        if ids is not None:
            listed = {int(i) for i in (ids if isinstance(ids, list) else [ids])}
            users = [user for user in users if user.id in listed]
        elif wanted.get("query"):
            start = str(wanted["query"]).lower()
            users = [user for user in users if user.name.lower().startswith(start)]
        chunk: Json = {
            "guild_id": str(guild.id),
            "members": [self._wire.member(user, guild) for user in users],
            "chunk_index": 0,
            "chunk_count": 1,
            "not_found": [],
        }
        if wanted.get("nonce") is not None:
            chunk["nonce"] = wanted["nonce"]
        session.dispatch("GUILD_MEMBERS_CHUNK", chunk)

    def _part(self, connection: Connection) -> None:
        for session in self._sessions.values():
            if session.connection is connection:
                session.connection = None
        self._tell_presence()

    def _tell_presence(self) -> None:
        self._world.publish(SessionsChanged())
        online = bool(self.shards())
        if online == self.online.is_set():
            return
        if online:
            self.online.set()
        else:
            self.online.clear()
        self._world.publish(BotPresence(online))

    def _forget_old_sessions(self) -> None:
        idle = [session for session in self._sessions.values() if session.connection is None]
        for session in idle[: max(0, len(idle) - _IDLE_SESSIONS_KEPT)]:
            del self._sessions[session.id]

    # Faults and the end

    def drop_sockets(self) -> None:
        """Cut all connections; the sessions are kept."""
        for connection in tuple(self._connections):
            connection.drop()

    def invalidate_sessions(self) -> None:
        """End all sessions with opcode 9."""
        for session in self._sessions.values():
            if session.connection is not None:
                session.connection.send(Op.INVALID_SESSION, False)
        self._sessions.clear()
        self._tell_presence()

    async def close(self) -> None:
        """Close all connections properly."""
        for connection in tuple(self._connections):
            await connection.socket.close(code=1001)
