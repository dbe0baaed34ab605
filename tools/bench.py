"""Measure the delays that users notice, and print one table.

Most figures are medians of several rounds. Some have a floor, such as another program or the
simplest bot. It is measured in the same run, and the table has the ratio to it.
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
from collections import Counter, defaultdict
from collections.abc import AsyncIterator, Callable, Iterator, Mapping, Sequence
from contextlib import AsyncExitStack, asynccontextmanager, contextmanager, suppress
from contextvars import ContextVar
from functools import partial
from itertools import product
from math import inf
from pathlib import Path
from random import Random
from statistics import mean, median, quantiles
from tempfile import TemporaryDirectory
from time import monotonic, perf_counter, process_time, thread_time
from typing import Any, NamedTuple

import discord

from bot.app import LIVE_PAUSE, freeze_garbage, open_services
from bot.cogs.ui.custom_id import CustomId, decode_words, parse
from bot.cogs.ui.services import Services
from bot.game.chance import RandomChance
from bot.game.contract import SPECTATOR, Action, Decision, joined
from bot.game.game import AnyGame
from bot.host.gateway import point_discord_at
from bot.local.changes import Change, MessageCreated
from bot.local.interactions import Interaction, InteractionKind
from bot.local.model import Channel, ComponentKind, Message
from bot.local.options import CannotDoError
from bot.local.person import Answer, NoAnswerError, Person
from bot.local.standin import Standin
from bot.policy.random import random_policy
from bot.tables import Table, Tables
from bot.tables.core.cache import TableCache
from bot.tables.core.record import Record, encode, fold
from bot.titles import TITLES
from bot.titles.title import Title, Titles
from bot.tools.playing import ComputerPlayer, play, players, record
from tools.connected import connected, offer_only

ROOT = Path(__file__).parents[1]
BOT, STANDIN = str(ROOT / "bot") + os.sep, str(ROOT / "bot" / "local") + os.sep
CHANNEL, HOST, GUEST = "the-harbour", "Anna", "Bert"
AS_IN_IMAGE = {"MALLOC_ARENA_MAX": "1"}
POLL_S, LOST_S = 0.005, 30.0  # Poll interval, timeout.
FOLLOWS_S = 2.0  # Time in which a panel moves below a new post.
MAX_AHEAD = 6  # Actions that a player plans ahead.
HOSTILE = ("", "a", "1x" * 50, "a " * 50, "\u202e{a}" * 25, "9" * 100)
LOOKS = ("replay", "review", "log", "export", "report", "board")
WORSE = 1.15  # The table marks a larger ratio to another checkout.
DURABLE = "durable_actions_per_second"
FLOOR = "_floor"  # Suffix of the figure that is a row's floor.

Figures = Mapping[str, float]


class Amounts(NamedTuple):
    """The amount of work in one round."""

    games: int = 100  # of random actions
    entries: int = 501  # of the record that is replayed
    pictures_apart: int = 3  # actions from one picture to the next
    warm_presses: int = 20  # before the timed ones; their code is counted
    presses: int = 60  # that bring a board
    breath_s: float = 0.03  # after each press, so that background work can finish
    tables: int = 32
    actions: int = 40  # at each of these tables
    busy_tables: int = 20
    busy_warm_s: float = 10.0
    busy_s: float = 30.0
    think_s: float = 2.0  # after each press at a busy table: ten presses a second in total
    settled_s: float = 10.0  # after which an idle bot's memory is stable
    seeds: tuple[int, ...] = (1, 2)  # of the games whose presses are counted
    turns: int = 1000  # limit over all those games


async def engine(title: Title, amounts: Amounts) -> Figures:
    """Play random games at a full table: choose each action word by word, check it, apply it."""
    game, actions, started = title.game, 0, process_time()
    seated = [ComputerPlayer(random_policy(game.moves), blind=True)] * max(game.seats)
    for seed in range(amounts.games):
        # Without the set-up.
        actions += sum(1 for _ in play(game, seated, {}, Random(seed))) - 1
    return {"engine_actions_per_second": actions / (process_time() - started)}


def long_record(game: AnyGame, seed: int, entries: int) -> Record:
    """Record a random game with many trades, which makes it long."""
    chatty = ComputerPlayer(random_policy(game.moves, free_moves=0.75), blind=True)
    return record(game, [chatty] * max(game.seats), {}, Random(seed), entries)


async def replay(title: Title, amounts: Amounts) -> Figures:
    """Replay long records: check each action, take each draw from the record."""
    records = [long_record(title.game, seed, amounts.entries) for seed in range(3)]
    started = process_time()
    actions = sum(sum(1 for _ in fold(title.game, each)) - 1 for each in records)
    return {"replay_actions_per_second": actions / (process_time() - started)}


async def picture(title: Title, amounts: Amounts) -> Figures:
    """Draw the boards of a whole game at a full table, with warm caches."""
    game, seats, times, sizes = title.game, max(title.game.seats), [], []
    names = tuple(f"Player {seat + 1}" for seat in range(seats))
    seated = players(title, [title.default_level], seats)
    for number, step in enumerate(play(game, seated, {}, Random(1))):
        if number % amounts.pictures_apart == 0:
            view, started = game.view(step.state, SPECTATOR), process_time()
            drawn = title.pictures.draw(view, names, step.events)
            times.append(1000 * (process_time() - started))
            sizes.append(len(drawn) / 1024)
    return {"picture_ms": median(times), "picture_kib": median(sizes)}


@asynccontextmanager
async def opened(title: Title, seed: int = 0) -> AsyncIterator[Services]:
    """Open everything below Discord, with only this title, on a new SQLite file."""
    rng, new_key = Random(seed), partial(Random(seed).randbytes, 32)
    with TemporaryDirectory() as folder:
        url, titles = f"sqlite:///{folder}/bench.db", Titles([title])
        async with open_services(url, titles=titles, rng=rng, new_key=new_key) as services:
            yield services


async def new_table(game: AnyGame, tables: Tables, number: int) -> int:
    """Start a game at a full table of people."""
    first = 1000 * number
    table = await tables.lobby.open(game.name, first, "Player 1", None, number)
    for place in range(1, max(game.seats)):
        await tables.lobby.join(table.id, first + place, f"Player {place + 1}")
    await tables.lobby.start(table.id, first)
    return table.id


async def random_answer(on: Tables, game: AnyGame, table: int, to: Decision, rng: Random) -> Action:
    """Choose a random action, never a trade."""
    # From the state, as making a view would be measured too.
    loaded = await on._unit_of_work.cache.read(table)
    legal = partial(game.legal, loaded.position().state, to.seat)
    return random_policy(game.moves, free_moves=0)(None, to, legal, rng)


async def play_on(game: AnyGame, tables: Tables, table: int, limit: int) -> int:
    """Take random actions, at most that many; return how many there were."""
    rng = Random(table)
    for taken in range(limit):
        if not (pending := await tables.reader.pending(table)):
            return taken
        action = await random_answer(tables, game, table, pending[0], rng)
        await tables.play.act(table, pending[0].seat, action)
    return limit


async def durable(title: Title, amounts: Amounts) -> Figures:
    """Act at many tables in parallel; each action is on disk before the table's next one."""
    async with opened(title) as services:
        game, tables = title.game, services.tables
        ids = [await new_table(game, tables, number + 1) for number in range(amounts.tables)]
        started = perf_counter()
        playing = (play_on(game, tables, table, amounts.actions) for table in ids)
        rate = sum(await asyncio.gather(*playing)) / (perf_counter() - started)
    return {DURABLE: rate, DURABLE + FLOOR: fsyncs(300)}


