"""What a card could do on the board, and what it would gain."""

from __future__ import annotations

from collections.abc import Iterator

from bot.game.flandern.building import tile_of, tiles_at
from bot.game.flandern.city import city_plots, emblems_for, sites_of
from bot.game.flandern.plan import PLACE_NAMES, members
from bot.policy.flandern.worth import NOTHING, CityWorth, FlandernWorth, Prospect


def best_in_city(city: CityWorth, guild: int) -> Prospect:
    """The best that the card of a city could do with quarters of a guild; nothing where there is no
    way."""
    return city.best(guild, ways_in_city, site=False)


def best_site(worth: FlandernWorth, guild: int) -> Prospect:
    """The same of the card of a site."""
    if not worth.situation.sites:
        return NOTHING
    found = [worth.city(number).best(guild, _sites_in_city, site=True) for number in worth.numbers]
    return max((each for each in found if each.action), default=NOTHING)


def ways_in_city(city: CityWorth, guild: int) -> Iterator[Prospect]:
    """All that the card of a city could do with quarters of a guild."""
    yield from ways_to_build(city, guild, site=False)
    yield from _ways_to_complete(city, guild)


def ways_of_site(worth: FlandernWorth, guild: int) -> Iterator[Prospect]:
    """All that the card of a site could do."""
    for number in worth.numbers if worth.situation.sites else ():
        yield from _sites_in_city(worth.city(number), guild)


def _sites_in_city(city: CityWorth, guild: int) -> Iterator[Prospect]:
    return ways_to_build(city, guild, site=True)


def ways_to_build(about: CityWorth, guild: int, *, site: bool) -> Iterator[Prospect]:
    """All ways to build a quarter of a guild, of the grey one or of the church in a city."""
    kind = "site" if site else "build"
    city, now = about.city, about.now
    names = PLACE_NAMES[city.number]
    for plot in members(city_plots(about.stock, city, guild)):
        for word in tiles_at(about.stock, guild, city, plot):
            after = about.after_building(*tile_of(word, plot), plot, site=site)
            yield Prospect(after - now, (kind, names[plot], word))


def _ways_to_complete(about: CityWorth, guild: int) -> Iterator[Prospect]:
    city = about.city
    there = sites_of(city, guild)
    for emblem in emblems_for(guild) if there else ():
        for plot in members(city.emblems[emblem] & there):
            action = "complete", PLACE_NAMES[city.number][plot]
            yield Prospect(about.after(action).now - about.now, action)
