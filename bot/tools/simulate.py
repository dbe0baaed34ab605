"""Plays games in this process and checks the invariants after every action."""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from collections.abc import Mapping, Sequence
from random import Random
from statistics import fmean
from time import perf_counter
from typing import Any, NamedTuple

from bot.game.contract import Outcome
from bot.game.game import AnyGame
from bot.policy.random import RANDOM
from bot.titles import TITLES
from bot.titles.title import Titles
from bot.tools import FAILURE, OK, as_json, stoppable
from bot.tools.arguments import add_games, games_asked
from bot.tools.playing import ComputerPlayer, play, players

MAX_SHOWN = 5
"""How many broken invariants are printed."""


class SimulatedGame(NamedTuple):
    """The result of a game. `seconds` excludes the check of invariants."""

    outcome: Outcome
    actions: int
    rounds: int
    seconds: float
    broken: Sequence[str]
    """A line for each broken invariant."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    add_games(parser, players=4, games=100)
    parser.add_argument(
        "--policy",
        action="append",
        metavar="NAME",
        help="computer player: random, easy, normal or strong; repeat for each seat (random)",
    )


def run(args: argparse.Namespace, titles: Titles = TITLES) -> int:
    """Play the games and print a summary, also if stopped.

    Return FAILURE if an invariant was broken or no game was played. Raise CannotRun.
    """
    title, options = games_asked(args, titles)
    names = args.policy or [RANDOM]
    seated = players(title, names, args.players)
    played: list[SimulatedGame] = []
    with stoppable():
        for number in range(args.games):
            played.append(simulated(title.game, seated, options, Random(f"{args.seed}:{number}")))
    if len(played) < args.games:
        sys.stderr.write(f"Stopped after {len(played)} of {args.games} games.\n")
        if not played:
            return FAILURE
    broken = [
        f"game {number}, {line}" for number, each in enumerate(played) for line in each.broken
    ]
    for line in broken[:MAX_SHOWN]:
        sys.stderr.write(f"{line}\n")
    actions = sum(each.actions for each in played)
    winners = Counter(seat for each in played for seat in each.outcome.winners)
    summary = {
        "game": title.game.name,
        "players": args.players,
        "policies": names,
        "options": options,
        "seed": args.seed,
        "games": len(played),
        "actions": actions,
        "actions_per_second": round(actions / sum(each.seconds for each in played), 1),
        "endings": dict(sorted(Counter(each.outcome.ending for each in played).items())),
        "invariant_failures": len(broken),
        "wins": [winners[seat] for seat in range(args.players)],
        "final_scores": [each.outcome.scores for each in played],
        "mean_rounds": round(fmean(each.rounds for each in played), 2),
        "mean_decisions": round(actions / len(played), 2),
    }
    sys.stdout.write(as_json(summary) if args.json else _as_text(summary))
    return FAILURE if broken else OK


def simulated(
    game: AnyGame, seated: Sequence[ComputerPlayer], options: Mapping[str, str], rng: Random
) -> SimulatedGame:
    broken: list[str] = []
    actions, seconds = -1, 0.0  # The set-up does not count.
    state: Any = None
    steps = play(game, seated, options, rng)
    while True:
        started = perf_counter()
        played = next(steps, None)
        seconds += perf_counter() - started
        if played is None:
            break
        actions += 1
        state = played.state
        broken += (f"action {actions}: {line}" for line in game.invariants(state))
    outcome = game.outcome(state)
    assert outcome is not None, "a game without decisions is over"
    return SimulatedGame(outcome, actions, state.round, seconds, broken)


def _as_text(result: Mapping[str, Any]) -> str:
    endings = ", ".join(f"{name} {count}" for name, count in result["endings"].items())
    return (
        f"{result['games']} games of {result['game']} with {result['players']} players:"
        f" {result['actions']} actions, {result['actions_per_second']:.0f} a second\n"
        f"rounds {result['mean_rounds']}, decisions {result['mean_decisions']};"
        f" ended by: {endings}\n"
        f"wins by seat: {', '.join(map(str, result['wins']))}\n"
        f"broken invariants: {result['invariant_failures']}\n"
    )
