"""The Castles of Burgundy as a `Game`: the contract's functions over the rules of this package."""

from __future__ import annotations

from collections.abc import Mapping
from random import Random

from bot.game.burgundy import ending, invariants, views
from bot.game.burgundy.boards import BOARDS
from bot.game.burgundy.setup import set_up
from bot.game.burgundy.state import BurgundyState
from bot.game.burgundy.turn import TURNS
from bot.game.burgundy.view import BurgundyView
from bot.game.contract import Chance, Observer, Option, Outcome, Seat
from bot.game.events import GameEnded, TurnEnded, kinds_of
from bot.game.turns import RuledGame


class Burgundy(RuledGame[BurgundyState, BurgundyView]):
    """The rules of The Castles of Burgundy.

    No action discloses anything: apart from draws, everything lies open when it is moved; piles of
    sold goods are hidden only from those who have forgotten what was sold.

    In events `tile`, `colour`, `depot`, `space`, `good` and `die` are words of the notation (a die
    used freely is ``any``); `spent` are workers paid for a die.
    """

    name = "burgundy"
    version = 2
    seats = (2, 3, 4)
    options = (
        Option("boards", ("beginner", "random", "choose", *map(str, BOARDS))),
        Option("ties", ("fullest", "emptiest")),
        Option("sold_goods", ("open", "hidden")),
    )
    events = kinds_of("bot.game.burgundy", TurnEnded, GameEnded)
    turns = TURNS
    state = BurgundyState

    def begin(self, seats: int, options: Mapping[str, str], chance: Chance) -> BurgundyState:
        """See `bot.game.burgundy.setup.set_up`."""
        return set_up(seats, options, chance)

    def seen_by(self, state: BurgundyState, observer: Observer) -> BurgundyView:
        """See `bot.game.burgundy.views.view`."""
        return views.view(state, observer)

    def mix(self, state: BurgundyState, observer: Observer, rng: Random) -> None:
        """See `bot.game.burgundy.views.mix`."""
        views.mix(state, observer, rng)

    def outcome(self, state: BurgundyState) -> Outcome | None:
        """See `bot.game.burgundy.ending.outcome`."""
        return ending.outcome(state)

    def hand(self, state: BurgundyState, seat: Seat) -> object:
        """Storage, goods, workers and silverlings; nobody else can change them."""
        player = state.players[seat]
        return player.storage, player.goods, player.workers, player.silverlings

    def invariants(self, state: BurgundyState) -> list[str]:
        """See `bot.game.burgundy.invariants.invariants`."""
        return invariants.invariants(state)


GAME = Burgundy()
"""The one instance; it holds no state of any table."""
