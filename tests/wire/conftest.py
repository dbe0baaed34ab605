"""The bot connected to a stand-in, in the process of the tests."""

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
from bot.cogs.dialogues import films
from bot.cogs.post import PostCog
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
"""Longer than Discord's three seconds, for a busy machine."""


class LoggedErrors(logging.Handler):
    """Collects the errors that the bot logs."""

    def __init__(self) -> None:
        super().__init__(logging.ERROR)
        self.seen: list[str] = []

    def emit(self, record: logging.LogRecord) -> None:
        self.seen.append(self.format(record))


@dataclass
class Wire:
    """The stand-in, the bot in this process, and three people."""

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
        """Carry out random actions until a decision of a kind is pending; return its seat."""
        rng = Random(seed)
        for _ in range(500):
            # Posts must not depend on how fast the actions are.
            await self.stored.until_outbox_empty()
            pending = await self.services.tables.reader.pending(1)
            decision = next(each for each in pending if not each.optional)
            if decision.kind == kind:
                return decision.seat
            await self.act_any(rng)
        raise AssertionError(f"no {kind} decision in 500 actions")

    @property
    def post(self) -> PostCog:
        post = self.bot.get_cog("post")
        assert isinstance(post, PostCog)
        return post

    async def quiet(self, table: int = 1) -> None:
        """Wait until all interactions are answered and the table's outbox is empty."""
        async with asyncio.timeout(TIMEOUT_S):
            await self.bot.answers.finish(TIMEOUT_S)
            await self.post.quiet(table)

    async def still(self) -> None:
        """Wait until all interactions are answered and no job runs; the outbox may have items."""
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
        """Return the player at a seat, and the other one."""
        user = (await self.services.tables.reader.get(1)).players[seat].user
        anna, bert = self.player(self.anna), self.player(self.bert)
        return (anna, bert) if user == self.anna.id else (bert, anna)


@asynccontextmanager
async def on_the_wire(
    folder: Path, titles: Titles = TITLES, seed: int | str = 7
) -> AsyncIterator[Wire]:
    """Connect a bot to a new stand-in; logged errors fail the test.

    `seed` determines all draws of the tables.
    """
    errors = LoggedErrors()
    logging.getLogger("bot").addHandler(errors)
    delivery, log_file = logging.getLogger(DELIVERY), logging.FileHandler(folder / LOG)
    delivery.addHandler(log_file)
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
        logging.getLogger("bot").removeHandler(errors)
        delivery.removeHandler(log_file)
        log_file.close()
    assert not errors.seen, "\n".join(errors.seen)


@pytest.fixture(autouse=True)
def short_film(monkeypatch: pytest.MonkeyPatch) -> None:
    """Shorten the replay, which takes longer than the game."""
    monkeypatch.setattr(films, "MAX_FRAMES", 2)


@pytest.fixture(autouse=True)
def no_identify_delay(monkeypatch: pytest.MonkeyPatch) -> None:
    """Identify immediately; only Discord wants five seconds between two."""

    async def no_delay(*_: object, **__: object) -> None: ...

    monkeypatch.setattr(discord.Client, "before_identify_hook", no_delay)


@pytest.fixture
async def wire(tmp_path: Path) -> AsyncIterator[Wire]:
    async with on_the_wire(tmp_path) as wire:
        yield wire


@pytest.fixture
def never_deferred(monkeypatch: pytest.MonkeyPatch) -> None:
    """Never defer answers, even on a slow machine, for tests that inspect the first answer."""
    monkeypatch.setattr(reply, "DEFER_AFTER_S", 50.0)
