"""Kogge as a `Game`: the contract's functions over the rules of this package."""

from __future__ import annotations

from collections.abc import Mapping
from random import Random

from bot.game.contract import Action, Chance, Observer, Option, Outcome, Seat
from bot.game.events import GameEnded, TurnEnded, kinds_of
from bot.game.kogge import disclosing, ending, invariants, resampling, views
from bot.game.kogge.setup import rules_of, set_up
from bot.game.kogge.state import KoggeState
from bot.game.kogge.turn import TURNS
from bot.game.kogge.view import KoggeView
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

    def begin(self, seats: int, options: Mapping[str, str], chance: Chance) -> KoggeState:
        """A new table, up to the founding."""
        return set_up(seats, rules_of(options), chance)

    def seen_by(self, state: KoggeState, observer: Observer) -> KoggeView:
        """See `bot.game.kogge.views.view`."""
        return views.view(state, observer)

    def hand(self, state: KoggeState, seat: Seat) -> object:
        """The seat's goods and markers, and the goods in its offices."""
        player = state.players[seat]
        offices = [
            office.goods for city in state.cities for office in city.offices if office.seat == seat
        ]
        return player.goods, player.markers, offices

    def discloses(self, state: KoggeState, action: Action) -> bool:
        """See `bot.game.kogge.disclosing.discloses`."""
        return disclosing.discloses(state, action)

    def mix(self, state: KoggeState, observer: Observer, rng: Random) -> None:
        """See `bot.game.kogge.resampling.mix`."""
        resampling.mix(state, observer, rng)

    def outcome(self, state: KoggeState) -> Outcome | None:
        """See `bot.game.kogge.ending.outcome`."""
        return ending.outcome(state)

    def invariants(self, state: KoggeState) -> list[str]:
        """See `bot.game.kogge.invariants.invariants`."""
        return invariants.invariants(state)


GAME = Kogge()
"""The one instance; it holds no state of any table."""
