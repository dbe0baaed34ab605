"""The Castles of Burgundy as a `Game`: the contract's functions over the rules of this package."""

from __future__ import annotations

from collections.abc import Mapping
from random import Random

from bot.game.burgundy import ending, invariants, views
from bot.game.burgundy.boards import BOARDS
from bot.game.burgundy.events import EVENTS
from bot.game.burgundy.setup import set_up
from bot.game.burgundy.state import State
from bot.game.burgundy.turn import TURNS
from bot.game.burgundy.view import View
from bot.game.contract import Chance, Observer, Option, Outcome, Seat
from bot.game.turns import RuledGame


class Burgundy(RuledGame[State, View]):
    """The rules of The Castles of Burgundy.

    No action discloses anything: what is drawn apart, all lies open when it is moved; piles of
    sold goods are hidden only from those who have forgotten what was sold.
    """

    name = "burgundy"
    version = 2
    seats = (2, 3, 4)
    options = (
        Option("boards", ("beginner", "random", "choose", *map(str, BOARDS))),
        Option("ties", ("fullest", "emptiest")),
        Option("sold_goods", ("open", "hidden")),
    )
    events = EVENTS
    turns = TURNS
    state = State

    def begin(self, seats: int, options: Mapping[str, str], chance: Chance) -> State:
        """See `bot.game.burgundy.setup.set_up`."""
        return set_up(seats, options, chance)

    def seen_by(self, state: State, observer: Observer) -> View:
        """See `bot.game.burgundy.views.view`."""
        return views.view(state, observer)

    def mix(self, state: State, observer: Observer, rng: Random) -> None:
        """See `bot.game.burgundy.views.mix`."""
        views.mix(state, observer, rng)

    def outcome(self, state: State) -> Outcome | None:
        """See `bot.game.burgundy.ending.outcome`."""
        return ending.outcome(state)

    def hand(self, state: State, seat: Seat) -> object:
        """Storage, goods, workers and silverlings; nobody else can change them."""
        player = state.players[seat]
        return player.storage, player.goods, player.workers, player.silverlings

    def invariants(self, state: State) -> list[str]:
        """See `bot.game.burgundy.invariants.invariants`."""
        return invariants.invariants(state)


GAME = Burgundy()
"""The one instance; it holds no state of any table."""
