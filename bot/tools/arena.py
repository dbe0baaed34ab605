"""Which of two computer players is the stronger, by mirrored games.

Each game is played as often as it has seats: with the same luck, the player in question in each
seat once, the other player in all the rest. So neither the seat nor the deal makes anybody
stronger.
"""

from __future__ import annotations

import argparse
import multiprocessing
import os
import sys
from collections.abc import Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from contextlib import nullcontext
from functools import partial
from math import sqrt
from random import Random
from statistics import fmean
from time import process_time
from typing import Any

import msgspec

from bot.game.contract import Action, AnyGame, Decision, Seat
from bot.policy.contract import Legal, Policy
from bot.policy.levels import NORMAL, STRONG
from bot.policy.random import BLIND
from bot.policy.search import strong
from bot.titles import TITLES
from bot.titles.title import Title, Titles
from bot.tools import OK, USAGE, as_json
from bot.tools.errors import BadArgument, options_of, title_named
from bot.tools.playing import ComputerPlayer, play

SURE = 1.96
"""Standard deviations within which a figure lies 19 times out of 20."""


class ArenaGame(msgspec.Struct, frozen=True):
    """One game: who won how much of it, the points, and the CPU times of the player in question."""

    seat: Seat
    won: float
    """1 for a win, a part of it where several won, or 0."""
    points: int
    others: float
    """The mean points of the others."""
    best_other: int
    cpu_ms: tuple[float, ...]
    """By decision, the making of the view left out."""


class ArenaSummary(msgspec.Struct, frozen=True):
    """The result. Times are of the processor, in milliseconds a decision of `policy`."""

    game: str
    players: int
    policy: str
    against: str
    options: Mapping[str, str]
    seed: int
    nodes: int | None
    """The budget of the strong player, in actions tried."""
    games: int
    wins: float
    share: float
    share_low: float
    share_high: float
    """The 95 % interval of Wilson."""
    mean_points: float
    mean_points_against: float
    mean_lead: float
    """Before the best of the others."""
    decisions: int
    cpu_ms_mean: float
    cpu_ms_p50: float
    cpu_ms_p99: float


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The arguments of `python -m bot arena`."""
    parser.add_argument("game", metavar="GAME", help=f"which game: {', '.join(TITLES)}")
    parser.add_argument("--players", type=int, default=2, metavar="N", help="how many play (2)")
    parser.add_argument("--policy", default=STRONG, metavar="NAME", help="who is judged (strong)")
    parser.add_argument("--against", default=NORMAL, metavar="NAME", help="by whom (normal)")
    parser.add_argument(
        "--games", type=int, default=200, metavar="K", help="at least so many games (200)"
    )
    parser.add_argument("--seed", type=int, default=1, metavar="S", help="of all chance (1)")
    parser.add_argument("--nodes", type=int, metavar="B", help="the budget of the strong player")
    parser.add_argument(
        "--option", action="append", default=[], metavar="NAME=VALUE", help="of the table"
    )
    parser.add_argument(
        "--jobs", type=int, default=os.cpu_count() or 1, metavar="J", help="processes (all cores)"
    )
    parser.add_argument("--json", action="store_true", help="print one JSON object")


def run(args: argparse.Namespace, titles: Titles = TITLES) -> int:
    """Plays, prints a summary; 2 for invalid arguments."""
    try:
        title = title_named(titles, args.game)
        game = title.game
        if args.players not in game.seats:
            there = ", ".join(map(str, game.seats))
            raise BadArgument(f"{game.name} is for {there} players, not {args.players}.")
        if min(args.games, args.jobs, 1 if args.nodes is None else args.nodes) < 1:
            raise BadArgument("Games, processes and nodes are counted from one.")
        options = options_of(game, args.option)
        for name in (args.policy, args.against):
            if name not in title.players:
                there = ", ".join(title.players)
                raise BadArgument(f"Nobody called {name!r} plays {game.name}. There is: {there}.")
    except BadArgument as unusable:
        sys.stderr.write(f"{unusable}\n")
        return USAGE
    match_of = partial(
        one_game, title, args.players, args.policy, args.against, options, args.nodes
    )
    deals = [
        (f"{args.seed}:{deal}", seat)
        for deal in range(-(-args.games // args.players))
        for seat in range(args.players)
    ]
    pool = (
        ProcessPoolExecutor(args.jobs, multiprocessing.get_context("spawn"))
        if args.jobs > 1
        else nullcontext()
    )
    with pool as executor:
        played = list((executor.map if executor else map)(match_of, *zip(*deals, strict=True)))
    thinks = STRONG in (args.policy, args.against) and title.mind is not None
    nodes = args.nodes or (title.mind.nodes if title.mind else None)
    summary = summed_up(played, args, options, nodes if thinks else None)
    sys.stdout.write(as_json(summary) if args.json else _as_text(summary))
    return OK


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
    """A game with `policy` in one seat; the same seed is the same luck, whoever sits where."""
    judged, others = _player(title, policy, nodes), _player(title, against, nodes)
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
    """The same with any players."""
    times: list[float] = []
    timed = ComputerPlayer(_timed(judged.policy, times), judged.blind)
    seated = [timed if each == seat else others for each in range(players)]
    *_, last = play(game, seated, options, Random(seed), Random(f"{seed}:{seat}"))
    outcome = game.outcome(last.state)
    assert outcome is not None, "a game that asks nobody is over"
    rest = [points for each, points in enumerate(outcome.scores) if each != seat]
    won = 1 / len(outcome.winners) if seat in outcome.winners else 0.0
    return ArenaGame(seat, won, outcome.scores[seat], fmean(rest), max(rest), tuple(times))


def wilson(wins: float, games: int) -> tuple[float, float]:
    """The 95 % interval of the share of games won, by E. B. Wilson's score (1927)."""
    share, square = wins / games, SURE**2
    middle = (share + square / (2 * games)) / (1 + square / games)
    half = SURE / (1 + square / games) * sqrt(share * (1 - share) / games + square / games**2 / 4)
    return middle - half, middle + half


