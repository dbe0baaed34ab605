"""A tiny game with everything that tables must handle: sealed choices, draws, secrets, offers.

Each round every seat seals a number from 1 to 3. Then a die is rolled. Each seat that chose the
rolled number draws a secret card, and the first of them takes 1 or 2 pebbles. A seat can offer a
pebble as a gift at any time. The game ends when a seat has six pebbles.

There are two versions of the rules, `GAME` and `NEWER`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from random import Random
from typing import Annotated, ClassVar

import msgspec

from bot.game.choices import OneOf
from bot.game.contract import (
    ANSWER,
    Action,
    Chance,
    Decision,
    Observer,
    Option,
    Outcome,
    Refusal,
    Seat,
)
from bot.game.events import PairEvent, SeatEvent, SeatsEvent, kinds_of
from bot.game.game import OVER, Game
from bot.game.grammar import EventRecorder, Rule, refuse, rule
from bot.game.hidden import UNSEEN, Hide, Public, PublicStruct

HEAP, LOW = 200, 5


class Gift(PublicStruct):
    """An offered pebble."""

    id: int
    seat: int
    other: int


class Choose(PublicStruct, tag="choose"):
    """All seats seal a number."""


class Take(PublicStruct, tag="take"):
    """A seat takes pebbles."""

    seat: int


class Over(PublicStruct, tag=OVER):
    pass


def unseen_cards(cards: Sequence[int]) -> list[int]:
    return [UNSEEN for _ in cards]


def unseen_number(number: int) -> int:
    return number and UNSEEN


class State(msgspec.Struct):
    takes: ClassVar[int] = 2
    kinds: ClassVar[int] = 9
    """Number of kinds of cards."""

    target: Public[int]
    pebbles: Public[list[int]]
    cards: Annotated[list[list[int]], Hide(unseen_cards, by_seat=True)]
    chosen: Annotated[list[int], Hide(unseen_number, by_seat=True)]
    frames: Public[list[Choose | Take | Over]] = msgspec.field(default_factory=lambda: [Choose()])
    round: Public[int] = 1
    gifts: Public[list[Gift]] = []
    next_gift: Public[int] = 1
    decision: Public[int] = 0

    @property
    def players(self) -> Sequence[int]:
        return self.pebbles

    @property
    def is_over(self) -> bool:
        return max(self.pebbles) >= self.target

    @property
    def ending(self) -> str:
        return "target"


class Chose(SeatEvent, frozen=True):
    pass


class ChoseNumber(SeatEvent, frozen=True):
    """The number, for its owner."""

    count: int


class Took(SeatEvent, frozen=True):
    count: int


class Offered(PairEvent, frozen=True):
    """Only the two seats see it."""


class Accept(PairEvent, frozen=True):
    pass


class Decline(PairEvent, frozen=True):
    pass


class Rolled(SeatsEvent, frozen=True):
    """The roll, and the seats that had sealed its number."""

    count: int
    seats: tuple[Seat, ...]


class Card(SeatEvent, frozen=True):
    """Only its owner sees it."""

    count: int


def _choose(state: State, seat: Seat, recorder: EventRecorder, number: str) -> None:
    state.chosen[seat] = int(number)
    recorder.record(Chose(seat=seat))
    recorder.record(ChoseNumber(seat=seat, count=int(number), only=(seat,)))
    if 0 not in state.chosen:
        _reveal(state, recorder)
        state.decision += 1


def _reveal(state: State, recorder: EventRecorder) -> None:
    die = recorder.chance.draw("die", [1, 1, 1]) + 1
    hits = [seat for seat, number in enumerate(state.chosen) if number == die]
    recorder.record(Rolled(count=die, seats=tuple(hits)))
    for seat in hits:
        card = recorder.chance.draw("card", [1] * state.kinds)
        state.cards[seat].append(card)
        recorder.record(Card(seat=seat, count=card, only=(seat,)))
    state.chosen = [0] * len(state.chosen)
    if hits:
        state.frames = [Take(hits[0])]
    else:
        state.round += 1


def _take(state: State, seat: Seat, recorder: EventRecorder, count: str) -> None:
    state.pebbles[seat] += int(count)
    if isinstance(state, NewerState):
        state.heap -= int(count)
    state.frames = [Choose()]
    state.round += 1
    recorder.record(Took(seat=seat, count=int(count)))


def _offer(state: State, seat: Seat, recorder: EventRecorder, other: str) -> None:
    state.gifts.append(Gift(state.next_gift, seat, int(other)))
    state.next_gift += 1
    recorder.record(Offered(seat=seat, other=int(other), only=(seat, int(other))))


def _answer(
    event: type[PairEvent],
) -> Callable[[State, Seat, EventRecorder, str], None]:
    def perform(state: State, seat: Seat, recorder: EventRecorder, number: str) -> None:
        gift = next(each for each in state.gifts if each.id == int(number))
        state.gifts.remove(gift)
        if event is Accept and state.pebbles[gift.seat]:
            state.pebbles[gift.seat] -= 1
            state.pebbles[gift.other] += 1
        recorder.record(event(seat=seat, other=gift.seat))

    return perform


def _gifts(state: State, seat: Seat) -> OneOf:
    return OneOf("gift", tuple(str(gift.id) for gift in state.gifts if gift.other == seat))


def _is_given(state: State, seat: Seat) -> Refusal | None:
    return None if _gifts(state, seat).values else refuse("no_gift")


def _others(state: State, seat: Seat) -> OneOf:
    return OneOf("seat", tuple(str(n) for n in range(len(state.pebbles)) if n != seat))


def _answering(event: type[PairEvent]) -> Rule[State]:
    return rule(event.kind, "gifts", _is_given, free=True).word("gift", _gifts).does(_answer(event))


CHOOSE: Rule[State] = (
    rule("choose", "choosing")
    .word("number", lambda state, seat: OneOf("number", ("1", "2", "3")))
    .does(_choose)
)
TAKE: Rule[State] = (
    rule("take", "taking")
    .word("count", lambda state, _: OneOf("count", tuple(map(str, range(1, state.takes + 1)))))
    .does(_take)
)
OFFER: Rule[State] = (
    rule("gift", "gifts", free=True, offers=True).word("seat", _others).does(_offer)
)


QUESTIONS = {"choose": (CHOOSE,), "take": (TAKE,), OVER: ()}


class Pebbles(Game[State]):
    """The rules of version 1."""

    name = "pebbles"
    version = 1
    seats = (2, 3)
    options: tuple[Option, ...] = (Option("length", ("short", "long")),)
    events = kinds_of(__name__)
    questions = QUESTIONS
    free: Sequence[Rule[State]] = (OFFER, _answering(Accept), _answering(Decline))
    state: type[State] = State

    def begin(self, seats: int, options: Mapping[str, str], chance: Chance) -> State:
        cards = [[chance.draw("card", [1] * self.state.kinds)] for _ in range(seats)]
        target = 6 if options.get("length", "short") == "short" else 60
        return self.state(target, [0] * seats, cards, [0] * seats)

    @staticmethod
    def deal(state: State, observer: Observer, rng: Random) -> None:
        for cards in state.cards:
            cards[:] = [rng.randrange(state.kinds) if card == UNSEEN else card for card in cards]
        state.chosen = [rng.randint(1, 3) if n == UNSEEN else n for n in state.chosen]

    def active_seat(self, state: State) -> Seat | None:
        frame = state.frames[-1]
        return frame.seat if isinstance(frame, Take) else None

    def choosing(self, state: State) -> Sequence[tuple[Seat, bool]]:
        if not isinstance(state.frames[-1], Choose):
            return ()
        return [(seat, number > 0) for seat, number in enumerate(state.chosen)]

    def offers(self, state: State) -> tuple[Decision, ...]:
        if state.is_over:
            return ()
        return tuple(Decision(f"o{g.id}", g.other, ANSWER, optional=True) for g in state.gifts)

    def carry_out(
        self, state: State, seat: Seat, rule: Rule[State], action: Action, recorder: EventRecorder
    ) -> None:
        rule.perform(state, seat, recorder, *action[1:])
        if state.is_over:
            state.frames = [Over()]

    def hand(self, state: State, seat: Seat) -> object:
        return state.pebbles[seat], state.cards[seat]

    def outcome(self, state: State) -> Outcome | None:
        if not state.is_over:
            return None
        best = max(state.pebbles)
        winners = tuple(seat for seat, n in enumerate(state.pebbles) if n == best)
        return Outcome(state.ending, winners, tuple(state.pebbles))

    def progress(self, state: State) -> float:
        return min(max(state.pebbles) / state.target, 1.0)

    def invariants(self, state: State) -> list[str]:
        return ["a debt of pebbles"] if min(state.pebbles) < 0 else []


class NewerState(State):
    """The state of version 2, with the pebbles on the heap."""

    takes = 3
    kinds = 12

    heap: Public[int] = HEAP

    @property
    def is_over(self) -> bool:
        return self.heap <= 0 or super().is_over

    @property
    def ending(self) -> str:
        return "heap" if self.heap <= 0 else "target"


class NewerPebbles(Pebbles):
    """The rules of version 2: seats take up to three pebbles from a heap that can run out.

    There are twelve kinds of cards, so that logs of one version are invalid in the other.
    """

    version = 2
    options = (*Pebbles.options, Option("heap", ("full", "low")))
    state = NewerState

    def begin(self, seats: int, options: Mapping[str, str], chance: Chance) -> NewerState:
        state = super().begin(seats, options, chance)
        assert isinstance(state, NewerState)
        state.heap = HEAP if options.get("heap", "full") == "full" else LOW
        return state


GAME = Pebbles()
NEWER = NewerPebbles()
