"""Secrets stay where they belong, at every step of random games and for every observer."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from random import Random

import msgspec
import pytest

from bot.game.contract import SPECTATOR, Action, Chance, Event, Observer, Seat
from bot.game.events import TurnEnded
from bot.game.flandern import GAME
from bot.game.flandern.data import CARDS, LEADER
from bot.game.flandern.game import Flandern
from bot.game.flandern.state import CardChoice, FlandernState
from bot.game.flandern.view import FlandernView
from tests.game.flandern.positions import golden_turn, lay, play, table
from tests.game.flandern.random_games import SAMPLED, steps
from tests.game.noninterference import found_in
from tests.game.random_games import Step, named

STRIDE = 7
"""Every so many states are compared, and all at which cards are chosen."""


def revealed(step: Step, after: FlandernState, observer: Observer) -> object:
    """The cards once all have chosen, and the golden card once it is revealed."""
    before: FlandernState = step.state
    chosen = isinstance(before.frames[-1], CardChoice) and not isinstance(
        after.frames[-1], CardChoice
    )
    # A round may pass without a question; then the cards of all are among what was revealed.
    passed = after.round != before.round or not after.frames
    golden = passed or after.revealed != before.revealed or GAME.outcome(after) is not None
    cards = [
        (sorted(player.open), player.influence, sorted(player.hand)) for player in after.players
    ]
    return (cards if chosen or passed else None, golden and (before.golden_card, after.golden_out))


def found(
    game: Flandern, seats: int, options: Mapping[str, str], seed: int, stride: int = STRIDE
) -> Iterator[str]:
    """All differences in a game, each observer against one twin of each state looked at."""
    looked_at = (
        (n, step)
        for n, step in enumerate(steps(seats, options, seed))
        if n % stride == 0 or (step.action[0] == "choose" and n % 3 == 0)
    )
    return found_in(game, GAME, looked_at, revealed)


FEW = SAMPLED.few_tables()
"""Each set of options, at one number of players."""


@pytest.mark.parametrize(
    ("seats", "options"),
    [
        pytest.param(*each, marks=() if each in FEW else pytest.mark.slow)
        for each in SAMPLED.tables()
    ],
    ids=lambda value: named(value) if isinstance(value, Mapping) else str(value),
)
def test_nobody_can_tell_what_they_cannot_know(seats: int, options: Mapping[str, str]) -> None:
    assert list(found(GAME, seats, options, seed=seats)) == []


# Leaks put in on purpose, each of which must be caught


class LeakyHands(Flandern):
    """Shows what a seat has chosen as soon as it has."""

    def view(self, state: FlandernState, observer: Observer) -> FlandernView:
        view, player = super().view(state, observer), state.players[0]
        card = CARDS[player.card] if player.card >= 0 else None
        seat = msgspec.structs.replace(view.seats[0], card=card)
        return msgspec.structs.replace(view, seats=(seat, *view.seats[1:]))


class LeakyNumbers(Flandern):
    """Counts the influence laid out face down out of the hand."""

    def view(self, state: FlandernState, observer: Observer) -> FlandernView:
        view = super().view(state, observer)
        if not isinstance(state.frames[-1], CardChoice):
            return view
        seats = tuple(
            msgspec.structs.replace(seat, cards=seat.cards - player.laid)
            for seat, player in zip(view.seats, state.players, strict=True)
        )
        return msgspec.structs.replace(view, seats=seats)


class LeakyGolden(Flandern):
    """Shows the golden card to all."""

    def view(self, state: FlandernState, observer: Observer) -> FlandernView:
        card = CARDS[state.golden_card] if state.golden_card >= 0 else None
        return msgspec.structs.replace(super().view(state, observer), golden_card=card)


class LeakyLeaders(Flandern):
    """Tells by the pieces left that a leader is coming."""

    def view(self, state: FlandernState, observer: Observer) -> FlandernView:
        view = super().view(state, observer)
        coming = state.golden_card == LEADER and not state.revealed
        return msgspec.structs.replace(view, leaders=view.leaders - coming)


class LeakyChoice(Flandern):
    """Tells everybody that a seat has laid out influence."""

    def apply(
        self, state: FlandernState, seat: Seat, action: Action, chance: Chance
    ) -> list[Event]:
        events = super().apply(state, seat, action, chance)
        if any(other.laid for other in state.players) and isinstance(state.frames[-1], CardChoice):
            events.append(TurnEnded(seat=seat))
        return events


@pytest.mark.parametrize(
    "leaky", [LeakyHands, LeakyNumbers, LeakyGolden, LeakyLeaders, LeakyChoice]
)
def test_a_leak_put_in_on_purpose_is_caught(leaky: Callable[[], Flandern]) -> None:
    leaks = (leak for seed in range(3) for leak in found(leaky(), 4, {}, seed, 9))
    assert next(leaks, None) is not None


# What is drawn anew: all that is secret, and nothing that is public


def twins(state: FlandernState, observer: Observer, count: int = 120) -> list[FlandernState]:
    return [GAME.resample(state, observer, Random(seed)) for seed in range(count)]


def test_what_others_have_chosen_is_drawn_anew_and_ones_own_is_not() -> None:
    state = table(seats=3, influence=[3, 2, 1], lying=["", "gent site", ""])
    play(state, 0, "choose gent 3")
    play(state, 1, "choose brugge 1")
    for observer, known in ((SPECTATOR, ()), (0, (0,)), (1, (1,)), (2, ())):
        others = twins(state, observer)
        for seat in range(2):
            chosen = {(each.players[seat].card, each.players[seat].laid) for each in others}
            if seat in known:
                assert len(chosen) == 1
            else:
                cards = {CARDS[card] for card, _ in chosen}
                assert cards == {CARDS[card] for card in state.players[seat].hand}
                laid = {count for _, count in chosen}
                assert laid == set(range(state.players[seat].influence + 1))
        assert {each.players[2].card for each in others} == {-1}


def test_who_has_not_chosen_has_not_in_any_twin() -> None:
    state = table(seats=3)
    play(state, 2, "choose take 0")
    for twin in twins(state, 0, 20):
        assert GAME.pending(twin) == GAME.pending(state)


def test_once_revealed_cards_are_drawn_anew_no_more() -> None:
    state = table(seats=3)
    lay(state, "gent 1", "gent 2", "take")
    for observer in (SPECTATOR, 0, 1, 2):
        for twin in twins(state, observer, 30):
            assert twin.players == state.players


def test_the_golden_card_may_be_any_of_its_deck_that_has_not_come_out() -> None:
    left = "brugge gent influence take take luik site"
    state = table(golden="leader", golden_left=left, scored="gent")
    for observer in (SPECTATOR, 1, 2, 3):
        others = twins(state, observer)
        kinds = Counter(CARDS[each.golden_card] for each in others)
        # A card of Gent would have been put aside; those of Luik lie in the other deck.
        assert set(kinds) == {"leader", "brugge", "influence", "take", "site"}
        assert kinds["take"] > kinds["brugge"]
        for twin in others:
            assert GAME.invariants(twin) == []
            assert twin.golden_deck == state.golden_deck
            assert list(map(sum, twin.golden)) == list(map(sum, state.golden))


def test_the_first_player_knows_the_golden_card() -> None:
    state = table(golden="leader")
    assert {twin.golden_card for twin in twins(state, 0, 30)} == {LEADER}
    golden_turn(state)
    for observer in (SPECTATOR, 0, 1):
        assert {twin.golden_card for twin in twins(state, observer, 30)} == {LEADER}


def test_where_there_is_no_golden_card_or_two_players_nothing_is_drawn_anew() -> None:
    for state in (
        table(golden="", golden_left="leader"),
        table(seats=2, deck="blue gent, yellow site"),
    ):
        for observer in (SPECTATOR, 0, 1):
            assert GAME.resample(state, observer, Random(1)) == state


def test_nothing_public_changes_in_a_twin() -> None:
    for seats in (2, 3, 4):
        for number, step in enumerate(steps(seats, {}, 3)):
            if number % 11:
                continue
            for observer in (SPECTATOR, *range(seats)):
                twin = GAME.resample(step.state, observer, Random(number))
                assert GAME.view(twin, observer) == GAME.view(step.state, observer)
                assert (twin.cities, twin.stock, twin.points) == (
                    step.state.cities,
                    step.state.stock,
                    step.state.points,
                )
