"""The web page's server side: static files, and one websocket per open tab.

Over the websocket go events (`{"t": "message", ...}`) to the page and actions
(`{"id": 7, "do": "press", ...}`) from it; each action is answered by `{"t": "done", "id": 7}`
with a `result` or an `error`, which the page says in the person's language.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from pathlib import PurePath
from typing import TYPE_CHECKING

import msgspec
import yarl
from aiohttp import WSMsgType, web

from bot.local import changes
from bot.local.interactions import (
    Choices,
    ModalOpened,
    Replied,
    Thinking,
    Updated,
)
from bot.local.model import Channel, Json, Message, User
from bot.local.options import CannotDoError
from bot.local.page_tab import Tab
from bot.local.page_views import Views
from bot.local.person import Answer, NoAnswerError, Person
from bot.resources import beside, data

if TYPE_CHECKING:
    from bot.local.standin import Standin

SIGNS = "Twemoji.woff2"
STATIC = {each.name: each for each in beside("bot.local", "page").iterdir()}
STATIC[SIGNS] = data("fonts", SIGNS)
"""The page's files by name."""
_LOOPBACK_NAMES = ("127.0.0.1", "localhost", "::1")
_HISTORY_PAGE = 60
_MAX_UPLOAD = 10 * 1024 * 1024
_UPLOADS_KEPT = 50
_STATIC_KINDS = {
    ".css": "text/css; charset=utf-8",
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
"""The page's words in a locale, by their English; none of those that are not translated."""
Action = Callable[[Tab, Json], Awaitable[object]]


class ChatPage:
    """Serves the page and keeps all tabs up to date."""

    def __init__(self, standin: Standin, words: PageWords) -> None:
        self._words = words
        self._world = world = standin.model
        self._wire = standin.wire
        self._interactions = standin.interactions
        self._gateway = standin.gateway
        self._views = Views(world, standin.wire)
        self._tabs: set[Tab] = set()
        self._uploads: dict[str, tuple[str, bytes]] = {}
        self._actions: dict[str, Action] = {
            "history": self._history,
            "say": self._say,
            "slash": self._slash,
            "autocomplete": self._autocomplete,
            "press": self._press,
            "select": self._select,
            "submit": self._submit,
            "dismiss": self._dismiss,
            "read": self._read,
            "typing": self._typing,
            "settings": self._settings,
        }
        world.subscribe(self._on_change)

    def mount(self, app: web.Application) -> None:
        """Register the routes, and the guard that keeps foreign web sites out of all of them."""
        app.middlewares.append(_only_from_here)
        app.router.add_get("/", self._index)
        app.router.add_get("/page/ws", self._serve_tab)
        app.router.add_post("/page/upload", self._upload)
        app.router.add_get("/page/static/{name}", self._static)

    async def close(self) -> None:
        """Close all tabs' sockets; the pages will try to reconnect."""
        for tab in tuple(self._tabs):
            await tab.socket.close(code=1001)

    async def _index(self, request: web.Request) -> web.StreamResponse:
        headers = {"Content-Security-Policy": _POLICY, "Cache-Control": "no-cache"}
        text = STATIC["index.html"].read_text(encoding="utf-8")
        return web.Response(text=text, content_type="text/html", headers=headers)

    async def _static(self, request: web.Request) -> web.StreamResponse:
        name = request.match_info["name"]
        kind = _STATIC_KINDS.get(PurePath(name).suffix)
        if kind is None or name not in STATIC:
            raise web.HTTPNotFound
        # The signs alone are large, and never another under this name.
        kept = "max-age=31536000, immutable" if name == SIGNS else "no-cache"
        headers = {"Cache-Control": kept, "Content-Type": kind}
        return web.Response(body=STATIC[name].read_bytes(), headers=headers)

    async def _upload(self, request: web.Request) -> web.Response:
        data = await request.read()
        if len(data) > _MAX_UPLOAD:
            raise web.HTTPRequestEntityTooLarge(_MAX_UPLOAD, len(data))
        key = str(self._world.snowflakes.next())
        self._uploads[key] = (request.query.get("name", "file"), data)
        while len(self._uploads) > _UPLOADS_KEPT:
            del self._uploads[next(iter(self._uploads))]
        return web.json_response({"upload": key})

    # The websocket

    async def _serve_tab(self, request: web.Request) -> web.WebSocketResponse:
        people = self._world.people
        user = self._world.user_by_slug(request.query.get("as", "")) or people[0]
        # What stays on this machine is sooner sent than compressed.
        socket = web.WebSocketResponse(heartbeat=30.0, timeout=2.0, compress=False)
        await socket.prepare(request)
        person = Person(user, self._world, self._wire, self._interactions)
        tab = Tab(socket, person, self._views.guild(user, request.query.get("server", "")))
        tab.mentions = self._views.mentions()
        tab.send(self._hello(tab))
        self._tabs.add(tab)
        writer = asyncio.create_task(tab.write())
        try:
            async for frame in socket:
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
        return socket

    def _hello(self, tab: Tab) -> Json:
        user = tab.person.user
        return {
            "t": "hello",
            "me": str(user.id),
            "users": [self._views.user(u) for u in self._world.users.values()],
            "server": tab.guild.name,
            "servers": self._views.servers(user, tab.guild),
            "channels": self._views.channels(user, tab.guild),
            "commands": self._views.commands(user, tab.guild),
            "languages": self._views.languages(),
            "online": self._gateway.online.is_set(),
            "calls": tab.mentions,
            **self._language(user),
        }

    def _language(self, user: User) -> Json:
        """What somebody speaks, and the page's words in it."""
        return {"locale": user.locale, "words": self._words(user.locale)}

    async def _act(self, tab: Tab, text: str) -> None:
        request_id: object = None
        try:
            request = msgspec.json.decode(text, type=dict[str, object])
            request_id = request.get("id")
            action = self._actions[str(request.get("do"))]
            done: Json = {"result": await action(tab, request)}
        except CannotDoError as error:
            done = _refused(error.because, error.facts)
        except NoAnswerError as error:
            done = _refused(str(error))
        except (KeyError, ValueError, TypeError, msgspec.DecodeError):
            done = _refused("that's no longer there.")
        tab.send({"t": "done", "id": request_id, **done})

    # Actions

    async def _history(self, tab: Tab, request: Json) -> object:
        channel = self._channel(tab, request)
        before = int(request.get("before") or 0)
        history = self._world.history(channel.id, tab.person.id)
        older = [m for m in history if not before or m.id < before]
        shown = older[-_HISTORY_PAGE:]
        more = len(older) > len(shown)
        return {"messages": [self._views.message(m) for m in shown], "more": more}

    async def _say(self, tab: Tab, request: Json) -> object:
        tab.person.say(self._channel(tab, request), str(request["text"]))
        return None

    async def _slash(self, tab: Tab, request: Json) -> object:
        channel = self._channel(tab, request)
        values = {name: self._value(v) for name, v in request["values"].items()}
        return self._answer(tab, await tab.person.slash(channel, request["command"], values))

    async def _autocomplete(self, tab: Tab, request: Json) -> object:
        channel = self._channel(tab, request)
        values = {name: self._value(v) for name, v in request["values"].items()}
        return await tab.person.autocomplete(
            channel, request["command"], focused=request["focused"], values=values
        )

    def _value(self, value: object) -> object:
        """A value of an option; a file is named by the key of its upload."""
        if isinstance(value, dict):
            return self._uploads[str(value["upload"])]
        return value

    async def _press(self, tab: Tab, request: Json) -> object:
        message = self._message(tab, request)
        return self._answer(tab, await tab.person.press(message, custom_id=request["custom_id"]))

    async def _select(self, tab: Tab, request: Json) -> object:
        message = self._message(tab, request)
        answer = await tab.person.select(message, request["custom_id"], request["values"])
        return self._answer(tab, answer)

    async def _submit(self, tab: Tab, request: Json) -> object:
        form = tab.forms[request["form"]]
        answer = self._answer(tab, await tab.person.submit(form, request["values"]))
        tab.forms.pop(request["form"], None)
        return answer

    async def _dismiss(self, tab: Tab, request: Json) -> object:
        tab.person.dismiss(self._message(tab, request))
        return None

    async def _read(self, tab: Tab, request: Json) -> object:
        tab.person.read(self._channel(tab, request))
        return None

    async def _typing(self, tab: Tab, request: Json) -> object:
        self._world.publish(changes.Typing(tab.person.id, self._channel(tab, request).id))
        return None

    async def _settings(self, tab: Tab, request: Json) -> object:
        self._world.change_user(
            tab.person.user, locale=request.get("locale"), blocks_dms=request.get("blocks_dms")
        )
        return None

    def _answer(self, tab: Tab, answer: Answer) -> Json:
        match answer.outcome:
            case ModalOpened(modal=modal):
                key = str(answer.interaction.id)
                tab.forms[key] = answer.outcome
                return {"kind": "modal", "form": key, "modal": modal}
            case Replied(message) | Thinking(message):
                return {"kind": "message", "message_id": str(message.id)}
            case Updated() | Choices():
                return {"kind": "updated"}
            case _:
                raise NoAnswerError("The application did not respond")

    def _channel(self, tab: Tab, request: Json) -> Channel:
        channel = self._world.channels[int(request["channel"])]
        if not self._shows(tab, channel):
            raise CannotDoError("you can't look in there")
        return channel

    def _shows(self, tab: Tab, channel: Channel) -> bool:
        return self._views.shows(tab.person.id, channel, tab.guild)

    def _message(self, tab: Tab, request: Json) -> Message:
        return self._world.messages[self._channel(tab, request).id][int(request["message"])]

    # Events

    def _on_change(self, change: changes.Change) -> None:
        if not self._tabs:
            return
        match change:
            case changes.MessageCreated(message):
                self._message_event("message", message)
                self._tell_calls()
            case changes.MessageEdited(message):
                self._message_event("message_edit", message)
            case changes.MessageDeleted(message) | changes.MessageDismissed(message):
                self._gone_event(message)
            case changes.ChannelCreated(channel) | changes.ChannelChanged(channel):
                self._channel_event(channel)
            case changes.ChannelDeleted(channel=channel):
                self._tell_all({"t": "channel_gone", "id": str(channel.id)})
            case changes.ReadMoved(user_id, channel_id):
                self._read_event(user_id, self._world.channels[channel_id])
            case changes.CommandsChanged():
                for tab in self._tabs:
                    self._tell_commands(tab)
            case changes.UserChanged(user):
                self._user_event(user)
            case changes.Typing(user_id, channel_id):
                self._typing_event(user_id, channel_id)
            case changes.SessionsChanged(online):
                self._tell_all({"t": "bot", "online": online})

    def _message_event(self, name: str, message: Message) -> None:
        channel = self._world.channels[message.channel_id]
        written: Json | None = None
        for tab in self._tabs:
            viewer = tab.person.id
            if self._shows(tab, channel) and self._world.visible(message, viewer):
                written = written or self._views.message(message)
                marks = self._views.marks(viewer, channel)
                tab.send({"t": name, "message": written, "marks": marks})

    def _gone_event(self, message: Message) -> None:
        gone = {"t": "message_gone", "id": str(message.id), "channel": str(message.channel_id)}
        channel = self._world.channels[message.channel_id]
        for tab in self._tabs:
            viewer = tab.person.id
            if message.visible_to in (None, viewer) and self._views.shows(
                viewer, channel, tab.guild
            ):
                tab.send(gone)

    def _channel_event(self, channel: Channel) -> None:
        for tab in self._tabs:
            if self._shows(tab, channel):
                written = self._views.channel(tab.person.user, channel)
                tab.send({"t": "channel", "channel": written})

    def _read_event(self, user_id: int, channel: Channel) -> None:
        marks = self._views.marks(user_id, channel)
        for tab in self._tabs:
            if tab.person.id == user_id:
                tab.send({"t": "marks", "channel": str(channel.id), "marks": marks})
        self._tell_calls()

    def _user_event(self, user: User) -> None:
        self._tell_all({"t": "user", "user": self._views.user(user)})
        for tab in self._tabs:
            if tab.person.id == user.id:
                self._tell_commands(tab)
                tab.send({"t": "words", **self._language(user)})

    def _typing_event(self, user_id: int, channel_id: int) -> None:
        channel = self._world.channels[channel_id]
        for tab in self._tabs:
            if tab.person.id != user_id and self._shows(tab, channel):
                tab.send({"t": "typing", "user": str(user_id), "channel": str(channel_id)})

    def _tell_commands(self, tab: Tab) -> None:
        commands = self._views.commands(tab.person.user, tab.guild)
        languages = self._views.languages()
        tab.send({"t": "commands", "commands": commands, "languages": languages})

    def _tell_calls(self) -> None:
        mentions = self._views.mentions()
        for tab in self._tabs:
            if tab.mentions != mentions:
                tab.mentions = mentions
                tab.send({"t": "calls", "calls": mentions})

    def _tell_all(self, event: Json) -> None:
        for tab in self._tabs:
            tab.send(event)


@web.middleware
async def _only_from_here(
    request: web.Request, handler: Callable[[web.Request], Awaitable[web.StreamResponse]]
) -> web.StreamResponse:
    # A foreign site may make its name resolve to 127.0.0.1 (the Host reveals it) or open a socket
    # to us from its own page (the Origin does).
    host = request.headers.get("Host", "")
    if _hostname(f"http://{host}") not in _LOOPBACK_NAMES:
        raise web.HTTPForbidden(text="This server only answers to localhost.")
    origin = request.headers.get("Origin")
    if origin is not None and origin != f"http://{host}":
        raise web.HTTPForbidden(text="Another web site may not talk to this server.")
    return await handler(request)


def _hostname(address: str) -> str | None:
    try:
        return yarl.URL(address).host
    except ValueError:
        return None


def _refused(because: str, facts: Json | None = None) -> Json:
    """Why something cannot be done: an English sentence, and what is to be put into it."""
    return {"error": {"because": because, "facts": facts or {}}}
