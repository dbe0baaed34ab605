"""Search for better weights of a game's computer player, by games against the normal one.

The search is CMA-ES (N. Hansen): it varies the weights by factors, and all candidates of a
generation play the same mirrored deals. The best weights are tested on fresh deals, and printed as
a table for data/<game>/weights.toml.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from math import exp, tanh
from multiprocessing import get_context
from statistics import fmean
from time import monotonic
from typing import Any, TypeVar

import cmaes  # type: ignore[import-untyped]  # It has types, but no py.typed.
import msgspec
import numpy as np

from bot.policy.contract import NORMAL
from bot.titles import TITLES
from bot.titles.title import Title
from bot.tools.arena import ArenaGame, match, results_text
from bot.tools.playing import ComputerPlayer
from tools.arguments import parsed, parser_for

CLOSE = 10.0
"""The lead in points beyond which a larger one hardly counts."""
TUNED = "tuned"
"""The name of the table that is printed."""

W = TypeVar("W", bound=msgspec.Struct)


def main(argv: Sequence[str] | None = None) -> None:
    """Search until the time is up, and print the best weights."""
    judged_by = {name: each.judgement for name, each in TITLES.items() if each.judgement}
    parser = parser_for("tune", __doc__, judged_by)
    parser.add_argument(
        "--begin", metavar="NAME", help="weights to start from (the normal player's)"
    )
    parser.add_argument(
        "--step",
        type=float,
        default=0.25,
        metavar="L",
        help="step size, as a logarithm of the factor (0.25)",
    )
    parser.add_argument(
        "--deals", type=int, default=12, metavar="K", help="deals per generation (12)"
    )
    parser.add_argument("--seconds", type=float, default=600, metavar="T", help="time limit (600)")
    parser.add_argument(
        "--check", type=int, default=200, metavar="K", help="fresh deals for the final test (200)"
    )
    args = parsed(parser, argv, "deals", "check")
    title, judgement = TITLES[args.game], judged_by[args.game]
    known = judgement.weights
    start = args.begin or judgement.weights_name(args.players)
    if start not in known:
        parser.error(f"There are no weights {start!r}. Choose one of: {', '.join(known)}.")
    if args.step <= 0:
        parser.error("--step must be more than 0.")

    base = known[start]
    search = cmaes.CMA(mean=np.zeros(size(base)), sigma=args.step, seed=args.seed)
    with ProcessPoolExecutor(args.jobs, get_context("spawn")) as pool:
        until, generation = monotonic() + args.seconds, 0
        while monotonic() < until and not search.should_stop():
            asked = [search.ask() for _ in range(search.population_size)]
            seeds = [f"{args.seed}:{generation}:{deal}" for deal in range(args.deals)]
            worth_of = partial(score_of, title, args.players, base, seeds)
            found = list(pool.map(worth_of, [each.tolist() for each in asked]))
            search.tell([(each, -score) for each, score in zip(asked, found, strict=True)])
            generation += 1
            sys.stderr.write(f"{generation}: {fmean(found):+.3f}, best {max(found):+.3f}\n")
        best = varied(base, search.mean.tolist())
        fresh = [[f"{args.seed}:check:{deal}"] for deal in range(args.check)]
        checked = pool.map(partial(mirrored, title, args.players, best), fresh)
        played = [game for games in checked for game in games]
    print(f"# On fresh deals: {results_text(played)}\n{as_toml(TUNED, best)}", end="")


def score_of(
    title: Title,
    players: int,
    base: msgspec.Struct,
    seeds: Sequence[str],
    logs: Sequence[float],
) -> float:
    """Return the score of weights: games won, and a part for the lead in points."""
    played = mirrored(title, players, varied(base, logs), seeds)
    return fmean(tanh((each.points - each.best_other) / CLOSE) + each.won for each in played)


def mirrored(
    title: Title, players: int, weights: msgspec.Struct, seeds: Sequence[str]
) -> list[ArenaGame]:
    """Play mirrored games of a player with these weights against normal ones."""
    assert title.judgement is not None
    judged = ComputerPlayer(title.judgement.player(weights))
    others = ComputerPlayer(title.players[NORMAL])
    return [
        match(title.game, players, judged, others, {}, seed, seat)
        for seed in seeds
        for seat in range(players)
    ]


def varied(weights: W, logs: Sequence[float]) -> W:
    """Return the weights multiplied by the exponentials of `logs`, in the order of the fields.

    A zero stays zero.
    """
    factors = iter(logs)
    found = _each(msgspec.to_builtins(weights), lambda number: number * exp(next(factors)))
    return msgspec.convert(found, type(weights))


def size(weights: msgspec.Struct) -> int:
    """Return how many numbers the weights have."""
    return sum(1 for _ in _numbers(msgspec.to_builtins(weights)))


def as_toml(name: str, weights: msgspec.Struct, places: int = 3) -> str:
    """Return the weights as a TOML table."""
    found = _each(msgspec.to_builtins(weights), lambda number: round(number, places))
    lines, tables = [f"[{name}]"], []
    for key, value in found.items():
        if isinstance(value, dict):
            inner = [f"{each} = {number}" for each, number in value.items()]
            tables += ["", f"[{name}.{key}]", *inner]
        else:
            lines.append(f"{key} = {list(value) if isinstance(value, list | tuple) else value}")
    return "\n".join([*lines, *tables, ""])


def _each(value: Any, change: Callable[[float], float]) -> Any:
    if isinstance(value, dict):
        return {key: _each(inner, change) for key, inner in value.items()}
    if isinstance(value, list | tuple):
        return [_each(inner, change) for inner in value]
    return change(float(value))


def _numbers(value: Any) -> Iterator[float]:
    if isinstance(value, dict | list | tuple):
        for inner in value.values() if isinstance(value, dict) else value:
            yield from _numbers(inner)
    else:
        yield float(value)


if __name__ == "__main__":
    main()
