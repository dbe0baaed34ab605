"""The bot on the stand-in: in this process, or in one of its own that can be killed."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from random import Random

import discord
import pytest

from bot.app import open_services
from bot.client import GameBot
from bot.cogs.post import PostCog
from bot.cogs.posting import game_over
from bot.cogs.ui import reply
from bot.cogs.ui.services import Services
from bot.local import Person, Standin
from bot.titles import TITLES
from bot.titles.title import Titles
from tests.store.database import empty
from tests.tables.world import unforced
from tests.wire.players import HARBOUR, TIMEOUT_S, RandomPlayer, sit_down
from tests.wire.stored import LOG, StoredTable
from tests.wire.witness import Witness
from tools.connected import connected

DELIVERY = "bot.cogs.posting.turn_posts"
ANSWERED_S = 60.0
"""What a busy machine takes more than Discord's three seconds for is answered as well."""


class LoggedErrors(logging.Handler):
    """Collects what the bot logs as an error."""

    def __init__(self) -> None:
        super().__init__(logging.ERROR)
        self.seen: list[str] = []

    def emit(self, record: logging.LogRecord) -> None:
        self.seen.append(self.format(record))


@dataclass
class Wire:
    """The stand-in, the bot in this process, and two people who may play."""

    standin: Standin
    services: Services
    stored: StoredTable
    bot: GameBot

    def __post_init__(self) -> None:
        self.anna, self.bert, self.vera = map(self.standin.person, ("Anna", "Bert", "Vera"))

    def player(
        self, person: Person, seed: int = 1, table: int = 1, home: str = HARBOUR
    ) -> RandomPlayer:
        rng = Random(f"{person.name} {seed}")
        return RandomPlayer(self.standin, person, rng, table=table, home=home)

    async def begin(self, seed: int = 1, **options: str) -> tuple[RandomPlayer, RandomPlayer]:
        await sit_down(self.standin, self.anna, self.bert, options=options)
        return self.player(self.anna, seed), self.player(self.bert, seed)

    async def witnesses(self, seed: int = 1, **options: str) -> list[Witness]:
        await sit_down(self.standin, self.anna, self.bert, options=options)
        return [Witness(self.standin, person, seed=seed) for person in (self.anna, self.bert)]

    async def act_until(self, kind: str, *, seed: int = 1) -> int:
        """Act at random beside the bot, until somebody is asked this; the seat."""
        rng = Random(seed)
        for _ in range(500):
            # What is posted must not depend on how fast that is.
            await self.stored.until_outbox_empty()
            pending = await self.services.tables.reader.pending(1)
            asked = next(each for each in pending if not each.optional)
            if asked.kind == kind:
                return asked.seat
            await self.act_any(rng)
        raise AssertionError(f"nobody was asked to {kind}")

    @property
    def post(self) -> PostCog:
        post = self.bot.get_cog("post")
        assert isinstance(post, PostCog)
        return post

    async def quiet(self, table: int = 1) -> None:
        """Until everybody has been answered and nothing is owed or on its way."""
        async with asyncio.timeout(TIMEOUT_S):
            await self.bot.answers.finish(TIMEOUT_S)
            await self.post.quiet(table)

    async def still(self) -> None:
        """Until everybody has been answered and nothing is on its way, though it may be owed."""
        async with asyncio.timeout(TIMEOUT_S):
            await self.bot.answers.finish(TIMEOUT_S)
            await self.post.still()

    async def act_any(self, rng: Random) -> None:
        reader = self.services.tables.reader
        seat = next(each.seat for each in await reader.pending(1) if not each.optional)
        moves = self.services.titles.games["kogge"].moves
        action = unforced(await reader.seen(1, seat), seat, moves, rng)
        await self.services.tables.play.act(1, seat, action)

    async def players_at(self, seat: int) -> tuple[RandomPlayer, RandomPlayer]:
        """Whose seat that is, and the other one."""
        user = (await self.services.tables.reader.get(1)).players[seat].user
        anna, bert = self.player(self.anna), self.player(self.bert)
        return (anna, bert) if user == self.anna.id else (bert, anna)


@asynccontextmanager
async def on_the_wire(
    folder: Path, titles: Titles = TITLES, seed: int | str = 7
) -> AsyncIterator[Wire]:
    """The bot connected to a stand-in of its own; unforeseen errors fail the test. Tables have the
    same draws with the same seed."""
    unforeseen = LoggedErrors()
    logging.getLogger("bot").addHandler(unforeseen)
    delivery, posted = logging.getLogger(DELIVERY), logging.FileHandler(folder / LOG)
    delivery.addHandler(posted)
    delivery.setLevel(logging.INFO)
    keys, stored = Random(seed), StoredTable(folder)
    try:
        async with (
            Standin(acknowledge_s=ANSWERED_S) as standin,
            open_services(
                empty(stored.path),
                rng=Random(5),
                new_key=lambda: keys.randbytes(32),
                titles=titles,
            ) as services,
            connected(standin, services) as bot,
        ):
            yield Wire(standin, services, stored, bot)
    finally:
        logging.getLogger("bot").removeHandler(unforeseen)
        delivery.removeHandler(posted)
        posted.close()
    assert not unforeseen.seen, "\n".join(unforeseen.seen)


@pytest.fixture(autouse=True)
def short_film(monkeypatch: pytest.MonkeyPatch) -> None:
    """A film costs more than its game."""
    monkeypatch.setattr(game_over, "MAX_FRAMES", 2)


@pytest.fixture(autouse=True)
def known_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Discord wants five seconds before a client identifies anew; the stand-in does not."""

    async def at_once(*_: object, **__: object) -> None: ...

    monkeypatch.setattr(discord.Client, "before_identify_hook", at_once)


@pytest.fixture
async def wire(tmp_path: Path) -> AsyncIterator[Wire]:
    async with on_the_wire(tmp_path) as made:
        yield made


@pytest.fixture
def unhurried(monkeypatch: pytest.MonkeyPatch) -> None:
    """On a slow machine an answer may take its time, and is given at once: for tests that look at
    it then, or compare what came of several presses."""
    monkeypatch.setattr(reply, "DEFER_AFTER_S", 50.0)
