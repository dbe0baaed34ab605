"""Plays whole games in process, checking after every action that no piece is made or lost."""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from collections.abc import Mapping, Sequence
from random import Random
from time import perf_counter
from typing import Any

import msgspec

from bot.game.contract import AnyGame
from bot.titles import TITLES
from bot.titles.title import Title, Titles
from bot.tools import FAILURE, OK, USAGE, as_json
from bot.tools.errors import BadArgument, options_of, title_named
from bot.tools.playing import ComputerPlayer, play, players

SHOWN = 5
"""At most this many broken invariants are printed one by one."""


class SimulationSummary(msgspec.Struct, frozen=True):
    """The results of the games. Times exclude the checking of invariants."""

    game: str
    players: int
    policies: tuple[str, ...]
    options: Mapping[str, str]
    seed: int
    games: int
    actions: int
    actions_per_second: float
    endings: Mapping[str, int]
    invariant_failures: int
    wins: tuple[int, ...]
    final_scores: tuple[tuple[int, ...], ...]
    mean_rounds: float
    mean_decisions: float


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The arguments of `python -m bot simulate`."""
    parser.add_argument("game", metavar="GAME", help=f"which game: {', '.join(TITLES)}")
    parser.add_argument("--players", type=int, default=4, metavar="N", help="how many play (4)")
    parser.add_argument("--games", type=int, default=100, metavar="K", help="how many games (100)")
    parser.add_argument("--seed", type=int, default=1, metavar="S", help="of all chance (1)")
    parser.add_argument(
        "--option",
        action="append",
        default=[],
        metavar="NAME=VALUE",
        help="an option of the table; may be repeated",
    )
    parser.add_argument(
        "--policy",
        action="append",
        metavar="NAME",
        help="who plays: random, easy, normal or strong; repeated, one for each seat (random)",
    )
    parser.add_argument("--json", action="store_true", help="print one JSON object")


def run(args: argparse.Namespace, titles: Titles = TITLES) -> int:
    """Plays, prints a summary; 1 where an invariant was broken, 2 for invalid arguments."""
    try:
        title = title_named(titles, args.game)
        game = title.game
        if args.players not in game.seats:
            raise BadArgument(
                f"{game.name} is for {_listed(game.seats)} players, not {args.players}."
            )
        if args.games < 1:
            raise BadArgument(f"At least one game is to be played, not {args.games}.")
        options = options_of(game, args.option)
        names = _policies(title, args.policy or ["random"])
    except BadArgument as unusable:
        sys.stderr.write(f"{unusable}\n")
        return USAGE
    summary, broken = simulate(title, args.players, args.games, args.seed, options, names)
    for line in broken[:SHOWN]:
        sys.stderr.write(f"{line}\n")
    sys.stdout.write(as_json(summary) if args.json else _as_text(summary))
    return FAILURE if broken else OK


def simulate(
    title: Title,
    seats: int,
    games: int,
    seed: int,
    options: Mapping[str, str],
    names: Sequence[str],
) -> tuple[SimulationSummary, list[str]]:
    """A summary of the games, and a line for each broken invariant."""
    game, seated = title.game, players(title, names, seats)
    endings: Counter[str] = Counter()
    wins = [0] * seats
    scores: list[tuple[int, ...]] = []
    broken: list[str] = []
    actions, rounds, seconds = 0, 0, 0.0
    for number in range(games):
        state, taken, spent, wrong = _one_game(game, seated, options, Random(f"{seed}:{number}"))
        outcome = game.outcome(state)
        assert outcome is not None, "a game that asks nobody is over"
        actions, rounds, seconds = actions + taken, rounds + state.round, seconds + spent
        broken += (f"game {number}, {line}" for line in wrong)
        endings[outcome.ending] += 1
        scores.append(outcome.scores)
        for seat in outcome.winners:
            wins[seat] += 1
    summary = SimulationSummary(
        game=game.name,
        players=seats,
        policies=tuple(names),
        options=options,
        seed=seed,
        games=games,
        actions=actions,
        actions_per_second=round(actions / seconds, 1),
        endings=dict(sorted(endings.items())),
        invariant_failures=len(broken),
        wins=tuple(wins),
        final_scores=tuple(scores),
        mean_rounds=round(rounds / games, 2),
        mean_decisions=round(actions / games, 2),
    )
    return summary, broken


def _one_game(
    game: AnyGame, seated: Sequence[ComputerPlayer], options: Mapping[str, str], rng: Random
) -> tuple[Any, int, float, list[str]]:
    broken: list[str] = []
    taken, spent = -1, 0.0  # The set-up is no action.
    state: Any = None
    steps = play(game, seated, options, rng)
    while True:
        started = perf_counter()
        played = next(steps, None)
        spent += perf_counter() - started
        if played is None:
            return state, taken, spent, broken
        taken += 1
        state = played.state
        broken += (f"action {taken}: {line}" for line in game.invariants(state))


def _policies(title: Title, names: Sequence[str]) -> Sequence[str]:
    for name in names:
        if name not in title.players:
            there = ", ".join(title.players)
            raise BadArgument(f"Nobody called {name!r} plays {title.game.name}. There is: {there}.")
    return names


def _listed(numbers: Sequence[int]) -> str:
    return ", ".join(map(str, numbers))


def _as_text(summary: SimulationSummary) -> str:
    endings = ", ".join(f"{name} {count}" for name, count in summary.endings.items())
    return (
        f"{summary.games} games of {summary.game} with {summary.players} players:"
        f" {summary.actions} actions, {summary.actions_per_second:.0f} a second\n"
        f"rounds {summary.mean_rounds}, decisions {summary.mean_decisions}; ended by: {endings}\n"
        f"wins by seat: {_listed(summary.wins)}\n"
        f"broken invariants: {summary.invariant_failures}\n"
    )
