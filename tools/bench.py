"""Measures what people wait for, and prints one table.

Most figures are medians of some rounds. Where there is a floor (another program, or the least that
can be done), it is measured in the same run, and the table has the ratio to it.
"""

from __future__ import annotations

import argparse
import asyncio
import gc
import inspect
import io
import json
import os
import platform
import subprocess
import sys
import tracemalloc
from collections import Counter
from collections.abc import AsyncIterator, Callable, Iterator, Mapping, Sequence
from contextlib import AsyncExitStack, asynccontextmanager, contextmanager, suppress
from contextvars import ContextVar
from dataclasses import asdict, dataclass, replace
from functools import partial
from itertools import count
from pathlib import Path
from random import Random
from statistics import mean, median, quantiles
from tempfile import TemporaryDirectory
from time import perf_counter, process_time, thread_time
from types import FrameType
from typing import Any, NamedTuple

import discord
from PIL import Image

from bot.app import LIVE_PAUSE, open_services
from bot.cogs.ui import action_builder
from bot.cogs.ui.browsing import OPEN, Focus, Gone, level, read_place
from bot.cogs.ui.custom_id import CustomId, Forged, parse, read
from bot.cogs.ui.services import Services
from bot.cogs.ui.snapshot import Snapshot
from bot.config import environment_without_settings
from bot.game.chance import RandomChance
from bot.game.choices import Bundle, Done, OneOf
from bot.game.contract import SPECTATOR, Action, AnyGame, Decision, joined
from bot.host.gateway import point_discord_at
from bot.hosting import freeze_garbage
from bot.local.changes import Change, MessageCreated
from bot.local.interactions import Interaction, InteractionKind
from bot.local.model import Channel, ComponentKind, Json, Message
from bot.local.options import CannotDoError, innermost
from bot.local.person import Answer, NoAnswerError, Person
from bot.local.standin import Standin
from bot.opening import open_store
from bot.policy.random import random_policy
from bot.render.contract import nowhere
from bot.tables import Table, Tables
from bot.tables.core.record import encode, fold
from bot.text.words import words_for
from bot.titles import TITLES
from bot.titles.title import Title, Titles
from bot.tools.connected import connected, offer_only
from bot.tools.playing import ComputerPlayer, play, players, record

ROOT = Path(__file__).parents[1]
CHANNEL, HOST, GUEST = "the-harbour", "Anna", "Bert"
CHATTY = 0.75
"""The share of free moves that makes a random game long."""
LOST_S = 30.0
"""Seconds after which something expected is lost."""
POLL_S = 0.005
MB = 1_000_000
WORSE = 1.15
"""A ratio to another checkout that the table points out."""

Figures = Mapping[str, float]


@dataclass(frozen=True)
class Amounts:
    """How much is measured at a time."""

    games: int = 100
    """Random games."""
    entries: int = 501
    """Of the record that is replayed."""
    pictures_apart: int = 3
    """Actions from one picture to the next."""
    warm_presses: int = 20
    presses: int = 100
    """Presses that bring a board."""
    breath_s: float = 0.03
    """A pause after each press, so that what it started can finish."""
    tables: int = 32
    actions: int = 40
    """At each of these tables."""
    fsyncs: int = 300
    busy_tables: int = 20
    busy_warm_s: float = 10.0
    busy_s: float = 60.0
    think_s: float = 2.0
    """A pause after each press at a busy table: ten presses a second at all of them."""
    typed_actions: int = 400
    """At the table that is looked at."""
    settled_s: float = 5.0
    """An idle bot's memory stays the same for so long."""
    game_seeds: tuple[int, ...] = (1, 2)
    """Whole games whose presses are counted."""
    turns: int = 1000
    """All games end after so many."""


# The rules


def engine(title: Title, amounts: Amounts) -> Figures:
    """Random games at a full table: each action chosen word by word, checked again, carried out."""
    game = title.game
    seated = [ComputerPlayer(random_policy(game.moves), blind=True)] * max(game.seats)
    started, actions = process_time(), 0
    for number in range(amounts.games):
        # The set-up is no action.
        actions += sum(1 for _ in play(game, seated, {}, Random(number))) - 1
    return {"engine_actions_per_second": actions / (process_time() - started)}


def replay(title: Title, amounts: Amounts) -> Figures:
    """A long record, folded: each action checked, each draw taken from the record."""
    game = title.game
    chatty = [ComputerPlayer(random_policy(game.moves, CHATTY), blind=True)] * max(game.seats)
    found = [record(game, chatty, {}, Random(seed), amounts.entries) for seed in range(3)]
    started, actions = process_time(), 0
    for each in found:
        actions += sum(1 for _ in fold(game, each)) - 1
    return {"replay_actions_per_second": actions / (process_time() - started)}


# Pictures


def picture(title: Title, amounts: Amounts) -> Figures:
    """Boards of a whole game at a full table, each drawn for the first time, parts cached."""
    game, seats = title.game, max(title.game.seats)
    names = tuple(f"Player {seat + 1}" for seat in range(seats))
    boards = [
        (game.view(played.state, SPECTATOR), played.events)
        for number, played in enumerate(
            play(game, players(title, [title.usual], seats), {}, Random(1))
        )
        if number % amounts.pictures_apart == 0
    ]
    for view, events in boards[::5]:
        title.draw(view, names, events)
    times, sizes = [], []
    for view, events in boards:
        started = process_time()
        drawn = title.draw(view, names, events)
        times.append(1000 * (process_time() - started))
        sizes.append(len(drawn) / 1024)
    return {"picture_ms": median(times), "picture_kib": median(sizes)}


