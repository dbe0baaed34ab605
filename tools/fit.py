"""Fit the weights of a search's ratings of positions to games of normal players.

Some of the moves in these games are the easy player's. At sampled decisions, each candidate of the
strong player is tried with the same luck, played on to where a search rates positions, and then to
the end of the game. Least squares compare the candidates of one decision: how much lead at the end
does each unit of a holding bring? Holdings that all candidates share have no influence. Holdings
with a negative weight are left out. The result is printed as a table for data/<game>/weights.toml.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from multiprocessing import get_context
from random import Random
from statistics import fmean
from typing import Any

import numpy as np

from bot.game.contract import Action, Decision, Seat
from bot.policy.contract import EASY, NORMAL, Judgement, Legal
from bot.policy.search import Search
from bot.titles import TITLES
from bot.titles.title import Title
from bot.tools.playing import ComputerPlayer, play
from tools.arguments import parsed, parser_for

SAMPLED = 0.12
"""The share of decisions that are sampled."""
LAPSES = 0.2
"""The share of moves by the easy player."""
FITTED = "rating"
"""The name of the table that is printed."""

Row = tuple[float, ...]
"""The lead at the end, and the lead in each holding before."""


def main(argv: Sequence[str] | None = None) -> None:
    """Play games, and print a table of weights."""
    fitted_by = {name: each.judgement for name, each in TITLES.items() if each.judgement}
    games_of = [name for name, judgement in fitted_by.items() if judgement.counted]
    parser = parser_for("fit", __doc__, games_of)
    parser.add_argument("--games", type=int, default=200, metavar="K", help="number of games (200)")
    args = parsed(parser, argv, "games")
    title = TITLES[args.game]

    seeds = [f"{args.seed}:{game}" for game in range(args.games)]
    with ProcessPoolExecutor(args.jobs, get_context("spawn")) as pool:
        games = list(pool.map(partial(sampled, title, args.players), seeds))
    samples = [moment for game in games for moment in game]
    if len(samples) < 2:
        sys.exit("These games had no moments to compare. Play more of them.")
    halves = [fitted(samples[half::2]) for half in (0, 1)]
    agreement = fmean(_correlation(halves[half], samples[1 - half :: 2]) for half in (0, 1))
    print(
        f"# {len(samples)} moments of {args.games} games of {args.players}: fitted to half of them,"
        f" it goes with the others by a correlation of {agreement:.3f}\n[[{FITTED}]]"
    )
    for name, weight in zip(fitted_by[args.game].counted, fitted(samples), strict=True):
        print(f"{name} = {weight:.2f}")


def sampled(title: Title, players: int, seed: str) -> list[list[Row]]:
    """Play one game; return a row for each candidate of each sampled decision."""

    def lapsing(view: Any, decision: Decision, legal: Legal, rng: Random) -> Action:
        name = EASY if rng.random() < LAPSES else NORMAL
        return title.players[name](view, decision, legal, rng)

    game, rng, samples = title.game, Random(seed), []
    for played in play(game, [ComputerPlayer(lapsing)] * players, {}, rng):
        asked = [each for each in game.pending(played.state) if not each.optional]
        if asked and rng.random() < SAMPLED:
            samples.append(_tried(title, played.state, asked[0], rng.getrandbits(64)))
    return [rows for rows in samples if len(rows) > 1]


def fitted(samples: Sequence[Sequence[Row]]) -> list[float]:
    """Return the weight of each holding, at least 0."""
    rows = _centred(samples)
    weights = np.zeros(rows.shape[1] - 1)
    active = np.arange(len(weights))
    while len(active):
        weights[:] = 0.0
        weights[active] = np.linalg.lstsq(rows[:, 1 + active], rows[:, 0], rcond=None)[0]
        if weights.min() >= 0.0:
            break
        active = np.delete(active, weights[active].argmin())
    return [float(weight) for weight in weights]


def _outcome_of(
    judgement: Judgement[Any], state: Any, seat: Seat, action: Action, rng: Random
) -> tuple[Any, Any] | None:
    """Return the state by which a search would rate an action, and the state at the game's end.

    Return None if the game is over in the first of them.
    """
    game, search = judgement.game, Search(judgement, seat, sys.maxsize)
    judged = game.decode(game.encode(state))
    search.begin(judged, action, rng)
    search.play_on(judged, rng, search.last_round(state))
    if game.outcome(judged) is not None:
        return None
    ended = game.decode(game.encode(judged))
    search.play_on(ended, rng, sys.maxsize)
    return judged, ended


def _tried(title: Title, state: Any, decision: Decision, seed: int) -> list[Row]:
    game, judgement, seat = title.game, title.judgement, decision.seat
    assert judgement is not None
    view, legal = game.view(state, seat), game.walk(state, seat)
    rows = []
    for action in dict.fromkeys(judgement.candidates(view, decision, legal)):
        states = _outcome_of(judgement, state, seat, action, Random(seed))
        if states is None:
            continue
        judged, ended = states
        outcome = game.outcome(ended)
        assert outcome is not None, "games are played to their ends"
        columns = [outcome.scores, *zip(*judgement.holdings(judged), strict=True)]
        rows.append(tuple(_lead(column, seat) for column in columns))
    return rows


def _lead(column: Sequence[float], seat: int) -> float:
    return column[seat] - fmean(value for other, value in enumerate(column) if other != seat)


def _centred(samples: Sequence[Sequence[Row]]) -> Any:
    """Return all rows, each relative to the mean of its decision."""
    decisions = [np.array(rows) for rows in samples]
    return np.vstack([rows - rows.mean(axis=0) for rows in decisions])


def _correlation(weights: Sequence[float], samples: Sequence[Sequence[Row]]) -> float:
    rows = _centred(samples)
    return float(np.corrcoef(rows[:, 1:] @ np.array(weights), rows[:, 0])[0, 1])


if __name__ == "__main__":
    main()
