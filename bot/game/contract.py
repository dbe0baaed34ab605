"""The interface of every game for the rest of the program.

An action is a tuple of words, its kind first: ``("sail", "left", "o")``. A prefix of an action is
an action being built; `Game.legal` gives the domain of its next word. So one notation serves the
log, the buttons, the commands and the computer players of every game.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any, ClassVar, Protocol

import msgspec
from msgspec.structs import replace

from bot.game.choices import Domain

Action = tuple[str, ...]
"""Words of an action, the kind first."""

Seat = int
"""A player's place, 0..n-1."""

Observer = int
"""Who looks: a seat, or `SPECTATOR`."""

SPECTATOR: Observer = -1

Fact = str | int | tuple[int, ...] | tuple[str, ...]
"""A value that an event or a refusal carries; its name says how it reads."""


class Decision(msgspec.Struct, frozen=True, repr_omit_defaults=True):
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


class Event(msgspec.Struct, frozen=True, kw_only=True, repr_omit_defaults=True):
    """Something that happened, for those who may know it: the base of every kind of event.

    A kind is a small frozen class with the fields that tell of it, which are numbers or words of
    the game's notation. `only` names the seats that hear it (empty: everyone, spectators too),
    `but` those that do not. A secret and its public twin are two events of two kinds.
    """

    kind: ClassVar[str]
    """The kind in one word, made of the name of its class: ``turn_ended`` for `TurnEnded`."""

    only: tuple[Seat, ...] = ()
    but: tuple[Seat, ...] = ()

    def __init_subclass__(cls, **config: Any) -> None:
        super().__init_subclass__(**config)
        if "kind" not in vars(cls):
            cls.kind = _CAPITAL.sub("_", cls.__name__).lower()

    def visible_to(self, observer: Observer) -> bool:
        """Whether the observer may know of this event."""
        return (not self.only or observer in self.only) and observer not in self.but

    @property
    def facts(self) -> Mapping[str, Fact]:
        """The fields that tell of it by name, in their order, without who hears it."""
        return {name: getattr(self, name) for name in self.__struct_fields__[:-_AUDIENCE]}

    @property
    def by(self) -> Seat | None:
        """The seat that did it, or that it happened to: its `seat`; None where there is none."""
        return getattr(self, "seat", None)

    @property
    def named(self) -> tuple[Seat, ...]:
        """The seats that it tells of: its `seat`, `other` and `seats`, as far as it has them."""
        single = [getattr(self, name) for name in ("seat", "other") if hasattr(self, name)]
        return (*single, *getattr(self, "seats", ()))

    @property
    def offer(self) -> str | None:
        """The number of the offer that it puts before somebody, who is then asked for an answer:
        its `id`."""
        number = getattr(self, "id", None)
        return None if number is None else str(number)


_CAPITAL = re.compile(r"(?<!^)(?=[A-Z])")
_AUDIENCE = len(Event.__struct_fields__)
"""`only` and `but`, which come after the fields of every kind."""


class Refusal(msgspec.Struct, frozen=True, repr_omit_defaults=True):
    """Why something is not allowed: a code that bot/text turns into words, and its rule."""

    code: str
    topic: str
    facts: Mapping[str, Fact] = {}

    def __str__(self) -> str:
        """The code in plain words, with its facts: ``city full (city 4)``."""
        facts = ", ".join(f"{name} {value}" for name, value in self.facts.items())
        return self.code.replace("_", " ") + (f" ({facts})" if facts else "")


class IllegalAction(Exception):
    """An action that the rules forbid. Nothing has changed.

    `seat` wanted it. `choices` are what its word after the last good one can be, where that is
    what is wrong. As text it tells whoever calls the engine all of that, secrets of the seat
    included: ``seat 1 may not "found 12": city must be 0..8``. `bot.text` has words for players.
    """

    def __init__(
        self,
        refusal: Refusal,
        action: Action = (),
        seat: Seat | None = None,
        choices: Domain | None = None,
    ) -> None:
        super().__init__(refusal, action, seat, choices)
        self.refusal = refusal
        self.action = action
        self.seat = seat
        self.choices = choices

    def __str__(self) -> str:
        who = "nobody" if self.seat is None else f"seat {self.seat}"
        can = "" if self.choices is None else f"{self.choices.param} must be {self.choices}"
        # The grammar's own refusals, which name the parameter, say nothing more.
        rest = {name: fact for name, fact in self.refusal.facts.items() if name != "kind"}
        why = "" if can and "param" in rest else str(replace(self.refusal, facts=rest))
        return f'{who} may not "{canonical(self.action)}": {"; ".join(filter(None, (why, can)))}'


class Option(msgspec.Struct, frozen=True):
    """A choice made for a table before it starts; `values[0]` is the default."""

    name: str
    values: tuple[str, ...]


class Move(msgspec.Struct, frozen=True, repr_omit_defaults=True):
    """One kind of action as others may list it: parameter names in order, and its rule's topic.

    A `free` move may be made while somebody else is asked, and needs nobody to ask for it. One
    that `offers` puts an `ANSWER` to somebody; promises in words may go with it. One that `skips`
    gives up a turn in which more could be done; an `idle` one lets what is asked go by without
    changing anything for others. An `on_opening` one, which only draws, is all that its seat can do
    then: it is carried out when the seat opens its panel. `amounts` are the parameters that are
    numbers, with the least and the most that each can ever be.
    """

    kind: str
    params: tuple[str, ...]
    topic: str
    free: bool = False
    offers: bool = False
    skips: bool = False
    amounts: Mapping[str, tuple[int, int]] = {}
    idle: bool = False
    on_opening: bool = False


class Outcome(msgspec.Struct, frozen=True, repr_omit_defaults=True):
    """How a game ended: `ending` by kind, winners, and what each seat's points are made of.

    `scores` has one total a seat; `lines` one row an item: its name and the points of each seat.
    """

    ending: str
    winners: tuple[Seat, ...]
    scores: tuple[int, ...]
    lines: tuple[tuple[str, tuple[int, ...]], ...] = ()

    @property
    def places(self) -> tuple[int, ...]:
        """Each seat's place: the winners share the first, the others follow by their points."""
        worth = [(seat in self.winners, score) for seat, score in enumerate(self.scores)]
        return tuple(1 + sum(other > own for other in worth) for own in worth)


class Chance(Protocol):
    """The only source of randomness (see bot.game.chance)."""

    def draw(self, label: str, weights: Sequence[int]) -> int:
        """An index into `weights`, each as likely as its weight; recorded under `label`."""


THEN = "+"
"""Stands between actions that are meant to be carried out one after the other, by one press."""


def joined(*actions: Action) -> Action:
    """Actions one after the other as one row of words."""
    first, *rest = actions
    return first + tuple(word for action in rest for word in (THEN, *action))


def in_turn(words: Action) -> Sequence[Action]:
    """The actions that were `joined`; of a single one itself."""
    actions: list[Action] = [()]
    for word in words:
        if word == THEN:
            actions.append(())
        else:
            actions[-1] += (word,)
    return actions


def canonical(action: Action) -> str:
    """The action as one line, as the log keeps it: words by single spaces, ``-`` for none."""
    return " ".join(word or "-" for word in action)


def parse_action(line: str) -> Action:
    """The action that `canonical` wrote."""
    return tuple("" if word == "-" else word for word in line.split())
