"""The interface of a game, and the code that all games share.

A game asks one seat a question, or several seats at once for a secret choice; some actions are
free to all seats at any time. The top frame of a state is the current question (bot.game.frames),
and each question has rules that answer it (bot.game.grammar).
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
"""The question after the end of the game, which no rule answers."""


S = TypeVar("S", bound=TurnState)


class Game(ABC, Generic[S]):
    """The rules of a game with state `S`. It is stateless: all tables share one instance."""

    name: str
    """The key in the registry, the log and the commands."""
    version: int
    """The rules version. A table keeps the version it began with."""
    seats: tuple[int, ...]
    """The possible numbers of seats."""
    options: tuple[Option, ...]
    events: Mapping[str, type[Event]]
    """The event classes by `Event.kind`."""
    state: type[S]
    questions: Mapping[str, Sequence[Rule[S]]]
    """By question: the rules that answer it, in display order. If a kind of action answers several
    questions, its first rule provides the `Move`."""
    free: Sequence[Rule[S]] = ()
    """The rules of actions that are possible at any time."""
    deal: Callable[[S, Observer, Random], None]
    """Called with (state, observer, rng). Fills each blank of the observer's state, in place, with
    a value as likely as any other (see bot.game.hidden)."""

    def __init__(self) -> None:
        self._encoder = msgspec.msgpack.Encoder()
        self._decoder = msgspec.msgpack.Decoder(self.state)
        self._hiding = Hiding(self.state)
        self.rules: dict[str, Rule[S]] = {}
        """The first rule of each kind of action."""
        for group in (*self.questions.values(), self.free):
            for rule in group:
                self.rules.setdefault(rule.move.kind, rule)
        self.moves: Mapping[str, Move] = {kind: rule.move for kind, rule in self.rules.items()}
        self.answers = {
            question: {rule.move.kind: rule for rule in group}
            for question, group in self.questions.items()
        }
        """By question and kind of action: the rule."""
        self._gates = {
            question: [(rule.move.kind, rule.gate, rule) for rule in group]
            for question, group in self.questions.items()
        }

    def __repr__(self) -> str:
        return f"<{type(self).__name__}, rules version {self.version}>"

    # Methods that each game implements or overrides

    @abstractmethod
    def begin(self, seats: int, options: Mapping[str, str], chance: Chance) -> S:
        """Return the initial state, at its first question. The options are already checked."""

    @abstractmethod
    def active_seat(self, state: S) -> Seat | None:
        """Return the seat to act; None at the end, or while several seats choose in secret."""

    @abstractmethod
    def choosing(self, state: S) -> Sequence[tuple[Seat, bool]]:
        """Return the seats that choose in secret now, and whether each has chosen."""

    @abstractmethod
    def carry_out(
        self, state: S, seat: Seat, rule: Rule[S], action: Action, recorder: EventRecorder
    ) -> None:
        """Perform a checked action, then everything up to the next question."""

    @abstractmethod
    def outcome(self, state: S) -> Outcome | None:
        """Return the result once the game is over."""

    @abstractmethod
    def progress(self, state: S) -> float:
        """Return about how much of the game is over, from 0 to 1, from public facts alone."""

    @abstractmethod
    def hand(self, state: S, seat: Seat) -> object:
        """Return everything the seat owns, as a comparable value.

        The bot sends the player a private message when another seat's action changes it.
        """

    @abstractmethod
    def invariants(self, state: S) -> list[str]:
        """Return what is wrong with a state; nothing if the rules can lead to it."""

    def question(self, state: S) -> str:
        """Return the kind of the current question; `OVER` at the end."""
        return tag_of(type(state.frames[-1]))

    def free_rules(self, state: S) -> Sequence[Rule[S]]:
        """Return the rules of `free` that may be open to a seat now."""
        return self.free

    def offers(self, state: S) -> tuple[Decision, ...]:
        """Return the offers that have no answer yet, as decisions of the seats to answer."""
        return ()

    def discloses(self, state: S, action: Action) -> bool:
        """Return whether the action, not yet taken, may reveal a secret to another seat.

        All players learn the result, because it decides whether an undo needs their consent. So
        use only what a spectator knows, and no words of the action that a spectator can't see.
        Draws and sealed choices are handled elsewhere. In a game whose pieces are all open when
        they move, the default is right.
        """
        return False

    def round(self, state: S) -> int:
        """Return the number of the round, from 1; 0 before the first."""
        return state.round

    # Methods that all games share

    def setup(self, seats: int, options: Mapping[str, str], chance: Chance) -> S:
        """Return the initial state, at its first question. Raise ValueError for a bad option or
        number of seats."""
        if seats not in self.seats:
            raise ValueError(
                f"{self.name} is for {min(self.seats)} to {max(self.seats)}, not {seats}"
            )
        self.check_options(options)
        return self.begin(seats, options, chance)

    def check_options(self, options: Mapping[str, str]) -> None:
        """Raise ValueError for an unknown option or value."""
        values_of = {option.name: option.values for option in self.options}
        for name, value in options.items():
            if name not in values_of:
                names = ", ".join(values_of)
                raise ValueError(f"{self.name} has no option {name!r}. Choose one of: {names}.")
            if value not in values_of[name]:
                values = ", ".join(values_of[name])
                raise ValueError(f"{self.name} has no {name} {value!r}. Choose one of: {values}.")

    def may_answer(self, state: S, seat: Seat) -> bool:
        """Return whether the seat may answer the current question."""
        active = self.active_seat(state)
        if active is not None:
            return seat == active
        return any(seat == chooser for chooser, _ in self.choosing(state))

    def open_rules(self, state: S, seat: Seat) -> dict[str, Rule[S]]:
        """Return the rules open to the seat by kind: answers to the question, then free actions."""
        question = self.question(state)
        if question == OVER:
            return {}
        gates = self._gates[question] if self.may_answer(state, seat) else ()
        rules = {kind: rule for kind, gate, rule in gates if gate(state, seat) is None}
        for rule in self.free_rules(state):
            if rule.gate(state, seat) is None:
                rules[rule.move.kind] = rule
        return rules

    def pending(self, state: S) -> tuple[Decision, ...]:
        """Return the open decisions.

        Open offers, and sealed choices that are already made, are optional.
        """
        seat, name, kind = self.active_seat(state), str(state.decision), self.question(state)
        if seat is not None:
            return (Decision(name, seat, kind), *self.offers(state))
        missing_first = sorted(self.choosing(state), key=lambda choice: choice[1])
        sealed = [Decision(name, seat, kind, chose, sealed=True) for seat, chose in missing_first]
        return (*sealed, *self.offers(state))

    def rule_of(self, state: S, seat: Seat, action: Action) -> Rule[S]:
        """Return the rule of an action by its kind.

        Raise IllegalAction if the seat can't take an action of this kind now. The gate of the rule
        has not been called yet.
        """
        question = self.question(state)
        rule = self.answers[question].get(action[0]) if action else None
        if rule is not None and self.may_answer(state, seat):
            return rule
        rule = rule or self.rules.get(action[0] if action else "")
        if rule is not None and rule.move.free and question != OVER:
            return rule
        raise IllegalAction(self._why_not(state, seat, action, question, rule), action, seat)

    def _why_not(
        self, state: S, seat: Seat, action: Action, question: str, rule: Rule[S] | None
    ) -> Refusal:
        kind = action[0] if action else ""
        if rule is None:
            return Refusal("unknown_kind", "overview", {"kind": kind})
        if question == OVER:
            return Refusal("game_over", "ending")
        topic = rule.move.topic
        if self.may_answer(state, seat):
            return Refusal("not_now", topic, {"kind": kind, "asked": question})
        active = self.active_seat(state)
        if active is None:
            return Refusal("nothing_asked", topic, {"kind": kind})
        return Refusal("not_your_turn", topic, {"kind": kind, "other": active})

    def legal(self, state: S, seat: Seat, prefix: Action = ()) -> Choices:
        """Return the domain of the next word after `prefix`; `Done` if the action is complete.

        Raise IllegalAction if the prefix is not allowed.
        """
        return self.walk(state, seat)(prefix)

    def walk(self, state: S, seat: Seat) -> Callable[[Action], Choices]:
        """Return `legal` for this state and seat, with a cache. Drop it when the state changes."""
        return Walk(self, state, seat)

    def apply(self, state: S, seat: Seat, action: Action, chance: Chance) -> list[Event]:
        """Carry out the action on `state`, in place, and return its events.

        Raise IllegalAction, with the state unchanged, if it is not allowed.
        """
        rule = self.rule_of(state, seat, action)
        check(rule, state, seat, action)
        recorder = EventRecorder(chance)
        active = self.active_seat(state)
        self.carry_out(state, seat, rule, action, recorder)
        # A sealed choice does not change the questions of others; the game adds 1 when it reveals
        # the choices. A free action counts if another seat is to act after it.
        if active is not None and (not rule.move.free or self.active_seat(state) != active):
            state.decision += 1
        return recorder.events

    def view(self, state: S, observer: Observer) -> View[S]:
        """Return the state as the observer may know it.

        Raise ValueError if the observer is neither `SPECTATOR` nor a seat of this table.
        """
        seats = len(state.players)
        if not (observer == SPECTATOR or 0 <= observer < seats):
            raise ValueError(
                f"there is no observer {observer}: seats are 0..{seats - 1},"
                f" a spectator is {SPECTATOR}"
            )
        return View(observer, self.known(state, observer))

    def known(self, state: S, observer: Observer) -> S:
        """Return a copy of the state with a blank for everything hidden from the observer."""
        copy = self.decode(self.encode(state))
        self._hiding.blank(copy, observer)
        return copy

    def resample(self, state: S, observer: Observer, rng: Random) -> S:
        """Return a random state that the observer can't tell from the real one.

        Raise ValueError if there is no such observer.
        """
        twin = self.view(state, observer).known
        self.deal(twin, observer, rng)
        return twin

    def determinize(self, view: View[S], rng: Random) -> S:
        """Return a random state in which the observer of the view would see the same view.

        It uses nothing but the view. Hidden parts are as likely as the observer can judge; parts
        that only the engine needs, such as the count of decisions, may differ from the real state.
        """
        state = self.decode(self.encode(view.known))
        self.deal(state, view.observer, rng)
        return state

    def encode(self, state: S) -> bytes:
        """Return the state as MessagePack; equal states give equal bytes."""
        return self._encoder.encode(state)

    def decode(self, data: bytes) -> S:
        """Return the state that `encode` wrote. Raise msgspec.DecodeError for other data."""
        return self._decoder.decode(data)


AnyGame = Game[Any]


class Walk(Generic[S]):
    """`Game.legal` for one state and seat, with a cache of all answers.

    Drop it before the state changes. `Game.apply` checks an action without it.
    """

    __slots__ = ("_choices", "_game", "_rules", "_seat", "_state")

    def __init__(self, game: Game[S], state: S, seat: Seat) -> None:
        self._game = game
        self._state = state
        self._seat = seat
        self._choices: dict[Action, Choices] = {}
        self._rules: dict[str, Rule[S]] = {}
        """The rules whose gates let the seat pass, by kind."""

    def __call__(self, prefix: Action = ()) -> Choices:
        """Return the domain of the next word after `prefix`, like `Game.legal`."""
        choices = self._choices.get(prefix)
        if choices is not None:
            return choices
        state, seat = self._state, self._seat
        if not prefix:
            self._rules = self._game.open_rules(state, seat)
            choices = OneOf("kind", tuple(self._rules))
        else:
            rule, before = self._rules.get(prefix[0]), self._choices.get(prefix[:-1])
            if rule is None or before is None or not before.admits(prefix[-1]):
                rule = self._game.rule_of(state, seat, prefix)
                choices = next_word(rule, state, seat, prefix)
                self._rules[prefix[0]] = rule
            else:
                choices = word_after(rule, state, seat, prefix)
        self._choices[prefix] = choices
        return choices


def active_variants(rules: msgspec.Struct) -> tuple[str, ...]:
    """Return the names of the variants that are on: the fields of `rules` that are true."""
    return tuple([name for name in rules.__struct_fields__ if getattr(rules, name)])