# Tables without Discord


@asynccontextmanager
async def opened(title: Title, seed: int = 0) -> AsyncIterator[Services]:
    """Everything below Discord, for that title alone, over a new SQLite file."""
    with TemporaryDirectory() as folder:
        async with open_services(
            f"sqlite+aiosqlite:///{folder}/bench.db",
            titles=Titles([title]),
            rng=Random(seed),
            new_key=partial(Random(seed).randbytes, 32),
        ) as services:
            yield services


async def new_table(game: AnyGame, tables: Tables, number: int) -> int:
    """A full table of people at which the game has begun."""
    first = 1000 * number + 1000
    table = await tables.lobby.open(game.name, first, "Player 1", None, number)
    for place in range(1, max(game.seats)):
        await tables.lobby.join(table.id, first + place, f"Player {place + 1}")
    await tables.lobby.start(table.id, first)
    return table.id


async def random_action(
    game: AnyGame, tables: Tables, table: int, seat: int, rng: Random
) -> Action:
    """A random action of a seat that is asked; a free one only where there is no other."""
    choices = await tables.reader.legal(table, seat)
    assert isinstance(choices, OneOf)
    asked = [kind for kind in choices.values if not game.moves[kind].free]
    action: Action = (rng.choice(asked or choices.values),)
    while not isinstance(choices := await tables.reader.legal(table, seat, action), Done):
        action = (*action, choices.sample(rng))
    return action


async def play_on(game: AnyGame, tables: Tables, table: int, most: int) -> int:
    """Takes at most that many random actions; returns how many."""
    rng = Random(table)
    for taken in range(most):
        if not (pending := await tables.reader.pending(table)):
            return taken
        seat = pending[0].seat
        await tables.play.act(table, seat, await random_action(game, tables, table, seat, rng))
    return most


async def durable(title: Title, amounts: Amounts) -> Figures:
    """People's actions at many tables at once, each on the disk before the next at its table."""
    game = title.game
    async with opened(title) as services:
        tables = services.tables
        ids = [await new_table(game, tables, number) for number in range(amounts.tables)]
        started = perf_counter()
        taken = await asyncio.gather(
            *(play_on(game, tables, each, amounts.actions) for each in ids)
        )
        rate = sum(taken) / (perf_counter() - started)
    return {"durable_actions_per_second": rate, "fsyncs_per_second": _fsyncs(amounts.fsyncs)}


def _fsyncs(count: int) -> float:
    with TemporaryDirectory() as folder, open(f"{folder}/small", "wb", buffering=0) as file:
        started = perf_counter()
        for _ in range(count):
            file.write(bytes(100))
            os.fsync(file.fileno())
        return count / (perf_counter() - started)


async def table_memory(title: Title, amounts: Amounts) -> Figures:
    """Memory of a table that is being played, its last events included."""
    game = title.game
    async with opened(title) as services:
        await play_on(game, services.tables, await new_table(game, services.tables, 0), 40)
        gc.collect()
        tracemalloc.start()
        try:
            before, _ = tracemalloc.get_traced_memory()
            for number in range(amounts.tables):
                table = await new_table(game, services.tables, number + 1)
                await play_on(game, services.tables, table, amounts.actions)
            gc.collect()
            after, _ = tracemalloc.get_traced_memory()
        finally:
            tracemalloc.stop()
    return {"table_kib": (after - before) / amounts.tables / 1024}


# The bot over the stand-in for Discord. Both share one process and one event loop, so the
# stand-in's work counts where time is measured.

_OF_THE_BOT: ContextVar[bool] = ContextVar("of_the_bot", default=False)
"""Whether a callback was begun by the bot, or by what it has begun."""


@asynccontextmanager
async def running(
    title: Title, seed: int = 0, live_pause: float = LIVE_PAUSE
) -> AsyncIterator[tuple[Standin, Services]]:
    """The bot, online."""
    async with Standin() as standin, AsyncExitStack() as stack:
        token = _OF_THE_BOT.set(True)
        services = await stack.enter_async_context(opened(title, seed))
        await stack.enter_async_context(connected(standin, services, live_pause=live_pause))
        # As the program does once it has started.
        freeze_garbage()
        _OF_THE_BOT.reset(token)
        yield standin, services


class Watch:
    """Times each press to the board that it brings, in ms."""

    def __init__(self) -> None:
        self.times: list[float] = []
        self._pressed_at: float | None = None

    def pressed(self) -> None:
        """Somebody presses; the press before may have brought no board."""
        self._pressed_at = perf_counter()

    def posted(self) -> None:
        """A board is posted, and perhaps another one after the same press."""
        if self._pressed_at is not None:
            self.times.append(1000 * (perf_counter() - self._pressed_at))
            self._pressed_at = None


@contextmanager
def watching(standin: Standin, channel: int, watch: Watch) -> Iterator[asyncio.Event]:
    """Tells of boards in that channel; the event is set by each of them."""
    posted = asyncio.Event()

    def on_change(change: Change) -> None:
        if isinstance(change, MessageCreated):
            message = change.message
            if message.channel_id == channel and message.attachments and not message.is_ephemeral:
                watch.posted()
                posted.set()

    close = standin.model.subscribe(on_change)
    try:
        yield posted
    finally:
        close()


