"""The gateway: Discord's websocket of events.

Speaks HELLO, IDENTIFY, READY, heartbeats, RESUME with replay, invalid sessions, `zlib-stream`,
sequence numbers, intents and the close codes. Sharding is accepted but ignored, except that direct
messages belong to shard 0.
"""

from __future__ import annotations

import asyncio
import time
from collections import deque

from aiohttp import WSMsgType, web

from bot.local.changes import (
    BotPresence,
    Change,
    ChannelChanged,
    ChannelCreated,
    ChannelDeleted,
    MessageCreated,
    MessageDeleted,
    MessageEdited,
    ThreadMembersChanged,
    Typing,
)
from bot.local.model import Channel, ChannelKind, Json, Message
from bot.local.sessions import CloseCode, Connection, Intent, Op, RefusedError, Session, decode
from bot.local.wire import Wire
from bot.local.world import World

API_VERSIONS = ("9", "10")
_SESSIONS_KEPT = 16
_SENDS_PER_MINUTE = 120
_ACKNOWLEDGE_S = 0.05
"""As on a real network: a client may note only after sending when it sent a heartbeat."""


class GatewayServer:
    """All sessions, and the only way by which events reach the bot."""

    def __init__(
        self, world: World, wire: Wire, token: str, *, heartbeat_interval_s: float = 41.25
    ) -> None:
        self._world = world
        self._wire = wire
        self._token = token
        self._heartbeat_s = heartbeat_interval_s
        self._sessions: dict[str, Session] = {}
        self._connections: set[Connection] = set()
        #: Set while at least one session is connected.
        self.online = asyncio.Event()
        world.subscribe(self._on_change)

    @property
    def sessions(self) -> list[Session]:
        """Sessions that are connected or can still be resumed."""
        return list(self._sessions.values())

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

    def _identify(self, connection: Connection, data: object) -> Session:
        if not isinstance(data, dict) or data.get("token") != self._token:
            raise RefusedError(CloseCode.AUTHENTICATION_FAILED, "Authentication failed.")
        intents = data.get("intents")
        if not isinstance(intents, int):
            raise RefusedError(CloseCode.INVALID_INTENTS, "Invalid intent(s).")
        connection.compresses_payloads = bool(data.get("compress"))
        index, count = data.get("shard") or (0, 1)
        session = Session(intents, (index, count))
        self._sessions[session.id] = session
        self._forget_old_sessions()
        session.connection = connection
        guild_id = str(self._world.guild.id)
        session.dispatch(
            "READY",
            {
                "v": 10,
                "user": self._wire.me(),
                "guilds": [{"id": guild_id, "unavailable": True}],
                "session_id": session.id,
                "resume_gateway_url": self._wire.base_url.replace("http", "ws", 1) + "/gateway",
                "shard": [index, count],
                "application": {"id": str(self._world.bot.id), "flags": 0},
            },
        )
        if session.wants(Intent.GUILDS):
            whole = self._wire.guild(with_members=session.wants(Intent.GUILD_MEMBERS))
            session.dispatch("GUILD_CREATE", whole)
        self._tell_presence()
        return session

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
        ids = wanted.get("user_ids")
        users = list(self._world.users.values())
        if ids is not None:
            listed = {int(i) for i in (ids if isinstance(ids, list) else [ids])}
            users = [user for user in users if user.id in listed]
        elif wanted.get("query"):
            start = str(wanted["query"]).lower()
            users = [user for user in users if user.name.lower().startswith(start)]
        chunk: Json = {
            "guild_id": str(self._world.guild.id),
            "members": [self._wire.member(user) for user in users],
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
        online = any(session.connection is not None for session in self._sessions.values())
        if online == self.online.is_set():
            return
        if online:
            self.online.set()
        else:
            self.online.clear()
        self._world.publish(BotPresence(online))

    def _forget_old_sessions(self) -> None:
        idle = [session for session in self._sessions.values() if session.connection is None]
        for session in idle[: max(0, len(self._sessions) - _SESSIONS_KEPT)]:
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

    # Events

    def interaction(self, payload: Json, *, in_dm: bool) -> None:
        """Deliver an interaction; no intent is needed for it."""
        for session in self.sessions:
            if not in_dm or session.shard[0] == 0:
                session.dispatch("INTERACTION_CREATE", payload)

    def _on_change(self, change: Change) -> None:
        match change:
            case MessageCreated(message):
                self._message_event("MESSAGE_CREATE", message)
            case MessageEdited(message):
                self._message_event("MESSAGE_UPDATE", message)
            case MessageDeleted(message):
                self._message_deleted(message)
            case ChannelCreated(channel):
                self._channel_event(channel, "CREATE")
            case ChannelChanged(channel):
                self._channel_event(channel, "UPDATE")
            case ChannelDeleted(channel=channel):
                self._channel_event(channel, "DELETE")
            case ThreadMembersChanged(channel, added, removed):
                self._thread_members(channel, added, removed)
            case Typing(user_id, channel_id):
                self._typing(user_id, channel_id)

    def _is_private(self, message: Message) -> bool:
        channel = self._world.channels[message.channel_id]
        return channel.kind is ChannelKind.DM or message.is_ephemeral

    def _message_event(self, name: str, message: Message) -> None:
        private = self._is_private(message)
        needed = Intent.DM_MESSAGES if private else Intent.GUILD_MESSAGES
        payload: Json | None = None
        for session in self._listeners(needed):
            if payload is None:
                payload = self._wire.posted(message)
            bot_id = self._world.bot.id
            readable = private or message.author_id == bot_id or bot_id in message.mentions
            if readable or session.wants(Intent.MESSAGE_CONTENT):
                session.dispatch(name, payload)
            else:
                empty: Json = {"content": "", "embeds": [], "attachments": [], "components": []}
                session.dispatch(name, {**payload, **empty})

    def _message_deleted(self, message: Message) -> None:
        private = self._is_private(message)
        payload = {"id": str(message.id), "channel_id": str(message.channel_id)}
        if not private:
            payload["guild_id"] = str(self._world.guild.id)
        for session in self._listeners(Intent.DM_MESSAGES if private else Intent.GUILD_MESSAGES):
            session.dispatch("MESSAGE_DELETE", payload)

    def _channel_event(self, channel: Channel, what: str) -> None:
        # Discord does not tell bots that a direct conversation was opened.
        if channel.kind is ChannelKind.DM:
            return
        payload = self._wire.channel(channel)
        kind = "THREAD" if channel.kind.is_thread else "CHANNEL"
        if channel.kind.is_thread and what == "CREATE":
            payload["newly_created"] = True
        for session in self._listeners(Intent.GUILDS):
            session.dispatch(f"{kind}_{what}", payload)

    def _thread_members(
        self, thread: Channel, added: tuple[int, ...], removed: tuple[int, ...]
    ) -> None:
        assert thread.thread is not None
        payload = {
            "id": str(thread.id),
            "guild_id": str(self._world.guild.id),
            "member_count": len(thread.thread.members),
            "added_members": [self._wire.thread_member(thread, user_id) for user_id in added],
            "removed_member_ids": [str(user_id) for user_id in removed],
        }
        for session in self._listeners(Intent.GUILDS):
            session.dispatch("THREAD_MEMBERS_UPDATE", payload)

    def _typing(self, user_id: int, channel_id: int) -> None:
        is_dm = self._world.channels[channel_id].kind is ChannelKind.DM
        payload: Json = {
            "channel_id": str(channel_id),
            "user_id": str(user_id),
            "timestamp": int(time.time()),
        }
        if not is_dm:
            payload["guild_id"] = str(self._world.guild.id)
            payload["member"] = self._wire.member(self._world.users[user_id])
        for session in self._listeners(Intent.DM_TYPING if is_dm else Intent.GUILD_TYPING):
            session.dispatch("TYPING_START", payload)

    def _listeners(self, intent: Intent) -> list[Session]:
        return [session for session in self._sessions.values() if session.wants(intent)]
