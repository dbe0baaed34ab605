"""A bot and a stand-in for Discord in one event loop: one server, one channel, four people.

`tests/wire` tests what depends on the connection, on processes or on time.
"""

from __future__ import annotations

import asyncio
import logging
import re
from collections import Counter
from collections.abc import AsyncIterator, Iterator
from contextlib import AsyncExitStack
from datetime import UTC, datetime, timedelta
from pathlib import Path
from random import Random
from typing import Any, ClassVar, Self
from warnings import catch_warnings, simplefilter

import discord
import msgspec
import pytest

from bot.app import make_bot, open_services
from bot.client import GameBot
from bot.cogs.dialogues import films
from bot.cogs.posting import panel_following
from bot.cogs.ui.custom_id import decode_words
from bot.cogs.ui.pictures import PictureKey, Pictures
from bot.cogs.ui.services import Services
from bot.game.choices import Done, OneOf
from bot.game.contract import Action, parse_action
from bot.host.gateway import point_discord_at
from bot.local import (
    Channel,
    InteractionKind,
    Message,
    NewGuild,
    NewPerson,
    Standin,
)
from bot.local.faults import Request
from bot.local.interactions import Interaction
from bot.local.model import Attachment, ChannelKind, Json, MessageFlag, MessageKind, walk
from bot.tables import Table, Tables
from bot.titles import TITLES
from bot.titles.title import Titles
from tests.cogs.actors import Member, stored
from tests.store.database import empty
from tests.tables.world import unforced, whole_record
from tests.wire.conftest import LoggedErrors
from tests.within import TIMEOUT_S, Connector, Work

OWNER = "Olga"
NAMES = ("Anna", "Bert", "Clara", "Dirk")
LOGS = ("bot", "discord", "asyncio")
READY_S = 0.001
"""The stand-in sends its servers immediately."""
NOTICES = (MessageKind.THREAD_STARTER, MessageKind.THREAD_NOTICE)
"""Messages that Discord itself posts about a thread."""
EXAMPLE = Path(__file__).parents[2] / "docs" / "kogge-game.json"
"""An exported game."""
PATIENCE_S = 50.0
"""How long the bot waits for running work. Shorter than `TIMEOUT_S`, so that it becomes idle."""
MAX_ALT = 1024
"""Characters that Discord allows in a description."""


class SetTime:
    """A clock in seconds that only a test moves."""

    at = 1000.0

    def __call__(self) -> float:
        return self.at


class MovedClock:
    """The real time plus what a test has added."""

    def __init__(self) -> None:
        self._by = timedelta()

    def now(self) -> datetime:
        return datetime.now(UTC) + self._by

    def move(self, by: timedelta) -> None:
        self._by += by