def fsyncs(limit: int) -> float:
    """Count small writes per second, each on disk before the next."""
    with TemporaryDirectory() as folder, open(f"{folder}/small", "wb", buffering=0) as file:
        started = perf_counter()
        for _ in range(limit):
            file.write(bytes(100))
            os.fsync(file.fileno())
        return limit / (perf_counter() - started)


async def table_memory(title: Title, amounts: Amounts) -> Figures:
    """Measure the memory of a table in play, with its last events and an empty outbox."""
    async with opened(title) as services:
        for number in range(amounts.tables + 1):
            table = await new_table(title.game, services.tables, number + 1)
            await play_on(title.game, services.tables, table, amounts.actions)
            outbox = services.tables.outbox
            await outbox.acknowledge(await outbox.items())
            if number == 0:
                # The data that all tables share is loaded now.
                gc.collect()
                tracemalloc.start()
        gc.collect()
        used, _ = tracemalloc.get_traced_memory()
        tracemalloc.stop()
    return {"table_kib": used / amounts.tables / 1024}


# True in callbacks that the bot started, directly or not.
STARTED_BY_BOT: ContextVar[bool] = ContextVar("of_the_bot", default=False)


class Running(NamedTuple):
    """The bot and the stand-in for Discord, in one event loop, so times include the stand-in."""

    game: AnyGame
    standin: Standin
    tables: Tables


