"""Card actions on the board: building, sites, completing, cathedrals, leaders (rules: building,
sites, church, golden)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache, lru_cache, partial

from bot.game.choices import Grouping, OneOf
from bot.game.contract import Action, Refusal, Seat
from bot.game.events import SeatEvent
from bot.game.flandern.city import (
    NONE,
    FlandernCity,
    bars_for,
    build,
    built,
    city_plots,
    copy_of,
    emblem_at,
    emblems_for,
    plots_for,
    sites_of,
)
from bot.game.flandern.data import (
    CHURCH,
    CITIES,
    D_TILE,
    EMBLEM_KEYS,
    EMBLEM_OF_KEY,
    FIRST_SPECIAL,
    GREY,
    PLACE_OF_NAME,
    PLOT_NAMES,
    PLOT_OF_NAME,
    SHAPE_OF,
    SHAPE_OF_TILE,
    SHAPES,
    SPECIAL,
    TILES,
    TILES_OF_SHAPE,
    WITH_LEADER,
    D,
    city_of,
    members,
    supported_by,
    touched_by,
)
from bot.game.flandern.state import (
    BUILDING,
    CardAction,
    CityAction,
    FlandernState,
    Frame,
    SiteAction,
    city_at,
    city_in_play,
    open_cities,
    why_closed,
)
from bot.game.frames import tag_of
from bot.game.grammar import EventRecorder, Rule, refuse, rule


class PlaceEvent(SeatEvent, frozen=True):
    """The base class of events on a plot of a city."""

    place: str


class QuarterBuilt(PlaceEvent, frozen=True):
    """A quarter was built; `tile` is a word of the action."""

    tile: str


class SitePut(PlaceEvent, frozen=True):
    """A site was placed; `tile` is a word of the action."""

    tile: str


class QuarterCompleted(PlaceEvent, frozen=True):
    """A site was completed and is now a quarter."""

    emblem: str


class CathedralPut(PlaceEvent, frozen=True):
    """A cathedral was placed on a quarter of the church."""


class LeaderPut(PlaceEvent, frozen=True):
    """A leader was placed on a quarter of this emblem."""

    emblem: str


# Plots


def _guild(state: FlandernState, card: Frame) -> int:
    """Return the guild whose quarters a card allows besides the grey guild's and the church's, or
    NONE."""
    if isinstance(card, (CityAction, SiteAction)):
        return card.guild
    return state.players[state.turn].guild


def _allowed(state: FlandernState, kind: str, city: FlandernCity, guild: int) -> int:
    """Return the plots of a city where a card for a guild allows a kind of action."""
    match kind:
        case "complete":
            return sites_of(city, guild)
        case "cathedral":
            # Also on sites, like leaders (rulings 23 and 24).
            return city.emblems[CHURCH] & ~city.bar & ~city.cathedrals
        case "leader":
            return city.emblems[guild] | city.emblems[GREY]
    return city_plots(state.stock, city, guild)


def can_use_card(state: FlandernState, card: CardAction) -> bool:
    """Return whether the active seat has an action for a card (rulings 10, 11 and 14)."""
    kind, guild = tag_of(type(card)), _guild(state, card)
    if isinstance(card, CityAction):
        city = city_at(state, card.city)
        return bool(city_plots(state.stock, city, guild) or sites_of(city, guild))
    pieces = {
        "site": state.site_pieces,
        "cathedral": state.cathedral_pieces,
        "leader": state.leader_pieces,
    }
    cities = open_cities(state)
    return pieces[kind] > 0 and any(_allowed(state, kind, city, guild) for city in cities)


def _why_not_plot(city: FlandernCity, plot: int, place: str) -> Refusal:
    occupied = built(city)
    for code, topic, plots in (
        ("plot_taken", "", occupied),
        ("plot_covered", "covering", city.covered),
        ("no_plot", "church", ~city.free),
        ("no_support", "", ~supported_by(occupied)),
    ):
        if plots >> plot & 1:
            return refuse(code, topic, place=place)
    return refuse("nothing_fits", place=place)


def _why_not_site(city: FlandernCity, plot: int, place: str) -> Refusal:
    if not city.sites >> plot & 1:
        return refuse("no_site_here", place=place)
    return refuse("foreign_site", place=place, emblem=EMBLEM_KEYS[emblem_at(city, plot)])


def _why_not_church(city: FlandernCity, plot: int, place: str) -> Refusal:
    code = "has_cathedral" if city.cathedrals >> plot & 1 else "no_church"
    return refuse(code, place=place)


def _why_not_leader(city: FlandernCity, plot: int, place: str) -> Refusal:
    emblem = emblem_at(city, plot)
    if emblem == NONE:
        return refuse("no_quarter", place=place)
    return refuse("foreign_quarter", place=place, emblem=EMBLEM_KEYS[emblem])


# Tiles


def tiles_at(
    stock: Sequence[Sequence[int]], guild: int, city: FlandernCity, plot: int
) -> list[str]:
    """Return the words of the quarters in a stock that can be built on a plot."""
    words: list[str] = []
    for emblem in emblems_for(guild):
        if plots_for(city, emblem, stock[emblem], 1 << plot):
            for tile in TILES_OF_SHAPE[SHAPE_OF[plot]]:
                if stock[emblem][tile]:
                    bars = members(bars_for(city, plot)) if tile == D_TILE else (NONE,)
                    words += [tile_word(emblem, tile, bar) for bar in bars]
    return words


@cache
def tile_word(emblem: int, tile: int, bar: int) -> str:
    """Return the word for a quarter: ``red``, ``red-leader``, ``church-a``, or ``church-d-r1`` with
    D's bar. A centre has the kind NONE."""
    kind = "" if tile == NONE else TILES[tile].removeprefix(SHAPES[SHAPE_OF_TILE[tile]]).strip("-")
    return "-".join(
        filter(None, (EMBLEM_KEYS[emblem], kind, "" if bar == NONE else PLOT_NAMES[bar]))
    )


