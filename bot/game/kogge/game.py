"""Kogge as a `Game`: the contract's functions over the rules of this package."""

from __future__ import annotations

from random import Random

from bot.game.contract import Observer, Option, Seat
from bot.game.events import GameEnded, TurnEnded, kinds_of
from bot.game.kogge.blanks import deal
from bot.game.kogge.disclosing import discloses
from bot.game.kogge.ending import outcome
from bot.game.kogge.invariants import invariants
from bot.game.kogge.setup import set_up
from bot.game.kogge.state import KoggeState
from bot.game.kogge.turn import TURNS
from bot.game.kogge.view import KoggeView
from bot.game.kogge.views import view
from bot.game.turns import RuledGame


class Kogge(RuledGame[KoggeState, KoggeView]):
    """The rules of Kogge."""

    name = "kogge"
    version = 2
    seats = (2, 3, 4)
    options = (
        Option("edition", ("english", "italian")),
        Option("office_price", ("edition", "both", "either")),
        Option("failed_route", ("edition", "uses_step", "keeps_step")),
        Option("goods", ("markers", "open", "hidden")),
        Option("taxes", ("off", "on")),
        Option("offices", ("off", "on")),
        Option("conflicts", ("off", "on")),
        Option("memory", ("off", "on")),
        Option("memory_fur", ("edition", "two", "three")),
    )
    events = kinds_of("bot.game.kogge", TurnEnded, GameEnded)
    turns = TURNS
    state = KoggeState

    begin = staticmethod(set_up)
    deal = staticmethod(deal)
    outcome = staticmethod(outcome)
    invariants = staticmethod(invariants)
    discloses = staticmethod(discloses)

    def seen_by(self, state: KoggeState, observer: Observer) -> KoggeView:
        """See `KoggeView`."""
        return view(state, observer, self.known(state, observer))

    def imagine(self, view: KoggeView, rng: Random) -> KoggeState:
        """See `RuledGame`."""
        state = self.decode(self.encode(view.known))
        deal(state, view.observer, rng)
        return state

    def hand(self, state: KoggeState, seat: Seat) -> object:
        """The seat's goods and markers, and the goods in its offices."""
        player = state.players[seat]
        offices = [
            office.goods for city in state.cities for office in city.offices if office.seat == seat
        ]
        return player.goods, player.markers, offices


GAME = Kogge()
"""The one instance; it holds no state of any table."""
