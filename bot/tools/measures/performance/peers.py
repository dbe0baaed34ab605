"""How fast other programs are at what this one does, on the same machine and in the same run.

It runs by a Python that has these programs, and nothing of this one:

    python -m venv peers && peers/bin/pip install catanatron chess cairosvg
    python -m bot bench --growth --peers peers/bin/python
"""

import json
import random
from statistics import median
from time import perf_counter

RUNS = 7
GAMES = 8
"""Games of a run."""
PICTURES = 15
MOVES = 20
"""Moves before the position that is drawn."""
SIZE = 1000
"""Of a picture, in pixels."""


def catanatron() -> tuple[float, float]:
    """Actions a second: of random games of four players, each checked, and of the same games
    carried out again as they were recorded, unchecked."""
    from catanatron import (  # type: ignore[import-not-found, unused-ignore]
        Color,
        Game,
        RandomPlayer,
    )

    players = [RandomPlayer(each) for each in (Color.RED, Color.BLUE, Color.WHITE, Color.ORANGE)]
    played, replayed = [], []
    for run in range(RUNS + 1):
        games = []
        random.seed(run)
        started = perf_counter()
        for number in range(GAMES):
            game = Game(players, seed=1000 * run + number)
            fresh = game.copy()
            game.play()
            games.append((fresh, game.state.actions))
        actions = sum(len(done) for _, done in games)
        played.append(actions / (perf_counter() - started))
        started = perf_counter()
        for fresh, done in games:
            for action in done:
                # With what the dice showed it is none that could be chosen.
                fresh.execute(action, validate_action=False)
        replayed.append(actions / (perf_counter() - started))
    return median(played[1:]), median(replayed[1:])


def chess_board() -> tuple[float, float]:
    """ms and KiB of the picture of a position, as bots for chess draw it."""
    import cairosvg  # type: ignore[import-not-found, unused-ignore]
    import chess  # type: ignore[import-not-found, unused-ignore]
    import chess.svg  # type: ignore[import-not-found, unused-ignore]

    times, sizes, rng = [], [], random.Random(1)
    for _ in range(PICTURES):
        board = chess.Board()
        for _ in range(MOVES):
            board.push(rng.choice(list(board.legal_moves)))
        started = perf_counter()
        picture = cairosvg.svg2png(chess.svg.board(board, size=SIZE).encode())
        times.append(1000 * (perf_counter() - started))
        sizes.append(len(picture) / 1024)
    return median(times), median(sizes)


if __name__ == "__main__":
    actions, again = catanatron()
    ms, kib = chess_board()
    figures = {
        "catanatron_actions_per_second": actions,
        "catanatron_replayed": again,
        "chess_board_ms": ms,
        "chess_board_kib": kib,
    }
    print(json.dumps(figures))  # noqa: T201