@lru_cache(1 << 12)
def tile_of(word: str, plot: int) -> tuple[int, int, int]:
    """Return the emblem, the kind of quarter, and D's bar or NONE, for a tile's word on a plot.
    Raise KeyError for an unknown word."""
    key, kind, bar = (*word.split("-"), "", "")[:3]
    tile = SHAPE_OF[plot] + WITH_LEADER * (kind == "leader")
    if kind in SPECIAL:
        tile = FIRST_SPECIAL + SPECIAL.index(kind)
    return EMBLEM_OF_KEY[key], tile, PLOT_OF_NAME[bar] if bar else NONE


TILE_WORDS = (
    *EMBLEM_KEYS,
    *(f"{key}-leader" for key in EMBLEM_KEYS[:GREY]),
    *(f"{EMBLEM_KEYS[CHURCH]}-{key}" for key in SPECIAL[:D]),
    *(f"{EMBLEM_KEYS[CHURCH]}-{SPECIAL[D]}-r{number}" for number in range(1, 5)),
)


def _tiles(state: FlandernState, seat: Seat, place: str) -> OneOf:
    number, plot = PLACE_OF_NAME[place]
    guild, city = _guild(state, state.frames[-1]), city_at(state, number)
    return OneOf("tile", tuple(tiles_at(state.stock, guild, city, plot)))


def _why_not_tile(state: FlandernState, seat: Seat, place: str, word: str) -> Refusal | None:
    """Return why this quarter can't be built on a plot where others can."""
    number, plot = PLACE_OF_NAME[place]
    emblem, kind, bar = tile_of(word, plot)
    if emblem not in emblems_for(_guild(state, state.frames[-1])):
        return refuse("not_yours", tile=word)
    if touched_by(city_at(state, number).emblems[emblem]) >> plot & 1:
        return refuse("beside_own", place=place, emblem=EMBLEM_KEYS[emblem])
    if SHAPE_OF_TILE[kind] != SHAPE_OF[plot]:
        return refuse("wrong_shape", place=place, tile=word)
    if not state.stock[emblem][kind]:
        return refuse("none_left", place=place, tile=word)
    return refuse("no_bar", "church", place=place) if bar != NONE else None