@asynccontextmanager
async def running(title: Title, seed: int = 0) -> AsyncIterator[Running]:
    async with Standin() as standin, AsyncExitStack() as stack:
        token = STARTED_BY_BOT.set(True)
        services = await stack.enter_async_context(opened(title, seed))
        await stack.enter_async_context(connected(standin, services, live_pause=LIVE_PAUSE))
        STARTED_BY_BOT.reset(token)
        yield Running(title.game, standin, services.tables)


@asynccontextmanager
async def running_bare(title: Title) -> AsyncIterator[Standin]:
    """Run the simplest bot, which answers a press by posting a finished picture."""
    state = title.game.setup(2, {}, RandomChance(Random(1)))
    png = title.pictures.draw(title.game.view(state, SPECTATOR), (HOST, GUEST), ())
    async with Standin() as standin:
        bot = discord.Client(intents=discord.Intents.none())

        @bot.event
        async def on_interaction(interaction: discord.Interaction) -> None:
            file = discord.File(io.BytesIO(png), "board.png")
            await interaction.response.send_message("Your turn", file=file)

        with point_discord_at(standin.url):
            working = asyncio.create_task(bot.start(standin.token))
            await standin.gateway.online.wait()
            await bot.wait_until_ready()
            yield standin
            await bot.close()
            await asyncio.gather(working, return_exceptions=True)


READ = TableCache.read.__qualname__


class Watch:
    """Times up to `limit` presses that bring a board.

    During the first `warm` ones it also counts the code that the bot runs in the main thread, which
    makes them slower.
    """

    def __init__(self, warm: int, limit: float) -> None:
        self.warm, self.limit = warm, limit
        self.seen: list[tuple[float, ...]] = []  # ms, files, functions, calls, reads of the table
        self._pressed_at: float | None = None

    def pressed(self) -> None:
        """Start the clock, even if the last press brought no board."""
        self._calls: Counter[Any] = Counter()
        self._pressed_at = perf_counter()
        if len(self.seen) < self.warm:
            sys.setprofile(self._note)

    def posted(self) -> None:
        """Stop the clock. A second board from the same press doesn't count."""
        sys.setprofile(None)
        if self._pressed_at is not None:
            ms, self._pressed_at = 1000 * (perf_counter() - self._pressed_at), None
            files = {code.co_filename for code in self._calls}
            reads = sum(n for code, n in self._calls.items() if code.co_qualname == READ)
            self.seen.append((ms, len(files), len(self._calls), self._calls.total(), reads))

    def _note(self, frame: Any, event: str, _: object) -> None:
        # The stand-in and this module run in that thread too.
        if event == "call" and STARTED_BY_BOT.get():
            path = frame.f_code.co_filename
            if path.startswith(BOT) and not path.startswith(STANDIN):
                self._calls[frame.f_code] += 1


