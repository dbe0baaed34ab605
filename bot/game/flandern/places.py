"""Where cards can do something: plots of cities, and the sites there (5 and 6)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import lru_cache

from bot.game.choices import Grouping, OneOf
from bot.game.contract import Refusal
from bot.game.flandern.city import NONE, FlandernCity, ground, plots_for
from bot.game.flandern.data import CHURCH, GREY
from bot.game.flandern.plan import PLACE_NAMES, PLACE_OF_NAME, members
from bot.game.flandern.state import FlandernState
from bot.game.grammar import refuse

_CACHED = 2048


def emblems_for(guild: int) -> tuple[int, ...]:
    """Whose quarters may be built and completed: the guild's, if any, the grey one's, the
    church's."""
    return (GREY, CHURCH) if guild == NONE else (guild, GREY, CHURCH)


def city_plots(stock: Sequence[Sequence[int]], city: FlandernCity, guild: int) -> int:
    """Where any of these can be built in a city, out of a stock by emblem and kind."""
    plots, on = 0, ground(city)
    if on:
        for emblem in emblems_for(guild):
            plots |= plots_for(city, emblem, stock[emblem], on)
    return plots


def sites_of(city: FlandernCity, guild: int) -> int:
    """The sites of these."""
    plots = 0
    if city.sites:
        for emblem in emblems_for(guild):
            plots |= city.emblems[emblem]
    return plots & city.sites


def city_of(place: str) -> str:
    return place.partition("-")[0]


_BY_CITY = (Grouping("city", city_of),)


@lru_cache(_CACHED)
def _names(city: int, plots: int) -> tuple[str, ...]:
    return tuple([PLACE_NAMES[city][plot] for plot in members(plots)])


def places_of(found: Iterable[tuple[int, int]]) -> OneOf:
    """The places of pairs of a city and its plots."""
    words: list[str] = []
    for city, plots in found:
        words += _names(city, plots)
    return OneOf("place", tuple(words), _BY_CITY)


def where(state: FlandernState, place: str) -> tuple[FlandernCity | None, int]:
    """The city and the plot of a place; None for the city that is missing with three players."""
    city, plot = PLACE_OF_NAME[place]
    return state.cities[city], plot


def place_at(state: FlandernState, place: str) -> tuple[FlandernCity, int]:
    """The same of a place where something can be done."""
    city, plot = where(state, place)
    assert city is not None
    return city, plot


def why_closed(city: FlandernCity | None, word: str) -> Refusal | None:
    """Whether nothing can be done in a city any more."""
    if city is None:
        return refuse("missing_city", "setup", city=city_of(word))
    return refuse("city_scored", "scoring", city=city_of(word)) if city.scored else None