def summed_up(
    played: Sequence[ArenaGame],
    args: argparse.Namespace,
    options: Mapping[str, str],
    nodes: int | None,
) -> ArenaSummary:
    """The games in figures."""
    wins, games = sum(game.won for game in played), len(played)
    low, high = wilson(wins, games)
    times = sorted(ms for game in played for ms in game.cpu_ms)
    return ArenaSummary(
        game=args.game,
        players=args.players,
        policy=args.policy,
        against=args.against,
        options=options,
        seed=args.seed,
        nodes=nodes,
        games=games,
        wins=round(wins, 2),
        share=round(wins / games, 4),
        share_low=round(low, 4),
        share_high=round(high, 4),
        mean_points=round(fmean(game.points for game in played), 2),
        mean_points_against=round(fmean(game.others for game in played), 2),
        mean_lead=round(fmean(game.points - game.best_other for game in played), 2),
        decisions=len(times),
        cpu_ms_mean=round(fmean(times), 2),
        cpu_ms_p50=round(_part(times, 0.5), 2),
        cpu_ms_p99=round(_part(times, 0.99), 2),
    )


def _player(title: Title, name: str, nodes: int | None) -> ComputerPlayer:
    thinks = name == STRONG and title.mind is not None and nodes is not None
    policy = strong(title.mind, nodes) if thinks and title.mind else title.players[name]
    return ComputerPlayer(policy, name in BLIND)


def _timed(policy: Policy, times: list[float]) -> Policy:
    def timed(view: Any, decision: Decision, legal: Legal, rng: Random) -> Action:
        began = process_time()
        action = policy(view, decision, legal, rng)
        times.append(1000 * (process_time() - began))
        return action

    return timed


def _part(times: Sequence[float], part: float) -> float:
    """The time that so great a part of the decisions took at most."""
    return times[min(len(times) - 1, int(part * len(times)))]


def _as_text(summary: ArenaSummary) -> str:
    budget = "" if summary.nodes is None else f" with {summary.nodes} nodes a decision"
    return (
        f"{summary.games} mirrored games of {summary.game}, {summary.players} players:"
        f" {summary.policy} against {summary.against}{budget}\n"
        f"won {summary.wins:g}, {summary.share:.1%}"
        f" (95 %: {summary.share_low:.1%} to {summary.share_high:.1%})\n"
        f"points {summary.mean_points:g}, the others {summary.mean_points_against:g}"
        f" each; {summary.mean_lead:+g} to the best of them\n"
        f"CPU ms a decision: mean {summary.cpu_ms_mean:g}, p50 {summary.cpu_ms_p50:g},"
        f" p99 {summary.cpu_ms_p99:g}; {summary.decisions} decisions\n"
    )
