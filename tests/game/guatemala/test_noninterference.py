"""Secrets stay where they belong, at every step of random games and for every observer."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from random import Random

import msgspec
import pytest

from bot.game.chance import RandomChance
from bot.game.contract import SPECTATOR, Action, Chance, Decision, Event, Observer, Seat
from bot.game.guatemala import GAME
from bot.game.guatemala.game import Guatemala
from bot.game.guatemala.sacks import BlockAnswered
from bot.game.guatemala.state import (
    BLOCKS,
    LETS,
    UNANSWERED,
    Blocking,
    GuatemalaState,
)
from bot.game.guatemala.view import GuatemalaView
from tests.game.guatemala.positions import harvest, play, table
from tests.game.guatemala.random_games import SAMPLED, steps
from tests.game.noninterference import found_in
from tests.game.random_games import Step

STRIDE = 8
"""Every so many states are compared, and all while a block is asked about."""


def revealed(step: Step, after: GuatemalaState, observer: Observer) -> object:
    """Who blocks once the answers allow it, and the last sack of a hand, which is laid unasked."""
    before: GuatemalaState = step.state
    frame = before.frames[-1]
    if not isinstance(frame, Blocking) or isinstance(after.frames[-1], Blocking):
        return None
    gave = [
        seat
        for seat, (now, was) in enumerate(zip(after.players, before.players, strict=True))
        if sum(now.hand) < sum(was.hand)
    ]
    last = gave == [before.turn] and sum(before.players[before.turn].hand) == 1
    blocker = [seat for seat in gave if seat != before.turn]
    return blocker, last and after.production[frame.space]


def found(
    game: Guatemala, seats: int, options: Mapping[str, str], seed: int, stride: int = STRIDE
) -> Iterator[str]:
    """All differences in a game, each observer against one twin of each state looked at."""
    looked_at = (
        (n, step)
        for n, step in enumerate(steps(seats, options, seed))
        if n % stride == 0 or step.action[0] in ("block", "take")
    )
    return found_in(game, GAME, looked_at, revealed)


@pytest.mark.parametrize(("seats", "options"), SAMPLED.few_tables())
def test_nobody_can_tell_what_they_cannot_know(seats: int, options: Mapping[str, str]) -> None:
    assert list(found(GAME, seats, options, seed=seats)) == []


@pytest.mark.slow
def test_nobody_can_tell_what_they_cannot_know_at_any_table() -> None:
    for seats, options in SAMPLED.tables():
        assert list(found(GAME, seats, options, seed=seats + 10)) == []


# Leaks put in on purpose, each of which must be caught


class LeakyHands(Guatemala):
    """Shows a hand to everybody."""

    def view(self, state: GuatemalaState, observer: Observer) -> GuatemalaView:
        view = super().view(state, observer)
        shown = msgspec.structs.replace(view.seats[0], hand=tuple(state.players[0].hand))
        return msgspec.structs.replace(view, seats=(shown, *view.seats[1:]))


class LeakyAnswers(Guatemala):
    """Shows an answer about a block before it counts."""

    def view(self, state: GuatemalaState, observer: Observer) -> GuatemalaView:
        view, frame = super().view(state, observer), state.frames[-1]
        if not isinstance(frame, Blocking):
            return view
        return msgspec.structs.replace(view, answer=str(BLOCKS in frame.answers))


class LeakyQuestions(Guatemala):
    """Waits for those alone who could block."""

    def pending(self, state: GuatemalaState) -> tuple[Decision, ...]:
        frame = state.frames[-1]
        return tuple(
            decision
            for decision in super().pending(state)
            if not isinstance(frame, Blocking) or state.players[decision.seat].hand[frame.colour]
        )


class LeakyEvents(Guatemala):
    """Tells everybody of an answer about a block."""

    def apply(
        self, state: GuatemalaState, seat: Seat, action: Action, chance: Chance
    ) -> list[Event]:
        events = super().apply(state, seat, action, chance)
        frame = state.frames[-1]
        if isinstance(frame, Blocking) and BLOCKS in frame.answers:
            events.append(BlockAnswered(seat=frame.answers.index(BLOCKS), answer="yes"))
        return events


def test_a_leak_put_in_on_purpose_is_caught() -> None:
    for leaky in (LeakyHands(), LeakyAnswers(), LeakyQuestions(), LeakyEvents()):
        leaks = (leak for seed in range(9) for leak in found(leaky, 4, {}, seed, 40))
        assert next(leaks, None) is not None, leaky


# All that is secret really varies


def twins(state: GuatemalaState, observer: Observer) -> list[GuatemalaState]:
    """Many states that the observer cannot tell from this one."""
    return [GAME.resample(state, observer, Random(seed)) for seed in range(60)]


def test_hands_of_others_and_the_bag_vary_in_colours_but_not_in_number() -> None:
    state = GAME.setup(3, {}, RandomChance(Random(1)))
    for observer in (SPECTATOR, 0, 2):
        there = twins(state, observer)
        bags = {tuple(twin.bag) for twin in there}
        assert len(bags) > 10
        assert {sum(bag) for bag in bags} == {5}
        for seat in range(3):
            hands = {tuple(twin.players[seat].hand) for twin in there}
            assert {sum(hand) for hand in hands} == {8}
            if seat == observer:
                assert hands == {tuple(state.players[seat].hand)}
            else:
                assert len(hands) > 20


def test_a_seat_that_knows_its_hand_and_the_board_knows_how_many_are_left_of_a_colour() -> None:
    """The last two red sacks are anywhere but in its own hand."""
    state = table(seats=3, hands=("red red red red", "white", "black"), bag="red white")
    for twin in twins(state, 0):
        reds = [player.hand[2] for player in twin.players[1:]]
        assert sum(reds) + twin.bag[2] == 1


def test_early_answers_of_others_vary_and_whoever_let_it_score_first_is_known() -> None:
    """Where the first in order has answered and the table waits, they have not blocked."""
    state = table(seats=4, buyer="t4", sack="red", hands=("", "red", "red white", "red black"))
    play(state, 0, "take")
    for seat, answer in ((3, "yes"), (1, "no")):
        play(state, seat, f"block {answer}")
    frames = [twin.frames[-1] for twin in twins(state, 2)]
    answers = [frame.answers for frame in frames if isinstance(frame, Blocking)]
    assert len(answers) == len(frames)
    assert {answer[1] for answer in answers} == {LETS}
    assert {answer[2] for answer in answers} == {UNANSWERED}
    assert {answer[3] for answer in answers} == {LETS, BLOCKS}


def test_in_no_twin_blocks_somebody_without_such_a_sack_and_what_lies_open_does_not_vary() -> None:
    state = table(seats=3, buyer="t4", sack="red", hands=("", "white", "red white black"))
    play(state, 0, "take")
    play(state, 2, "block yes")
    for twin in twins(state, 0):
        frame = twin.frames[-1]
        assert isinstance(frame, Blocking)
        if frame.answers[2] == BLOCKS:
            assert twin.players[2].hand[frame.colour]
        for observer in (0, SPECTATOR):
            assert GAME.view(twin, observer) == GAME.view(state, observer)


def test_only_a_sack_out_of_a_hand_discloses_something() -> None:
    """Answers about a block are sealed, and tell by themselves."""
    state = table(buyer="t4", sack="red", hands=("white brown", "red"))
    for line in ("buy 24 a1", "take", "end", "move 1", "pass", "place t1"):
        assert not GAME.discloses(state, tuple(line.split()))
    harvest(state)
    assert GAME.discloses(state, ("refill", "white"))
