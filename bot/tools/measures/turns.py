"""How long people wait: from a press to the board in the thread, by the real bot over the wire.

The stand-in and the bot share one process and one event loop, as they do under
`python -m bot play`; what is measured includes the stand-in's own work.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping, Sequence
from contextlib import asynccontextmanager
from functools import partial
from pathlib import Path
from random import Random
from statistics import median, quantiles
from tempfile import TemporaryDirectory
from time import perf_counter
from typing import TypeVar

from bot.app import LIVE_PAUSE, open_services
from bot.cogs.ui.custom_id import CustomId
from bot.cogs.ui.services import Services
from bot.game.contract import AnyGame, Decision
from bot.hosting import freeze_garbage
from bot.local.changes import Change, MessageCreated
from bot.local.interactions import InteractionKind
from bot.local.model import Channel, ComponentKind, Json, Message
from bot.local.person import Answer, Person
from bot.local.standin import Standin
from bot.tables import Table, Tables
from bot.thinking import Thinkers
from bot.tools.connected import connected, offer_only
from bot.tools.measures.tables import random_answer

CHANNEL = "the-harbour"
PEOPLE = ("Anna", "Bert")
POSTS = 100
WARM = 20
"""Posts before the measured ones."""
LOST_S = 30.0
"""Seconds after which a board is taken to be lost."""
BREATH_S = 0.03
"""People pause between presses, so that what the last one started can finish."""
POLL_S = 0.005
"""Between two looks whether something has come about."""

T = TypeVar("T")


async def turns(game: AnyGame) -> Mapping[str, float]:
    """Two people play at random by pressing buttons; each board that is posted is timed."""
    with TemporaryDirectory() as folder:
        async with Standin() as standin, running(standin, Path(folder)) as services:
            p50, p99 = await posts(game, standin, services.tables)
    return {"turn_p50_ms": p50, "turn_p99_ms": p99}


async def posts(game: AnyGame, standin: Standin, tables: Tables) -> tuple[float, float]:
    """From a press to the posted board, in ms: half of the times, and 99 in 100, are no longer."""
    times: list[float] = []

    def timed(ms: float) -> bool:
        times.append(ms)
        return len(times) < WARM + POSTS

    place, number = standin.channel(CHANNEL), 0
    while len(times) < WARM + POSTS:
        number += 1
        table, board = await begun(game, standin, tables, place, PEOPLE)
        await play(game, standin, tables, table, board, Random(number), timed)
    times = times[WARM : WARM + POSTS]
    return median(times), quantiles(times, n=100, method="inclusive")[-1]


@asynccontextmanager
async def running(
    standin: Standin, folder: Path, thinkers: Thinkers | None = None
) -> AsyncIterator[Services]:
    """The bot over the stand-in, with its database in that folder."""
    url = f"sqlite+aiosqlite:///{folder / 'bench.db'}"
    async with (
        open_services(url, thinkers=thinkers) as services,
        connected(standin, services, live_pause=LIVE_PAUSE),
    ):
        # As the program does once it has started.
        freeze_garbage()
        yield services


async def begun(
    game: AnyGame, standin: Standin, tables: Tables, place: Channel, names: Sequence[str]
) -> tuple[Table, Message]:
    """A table in that channel at which two people have begun the game, and its first board."""
    before = {thread.id for thread in standin.model.threads_of(place.id)}
    host, guest = (standin.person(name) for name in names)
    had = {table.id for table, _ in await tables.reader.seats_of(host.id)}
    await host.slash(place, "game new", game=game.name)

    async def seated(person: Person) -> int | None:
        seats = await tables.reader.seats_of(person.id)
        return next((table.id for table, _ in seats if table.id not in had), None)

    table_id = await until(lambda: seated(host))
    await guest.slash(place, "game join", table=table_id)
    await until(lambda: seated(guest))
    await host.slash(place, "game start", table=table_id)

    def boards() -> list[Message]:
        return [
            message
            for thread in standin.model.threads_of(place.id)
            if thread.id not in before
            for message in standin.model.history(thread.id, host.id)
            if message.attachments and message.components
        ]

    (board,) = await host.wait_for(boards, timeout=LOST_S)
    return await tables.reader.get(table_id), board


async def play(
    game: AnyGame,
    standin: Standin,
    tables: Tables,
    table: Table,
    board: Message,
    rng: Random,
    timed: Callable[[float], bool],
    pause_s: float = BREATH_S,
) -> None:
    """One game by random presses, until it is over or enough boards have been timed; after each
    press there is a pause.

    `timed` is called with the ms from each press to the board that it brings, and says whether to
    go on.
    """
    place = standin.model.channels[board.channel_id]
    boards = _Boards(standin, place.id)
    # All at once: the next board removes the buttons of this one.
    panels = [
        await _private_panel(standin.person(player.name), place, board, table.id)
        for player in table.players
    ]
    goes_on = True
    while goes_on:
        pending = await tables.reader.pending(table.id)
        if not pending:
            break
        decision = pending[0]
        player = table.players[decision.seat]
        person = standin.person(player.name)
        action = await random_answer(game, tables, table.id, decision.seat, rng)
        custom_id = CustomId("do", table.id, decision.id, action).encoded()
        panel = panels[decision.seat]
        offer_only(panel, custom_id)
        boards.posted.clear()
        seq = await tables.reader.seq(table.id)
        started = perf_counter()
        interaction = person.fire(
            InteractionKind.COMPONENT, place, _pressed(custom_id), source=panel
        )
        await interaction.outcome
        await until(partial(_is_later, tables, table.id, seq))
        after = await tables.reader.pending(table.id)
        if not after or _awaited(after) - _awaited(pending):
            # Somebody else is to act now, or nobody any more: everybody is shown the board.
            async with asyncio.timeout(LOST_S):
                await boards.posted.wait()
            goes_on = timed(1000 * (boards.at - started))
        await asyncio.sleep(pause_s)
    boards.close()


async def _is_later(tables: Tables, table_id: int, seq: int) -> bool:
    return await tables.reader.seq(table_id) > seq


async def until(found: Callable[[], Awaitable[T | None]]) -> T:
    """What is found at last: an answer may be put off, and what it does come later."""
    async with asyncio.timeout(LOST_S):
        # Another process tells nobody here.
        while not (it := await found()):  # noqa: ASYNC110
            await asyncio.sleep(POLL_S)
    return it


def _awaited(pending: Sequence[Decision]) -> frozenset[int]:
    return frozenset(decision.seat for decision in pending if not decision.optional)


async def _private_panel(person: Person, place: Channel, board: Message, table: int) -> Message:
    data = _pressed(CustomId("play", table).encoded())
    pressed = person.fire(InteractionKind.COMPONENT, place, data, source=board)
    message = Answer(pressed, await pressed.outcome).message
    assert message is not None, "a press on the board is answered by a private message"
    return message


def _pressed(custom_id: str) -> Json:
    return {"component_type": ComponentKind.BUTTON, "custom_id": custom_id}


class _Boards:
    """Notices when the bot posts a board in a thread: when, and that it did."""

    def __init__(self, standin: Standin, channel: int) -> None:
        self.place = standin.model.channels[channel]
        self.posted = asyncio.Event()
        self.at = 0.0
        self.close = standin.model.subscribe(self._on_change)

    def _on_change(self, change: Change) -> None:
        if (
            isinstance(change, MessageCreated)
            and change.message.channel_id == self.place.id
            and change.message.attachments
            and not change.message.is_ephemeral
        ):
            self.at = perf_counter()
            self.posted.set()
