"""A bot on a stand-in in its own event loop: one server, one channel, four people.

What depends on the line between the two, on a process or on time is tested in `tests/wire`.
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
from bot.cogs.posting import game_over, panel_following
from bot.cogs.ui.custom_id import read
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
    Someone,
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
from tests.wire.conftest import Unforeseen
from tests.within import AT_MOST_S, Connector, Work

OWNER = "Olga"
NAMES = ("Anna", "Bert", "Clara", "Dirk")
LOGS = ("bot", "discord", "asyncio")
READY_S = 0.001
"""The stand-in tells of its servers at once."""
NOTICES = (MessageKind.THREAD_STARTER, MessageKind.THREAD_NOTICE)
"""What Discord itself says of a thread."""
EXAMPLE = Path(__file__).parents[2] / "docs" / "kogge-game.json"
"""A whole game in a file."""
PATIENCE_S = 50.0
"""How long the bot waits for what is under way: shorter than that, so that it comes to rest."""
MAX_ALT = 1024
"""Characters that Discord takes of a description."""


class SetTime:
    """A time in seconds that stands until it is moved."""

    at = 1000.0

    def __call__(self) -> float:
        return self.at


class MovedClock:
    """The real time and what it is moved on by."""

    def __init__(self) -> None:
        self._by = timedelta()

    def now(self) -> datetime:
        return datetime.now(UTC) + self._by

    def move(self, by: timedelta) -> None:
        self._by += by


class Club:
    """The server, its people, and the bot that serves them; its services are opened with what is
    given besides."""

    known: ClassVar[list[Json]] = []

    def __init__(self, folder: Path, titles: Titles = TITLES, **given: Any) -> None:
        self._url = empty(folder / "tables.sqlite")
        self.titles = titles
        self.given = given
        self.services: Services
        self.bot: GameBot
        self._process = AsyncExitStack()
        self.faults = Unforeseen()
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
        stack.enter_context(self._work.alone())
        self.standin = await stack.enter_async_context(
            Standin(
                people=[Someone(name, "#808080") for name in (OWNER, *NAMES)],
                guilds=[NewGuild(channels=[("harbour", "")])],
                acknowledge_s=AT_MOST_S,
            )
        )
        stack.enter_context(point_discord_at(self.standin.url))
        self.guild = self.standin.model.guild
        self.channel = self.standin.channel("harbour")
        self.people: list[Any] = [self.member(name) for name in NAMES]
        stack.push_async_callback(self.disconnect)
        await self._begin()

    async def __aexit__(self, *error: Any) -> None:
        await self._stack.aclose()
        assert not self.faults.seen, "\n".join(self.faults.seen)

    async def _begin(self) -> None:
        keys = Random(1)
        opening = open_services(
            self._url,
            rng=Random(5),
            new_key=lambda: keys.randbytes(32),
            clock=self.clock,
            titles=self.titles,
            **self.given,
        )
        self._process = AsyncExitStack()
        self.services = await self._process.enter_async_context(opening)
        # What is due is looked for by `later` alone.
        await self.services.tables.scheduler.stop()
        await self.services.tables.outages.beat()
        bot = make_bot(self.services, live_pause=0.0, guild_ready_s=READY_S)
        if self.titles is TITLES:
            self._share_commands(bot)
        await self.connect(bot)

    def _share_commands(self, bot: GameBot) -> None:
        """Discord knows the commands once a bot of this process has told it."""
        world, tell = self.standin.model, bot.sync_commands

        async def known() -> None:
            if not self.known:
                await tell()
                self.known.extend(command.spec for command in world.commands.values())
            elif not world.commands:
                world.set_commands(None, self.known)

        vars(bot)["sync_commands"] = known

    async def connect(self, bot: GameBot) -> None:
        """Start a bot on what is there."""
        self.bot = bot
        bot.http.connector = Connector(self.standin.server)
        running = asyncio.create_task(bot.start(self.standin.token))
        self._process.push_async_callback(asyncio.wait, [running])
        self._process.push_async_callback(bot.close)
        with catch_warnings():
            # So many commands as only a test of commands has.
            simplefilter("ignore", ResourceWarning)
            await self.settle()
        if running.done():
            await running

    async def disconnect(self) -> None:
        """Stop the bot and what it stands on."""
        await self._process.aclose()

    async def settle(self) -> None:
        """Until the bot has come to rest."""
        await self._work.rest()

    async def restart(self, after: timedelta = timedelta()) -> None:
        """Stop the process and start another, so much later, on the same database and the same
        Discord."""
        await self.disconnect()
        self.clock.move(after)
        await self._begin()

    # Discord

    @property
    def requests(self) -> list[Request]:
        """What the bot has asked of Discord."""
        return list(self.standin.faults.requests)

    def fail(self, method: str, path: str, status: int, code: int, times: int | None = 1) -> None:
        """Discord answers so many of such requests with that, or all."""
        said = {"code": code, "message": "made to fail"}
        self.standin.faults.fail(method, path, status=status, times=times, json=said)

    def member(self, name: str) -> Member:
        """Somebody by name."""
        return Member(self.standin.person(name).user, self.standin, self.settle)

    def new_channel(self, name: str, denied: int = 0) -> Channel:
        """Another channel of the server, in which the bot lacks that."""
        world = self.standin.model
        channel = Channel(
            id=world.snowflakes.next(),
            kind=ChannelKind.TEXT,
            guild_id=self.guild.id,
            name=name,
            denied=denied,
        )
        return world.add_channel(channel)

    def tell(self, event: str, data: Json) -> None:
        """Tell the bot of an event."""
        for session in self.standin.gateway.sessions:
            session.dispatch(event, data)

    def bytes_of(self, attachment: Attachment) -> bytes:
        """What is in a file of a message."""
        return self.standin.file(attachment.id)

    @property
    def tables(self) -> Tables:
        """The tables behind the bot, until it is restarted."""
        return self.services.tables

    # People

    def person(self, table: Table, seat: int) -> Any:
        """Who sits on a seat."""
        return next(each for each in self.people if each.id == table.players[seat].user)

    def owner(self) -> Any:
        """Olga, who owns the server and may do all there."""
        return self.member(OWNER)

    async def later(self, by: timedelta) -> None:
        """That time passes, and what was due by then is done and told."""
        self.clock.move(by)
        await self.tables.scheduler.tick()
        await self.settle()

    async def file_of(self, table: Table, command: str) -> bytes:
        """The file that the host is given by a command where the table plays."""
        result = await self.people[0].slash(self.place(table), command, table=table.id)
        (file,) = result.response.attachments
        return self.bytes_of(file)

    def dms(self, person: Any) -> list[Any]:
        """The direct messages a person has from the bot, oldest first."""
        return self.seen(person.dm)

    @property
    def threads(self) -> list[Channel]:
        """Those of the channel, oldest first."""
        return list(self.standin.model.threads_of(self.channel.id))

    def seen(self, place: Channel, viewer: Any = None) -> list[Message]:
        """The messages of a place as they are now, oldest first: all that are for everybody, or
        those that a person sees."""
        world = self.standin.model
        return [
            msgspec.structs.replace(message)
            for message in world.messages[place.id].values()
            if message.kind not in NOTICES
            and world.visible(message, 0 if viewer is None else viewer.id)
        ]

    # Tables

    async def lobby(self, *others: Any, host: Any = None, **opened: Any) -> Table:
        """A table opened by the host, at which others have sat down by the button."""
        host = host or self.people[0]
        game = {"game": next(iter(self.titles)), **opened}
        await host.slash(self.channel, "game new", **game)
        table, _ = (await self.tables.reader.seats_of(host.id))[-1]
        for other in others:
            await other.click(await self.lobby_message(table.id), custom_id=f"join:{table.id}")
        return await self.tables.reader.get(table.id)

    def named(self, text: str) -> str:
        """A text with people's names for their ids; all ids are others at each club."""
        names = {str(each.id): each.name for each in self.people}
        return re.sub(r"\d{17,20}", lambda found: names.get(found[0], "#"), text)

    async def lobby_message(self, table_id: int) -> Any:
        table = await self.tables.reader.get(table_id)
        return next(m for m in self.seen(self.channel) if m.id == table.lobby_message)

    async def game(self, *others: Any, host: Any = None) -> Table:
        table = await self.lobby(*(others or self.people[1:2]), host=host)
        return await self.begin(table, host or self.people[0])

    async def begin(self, table: Table, person: Any) -> Table:
        await person.click(await self.lobby_message(table.id), custom_id=f"begin:{table.id}")
        return await self.tables.reader.get(table.id)

    async def begun(
        self, game: str, *options: tuple[str, str], seats: int = 2, **opened: Any
    ) -> Table:
        """A table of that game, with those options and terms, that so many people have begun."""
        host, *guests = self.people[:seats]
        table = await self.lobby(*guests, game=game, **opened)
        for option, value in options:
            await self.tables.lobby.set_option(table.id, host.id, option, value)
        return await self.begin(table, host)

    async def give_up(self, table: Table) -> None:
        """All agree to end the game unfinished."""
        for person in self.people:
            if table.seat_of(person.id) is not None:
                await person.slash(self.place(table), "game abandon", table=table.id)

    async def burgundy(self, *options: tuple[str, str]) -> tuple[Table, int]:
        """A table of Burgundy for two that has begun, and the seat that is asked first."""
        return await self.begun("burgundy", *options), (await self.asked(1))[0]

    def place(self, table: Table) -> Any:
        """Where the table plays: its thread, or its channel."""
        for thread in self.threads:
            if thread.id == table.thread:
                return thread
        return self.channel

    def posts(self, table: Table) -> list[Any]:
        """What stands where the table plays, oldest first."""
        return self.seen(self.place(table))

    async def panel(self, table_id: int) -> Any:
        """The newest public panel of a table."""
        table = await self.tables.reader.get(table_id)
        return next(m for m in self.posts(table) if m.id == table.panel_message)

    async def asked(self, table_id: int) -> list[int]:
        """The seats everybody waits for."""
        return [d.seat for d in await self.tables.reader.pending(table_id) if not d.optional]

    async def legal_kinds(self, table_id: int, seat: int) -> tuple[str, ...]:
        """The kinds of action open to a seat."""
        choices = (await self.tables.reader.seen(table_id, seat)).legal(seat, ())
        assert isinstance(choices, OneOf)
        return choices.values

    async def words(self, table_id: int, seat: int, *prefix: str) -> list[str]:
        choices = (await self.tables.reader.seen(table_id, seat)).legal(seat, prefix)
        return [] if isinstance(choices, Done) else list(choices.each())

    async def actions(self, table_id: int) -> list[str]:
        """What has been done, each as the log keeps it."""
        return [entry.action for entry in (await whole_record(self.tables, table_id)).entries]

    async def done(self) -> list[str]:
        """The same of the first table, without its set-up."""
        return [line for line in await self.actions(1) if not line.startswith("setup")]

    async def play_until(self, table_id: int, kind: str, seed: int = 1) -> int:
        """Act at random, beside the bot, until somebody asked may do `kind`; the seat."""
        tables, rng = self.tables, Random(seed)
        for _ in range(2000):
            await self.rest(table_id)
            decision = (await tables.reader.pending(table_id))[0]
            if kind in await self.legal_kinds(table_id, decision.seat):
                await self.settle()
                return decision.seat
            await tables.play.act(
                table_id, decision.seat, await self._any(table_id, decision.seat, rng)
            )
        raise AssertionError(f"nobody could {kind}")

    async def play(self, *lines: tuple[int, str], table: int = 1) -> None:
        """Actions beside the bot, each by a seat, and each with its post: on a busy machine one
        post would tell of several."""
        for seat, line in lines:
            await self.tables.play.act(table, seat, parse_action(line))
            await self.settle()

    async def state(self, table_id: int = 1) -> Any:
        """The whole table, secrets and all."""
        return (await self.tables._unit_of_work.cache.read(table_id)).position().state

    async def step(self, table_id: int, rng: Random) -> None:
        """One action at random, beside the bot."""
        await self.act(table_id, rng)
        await self.settle()

    async def act(self, table_id: int, rng: Random) -> None:
        """The same, without waiting for what the bot makes of it."""
        await self.rest(table_id)
        (seat, *_) = await self.asked(table_id)
        await self.tables.play.act(table_id, seat, await self._any(table_id, seat, rng))

    async def rest(self, table_id: int) -> None:
        """Wait until no computer player is about to act."""
        await self.tables.computers.rest(table_id, AT_MOST_S)

    async def finish(self, table_id: int, seed: int = 1) -> None:
        """Act at random, beside the bot, until the game is over and all of it is posted."""
        rng = Random(seed)
        while await self.asked(table_id):
            await self.act(table_id, rng)
            await self.rest(table_id)
        await self.settle()

    async def _any(self, table_id: int, seat: int, rng: Random) -> Action:
        moves = self.services.rules(await self.tables.reader.get(table_id)).moves
        return unforced(await self.tables.reader.seen(table_id, seat), seat, moves, rng)

    async def open_panel(self, table: Table, seat: int) -> Any:
        """The private panel of a seat, by the public button."""
        result = await self.person(table, seat).click(
            await self.panel(table.id), custom_id=f"play:{table.id}"
        )
        # Where opening it has done something, it may have followed the post of that.
        return result.response or result.followups[-1]

    async def pressed(self, table: Table, seat: int, *path: str) -> Any:
        """What a seat is answered that opens its panel and presses its way, by parts of ids."""
        person, shown = self.person(table, seat), await self.open_panel(table, seat)
        for word in path:
            shown = await press(person, shown, word)
        return shown

    def private(self, table: Table, person: Any) -> list[Any]:
        """What a person alone sees where the table plays, oldest first."""
        seen = self.seen(self.place(table), person)
        return [message for message in seen if message.is_ephemeral]

    def everything(self) -> list[Any]:
        """All messages that anybody can read anywhere."""
        seen: dict[int, Any] = {}
        for person in self.people:
            for place in (self.channel, *self.threads):
                seen |= {each.id: each for each in self.seen(place, person)}
            seen |= {each.id: each for each in self.dms(person)}
        return list(seen.values())


