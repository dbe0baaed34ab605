"""Advanced rule D: what seats see of the routes, and remember."""

from __future__ import annotations

from collections.abc import Mapping
from random import Random

from bot.game.chance import RandomChance
from bot.game.contract import SPECTATOR
from bot.game.hidden import UNSEEN
from bot.game.kogge import GAME
from bot.game.kogge.state import Acting, KoggeState
from tests.game.kogge.places import ITALIAN, LUBECK, REVAL, RIGA
from tests.game.kogge.positions import asked, follow, goods, hand, known, notes, play

MEMORY = {"memory": "on"}


def begun(options: Mapping[str, str], *cities: int) -> KoggeState:
    """A new table after the founding."""
    script = ";".join(f"{seat} found {city}" for seat, city in enumerate(cities))
    return follow(script, GAME.setup(len(cities), options, RandomChance(Random(3))))


def seen(state: KoggeState, observer: int, city: int = REVAL) -> list[int]:
    """The markers of a city's routes, as far as an observer sees them."""
    return [route.marker for route in known(state, observer).cities[city].routes]


def test_all_markers_lie_face_down_and_may_be_equal_or_lead_to_their_own_city() -> None:
    """Ruling 55: routes are laid as they are drawn."""
    tables = [GAME.setup(2, MEMORY, RandomChance(Random(seed))) for seed in range(60)]
    for observer in (SPECTATOR, 0):
        assert all(seen(tables[0], observer, city) == [UNSEEN] * 2 for city in range(9))
    laid = [
        (number, *(route.marker for route in city.routes))
        for state in tables
        for number, city in enumerate(state.cities)
    ]
    assert any(left == right for _, left, right in laid)
    assert any(number in (left, right) for number, left, right in laid)


def test_everybody_starts_with_two_ore_and_two_or_three_fur() -> None:
    """Ruling 57: with three and four players the reserve of fur starts empty."""
    for options, start, fur in (
        (MEMORY, "ooff", 4),
        (MEMORY | ITALIAN, "oofff", 0),
        (MEMORY | {"memory_fur": "three"}, "oofff", 0),
        (MEMORY | ITALIAN | {"memory_fur": "two"}, "ooff", 4),
        ({"memory_fur": "three"}, "oof", 8),
    ):
        state = GAME.setup(4, options, RandomChance(Random(1)))
        assert [player.goods for player in state.players] == [goods(start)] * 4, options
        assert state.reserve[1] == fur, options


def test_after_the_founding_each_looks_at_the_first_city_in_order_of_play() -> None:
    """Ruling 55: each may exchange one of the two; who comes second sees what the first one has
    laid, and may take it."""
    state = begun(MEMORY, 7, 2, 5)
    for seat in (1, 2, 0):
        assert asked(state) == [(seat, "exchange")]
        city = state.players[seat].city
        assert seen(state, seat, city) == [route.marker for route in state.cities[city].routes]
        assert len(notes(state, seat)) == 2
        assert [seen(state, other, city)[0] for other in (-1, 0, 1, 2)].count(UNSEEN) == 3
        play(state, seat, "pass")
    assert asked(state) == [(1, "bid")]
    state = begun(MEMORY, 4, 4)
    first, second = state.order
    play(state, first, "reroute left 8")
    assert seen(state, second, 4)[0] == seen(state, first, 4)[0] == 8
    play(state, second, "reroute left 7")
    assert hand(state, second).count("8") == 2
    assert seen(state, first, 4)[0] == UNSEEN


def test_ruling_62_deals_are_made_in_the_opening_exchange() -> None:
    """Both texts allow deals at any time; so a marker may be bought to be laid at once. Offers made
    before the first round stand in it."""
    state = begun(MEMORY, REVAL, REVAL)
    first, second = state.order
    state.players[first].markers[5] -= 1
    state.bag[5] += 1
    follow(
        f"""{first} offer {second} o 5; {second} accept 1; {first} reroute left 5;
        asked {second} exchange; {first} offer {second} o -; {second} pass; offers 2""",
        state,
    )


def test_notes_say_when_something_was_seen_and_that_it_may_be_out_of_date() -> None:
    """All who play see a route that is turned."""
    state = follow("memory routes=3:7?/5? | 0 sail left -")
    for seat in range(2):
        assert seen(state, seat)[0] == LUBECK
        assert notes(state, seat) == [(REVAL, 0, LUBECK, 1, True)]
    assert (seen(state, SPECTATOR)[0], notes(state, SPECTATOR)) == (UNSEEN, [])
    state = follow("memory routes=3:7?/5? | 0 peek o")
    assert (seen(state, 0), seen(state, 1)) == ([7, 5], [UNSEEN] * 2)
    state.round = 4
    state.players[1].city = REVAL
    state.at, state.frames = 1, [Acting(RIGA)]
    play(state, 1, "reroute left 6")
    assert notes(state, 0) == [(REVAL, 0, LUBECK, 1, False), (REVAL, 1, 5, 1, True)]
    assert seen(state, 0)[0] == UNSEEN
    assert notes(state, 1) == [(REVAL, 0, 6, 4, True)]
