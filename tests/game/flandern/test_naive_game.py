"""Random games go as the naive game says, which was written from the fact sheet alone, and as their
own events tell; the recorded games show every way a game can go."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from itertools import chain, product
from random import Random

import pytest

from bot.game.chance import RandomChance
from bot.game.choices import Done, OneOf
from bot.game.contract import SPECTATOR, Action, Event, canonical
from bot.game.events import GameEnded
from bot.game.flandern import GAME
from bot.game.flandern.building import QuarterBuilt, SitePut
from bot.game.flandern.cards import GoldenDrawn, GoldenRevealed, GoldenSetAside
from bot.game.flandern.plan import CITIES
from bot.game.flandern.scoring import GuildScored, PlotsCovered
from bot.game.flandern.state import FlandernState
from bot.game.flandern.two import CardDrawn, DrawnSetAside
from bot.game.flandern.view import FlandernCityView, FlandernView
from tests.game.flandern.naive_game import GUILDS, PLAYER_GUILDS, City, NaiveGame
from tests.game.random_games import named

DEFAULTS = {option.name: option.values[0] for option in GAME.options}
OPTION_SETS: tuple[Mapping[str, str], ...] = (
    {},
    {"guilds": "drawn", "golden_cities": "2"},
    {"first_player": "first_seat", "bonus": "any"},
)
ANEW = 0.1
"""How often somebody who has chosen chooses anew."""


def naive(seats: int, options: Mapping[str, str], state: FlandernState) -> NaiveGame:
    """The naive game of a table that has just been set up."""
    view = GAME.view(state, state.first)
    guilds = [(seat.guild, seat.controlled) for seat in view.seats if seat.guild]
    return NaiveGame(seats, {**DEFAULTS, **options}, view.first, guilds)


def dealt(events: Sequence[Event]) -> Iterator[str]:
    """The cards that came from the decks, in their order."""
    for event in events:
        if isinstance(event, GoldenDrawn | GoldenSetAside):
            yield event.card
        elif isinstance(event, CardDrawn | DrawnSetAside):
            yield f"{event.guild} {event.card}"


def everything(state: FlandernState, seat: int, prefix: Action = ()) -> Iterator[Action]:
    """All actions that the engine allows a seat."""
    choices = GAME.legal(state, seat, prefix)
    if isinstance(choices, Done):
        yield prefix
        return
    assert isinstance(choices, OneOf) or choices.each()
    for word in choices.each():
        yield from everything(state, seat, (*prefix, str(word)))


def play(seats: int, options: Mapping[str, str], seed: int) -> tuple[NaiveGame, list[Event]]:
    """A random game, compared with the naive one after every action, and all that was told."""
    rng, told = Random(seed), list[Event]()
    state = GAME.setup(seats, options, RandomChance(rng))
    game = naive(seats, options, state)
    compare(state, game)
    while GAME.outcome(state) is None:
        asked, decision = game.question, state.decision
        seat = rng.choice(sorted(asked.answers if rng.random() < ANEW else asked.waited))
        line = any_of(asked.answers[seat], rng)
        events = GAME.apply(state, seat, tuple(line.split()), RandomChance(rng))
        # Others' questions stay as they are while cards are chosen and the golden one is drawn.
        assert state.decision == decision + (asked.waited == {seat} and line != "look")
        game.deals.extend(dealt(events))
        game.answer(seat, line)
        assert not game.deals
        compare(state, game)
        assert GAME.invariants(state) == []
        told += events
    points = Counter[str]()
    for event in told:
        if isinstance(event, GuildScored):
            points[event.guild] += event.points
    assert +points == +Counter({guild: own.total() for guild, own in game.points.items()})
    covered = {place for each in told if isinstance(each, PlotsCovered) for place in each.places}
    assert covered == {f"{c.name}-{plot}" for c in game.cities.values() for plot in c.covered}
    assert [each.ending for each in told if isinstance(each, GameEnded)] == [game.ending]
    return game, told


def any_of(lines: set[str], rng: Random) -> str:
    """A random action: first of what kind, then which; special quarters of the church first."""
    kind = rng.choice(sorted({line.split()[0] for line in lines}))
    found = sorted(line for line in lines if line.split()[0] == kind)
    special = [line for line in found if "church-" in line]
    return rng.choice(special if special and rng.random() < 0.2 else found)


def compare(state: FlandernState, game: NaiveGame) -> None:
    """All that the engine says against the naive game."""
    view = GAME.view(state, SPECTATOR)
    pending = GAME.pending(state)
    assert {(each.seat, each.kind) for each in pending} == {
        (seat, "look" if lines == {"look"} else game.question.kind)
        for seat, lines in game.question.answers.items()
    }
    assert {each.seat for each in pending if not each.optional} == game.question.waited
    for seat, lines in game.question.answers.items():
        offered = [canonical(action) for action in everything(state, seat)]
        assert len({*offered}) == len(offered)
        assert {*offered} == lines
    if game.cities:
        compare_supply(view, game)
        compare_cards(state, view, game)
        for city in view.cities:
            compare_city(city, game)
    if game.ending:
        compare_end(state, game)
    else:
        assert (view.round, view.first) == (game.round, game.first) or not game.cities


def compare_supply(view: FlandernView, game: NaiveGame) -> None:
    """Pieces that are not on the board."""
    tiles = ("t", "p", "r", "t-leader", "p-leader", "r-leader", "a", "b", "c", "d")
    emblems = (*PLAYER_GUILDS, "grey", "church")
    stock = Counter[tuple[str, str]]()
    for emblem, counts in zip(emblems, view.stock, strict=True):
        for tile, count in zip(tiles, counts, strict=True):
            shape, _, leader = tile.partition("-")
            if tile in "abcd":
                stock[f"{emblem}-{tile}", "p" if tile in "ad" else "r"] += count
            else:
                stock[f"{emblem}-{leader}" if leader else emblem, shape] += count
    assert +stock == +game.stock
    assert (view.sites, view.covers) == (game.sites, game.covers)
    assert (view.cathedrals, view.leaders) == (game.cathedrals, game.leaders)


def compare_cards(state: FlandernState, view: FlandernView, game: NaiveGame) -> None:
    """Cards, guilds and points of each seat, and the decks."""
    points = {each.guild: each for each in view.guilds}
    assert {*points} == {*game.points}
    for seat, player in enumerate(game.players):
        own = GAME.view(state, seat).seats[seat]
        laid = player.chosen if game.question.kind == "choose" else None
        laid_out = {laid[0]} if laid else set()
        assert own.hand is not None
        assert len({*own.hand}) == len(own.hand)
        assert {*own.hand} - laid_out == player.hand - laid_out
        assert {*own.open} == player.open
        assert own.influence is not None
        seen = view.seats[seat]
        assert seen.cards == len(player.hand) + player.influence
        assert (seen.guild, seen.controlled) == (player.guild, player.controlled)
        assert seen.score == game.score(seat)
        assert seen.bonus == game.bonus[seat]
        assert all(points[guild].seat == seat for guild in game.guilds_of(seat))
        if not laid:
            assert own.influence == player.influence
    for guild, scored in game.points.items():
        by_city = dict(zip((city.city for city in view.cities), points[guild].points, strict=True))
        assert {city: count for city, count in by_city.items() if count} == dict(+scored)
    if len(game.players) > 2:
        assert list(view.golden_left) == [deck.total() for deck in game.golden]
        assert sorted(view.golden_out) == sorted(game.golden_out)
        if game.question.kind == "choose":
            assert GAME.view(state, game.first).golden_card == game.golden_card
        if game.question.kind in ("city", "site", "cathedral", "leader"):
            assert list(view.order) == game.order
    else:
        assert view.deck == game.deck.total()
        if game.question.kind == "turn":
            assert Counter(" ".join(each) for each in view.discards) == +game.discards
        if {"take", "draw"} <= {*chain(*game.question.answers.values())}:
            assert view.still == game.still
    if game.question.answers:
        assert view.asked == game.question.kind


def compare_city(seen: FlandernCityView, game: NaiveGame) -> None:
    """A city: what stands on it, and who would score what."""
    assert seen.in_play == (seen.city in game.cities)
    if not seen.in_play:
        return
    city: City = game.cities[seen.city]
    assert seen.scored == city.scored
    assert {*seen.free} == {f"{city.name}-{plot}" for plot in city.free}
    assert {*seen.covered} == {f"{city.name}-{plot}" for plot in city.covered}
    assert seen.value == city.value()
    ranks = {each.guild: each for each in seen.standings}
    assert {guild: (e.quarters, e.leaders, e.rank, e.points) for guild, e in ranks.items()} == {
        guild: tuple(rank) for guild, rank in city.ranking().items()
    }
    places = [each.rank for each in seen.standings]
    assert places == sorted(places)
    standing = {each.place.partition("-")[2]: each for each in seen.quarters}
    assert len(standing) == len(seen.quarters) == len(city.quarters)
    for quarter in city.quarters:
        each = standing[quarter.plots[0]]
        special = quarter.tile.partition("-")[2] if quarter.emblem == "church" else ""
        shape = quarter.plots[0][0]
        kind = special or f"{shape}-leader" * quarter.tile.endswith("-leader") or shape
        assert each.emblem == quarter.emblem
        assert each.kind == ("" if quarter.plots == ("c",) else kind)
        assert (each.cathedral, each.leaders) == (quarter.cathedral, quarter.pawns)
        assert each.printed == quarter.printed
        assert each.bar == (f"{city.name}-{quarter.plots[1]}" if len(quarter.plots) > 1 else "")
        if not city.scored:
            assert each.site == quarter.site


def compare_end(state: FlandernState, game: NaiveGame) -> None:
    """The outcome, and what points are made of."""
    outcome = GAME.outcome(state)
    assert outcome is not None
    assert outcome.ending == game.ending
    assert outcome.winners == game.winners()
    assert list(outcome.scores) == [game.score(seat) for seat in range(len(game.players))]
    lines = dict(outcome.lines)
    for city in game.cities:
        expected = tuple(
            sum(game.points[guild][city] for guild in game.guilds_of(seat))
            for seat in range(len(game.players))
        )
        assert lines.pop(city) == expected
    if len(game.players) > 2:
        assert lines.pop("bonus") == tuple(game.bonus)
    assert not any(any(points) for points in lines.values())
    assert {*game.points} <= {*GUILDS}


@pytest.mark.parametrize("options", OPTION_SETS, ids=named)
@pytest.mark.parametrize("seats", GAME.seats)
def test_a_game_goes_as_the_fact_sheet_says(seats: int, options: Mapping[str, str]) -> None:
    play(seats, options, 1)


@pytest.mark.parametrize(("seed", "seats", "ending"), [(87, 2, "controlled"), (11, 3, "deck")])
def test_the_rarer_ends_come_as_the_fact_sheet_says(seed: int, seats: int, ending: str) -> None:
    """Only quarters of second guilds would fit (9.9), more than nine plots are covered (r22)."""
    game, _ = play(seats, {}, seed)
    assert game.ending == ending
    assert seats == 2 or sum(len(city.covered) for city in game.cities.values()) > 9


@pytest.mark.slow
def test_many_games_go_as_the_fact_sheet_says_and_try_all_of_it() -> None:
    """Every way of building and every kind of card turns up (14.1)."""
    tables = product(GAME.seats, OPTION_SETS, (2, 3))
    told = [event for table in tables for event in play(*table)[1]]
    built = (each for each in told if isinstance(each, QuarterBuilt | SitePut))
    assert {each.tile.partition("-r")[0] for each in built} == {
        *(*GUILDS, "church", *(f"{guild}-leader" for guild in PLAYER_GUILDS)),
        *("church-a", "church-b", "church-c", "church-d"),
    }
    golden = {each.card for each in told if isinstance(each, GoldenRevealed)}
    assert golden == {*CITIES, "site", "take", "influence", "cathedral", "leader"}
    assert {each.kind for each in told} >= set(GAME.events) - {"no_golden"}
