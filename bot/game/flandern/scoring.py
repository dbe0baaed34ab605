"""Covering dead plots, scoring cities, and the end (rules: covering, scoring, ending)."""

from __future__ import annotations

from bot.game.contract import Event, Outcome, Seat
from bot.game.events import GameEnded, SeatEvent
from bot.game.flandern.city import dead_plots, future_plots, standings, value
from bot.game.flandern.data import CITIES, CONTENT, EMBLEM_KEYS
from bot.game.flandern.state import (
    FlandernOver,
    FlandernState,
    cities_in_play,
    open_cities,
    two_players,
)
from bot.game.grammar import EventRecorder


class PlotsCovered(Event, frozen=True):
    """Plots were covered because nothing can be built there any more, or at the end of the game."""

    places: tuple[str, ...]


class CityScored(Event, frozen=True):
    """A city was scored; `value` is the value of its completed quarters."""

    city: str
    value: int


class GuildScored(Event, frozen=True):
    """A guild's points for a city. Ties get the lowest of the shared places (ruling 25)."""

    guild: str
    city: str
    rank: int
    quarters: int
    leaders: int
    points: int


class BonusScored(SeatEvent, frozen=True):
    """Points for the most influence cards, `cards`, at the end."""

    points: int
    cards: int


def cover(state: FlandernState, recorder: EventRecorder, *, all_free: bool = False) -> None:
    """Cover the plots where nothing in stock can ever be built (ruling 20); with `all_free`, at the
    end of the game, all other free plots too (ruling 65)."""
    places: list[str] = []
    for city in open_cities(state):
        plots = city.free if all_free else dead_plots(city, state.stock)
        city.free &= ~plots
        city.covered |= plots
        places += city.places(plots)
    if places:
        recorder.record(PlotsCovered(places=tuple(places)))


def covers_left(state: FlandernState) -> int:
    """Return the cover tiles in the supply. More plots can be covered than there are tiles."""
    covered = sum(city.covered.bit_count() for city in cities_in_play(state))
    return max(CONTENT.covers - covered, 0)


def score_full(state: FlandernState, recorder: EventRecorder) -> None:
    """Score every city without a free plot, one by one (ruling 30), guilds by rank. Then return its
    site pieces and remove its cards (ruling 7)."""
    for city in open_cities(state):
        if city.free:
            continue
        number, key = city.number, CITIES[city.number]
        recorder.record(CityScored(city=key, value=value(city)))
        for each in standings(city):
            state.points[each.emblem][number] = each.points
            recorder.record(
                GuildScored(
                    guild=EMBLEM_KEYS[each.emblem],
                    city=key,
                    rank=each.place,
                    quarters=each.quarters,
                    leaders=each.leaders,
                    points=each.points,
                )
            )
        city.scored = True
        state.site_pieces += city.sites.bit_count()
        for player in state.players:
            player.hand = [card for card in player.hand if card != number]
            player.open = [card for card in player.open if card != number]
        for discards in state.discards:
            discards[number] = 0


# The end


def ending_of(state: FlandernState) -> str:
    """Return how the game ends after this round or two-player turn, or "" if it continues."""
    cities = open_cities(state)
    free = sum(city.free.bit_count() for city in cities)
    if not two_players(state):
        return "full" if free <= 1 else "" if any(map(sum, state.golden)) else "deck"
    if not free:
        return "full"
    # Only the controlled guilds could still build on any free plot (ruling 43).
    controlled = {player.controlled for player in state.players}
    if not any(
        plots
        for city in cities
        for emblem, plots in enumerate(future_plots(city, state.stock))
        if emblem not in controlled
    ):
        return "controlled"
    return "standstill" if state.idle >= CONTENT.turns_without_building else ""


def end_game(state: FlandernState, ending: str, recorder: EventRecorder) -> None:
    """End the game: cover free plots and score the remaining cities. The seats with the most
    influence cards in hand get a bonus each (ruling 33), but not in a two-player game."""
    cover(state, recorder, all_free=True)
    score_full(state, recorder)
    state.bonus = [0] * len(state.players)
    max_influence = max(player.influence for player in state.players)
    if not two_players(state) and (max_influence or state.rules.any_bonus):
        for seat, player in enumerate(state.players):
            if player.influence == max_influence:
                state.bonus[seat] = CONTENT.bonus
                recorder.record(BonusScored(seat=seat, points=CONTENT.bonus, cards=max_influence))
    state.frames = [FlandernOver(ending)]
    recorder.record(GameEnded(ending=ending))


def score_of(state: FlandernState, seat: Seat) -> int:
    """Return the points of a seat."""
    bonus = state.bonus[seat] if state.bonus else 0
    return bonus + sum(sum(state.points[guild]) for guild in state.players[seat].guilds)


def outcome(state: FlandernState) -> Outcome | None:
    """Return the result if the game has ended: most points wins, ties are shared."""
    frame = state.frames[-1]
    if not isinstance(frame, FlandernOver):
        return None
    scores = tuple(score_of(state, seat) for seat in range(len(state.players)))
    lines = [
        (
            CITIES[city.number],
            tuple(
                sum(state.points[guild][city.number] for guild in player.guilds)
                for player in state.players
            ),
        )
        for city in cities_in_play(state)
    ]
    if not two_players(state):
        lines.append(("bonus", tuple(state.bonus)))
    winners = tuple(seat for seat, score in enumerate(scores) if score == max(scores))
    return Outcome(frame.ending, winners, scores, tuple(lines))
