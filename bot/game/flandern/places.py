"""Where cards can do something: plots of cities, and quarters that stand there (5 and 6)."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import cache

from bot.game.choices import Grouping, OneOf
from bot.game.contract import Refusal, Seat
from bot.game.flandern.city import NONE, FlandernCity, ground, plots_for
from bot.game.flandern.data import CHURCH, GREY
from bot.game.flandern.plan import CITIES, PLACE_OF_NAME, city_of
from bot.game.flandern.state import (
    CardAction,
    CathedralAction,
    CityAction,
    FlandernState,
    LeaderAction,
    SiteAction,
    city_at,
    open_cities,
    why_closed,
)
from bot.game.grammar import refuse


@cache
def emblems_for(guild: int) -> tuple[int, ...]:
    """Whose quarters may be built and completed: the guild's, if any, the grey one's, the
    church's."""
    return (GREY, CHURCH) if guild == NONE else (guild, GREY, CHURCH)


def city_plots(stock: Sequence[Sequence[int]], city: FlandernCity, guild: int) -> int:
    """Where any of these can be built in a city, out of a stock by emblem and kind."""
    on = left = ground(city)
    for emblem in emblems_for(guild):
        if left:
            left &= ~plots_for(city, emblem, stock[emblem], left)
    return on & ~left


def sites_of(city: FlandernCity, guild: int) -> int:
    """The sites of these."""
    plots = 0
    if city.sites:
        for emblem in emblems_for(guild):
            plots |= city.emblems[emblem]
    return plots & city.sites


def church_plots(city: FlandernCity) -> int:
    """Quarters of the church without a cathedral, sites too (ruling 23)."""
    return city.emblems[CHURCH] & ~city.bar & ~city.cathedrals


def leader_plots(city: FlandernCity, guild: int) -> int:
    """Quarters of a guild and of the grey one (ruling 24)."""
    return city.emblems[guild] | city.emblems[GREY]


def has_way(state: FlandernState, card: CardAction) -> bool:
    """Whether the seat on turn can carry a card out at all."""
    cities, stock = open_cities(state), state.stock
    match card:
        case CityAction(city=number, guild=guild):
            cities = [city for city in cities if city.number == number]
            return any(city_plots(stock, city, guild) or sites_of(city, guild) for city in cities)
        case SiteAction(guild=guild):
            return state.site_pieces > 0 and any(city_plots(stock, city, guild) for city in cities)
        case CathedralAction():
            return state.cathedral_pieces > 0 and any(map(church_plots, cities))
        case LeaderAction():
            guild = state.players[state.turn].guild
            return state.leader_pieces > 0 and any(leader_plots(city, guild) for city in cities)


# Words

_BY_CITY = (Grouping("city", city_of),)


def places_of(found: Iterable[tuple[FlandernCity, int]]) -> OneOf:
    """A choice of places: some plots of each of these cities."""
    words: list[str] = []
    for city, plots in found:
        words += city.places(plots)
    return OneOf("place", tuple(words), _BY_CITY)


def place_at(state: FlandernState, place: str) -> tuple[FlandernCity, int]:
    """The city and the plot of a place where something can be done."""
    number, plot = PLACE_OF_NAME[place]
    return city_at(state, number), plot


def why_not_place(
    why_not: Callable[[FlandernCity, int, str], Refusal],
) -> Callable[[FlandernState, Seat, str], Refusal]:
    """What forbids a place: that it is in another city than the card's, that nothing can be done in
    its city, or what `why_not` says of the city, the plot and the place."""

    def explain(state: FlandernState, seat: Seat, place: str) -> Refusal:
        number, _ = PLACE_OF_NAME[place]
        card = state.frames[-1]
        if isinstance(card, CityAction) and card.city != number:
            return refuse("other_city", place=place, city=CITIES[card.city])
        return why_closed(state, number) or why_not(*place_at(state, place), place)

    return explain