class Club:
    """The server, its people and its bot. `service_options` go to `open_services`."""

    registered_commands: ClassVar[dict[frozenset[str], list[Json]]] = {}
    """The commands that stand-ins share, by the bot's languages, which a test may have changed."""

    def __init__(self, folder: Path, titles: Titles = TITLES, **service_options: Any) -> None:
        self._url = empty(folder / "tables.sqlite")
        self.titles = titles
        self.service_options = service_options
        self.services: Services
        self.bot: GameBot
        self._process = AsyncExitStack()
        self.faults = LoggedErrors()
        self.clock = MovedClock()

    async def __aenter__(self) -> Self:
        async with AsyncExitStack() as stack:
            await self._open(stack)
            self._stack = stack.pop_all()
        return self

    async def _open(self, stack: AsyncExitStack) -> None:
        for each in LOGS:
            logging.getLogger(each).addHandler(self.faults)
            stack.callback(logging.getLogger(each).removeHandler, self.faults)
        self._work = Work()
        stack.enter_context(self._work.without_threads())
        self.standin = await stack.enter_async_context(
            Standin(
                people=[NewPerson(name, "#808080") for name in (OWNER, *NAMES)],
                guilds=[NewGuild(channels=[("harbour", "")])],
                acknowledge_s=TIMEOUT_S,
            )
        )
        stack.enter_context(point_discord_at(self.standin.url))
        self.guild = self.standin.model.guild
        self.channel = self.standin.channel("harbour")
        self.people: list[Any] = [self.member(name) for name in NAMES]
        stack.push_async_callback(self.disconnect)
        await self._start()

    async def __aexit__(self, *error: Any) -> None:
        await self._stack.aclose()
        assert not self.faults.seen, "\n".join(self.faults.seen)

    async def _start(self) -> None:
        keys = Random(1)
        opening = open_services(
            self._url,
            rng=Random(5),
            new_key=lambda: keys.randbytes(32),
            clock=self.clock,
            titles=self.titles,
            **self.service_options,
        )
        self._process = AsyncExitStack()
        self.services = await self._process.enter_async_context(opening)
        # Only `later` looks for due work.
        await self.services.tables.scheduler.stop()
        await self.services.tables.outages.beat()
        bot = make_bot(self.services, live_pause=0.0, guild_ready_s=READY_S)
        if self.titles is TITLES:
            self._share_commands(bot)
        await self.connect(bot)

    def _share_commands(self, bot: GameBot) -> None:
        """Register the commands with only the first stand-in; later ones copy them."""
        world, register = self.standin.model, bot.sync_commands

        async def register_once() -> None:
            languages = frozenset(bot._languages)
            if languages not in self.registered_commands:
                await register()
                specs = [each.spec for each in world.commands.values()]
                self.registered_commands[languages] = specs
            elif not world.commands:
                world.set_commands(None, self.registered_commands[languages])

        vars(bot)["sync_commands"] = register_once

    async def connect(self, bot: GameBot) -> None:
        """Start a bot on the current services and stand-in."""
        self.bot = bot
        bot.http.connector = Connector(self.standin.server)
        running = asyncio.create_task(bot.start(self.standin.token))
        self._process.push_async_callback(asyncio.wait, [running])
        self._process.push_async_callback(bot.close)
        with catch_warnings():
            # aiohttp warns of a large request: the list of commands.
            simplefilter("ignore", ResourceWarning)
            await self.settle()
        if running.done():
            await running

    async def disconnect(self) -> None:
        """Stop the bot and its services."""
        await self._process.aclose()

    async def settle(self) -> None:
        """Wait until the bot is idle."""
        await self._work.rest()

    async def restart(self, after: timedelta = timedelta()) -> None:
        """Restart the bot on the same database and the same Discord."""
        await self.disconnect()
        self.clock.move(after)
        await self._start()

    # Discord

    @property
    def requests(self) -> list[Request]:
        """Requests that the bot has sent to Discord."""
        return list(self.standin.faults.requests)

    def fail(self, method: str, path: str, status: int, code: int, times: int | None = 1) -> None:
        """Let Discord fail the next `times` matching requests, or all with None."""
        body = {"code": code, "message": "made to fail"}
        self.standin.faults.fail(method, path, status=status, times=times, json=body)

    def member(self, name: str) -> Member:
        """Return a person by name."""
        return Member(self.standin.person(name).user, self.standin, self.settle)

    def new_channel(self, name: str, denied: int = 0) -> Channel:
        """Add a channel to the server in which the bot lacks the `denied` permissions."""
        world = self.standin.model
        channel = Channel(
            id=world.snowflakes.next(),
            kind=ChannelKind.TEXT,
            guild_id=self.guild.id,
            name=name,
            denied=denied,
        )
        return world.add_channel(channel)

    def dispatch(self, event: str, data: Json) -> None:
        """Send the bot a gateway event."""
        for session in self.standin.gateway.sessions:
            session.dispatch(event, data)

    def bytes_of(self, attachment: Attachment) -> bytes:
        """Return the content of a message's file."""
        return self.standin.model.files[attachment.id]

    @property
    def tables(self) -> Tables:
        """The bot's tables; a restart replaces them."""
        return self.services.tables

    # People

    def person(self, table: Table, seat: int) -> Any:
        """Return the player at a seat."""
        return next(each for each in self.people if each.id == table.players[seat].user)

    def owner(self) -> Any:
        """Return Olga, who owns the server."""
        return self.member(OWNER)

    async def later(self, by: timedelta) -> None:
        """Move the clock, run everything that has become due and wait until the bot is idle."""
        self.clock.move(by)
        await self.tables.scheduler.tick()
        await self.settle()

    async def file_of(self, table: Table, command: str) -> bytes:
        """Return the file that a command sends to the first person in the table's thread."""
        result = await self.people[0].slash(self.place(table), command, table=table.id)
        (file,) = result.response.attachments
        return self.bytes_of(file)

    def dms(self, person: Any) -> list[Any]:
        """Return the direct messages from the bot to a person, oldest first."""
        return self.seen(person.dm)

    @property
    def threads(self) -> list[Channel]:
        """Threads of the channel, oldest first."""
        return list(self.standin.model.threads_of(self.channel.id))

    def seen(self, place: Channel, viewer: Any = None) -> list[Message]:
        """Return the messages of a place, oldest first: the public ones, or all that a viewer
        sees."""
        world = self.standin.model
        return [
            msgspec.structs.replace(message)
            for message in world.messages[place.id].values()
            if message.kind not in NOTICES
            and world.visible(message, 0 if viewer is None else viewer.id)
        ]

    # Tables

    async def lobby(self, *others: Any, host: Any = None, **opened: Any) -> Table:
        """Let the host open a table and others join it by its button."""
        host = host or self.people[0]
        game = {"game": next(iter(self.titles)), **opened}
        await host.slash(self.channel, "game new", **game)
        table, _ = (await self.tables.reader.seats_of(host.id))[-1]
        for other in others:
            await other.click(await self.lobby_message(table.id), custom_id=f"join:{table.id}")
        return await self.tables.reader.get(table.id)

    def with_names(self, text: str) -> str:
        """Replace ids by people's names: ids differ between clubs."""
        names = {str(each.id): each.name for each in self.people}
        return re.sub(r"\d{17,20}", lambda match: names.get(match[0], "#"), text)

    async def lobby_message(self, table_id: int) -> Any:
        table = await self.tables.reader.get(table_id)
        return next(m for m in self.seen(self.channel) if m.id == table.lobby_message)

    async def game(self, *others: Any, host: Any = None) -> Table:
        table = await self.lobby(*(others or self.people[1:2]), host=host)
        return await self.begin(table, host or self.people[0])

    async def begin(self, table: Table, person: Any) -> Table:
        await person.click(await self.lobby_message(table.id), custom_id=f"begin:{table.id}")
        return await self.tables.reader.get(table.id)

    async def start_game(
        self, game: str, *options: tuple[str, str], seats: int = 2, **opened: Any
    ) -> Table:
        """Let the first `seats` people start a game with these options and terms."""
        host, *guests = self.people[:seats]
        table = await self.lobby(*guests, game=game, **opened)
        for option, value in options:
            await self.tables.lobby.set_option(table.id, host.id, option, value)
        return await self.begin(table, host)

    async def give_up(self, table: Table) -> None:
        """Let all players agree to end the game unfinished."""
        for person in self.people:
            if table.seat_of(person.id) is not None:
                await person.slash(self.place(table), "game abandon", table=table.id)

    async def burgundy(self, *options: tuple[str, str]) -> tuple[Table, int]:
        """Start Burgundy for two. Returns the table and the first seat to act."""
        return await self.start_game("burgundy", *options), (await self.asked(1))[0]

    def place(self, table: Table) -> Any:
        """Return the table's thread, or else its channel."""
        for thread in self.threads:
            if thread.id == table.thread:
                return thread
        return self.channel

    def posts(self, table: Table) -> list[Any]:
        """Return the table's public posts, oldest first."""
        return self.seen(self.place(table))

    async def panel(self, table_id: int) -> Any:
        """Return the newest public panel of a table."""
        table = await self.tables.reader.get(table_id)
        return next(m for m in self.posts(table) if m.id == table.panel_message)

    async def asked(self, table_id: int) -> list[int]:
        """Return the seats that must act."""
        return [d.seat for d in await self.tables.reader.pending(table_id) if not d.optional]

    async def legal_kinds(self, table_id: int, seat: int) -> tuple[str, ...]:
        """Return the kinds of action that a seat may take."""
        choices = (await self.tables.reader.seen(table_id, seat)).legal(seat, ())
        assert isinstance(choices, OneOf)
        return choices.values

    async def words(self, table_id: int, seat: int, *prefix: str) -> list[str]:
        choices = (await self.tables.reader.seen(table_id, seat)).legal(seat, prefix)
        return [] if isinstance(choices, Done) else list(choices.each())

    async def actions(self, table_id: int) -> list[str]:
        """Return the actions in a table's log."""
        return [entry.action for entry in (await whole_record(self.tables, table_id)).entries]

    async def done(self) -> list[str]:
        """Return the actions of table 1 without its set-up."""
        return [line for line in await self.actions(1) if not line.startswith("setup")]

    async def play_until(self, table_id: int, kind: str, seed: int = 1) -> int:
        """Act at random, past the bot, until a seat to act may do `kind`. Returns the seat."""
        tables, rng = self.tables, Random(seed)
        for _ in range(2000):
            await self.rest(table_id)
            decision = (await tables.reader.pending(table_id))[0]
            if kind in await self.legal_kinds(table_id, decision.seat):
                await self.settle()
                return decision.seat
            await tables.play.act(
                table_id, decision.seat, await self._random_action(table_id, decision.seat, rng)
            )
        raise AssertionError(f"no one could {kind}")

    async def play(self, *lines: tuple[int, str], table: int = 1) -> None:
        """Let seats act, past the bot. Waits for each post: otherwise one could cover several
        actions."""
        for seat, line in lines:
            await self.tables.play.act(table, seat, parse_action(line))
            await self.settle()

    async def state(self, table_id: int = 1) -> Any:
        """Return a table's full state, with its secrets."""
        return (await self.tables._unit_of_work.cache.read(table_id)).position().state

    async def step(self, table_id: int, rng: Random) -> None:
        """Take one random action, past the bot."""
        await self.act(table_id, rng)
        await self.settle()

    async def act(self, table_id: int, rng: Random) -> None:
        """Like `step`, without waiting for the bot."""
        await self.rest(table_id)
        (seat, *_) = await self.asked(table_id)
        await self.tables.play.act(table_id, seat, await self._random_action(table_id, seat, rng))

    async def rest(self, table_id: int) -> None:
        """Wait until no computer player is about to act."""
        await self.tables.computers.until_idle(table_id, TIMEOUT_S)

    async def finish(self, table_id: int, seed: int = 1) -> None:
        """Act at random, past the bot, until the game is over and posted."""
        rng = Random(seed)
        while await self.asked(table_id):
            await self.act(table_id, rng)
            await self.rest(table_id)
        await self.settle()

    async def _random_action(self, table_id: int, seat: int, rng: Random) -> Action:
        moves = self.services.rules(await self.tables.reader.get(table_id)).moves
        return unforced(await self.tables.reader.seen(table_id, seat), seat, moves, rng)

    async def open_panel(self, table: Table, seat: int) -> Any:
        """Open a seat's private panel by the public button."""
        result = await self.person(table, seat).click(
            await self.panel(table.id), custom_id=f"play:{table.id}"
        )
        # If opening the panel has caused a post, the panel may have moved below it.
        return result.response or result.followups[-1]

    async def press_path(self, table: Table, seat: int, *path: str) -> Any:
        """Open a seat's panel and press buttons by parts of their ids. Returns the last answer."""
        person, shown = self.person(table, seat), await self.open_panel(table, seat)
        for word in path:
            shown = await press(person, shown, word)
        return shown

    def private(self, table: Table, person: Any) -> list[Any]:
        """Return a person's ephemeral messages in the table's thread, oldest first."""
        seen = self.seen(self.place(table), person)
        return [message for message in seen if message.is_ephemeral]

    def all_messages(self) -> list[Any]:
        """Return all messages that any person can read anywhere."""
        seen: dict[int, Any] = {}
        for person in self.people:
            for place in (self.channel, *self.threads):
                seen |= {each.id: each for each in self.seen(place, person)}
            seen |= {each.id: each for each in self.dms(person)}
        return list(seen.values())


