"""The Castles of Burgundy as a `Game`: the contract's functions over the rules of this package."""

from __future__ import annotations

from bot.game.burgundy.boards import BOARDS
from bot.game.burgundy.ending import outcome
from bot.game.burgundy.imagining import imagine
from bot.game.burgundy.invariants import invariants
from bot.game.burgundy.setup import set_up
from bot.game.burgundy.state import BurgundyState
from bot.game.burgundy.turn import TURNS, TURNS_2
from bot.game.burgundy.view import BurgundyView
from bot.game.burgundy.views import mix, view
from bot.game.contract import Option, Seat
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
    version = 3
    seats = (2, 3, 4)
    options = (
        Option("boards", ("beginner", "random", "choose", *map(str, BOARDS))),
        Option("ties", ("fullest", "emptiest")),
        Option("sold_goods", ("open", "hidden")),
    )
    events = kinds_of("bot.game.burgundy", TurnEnded, GameEnded)
    turns = TURNS
    state = BurgundyState

    begin = staticmethod(set_up)
    seen_by = staticmethod(view)
    imagine = staticmethod(imagine)
    mix = staticmethod(mix)
    outcome = staticmethod(outcome)
    invariants = staticmethod(invariants)

    def hand(self, state: BurgundyState, seat: Seat) -> object:
        """Storage, goods, workers and silverlings; nobody else can change them."""
        player = state.players[seat]
        return player.storage, player.goods, player.workers, player.silverlings


class Burgundy2(Burgundy):
    """Version 2, by which the last turn of a round rolls the next one at once."""

    version = 2
    turns = TURNS_2


GAME, GAME_2 = Burgundy(), Burgundy2()
"""The instances; they hold no state of any table."""
