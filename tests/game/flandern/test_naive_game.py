"""In random games cities are built in, die out and score as the naive ones, which were written from
the fact sheet alone, and events tell all that comes of it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from random import Random

import pytest

from bot.game.chance import RandomChance
from bot.game.choices import Done
from bot.game.contract import SPECTATOR, Action, canonical
from bot.game.flandern import GAME
from bot.game.flandern.building import QuarterBuilt, SitePut
from bot.game.flandern.city import dead_plots, hopes
from bot.game.flandern.data import EMBLEM_KEYS, TILES
from bot.game.flandern.plan import SPECIAL
from bot.game.flandern.scoring import GuildScored, PlotsCovered
from bot.game.flandern.state import FlandernState
from bot.game.flandern.view import FlandernCityView, FlandernView, QuarterView
from tests.game.flandern.naive_game import City, Quarter, Stock
from tests.game.flandern.positions import in_city, named_plots
from tests.game.flandern.random_games import SAMPLED


def naive(city: FlandernCityView) -> City:
    """The naive city of one that is seen."""
    return City([quarter_of(each) for each in city.quarters], {plot_of(each) for each in city.free})


def plot_of(place: str) -> str:
    return place.partition("-")[2]


def quarter_of(seen: QuarterView) -> Quarter:
    plots = tuple(plot_of(place) for place in (seen.place, seen.bar) if place)
    tile = word_of(seen.emblem, seen.kind) if seen.kind else seen.emblem
    return Quarter(tile, plots, seen.site, seen.cathedral, seen.leaders)


def word_of(emblem: str, kind: str) -> str:
    """A quarter's word in the notation by its kind: ``p``, ``p-leader``, or ``a``."""
    special = kind if kind in "abcd" else kind.partition("-")[2]
    return f"{emblem}-{special}" if special else emblem


def stock_of(view: FlandernView) -> Stock:
    """The quarters left, by word and shape."""
    stock = Stock()
    for emblem, counts in zip(EMBLEM_KEYS, view.stock, strict=True):
        for kind, count in zip(TILES, counts, strict=True):
            shape = {"a": "p", "b": "r", "c": "r", "d": "p"}.get(kind, kind[0])
            stock[word_of(emblem, kind), shape] += count
    return stock


def everything(state: FlandernState, seat: int, prefix: Action = ()) -> Iterator[str]:
    """All actions that the engine allows a seat, as lines."""
    choices = GAME.legal(state, seat, prefix)
    if isinstance(choices, Done):
        yield canonical(prefix)
    else:
        for word in choices.each():
            yield from everything(state, seat, (*prefix, word))


def allowed(view: FlandernView, cities: Mapping[str, City], stock: Stock) -> Iterator[str]:
    """What may be done with the card being carried out, by the naive cities."""
    assert view.action is not None
    emblems = {view.action.guild, "grey", "church"}
    for name, city in cities.items():
        if view.action.city in ("", name) and not view.city(name).scored:
            for plot, tile in city.buildings(emblems, stock):
                yield f"{'build' if view.action.city else 'site'} {name}-{plot} {tile}"
            for quarter in city.quarters if view.action.city else ():
                if quarter.site and quarter.emblem in emblems:
                    yield f"complete {name}-{quarter.plots[0]}"


def compare(state: FlandernState, view: FlandernView) -> None:
    """All that the engine says of its cities against the naive ones."""
    cities = {each.city: naive(each) for each in view.cities if each.in_play}
    stock = stock_of(view)
    if view.action is not None:
        offered = list(everything(state, view.turn))
        assert len({*offered}) == len(offered)
        assert {*offered} == {*allowed(view, cities, stock)}
    for name, city in cities.items():
        seen, real = view.city(name), in_city(state, name)
        assert seen.value == city.value()
        assert {e.guild: (e.quarters, e.leaders, e.rank, e.points) for e in seen.standings} == (
            city.ranking()
        )
        places = [each.rank for each in seen.standings]
        assert places == sorted(places)
        assert [each.printed for each in seen.quarters] == [each.printed for each in city.quarters]
        dead = city.dead(stock)
        assert {*named_plots(dead_plots(real, state.stock)).split()} == dead
        hoped = zip(EMBLEM_KEYS, hopes(real, state.stock), strict=True)
        found = {(plot, key) for key, bits in hoped for plot in named_plots(bits).split()}
        living = city.free - dead
        comers = {(plot, key) for plot in living for key in city.comers(plot, living, stock)}
        assert found == comers


@pytest.mark.parametrize("seats", GAME.seats)
def test_cities_go_as_the_fact_sheet_says(seats: int) -> None:
    """And all special quarters of the church are built."""
    rng, points, covered, built = Random(seats), Counter[str](), set[str](), set[str]()
    state = GAME.setup(seats, {}, RandomChance(rng))
    while GAME.outcome(state) is None:
        seat, action = SAMPLED.next_action(state, rng)
        for event in GAME.apply(state, seat, action, RandomChance(rng)):
            if isinstance(event, GuildScored):
                points[event.guild] += event.points
            elif isinstance(event, PlotsCovered):
                covered |= {*event.places}
            elif isinstance(event, QuarterBuilt | SitePut):
                built.add(event.tile.partition("-r")[0])
        view = GAME.view(state, SPECTATOR)
        compare(state, view)
    assert {each.guild: each.score for each in view.guilds} == {
        each.guild: points[each.guild] for each in view.guilds
    }
    assert covered == {place for each in view.cities for place in each.covered}
    assert {f"church-{special}" for special in SPECIAL} <= built
