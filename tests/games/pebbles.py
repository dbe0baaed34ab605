"""A tiny game that has all that tables must cope with: sealed choices, draws, secrets, offers.

Each round every seat seals a number of 1 to 3. The die then shows one; whoever chose it gets a
card that nobody else sees, and the first of them takes 1 or 2 pebbles. Pebbles may be offered as
a gift at any time. Whoever has six pebbles ends the game.

There are two versions of its rules, `GAME` and `NEWER`, which play side by side.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from random import Random

import msgspec

from bot.game.choices import Choices, Done, OneOf
from bot.game.contract import (
    Action,
    Chance,
    Decision,
    Event,
    IllegalAction,
    Move,
    Observer,
    Option,
    Outcome,
    Refusal,
    Seat,
)
from bot.game.events import PairEvent, SeatEvent, SeatsEvent

HEAP, LOW = 200, 5


class Gift(msgspec.Struct):
    """An offered pebble."""

    id: int
    seat: int
    other: int


class State(msgspec.Struct):
    """Everything at the table."""

    target: int
    pebbles: list[int]
    cards: list[list[int]]
    chosen: list[int]
    taker: int = -1
    round: int = 1
    gifts: list[Gift] = []
    next_gift: int = 1


class View(msgspec.Struct, frozen=True):
    """What an observer may know."""

    pebbles: tuple[int, ...]
    cards: tuple[int, ...]
    chosen: int
    over: bool
    observer: int
    target: int
    hands: tuple[int, ...]
    """How many cards each has."""
    chose: tuple[bool, ...]
    """Who has sealed a number."""
    taker: int
    round: int
    gifts: tuple[tuple[int, int, int], ...]
    """Number, giver and receiver of each gift that is offered."""
    next_gift: int


class Chose(SeatEvent, frozen=True):
    """A number has been sealed."""


class ChoseNumber(SeatEvent, frozen=True):
    """The same with the number, for its owner."""

    count: int


class Took(SeatEvent, frozen=True):
    """Pebbles were taken."""

    count: int


class Offered(PairEvent, frozen=True):
    """A pebble is offered, between the two of them."""


class Accept(PairEvent, frozen=True):
    """A gift was taken."""


class Decline(PairEvent, frozen=True):
    """A gift was not wanted."""


class Rolled(SeatsEvent, frozen=True):
    """The die fell on a number that these seats had sealed."""

    count: int
    seats: tuple[Seat, ...]


class Card(SeatEvent, frozen=True):
    """A card was drawn."""

    count: int


class Pebbles:
    """The rules of version 1."""

    name = "pebbles"
    seats = (2, 3)
    options: tuple[Option, ...] = (Option("length", ("short", "long")),)
    takes: tuple[str, ...] = ("1", "2")
    cards = 9
    events: Mapping[str, type[Event]] = {
        event.kind: event
        for event in (Chose, ChoseNumber, Took, Offered, Accept, Decline, Rolled, Card)
    }
    moves: Mapping[str, Move] = {
        "choose": Move("choose", ("number",), "choosing"),
        "take": Move("take", ("count",), "taking"),
        "gift": Move("gift", ("seat",), "gifts", free=True, offers=True),
        "accept": Move("accept", ("gift",), "gifts", free=True),
        "decline": Move("decline", ("gift",), "gifts", free=True),
    }

    def __init__(self, version: int = 1) -> None:
        self.version = version

    def setup(self, seats: int, options: Mapping[str, str], chance: Chance) -> State:
        if seats not in self.seats:
            raise ValueError(f"not for {seats}")
        cards = [[chance.draw("card", [1] * self.cards)] for _ in range(seats)]
        target = 6 if options.get("length", "short") == "short" else 60
        return State(target, [0] * seats, cards, [0] * seats)

    def pending(self, state: State) -> tuple[Decision, ...]:
        if self.outcome(state) is not None:
            return ()
        answers = [Decision(f"o{g.id}", g.other, "answer", optional=True) for g in state.gifts]
        if state.taker >= 0:
            return (Decision(f"t{state.round}", state.taker, "take"), *answers)
        choices = [
            Decision(f"c{state.round}", seat, "choose", optional=number > 0, sealed=True)
            for seat, number in enumerate(state.chosen)
        ]
        return (*sorted(choices, key=lambda decision: decision.optional), *answers)

    def legal(self, state: State, seat: Seat, prefix: Action = ()) -> Choices:
        if not prefix:
            kinds = [kind for kind in self.moves if self._words(state, seat, kind)]
            return OneOf("kind", tuple(kinds))
        words = self._words(state, seat, prefix[0])
        if not words:
            raise IllegalAction(Refusal("not_now", "turns", {"seat": seat}), prefix)
        if len(prefix) == 1:
            return OneOf(self.moves[prefix[0]].params[0], words)
        if len(prefix) > 2 or prefix[1] not in words:
            raise IllegalAction(Refusal("no_such_word", prefix[0]), prefix)
        return Done()

    def walk(self, state: State, seat: Seat) -> Callable[[Action], Choices]:
        return partial(self.legal, state, seat)

    def apply(self, state: State, seat: Seat, action: Action, chance: Chance) -> list[Event]:
        if not action or not isinstance(self.legal(state, seat, action), Done):
            raise IllegalAction(Refusal("not_whole", "turns"), action)
        kind, word = action[0], int(action[1])
        if kind == "choose":
            state.chosen[seat] = word
            told = (Chose(seat=seat), ChoseNumber(seat=seat, count=word, only=(seat,)))
            return [*told] if 0 in state.chosen else [*told, *self._reveal(state, chance)]
        if kind == "take":
            state.pebbles[seat] += word
            state.taker = -1
            state.round += 1
            return [Took(seat=seat, count=word)]
        if kind == "gift":
            state.gifts.append(Gift(state.next_gift, seat, word))
            state.next_gift += 1
            return [Offered(seat=seat, other=word, only=(seat, word))]
        gift = next(each for each in state.gifts if each.id == word)
        state.gifts.remove(gift)
        if kind == "accept" and state.pebbles[gift.seat]:
            state.pebbles[gift.seat] -= 1
            state.pebbles[gift.other] += 1
        answer = Accept if kind == "accept" else Decline
        return [answer(seat=seat, other=gift.seat)]

    def view(self, state: State, observer: Observer) -> View:
        seated = observer >= 0
        return View(
            tuple(state.pebbles),
            tuple(state.cards[observer]) if seated else (),
            state.chosen[observer] if seated else 0,
            self.outcome(state) is not None,
            observer,
            state.target,
            tuple(len(cards) for cards in state.cards),
            tuple(number > 0 for number in state.chosen),
            state.taker,
            state.round,
            tuple((gift.id, gift.seat, gift.other) for gift in state.gifts),
            state.next_gift,
        )

    def hand(self, state: State, seat: Seat) -> object:
        return state.pebbles[seat], state.cards[seat]

    def discloses(self, state: State, action: Action) -> bool:
        return False

    def resample(self, state: State, observer: Observer, rng: Random) -> State:
        copy = self.decode(self.encode(state))
        for seat, cards in enumerate(copy.cards):
            if seat != observer:
                cards[:] = [rng.randrange(self.cards) for _ in cards]
                copy.chosen[seat] = copy.chosen[seat] and rng.randint(1, 3)
        return copy

    def imagine(self, view: View, rng: Random) -> State:
        cards = [[rng.randrange(self.cards) for _ in range(count)] for count in view.hands]
        chosen = [rng.randint(1, 3) if chose else 0 for chose in view.chose]
        if view.observer >= 0:
            cards[view.observer], chosen[view.observer] = list(view.cards), view.chosen
        return State(
            view.target,
            list(view.pebbles),
            cards,
            chosen,
            view.taker,
            view.round,
            [Gift(*gift) for gift in view.gifts],
            view.next_gift,
        )

    def outcome(self, state: State) -> Outcome | None:
        best = max(state.pebbles)
        if best < state.target:
            return None
        winners = tuple(seat for seat, n in enumerate(state.pebbles) if n == best)
        return Outcome("target", winners, tuple(state.pebbles))

    def round(self, state: State) -> int:
        """Counted from 1."""
        return state.round

    def invariants(self, state: State) -> list[str]:
        return ["a debt of pebbles"] if min(state.pebbles) < 0 else []

    def encode(self, state: State) -> bytes:
        return msgspec.msgpack.encode(state)

    def decode(self, data: bytes) -> State:
        return msgspec.msgpack.decode(data, type=State)

    def _reveal(self, state: State, chance: Chance) -> list[Event]:
        die = chance.draw("die", [1, 1, 1]) + 1
        hits = [seat for seat, number in enumerate(state.chosen) if number == die]
        events: list[Event] = [Rolled(count=die, seats=tuple(hits))]
        for seat in hits:
            card = chance.draw("card", [1] * self.cards)
            state.cards[seat].append(card)
            events.append(Card(seat=seat, count=card, only=(seat,)))
        state.chosen = [0] * len(state.chosen)
        if hits:
            state.taker = hits[0]
        else:
            state.round += 1
        return events

    def _words(self, state: State, seat: Seat, kind: str) -> tuple[str, ...]:
        if self.outcome(state) is not None:
            return ()
        if kind == "choose":
            return ("1", "2", "3") if state.taker < 0 else ()
        if kind == "take":
            return self.takes if state.taker == seat else ()
        if kind == "gift":
            return tuple(str(other) for other in range(len(state.pebbles)) if other != seat)
        return tuple(str(gift.id) for gift in state.gifts if gift.other == seat)


class NewerState(State):
    """What version 2 has besides: how many pebbles lie on the heap."""

    heap: int = HEAP


class NewerPebbles(Pebbles):
    """The rules of version 2: up to three pebbles are taken, from a heap that may run out.

    There are twelve kinds of card, so that no game of one version can pass for one of the other.
    """

    takes = ("1", "2", "3")
    cards = 12
    options = (*Pebbles.options, Option("heap", ("full", "low")))

    def __init__(self) -> None:
        super().__init__(version=2)

    def setup(self, seats: int, options: Mapping[str, str], chance: Chance) -> NewerState:
        state = super().setup(seats, options, chance)
        heap = HEAP if options.get("heap", "full") == "full" else LOW
        return NewerState(**msgspec.structs.asdict(state), heap=heap)

    def apply(self, state: State, seat: Seat, action: Action, chance: Chance) -> list[Event]:
        events = super().apply(state, seat, action, chance)
        if action[0] == "take" and isinstance(state, NewerState):
            state.heap -= int(action[1])
        return events

    def outcome(self, state: State) -> Outcome | None:
        assert isinstance(state, NewerState)
        if state.heap > 0:
            return super().outcome(state)
        best = max(state.pebbles)
        winners = tuple(seat for seat, n in enumerate(state.pebbles) if n == best)
        return Outcome("heap", winners, tuple(state.pebbles))

    def decode(self, data: bytes) -> NewerState:
        return msgspec.msgpack.decode(data, type=NewerState)


GAME = Pebbles()
NEWER = NewerPebbles()