# Actions


def act(city: FlandernCity, action: Action) -> None:
    """Apply an action to a plot of the city."""
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


def after(city: FlandernCity, action: Action) -> FlandernCity:
    """Return a copy of a city after an action on one of its plots."""
    city = copy_of(city)
    act(city, action)
    return city


def _perform(
    kind: str, state: FlandernState, seat: Seat, recorder: EventRecorder, place: str, tile: str = ""
) -> None:
    number, plot = PLACE_OF_NAME[place]
    city = city_at(state, number)
    act(city, (kind, place, tile))
    state.frames.pop()
    if tile:
        emblem, quarter, _ = tile_of(tile, plot)
        state.stock[emblem][quarter] -= 1
    if tile or kind == "complete":
        state.idle = BUILDING
    match kind:
        case "build":
            recorder.record(QuarterBuilt(seat=seat, place=place, tile=tile))
        case "site":
            state.site_pieces -= 1
            recorder.record(SitePut(seat=seat, place=place, tile=tile))
        case "complete":
            state.site_pieces += 1
            emblem = emblem_at(city, plot)
            recorder.record(QuarterCompleted(seat=seat, place=place, emblem=EMBLEM_KEYS[emblem]))
        case "cathedral":
            state.cathedral_pieces -= 1
            recorder.record(CathedralPut(seat=seat, place=place))
        case "leader":
            state.leader_pieces -= 1
            emblem = emblem_at(city, plot)
            recorder.record(LeaderPut(seat=seat, place=place, emblem=EMBLEM_KEYS[emblem]))


# Rules

_BY_CITY = (Grouping("city", city_of),)


def _place_rule(
    kind: str, topic: str, why_not: Callable[[FlandernCity, int, str], Refusal]
) -> Rule[FlandernState]:
    """Return the rule for a kind of action on a plot. `why_not` gives the refusal for a plot in a
    city where the card allows other plots."""

    def gate(state: FlandernState, seat: Seat) -> Refusal | None:
        card = state.frames[-1]
        # Other cards have a single action; their question is asked only if it is possible.
        if not isinstance(card, CityAction):
            return None
        if _allowed(state, kind, city_at(state, card.city), card.guild):
            return None
        return refuse(f"nothing_to_{kind}", city=CITIES[card.city])

    def places(state: FlandernState, seat: Seat) -> OneOf:
        card, words = state.frames[-1], list[str]()
        cities = [city_at(state, card.city)] if isinstance(card, CityAction) else open_cities(state)
        guild = _guild(state, card)
        for city in cities:
            words += city.places(_allowed(state, kind, city, guild))
        return OneOf("place", tuple(words), _BY_CITY)

    def explain(state: FlandernState, seat: Seat, place: str) -> Refusal:
        number, plot = PLACE_OF_NAME[place]
        card = city_in_play(state)
        if card not in (number, NONE):
            return refuse("other_city", place=place, city=CITIES[card])
        return why_closed(state, number) or why_not(city_at(state, number), plot, place)

    perform: Callable[..., None] = partial(_perform, kind)
    with_place = rule(kind, topic, gate).word("place", places, explain, PLACE_OF_NAME)
    if kind in ("build", "site"):
        return with_place.word("tile", _tiles, _why_not_tile, TILE_WORDS).does(perform)
    return with_place.does(perform)


BUILD = _place_rule("build", "building", _why_not_plot)
PUT_SITE = _place_rule("site", "sites", _why_not_plot)
COMPLETE = _place_rule("complete", "sites", _why_not_site)
PUT_CATHEDRAL = _place_rule("cathedral", "church", _why_not_church)
PUT_LEADER = _place_rule("leader", "golden", _why_not_leader)