def press(person: Person, place: Channel, source: Message, custom_id: str) -> Interaction:
    """A press, without waiting for anything."""
    data = {"component_type": ComponentKind.BUTTON, "custom_id": custom_id}
    return person.fire(InteractionKind.COMPONENT, place, data, source=source)


async def begun(game: AnyGame, standin: Standin, tables: Tables) -> tuple[Table, Message]:
    """A table at which two people have begun the game, and its first board."""
    place = standin.channel(CHANNEL)
    before = {thread.id for thread in standin.model.threads_of(place.id)}
    host, guest = standin.person(HOST), standin.person(GUEST)
    await host.slash(place, "game new", game=game.name)
    table = max(table.id for table, _ in await tables.reader.seats_of(host.id))
    await guest.slash(place, "game join", table=table)
    await host.slash(place, "game start", table=table)

    def boards() -> list[Message]:
        return [
            message
            for thread in standin.model.threads_of(place.id)
            if thread.id not in before
            for message in standin.model.history(thread.id, host.id)
            if message.components and CustomId("play", table).encoded() in message.custom_ids()
        ]

    board, *_ = await host.wait_for(boards, timeout=LOST_S)
    return await tables.reader.get(table), board


async def play_by_presses(
    game: AnyGame,
    standin: Standin,
    tables: Tables,
    at: tuple[Table, Message],
    watch: Watch,
    goes_on: Callable[[], bool],
    pause_s: float,
) -> None:
    """A game by random presses, until it is over or `goes_on` says no."""
    table, board = at
    place, rng = standin.model.channels[board.channel_id], Random(table.id)
    panels = []
    for player in table.players:
        opening = press(
            standin.person(player.name), place, board, CustomId("play", table.id).encoded()
        )
        panels.append(Answer(opening, await opening.outcome).message)
    with watching(standin, place.id, watch) as posted:
        while goes_on() and (pending := await tables.reader.pending(table.id)):
            seat, seq = pending[0].seat, await tables.reader.seq(table.id)
            panel = panels[seat]
            assert panel is not None, "a press on the board is answered by a private message"
            action = await random_action(game, tables, table.id, seat, rng)
            custom_id = CustomId("do", table.id, pending[0].id, action).encoded()
            offer_only(panel, custom_id)
            person = standin.person(table.players[seat].name)
            posted.clear()
            watch.pressed()
            await press(person, place, panel, custom_id).outcome
            async with asyncio.timeout(LOST_S):
                while await tables.reader.seq(table.id) == seq:  # noqa: ASYNC110
                    await asyncio.sleep(POLL_S)
                asked = {each.seat for each in pending if not each.optional}
                pending = await tables.reader.pending(table.id)
                if not pending or {each.seat for each in pending if not each.optional} - asked:
                    # Others are to act now, or nobody any more: all are shown the board.
                    await posted.wait()
            await asyncio.sleep(pause_s)


async def _boards(title: Title, watch: Watch, most: int, breath_s: float) -> None:
    async with running(title) as (standin, services):
        while len(watch.times) < most:
            await play_by_presses(
                title.game,
                standin,
                services.tables,
                await begun(title.game, standin, services.tables),
                watch,
                lambda: len(watch.times) < most,
                breath_s,
            )


async def presses(title: Title, amounts: Amounts) -> Figures:
    """From a press to the posted board, for two people; and the same by a bot that does nothing
    but post a picture that is ready."""
    ours, bare = Watch(), Watch()
    most = amounts.warm_presses + amounts.presses
    await _boards(title, ours, most, amounts.breath_s)
    async with Standin() as standin, _bare_bot(standin, _first_picture(title)):
        person, place = standin.person(HOST), standin.channel(CHANNEL)
        source = person.say(place, "Press!")
        with watching(standin, place.id, bare) as posted:
            while len(bare.times) < most:
                posted.clear()
                bare.pressed()
                await press(person, place, source, "post").outcome
                await asyncio.wait_for(posted.wait(), LOST_S)
                await asyncio.sleep(amounts.breath_s)
    figures = {}
    for name, times in (("press", ours.times), ("bare_bot", bare.times)):
        counted = times[amounts.warm_presses : most]
        figures[f"{name}_p50_ms"] = median(counted)
        figures[f"{name}_p99_ms"] = quantiles(counted, n=100, method="inclusive")[-1]
    return figures


def _first_picture(title: Title) -> bytes:
    state = title.game.setup(2, {}, RandomChance(Random(1)))
    return title.draw(title.game.view(state, SPECTATOR), (HOST, GUEST), ())


class BareBot(discord.Client):
    """The least that a bot can do for a press: it posts a picture that it has."""

    png = b""

    async def on_interaction(self, interaction: discord.Interaction) -> None:
        file = discord.File(io.BytesIO(self.png), "board.png")
        await interaction.response.send_message("Your turn", file=file)


@asynccontextmanager
async def _bare_bot(standin: Standin, png: bytes) -> AsyncIterator[None]:
    with point_discord_at(standin.url):
        bot = BareBot(intents=discord.Intents.none())
        bot.png = png
        working = asyncio.create_task(bot.start(standin.token))
        try:
            await standin.bot_online()
            await bot.wait_until_ready()
            yield
        finally:
            await bot.close()
            await asyncio.gather(working, return_exceptions=True)


