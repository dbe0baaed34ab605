"""What holds after every action of random games, at every number of seats and all options."""

from __future__ import annotations

from collections.abc import Mapping

from hypothesis import given, settings
from hypothesis import strategies as st

from bot.game.kogge import GAME
from bot.game.kogge.data import CITIES, CONTENT, GOODS
from bot.game.kogge.state import Auction, KoggeOver, KoggeState
from tests.game.kogge.random_games import OPTION_SETS, SEATS, steps


def pieces_are_all_there(state: KoggeState) -> None:
    """The counts of the box, written here once more and apart from the engine's own check."""
    markers = sum(state.bag) + len("".join(state.display)) + 2 * CITIES
    markers += sum(sum(player.markers) for player in state.players)
    if isinstance(state.frames[0], Auction):
        markers += len("".join(state.bids))
    assert markers == 90
    for good, total in enumerate((25, 18, 13, 10)):
        in_cities = sum(
            city.goods[good] + sum(office.goods[good] for office in city.offices)
            for city in state.cities
        )
        held = sum(player.goods[good] for player in state.players)
        assert state.reserve[good] + in_cities + held == total
    assert all(len(city.offices) <= 2 for city in state.cities)
    most = 5 if isinstance(state.frames[-1], KoggeOver) else 4
    for seat in range(len(state.players)):
        owned = sum(office.seat == seat for city in state.cities for office in city.offices)
        assert owned <= most


@settings(max_examples=120)
@given(st.sampled_from(SEATS), st.sampled_from(OPTION_SETS), st.integers())
def test_no_piece_is_lost_and_every_game_ends(
    seats: int, options: Mapping[str, str], seed: int
) -> None:
    for step in steps(seats, options, seed):
        state = step.state
        pieces_are_all_there(state)
    pieces_are_all_there(state)
    assert GAME.invariants(state) == []
    result = GAME.outcome(state)
    assert result is not None
    assert result.winners
    assert sum(result.scores) == sum(sum(points) for _, points in result.lines)


def test_the_box_is_what_the_rules_count() -> None:
    assert sum(CONTENT.markers) == 90
    assert [kind.total for kind in CONTENT.goods] == [25, 18, 13, 10]
    assert GOODS == 4
