"""What cards do on the board: building, completing, sites, cathedrals and leaders (5 and 6)."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

from bot.game.choices import OneOf
from bot.game.contract import Action, Refusal, Seat
from bot.game.events import SeatEvent
from bot.game.flandern.city import (
    NONE,
    FlandernCity,
    bars_for,
    build,
    built,
    copy_of,
    emblem_at,
    plots_for,
)
from bot.game.flandern.data import (
    CHURCH,
    EMBLEM_KEYS,
    EMBLEM_OF_KEY,
    FIRST_SPECIAL,
    GREY,
    SHAPE_OF_TILE,
    WITH_LEADER,
)
from bot.game.flandern.places import (
    city_plots,
    emblems_for,
    place_at,
    places_of,
    sites_of,
    why_not_place,
)
from bot.game.flandern.plan import (
    CITIES,
    PLACE_OF_NAME,
    PLOT_NAMES,
    PLOT_OF_NAME,
    SHAPE_OF,
    SPECIAL,
    D,
    members,
    supported_by,
    touched_by,
)
from bot.game.flandern.state import (
    BUILDING,
    CityAction,
    FlandernState,
    SiteAction,
    any_time,
    city_at,
    open_cities,
)
from bot.game.frames import frame_of
from bot.game.grammar import EventRecorder, Rule, refuse, rule

TOPIC = "building"


class QuarterBuilt(SeatEvent, frozen=True):
    """A quarter built at a place; the tile is the word of the action."""

    place: str
    tile: str


class SitePut(SeatEvent, frozen=True):
    """The same as a site."""

    place: str
    tile: str


class QuarterCompleted(SeatEvent, frozen=True):
    """A site has become a quarter."""

    place: str
    emblem: str


def _card(state: FlandernState) -> CityAction | SiteAction:
    card = state.frames[-1]
    assert isinstance(card, (CityAction, SiteAction))
    return card


def _plots(state: FlandernState, city: FlandernCity) -> int:
    return city_plots(state.stock, city, _card(state).guild)


def _build_gate(state: FlandernState, seat: Seat) -> Refusal | None:
    city = _city(state)
    return None if _plots(state, city) else refuse("nothing_to_build", city=CITIES[city.number])


def _city(state: FlandernState) -> FlandernCity:
    return city_at(state, frame_of(state, CityAction).city)


def _build_places(state: FlandernState, seat: Seat) -> OneOf:
    city = _city(state)
    return places_of([(city, _plots(state, city))])


def _site_places(state: FlandernState, seat: Seat) -> OneOf:
    return places_of((city, _plots(state, city)) for city in open_cities(state))


def tiles_at(
    stock: Sequence[Sequence[int]], guild: int, city: FlandernCity, plot: int
) -> list[str]:
    """The quarters of a stock that can be built on a plot, as words."""
    words: list[str] = []
    for emblem in emblems_for(guild):
        if plots_for(city, emblem, stock[emblem], 1 << plot):
            shape, key = SHAPE_OF[plot], EMBLEM_KEYS[emblem]
            for tile, count in enumerate(stock[emblem]):
                if count and SHAPE_OF_TILE[tile] == shape:
                    words += _tile_words(city, key, tile, plot)
    return words


def _tile_words(city: FlandernCity, emblem: str, tile: int, plot: int) -> list[str]:
    if tile < WITH_LEADER:
        return [emblem]
    if tile < FIRST_SPECIAL:
        return [f"{emblem}-leader"]
    special = tile - FIRST_SPECIAL
    word = f"{emblem}-{SPECIAL[special]}"
    if special != D:
        return [word]
    return [f"{word}-{PLOT_NAMES[bar]}" for bar in members(bars_for(city, plot))]


@lru_cache(1 << 12)
def tile_of(word: str, plot: int) -> tuple[int, int, int]:
    """What a word of a tile means on a plot: the emblem, the kind of quarter, and D's bar or
    NONE. Raises KeyError or ValueError where it is none."""
    key, _, rest = word.partition("-")
    kind, _, bar = rest.partition("-")
    emblem, shape = EMBLEM_OF_KEY[key], SHAPE_OF[plot]
    if not kind:
        return emblem, shape, NONE
    if kind == "leader":
        return emblem, shape + WITH_LEADER, NONE
    return emblem, FIRST_SPECIAL + SPECIAL.index(kind), PLOT_OF_NAME[bar] if bar else NONE


def _tiles(state: FlandernState, seat: Seat, place: str) -> OneOf:
    city, plot = place_at(state, place)
    return OneOf("tile", tuple(tiles_at(state.stock, _card(state).guild, city, plot)))


def _put(state: FlandernState, place: str, tile: str, *, site: bool) -> None:
    city, plot = place_at(state, place)
    emblem, kind, bar = tile_of(tile, plot)
    state.stock[emblem][kind] -= 1
    build(city, emblem, kind, plot, site=site, bar=bar)
    state.frames.pop()
    state.idle = BUILDING


def _build(
    state: FlandernState, seat: Seat, recorder: EventRecorder, place: str, tile: str
) -> None:
    _put(state, place, tile, site=False)
    recorder.tell(QuarterBuilt(seat=seat, place=place, tile=tile))


def _put_site(
    state: FlandernState, seat: Seat, recorder: EventRecorder, place: str, tile: str
) -> None:
    state.site_pieces -= 1
    _put(state, place, tile, site=True)
    recorder.tell(SitePut(seat=seat, place=place, tile=tile))


def _why_not_plot(city: FlandernCity, plot: int, place: str) -> Refusal:
    standing = built(city)
    if standing >> plot & 1:
        return refuse("plot_taken", place=place)
    if city.covered >> plot & 1:
        return refuse("plot_covered", "covering", place=place)
    if not city.free >> plot & 1:
        return refuse("no_plot", "church", place=place)
    if not supported_by(standing) >> plot & 1:
        return refuse("no_support", place=place)
    return refuse("nothing_fits", place=place)


def _why_not_tile(state: FlandernState, seat: Seat, place: str, word: str) -> Refusal | None:
    """What forbids a quarter on a plot where others can be built."""
    city, plot = place_at(state, place)
    emblem, kind, bar = tile_of(word, plot)
    if emblem not in emblems_for(_card(state).guild):
        return refuse("not_yours", tile=word)
    if touched_by(city.emblems[emblem]) >> plot & 1:
        return refuse("beside_own", place=place, emblem=EMBLEM_KEYS[emblem])
    if SHAPE_OF_TILE[kind] != SHAPE_OF[plot]:
        return refuse("wrong_shape", place=place, tile=word)
    if not state.stock[emblem][kind]:
        return refuse("none_left", place=place, tile=word)
    return refuse("no_bar", "church", place=place) if bar != NONE else None


TILE_WORDS = (
    *EMBLEM_KEYS,
    *(f"{key}-leader" for key in EMBLEM_KEYS[:GREY]),
    *(f"{EMBLEM_KEYS[CHURCH]}-{key}" for key in SPECIAL[:D]),
    *(f"{EMBLEM_KEYS[CHURCH]}-{SPECIAL[D]}-r{number}" for number in range(1, 5)),
)

BUILD: Rule[FlandernState] = (
    rule("build", TOPIC, _build_gate)
    .word("place", _build_places, why_not_place(_why_not_plot), PLACE_OF_NAME)
    .word("tile", _tiles, _why_not_tile, TILE_WORDS)
    .does(_build)
)
PUT_SITE: Rule[FlandernState] = (
    rule("site", "sites", any_time)
    .word("place", _site_places, why_not_place(_why_not_plot), PLACE_OF_NAME)
    .word("tile", _tiles, _why_not_tile, TILE_WORDS)
    .does(_put_site)
)


# Completing


def _complete_gate(state: FlandernState, seat: Seat) -> Refusal | None:
    city = _city(state)
    if sites_of(city, _card(state).guild):
        return None
    return refuse("nothing_to_complete", "sites", city=CITIES[city.number])


def _complete_places(state: FlandernState, seat: Seat) -> OneOf:
    city = _city(state)
    return places_of([(city, sites_of(city, _card(state).guild))])


def _complete(state: FlandernState, seat: Seat, recorder: EventRecorder, place: str) -> None:
    city, plot = place_at(state, place)
    city.sites &= ~(1 << plot)
    state.site_pieces += 1
    state.frames.pop()
    state.idle = BUILDING
    emblem = EMBLEM_KEYS[emblem_at(city, plot)]
    recorder.tell(QuarterCompleted(seat=seat, place=place, emblem=emblem))


def _why_not_site(city: FlandernCity, plot: int, place: str) -> Refusal:
    if not city.sites >> plot & 1:
        return refuse("no_site_here", "sites", place=place)
    emblem = EMBLEM_KEYS[emblem_at(city, plot)]
    return refuse("foreign_site", "sites", place=place, emblem=emblem)


COMPLETE: Rule[FlandernState] = (
    rule("complete", "sites", _complete_gate)
    .word("place", _complete_places, why_not_place(_why_not_site), PLACE_OF_NAME)
    .does(_complete)
)


# Thinking ahead


def after(city: FlandernCity, action: Action) -> FlandernCity:
    """A copy of a city in which an action on one of its places has been carried out."""
    city = copy_of(city)
    kind, place, *tile = action
    _, plot = PLACE_OF_NAME[place]
    match kind:
        case "complete":
            city.sites &= ~(1 << plot)
        case "cathedral":
            city.cathedrals |= 1 << plot
        case "leader":
            city.placed_leaders.append(plot)
        case "build" | "site":
            emblem, number, bar = tile_of(tile[0], plot)
            build(city, emblem, number, plot, site=kind == "site", bar=bar)
    return city
