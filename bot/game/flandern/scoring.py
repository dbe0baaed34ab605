"""Covering dead plots, scoring cities, and the bonus (6.6, 7 and 8.3)."""

from __future__ import annotations

from bot.game.contract import Event
from bot.game.events import SeatEvent
from bot.game.flandern.city import FlandernCity, dead_plots, standings, value
from bot.game.flandern.data import CONTENT, EMBLEM_KEYS
from bot.game.flandern.plan import CITIES
from bot.game.flandern.state import FlandernState, cities_in_play, open_cities
from bot.game.grammar import EventRecorder


class PlotsCovered(Event, frozen=True):
    """Plots on which nothing can be built any more, or nothing has been at the end."""

    places: tuple[str, ...]


class CityScored(Event, frozen=True):
    """A city is scored; `value` is what its completed quarters are worth."""

    city: str
    value: int


class GuildScored(Event, frozen=True):
    """What a guild scores in it, for the lowest of the places that it shares (ruling 25)."""

    guild: str
    city: str
    rank: int
    quarters: int
    leaders: int
    points: int


class BonusScored(SeatEvent, frozen=True):
    """Points for the most influence cards at the end, which are `cards`."""

    points: int
    cards: int


def cover_dead(state: FlandernState, recorder: EventRecorder) -> None:
    """All plots on which nothing left in stock can ever be built (ruling 20)."""
    _cover([dead_plots(city, state.stock) for city in open_cities(state)], state, recorder)


def cover_free(state: FlandernState, recorder: EventRecorder) -> None:
    """All that are left at the end of the game (8.2)."""
    _cover([city.free for city in open_cities(state)], state, recorder)


def _cover(chosen: list[int], state: FlandernState, recorder: EventRecorder) -> None:
    places: list[str] = []
    for city, plots in zip(open_cities(state), chosen, strict=True):
        city.free &= ~plots
        city.covered |= plots
        places += city.places(plots)
    if places:
        recorder.tell(PlotsCovered(places=tuple(places)))


def covers_left(state: FlandernState) -> int:
    """Cover tiles in the supply; more plots can be covered than there are tiles."""
    covered = sum(city.covered.bit_count() for city in cities_in_play(state))
    return max(CONTENT.covers - covered, 0)


def score_full(state: FlandernState, recorder: EventRecorder) -> None:
    """Every city without a free plot, one by one (7.1)."""
    for city in open_cities(state):
        if not city.free:
            _score(state, city, recorder)


def _score(state: FlandernState, city: FlandernCity, recorder: EventRecorder) -> None:
    """The guilds by rank; then site pieces go back, and the city's cards out of the game (7.8)."""
    number, key = city.number, CITIES[city.number]
    recorder.tell(CityScored(city=key, value=value(city)))
    for guild, quarters, leaders, rank, points in standings(city):
        state.points[guild][number] = points
        recorder.tell(
            GuildScored(
                guild=EMBLEM_KEYS[guild],
                city=key,
                rank=rank,
                quarters=quarters,
                leaders=leaders,
                points=points,
            )
        )
    city.scored = True
    state.site_pieces += city.sites.bit_count()
    for player in state.players:
        for cards in (player.hand, player.open):
            if number in cards:
                cards.remove(number)
    for discards in state.discards:
        discards[number] = 0


def score_bonus(state: FlandernState, recorder: EventRecorder) -> None:
    """For the most influence cards in hand; to each of those who tie (8.3 and ruling 33)."""
    held = [player.influence for player in state.players]
    most = max(held)
    if not most and not state.rules.any_bonus:
        return
    for seat, cards in enumerate(held):
        if cards == most:
            state.bonus[seat] = CONTENT.bonus
            recorder.tell(BonusScored(seat=seat, points=CONTENT.bonus, cards=cards))