def rings(club: Club, saying: str = "", since: int = 0) -> list[int]:
    """The users whom messages at tables that say this have pinged, each as often as it rang."""
    found: list[int] = []
    for entry in club.requests[since:]:
        if entry.method != "POST" or not entry.path.endswith("/messages"):
            continue
        assert isinstance(entry.body, dict)
        allowed = (entry.body.get("allowed_mentions") or {}).get("users", ())
        said = f"{entry.body.get('content')} {entry.body.get('components')}"
        if saying not in said:
            continue
        named = re.findall(r"<@(\d+)>", said)
        found += [int(user) for user in allowed if str(user) in named]
    return found


def rung(club: Club, since: int = 0) -> Counter[int]:
    """How often each user was rung from that request on, by direct messages too."""
    inboxes = {person.dm.id: person.id for person in club.people}
    found = Counter(rings(club, since=since))
    for entry in club.requests[since:]:
        place, _, what = entry.path.removeprefix("/channels/").partition("/")
        if (entry.method, what) == ("POST", "messages") and int(place) in inboxes:
            assert isinstance(entry.body, dict)
            flags = int(entry.body.get("flags") or 0)
            found[inboxes[int(place)]] += not flags & MessageFlag.SUPPRESS_NOTIFICATIONS
    return +found


