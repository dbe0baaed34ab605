"""That pictures follow from what an observer may know, and from nothing else, in any game."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable, Mapping
from pathlib import Path
from random import Random

from bot.game.chance import KeyedChance
from bot.game.choices import Done
from bot.game.contract import SPECTATOR, Action, AnyGame, Event
from bot.render import png

NAMES = ("Anna", "Bert", "Chloé", "Dörte")


def draws_twins_alike(
    game: AnyGame,
    draw: Callable[..., bytes],
    seats: int,
    options: Mapping[str, str],
    moves: int,
    is_drawn: Callable[[int], bool],
) -> bool:
    """Plays at random and draws before some moves, also a state that the observer cannot tell
    from the true one; gives whether the game has ended, where its last state is drawn."""
    rng, names = Random(seats), NAMES[:seats]
    chance = KeyedChance(bytes([seats] * 32))
    state = game.setup(seats, options, chance)
    events: list[Event] = []
    for move in range(moves):
        asked = [each for each in game.pending(state) if not each.optional]
        if is_drawn(move) or not asked:
            for observer in (SPECTATOR, seats - 1):
                heard = [event for event in events if event.heard_by(observer)]
                other = game.resample(state, observer, rng)
                real, twin = (
                    png.contents(draw(game.view(each, observer), names, heard))
                    for each in (state, other)
                )
                assert real == twin
            events = []
        if not asked:
            return True
        seat = asked[0].seat
        action: Action = ()
        while not isinstance(choices := game.legal(state, seat, action), Done):
            action += (choices.sample(rng),)
        events += game.apply(state, seat, action, chance)
    return False


def printed_elsewhere(program: str, hash_seed: str) -> list[str]:
    """The words that another process prints, whose hashes of strings are others."""
    there = subprocess.run(
        [sys.executable, "-c", program],
        env={**os.environ, "PYTHONHASHSEED": hash_seed},
        cwd=Path(__file__).parents[2],
        capture_output=True,
        text=True,
        check=True,
    )
    return there.stdout.split()
