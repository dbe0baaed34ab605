"""A made-up game with choices of every size: 200 spaces, 400 edges, an amount, long words.

A turn settles a space, paves an edge, and then says an amount; the last turn names four places
whose names are long. Nothing is drawn and nothing is secret but what somebody has in mind.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from random import Random

import msgspec

from bot.game.choices import Amount, Choices, Grouping, OneOf
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
from bot.game.events import SeatEvent
from bot.game.grammar import EventRecorder, Rule, RuleBuilder, check, next_word, rule
from bot.render.picture import no_parts
from bot.text.commands import CommandText, GameCommands, OptionText
from bot.text.contract import Label, Unreadable
from bot.text.matching import amount, one_of, tokens
from bot.text.words import msg
from bot.titles import TITLES
from bot.titles.title import Title, Titles
from tests.games.pebbles import GAME as PEBBLES
from tests.games.pebbles_titles import PebblesWords, pictures

ZONES = ("north", "east", "south", "west", "middle")
ROWS, IN_ROW = 5, 8
SPACES = tuple(
    f"{zone[0]}{row}{letter}"
    for zone in ZONES
    for row in range(1, ROWS + 1)
    for letter in "abcdefgh"[:IN_ROW]
)
PATHS = ("ridge", "coast", "river", "old")
EDGES = tuple(f"{path}-{number}" for path in PATHS for number in range(1, 101))
MOST = 60
PLACES = tuple(
    f"the-house-with-the-green-door-at-the-end-of-lane-{number}" for number in range(1, 13)
)

KINDS = ("settle", "pave", "stock", "tour")


def zone_of(space: str) -> str:
    """The zone of a space."""
    return next(zone for zone in ZONES if zone[0] == space[0])


BY_PLACE = (Grouping("zone", zone_of), Grouping("row", lambda space: space[1]))
BY_PATH = (Grouping("path", lambda edge: edge.partition("-")[0]),)


class State(msgspec.Struct):
    """What has been said, an action after the other."""

    said: list[str] = []


class View(msgspec.Struct, frozen=True):
    """The same, which everybody knows."""

    said: tuple[str, ...]

    @property
    def pebbles(self) -> tuple[int, int]:
        """Half of it is each one's."""
        return (len(self.said) // 2,) * 2


class Said(SeatEvent, frozen=True):
    """Somebody has said an action."""

    words: tuple[str, ...]


def _gate(state: State, seat: Seat, kind: str) -> Refusal | None:
    asked = pending(state)
    if asked and asked.seat == seat and kind in (asked.kind, "rest"):
        return None if kind != "rest" or asked.kind != "stock" else Refusal("not_now", "turns")
    return Refusal("not_now", "turns")


def pending(state: State) -> Decision | None:
    """Who is asked what; None after two turns and the tour."""
    turn, step = divmod(len(state.said), len(KINDS) - 1)
    if len(state.said) > 2 * (len(KINDS) - 1):
        return None
    kind = "tour" if turn == 2 else KINDS[step]
    return Decision(f"{kind[0]}{len(state.said)}", turn % 2, kind)


def _free(state: State, words: Sequence[str]) -> tuple[str, ...]:
    """What nobody has said yet."""
    said = {word for line in state.said for word in line.split()}
    return tuple(word for word in words if word not in said)


def _say(kind: str, state: State, seat: Seat, recorder: EventRecorder, *words: str) -> None:
    state.said.append(" ".join((kind, *words)))
    recorder.tell(Said(seat=seat, words=(kind, *words)))


def _house(state: State, seat: Seat, *before: str) -> OneOf:
    return OneOf("house", tuple(place for place in _free(state, PLACES) if place not in before))


def _begin(kind: str) -> RuleBuilder[State]:
    return rule(kind, "choosing", lambda state, seat: _gate(state, seat, kind))


def _spaces(state: State, seat: Seat) -> OneOf:
    return OneOf("space", _free(state, SPACES), BY_PLACE)


def _edges(state: State, seat: Seat) -> OneOf:
    return OneOf("edge", _free(state, EDGES), BY_PATH)


_tour = _begin("tour").word("house", _house).word("then", _house).word("later", _house)
RULES: dict[str, Rule[State]] = {
    "settle": _begin("settle").word("space", _spaces).does(partial(_say, "settle")),
    "pave": _begin("pave").word("edge", _edges).does(partial(_say, "pave")),
    "stock": _begin("stock")
    .amount("cubes", lambda *_: Amount("cubes", 1, MOST), 1, MOST)
    .does(partial(_say, "stock")),
    "tour": _tour.word("last", _house).does(partial(_say, "tour")),
    "rest": _begin("rest").does(partial(_say, "rest")),
}


class Archipelago(type(PEBBLES)):  # type: ignore[misc]
    """The rules."""

    name = "archipelago"
    seats = (2,)
    options: tuple[Option, ...] = ()
    events: Mapping[str, type[Event]] = {Said.kind: Said}
    moves: Mapping[str, Move] = {kind: known.move for kind, known in RULES.items()}

    def setup(self, seats: int, options: Mapping[str, str], chance: Chance) -> State:
        return State()

    def pending(self, state: State) -> tuple[Decision, ...]:
        asked = pending(state)
        return () if asked is None else (asked,)

    def legal(self, state: State, seat: Seat, prefix: Action = ()) -> Choices:
        if prefix:
            if prefix[0] not in RULES:
                raise IllegalAction(Refusal("not_now", "turns"), prefix, seat)
            return next_word(RULES[prefix[0]], state, seat, prefix)
        return OneOf("kind", tuple(kind for kind in RULES if not _gate(state, seat, kind)))

    def apply(self, state: State, seat: Seat, action: Action, chance: Chance) -> list[Event]:
        check(RULES[action[0]], state, seat, action)
        recorder = EventRecorder(chance)
        RULES[action[0]].perform(state, seat, recorder, *action[1:])
        return recorder.events

    def view(self, state: State, observer: Observer) -> View:
        return View(tuple(state.said))

    def hand(self, state: State, seat: Seat) -> object:
        return ()

    def resample(self, state: State, observer: Observer, rng: Random) -> State:
        return self.decode(self.encode(state))

    def imagine(self, view: View, rng: Random) -> State:
        return State(list(view.said))

    def outcome(self, state: State) -> Outcome | None:
        return None if pending(state) else Outcome("said", (0,), (1, 0))

    def round(self, state: State) -> int:
        return 1

    def invariants(self, state: State) -> list[str]:
        return []

    def decode(self, data: bytes) -> State:
        return msgspec.msgpack.decode(data, type=State)


class ArchipelagoWords(PebblesWords):
    """A name for every word, and for every group."""

    title, version = msg("Archipelago"), "the only rules"

    def label(self, prefix: Action, choices: Choices, word: str) -> Label:
        named = {
            "zone": Label(f"The {word}", "🏝️"),
            "row": Label(f"Row {word}"),
            "path": Label(f"The {word} path", "🥾"),
            "space": Label(f"Space {word.upper()}"),
            "edge": Label(f"Stretch {word.replace('-', ' ')}"),
            "cubes": Label(f"{word} cubes", "🧊"),
        }
        return named.get(getattr(choices, "param", ""), Label(word.replace("-", " ").capitalize()))

    def prompt(self, prefix: Action, choices: Choices) -> str:
        return f"Which {getattr(choices, 'param', 'end')}?"

    def refusal(self, refusal: Refusal) -> str:
        facts = refusal.facts
        if refusal.code == "out_of_range":
            return f"“{facts['word']}” must be {facts['least']} to {facts['most']}."
        return f"“{facts.get('word', '')}” is {refusal.code}."

    def read(self, choices: Choices, typed: str, prefix: Action) -> str:
        if isinstance(choices, Amount):
            return amount(choices, typed, "choosing")
        if not isinstance(choices, OneOf):
            raise Unreadable(Refusal("unreadable", "choosing", {"word": typed}))
        named = [(word, tokens(self.label(prefix, choices, word).text)) for word in choices.values]
        plain = ((word, tokens(word)) for word in choices.values)
        return one_of(choices, typed, (*plain, *named), "choosing")

    def hand(self) -> str:
        return "nothing of one's own"


GAME = Archipelago()


COMMANDS = GameCommands(
    CommandText(msg("Your moves among the islands"), GAME.name),
    {
        kind: CommandText(
            msg("One of your moves"),
            kind,
            {
                param: OptionText(msg("What you mean"), param, optional=True)
                for param in move.params
            },
        )
        for kind, move in GAME.moves.items()
    },
)

TITLE = Title(
    game=GAME,
    text=ArchipelagoWords,
    commands=COMMANDS,
    pictures=pictures(GAME, 20, no_parts),
)
WITH_IT = Titles((*TITLES.every, TITLE))
"""What the program plays, and this."""