class CodeWatch(Watch):
    """Notes what runs of the bot in the loop's thread, from a press to the board that it brings."""

    def __init__(self) -> None:
        super().__init__()
        self.files: list[int] = []
        self.functions: list[int] = []
        self.calls: list[int] = []
        self._called: Counter[Any] | None = None

    def note(self, frame: FrameType, event: str, _: object) -> None:
        """As `sys.setprofile` calls it."""
        # The stand-in and this module work in that thread as well.
        if self._called is not None and event == "call" and _OF_THE_BOT.get():
            self._called[frame.f_code] += 1

    def pressed(self) -> None:
        super().pressed()
        self._called = Counter()

    def posted(self) -> None:
        called, self._called = self._called, None
        super().posted()
        if called is None:
            return
        bot, standin = str(ROOT / "bot") + os.sep, str(ROOT / "bot" / "local") + os.sep
        ours = {
            code: count
            for code, count in called.items()
            if code.co_filename.startswith(bot) and not code.co_filename.startswith(standin)
        }
        self.files.append(len({code.co_filename for code in ours}))
        self.functions.append(len(ours))
        self.calls.append(sum(ours.values()))


async def code(title: Title, amounts: Amounts) -> Figures:
    """Files and functions of the bot that a press runs through until the board is posted."""
    watch = CodeWatch()
    sys.setprofile(watch.note)
    try:
        await _boards(title, watch, amounts.presses, amounts.breath_s)
    finally:
        sys.setprofile(None)
    return {
        "press_files": median(watch.files),
        "press_functions": median(watch.functions),
        "press_calls": median(watch.calls),
    }


# What holds the event loop: the processor time of its thread in one callback of the bot's, so that
# neither the stand-in nor another program on the machine counts.


class Holds:
    """The longest hold since it was last asked for, in ms."""

    def __init__(self) -> None:
        self._longest = 0.0

    def add(self, held: float) -> None:
        self._longest = max(self._longest, held)

    def taken(self) -> float:
        longest, self._longest = self._longest, 0.0
        return longest


@contextmanager
def held() -> Iterator[Holds]:
    """Times the callbacks of the bot."""
    holds, run = Holds(), asyncio.Handle._run

    def timed(handle: Any) -> None:
        if not handle._context.get(_OF_THE_BOT, False):
            run(handle)
            return
        began = thread_time()
        run(handle)
        holds.add(1000 * (thread_time() - began))

    asyncio.Handle._run = timed  # type: ignore[method-assign, assignment]
    try:
        yield holds
    finally:
        asyncio.Handle._run = run  # type: ignore[method-assign]


async def busy(title: Title, amounts: Amounts) -> Figures:
    """The longest hold while two people press at each of many tables."""
    game, watch = title.game, Watch()
    # One after the other: who begins a table looks for the newest one.
    beginning, is_over = asyncio.Lock(), asyncio.Event()
    all_begun = asyncio.Barrier(amounts.busy_tables + 1)
    async with running(title) as (standin, services):
        tables = services.tables

        async def people() -> None:
            for again in count():
                async with beginning:
                    at = await begun(game, standin, tables)
                if again == 0:
                    await all_begun.wait()
                await play_by_presses(
                    game, standin, tables, at, watch, lambda: not is_over.is_set(), amounts.think_s
                )
                if is_over.is_set():
                    return

        playing = [asyncio.create_task(people()) for _ in range(amounts.busy_tables)]
        await all_begun.wait()
        await asyncio.sleep(amounts.busy_warm_s)
        with held() as holds:
            await asyncio.sleep(amounts.busy_s)
            longest = holds.taken()
        is_over.set()
        await asyncio.gather(*playing)
    return {"busy_held_ms": longest}


HOSTILE = ("", "a", "1x" * 3000, "a " * 3000, "\u202e{a}" * 1500, "9" * 6000)
LOOKING = ("replay", "review", "log", "export", "report", "board", "status", "promises", "turn")
"""Commands that look at a table."""


