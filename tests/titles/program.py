"""Exercises a program with some of the titles, run by `test_taken_away` in another checkout."""

from __future__ import annotations

import asyncio
import json
import sys
from importlib import import_module
from pathlib import Path
from pkgutil import walk_packages
from random import Random

import bot
from bot.app import make_bot, open_services
from bot.game.chance import RandomChance
from bot.game.contract import SPECTATOR
from bot.host.gateway import point_discord_at
from bot.local.standin import Standin
from bot.titles import TITLES
from bot.titles.title import Title
from bot.tools.playing import players
from bot.tools.simulate import simulated

NAMES = ("Anna", "Bert", "Clara", "Dirk")


def import_all() -> None:
    """Import all modules, except for those that run on import."""
    for module in walk_packages(bot.__path__, "bot."):
        if "migrations" not in module.name and not module.name.endswith("__main__"):
            import_module(module.name)


def played(title: Title) -> int:
    """Simulate a game and return its number of actions."""
    seated = players(title, [title.default_level], title.game.seats[0])
    game = simulated(title.game, seated, {}, Random(1))
    assert not game.broken, game.broken
    return game.actions


def drawn(title: Title) -> int:
    """Return the size of a picture of the initial board, in bytes."""
    game, seats = title.game, title.game.seats[0]
    view = game.view(game.setup(seats, {}, RandomChance(Random(1))), SPECTATOR)
    return len(title.pictures.draw(view, NAMES[:seats], ()))


async def commands() -> list[str]:
    url = f"sqlite:///{Path.cwd()}/tables.sqlite"
    async with Standin() as standin, open_services(url) as services:
        with point_discord_at(standin.url):
            running = make_bot(services, guild_ready_s=0.1)
            task = asyncio.create_task(running.start(standin.token))
            await standin.gateway.online.wait()
            await running.close()
            await task
            return sorted(each.spec["name"] for each in standin.model.commands.values())


def main() -> None:
    import_all()
    results = {
        "bot": bot.__file__,
        "played": {name: played(title) for name, title in TITLES.items()},
        "drawn": {name: drawn(title) for name, title in TITLES.items()},
        "commands": asyncio.run(commands()),
    }
    sys.stdout.write(json.dumps(results))


if __name__ == "__main__":
    main()
