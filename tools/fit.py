"""Fits what a search expects of positions, by games of normal players.

At moments of such games, in which some of the moves are the easy player's, everything that the
strong player would think about is tried with the same luck and played on to where a search judges,
and then to the end. What counts is which of the things that could be done at one moment led to
more: by least squares, how many more points than the others a seat ended with for each more that it
then had. What a seat has anyhow, whatever it does, tells nothing. What comes out as harmful is left
out. The result is printed as a table for data/<game>/weights.toml.
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

LOOKED_AT = 0.12
"""At how many of the decisions of a game."""
LAPSES = 0.2
"""How many of the moves are the easy player's."""
FITTED = "rating"
"""The name of the table that is printed."""

Row = tuple[float, ...]
"""The lead at the end, and by how much more the seat had of each holding than the others."""


def main(argv: Sequence[str] | None = None) -> None:
    """Plays, and prints a table."""
    fitted_by = {name: each.judgement for name, each in TITLES.items() if each.judgement}
    games_of = [name for name, judgement in fitted_by.items() if judgement.counted]
    parser = parser_for("fit", __doc__, games_of)
    parser.add_argument("--games", type=int, default=200, metavar="K", help="so many games (200)")
    args = parsed(parser, argv, "games")
    title = TITLES[args.game]

    seeds = [f"{args.seed}:{game}" for game in range(args.games)]
    with ProcessPoolExecutor(args.jobs, get_context("spawn")) as pool:
        games = list(pool.map(partial(moments, title, args.players), seeds))
    found = [moment for game in games for moment in game]
    if len(found) < 2:
        sys.exit("These games had no moments to compare. Play more of them.")
    apart = [fitted(found[half::2]) for half in (0, 1)]
    agreement = fmean(_goes_with(apart[half], found[1 - half :: 2]) for half in (0, 1))
    print(
        f"# {len(found)} moments of {args.games} games of {args.players}: fitted to half of them,"
        f" it goes with the others by a correlation of {agreement:.3f}\n[[{FITTED}]]"
    )
    for name, weight in zip(fitted_by[args.game].counted, fitted(found), strict=True):
        print(f"{name} = {weight:.2f}")


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


def fitted(found: Sequence[Sequence[Row]]) -> list[float]:
    """The weight of each holding, none below 0."""
    rows = _apart(found)
    weights = np.zeros(rows.shape[1] - 1)
    kept = np.arange(len(weights))
    while len(kept):
        weights[:] = 0.0
        weights[kept] = np.linalg.lstsq(rows[:, 1 + kept], rows[:, 0], rcond=None)[0]
        if weights.min() >= 0.0:
            break
        kept = np.delete(kept, weights[kept].argmin())
    return [float(weight) for weight in weights]


def _led_to(
    judgement: Judgement[Any], state: Any, seat: Seat, action: Action, rng: Random
) -> tuple[Any, Any] | None:
    """The state by which an action would be judged, and where the game then ended; None where it
    had ended before."""
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
        states = _led_to(judgement, state, seat, action, Random(seed))
        if states is None:
            continue
        judged, ended = states
        outcome = game.outcome(ended)
        assert outcome is not None, "games are played to their ends"
        columns = [outcome.scores, *zip(*judgement.holdings(judged), strict=True)]
        rows.append(tuple(_ahead(column, seat) for column in columns))
    return rows


def _ahead(column: Sequence[float], seat: int) -> float:
    return column[seat] - fmean(value for other, value in enumerate(column) if other != seat)


def _apart(found: Sequence[Sequence[Row]]) -> Any:
    """All rows, each as it differs from the mean of its moment."""
    moments = [np.array(rows) for rows in found]
    return np.vstack([rows - rows.mean(axis=0) for rows in moments])


def _goes_with(weights: Sequence[float], found: Sequence[Sequence[Row]]) -> float:
    rows = _apart(found)
    return float(np.corrcoef(rows[:, 1:] @ np.array(weights), rows[:, 0])[0, 1])


if __name__ == "__main__":
    main()
