"""The contract of every game, and what turn-based games share: who is asked what, and which rule
answers it.

A game asks one seat, or several at once for a secret choice; some actions may also be free to
everybody at any time. A state's top frame says what is asked (bot.game.frames).
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from random import Random
from typing import Any, Generic, TypeVar

import msgspec

from bot.game.choices import Choices, OneOf
from bot.game.contract import (
    SPECTATOR,
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
from bot.game.frames import TurnState, tag_of
from bot.game.grammar import EventRecorder, Rule, check, next_word, word_after
from bot.game.hidden import Hiding, View

OVER = "over"
"""What is asked once the game has ended: nothing."""


S = TypeVar("S", bound=TurnState)


class Game(ABC, Generic[S]):
    """The rules of one title, of a state `S`; stateless, shared by all tables."""

    name: str
    """Its key in the registry, the log and the commands."""
    version: int
    """Of the rules; a table keeps the one it began with."""
    seats: tuple[int, ...]
    """How many may play."""
    options: tuple[Option, ...]
    """What a table may choose."""
    events: Mapping[str, type[Event]]
    """Every kind of event by its word."""
    state: type[S]
    questions: Mapping[str, Sequence[Rule[S]]]
    """The rules that answer each question, in the order they are shown. Where two questions are
    answered by one kind of action, the first of its rules is what the kind is known for."""
    free: Sequence[Rule[S]] = ()
    """Those of actions that may be taken at any time."""
    deal: Callable[[S, Observer, Random], None]
    """Puts, in place, something equally possible for each blank of a state as an observer knows it
    (bot.game.hidden)."""

    def __init__(self) -> None:
        self._encoder = msgspec.msgpack.Encoder()
        self._decoder = msgspec.msgpack.Decoder(self.state)
        self._hiding = Hiding(self.state)
        self.rules: dict[str, Rule[S]] = {}
        """A rule of each kind."""
        for group in (*self.questions.values(), self.free):
            for known in group:
                self.rules.setdefault(known.move.kind, known)
        self.moves: Mapping[str, Move] = {kind: known.move for kind, known in self.rules.items()}
        """Every kind of action by name."""
        self.answers = {
            question: {known.move.kind: known for known in group}
            for question, group in self.questions.items()
        }
        """The rules of each question by kind."""
        self._gates = {
            question: [(known.move.kind, known.gate, known) for known in group]
            for question, group in self.questions.items()
        }

    def __repr__(self) -> str:
        return f"<{type(self).__name__}, rules version {self.version}>"

    # What each game says

    @abstractmethod
    def begin(self, seats: int, options: Mapping[str, str], chance: Chance) -> S:
        """A new table, up to the first question; the options have been checked."""

    @abstractmethod
    def active_seat(self, state: S) -> Seat | None:
        """The one seat that is asked; None where several choose in secret and at the end."""

    @abstractmethod
    def choosing(self, state: S) -> Sequence[tuple[Seat, bool]]:
        """Who chooses in secret now, and whether they have chosen."""

    @abstractmethod
    def carry_out(
        self, state: S, seat: Seat, known: Rule[S], action: Action, recorder: EventRecorder
    ) -> None:
        """Perform a checked action, and everything that follows without asking anybody."""

    @abstractmethod
    def outcome(self, state: S) -> Outcome | None:
        """The result, once the game has ended."""

    @abstractmethod
    def hand(self, state: S, seat: Seat) -> object:
        """What the seat owns, as a comparable value: the seat is told when others have changed
        it."""

    @abstractmethod
    def invariants(self, state: S) -> list[str]:
        """What is wrong with a state that the rules can never lead to; empty for a sound one."""

    def question(self, state: S) -> str:
        """The kind of what is asked; `OVER` at the end."""
        return tag_of(type(state.frames[-1]))

    def free_rules(self, state: S) -> Sequence[Rule[S]]:
        """Those of `free` that may be open to somebody."""
        return self.free

    def offers(self, state: S) -> tuple[Decision, ...]:
        """Offers that wait for an answer."""
        return ()

    def discloses(self, state: S, action: Action) -> bool:
        """Whether an action that is about to be taken may tell anybody what was secret to them:
        never, where everything lies open when it is moved.

        The answer must not depend on more than a spectator knows, not even on words of the action
        that a spectator does not hear: all learn by it whether a step can be taken back. Draws
        and sealed choices are judged elsewhere.
        """
        return False

    def round(self, state: S) -> int:
        """The number of the round, counted from 1; 0 before the first."""
        return state.round

    # What follows from that

    def setup(self, seats: int, options: Mapping[str, str], chance: Chance) -> S:
        """A new table, up to the first question. Raises ValueError for an option or a number of
        seats that the game does not have."""
        if seats not in self.seats:
            raise ValueError(
                f"{self.name} is for {min(self.seats)} to {max(self.seats)}, not {seats}"
            )
        self.check_options(options)
        return self.begin(seats, options, chance)

    def check_options(self, options: Mapping[str, str]) -> None:
        """Raises ValueError for an option that the game does not have, or a value that it cannot
        be."""
        known = {option.name: option.values for option in self.options}
        for name, value in options.items():
            if name not in known:
                has = ", ".join(known)
                raise ValueError(f"{self.name} has no option {name!r}. Choose one of: {has}.")
            if value not in known[name]:
                can = ", ".join(known[name])
                raise ValueError(f"{self.name} has no {name} {value!r}. Choose one of: {can}.")

    def may_answer(self, state: S, seat: Seat) -> bool:
        """Whether the seat may answer what is being asked."""
        asked = self.active_seat(state)
        if asked is not None:
            return seat == asked
        return any(seat == chooser for chooser, _ in self.choosing(state))

    def open_rules(self, state: S, seat: Seat) -> dict[str, Rule[S]]:
        """The rules open to the seat by kind: answers to what it is asked, then free ones."""
        question = self.question(state)
        if question == OVER:
            return {}
        asked = self._gates[question] if self.may_answer(state, seat) else ()
        found = {kind: known for kind, gate, known in asked if gate(state, seat) is None}
        for known in self.free_rules(state):
            if known.gate(state, seat) is None:
                found[known.move.kind] = known
        return found

    def pending(self, state: S) -> tuple[Decision, ...]:
        """What is asked of whom; a sealed choice already made and open offers are optional."""
        seat, name, kind = self.active_seat(state), str(state.decision), self.question(state)
        if seat is not None:
            return (Decision(name, seat, kind), *self.offers(state))
        by_need = sorted(self.choosing(state), key=lambda choice: choice[1])
        sealed = [Decision(name, seat, kind, chose, sealed=True) for seat, chose in by_need]
        return (*sealed, *self.offers(state))

    def rule_of(self, state: S, seat: Seat, action: Action) -> Rule[S]:
        """The rule that an action of the seat follows now, by its kind.

        Raises IllegalAction where the seat may not begin one, before any gate of its own.
        """
        question = self.question(state)
        known = self.answers[question].get(action[0]) if action else None
        if known is not None and self.may_answer(state, seat):
            return known
        known = known or self.rules.get(action[0] if action else "")
        if known is not None and known.move.free and question != OVER:
            return known
        raise IllegalAction(self._why_not(state, seat, action, question, known), action, seat)

    def _why_not(
        self, state: S, seat: Seat, action: Action, question: str, known: Rule[S] | None
    ) -> Refusal:
        kind = action[0] if action else ""
        if known is None:
            return Refusal("unknown_kind", "overview", {"kind": kind})
        if question == OVER:
            return Refusal("game_over", "ending")
        topic = known.move.topic
        if self.may_answer(state, seat):
            return Refusal("not_now", topic, {"kind": kind, "asked": question})
        asked = self.active_seat(state)
        if asked is None:
            return Refusal("nothing_asked", topic, {"kind": kind})
        return Refusal("not_your_turn", topic, {"kind": kind, "other": asked})

    def legal(self, state: S, seat: Seat, prefix: Action = ()) -> Choices:
        """The domain of the next word after `prefix`; `Done` when the action is whole.

        Raises IllegalAction where the prefix itself is not allowed.
        """
        return self.walk(state, seat)(prefix)

    def walk(self, state: S, seat: Seat) -> Callable[[Action], Choices]:
        """`legal` of one seat for as long as the state stays as it is: it remembers answers."""
        return Walk(self, state, seat)

    def apply(self, state: S, seat: Seat, action: Action, chance: Chance) -> list[Event]:
        """Carry the action out on `state`, in place. Raises IllegalAction and changes nothing."""
        known = self.rule_of(state, seat, action)
        check(known, state, seat, action)
        recorder = EventRecorder(chance)
        asked = self.active_seat(state)
        self.carry_out(state, seat, known, action, recorder)
        # A sealed choice does not make the others' questions new; its reveal does, and increases
        # the count itself. A free action does where another seat is asked after it.
        if asked is not None and (not known.move.free or self.active_seat(state) != asked):
            state.decision += 1
        return recorder.events

    def view(self, state: S, observer: Observer) -> View[S]:
        """What the observer may know. Raises ValueError for an observer who is neither a spectator
        nor a seat of this table."""
        seats = len(state.players)
        if not (observer == SPECTATOR or 0 <= observer < seats):
            raise ValueError(
                f"Nobody looks as {observer}: seats are 0..{seats - 1}, a spectator is {SPECTATOR}."
            )
        return View(observer, self.known(state, observer))

    def known(self, state: S, observer: Observer) -> S:
        """A copy with a blank for whatever is hidden from the observer."""
        copy = self.decode(self.encode(state))
        self._hiding.blank(copy, observer)
        return copy

    def resample(self, state: S, observer: Observer, rng: Random) -> S:
        """A random state that this observer cannot tell from the real one. Raises ValueError as
        `view` does."""
        twin = self.view(state, observer).known
        self.deal(twin, observer, rng)
        return twin

    def determinize(self, view: View[S], rng: Random) -> S:
        """A random state in which the view's observer would see that very view.

        Made of the view alone, so it knows no more than that observer. What they cannot see is as
        likely as they may think it; what nobody but the engine needs, such as the count of
        decisions, may differ.
        """
        state = self.decode(self.encode(view.known))
        self.deal(state, view.observer, rng)
        return state

    def encode(self, state: S) -> bytes:
        """The state as MessagePack; the same state gives the same bytes."""
        return self._encoder.encode(state)

    def decode(self, data: bytes) -> S:
        """The state that `encode` wrote. Raises msgspec.DecodeError where it is not one."""
        return self._decoder.decode(data)


AnyGame = Game[Any]


class Walk(Generic[S]):
    """`Game.legal` of a seat, which remembers every prefix that it has answered.

    It holds what it found for one state, so whoever made it lets it go before the state changes;
    `Game.apply` checks an action itself and knows nothing of walks.
    """

    __slots__ = ("_found", "_game", "_rules", "_seat", "_state")

    def __init__(self, game: Game[S], state: S, seat: Seat) -> None:
        self._game = game
        self._state = state
        self._seat = seat
        self._found: dict[Action, Choices] = {}
        self._rules: dict[str, Rule[S]] = {}
        """The rules of the kinds whose gates have been passed."""

    def __call__(self, prefix: Action = ()) -> Choices:
        """The domain of the next word after `prefix`. Raises IllegalAction as `legal` does."""
        found = self._found.get(prefix)
        if found is not None:
            return found
        state, seat = self._state, self._seat
        if not prefix:
            self._rules = self._game.open_rules(state, seat)
            found = OneOf("kind", tuple(self._rules))
        else:
            known, before = self._rules.get(prefix[0]), self._found.get(prefix[:-1])
            if known is None or before is None or not before.admits(prefix[-1]):
                known = self._game.rule_of(state, seat, prefix)
                found = next_word(known, state, seat, prefix)
                self._rules[prefix[0]] = known
            else:
                found = word_after(known, state, seat, prefix)
        self._found[prefix] = found
        return found


def active_variants(rules: msgspec.Struct) -> tuple[str, ...]:
    """The fields of a table's rules that depart from the default, which is that none applies."""
    return tuple([name for name in rules.__struct_fields__ if getattr(rules, name)])
