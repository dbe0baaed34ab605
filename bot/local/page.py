"""Server side of the web page: files, and one websocket per open tab.

The server sends events such as `{"t": "message", ...}`. The page sends actions such as
`{"id": 7, "do": "press", ...}` and gets `{"t": "done", "id": 7}` with a `result` or an `error`.
The page translates errors.
"""

from __future__ import annotations

import asyncio
import mimetypes
from collections.abc import Awaitable, Callable, Iterator, Mapping
from pathlib import PurePath
from typing import TYPE_CHECKING

import msgspec
import yarl
from aiohttp import WSMsgType, web

from bot.local import changes
from bot.local.interactions import ModalOpened, Replied
from bot.local.model import Guild, Json, User
from bot.local.options import CannotDoError
from bot.local.page_views import Views
from bot.local.person import Answer, NoAnswerError, Person
from bot.resources import data, package_file

if TYPE_CHECKING:
    from bot.local.standin import Standin

SIGNS = "Twemoji.woff2"
STATIC = {each.name: each for each in package_file("bot.local", "page").iterdir()}
STATIC[SIGNS] = data("fonts", SIGNS)
"""The page's files by name."""
_INLINE_TYPES = ("image/png", "image/jpeg", "image/gif", "image/webp")
_LOOPBACK_NAMES = ("127.0.0.1", "localhost", "::1")
_HISTORY_PAGE = 60
_MAX_UPLOAD = 10 * 1024 * 1024
_MAX_UPLOADS = 50
_STATIC_KINDS = {
    ".css": "text/css; charset=utf-8",
    ".html": "text/html; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".svg": "image/svg+xml",
    ".woff2": "font/woff2",
}
_POLICY = (
    "default-src 'self'; img-src 'self' data: blob: http: https:; "
    "style-src 'self' 'unsafe-inline'; connect-src 'self' ws:; "
    "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)

PageWords = Callable[[str], Mapping[str, str]]
"""Return the page's translations for a locale, by English text."""


class Tab:
    """A browser tab, which shows one server to one person."""

    def __init__(self, person: Person, guild: Guild, mentions: Json) -> None:
        self.socket = web.WebSocketResponse(heartbeat=30.0, timeout=2.0, compress=False)
        """Uncompressed, as loopback is fast."""
        self.person = person
        self.guild = guild
        self.mentions = mentions
        """The unread pings of each person, as last sent."""
        self.forms: dict[str, ModalOpened] = {}
        self.tasks: set[asyncio.Task[None]] = set()
        self._queue: asyncio.Queue[bytes] = asyncio.Queue()

    def send(self, event: Json) -> None:
        """Queue an event."""
        self._queue.put_nowait(msgspec.json.encode(event))

    async def write(self) -> None:
        """Send queued events until cancelled or disconnected."""
        while True:
            event = await self._queue.get()
            try:
                await self.socket.send_str(event.decode())
            except ConnectionError:
                return


class ChatPage:
    """Serves the page and updates all tabs."""

    def __init__(self, standin: Standin, words: PageWords) -> None:
        self._words = words
        self._standin = standin
        self._world = standin.model
        self._views = Views(standin.model, standin.wire)
        self._tabs: set[Tab] = set()
        self._uploads: dict[str, tuple[str, bytes]] = {}
        self._world.subscribe(self._on_change)

    def mount(self, app: web.Application) -> None:
        """Add the routes, and block other web sites from all routes of `app`."""
        app.middlewares.append(_block_other_sites)
        app.router.add_get("/", self._static)
        app.router.add_get("/page/ws", self._serve_tab)
        app.router.add_post("/page/upload", self._upload)
        app.router.add_get("/page/static/{name}", self._static)
        app.router.add_get(r"/attachments/{channel_id}/{file_id:\d+}/{name}", self._attachment)
        app.router.add_get(r"/emojis/{emoji_id:\d+}.{kind:\w+}", self._emoji)

    async def close(self) -> None:
        """Close the sockets of all tabs, which then try to reconnect."""
        for tab in tuple(self._tabs):
            await tab.socket.close(code=1001)

    async def _static(self, request: web.Request) -> web.StreamResponse:
        name = request.match_info.get("name", "index.html")
        if name not in STATIC:
            raise web.HTTPNotFound
        # Only the emoji font is large, and it never changes.
        cache = "max-age=31536000, immutable" if name == SIGNS else "no-cache"
        kind = _STATIC_KINDS[PurePath(name).suffix]
        headers = {"Cache-Control": cache, "Content-Type": kind, "Content-Security-Policy": _POLICY}
        return web.Response(body=STATIC[name].read_bytes(), headers=headers)

    async def _upload(self, request: web.Request) -> web.Response:
        data = await request.read()
        if len(data) > _MAX_UPLOAD:
            raise web.HTTPRequestEntityTooLarge(_MAX_UPLOAD, len(data))
        key = str(self._world.snowflakes.next())
        self._uploads[key] = (request.query.get("name", "file"), data)
        while len(self._uploads) > _MAX_UPLOADS:
            del self._uploads[next(iter(self._uploads))]
        return web.json_response({"upload": key})

    # Discord's CDN

    async def _attachment(self, request: web.Request) -> web.Response:
        store, file_id = self._standin.store, int(request.match_info["file_id"])
        data = self._world.files.get(file_id)
        if data is None and store is not None:
            data = await store.read_file(file_id)
        kind = mimetypes.guess_type(request.match_info["name"])[0] or "application/octet-stream"
        return _served(data, kind)

    async def _emoji(self, request: web.Request) -> web.Response:
        emoji = self._world.emojis.get(int(request.match_info["emoji_id"]))
        return _served(None, "") if emoji is None else _served(emoji.data, emoji.content_type)

    # The websocket

    async def _serve_tab(self, request: web.Request) -> web.WebSocketResponse:
        try:
            user = self._world.user_named(request.query.get("as", ""))
        except KeyError:
            user = self._world.people[0]
        guild = self._views.guild(user, request.query.get("server", ""))
        tab = Tab(Person(user, self._standin), guild, self._views.mentions())
        await tab.socket.prepare(request)
        hello = {
            "t": "hello",
            "me": str(user.id),
            "users": [self._views.user(each) for each in self._world.users.values()],
            "server": guild.name,
            "servers": self._views.servers(user, guild),
            "channels": self._views.channels(user, guild),
            "online": self._standin.gateway.online.is_set(),
            "mentions": tab.mentions,
        }
        tab.send({**hello, **self._views.commands(user, guild), **self._language(user)})
        self._tabs.add(tab)
        writer = asyncio.create_task(tab.write())
        try:
            async for frame in tab.socket:
                if frame.type is not WSMsgType.TEXT:
                    break
                task = asyncio.create_task(self._act(tab, frame.data))
                tab.tasks.add(task)
                task.add_done_callback(tab.tasks.discard)
        finally:
            self._tabs.discard(tab)
            for task in (writer, *tab.tasks):
                task.cancel()
            await asyncio.gather(writer, *tab.tasks, return_exceptions=True)
        return tab.socket

    def _language(self, user: User) -> Json:
        """Return a user's locale and its translations of the page."""
        return {"locale": user.locale, "words": self._words(user.locale)}

    # Actions

    async def _act(self, tab: Tab, text: str) -> None:
        request_id: object = None
        try:
            request = msgspec.json.decode(text, type=Json)
            request_id = request.get("id")
            done: Json = {"result": await self._carry_out(tab, request)}
        except CannotDoError as error:
            done = _refused(error.message, error.params)
        except NoAnswerError as error:
            done = _refused(str(error))
        except (KeyError, ValueError, TypeError, msgspec.DecodeError):
            done = _refused("that's no longer there.")
        tab.send({"t": "done", "id": request_id, **done})

    async def _carry_out(self, tab: Tab, request: Json) -> object:
        """Perform an action of the page; raise `KeyError` if something does not exist."""
        person, act = tab.person, request["do"]
        if act == "settings":
            locale, blocks_dms = request.get("locale"), request.get("blocks_dms")
            self._world.change_user(person.user, locale=locale, blocks_dms=blocks_dms)
            return None
        if act == "submit":
            form = tab.forms[request["form"]]
            answer = self._answer(tab, await person.submit(form, request["values"]))
            tab.forms.pop(request["form"], None)
            return answer
        channel = self._world.channels[int(request["channel"])]
        if not self._views.shows(person.id, channel, tab.guild):
            raise CannotDoError("you can't look in there")
        messages = self._world.messages[channel.id]
        match act:
            case "history":
                before = int(request.get("before") or 0)
                history = self._world.history(channel.id, person.id)
                older = [m for m in history if not before or m.id < before]
                shown = [self._views.message(m) for m in older[-_HISTORY_PAGE:]]
                return {"messages": shown, "more": len(older) > len(shown)}
            case "say":
                person.say(channel, str(request["text"]))
            case "read":
                person.read(channel)
            case "typing":
                self._world.publish(changes.Typing(person.id, channel.id))
            case "dismiss":
                person.dismiss(messages[int(request["message"])])
            case "press":
                message, custom_id = messages[int(request["message"])], request["custom_id"]
                return self._answer(tab, await person.press(message, custom_id=custom_id))
            case "select":
                message, values = messages[int(request["message"])], request["values"]
                chosen = await person.select(message, request["custom_id"], values)
                return self._answer(tab, chosen)
            case "slash" | "autocomplete":
                command, values = request["command"], dict(request["values"])
                for name, value in values.items():
                    # Files have been uploaded before.
                    if isinstance(value, dict):
                        values[name] = self._uploads[str(value["upload"])]
                if act == "slash":
                    return self._answer(tab, await person.slash(channel, command, values))
                focused = request["focused"]
                return await person.autocomplete(channel, command, focused=focused, values=values)
            case _:
                raise KeyError(act)
        return None

    def _answer(self, tab: Tab, answer: Answer) -> Json:
        match answer.outcome:
            case ModalOpened(modal=modal) as opened:
                key = str(answer.interaction.id)
                tab.forms[key] = opened
                return {"kind": "modal", "form": key, "modal": modal}
            case Replied(message):
                return {"kind": "message", "message_id": str(message.id)}
        return {"kind": "updated"}

    # Events

    def _on_change(self, change: changes.Change) -> None:
        counts = isinstance(change, changes.MessageCreated | changes.ChannelRead)
        mentions = self._views.mentions() if counts and self._tabs else {}
        for tab in self._tabs:
            for event in self._events(tab, change):
                tab.send(event)
            if counts and tab.mentions != mentions:
                tab.mentions = mentions
                tab.send({"t": "mentions", "mentions": mentions})

    def _events(self, tab: Tab, change: changes.Change) -> Iterator[Json]:
        """Yield the events that a tab gets for a change."""
        user, guild, world, views = tab.person.user, tab.guild, self._world, self._views

        def shows(channel_id: int) -> bool:
            return views.shows(user.id, world.channels[channel_id], guild)

        match change:
            case changes.OfMessage(message):
                place, is_new = message.channel_id, isinstance(change, changes.MessageCreated)
                if message.visible_to not in (None, user.id) or not shows(place):
                    return
                if isinstance(change, changes.MessageDeleted) or message.dismissed:
                    yield {"t": "message_deleted", "id": str(message.id), "channel": str(place)}
                    return
                marks = views.marks(user.id, world.channels[place])
                payload = {"message": views.message(message), "marks": marks}
                yield {"t": "message" if is_new else "message_edit", **payload}
            case changes.ChannelCreated(channel) | changes.ChannelChanged(channel):
                if shows(channel.id):
                    yield {"t": "channel", "channel": views.channel(user, channel)}
            case changes.ChannelDeleted(channel=channel):
                yield {"t": "channel_deleted", "id": str(channel.id)}
            case changes.ChannelRead(user.id, channel_id):
                marks = views.marks(user.id, world.channels[channel_id])
                yield {"t": "marks", "channel": str(channel_id), "marks": marks}
            case changes.CommandsChanged():
                yield {"t": "commands", **views.commands(user, guild)}
            case changes.UserChanged(changed):
                yield {"t": "user", "user": views.user(changed)}
                if changed is user:
                    yield {"t": "commands", **views.commands(user, guild)}
                    yield {"t": "words", **self._language(user)}
            case changes.Typing(user_id, channel_id):
                if user_id != user.id and shows(channel_id):
                    yield {"t": "typing", "user": str(user_id), "channel": str(channel_id)}
            case changes.SessionsChanged(online):
                yield {"t": "bot", "online": online}


@web.middleware
async def _block_other_sites(
    request: web.Request, handler: Callable[[web.Request], Awaitable[web.StreamResponse]]
) -> web.StreamResponse:
    # Another site may resolve its name to 127.0.0.1, which Host reveals, or open a socket from its
    # own page, which Origin reveals.
    host = request.headers.get("Host", "")
    if _hostname(f"http://{host}") not in _LOOPBACK_NAMES:
        raise web.HTTPForbidden(text="This server only answers to localhost.")
    origin = request.headers.get("Origin")
    if origin is not None and origin != f"http://{host}":
        raise web.HTTPForbidden(text="Another web site may not talk to this server.")
    return await handler(request)


def _served(data: bytes | None, kind: str) -> web.Response:
    if data is None:
        raise web.HTTPNotFound(text="This file is gone.")
    headers = {
        "Cache-Control": "private, max-age=31536000, immutable",
        "X-Content-Type-Options": "nosniff",
    }
    # Other files could be HTML pages with access to this origin.
    if kind not in _INLINE_TYPES:
        headers["Content-Disposition"] = "attachment"
    return web.Response(body=data, content_type=kind, headers=headers)


def _hostname(address: str) -> str | None:
    try:
        return yarl.URL(address).host
    except ValueError:
        return None


def _refused(message: str, params: Json | None = None) -> Json:
    return {"error": {"message": message, "params": params or {}}}
