"""What every game promises the rest of the program.

An action is a tuple of words, its kind first: ``("sail", "left", "o")``. A prefix of an action
is an action being built; `Game.legal` tells the domain of its next word. One notation so serves
the log, the buttons, the commands and the computer players of every game.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from random import Random
from typing import Any, Protocol, TypeVar

import msgspec

from bot.game.choices import Choices

Action = tuple[str, ...]
"""Words of an action, the kind first."""

Seat = int
"""A player's place, 0..n-1."""

Observer = int
"""Who looks: a seat, or `SPECTATOR`."""

SPECTATOR: Observer = -1

Fact = str | int | tuple[int, ...] | tuple[str, ...]
"""A value that an event or a refusal carries; its name says how it reads (see `Event`)."""


class Decision(msgspec.Struct, frozen=True):
    """What one seat is being asked now.

    `id` changes whenever an earlier answer would no longer mean the same. `optional` decisions
    hold nobody up: an offer to answer, or a sealed choice that may still be changed. Of a
    `sealed` decision others learn only that it was made.
    """

    id: str
    seat: Seat
    kind: str
    optional: bool = False
    sealed: bool = False


ANSWER = "answer"
"""The kind of an optional decision that is an offer to answer; its id is ``o`` and a number."""

END = "end"
"""The kind of action that ends a turn, in every game that has one."""

ACCEPT = "accept"
"""The kind of action that takes an offer, by its number: ``accept 7`` answers ``o7``."""

DECLINE = "decline"
"""The kind of action that says no to an offer, by its number."""


def offer_of(decision: Decision) -> str:
    """The number, as a word, of the offer that an `ANSWER` is about (``o7`` -> ``7``)."""
    return decision.id.removeprefix("o")


class Event(msgspec.Struct, frozen=True):
    """Something that happened, for those who may know it.

    `only` names the seats that hear it (empty: everyone, spectators too), `but` those that do
    not. A secret and its public twin are two events. Facts are read by name: `seat`, `other` and
    `seats` are seats in every game; each game lists its kinds of event with their facts, which
    are numbers or words of its notation.
    """

    kind: str
    facts: Mapping[str, Fact] = {}
    only: tuple[Seat, ...] = ()
    but: tuple[Seat, ...] = ()

    def heard_by(self, observer: Observer) -> bool:
        """Whether the observer may know of this event."""
        return (not self.only or observer in self.only) and observer not in self.but


class Refusal(msgspec.Struct, frozen=True):
    """Why something is not allowed: a code that bot/text turns into words, and its rule."""

    code: str
    topic: str
    facts: Mapping[str, Fact] = {}


class IllegalAction(Exception):
    """An action that the rules forbid. Nothing has changed."""

    def __init__(self, refusal: Refusal, action: Action = ()) -> None:
        super().__init__(f"{canonical(action)!r}: {refusal.code} ({refusal.topic})")
        self.refusal = refusal
        self.action = action


class Option(msgspec.Struct, frozen=True):
    """A choice made for a table before it starts; `values[0]` is the default."""

    name: str
    values: tuple[str, ...]


class Move(msgspec.Struct, frozen=True):
    """One kind of action as others may list it: parameter names in order, and its rule's topic.

    A `free` move may be made while somebody else is asked, and needs nobody to ask for it. One
    that `offers` puts an `ANSWER` to somebody; promises in words may go with it.
    """

    kind: str
    params: tuple[str, ...]
    topic: str
    free: bool = False
    offers: bool = False


class Outcome(msgspec.Struct, frozen=True):
    """How a game ended: `ending` by kind, winners, and what each seat's points are made of.

    `scores` has one total a seat; `lines` one row an item: its name and the points of each seat.
    """

    ending: str
    winners: tuple[Seat, ...]
    scores: tuple[int, ...]
    lines: tuple[tuple[str, tuple[int, ...]], ...] = ()


class Chance(Protocol):
    """The only source of randomness (see bot.game.chance)."""

    def draw(self, label: str, weights: Sequence[int]) -> int:
        """An index into `weights`, each as likely as its weight; recorded under `label`."""
        ...


S = TypeVar("S")
V_co = TypeVar("V_co", covariant=True)


class Game(Protocol[S, V_co]):
    """The rules of one title. Stateless; `S` is its state, `V` its view."""

    @property
    def name(self) -> str:
        """Its key in the registry, the log and the commands."""
        ...

    @property
    def version(self) -> int:
        """Of the rules; a table keeps the one it began with."""
        ...

    @property
    def seats(self) -> tuple[int, ...]:
        """How many may play."""
        ...

    @property
    def options(self) -> tuple[Option, ...]:
        """What a table may choose."""
        ...

    @property
    def moves(self) -> Mapping[str, Move]:
        """Every kind of action by name."""
        ...

    def setup(self, seats: int, options: Mapping[str, str], chance: Chance) -> S:
        """A new game. Raises ValueError for a wrong number of seats or an unknown option."""
        ...

    def pending(self, state: S) -> tuple[Decision, ...]:
        """What is asked of whom: those everyone waits for first, then the optional ones."""
        ...

    def legal(self, state: S, seat: Seat, prefix: Action = ()) -> Choices:
        """The domain of the next word after `prefix`; `Done` when the action is whole.

        Raises IllegalAction where the prefix itself is not allowed.
        """
        ...

    def apply(self, state: S, seat: Seat, action: Action, chance: Chance) -> list[Event]:
        """Carry the action out on `state`, in place. Raises IllegalAction and changes nothing."""
        ...

    def view(self, state: S, observer: Observer) -> V_co:
        """What the observer may know, built up from nothing."""
        ...

    def hand(self, state: S, seat: Seat) -> object:
        """What the seat owns, as something to compare: it is told when others have changed it."""
        ...

    def discloses(self, state: S, action: Action) -> bool:
        """Whether an action that is about to be taken may tell anybody what was secret to them.

        Its answer must not depend on more than a spectator knows, not even on words of the action
        that a spectator does not hear: all learn by it whether a step can be taken back. Draws
        and sealed choices are judged elsewhere.
        """
        ...

    def resample(self, state: S, observer: Observer, rng: Random) -> S:
        """A random state that this observer cannot tell from the real one."""
        ...

    def outcome(self, state: S) -> Outcome | None:
        """The result, once the game has ended."""
        ...

    def round(self, state: S) -> int:
        """The number of the round, counted from 1; 0 before the first."""
        ...

    def invariants(self, state: S) -> list[str]:
        """What is wrong with a state that the rules can never lead to; empty for a sound one."""
        ...

    def encode(self, state: S) -> bytes:
        """The state as bytes; the same state gives the same bytes."""
        ...

    def decode(self, data: bytes) -> S:
        """The state that `encode` wrote."""
        ...


AnyGame = Game[Any, Any]


def check_table(game: AnyGame, seats: int, options: Mapping[str, str]) -> None:
    """Raises ValueError for a number of seats or an option that the game does not have."""
    if seats not in game.seats:
        raise ValueError(f"{game.name} is for {min(game.seats)} to {max(game.seats)}, not {seats}")
    known = {option.name: option.values for option in game.options}
    for name, value in options.items():
        if value not in known.get(name, ()):
            raise ValueError(f"{game.name} has no option {name!r} = {value!r}")


def canonical(action: Action) -> str:
    """The action as one line, as the log keeps it: words by single spaces, ``-`` for none."""
    return " ".join(word or "-" for word in action)


def parse_action(line: str) -> Action:
    """The action that `canonical` wrote."""
    return tuple("" if word == "-" else word for word in line.split())
