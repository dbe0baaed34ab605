"""Fits what a search expects of positions, by games of normal players; needs the extra `tune`.

At moments of such games, in which some of the moves are the easy player's, everything that the
strong player would think about is tried with the same luck and played on to where a search judges,
and then to the end. What counts is which of the things that could be done at one moment led to
more: by least squares, how many more points than the others a seat ended with for each more that it
then had. What a seat has anyhow, whatever it does, tells nothing. What comes out as harmful is left
out. The result is printed as a table for data/<game>/weights.toml.
"""

from __future__ import annotations

import argparse
import multiprocessing
import os
import sys
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from importlib import import_module
from random import Random
from statistics import fmean
from typing import Any

from bot.game.contract import Action, Decision
from bot.policy.contract import Legal
from bot.policy.levels import EASY, NORMAL
from bot.policy.search import led_to
from bot.titles import TITLES
from bot.titles.title import Title, Titles
from bot.tools import OK, USAGE
from bot.tools.errors import BadArgument, title_named
from bot.tools.playing import ComputerPlayer, play

LOOKED_AT = 0.12
"""At how many of the decisions of a game."""
LAPSES = 0.2
"""How many of the moves are the easy player's."""
FITTED = "rating"
"""The name of the table that is printed."""

Row = tuple[float, ...]
"""The lead at the end, and by how much more the seat had of each holding than the others."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The arguments of `python -m bot fit`."""
    parser.add_argument("game", metavar="GAME", help=f"which game: {', '.join(TITLES)}")
    parser.add_argument("--players", type=int, default=2, metavar="N", help="how many play (2)")
    parser.add_argument("--games", type=int, default=200, metavar="K", help="so many games (200)")
    parser.add_argument("--seed", type=int, default=1, metavar="S", help="of all chance (1)")
    parser.add_argument(
        "--jobs", type=int, default=os.cpu_count() or 1, metavar="J", help="processes (all cores)"
    )


def run(args: argparse.Namespace, titles: Titles = TITLES) -> int:
    """Plays, prints a table; 2 for invalid arguments."""
    try:
        title = title_named(titles, args.game)
        if title.fittable is None:
            raise BadArgument(f"What {title.game.name} promises is not fitted by this.")
        if args.players not in title.game.seats:
            raise BadArgument(f"{title.game.name} is not for {args.players} players.")
        if min(args.games, args.jobs) < 1:
            raise BadArgument("Games and processes are counted from one.")
        try:
            np = import_module("numpy")
        except ImportError:
            raise BadArgument("This needs more: pip install 'kontor[tune]'") from None
    except BadArgument as unusable:
        sys.stderr.write(f"{unusable}\n")
        return USAGE
    seeds = [f"{args.seed}:{game}" for game in range(args.games)]
    with ProcessPoolExecutor(args.jobs, multiprocessing.get_context("spawn")) as pool:
        games = list(pool.map(partial(moments, title, args.players), seeds))
    found = [moment for game in games for moment in game]
    if len(found) < 2:
        sys.stderr.write("These games had no moments to compare. Play more of them.\n")
        return USAGE
    apart = [fitted(np, found[half::2]) for half in (0, 1)]
    foretold = fmean(_goes_with(np, apart[half], found[1 - half :: 2]) for half in (0, 1))
    sys.stdout.write(
        f"# {len(found)} moments of {args.games} games of {args.players}: fitted to half of them,"
        f" it goes with the others by a correlation of {foretold:.3f}\n[[{FITTED}]]\n"
    )
    for name, weight in zip(title.fittable.names, fitted(np, found), strict=True):
        sys.stdout.write(f"{name} = {weight:.2f}\n")
    return OK


def moments(title: Title, players: int, seed: str) -> list[list[Row]]:
    """Moments of one game, and what everything that could be done there led to."""

    def lapsing(view: Any, decision: Decision, legal: Legal, rng: Random) -> Action:
        name = EASY if rng.random() < LAPSES else NORMAL
        return title.players[name](view, decision, legal, rng)

    game, rng, found = title.game, Random(seed), []
    for played in play(game, [ComputerPlayer(lapsing)] * players, {}, rng):
        asked = [each for each in game.pending(played.state) if not each.optional]
        if asked and rng.random() < LOOKED_AT:
            found.append(_tried(title, played.state, asked[0], rng.getrandbits(64)))
    return [rows for rows in found if len(rows) > 1]


def fitted(np: Any, found: Sequence[Sequence[Row]]) -> list[float]:
    """The weight of each holding, none below 0."""
    rows = _apart(np, found)
    weights = np.zeros(rows.shape[1] - 1)
    kept = np.arange(len(weights))
    while len(kept):
        weights[:] = 0.0
        weights[kept] = np.linalg.lstsq(rows[:, 1 + kept], rows[:, 0], rcond=None)[0]
        if weights.min() >= 0.0:
            break
        kept = np.delete(kept, weights[kept].argmin())
    return [float(weight) for weight in weights]


def _tried(title: Title, state: Any, decision: Decision, seed: int) -> list[Row]:
    game, mind, fittable, seat = title.game, title.mind, title.fittable, decision.seat
    assert mind is not None
    assert fittable is not None
    view, legal = game.view(state, seat), game.walk(state, seat)
    rows = []
    for action in dict.fromkeys(mind.candidates(view, decision, legal)):
        states = led_to(mind, state, seat, action, Random(seed))
        if states is None:
            continue
        judged, ended = states
        outcome = game.outcome(ended)
        assert outcome is not None, "games are played to their ends"
        columns = [outcome.scores, *zip(*fittable.holdings(judged), strict=True)]
        rows.append(tuple(_ahead(column, seat) for column in columns))
    return rows


def _ahead(column: Sequence[float], seat: int) -> float:
    return column[seat] - fmean(value for other, value in enumerate(column) if other != seat)


def _apart(np: Any, found: Sequence[Sequence[Row]]) -> Any:
    """All rows, each as it differs from the mean of its moment."""
    moments = [np.array(rows) for rows in found]
    return np.vstack([rows - rows.mean(axis=0) for rows in moments])


def _goes_with(np: Any, weights: Sequence[float], found: Sequence[Sequence[Row]]) -> float:
    rows = _apart(np, found)
    return float(np.corrcoef(rows[:, 1:] @ np.array(weights), rows[:, 0])[0, 1])
