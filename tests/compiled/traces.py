"""What every recorded game leads to, entry by entry, as one line a game.

Run by `python -m tests.compiled.traces`, so that the rules can be the compiled ones. The first line
says how many modules of the rules are.
"""

from __future__ import annotations

import importlib
import pkgutil
import sys
from collections.abc import Iterator
from hashlib import blake2b
from importlib.machinery import EXTENSION_SUFFIXES

import msgspec

import bot.game
from bot.game.contract import SPECTATOR, AnyGame
from bot.render import png
from bot.tables.core.record import fold
from bot.titles import TITLES
from tests.recorded.results import names, read_record

EVERY = 20
"""A picture is drawn after so many entries, for one observer after another, and at the end."""


def compiled_modules() -> int:
    """How many modules of the rules have been compiled."""
    packages = pkgutil.walk_packages(bot.game.__path__, "bot.game.")
    files = [importlib.import_module(each.name).__file__ or "" for each in packages]
    return sum(file.endswith(tuple(EXTENSION_SUFFIXES)) for file in files)


def traces() -> Iterator[str]:
    """A line for each recorded game of each version: its name, and a hash of all that it led to."""
    for game in TITLES.games.every:
        for name in names(game):
            yield f"{game.name} {game.version} {name} {trace(game, name)}"


def trace(game: AnyGame, name: str) -> str:
    """A hash of log, draws, events, states, what is asked and legal, views, and pictures."""
    record = read_record(game, name)
    draw = TITLES.of(game.name, game.version).draw
    seats = len(record.seats)
    players = tuple(f"Player {seat + 1}" for seat in range(seats))
    hashed = blake2b()
    last = len(record.entries) - 1
    for number, folded in enumerate(fold(game, record)):
        state = folded.state
        pending = game.pending(state)
        kinds = [game.legal(state, each.seat) for each in pending]
        observer = number // EVERY % (seats + 1) + SPECTATOR
        view = game.view(state, observer)
        told = [(type(each).__name__, each.facts, each.only, each.but) for each in folded.events]
        parts = (folded.entry, told, game.encode(state), pending, repr(kinds), repr(view))
        hashed.update(msgspec.json.encode(parts))
        if number % EVERY == 0 or number == last:
            heard = [each for each in folded.events if each.heard_by(observer)]
            hashed.update(png.contents(draw(view, players, heard)))
    return hashed.hexdigest()


if __name__ == "__main__":
    for line in (str(compiled_modules()), *traces()):
        sys.stdout.write(f"{line}\n")