@contextmanager
def watching(standin: Standin, channel: int, watch: Watch) -> Iterator[asyncio.Event]:
    """Report each board in a channel to the watch, and set the event."""
    posted = asyncio.Event()

    def on_change(change: Change) -> None:
        if isinstance(change, MessageCreated):
            message = change.message
            if message.channel_id == channel and message.attachments and not message.is_ephemeral:
                watch.posted()
                posted.set()

    close = standin.model.subscribe(on_change)
    yield posted
    close()


def press(person: Person, place: Channel, source: Message, custom_id: str) -> Interaction:
    data = {"component_type": ComponentKind.BUTTON, "custom_id": custom_id}
    return person.fire(InteractionKind.COMPONENT, place, data, source=source)


async def start_game(on: Running) -> tuple[Table, Message]:
    """Start a game of two people; return the table and its first board."""
    place, host = on.standin.channel(CHANNEL), on.standin.person(HOST)
    await host.slash(place, "game new", game=on.game.name)
    table = max(table.id for table, _ in await on.tables.reader.seats_of(host.id))
    await on.standin.person(GUEST).slash(place, "game join", table=table)
    await host.slash(place, "game start", table=table)
    opening = CustomId("play", table).encoded()

    def boards() -> list[Message]:
        threads = on.standin.model.threads_of(place.id)
        seen = [each for thread in threads for each in host.sees(thread)]
        return [each for each in seen if each.attachments and opening in each.custom_ids()]

    return await on.tables.reader.get(table), (await host.wait_for(boards, timeout=LOST_S))[0]


async def press_on(on: Running, at: tuple[Table, Message], watch: Watch, pause_s: float) -> None:
    """Press random buttons until the game is over or the watch has reached its limit."""
    (table, board), reader = at, on.tables.reader
    place, rng = on.standin.model.channels[board.channel_id], Random(table.id)
    people = [on.standin.person(player.name) for player in table.players]
    panels: list[Any] = []
    for person in people:
        opening = press(person, place, board, CustomId("play", table.id).encoded())
        panels.append(Answer(opening, await opening.outcome).message)
    with watching(on.standin, place.id, watch) as posted:
        while len(watch.seen) < watch.limit and (pending := await reader.pending(table.id)):
            seat, seq = pending[0].seat, await reader.seq(table.id)
            action = await random_answer(on.tables, on.game, table.id, pending[0], rng)
            custom_id = CustomId("do", table.id, pending[0].id, action).encoded()
            offer_only(panels[seat], custom_id)
            posted.clear()
            watch.pressed()
            await press(people[seat], place, panels[seat], custom_id).outcome
            async with asyncio.timeout(LOST_S):
                while await reader.seq(table.id) == seq:  # noqa: ASYNC110
                    await asyncio.sleep(POLL_S)
                after = await reader.pending(table.id)
                seats = {each.seat for each in after if not each.optional}
                if not after or seats - {each.seat for each in pending if not each.optional}:
                    # The turn has passed or the game is over, so the board is posted.
                    await posted.wait()
            await asyncio.sleep(pause_s)


async def presses(title: Title, amounts: Amounts) -> Figures:
    """Time presses until the board is posted, by this bot and the simplest one, and count code."""
    warm, limit = amounts.warm_presses, amounts.warm_presses + amounts.presses
    ours, bare = Watch(warm, limit), Watch(warm, limit)
    async with running(title) as on:
        while len(ours.seen) < limit:
            await press_on(on, await start_game(on), ours, amounts.breath_s)
    async with running_bare(title) as standin:
        person, place = standin.person(HOST), standin.channel(CHANNEL)
        source = person.say(place, "Press!")
        with watching(standin, place.id, bare) as posted:
            while len(bare.seen) < limit:
                posted.clear()
                bare.pressed()
                await press(person, place, source, "post").outcome
                await asyncio.wait_for(posted.wait(), LOST_S)
                await asyncio.sleep(amounts.breath_s)
    figures: dict[str, float] = {}
    for watch, floor in ((ours, ""), (bare, FLOOR)):
        times = [seen[0] for seen in watch.seen[warm:]]
        figures[f"press_p50_ms{floor}"] = median(times)
        figures[f"press_p99_ms{floor}"] = quantiles(times, n=100, method="inclusive")[-1]
    for at, what in enumerate(("files", "functions", "calls", "reads"), 1):
        figures[f"press_{what}"] = median(seen[at] for seen in ours.seen[:warm])
    return figures


