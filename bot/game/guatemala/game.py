"""Guatemala Café as a `Game`: the contract's functions over the rules of this package."""

from __future__ import annotations

from bot.game.contract import Action, Option, Seat
from bot.game.events import GameEnded, TurnEnded, kinds_of
from bot.game.guatemala.data import CONTENT
from bot.game.guatemala.ending import outcome
from bot.game.guatemala.imagining import imagine
from bot.game.guatemala.invariants import invariants
from bot.game.guatemala.sacks import REFILL
from bot.game.guatemala.setup import set_up
from bot.game.guatemala.state import GuatemalaState
from bot.game.guatemala.turn import TURNS
from bot.game.guatemala.view import GuatemalaView
from bot.game.guatemala.views import mix, view
from bot.game.turns import RuledGame


class Guatemala(RuledGame[GuatemalaState, GuatemalaView]):
    """The rules of Guatemala Café.

    Secret are the colours of sacks in hands and in the bag, and answers about a block that came to
    nothing. In events `colour`, `space`, `place`, `position` and `port` are words of the notation.
    """

    name = "guatemala"
    version = 1
    seats = (2, 3, 4)
    options = (
        Option("setup", ("printed", "random")),
        Option("track", tuple(map(str, CONTENT.tracks))),
    )
    events = kinds_of("bot.game.guatemala", TurnEnded, GameEnded)
    turns = TURNS
    state = GuatemalaState

    begin = staticmethod(set_up)
    seen_by = staticmethod(view)
    imagine = staticmethod(imagine)
    mix = staticmethod(mix)
    outcome = staticmethod(outcome)
    invariants = staticmethod(invariants)

    def hand(self, state: GuatemalaState, seat: Seat) -> object:
        """The seat's sacks, one of which a block takes when somebody else's answer settles it."""
        return state.players[seat].hand

    def discloses(self, state: GuatemalaState, action: Action) -> bool:
        """A sack out of a hand; answers about a block are sealed."""
        return action[0] == REFILL.move.kind


GAME = Guatemala()
"""The one instance; it holds no state of any table."""
