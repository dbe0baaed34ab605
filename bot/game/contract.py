"""The plain types that all games share: actions, decisions, events, refusals, outcomes.

An action is a tuple of words, its kind first: ``("sail", "left", "o")``. Logs, buttons, commands
and computer players all use this notation. A prefix of an action is an unfinished action, and
`Game.legal` returns the domain of its next word.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any, ClassVar, Protocol

import msgspec
from msgspec.structs import replace

from bot.game.choices import Domain

Action = tuple[str, ...]
"""The words of an action; the first is its kind."""

Seat = int
"""A player's seat, 0..n-1."""

Observer = int
"""A seat, or `SPECTATOR`."""

SPECTATOR: Observer = -1

Fact = str | int | tuple[int, ...] | tuple[str, ...]
"""A value in an event or a refusal. Its name decides how bot/text words it."""


class Decision(msgspec.Struct, frozen=True, repr_omit_defaults=True):
    """An open decision of one seat.

    The `id` changes whenever an answer to the earlier id would be out of date. The game does not
    wait for `optional` decisions: an offer to answer, or a sealed choice that can still be
    changed. Of a `sealed` decision, others see only that it was made.
    """

    id: str
    seat: Seat
    kind: str
    optional: bool = False
    sealed: bool = False


ANSWER = "answer"
"""The kind of an optional decision to answer an offer; its id is ``o`` and the offer's number."""

END = "end"
"""The kind of action that ends a turn, in all games that have one."""

ACCEPT = "accept"
"""The kind of action that accepts an offer by its number: ``accept 7`` answers ``o7``."""

DECLINE = "decline"
"""The kind of action that declines an offer by its number."""


def offer_of(decision: Decision) -> str:
    """Return the number, as a word, of the offer that an `ANSWER` is about (``o7`` -> ``7``)."""
    return decision.id.removeprefix("o")


class Event(msgspec.Struct, frozen=True, kw_only=True, repr_omit_defaults=True):
    """The base class of all events.

    Each kind is a small frozen class. Its fields, the facts, are numbers or words of the game's
    notation. `only` lists the seats that see the event (empty: everyone, spectators too), `but`
    the seats that do not. A secret and its public version are two events of different kinds.
    """

    kind: ClassVar[str]
    """The name of the class in snake case: ``turn_ended`` for `TurnEnded`."""

    only: tuple[Seat, ...] = ()
    but: tuple[Seat, ...] = ()

    def __init_subclass__(cls, **config: Any) -> None:
        super().__init_subclass__(**config)
        if "kind" not in vars(cls):
            cls.kind = _CAPITAL.sub("_", cls.__name__).lower()

    def visible_to(self, observer: Observer) -> bool:
        """Return whether the observer may see this event."""
        return (not self.only or observer in self.only) and observer not in self.but

    @property
    def facts(self) -> Mapping[str, Fact]:
        """All fields by name, in order, except `only` and `but`."""
        return {name: getattr(self, name) for name in self.__struct_fields__[:-_AUDIENCE]}

    @property
    def by(self) -> Seat | None:
        """The `seat` that acted or was affected, if any."""
        return getattr(self, "seat", None)

    @property
    def named(self) -> tuple[Seat, ...]:
        """The seats it mentions: its `seat`, `other` and `seats`, if it has them."""
        single = [getattr(self, name) for name in ("seat", "other") if hasattr(self, name)]
        return (*single, *getattr(self, "seats", ()))

    @property
    def offer(self) -> str | None:
        """The number of the offer it announces, its `id`, if any. Another seat has to answer it."""
        number = getattr(self, "id", None)
        return None if number is None else str(number)


_CAPITAL = re.compile(r"(?<!^)(?=[A-Z])")
_AUDIENCE = len(Event.__struct_fields__)
"""`only` and `but`, which come last in every kind."""


class Refusal(msgspec.Struct, frozen=True, repr_omit_defaults=True):
    """Why an action is not allowed: a code that bot/text turns into words, and the rule's topic."""

    code: str
    topic: str
    facts: Mapping[str, Fact] = {}

    def __str__(self) -> str:
        """Return the code in words, with its facts: ``city full (city 4)``."""
        facts = ", ".join(f"{name} {value}" for name, value in self.facts.items())
        return self.code.replace("_", " ") + (f" ({facts})" if facts else "")


class IllegalAction(Exception):
    """The rules forbid an action of `seat`. Nothing has changed.

    If one of its words is wrong, `choices` is the domain of the first such word. The message is
    for callers of the engine and may contain secrets of the seat: ``seat 1 may not "found 12":
    marker must be 0..8``. `bot.text` has the sentences for players.
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
        subject = "no one" if self.seat is None else f"seat {self.seat}"
        legal = "" if self.choices is None else f"{self.choices.param} must be {self.choices}"
        # A refusal by the grammar has the fact `param` and adds nothing to `legal`.
        rest = {name: fact for name, fact in self.refusal.facts.items() if name != "kind"}
        why = "" if legal and "param" in rest else str(replace(self.refusal, facts=rest))
        reasons = "; ".join(filter(None, (why, legal)))
        return f'{subject} may not "{canonical(self.action)}": {reasons}'


class Option(msgspec.Struct, frozen=True):
    """An option of a table, chosen before it starts. `values[0]` is the default."""

    name: str
    values: tuple[str, ...]


class Move(msgspec.Struct, frozen=True, repr_omit_defaults=True):
    """A kind of action: the names of its parameters in order, and the topic of its rule.

    - `free`: possible at any time, also while another seat is to act.
    - `offers`: makes an offer, so another seat gets an `ANSWER` decision. Players can add promises
      in words.
    - `skips`: gives up a turn although more could be done.
    - `idle`: answers the question without changing anything for others.
    - `on_opening`: only draws, and is the seat's only legal action. The bot takes it when the
      player opens their panel.
    - `amounts`: the parameters that are numbers, with the lowest and highest possible value.
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
    """The result of a game: the kind of `ending`, the winners and the points.

    `scores` has the total of each seat. Each of `lines` is an item of the score: its name and the
    points of each seat.
    """

    ending: str
    winners: tuple[Seat, ...]
    scores: tuple[int, ...]
    lines: tuple[tuple[str, tuple[int, ...]], ...] = ()

    @property
    def places(self) -> tuple[int, ...]:
        """The rank of each seat: the winners share the first, the others follow by points."""
        keys = [(seat in self.winners, score) for seat, score in enumerate(self.scores)]
        return tuple(1 + sum(other > own for other in keys) for own in keys)


class Chance(Protocol):
    """The only source of randomness (see `bot.game.chance`)."""

    def draw(self, label: str, weights: Sequence[int]) -> int:
        """Return an index into `weights`, drawn in proportion to them and recorded as `label`."""


THEN = "+"
"""Separates actions that one button carries out, one after the other."""


def joined(*actions: Action) -> Action:
    """Join actions into one tuple of words, separated by `THEN`."""
    first, *rest = actions
    return first + tuple(word for action in rest for word in (THEN, *action))


def in_turn(words: Action) -> Sequence[Action]:
    """Split the words that `joined` returned into actions. A single action needs no `THEN`."""
    actions: list[Action] = [()]
    for word in words:
        if word == THEN:
            actions.append(())
        else:
            actions[-1] += (word,)
    return actions


def canonical(action: Action) -> str:
    """Return the action as a line of the log: words separated by spaces, ``-`` for an empty one."""
    return " ".join(word or "-" for word in action)


def parse_action(line: str) -> Action:
    """Parse a line that `canonical` wrote."""
    return tuple("" if word == "-" else word for word in line.split())
