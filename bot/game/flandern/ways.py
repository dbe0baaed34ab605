"""How a card comes to be carried out: asked about where there is a way, and told where there is
none (4.4)."""

from __future__ import annotations

from bot.game.flandern.cards import Impossible
from bot.game.flandern.data import CARDS, LEADER, SITE
from bot.game.flandern.golden import church_places, leader_places
from bot.game.flandern.places import city_plots, sites_of
from bot.game.flandern.plan import CITIES
from bot.game.flandern.state import (
    CathedralAction,
    CityAction,
    FlandernState,
    Frame,
    LeaderAction,
    SiteAction,
    open_cities,
)
from bot.game.grammar import EventRecorder


def begin_action(
    state: FlandernState, card: int, guild: int, recorder: EventRecorder, *, golden: bool = False
) -> None:
    """Ask the seat on turn how it carries a card out; where there is no way, it counts as played
    (4.4 and ruling 11). `guild` is the one whose quarters the card allows, or NONE."""
    frame = card_action(card, guild, golden=golden)
    if has_way(state, frame):
        state.frames.append(frame)
    else:
        recorder.tell(Impossible(seat=state.turn, card=CARDS[card], golden=int(golden)))


def card_action(card: int, guild: int, *, golden: bool = False) -> Frame:
    """What a card asks, but for a take and for influence, which ask nothing."""
    if card < len(CITIES):
        return CityAction(card, guild, golden)
    if card == SITE:
        return SiteAction(guild, golden)
    return LeaderAction() if card == LEADER else CathedralAction()


def has_way(state: FlandernState, frame: Frame) -> bool:
    """Whether a card can be carried out at all."""
    match frame:
        case CityAction(city=number, guild=guild):
            city = state.cities[number]
            assert city is not None
            plots = city_plots(state.stock, city, guild) or sites_of(city, guild)
            return not city.scored and plots > 0
        case SiteAction(guild=guild):
            cities, stock = open_cities(state), state.stock
            return state.sites > 0 and any(city_plots(stock, city, guild) for _, city in cities)
        case CathedralAction():
            return state.cathedrals > 0 and any(church_places(state))
        case LeaderAction():
            return state.leaders > 0 and any(leader_places(state, state.turn))
    return True