def pings(club: Club, containing: str = "", since: int = 0) -> list[int]:
    """Return the users pinged by posts that contain a text, once for each ping."""
    found: list[int] = []
    for entry in club.requests[since:]:
        if entry.method != "POST" or not entry.path.endswith("/messages"):
            continue
        assert isinstance(entry.body, dict)
        allowed = (entry.body.get("allowed_mentions") or {}).get("users", ())
        text = f"{entry.body.get('content')} {entry.body.get('components')}"
        if containing not in text:
            continue
        mentioned = re.findall(r"<@(\d+)>", text)
        found += [int(user) for user in allowed if str(user) in mentioned]
    return found


def ping_counts(club: Club, since: int = 0) -> Counter[int]:
    """Count each user's pings and audible direct messages since a request."""
    inboxes = {person.dm.id: person.id for person in club.people}
    found = Counter(pings(club, since=since))
    for entry in club.requests[since:]:
        channel, _, resource = entry.path.removeprefix("/channels/").partition("/")
        if (entry.method, resource) == ("POST", "messages") and int(channel) in inboxes:
            assert isinstance(entry.body, dict)
            flags = int(entry.body.get("flags") or 0)
            found[inboxes[int(channel)]] += not flags & MessageFlag.SUPPRESS_NOTIFICATIONS
    return +found


