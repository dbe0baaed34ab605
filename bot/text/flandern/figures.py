"""What a card or a choice would bring, worked out from a view on copies of its cities."""

from __future__ import annotations

from bot.game.flandern.building import after
from bot.game.flandern.city import (
    NONE,
    FlandernCity,
    city_plots,
    emblem_at,
    emblems_for,
    plots_for,
    sites_of,
)
from bot.game.flandern.data import EMBLEM_KEYS, EMBLEM_OF_KEY
from bot.game.flandern.plan import BESIDE, CITIES, PLACE_OF_NAME, members
from bot.game.flandern.view import FlandernView


def city_of(view: FlandernView, key: str) -> FlandernCity:
    """What stands in a city. Raises ValueError for one that is not in play."""
    city = view.city(key).plots
    if city is None:
        raise ValueError(f"{key} is not in play")
    return city


def city_at(view: FlandernView, place: str) -> tuple[FlandernCity, int]:
    """The city of a place, and the plot. Raises ValueError as `city_of` does."""
    number, plot = PLACE_OF_NAME[place]
    return city_of(view, CITIES[number]), plot


def number_of(guild: str) -> int:
    """A guild by its number; NONE for ''."""
    return EMBLEM_OF_KEY[guild] if guild else NONE


def ways(view: FlandernView, city: FlandernCity, guild: str) -> dict[str, int]:
    """The `plots` of a city on which a card of a guild could build now, and the `sites` there that
    it could complete, as bit masks."""
    number = number_of(guild)
    return {"plots": city_plots(view.stock, city, number), "sites": sites_of(city, number)}


def open_plots(view: FlandernView, guild: str) -> list[int]:
    """How many plots a card of a guild could build on, in each city where it could."""
    found = (ways(view, each.plots, guild)["plots"] for each in view.cities if each.plots)
    return [plots.bit_count() for plots in found if plots]


def fitting(view: FlandernView, place: str, guild: str) -> list[str]:
    """The emblems of a card of a guild of which a quarter could be built at a place."""
    city, plot = city_at(view, place)
    return [
        EMBLEM_KEYS[emblem]
        for emblem in emblems_for(number_of(guild))
        if plots_for(city, emblem, view.stock[emblem], 1 << plot)
    ]


def neighbours(view: FlandernView, place: str) -> list[str]:
    """The emblems that stand beside a place, each once."""
    city, plot = city_at(view, place)
    found = [emblem_at(city, other) for other in members(BESIDE[plot])]
    return [EMBLEM_KEYS[emblem] for emblem in dict.fromkeys(found) if emblem != NONE]


def with_quarter(view: FlandernView, place: str, tile: str) -> FlandernCity:
    """The city with a quarter built at a place; with a site once that is completed."""
    city, _ = city_at(view, place)
    return after(city, ("build", place, tile))


def completed(view: FlandernView, place: str, more: str = "") -> FlandernCity:
    """The city with the quarter at a place completed, and a ``cathedral`` or ``leader`` put on
    it."""
    city, _ = city_at(view, place)
    city = after(city, ("complete", place))
    return after(city, (more, place)) if more else city
