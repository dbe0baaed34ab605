"""How fast a board is drawn, and how large its picture is."""

from __future__ import annotations

from collections.abc import Mapping
from random import Random
from statistics import median
from time import perf_counter

from bot.game.contract import SPECTATOR
from bot.titles.title import Title
from bot.tools.playing import play, players

EVERY = 3
"""A picture is drawn each time this many actions have been taken."""


def pictures(title: Title, seats: int | None = None) -> Mapping[str, float]:
    """Boards of a whole game at a full table or another, each drawn for the first time, parts
    cached.
    """
    game, draw = title.game, title.draw
    seats = seats or max(game.seats)
    seated = players(title, [title.usual], seats)
    names = tuple(f"Player {seat + 1}" for seat in range(seats))
    draws = [
        (game.view(played.state, SPECTATOR), played.events)
        for number, played in enumerate(play(game, seated, {}, Random(1)))
        if number % EVERY == 0
    ]
    for view, events in draws[::5]:
        draw(view, names, events)
    times, sizes = [], []
    for view, events in draws:
        started = perf_counter()
        picture = draw(view, names, events)
        times.append(1000 * (perf_counter() - started))
        sizes.append(len(picture) / 1024)
    return {"image_ms": median(times), "image_kb": median(sizes)}
