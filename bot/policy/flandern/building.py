"""What a card could do on the board, and what it would gain."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from bot.game.contract import Action
from bot.game.flandern.city import NONE, bars_for, ground, plots_for
from bot.game.flandern.data import CHURCH, EMBLEM_KEYS, FIRST_SPECIAL, HOME, WITH_LEADER
from bot.game.flandern.places import emblems_for, sites_of
from bot.game.flandern.plan import (
    PLACE_NAMES,
    PLOT_NAMES,
    SHAPE_OF,
    SPECIAL,
    SPECIAL_SHAPE,
    D,
    members,
)
from bot.policy.flandern.worth import CityWorth, FlandernWorth


class Prospect(NamedTuple):
    """A way to carry a card out, and the points that it gains."""

    gain: float
    action: Action


NOTHING = Prospect(0.0, ())


def best_in_city(city: CityWorth, guild: int) -> Prospect:
    """The best that the card of a city could do with quarters of a guild; nothing where there is no
    way."""
    ways = [*ways_to_build(city, guild, site=False), *_ways_to_complete(city, guild)]
    return max(ways, default=NOTHING)


def best_site(worth: FlandernWorth, guild: int) -> Prospect:
    """The same of the card of a site."""
    if not worth.view.sites:
        return NOTHING
    ways = (way for city in worth.cities.values() for way in ways_to_build(city, guild, site=True))
    return max(ways, default=NOTHING)


def ways_to_build(about: CityWorth, guild: int, *, site: bool) -> Iterator[Prospect]:
    """All ways to build a quarter of a guild, of the grey one or of the church in a city."""
    kind = "site" if site else "build"
    city, now = about.city, about.now
    on = ground(city)
    for emblem in emblems_for(guild) if on else ():
        stock, key = about.stock[emblem], EMBLEM_KEYS[emblem]
        for plot in members(plots_for(city, emblem, stock, on)):
            place, shape = PLACE_NAMES[HOME[city.home]][plot], SHAPE_OF[plot]
            tiles = [(key, shape, NONE), (f"{key}-leader", shape + WITH_LEADER, NONE)]
            if emblem == CHURCH:
                for special, its in enumerate(SPECIAL_SHAPE):
                    word, tile = f"{key}-{SPECIAL[special]}", FIRST_SPECIAL + special
                    if its == shape and special != D:
                        tiles.append((word, tile, NONE))
                    elif its == shape:
                        for bar in members(bars_for(city, plot)):
                            tiles.append((f"{word}-{PLOT_NAMES[bar]}", tile, bar))
            for word, tile, bar in tiles:
                if stock[tile]:
                    after = about.after_building(emblem, tile, plot, bar, site=site)
                    yield Prospect(after - now, (kind, place, word))


def _ways_to_complete(about: CityWorth, guild: int) -> Iterator[Prospect]:
    city = about.city
    there = sites_of(city, guild)
    for emblem in emblems_for(guild) if there else ():
        for plot in members(city.emblems[emblem] & there):
            action = "complete", PLACE_NAMES[HOME[city.home]][plot]
            yield Prospect(about.after(action).now - about.now, action)
