"""Random states that an observer cannot tell from the real one."""

from __future__ import annotations

from random import Random

from bot.game.burgundy.boards import SPACE_OF_NAME
from bot.game.burgundy.data import SIDES
from bot.game.burgundy.setup import castle_spaces
from bot.game.burgundy.state import NONE, Castles, Over, State
from bot.game.contract import Observer

EXCHANGES = 40


def mix(state: State, observer: Observer, rng: Random) -> None:
    """Exchange what the observer does not know for something as possible.

    Secret are castles that have not been revealed, and, where sold goods are hidden, what the
    sold goods of others are and with them what is left in the bag.
    """
    frame = state.frames[-1]
    if isinstance(frame, Castles):
        for seat, chosen in enumerate(frame.chosen):
            if seat != observer and chosen != NONE:
                frame.chosen[seat] = SPACE_OF_NAME[castle_spaces(state, seat).sample(rng)]
    if state.rules.hidden and not isinstance(frame, Over):
        _mix_sold_goods(state, observer, rng)


def _mix_sold_goods(state: State, observer: Observer, rng: Random) -> None:
    """Goods change places between the piles of others and the bag, one for one."""
    piles = [state.bag]
    piles += [player.sold for seat, player in enumerate(state.players) if seat != observer]
    piles = [pile for pile in piles if any(pile)]
    if len(piles) < 2:
        return
    for _ in range(EXCHANGES):
        one, other = rng.sample(piles, 2)
        there = rng.choices(range(SIDES), one)[0]
        back = rng.choices(range(SIDES), other)[0]
        one[there] -= 1
        other[there] += 1
        other[back] -= 1
        one[back] += 1