async def typed(title: Title, amounts: Amounts) -> Figures:
    """The longest hold by anything that somebody types: hostile words wherever words are completed,
    files that break an import, and looks at a long game."""
    game, worst = title.game, 0.0
    chatty = [ComputerPlayer(random_policy(game.moves, CHATTY), blind=True)] * max(game.seats)
    long = encode(record(game, chatty, {}, Random(0), amounts.typed_actions))
    async with running(title) as (standin, services):
        person, tables = standin.person(HOST), services.tables
        table, _ = await begun(game, standin, tables)
        await play_on(game, tables, table.id, amounts.typed_actions // 4)

        async def after(act: Callable[[], Any]) -> float:
            gc.collect()
            gc.freeze()
            holds.taken()
            with suppress(NoAnswerError, CannotDoError):
                await act()
            async with asyncio.timeout(LOST_S):
                while await tables.outbox.items():  # noqa: ASYNC110
                    await asyncio.sleep(POLL_S)
            return holds.taken()

        with held() as holds:
            for act in _inputs(game, standin, person, table.id, long):
                worst = max(worst, await after(act))
    return {"typed_held_ms": worst}


def _inputs(
    game: AnyGame, standin: Standin, person: Person, table: int, long: bytes
) -> Iterator[Callable[[], Any]]:
    known = {"table": table, "game": game.name}
    for path, spec in innermost(standin.model):
        options = spec.get("options") or []
        for option in options:
            if option.get("autocomplete"):
                there = {
                    each["name"]: known[each["name"]] for each in options if each["name"] in known
                }
                for words in HOSTILE:
                    yield partial(
                        person.autocomplete,
                        *(CHANNEL, path),
                        focused=option["name"],
                        values={**there, option["name"]: words[: option.get("max_length", 6000)]},
                    )
    for data in (long, long[:-1], b"[" * MB, b'{"a":' * 200_000):
        yield partial(person.slash, CHANNEL, "table import", file=("game.json", data))
    for topic in ("raid", "the guild master pays a tax", "x"):
        yield partial(person.slash, CHANNEL, "rules", topic=topic, game=game.name)
    for command in LOOKING:
        yield partial(person.slash, CHANNEL, f"game {command}", table=table)
    for command in ("game mine", "stats", "leaderboard", "me show"):
        yield partial(person.slash, CHANNEL, command)


# The program itself


async def idle(_: Title, amounts: Amounts) -> Figures:
    """Resident memory of the program over the stand-in, once it has stopped changing. Nothing is in
    its database, which is not new: as after every start but the first."""
    with TemporaryDirectory() as folder:
        url = f"sqlite+aiosqlite:///{folder}/bench.db"
        async with open_store(url):
            pass
        async with Standin() as standin:
            ours = {
                "DISCORD_TOKEN": standin.token,
                "DISCORD_API": standin.url,
                "DATABASE_URL": url,
                "PYTHONPATH": os.pathsep.join([str(ROOT), *sys.path]),
            }
            process = await asyncio.create_subprocess_exec(
                *(sys.executable, "-m", "bot"),
                cwd=folder,
                env={**environment_without_settings(), **ours},
                stderr=asyncio.subprocess.DEVNULL,
            )
            try:
                await asyncio.wait_for(standin.bot_online(), 4 * LOST_S)
                before = 0.0
                while abs((now := _resident_mb(process.pid)) - before) >= 0.1:
                    before = now
                    await asyncio.sleep(amounts.settled_s)
            finally:
                process.terminate()
                await process.wait()
    return {"idle_mb": now}


def _resident_mb(pid: int) -> float:
    pages = int(Path(f"/proc/{pid}/statm").read_text(encoding="ascii").split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE") / MB


# Presses a turn: a robot asks the usual computer player what to do, and does it by what the private
# panel shows, with the fewest presses. Trade is left out: it is nobody's turn.

MOST_AHEAD = 6
"""Actions of one player, one after the other, that are thought of at once."""
MOST_TALK = 50
"""How often the player is asked again who wants to trade."""
MOST_PRESSES = 30
"""What takes more for one decision is never reached."""
FOLLOWS_S = 2.0
"""Seconds to wait for a panel to come below a new post."""


@dataclass
class Counted:
    """Presses by game, seat and round; the opening of the panel included."""

    turns: Counter[tuple[int, int, int]]
    reopened: int = 0
    """Presses on "Take your turn" after the first of a turn: the panel should have come back."""


async def turns(title: Title, amounts: Amounts) -> Figures:
    """Whole games, as the usual computer player would play them by presses."""
    found = await counted(title, amounts.game_seeds, amounts.turns)
    return {
        "turn_presses": median(found.turns.values()),
        "turn_presses_mean": mean(found.turns.values()),
        "reopening_presses": found.reopened,
    }


async def counted(title: Title, seeds: Sequence[int], most: int) -> Counted:
    """All presses of some games, which end after so many turns."""
    found = Counted(Counter())
    blank = io.BytesIO()
    Image.new("RGB", (4, 4)).save(blank, "PNG")
    quick = replace(
        title, draw=lambda *_, **__: blank.getvalue(), close_ups=None, part_asked=nowhere
    )
    for seed in seeds:
        async with running(quick, seed, live_pause=0.0) as (standin, services):
            await _count(title, standin, services, seed, found, most)
    return found


async def _count(
    title: Title, standin: Standin, services: Services, seed: int, found: Counted, most: int
) -> None:
    game, rng, reader = title.game, Random(seed), services.tables.reader
    table, board = await begun(game, standin, services.tables)
    place = standin.model.channels[board.channel_id]
    hands = [Hands(standin.person(player.name), place, table.id) for player in table.players]
    while len(found.turns) < most:
        asked = [each for each in await reader.pending(table.id) if not each.optional]
        if not asked:
            return
        seat, hand = asked[0].seat, hands[asked[0].seat]
        words = words_for(None)
        snapshot = await services.snapshot(table.id, seat, words, user=hand.person.id)
        # The game as far as the player knows it.
        state = game.imagine(snapshot.view, rng)
        turn, opened = (seed, seat, game.round(state)), hand.opened
        wanted = _wanted(title, state, asked[0], rng)
        count = await hand.take(services, snapshot, asked[0], wanted)
        found.reopened += hand.opened - opened if turn in found.turns else 0
        # Once a turn the panel is opened from the public post.
        found.turns[turn] += count + (turn not in found.turns)


def _wanted(title: Title, state: Any, decision: Decision, rng: Random) -> list[Action]:
    """What the player does next, and what they would do after that; none of it is trade."""
    game, seat, player = title.game, decision.seat, title.quick_players[title.usual]
    wanted: list[Action] = []
    while True:
        view, legal = game.view(state, seat), partial(game.legal, state, seat)
        for _ in range(MOST_TALK):
            action = player(view, decision, legal, rng)
            if not game.moves[action[0]].free:
                break
        wanted.append(action)
        game.apply(state, seat, action, RandomChance(rng))
        asked = [each for each in game.pending(state) if not each.optional]
        if not asked or asked[0].seat != seat or len(wanted) == MOST_AHEAD:
            return wanted
        decision = asked[0]


class Way(NamedTuple):
    """Something to be used in a panel: how near it leads, and how it is used."""

    near: float
    part: Json
    values: tuple[str, ...] = ()
    typed: str | None = None


class Hands:
    """One person at a table."""

    def __init__(self, person: Person, place: Channel, table: int) -> None:
        self.person = person
        self._place = place
        self._table = table
        self._has_opened = False
        self.opened = 0
        """How often the panel was opened to be asked in it; not where opening it is the answer."""

    async def take(
        self, services: Services, snapshot: Snapshot, decision: Decision, wanted: Sequence[Action]
    ) -> int:
        """Carries out the first of the actions, or more of them; returns with how many presses."""
        reader, count = services.tables.reader, 0
        move = services.rules(snapshot.table).moves[wanted[0][0]]
        if move.on_opening and snapshot.acted != decision.seat and not self._asking(decision):
            await self._open()
            while await reader.seq(self._table) == snapshot.seq:  # noqa: ASYNC110
                await asyncio.sleep(POLL_S)
            return count
        while count < MOST_PRESSES:
            panel = await self._panel(decision)
            found = list(_leading(snapshot, decision, wanted, panel))
            if not found:
                break
            # A panel that has moved below a new post cannot be used where it was.
            with suppress(CannotDoError):
                count += await self._use(panel, max(found, key=lambda each: each.near))
            if await reader.seq(self._table) > snapshot.seq:
                return count
        said = [part.get("custom_id") for part in panel.parts]
        raise AssertionError(f"{wanted} of {decision} is not to be reached by {said}")

    async def _panel(self, decision: Decision) -> Message:
        """The private panel that asks for the decision; opened where there is none."""
        panel = self._asking(decision)
        if panel is None and self._has_opened:
            # It follows the post that asks, as it would before a person could press anything.
            with suppress(TimeoutError):
                panel = await self.person.wait_for(
                    lambda: self._asking(decision), timeout=FOLLOWS_S
                )
        if panel is None:
            self.opened += 1
            await self._open()
            panel = await self.person.wait_for(lambda: self._asking(decision), timeout=LOST_S)
        assert panel is not None
        return panel

    def _asking(self, decision: Decision) -> Message | None:
        asked = f":{self._table}:{decision.id}:"
        for message in reversed(self.person.sees(self._place)):
            if message.is_ephemeral and any(asked in each for each in message.custom_ids()):
                return message
        return None

    async def _open(self) -> None:
        self._has_opened = True
        opening = CustomId("play", self._table).encoded()

        def boards() -> list[Message]:
            seen = self.person.sees(self._place)
            return [m for m in seen if not m.is_ephemeral and opening in m.custom_ids()]

        posts = await self.person.wait_for(boards, timeout=LOST_S)
        await self.person.press(posts[-1], custom_id=opening)

    async def _use(self, panel: Message, way: Way) -> int:
        """Presses, and waits for what comes of it; returns how many presses that was."""
        shown, custom_id, count = panel.components, way.part["custom_id"], 1
        if way.part["type"] == ComponentKind.BUTTON:
            answer = await self.person.press(panel, custom_id=custom_id)
        else:
            answer = await self.person.select(panel, custom_id, way.values)
        if way.typed is not None:
            (line,) = answer.modal["components"]
            await self.person.submit(answer, {line["component"]["custom_id"]: way.typed})
            count += 1
        there = self.person.sees
        await self.person.wait_for(
            lambda: panel not in there(self._place) or panel.components != shown, timeout=LOST_S
        )
        return count


def _leading(
    snapshot: Snapshot, decision: Decision, wanted: Sequence[Action], panel: Message
) -> Iterator[Way]:
    """What leads to the actions in what a panel shows."""
    for part in panel.parts:
        if part.get("disabled"):
            continue
        try:
            custom_id = parse(part.get("custom_id", ""))
        except Forged:
            continue
        words = custom_id.words
        if custom_id.decision != decision.id:
            continue
        if action_builder.is_packed(words):
            begun = action_builder.unpacked(snapshot, decision.seat, words[0])
            if begun is None:
                continue
            words = (*begun, *words[1:])
        yield from _ways(snapshot, custom_id._replace(words=words), wanted, part)


def _ways(
    snapshot: Snapshot, custom_id: CustomId, wanted: Sequence[Action], part: Json
) -> Iterator[Way]:
    """How one component leads to the first of the actions, or to more of them."""
    verb, words, every, first = custom_id.verb, custom_id.words, joined(*wanted), wanted[0]
    if verb in ("act", "do"):
        if words == every[: len(words)]:
            # Of two ways to the whole action, one asks no more.
            yield Way(len(words) + 0.5 * (verb == "do"), part)
        return
    if verb == "whole":
        for option in part["options"]:
            words = read(option["value"])
            if words == every[: len(words)]:
                yield Way(len(words), part, (option["value"],))
        return
    at = words[:-1] if verb in ("open", "amount") else words
    if at != first[: len(at)] or at == first:
        return
    word, near = first[len(at)], len(at)
    choices = snapshot.legal(snapshot.observer, at)
    match verb:
        case "pick":
            for option in part["options"]:
                value = str(option["value"])
                if value in (word, word or "-"):
                    yield Way(near + 1, part, (value,))
                elif value.startswith(OPEN):
                    focus = Focus(read_place(value.removeprefix(OPEN)))
                    if _holds(choices, focus, word):
                        yield Way(near + 0.1 + len(focus.place) / 10, part, (value,))
        case "open":
            focus = Focus(read_place(words[-1]), custom_id.page)
            if _holds(choices, focus, word):
                yield Way(near + 0.1 + len(focus.place) / 10, part)
        case "pieces" if isinstance(choices, Bundle) and word:
            counts = Counter(word).items()
            values = [f"{each}{number + 1}" for each, most in counts for number in range(most)]
            yield Way(near + 1, part, tuple(values))
        case "type" | "typeat":
            yield Way(near + 0.05, part, typed=word)


def _holds(choices: Any, focus: Focus, word: str) -> bool:
    """Whether a part of a domain shows the word, or leads to it."""
    if not isinstance(choices, OneOf):
        return False
    try:
        entries = level(choices, focus.place).page(focus.page)
    except Gone:
        return False
    return any(word == each if isinstance(each, str) else word in each.members for each in entries)


# The table


class Row(NamedTuple):
    """A figure of each game, and the one that is its floor, if any."""

    name: str
    label: str
    floor: str = ""
    more_is_better: bool = False


ROWS = (
    Row(
        "engine_actions_per_second",
        "random actions checked and carried out, a second",
        "catanatron_actions_per_second",
        more_is_better=True,
    ),
    Row(
        "replay_actions_per_second",
        "actions of a record carried out again, a second",
        "catanatron_replayed_per_second",
        more_is_better=True,
    ),
    Row("picture_ms", "a picture of the board, ms", "chess_picture_ms"),
    Row("picture_kib", "a picture of the board, KiB", "chess_picture_kib"),
    Row("press_p50_ms", "press to posted board, p50, ms", "bare_bot_p50_ms"),
    Row("press_p99_ms", "press to posted board, p99, ms", "bare_bot_p99_ms"),
    Row(
        "durable_actions_per_second",
        "durable actions at 32 tables, a second",
        "fsyncs_per_second",
        more_is_better=True,
    ),
    Row("busy_held_ms", "event loop held longest at 20 busy tables, ms"),
    Row("typed_held_ms", "event loop held longest by what is typed, ms"),
    Row("idle_mb", "memory of the idle bot, MB"),
    Row("table_kib", "memory of a table, KiB"),
    Row("turn_presses", "presses a turn, median"),
    Row("turn_presses_mean", "presses a turn, mean"),
    Row("reopening_presses", "presses that open the panel again"),
    Row("press_files", "files that a press runs through"),
    Row("press_functions", "functions that a press runs through"),
    Row("press_calls", "calls that a press makes"),
)
NAMES = [row.name for row in ROWS]


class Measure(NamedTuple):
    """What gives some of the rows; what is the same each time, or takes long, is taken once."""

    take: Callable[[Title, Amounts], Any]
    rows: Sequence[str]
    is_once: bool = False


MEASURES = (
    Measure(engine, NAMES[0:1]),
    Measure(replay, NAMES[1:2]),
    Measure(picture, NAMES[2:4]),
    Measure(presses, NAMES[4:6]),
    Measure(durable, NAMES[6:7]),
    Measure(busy, NAMES[7:8], is_once=True),
    Measure(typed, NAMES[8:9], is_once=True),
    Measure(idle, NAMES[9:10], is_once=True),
    Measure(table_memory, NAMES[10:11], is_once=True),
    Measure(turns, NAMES[11:14], is_once=True),
    Measure(code, NAMES[14:17], is_once=True),
)


def take(measure: Measure, game: str, amounts: Amounts) -> Figures:
    """A measurement of this checkout, in this process."""
    found = measure.take(TITLES[game], amounts)
    figures: Figures = asyncio.run(found) if inspect.iscoroutine(found) else found
    return figures


def take_in(tree: Path, measure: Measure, game: str) -> Figures:
    """A measurement of a checkout by its own bench. Raises CalledProcessError."""
    only = ["--only", ",".join(measure.rows), "--rounds", "1", "--json"]
    said = subprocess.run(
        [sys.executable, "-m", "tools.bench", game, *only],
        cwd=tree,
        env={**os.environ, "PYTHONPATH": str(tree)},
        stdout=subprocess.PIPE,
        check=True,
    ).stdout
    figures: Figures = json.loads(said)["figures"][game]
    return figures


def peers() -> None:
    """Prints how fast other programs are at what this one does. A Python that has them runs it."""
    import json
    import random
    from statistics import median
    from time import process_time

    import cairosvg  # type: ignore[import-not-found, unused-ignore]
    import catanatron  # type: ignore[import-not-found, unused-ignore]
    import chess.svg  # type: ignore[import-not-found, unused-ignore]

    colours = (getattr(catanatron.Color, each) for each in ("RED", "BLUE", "WHITE", "ORANGE"))
    seated = [catanatron.RandomPlayer(colour) for colour in colours]
    played, replayed, times, sizes = [], [], [], []
    for run in range(7):
        games = []
        random.seed(run)
        started = process_time()
        for number in range(8):
            game = catanatron.Game(seated, seed=1000 * run + number)
            fresh = game.copy()
            game.play()
            games.append((fresh, game.state.actions))
        actions = sum(len(done) for _, done in games)
        played.append(actions / (process_time() - started))
        started = process_time()
        for fresh, done in games:
            for action in done:
                # With what the dice showed it is none that could be chosen.
                fresh.execute(action, validate_action=False)
        replayed.append(actions / (process_time() - started))
        board = chess.Board()
        for _ in range(20):
            board.push(random.choice(list(board.legal_moves)))
        started = process_time()
        drawn = cairosvg.svg2png(chess.svg.board(board, size=1000).encode())
        times.append(1000 * (process_time() - started))
        sizes.append(len(drawn) / 1024)
    figures = {
        "catanatron_actions_per_second": median(played),
        "catanatron_replayed_per_second": median(replayed),
        "chess_picture_ms": median(times),
        "chess_picture_kib": median(sizes),
    }
    print(json.dumps(figures))


def take_peers(python: str) -> Figures:
    """The figures of `peers`. Raises OSError or CalledProcessError."""
    program = f"{inspect.getsource(peers)}\n\npeers()\n"
    command = [python, "-c", program]
    figures: Figures = json.loads(
        subprocess.run(command, stdout=subprocess.PIPE, check=True).stdout
    )
    return figures


@dataclass
class Results:
    """Figures by game and name: medians of the rounds."""

    machine: str
    figures: dict[str, dict[str, float]]
    peers: Figures
    against: dict[str, dict[str, float]] | None = None
    """Those of another checkout."""

    def floors(self, row: Row) -> dict[str, float]:
        """What each game's figure is compared with, as far as it is known."""
        floors = {}
        for game, figures in self.figures.items():
            floor = figures.get(row.floor, self.peers.get(row.floor))
            if floor is not None:
                floors[game] = floor
        return floors

    def table(self) -> str:
        """All of it, as Markdown."""
        heads = ["", "floor"]
        for game in self.figures:
            heads += [game, "÷ floor"]
            heads += ["before", "÷ before"] if self.against else []
        lines = [heads, ["---"] * len(heads)]
        for row in ROWS:
            if not any(row.name in figures for figures in self.figures.values()):
                continue
            floors = self.floors(row)
            line = [row.label, _written(median(floors.values()) if floors else None)]
            for game, figures in self.figures.items():
                new = figures[row.name]
                line += [_written(new), _ratio(new, floors.get(game))]
                if self.against:
                    old = self.against[game][row.name]
                    line += [_written(old), _ratio(new, old) + _is_worse(row, new, old) * " worse"]
            lines.append(line)
        return "".join(f"| {' | '.join(line)} |\n" for line in lines)


def _written(figure: float | None) -> str:
    if figure is None:
        return "–"
    return f"{figure:,.0f}" if figure >= 100 or figure == int(figure) else f"{figure:.3g}"


def _ratio(figure: float, floor: float | None) -> str:
    return f"{figure / floor:.2f}" if floor else "–"


def _is_worse(row: Row, new: float, old: float) -> bool:
    return new * WORSE < old if row.more_is_better else new > old * WORSE


def results(args: argparse.Namespace, amounts: Amounts) -> Results:
    """Measures what is asked for, a round after the other; two checkouts in turns."""
    wanted = [each for each in MEASURES if set(each.rows) & set(args.only)]
    values: list[dict[str, dict[str, list[float]]]] = [{game: {} for game in args.games}]
    takes: list[Callable[[Measure, str], Figures]] = [partial(take, amounts=amounts)]
    if args.against is not None:
        values.append({game: {} for game in args.games})
        takes = [partial(take_in, tree) for tree in (ROOT, args.against.resolve())]
    others = take_peers(args.peers) if args.peers else {}
    for number in range(args.rounds):
        for game in args.games:
            for measure in wanted:
                if number and measure.is_once:
                    continue
                if args.against is None:
                    sys.stderr.write(f"{game}: {', '.join(measure.rows)}\n")
                for found, taken in zip(values, takes, strict=True):
                    for name, figure in taken(measure, game).items():
                        found[game].setdefault(name, []).append(figure)
    medians = [
        {
            game: {name: median(found) for name, found in figures.items()}
            for game, figures in each.items()
        }
        for each in values
    ]
    python = platform.python_version()
    machine = f"{os.cpu_count()} cores, {platform.system()}, Python {python}"
    return Results(machine, medians[0], others, *medians[1:])


def rows_named(text: str) -> list[str]:
    """Names of rows, from a list with commas."""
    names = text.split(",")
    for name in names:
        if name not in NAMES:
            raise argparse.ArgumentTypeError(f"no row {name!r}; there is {', '.join(NAMES)}")
    return names


def main(words: Sequence[str] | None = None, amounts: Amounts | None = None) -> None:
    """Measures, and prints the table."""
    parser = argparse.ArgumentParser(prog="python -m tools.bench", description=__doc__)
    parser.add_argument("games", nargs="*", metavar="GAME", help="which games (all of them)")
    parser.add_argument(
        *("--only", "-o"),
        type=rows_named,
        default=NAMES,
        metavar="ROW,ROW",
        help=f"measure only some of {', '.join(NAMES)}, with what comes with them",
    )
    parser.add_argument("--rounds", type=int, default=3, metavar="N", help="how many (3)")
    parser.add_argument("--json", action="store_true", help="print JSON instead of a table")
    parser.add_argument(
        "--against",
        type=Path,
        metavar="TREE",
        help="measure another checkout of this project in turns with this one",
    )
    parser.add_argument(
        "--peers",
        metavar="PYTHON",
        help="a Python that has catanatron, chess and cairosvg, for the floors that these are",
    )
    args = parser.parse_args(words)
    args.games = args.games or list(TITLES)
    if unknown := [game for game in args.games if game not in TITLES]:
        parser.error(f"no game {unknown[0]!r}; there is {', '.join(TITLES)}")
    found = results(args, amounts or Amounts())
    sys.stdout.write(json.dumps(asdict(found)) + "\n" if args.json else found.table())


if __name__ == "__main__":
    main()