def refuse(club: Club, method: str, path: str, status: int, code: int) -> None:
    """Let Discord fail all matching requests from now on."""
    club.fail(method, path, status, code, None)


def close_channel(club: Club, table: Table) -> None:
    """Forbid the bot to write in the table's thread and channel."""
    for place in (table.thread, table.channel):
        refuse(club, "POST", f"/channels/{place}/messages", 403, 50013)


def block_messages(club: Club, person: Any, code: int = 50007) -> None:
    """Let direct messages to a person fail from now on, by default as blocked."""
    refuse(club, "POST", f"/channels/{person.dm.id}/messages", 403, code)


@pytest.fixture(autouse=True)
def check_alt_texts(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Check that all attachments of a test have an alt text."""
    files: list[discord.File] = []
    init = discord.File.__init__

    def record(file: discord.File, *args: Any, **parts: Any) -> None:
        init(file, *args, **parts)
        files.append(file)

    monkeypatch.setattr(discord.File, "__init__", record)
    yield
    for file in files:
        alt = file.description or ""
        assert 0 < len(alt) <= MAX_ALT, file.filename
        assert not re.search(r"(?<![.!?] )…$", alt), alt


@pytest.fixture(autouse=True)
def short_film(monkeypatch: pytest.MonkeyPatch) -> None:
    """Shorten films: drawing a whole one takes longer than its game."""
    monkeypatch.setattr(films, "MAX_FRAMES", 2)


@pytest.fixture(autouse=True)
def no_timeouts(monkeypatch: pytest.MonkeyPatch) -> None:
    """Raise the limits after which the bot defers an answer or posts without waiting, so that a
    busy machine doesn't change results."""
    for limit in (
        "bot.cogs.panel.open_moves.COMPUTERS_S",
        "bot.cogs.posting.panel_following.ANSWERS_S",
        "bot.cogs.posting.panel_following.TIMEOUT_S",
        "bot.cogs.posting.turn_posts.COMPUTERS_S",
        "bot.cogs.ui.reply.DEFER_AFTER_S",
        "bot.tables.people.RECALL_S",
    ):
        monkeypatch.setattr(limit, PATIENCE_S)


class SharedPictures(Pictures):
    """Pictures that all tests share: most tests begin with the same ones."""

    drawn: ClassVar[dict[tuple[Any, str, str], bytes]] = {}

    async def board(self, shown: PictureKey, draw: Any) -> bytes:
        """Draw a picture unless an earlier test has."""
        key = draw.func, shown.locale, repr(draw.args[:-1])

        def draw_once() -> bytes:
            if key not in self.drawn:
                self.drawn[key] = draw()
            return self.drawn[key]

        return await super().board(shown, draw_once)


@pytest.fixture(autouse=True)
def shared_pictures(monkeypatch: pytest.MonkeyPatch) -> None:
    """Draw each picture once for all tests. `tests/render` tests how pictures look."""
    monkeypatch.setattr("bot.app.Pictures", SharedPictures)


@pytest.fixture
def idle_panels(monkeypatch: pytest.MonkeyPatch) -> None:
    """Count private panels as idle immediately, so that they stay where they are."""
    monkeypatch.setattr(panel_following, "IN_USE_S", -1.0)


@pytest.fixture
def word_by_word(monkeypatch: pytest.MonkeyPatch) -> None:
    """Offer no whole actions, so that each is chosen word by word."""
    for title in TITLES.every:
        monkeypatch.setitem(vars(title), "menu", lambda *_: ())


@pytest.fixture
def service_options() -> dict[str, Any]:
    """Further arguments for `open_services`."""
    return {}


@pytest.fixture
async def club(tmp_path: Path, service_options: dict[str, Any]) -> AsyncIterator[Club]:
    """A server with a bot and four people."""
    async with Club(tmp_path, **service_options) as club:
        yield club


def parts(message: Any) -> list[dict[str, Any]]:
    """Return a message's components and those within them, in order."""
    return list(walk(message.components))


def wording(message: Any) -> str:
    """Return all text of a message, in lines."""
    return str(message.text)


def ids(message: Any) -> list[str]:
    """Return the custom ids of a message's components, in order."""
    return [each["custom_id"] for each in parts(message) if each.get("custom_id")]


def verbs(message: Any) -> set[str]:
    """Return the verbs of a message's custom ids."""
    return {each.partition(":")[0] for each in ids(message)}


def id_with(message: Any, words: str) -> str:
    """Return the first custom id of a message that contains `words`."""
    return next(each for each in ids(message) if words in each)


async def press(person: Any, message: Any, words: str) -> Any:
    """Press the first button whose id contains `words`. Returns the answer."""
    return (await person.click(message, custom_id=id_with(message, words))).response


async def choose_kind(person: Any, panel: Any, kind: str) -> Any:
    """Choose a kind, or its first action, in the list of all actions. Returns the answer."""
    every = id_with(panel, "whole:")
    values = [each["value"] for each in part(panel, every)["options"]]
    values = [each for each in values if decode_words(each)[0] == kind]
    chosen = kind if kind in values else values[0]
    return (await person.choose(panel, [chosen], custom_id=every)).response


async def fill_in(person: Any, form: Any, *typed: str) -> Any:
    """Submit a form with `typed` in its lines. Returns the result."""
    lines = [line["component"]["custom_id"] for line in form.modal["components"]]
    return await person.submit(form, dict(zip(lines, typed, strict=True)))


def is_silent(message: Message) -> bool:
    """Check whether a message was posted without a notification."""
    return bool(message.flags & MessageFlag.SUPPRESS_NOTIFICATIONS)


def part(message: Any, custom_id: str) -> dict[str, Any]:
    """Return a component of a message by its id."""
    return next(each for each in parts(message) if each.get("custom_id") == custom_id)


def forge_id(club: Club, post: Message, custom_id: str) -> None:
    """Give the first button of a message a forged id."""
    shown = stored(club.standin, post)
    next(each for each in parts(shown) if each.get("custom_id"))["custom_id"] = custom_id


def emit(club: Club, person: Member, message: Message, custom_id: str) -> Interaction:
    """Press a button without waiting for the outcome."""
    world = club.standin.model
    pressed = world.messages[message.channel_id].get(message.id, message)
    data = {"custom_id": custom_id, "component_type": 2}
    place = world.channels[message.channel_id]
    return person.fire(InteractionKind.COMPONENT, place, data, source=pressed)
