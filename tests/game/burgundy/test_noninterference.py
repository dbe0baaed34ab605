"""Secrets stay where they belong, at every step of random games and for every observer."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from random import Random

import msgspec
import pytest

from bot.game.burgundy import GAME
from bot.game.burgundy.game import Burgundy
from bot.game.burgundy.rounds import DepotFilled
from bot.game.burgundy.state import BurgundyState, Castles
from bot.game.burgundy.view import BurgundyView
from bot.game.chance import RandomChance
from bot.game.contract import SPECTATOR, Chance, Decision, Event, Observer, Seat
from tests.game.burgundy.positions import play, table, words
from tests.game.burgundy.random_games import OPTION_SETS, steps
from tests.game.noninterference import found_in
from tests.game.random_games import Step, named

HIDDEN = {"sold_goods": "hidden"}
STRIDE = 9
"""Every so many states are compared, and all until the castles are revealed."""


def revealed(step: Step, after: BurgundyState, observer: Observer) -> object:
    """The last castle reveals all of them."""
    frame = step.state.frames[-1]
    return frame.chosen if isinstance(frame, Castles) and after.round else None


def found(
    game: Burgundy, seats: int, options: Mapping[str, str], seed: int, stride: int = STRIDE
) -> Iterator[str]:
    """All differences in a game, each observer against one twin of each state looked at."""
    numbered = enumerate(steps(seats, options, seed))
    looked_at = ((n, step) for n, step in numbered if not (n % stride and step.state.round))
    return found_in(game, GAME, looked_at, revealed)


@pytest.mark.parametrize("options", OPTION_SETS, ids=named)
@pytest.mark.parametrize("seats", GAME.seats)
def test_nobody_can_tell_what_he_cannot_know(seats: int, options: Mapping[str, str]) -> None:
    assert list(found(GAME, seats, options, seed=seats)) == []


# Leaks put in on purpose, each of which must be caught


class LeakyCastles(Burgundy):
    """Shows a sealed choice to everybody."""

    def view(self, state: BurgundyState, observer: Observer) -> BurgundyView:
        frame, view = state.frames[-1], super().view(state, observer)
        if not isinstance(frame, Castles):
            return view
        return msgspec.structs.replace(view, chosen=str(max(frame.chosen)))


class LeakyPiles(Burgundy):
    """Counts on tile 15 of everybody, whoever looks."""

    def view(self, state: BurgundyState, observer: Observer) -> BurgundyView:
        view = super().view(state, observer)
        seats = tuple(
            msgspec.structs.replace(seat, total=seat.total + sum(map(bool, player.sold)))
            for seat, player in zip(view.seats, state.players, strict=True)
        )
        return msgspec.structs.replace(view, seats=seats)


class LeakyQuestions(Burgundy):
    """Names a question after what has been sold."""

    def pending(self, state: BurgundyState) -> tuple[Decision, ...]:
        sold = ",".join(str(player.sold) for player in state.players)
        return tuple(
            msgspec.structs.replace(decision, id=decision.id + sold)
            for decision in super().pending(state)
        )


class LeakyEvents(Burgundy):
    """Tells everybody what all have sold."""

    def apply(
        self, state: BurgundyState, seat: Seat, action: tuple[str, ...], chance: Chance
    ) -> list[Event]:
        before = [str(player.sold) for player in state.players]
        return [
            *super().apply(state, seat, action, chance),
            DepotFilled(depot="1", tiles=tuple(before)),
        ]


@pytest.mark.parametrize(
    ("leaky", "options"),
    [
        (LeakyCastles, {"boards": "random"}),
        (LeakyPiles, HIDDEN),
        (LeakyQuestions, HIDDEN),
        (LeakyEvents, HIDDEN),
    ],
)
def test_a_leak_put_in_on_purpose_is_caught(
    leaky: Callable[[], Burgundy], options: Mapping[str, str]
) -> None:
    leaks = (leak for seed in range(9) for leak in found(leaky(), 3, options, seed, 40))
    assert next(leaks, None) is not None


# All that is secret really varies


def twins(state: BurgundyState, observer: Observer) -> list[BurgundyState]:
    """Many states that the observer cannot tell from this one."""
    return [GAME.resample(state, observer, Random(seed)) for seed in range(60)]


def test_hidden_sold_goods_vary_in_what_but_not_in_how_many_they_are() -> None:
    state = table(seats=3, sold=("1123", "455", "6"), options=HIDDEN)
    for observer, others in ((SPECTATOR, (0, 1, 2)), (0, (1, 2))):
        for seat in others:
            piles = {tuple(twin.players[seat].sold) for twin in twins(state, observer)}
            assert len(piles) > 4
            assert {sum(pile) for pile in piles} == {sum(state.players[seat].sold)}
    assert {tuple(twin.players[0].sold) for twin in twins(state, 0)} == {(2, 1, 1, 0, 0, 0)}


def test_open_sold_goods_do_not_vary() -> None:
    state = table(seats=3, sold=("1123", "455", "6"))
    assert all(GAME.encode(twin) == GAME.encode(state) for twin in twins(state, SPECTATOR))


def test_sealed_castles_of_others_vary() -> None:
    state = GAME.setup(3, {"boards": "random"}, RandomChance(Random(1)))
    for seat in (0, 1):
        play(state, seat, f"castle {words(state, seat, 'castle')[1]}")
    frame = state.frames[0]
    assert isinstance(frame, Castles)
    chosen = [twin.frames[0].chosen for twin in twins(state, 0)]  # type: ignore[union-attr]
    assert {choice[0] for choice in chosen} == {frame.chosen[0]}
    assert len({choice[1] for choice in chosen}) == 4
    assert {choice[2] for choice in chosen} == {-1}


def test_after_the_end_sold_goods_are_no_secret_any_more() -> None:
    *_, last = steps(2, HIDDEN, seed=1)
    assert all(GAME.view(twin, 0) == GAME.view(last.state, 0) for twin in twins(last.state, 0))
    assert GAME.view(last.state, SPECTATOR).seats[0].sold is not None
