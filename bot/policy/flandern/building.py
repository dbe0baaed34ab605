"""What a card could do on the board, and what it would gain."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from bot.game.contract import Action
from bot.game.flandern.building import tile_of
from bot.game.flandern.city import NONE, FlandernCity, bars_for, build, copy_of, ground, plots_for
from bot.game.flandern.data import CHURCH, EMBLEM_KEYS, FIRST_SPECIAL, HOME, WITH_LEADER
from bot.game.flandern.places import emblems_for, sites_of
from bot.game.flandern.plan import (
    PLACE_NAMES,
    PLACE_OF_NAME,
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
    ways = [*_built(city, guild, site=False), *_completed(city, guild)]
    return max(ways, default=NOTHING)


def best_site(worth: FlandernWorth, guild: int) -> Prospect:
    """The same of the card of a site."""
    if not worth.view.sites:
        return NOTHING
    ways = (way for city in worth.cities.values() for way in _built(city, guild, site=True))
    return max(ways, default=NOTHING)


def _built(about: CityWorth, guild: int, *, site: bool) -> Iterator[Prospect]:
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


def _completed(about: CityWorth, guild: int) -> Iterator[Prospect]:
    city = about.city
    there = sites_of(city, guild)
    for emblem in emblems_for(guild) if there else ():
        for plot in members(city.emblems[emblem] & there):
            after = about.after_completing(emblem, plot)
            yield Prospect(after - about.now, ("complete", PLACE_NAMES[HOME[city.home]][plot]))


def after(city: FlandernCity, action: Action) -> FlandernCity:
    """A city after something has been built or completed there."""
    changed = copy_of(city)
    kind, place, *tile = action
    plot = PLACE_OF_NAME[place][1]
    if kind == "complete":
        changed.sites &= ~(1 << plot)
    else:
        emblem, number, bar = tile_of(tile[0], plot)
        build(changed, emblem, number, plot, site=kind == "site", bar=bar)
    return changed
