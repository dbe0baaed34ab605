"""Looks for better weights of a game's computer player, by games against the normal one.

By CMA-ES (N. Hansen), which needs the extra `tune`: weights are varied by factors around the best
known ones, all candidates of a generation play the same mirrored deals, and where they did well is
where it looks next. What is found is played on deals that it has not seen, and printed as a table
for data/<game>/weights.toml.
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
from math import tanh
from statistics import fmean
from time import monotonic
from typing import Any

import msgspec

from bot.policy.levels import NORMAL
from bot.policy.tuning import as_toml, size, varied
from bot.titles import TITLES
from bot.titles.title import Title, Titles
from bot.tools import OK, USAGE
from bot.tools.arena import ArenaGame, match, wilson
from bot.tools.errors import BadArgument, title_named
from bot.tools.playing import ComputerPlayer

CLOSE = 10.0
"""The lead in points beyond which a win or a loss hardly tells more."""
TUNED = "tuned"
"""The name of the table that is printed."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The arguments of `python -m bot tune`."""
    parser.add_argument("game", metavar="GAME", help=f"which game: {', '.join(TITLES)}")
    parser.add_argument("--players", type=int, default=2, metavar="N", help="how many play (2)")
    parser.add_argument("--begin", metavar="NAME", help="the weights (the normal player's)")
    parser.add_argument("--step", type=float, default=0.25, metavar="L", help="in logs (0.25)")
    parser.add_argument("--deals", type=int, default=12, metavar="K", help="a generation (12)")
    parser.add_argument("--seconds", type=float, default=600, metavar="T", help="to look (600)")
    parser.add_argument("--check", type=int, default=200, metavar="K", help="fresh deals (200)")
    parser.add_argument("--seed", type=int, default=1, metavar="S", help="of all chance (1)")
    parser.add_argument(
        "--jobs", type=int, default=os.cpu_count() or 1, metavar="J", help="processes (all cores)"
    )


def run(args: argparse.Namespace, titles: Titles = TITLES) -> int:
    """Looks until the time is up, and prints what it found; 2 for invalid arguments."""
    try:
        title = title_named(titles, args.game)
        tunable = title.tunable
        if tunable is None:
            raise BadArgument(f"The weights of {title.game.name} are not data.")
        begin = args.begin or tunable.normal(args.players)
        if args.players not in title.game.seats:
            raise BadArgument(f"{title.game.name} is not for {args.players} players.")
        if begin not in tunable.weights:
            there = ", ".join(tunable.weights)
            raise BadArgument(f"There are no weights {begin!r}. There are: {there}.")
        if min(args.deals, args.check, args.jobs) < 1 or args.step <= 0:
            raise BadArgument("Deals, processes and steps are more than nothing.")
        cmaes, np = _libraries()
    except BadArgument as unusable:
        sys.stderr.write(f"{unusable}\n")
        return USAGE
    base = tunable.weights[begin]
    search = cmaes.CMA(mean=np.zeros(size(base)), sigma=args.step, seed=args.seed)
    with ProcessPoolExecutor(args.jobs, multiprocessing.get_context("spawn")) as pool:
        until, generation = monotonic() + args.seconds, 0
        while monotonic() < until and not search.should_stop():
            asked = [search.ask() for _ in range(search.population_size)]
            seeds = [f"{args.seed}:{generation}:{deal}" for deal in range(args.deals)]
            play = partial(_worth, title, args.players, base, seeds)
            found = list(pool.map(play, [each.tolist() for each in asked]))
            search.tell([(each, -worth) for each, worth in zip(asked, found, strict=True)])
            generation += 1
            sys.stderr.write(f"{generation}: {fmean(found):+.3f}, best {max(found):+.3f}\n")
        best = varied(base, search.mean.tolist())
        seeds = [f"{args.seed}:check:{deal}" for deal in range(args.check)]
        check = partial(_games, title, args.players, best)
        played = [game for each in pool.map(check, [[seed] for seed in seeds]) for game in each]
    sys.stdout.write(f"{_as_text(played)}\n{as_toml(TUNED, best)}")
    return OK


def _libraries() -> tuple[Any, Any]:
    try:
        return import_module("cmaes"), import_module("numpy")
    except ImportError:
        raise BadArgument("This needs more: pip install 'kontor[tune]'") from None


def _worth(
    title: Title,
    players: int,
    base: msgspec.Struct,
    seeds: Sequence[str],
    logs: Sequence[float],
) -> float:
    """How well such weights do: games won, with close ones between."""
    played = _games(title, players, varied(base, logs), seeds)
    return fmean(tanh((each.points - each.best_other) / CLOSE) + each.won for each in played)


def _games(
    title: Title, players: int, weights: msgspec.Struct, seeds: Sequence[str]
) -> list[ArenaGame]:
    """Mirrored games of the player with these weights against normal ones."""
    assert title.tunable is not None
    judged = ComputerPlayer(title.tunable.player(weights))
    others = ComputerPlayer(title.players[NORMAL])
    return [
        match(title.game, players, judged, others, {}, seed, seat)
        for seed in seeds
        for seat in range(players)
    ]


def _as_text(played: Sequence[ArenaGame]) -> str:
    wins = sum(game.won for game in played)
    low, high = wilson(wins, len(played))
    lead = fmean(game.points - game.best_other for game in played)
    return (
        f"# On fresh deals: won {wins:g} of {len(played)}, {wins / len(played):.1%}"
        f" (95 %: {low:.1%} to {high:.1%}), {lead:+.1f} points to the best of the others"
    )
