"""Compares the strength of two computer players by mirrored games.

Each deal is played once per seat with the same luck: the tested player takes each seat once, and
the other player all other seats. So neither the seat nor the deal favours a player.
"""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from contextlib import contextmanager
from functools import partial
from itertools import product, starmap
from math import sqrt
from multiprocessing import active_children, get_context
from random import Random
from signal import SIG_IGN, SIGINT, signal
from statistics import fmean
from time import process_time
from typing import Any

import msgspec

from bot.config import CannotRun
from bot.game.contract import Action, Decision, Seat
from bot.game.game import AnyGame
from bot.policy.contract import NORMAL, STRONG, Legal, Policy
from bot.titles import TITLES
from bot.titles.title import Title, Titles
from bot.tools import FAILURE, OK, as_json, stoppable
from bot.tools.arguments import add_games, games_asked
from bot.tools.playing import ComputerPlayer, play, player_named

Z_95 = 1.96
"""Standard deviations of a 95 % confidence interval."""


class ArenaGame(msgspec.Struct, frozen=True):
    """One game of the tested player."""

    won: float
    """1 for a win, a share of it for a tie, or 0."""
    points: int
    others: float
    """The mean points of the others."""
    best_other: int
    cpu_ms: tuple[float, ...]
    """CPU time of each decision, without making the view."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    add_games(parser, players=2, games=200)
    parser.add_argument("--policy", default=STRONG, metavar="NAME", help="player to test (strong)")
    parser.add_argument("--against", default=NORMAL, metavar="NAME", help="opponent (normal)")
    parser.add_argument("--nodes", type=int, metavar="B", help="search budget of the strong player")
    parser.add_argument(
        "--jobs", type=int, default=os.cpu_count() or 1, metavar="J", help="processes (all cores)"
    )


def run(args: argparse.Namespace, titles: Titles = TITLES) -> int:
    """Play the games, report each deal, and print a summary, also if stopped.

    Return FAILURE if stopped before the end of the first deal. Raise CannotRun.
    """
    title, options = games_asked(args, titles)
    if args.jobs < 1 or (args.nodes is not None and args.nodes < 1):
        raise CannotRun("--jobs and --nodes must be at least 1.")
    for name in (args.policy, args.against):
        player_named(title, name)
    play_one = partial(
        one_game, title, args.players, args.policy, args.against, options, args.nodes
    )
    deals = -(-args.games // args.players)
    seeds = [f"{args.seed}:{deal}" for deal in range(deals)]
    played: list[ArenaGame] = []
    with (
        stoppable(),
        results_of(play_one, product(seeds, range(args.players)), args.jobs) as results,
    ):
        for deal in range(deals):
            played += [next(results) for _ in range(args.players)]
            sys.stderr.write(f"deal {deal + 1} of {deals}: {results_text(played)}\n")
    if len(played) < deals * args.players:
        sys.stderr.write(f"Stopped after {len(played)} of {deals * args.players} games.\n")
        if not played:
            return FAILURE
    thinks = STRONG in (args.policy, args.against) and title.judgement is not None
    nodes = args.nodes or (title.judgement.nodes if title.judgement else None)
    summary = _summary(played, args, options, nodes if thinks else None)
    sys.stdout.write(as_json(summary) if args.json else _as_text(summary))
    return OK


@contextmanager
def results_of(
    play_one: Callable[[str, Seat], ArenaGame], games: Iterable[tuple[str, Seat]], jobs: int
) -> Iterator[Iterator[ArenaGame]]:
    """Play games in several processes, and yield the results in order.

    All processes end if one fails or this one is stopped.
    """
    if jobs == 1:
        yield starmap(play_one, games)
        return
    # The workers ignore Ctrl+C, which a terminal sends to all of its processes.
    with ProcessPoolExecutor(jobs, get_context("spawn"), signal, (SIGINT, SIG_IGN)) as pool:
        try:
            started = [pool.submit(play_one, *game) for game in games]
            yield (each.result() for each in started)
        finally:
            for process in active_children():
                process.terminate()


def one_game(
    title: Title,
    players: int,
    policy: str,
    against: str,
    options: Mapping[str, str],
    nodes: int | None,
    seed: str,
    seat: Seat,
) -> ArenaGame:
    """Play a game with `policy` in one seat. The seed determines the luck, whatever the seat."""
    judged, others = player_named(title, policy, nodes), player_named(title, against, nodes)
    return match(title.game, players, judged, others, options, seed, seat)


def match(
    game: AnyGame,
    players: int,
    judged: ComputerPlayer,
    others: ComputerPlayer,
    options: Mapping[str, str],
    seed: str,
    seat: Seat,
) -> ArenaGame:
    """Play a game with any two players, `judged` in one seat."""
    times: list[float] = []
    timed = ComputerPlayer(_timed(judged.policy, times), judged.blind)
    seated = [timed if each == seat else others for each in range(players)]
    *_, last = play(game, seated, options, Random(seed), Random(f"{seed}:{seat}"))
    outcome = game.outcome(last.state)
    assert outcome is not None, "a game without decisions is over"
    rest = [points for each, points in enumerate(outcome.scores) if each != seat]
    won = 1 / len(outcome.winners) if seat in outcome.winners else 0.0
    return ArenaGame(won, outcome.scores[seat], fmean(rest), max(rest), tuple(times))


def results_text(played: Sequence[ArenaGame]) -> str:
    """Return the results so far in words."""
    wins, lead = sum(game.won for game in played), _mean_lead(played)
    low, high = wilson(wins, len(played))
    return (
        f"won {wins:g} of {len(played)}, {wins / len(played):.1%}"
        f" (95 %: {low:.1%} to {high:.1%}), {lead:+.1f} points to the best of the others"
    )


def wilson(wins: float, games: int) -> tuple[float, float]:
    """Return the 95 % confidence interval of the share of wins (E. B. Wilson's score, 1927)."""
    share, square = wins / games, Z_95**2
    middle = (share + square / (2 * games)) / (1 + square / games)
    half = Z_95 / (1 + square / games) * sqrt(share * (1 - share) / games + square / games**2 / 4)
    return middle - half, middle + half


def _timed(policy: Policy, times: list[float]) -> Policy:
    def timed(view: Any, decision: Decision, legal: Legal, rng: Random) -> Action:
        start = process_time()
        action = policy(view, decision, legal, rng)
        times.append(1000 * (process_time() - start))
        return action

    return timed


def _summary(
    played: Sequence[ArenaGame],
    args: argparse.Namespace,
    options: Mapping[str, str],
    nodes: int | None,
) -> dict[str, Any]:
    wins, games = sum(game.won for game in played), len(played)
    low, high = wilson(wins, games)
    times = sorted(ms for game in played for ms in game.cpu_ms)
    return {
        "game": args.game,
        "players": args.players,
        "policy": args.policy,
        "against": args.against,
        "options": options,
        "seed": args.seed,
        "nodes": nodes,
        "games": games,
        "wins": round(wins, 2),
        "share": round(wins / games, 4),
        "share_low": round(low, 4),
        "share_high": round(high, 4),
        "mean_points": round(fmean(game.points for game in played), 2),
        "mean_points_against": round(fmean(game.others for game in played), 2),
        "mean_lead": round(_mean_lead(played), 2),
        "decisions": len(times),
        "cpu_ms_mean": round(fmean(times), 2),
        "cpu_ms_p50": round(_quantile(times, 0.5), 2),
        "cpu_ms_p99": round(_quantile(times, 0.99), 2),
    }


def _mean_lead(played: Sequence[ArenaGame]) -> float:
    return fmean(game.points - game.best_other for game in played)


def _quantile(times: Sequence[float], part: float) -> float:
    return times[min(len(times) - 1, int(part * len(times)))]


def _as_text(summary: Mapping[str, Any]) -> str:
    budget = "" if summary["nodes"] is None else f" with {summary['nodes']} nodes a decision"
    return (
        f"{summary['games']} mirrored games of {summary['game']}, {summary['players']} players:"
        f" {summary['policy']} against {summary['against']}{budget}\n"
        f"won {summary['wins']:g}, {summary['share']:.1%}"
        f" (95 %: {summary['share_low']:.1%} to {summary['share_high']:.1%})\n"
        f"points {summary['mean_points']:g}, the others {summary['mean_points_against']:g}"
        f" each; {summary['mean_lead']:+g} to the best of them\n"
        f"CPU ms a decision: mean {summary['cpu_ms_mean']:g}, p50 {summary['cpu_ms_p50']:g},"
        f" p99 {summary['cpu_ms_p99']:g}; {summary['decisions']} decisions\n"
    )
