"""Covering dead plots, scoring cities, and the end (rules: covering, scoring, ending)."""

from __future__ import annotations

from bot.game.contract import Event, Outcome, Seat
from bot.game.events import GameEnded, SeatEvent
from bot.game.flandern.city import FlandernCity, dead_plots, hopes, standings, value
from bot.game.flandern.data import CONTENT, EMBLEM_KEYS
from bot.game.flandern.plan import CITIES
from bot.game.flandern.state import (
    FlandernOver,
    FlandernState,
    cities_in_play,
    open_cities,
    two_players,
)
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


# The end


def why_over(state: FlandernState) -> str:
    """How the game ends after this round, or turn of two players; "" where it goes on."""
    free = sum(city.free.bit_count() for city in open_cities(state))
    if two_players(state):
        if not free:
            return "full"
        if _controlled_alone(state):
            return "controlled"
        return "standstill" if state.idle >= CONTENT.turns_without_building else ""
    if free <= 1:
        return "full"
    return "" if any(map(sum, state.golden)) else "deck"


def _controlled_alone(state: FlandernState) -> bool:
    """Whether only the guilds under influence could come to any free plot (ruling 43)."""
    controlled = {player.controlled for player in state.players}
    return not any(
        plots
        for city in open_cities(state)
        for emblem, plots in enumerate(hopes(city, state.stock))
        if emblem not in controlled
    )


def end_game(state: FlandernState, ending: str, recorder: EventRecorder) -> None:
    """Cover what is free, score what is left, and the bonus; two players have none (9.10)."""
    cover_free(state, recorder)
    score_full(state, recorder)
    state.bonus = [0] * len(state.players)
    if not two_players(state):
        score_bonus(state, recorder)
    state.frames = [FlandernOver(ending)]
    recorder.tell(GameEnded(ending=ending))


def points_in(state: FlandernState, seat: Seat, city: int) -> int:
    """What a seat has scored in a city, of two players with both of its guilds."""
    return sum(state.points[guild][city] for guild in state.players[seat].guilds)


def score_of(state: FlandernState, seat: Seat) -> int:
    """All points of a seat."""
    bonus = state.bonus[seat] if state.bonus else 0
    return bonus + sum(sum(state.points[guild]) for guild in state.players[seat].guilds)


def outcome(state: FlandernState) -> Outcome | None:
    """The result, once the game is over: most points, shared where they are equal."""
    frame = state.frames[-1]
    if not isinstance(frame, FlandernOver):
        return None
    seats = range(len(state.players))
    scores = tuple(score_of(state, seat) for seat in seats)
    lines = [
        (CITIES[city.number], tuple(points_in(state, seat, city.number) for seat in seats))
        for city in cities_in_play(state)
    ]
    if not two_players(state):
        lines.append(("bonus", tuple(state.bonus)))
    winners = tuple(seat for seat in seats if scores[seat] == max(scores))
    return Outcome(frame.ending, winners, scores, tuple(lines))
