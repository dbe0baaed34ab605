"""All measurements of `bench --database`, one after the other."""

from __future__ import annotations

import os
import platform
import sys
from collections.abc import Sequence

import msgspec
import sqlalchemy as sa

from bot.titles import TITLES
from bot.titles.title import Title
from bot.tools.measures import pictures
from bot.tools.measures.scale import databases
from bot.tools.measures.scale.durable import Durable, durable
from bot.tools.measures.scale.growth import Growth, growth
from bot.tools.measures.scale.handover import ProcessEnd, handover
from bot.tools.measures.scale.storage import Storage, storage
from bot.tools.measures.scale.wire import BoardTimes, wire

CONTENDERS = 2
"""Processes that play at the same tables."""


class BoardPicture(msgspec.Struct, frozen=True):
    """A board: the processor time to draw it, and its size."""

    game: str
    image_ms: float
    image_kb: float


class Figures(msgspec.Struct, frozen=True):
    """All figures of one run, and of which machine."""

    machine: str
    growth: list[Growth]
    durable: list[Durable]
    wire: list[BoardTimes]
    handover: list[ProcessEnd]
    storage: list[Storage]
    pictures: list[BoardPicture]


async def measured(
    server: str, title: Title, tables: Sequence[int], processes: Sequence[int]
) -> Figures:
    """Measures with one title, on SQLite and on the server of that URL."""
    return Figures(
        machine=await _machine(server),
        growth=await _growth(server, title, tables),
        durable=await _durable(server, title, processes),
        wire=await _wire(server, title, processes),
        handover=await _handover(server) if max(processes) > 1 else [],
        storage=await _storage(server),
        pictures=[_picture(each) for each in TITLES.values()],
    )


def _picture(title: Title) -> BoardPicture:
    return BoardPicture(title.game.name, **pictures.pictures(title))


def _say(what: str) -> None:
    # It takes many minutes: whoever waits is told how far it is.
    sys.stderr.write(f"{what}\n")


async def _growth(server: str, title: Title, tables: Sequence[int]) -> list[Growth]:
    found = []
    for count in tables:
        _say(f"growth: {count} tables")
        async with databases.in_file() as url:
            found.append(await growth(url, title.game, count))
        async with databases.on_server(server) as url:
            found.append(await growth(url, title.game, count))
    return found


async def _durable(server: str, title: Title, processes: Sequence[int]) -> list[Durable]:
    _say("durable actions")
    async with databases.in_file() as url:
        found = [await durable(url, title.game, 1, shared=False)]
    async with databases.on_server(server) as url:
        found.append(await durable(url, title.game, 1, shared=False))
        for count in processes:
            found.append(await durable(url, title.game, count, shared=True))
        if max(processes) >= CONTENDERS:
            both = await durable(url, title.game, CONTENDERS, shared=True, contended=True)
            found.append(both)
    return found


async def _wire(server: str, title: Title, processes: Sequence[int]) -> list[BoardTimes]:
    found = []
    async with databases.in_file() as url:
        _say("from a press to the board: SQLite")
        found.append(await wire(url, title.game, 0))
    for count in (0, *processes):
        _say(f"from a press to the board: {count} processes that share the database")
        async with databases.on_server(server) as url:
            found.append(await wire(url, title.game, count))
    return found


async def _handover(server: str) -> list[ProcessEnd]:
    found = []
    for killed in (True, False):
        _say(f"a process is {'killed' if killed else 'stopped'}")
        async with databases.on_server(server) as url:
            found.append(await handover(url, killed=killed))
    return found


async def _storage(server: str) -> list[Storage]:
    _say("finished games")
    found = []
    for each in TITLES.values():
        async with databases.in_file() as url:
            found.append(await storage(url, each))
        async with databases.on_server(server) as url:
            found.append(await storage(url, each))
    return found


async def _machine(server: str) -> str:
    async with databases.connection(server) as connection:
        version = await connection.scalar(sa.text("SHOW server_version"))
    python = platform.python_version()
    return f"{os.cpu_count()} cores, {platform.system()}, Python {python}, PostgreSQL {version}"
