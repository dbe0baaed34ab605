"""Flandern 1302 as a `Game`: the contract's functions over the rules of this package."""

from __future__ import annotations

from bot.game.chance import RecordedChance
from bot.game.contract import Action, Observer, Option, Seat
from bot.game.events import GameEnded, TurnEnded, kinds_of
from bot.game.flandern.cards import card_action, deal
from bot.game.flandern.city import NONE
from bot.game.flandern.data import GOLDEN, TAKE
from bot.game.flandern.ending import outcome
from bot.game.flandern.invariants import invariants
from bot.game.flandern.places import has_way
from bot.game.flandern.setup import set_up
from bot.game.flandern.state import CityAction, FlandernState, SiteAction, two_players
from bot.game.flandern.turn import TURNS
from bot.game.flandern.view import FlandernView
from bot.game.flandern.views import view
from bot.game.grammar import EventRecorder
from bot.game.turns import RuledGame


class Flandern(RuledGame[FlandernState, FlandernView]):
    """The rules of Flandern 1302.

    Secret are cards laid out before all are revealed, and the golden card before its phase. In
    events `place`, `tile`, `card`, `city`, `guild` and `emblem` are words of the notation.
    """

    name = "flandern"
    version = 1
    seats = (2, 3, 4)
    options = (
        Option("guilds", ("chosen", "drawn")),
        Option("first_player", ("drawn", "first_seat")),
        Option("golden_cities", tuple(map(str, GOLDEN))),
        Option("bonus", ("some", "any")),
    )
    events = kinds_of("bot.game.flandern", TurnEnded, GameEnded)
    turns = TURNS
    state = FlandernState

    begin = staticmethod(set_up)
    deal = staticmethod(deal)
    outcome = staticmethod(outcome)
    invariants = staticmethod(invariants)

    def seen_by(self, state: FlandernState, observer: Observer) -> FlandernView:
        """The old view."""
        return view(state, observer, self.known(state, observer))

    def hand(self, state: FlandernState, seat: Seat) -> object:
        """The seat's action cards, out of which that of a city goes when it is scored."""
        player = state.players[seat]
        return sorted([*player.hand, *player.open])

    def discloses(self, state: FlandernState, action: Action) -> bool:
        """An action after which nobody else has one, so that the golden card is revealed: all know
        who is still to act, and whether their cards can do anything."""
        frame = state.frames[-1]
        if two_players(state) or not isinstance(frame, (CityAction, SiteAction)) or frame.golden:
            return False
        if state.golden_card == NONE:
            return False
        after = self.decode(self.encode(state))
        known = self.turns.rule_of(after, after.turn, action)
        known.perform(after, after.turn, EventRecorder(RecordedChance(())), *action[1:])
        others = (after.players[seat] for seat in after.order[after.acted :])
        return not any(
            other.card != TAKE and has_way(after, card_action(other.card, other.guild))
            for other in others
        )


GAME = Flandern()
"""The one instance; it holds no state of any table."""