@contextmanager
def blocked() -> Iterator[list[float]]:
    """Record how long each callback of the bot blocks the event loop, in ms of CPU time.

    The stand-in and other programs do not count.
    """
    holds: list[float] = []
    run = asyncio.Handle._run

    def timed(handle: Any) -> None:
        start = thread_time()
        run(handle)
        if handle._context.get(STARTED_BY_BOT, False):
            holds.append(1000 * (thread_time() - start))

    asyncio.Handle._run = timed  # type: ignore[method-assign, assignment]
    yield holds
    asyncio.Handle._run = run  # type: ignore[method-assign]


async def busy(title: Title, amounts: Amounts) -> Figures:
    """Find the longest block of the event loop while two people play at each of many tables."""
    watch = Watch(0, inf)
    async with running(title) as on:
        at = [await start_game(on) for _ in range(amounts.busy_tables)]
        playing = asyncio.gather(*(press_on(on, each, watch, amounts.think_s) for each in at))
        await asyncio.sleep(amounts.busy_warm_s)
        with blocked() as holds:
            await asyncio.sleep(amounts.busy_s)
        watch.limit = 0
        await playing
    return {"busy_held_ms": max(holds)}


async def typed(title: Title, amounts: Amounts) -> Figures:
    """Find the longest block of the event loop due to hostile and large input.

    It covers autocomplete, imports of a long game and of broken files, and commands on a long game.
    """
    async with running(title) as on:
        table, _ = await start_game(on)
        await play_on(on.game, on.tables, table.id, amounts.entries // 4)
        long, person = encode(long_record(on.game, 0, amounts.entries)), on.standin.person(HOST)
        complete = partial(person.autocomplete, CHANNEL, "rules", focused="topic")
        ask = partial(person.slash, CHANNEL)
        acts: list[Callable[[], Any]] = [partial(complete, topic=words) for words in HOSTILE]
        files = (long, long[:-1], b"[" * 1_000_000, b'{"a":' * 200_000)
        acts += [partial(ask, "table import", file=("game.json", data)) for data in files]
        acts += [partial(ask, f"game {look}", table=table.id) for look in LOOKS]
        with blocked() as holds:
            for act in acts:
                with suppress(NoAnswerError, CannotDoError):
                    await act()
            await asyncio.sleep(amounts.breath_s)
    return {"typed_held_ms": max(holds)}


async def idle(title: Title, amounts: Amounts) -> Figures:
    """Measure the memory of the program some time after a start on an existing database."""
    with TemporaryDirectory() as folder:
        url = f"sqlite:///{folder}/bench.db"
        async with open_services(url):
            pass
        async with Standin() as standin:
            settings = {"DISCORD_TOKEN": standin.token, "DISCORD_API": standin.url}
            process = await asyncio.create_subprocess_exec(
                *(sys.executable, "-m", "bot"),
                cwd=folder,
                env={**settings, "DATABASE_URL": url, "PYTHONPATH": str(ROOT), **AS_IN_IMAGE},
                stderr=asyncio.subprocess.DEVNULL,
            )
            try:
                await asyncio.wait_for(standin.gateway.online.wait(), 4 * LOST_S)
                await asyncio.sleep(amounts.settled_s)
                statm = await asyncio.to_thread(Path(f"/proc/{process.pid}/statm").read_text)
            finally:
                process.terminate()
                await process.wait()
    return {"idle_mb": int(statm.split()[1]) * os.sysconf("SC_PAGE_SIZE") / 1_000_000}


async def turns(title: Title, amounts: Amounts) -> Figures:
    """Count the presses that a player needs in one round, and those that reopen the panel.

    The panel should come back without them. A robot plays the usual computer player's moves in the
    panel with the fewest presses. It never trades.
    """
    game, presses, reopened = title.game, Counter[tuple[int, int, int]](), 0
    for seed in amounts.seeds:
        async with running(title, seed) as on:
            (table, board), rng, reader = await start_game(on), Random(seed), on.tables.reader
            robots = [Robot(on.standin, player.name, board, table.id) for player in table.players]
            while len(presses) < amounts.turns and (pending := await reader.pending(table.id)):
                decision = next(each for each in pending if not each.optional)
                robot, seq = robots[decision.seat], await reader.seq(table.id)
                # The game as far as the player knows it.
                state = game.determinize((await reader.seen(table.id, decision.seat)).view, rng)
                turn = seed, decision.seat, game.round(state)
                words = choose_actions(title, state, decision, rng)
                # A turn starts by opening the panel; then the panel follows the posts.
                opens_at = monotonic() + FOLLOWS_S if turn in presses else 0
                while await reader.seq(table.id) == seq:
                    if panel := robot.asked(decision):
                        # The panel may just have moved below a new post.
                        with suppress(CannotDoError):
                            await robot.answer(panel, decision, words)
                            presses[turn] += 1
                    elif monotonic() < opens_at:
                        await asyncio.sleep(POLL_S)
                    else:
                        await robot.open()
                        reopened += presses[turn] > 0
                        presses[turn] += 1
                        opens_at = monotonic() + FOLLOWS_S
    each = presses.values()
    figures = {"turn_presses": median(each), "turn_presses_mean": mean(each)}
    return {**figures, "reopening_presses": reopened}


def choose_actions(title: Title, state: Any, decision: Decision, rng: Random) -> Action:
    """Choose the player's actions until another player has to act."""
    game, seat, player = title.game, decision.seat, title.quick_players[title.default_level]
    actions: list[Action] = []
    while len(actions) < MAX_AHEAD:
        view, legal = game.view(state, seat), partial(game.legal, state, seat)
        for _ in range(50):  # Until the action is not a trade.
            action = player(view, decision, legal, rng)
            if not game.moves[action[0]].free:
                break
        actions.append(action)
        game.apply(state, seat, action, RandomChance(rng))
        pending = [each for each in game.pending(state) if not each.optional]
        if not pending or pending[0].seat != seat:
            break
        decision = pending[0]
    return joined(*actions)


class Robot:
    """Presses buttons for one person at a table."""

    def __init__(self, standin: Standin, name: str, board: Message, table: int) -> None:
        self.person, self.table = standin.person(name), table
        self.place = standin.model.channels[board.channel_id]

    def asked(self, decision: Decision) -> Message | None:
        """Find the private panel that asks for the decision."""
        asking = f":{self.table}:{decision.id}:"
        for message in reversed(self.person.sees(self.place)):
            if message.is_ephemeral and any(asking in each for each in message.custom_ids()):
                return message
        return None

    async def open(self) -> None:
        """Press the button of the newest post."""
        opening, sees = CustomId("play", self.table).encoded(), self.person.sees
        posts = await self.person.wait_for(
            lambda: [each for each in sees(self.place) if opening in each.custom_ids()]
        )
        await self.person.press(posts[-1], custom_id=opening)

    async def answer(self, panel: Message, decision: Decision, words: Action) -> None:
        """Press the button or option that covers most of the words."""
        ways: list[tuple[Action, bool, str, list[str]]] = []
        for part in panel.parts:
            custom_id = part.get("custom_id", "")
            if part.get("disabled") or f":{self.table}:{decision.id}:" not in custom_id:
                continue
            found = parse(custom_id)
            if found.verb in ("act", "do"):
                ways.append((found.words, found.verb == "do", custom_id, []))
            for option in part["options"] if found.verb == "whole" else ():
                ways.append((decode_words(option["value"]), False, custom_id, [option["value"]]))
        ways = [way for way in ways if way[0] == words[: len(way[0])]]
        assert ways, f"{words} of {decision} is not to be reached by {panel.custom_ids()}"
        # Prefer the button that needs no confirmation.
        _, _, custom_id, values = max(ways, key=lambda way: (len(way[0]), way[1]))
        shown, sees, place = panel.components, self.person.sees, self.place
        if values:
            await self.person.select(panel, custom_id, values)
        else:
            await self.person.press(panel, custom_id=custom_id)
        await self.person.wait_for(lambda: panel not in sees(place) or panel.components != shown)


MEASURES: Mapping[Callable[[Title, Amounts], Any], Sequence[str]] = {
    engine: ["engine_actions_per_second"],
    replay: ["replay_actions_per_second"],
    picture: ["picture_ms", "picture_kib"],
    presses: [
        *("press_p50_ms", "press_p99_ms"),
        *("press_files", "press_functions", "press_calls", "press_reads"),
    ],
    durable: [DURABLE],
    busy: ["busy_held_ms"],
    typed: ["typed_held_ms"],
    idle: ["idle_mb"],
    table_memory: ["table_kib"],
    turns: ["turn_presses", "turn_presses_mean", "reopening_presses"],
}
ONCE = (busy, typed, idle, table_memory, turns)  # Slow or deterministic.
ROWS = [row for rows in MEASURES.values() for row in rows]


def peers() -> None:
    """Print the floors set by other programs. Runs in a Python that has them installed."""
    import json
    import random
    from time import process_time

    import cairosvg  # type: ignore[import-not-found, unused-ignore]
    import catanatron  # type: ignore[import-not-found, unused-ignore]
    import chess.svg  # type: ignore[import-not-found, unused-ignore]

    seated = [catanatron.RandomPlayer(colour) for colour in catanatron.Color]
    random.seed(1)
    games = [catanatron.Game(seated, seed=number) for number in range(50)]
    fresh = [game.copy() for game in games]
    began = process_time()
    for game in games:
        game.play()
    played = process_time()
    for game, done in zip(fresh, games, strict=True):
        for action in done.state.actions:
            # With the result of the dice it is not a legal choice.
            game.execute(action, validate_action=False)
    replayed = process_time()
    board, pngs = chess.Board(), []
    for _ in range(20):
        board.push(random.choice(list(board.legal_moves)))
        pngs.append(cairosvg.svg2png(chess.svg.board(board, size=1000).encode()))
    drawn = process_time()
    actions = sum(len(game.state.actions) for game in games)
    floors = {
        "engine_actions_per_second_floor": actions / (played - began),
        "replay_actions_per_second_floor": actions / (replayed - played),
        "picture_ms_floor": 1000 * (drawn - replayed) / len(pngs),
        "picture_kib_floor": sum(map(len, pngs)) / len(pngs) / 1024,
    }
    print(json.dumps(floors))


def take_in(tree: Path, game: str, rows: Sequence[str]) -> Any:
    """Run the bench of another checkout. Raise CalledProcessError."""
    command = [sys.executable, "-m", "tools.bench", game, "--json", "--rounds", "1", "--only"]
    env = {**os.environ, "PYTHONPATH": str(tree)}
    output = subprocess.check_output([*command, ",".join(rows)], cwd=tree, env=env)
    return json.loads(output)["figures"][game]


def measured(args: argparse.Namespace, amounts: Amounts) -> dict[str, Any]:
    """Return the medians of this checkout and another one, by game and row, and the floors."""
    others: Figures = {}
    if args.peers is not None:
        program = f"{inspect.getsource(peers)}\npeers()"
        others = json.loads(subprocess.check_output([args.peers, "-c", program]))
    trees = [] if args.against is None else [ROOT, args.against.resolve()]
    found = [{game: defaultdict[str, Any](list) for game in args.games} for _ in trees or [ROOT]]
    for number, game in product(range(args.rounds), args.games):
        for measure, rows in MEASURES.items():
            if not set(rows) & set(args.only) or (number and measure in ONCE):
                continue
            if trees:
                taken = [take_in(tree, game, rows) for tree in trees]
            else:
                sys.stderr.write(f"{game}: {', '.join(rows)}\n")
                # As the program does after its start.
                freeze_garbage()
                taken = [asyncio.run(measure(TITLES[game], amounts))]
            for figures, games in zip(taken, found, strict=True):
                for name, figure in figures.items():
                    games[game][name].append(figure)
    for figures in (figures for games in found for figures in games.values()):
        figures.update({name: median(values) for name, values in figures.items()})
    machine = f"{os.cpu_count()} cores, {platform.system()}, Python {platform.python_version()}"
    ours, against = [*found, None][:2]
    return {"machine": machine, "peers": others, "figures": ours, "against": against}


def table(found: Mapping[str, Any]) -> str:
    """Return the figures as a Markdown table; mark those more than 15% worse than before."""
    games, against = found["figures"], found["against"]
    heads = ["", "floor"]
    for game in games:
        heads += [game, "÷ floor", *(("before", "÷ before") if against else ())]
    lines = [heads, ["---"] * len(heads)]
    for row in (row for row in ROWS if row in next(iter(games.values()))):
        named = row + FLOOR
        floors = [figures[named] for figures in games.values() if named in figures]
        floor = found["peers"].get(named) or (median(floors) if floors else None)
        line = [row, written(floor) if floor else "–"]
        for game in games:
            new = games[game][row]
            line += [written(new), f"{new / floor:.2f}" if floor else "–"]
            if against:
                old = against[game][row]
                change = new / old if old else 1.0
                is_worse = 1 / change > WORSE if row.endswith("per_second") else change > WORSE
                line += [written(old), f"{change:.2f}{' worse' * is_worse}"]
        lines.append(line)
    return "".join(f"| {' | '.join(line)} |\n" for line in lines)


def written(figure: float) -> str:
    return f"{figure:,.0f}" if figure >= 100 or figure == int(figure) else f"{figure:.3g}"


def known_names(names: Sequence[str], text: str) -> list[str]:
    """Split a list with commas. Raise ArgumentTypeError for an unknown name."""
    if unknown := set(text.split(",")) - set(names):
        raise argparse.ArgumentTypeError(f"there is no {min(unknown)}, but {', '.join(names)}")
    return text.split(",")


def main(words: Sequence[str] | None = None, amounts: Amounts | None = None) -> None:
    """Measure, and print the table."""
    parser = argparse.ArgumentParser(prog="python -m tools.bench", description=__doc__)
    add, titles = parser.add_argument, list(TITLES)
    add("games", nargs="?", type=partial(known_names, titles), default=titles, metavar="GAME,GAME")
    add(
        "--only",
        type=partial(known_names, ROWS),
        default=ROWS,
        metavar="ROW,ROW",
        help=", ".join(ROWS),
    )
    add("--rounds", type=int, default=3, metavar="N", help="3; slow rows are measured once")
    add("--json", action="store_true", help="print JSON instead of a table")
    add("--against", type=Path, metavar="TREE", help="measure another checkout too, in turns")
    add("--peers", metavar="PYTHON", help="has catanatron, chess, cairosvg: adds floors")
    args = parser.parse_args(words)
    found = measured(args, amounts or Amounts())
    sys.stdout.write(json.dumps(found) + "\n" if args.json else table(found))


if __name__ == "__main__":
    main()
