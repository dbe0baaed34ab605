"""What a seat judges a table by, in the numbers of the rules: out of its view, or of an imagined
state."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from bot.game.contract import Seat
from bot.game.flandern.city import NONE, FlandernCity
from bot.game.flandern.data import CARD_OF_KEY, EMBLEM_OF_KEY
from bot.game.flandern.plan import CITY_OF_NAME
from bot.game.flandern.state import CityAction, FlandernState, SiteAction, TwoActions
from bot.game.flandern.view import FlandernView
from bot.game.sides import clockwise


class FlandernSituation(NamedTuple):
    """The table as a seat knows it; cards, emblems and cities are numbers."""

    seat: Seat
    cities: Sequence[FlandernCity | None]
    stock: Sequence[Sequence[int]]
    """By emblem and kind of quarter."""
    sites: int
    """Site pieces in the supply."""
    guilds: Sequence[Sequence[int]]
    """By seat, those that score for it, its own first."""
    lying: Sequence[Sequence[int]]
    """By seat, the action cards that lie open."""
    hand: Sequence[int]
    influence: int
    order: Sequence[Seat]
    golden: int
    """The golden card of the round, as far as the seat knows it."""
    city: int
    """Where the card that is being carried out allows something; NONE for anywhere."""
    guild: int
    """With whose quarters, besides the grey ones and the church's; NONE for no other."""
    drawn: bool
    """Whether one of two players has drawn, where it is asked what to do in its turn."""

    @property
    def own(self) -> int:
        """The guild of the seat."""
        return self.guilds[self.seat][0]


def seen(view: FlandernView, seat: Seat) -> FlandernSituation:
    """What the seat sees, which must be the one whose view it is."""
    me, action = view.seats[seat], view.action
    return FlandernSituation(
        seat=seat,
        cities=[city.plots for city in view.cities],
        stock=view.stock,
        sites=view.sites,
        guilds=[[EMBLEM_OF_KEY[guild] for guild in each.guilds] for each in view.seats],
        lying=[[CARD_OF_KEY[card] for card in each.open] for each in view.seats],
        hand=[CARD_OF_KEY[card] for card in me.hand or ()],
        influence=me.influence or 0,
        order=view.order,
        golden=NONE if view.golden_card is None else CARD_OF_KEY[view.golden_card],
        city=CITY_OF_NAME[action.city] if action and action.city else NONE,
        guild=EMBLEM_OF_KEY[action.guild] if action and action.guild else NONE,
        drawn=view.has_drawn,
    )


def within(state: FlandernState, seat: Seat) -> FlandernSituation:
    """The same as `seen`, out of a state. It shares what changes with it."""
    players, frame = state.players, state.frames[-1]
    knows = state.revealed or seat == state.first
    return FlandernSituation(
        seat=seat,
        cities=state.cities,
        stock=state.stock,
        sites=state.site_pieces,
        guilds=[each.guilds for each in players],
        lying=[each.open for each in players],
        hand=players[seat].hand,
        influence=players[seat].influence,
        order=state.order or clockwise(state.first, len(players)),
        golden=state.golden_card if knows else NONE,
        city=frame.city if isinstance(frame, CityAction) else NONE,
        guild=frame.guild if isinstance(frame, (CityAction, SiteAction)) else NONE,
        drawn=isinstance(frame, TwoActions) and frame.drawn,
    )