def refuse(club: Club, method: str, path: str, status: int, code: int) -> None:
    """From now on Discord answers such requests with that."""
    club.fail(method, path, status, code, None)


def close_to_the_bot(club: Club, table: Table) -> None:
    """The bot may not write where the table plays."""
    for place in (table.thread, table.channel):
        refuse(club, "POST", f"/channels/{place}/messages", 403, 50013)


def block_messages(club: Club, person: Any, code: int = 50007) -> None:
    """From now on the person's direct messages are closed to the bot, or fail with that code."""
    refuse(club, "POST", f"/channels/{person.dm.id}/messages", 403, code)


@pytest.fixture(autouse=True)
def described(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Whatever the bot attaches in a test is described to those who cannot see it."""
    made: list[discord.File] = []
    init = discord.File.__init__

    def keep(file: discord.File, *args: Any, **parts: Any) -> None:
        init(file, *args, **parts)
        made.append(file)

    monkeypatch.setattr(discord.File, "__init__", keep)
    yield
    for file in made:
        alt = file.description or ""
        assert 0 < len(alt) <= MAX_ALT, file.filename
        assert not re.search(r"(?<![.!?] )…$", alt), alt


@pytest.fixture(autouse=True)
def short_film(monkeypatch: pytest.MonkeyPatch) -> None:
    """The film of a whole game costs more than the game; only its own test waits for all of it."""
    monkeypatch.setattr(game_over, "MAX_FRAMES", 2)


@pytest.fixture(autouse=True)
def patient(monkeypatch: pytest.MonkeyPatch) -> None:
    """What the bot does otherwise where something takes long, it does not because the machine is
    busy: it then defers an answer, does without what it waits for, or posts what is there by now.
    """
    for limit in (
        "bot.cogs.panel.open_moves.COMPUTERS_S",
        "bot.cogs.posting.panel_following.ANSWERS_S",
        "bot.cogs.posting.panel_following.AT_MOST_S",
        "bot.cogs.posting.turn_posts.COMPUTERS_TIME",
        "bot.cogs.ui.reply.DEFER_AFTER_S",
        "bot.tables.people.RECALL_S",
    ):
        monkeypatch.setattr(limit, PATIENCE_S)


class DrawnOnce(Pictures):
    """Pictures of which each is drawn by the first test that shows it: most begin alike."""

    drawn: ClassVar[dict[tuple[Any, str, str], bytes]] = {}

    async def board(self, shown: PictureKey, draw: Any) -> bytes:
        """As it is, or as another test has had it."""
        what = draw.func, shown.locale, repr(draw.args[:-1])

        def once() -> bytes:
            if what not in self.drawn:
                self.drawn[what] = draw()
            return self.drawn[what]

        return await super().board(shown, once)


@pytest.fixture(autouse=True)
def drawn_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """What pictures look like is tested elsewhere (`tests/render`), and how they are kept."""
    monkeypatch.setattr("bot.app.Pictures", DrawnOnce)


@pytest.fixture
def unused(monkeypatch: pytest.MonkeyPatch) -> None:
    """Private panels count as left alone at once, and stay where they are."""
    monkeypatch.setattr(panel_following, "IN_USE_S", -1.0)


@pytest.fixture
def word_by_word(monkeypatch: pytest.MonkeyPatch) -> None:
    """No game offers whole actions: each is put together out of its words."""
    for title in TITLES.every:
        monkeypatch.setitem(vars(title), "menu", lambda *_: ())


@pytest.fixture
def given() -> dict[str, Any]:
    """What the services of the bot are opened with besides."""
    return {}


@pytest.fixture
async def club(tmp_path: Path, given: dict[str, Any]) -> AsyncIterator[Club]:
    """A server with a bot and four people."""
    async with Club(tmp_path, **given) as made:
        yield made


def parts(message: Any) -> list[dict[str, Any]]:
    """The components of a message, and those within them, in order."""
    return list(walk(message.components))


def wording(message: Any) -> str:
    """All that a message says, as a layout or as one of before, in lines."""
    return str(message.text)


def ids(message: Any) -> list[str]:
    """The custom ids of a message's components, in order."""
    return [each["custom_id"] for each in parts(message) if each.get("custom_id")]


def verbs(message: Any) -> set[str]:
    """What its components do, as their ids begin."""
    return {each.partition(":")[0] for each in ids(message)}


def id_with(message: Any, words: str) -> str:
    """The first id of a message's components that contains that."""
    return next(each for each in ids(message) if words in each)


async def press(person: Any, message: Any, words: str) -> Any:
    """The answer to a press of what has such an id."""
    return (await person.click(message, custom_id=id_with(message, words))).response


async def begun_with(person: Any, panel: Any, kind: str) -> Any:
    """The answer to a choice in the list of all actions: that kind, or the first of it."""
    every = id_with(panel, "whole:")
    values = [each["value"] for each in part(panel, every)["options"]]
    values = [each for each in values if read(each)[0] == kind]
    chosen = kind if kind in values else values[0]
    return (await person.choose(panel, [chosen], custom_id=every)).response


async def filled(person: Any, form: Any, *typed: str) -> Any:
    """What comes of a form with that in its lines."""
    lines = [line["component"]["custom_id"] for line in form.modal["components"]]
    return await person.submit(form, dict(zip(lines, typed, strict=True)))


def is_silent(message: Message) -> bool:
    """Whether it was posted without a notification."""
    return bool(message.flags & MessageFlag.SUPPRESS_NOTIFICATIONS)


def part(message: Any, custom_id: str) -> dict[str, Any]:
    """A component of a message by its id."""
    return next(each for each in parts(message) if each.get("custom_id") == custom_id)


def forge_id(club: Club, post: Message, custom_id: str) -> None:
    """Gives the first button of a message an id, whoever would write such."""
    shown = stored(club.standin, post)
    next(each for each in parts(shown) if each.get("custom_id"))["custom_id"] = custom_id


def emit(club: Club, person: Member, message: Message, custom_id: str) -> Interaction:
    """Send a press without waiting for what comes of it."""
    world = club.standin.model
    pressed = world.messages[message.channel_id].get(message.id, message)
    data = {"custom_id": custom_id, "component_type": 2}
    place = world.channels[message.channel_id]
    return person.fire(InteractionKind.COMPONENT, place, data, source=pressed)
