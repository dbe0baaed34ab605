"""An invented game with choices of every size: 200 spaces, 400 edges, an amount and long words.

A turn settles a space, paves an edge and chooses an amount. The last turn names four places with
long names. There are no random events and no secrets.
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
    Observer,
    Option,
    Outcome,
    Refusal,
    Seat,
)
from bot.game.events import SeatEvent, kinds_of
from bot.game.game import OVER, Game
from bot.game.grammar import EventRecorder, Rule, rule
from bot.game.hidden import Public, PublicStruct
from bot.render.picture import no_parts
from bot.text.commands import CommandText, GameCommands, OptionText
from bot.text.contract import Label, Unreadable
from bot.text.matching import amount, one_of, tokens
from bot.text.words import msg
from bot.titles import TITLES
from bot.titles.title import Title, Titles
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
MAX_CUBES = 60
PLACES = tuple(
    f"the-house-with-the-green-door-at-the-end-of-lane-{number}" for number in range(1, 13)
)

KINDS = ("settle", "pave", "stock", "tour")


def zone_of(space: str) -> str:
    return next(zone for zone in ZONES if zone[0] == space[0])


BY_PLACE = (Grouping("zone", zone_of), Grouping("row", lambda space: space[1]))
BY_PATH = (Grouping("path", lambda edge: edge.partition("-")[0]),)


class Asking(PublicStruct):
    seat: int


class Settle(Asking, tag="settle"):
    pass


class Pave(Asking, tag="pave"):
    pass


class Stock(Asking, tag="stock"):
    pass


class Tour(Asking, tag="tour"):
    pass


class Over(PublicStruct, tag=OVER):
    pass


TURNS = (*(kind(seat) for seat in (0, 1) for kind in (Settle, Pave, Stock)), Tour(0), Over())


class State(PublicStruct):
    said: Public[list[str]] = msgspec.field(default_factory=list)
    """All actions so far."""
    decision: Public[int] = 0
    round: Public[int] = 1

    @property
    def frames(self) -> Sequence[Asking | Over]:
        return TURNS[len(self.said) :][:1]

    @property
    def players(self) -> range:
        return range(2)

    @property
    def pebbles(self) -> tuple[int, int]:
        """Each seat has half the number of actions."""
        return (len(self.said) // 2,) * 2


class Said(SeatEvent, frozen=True):
    words: tuple[str, ...]


def _free(state: State, words: Sequence[str]) -> tuple[str, ...]:
    """Return the words that no action has used yet."""
    said = {word for line in state.said for word in line.split()}
    return tuple(word for word in words if word not in said)


def _say(kind: str, state: State, seat: Seat, recorder: EventRecorder, *words: str) -> None:
    state.said.append(" ".join((kind, *words)))
    recorder.record(Said(seat=seat, words=(kind, *words)))


def _house(state: State, seat: Seat, *before: str) -> OneOf:
    return OneOf("house", tuple(place for place in _free(state, PLACES) if place not in before))


def _spaces(state: State, seat: Seat) -> OneOf:
    return OneOf("space", _free(state, SPACES), BY_PLACE)


def _edges(state: State, seat: Seat) -> OneOf:
    return OneOf("edge", _free(state, EDGES), BY_PATH)


SETTLE: Rule[State] = (
    rule("settle", "choosing").word("space", _spaces).does(partial(_say, "settle"))
)
PAVE: Rule[State] = rule("pave", "choosing").word("edge", _edges).does(partial(_say, "pave"))
STOCK: Rule[State] = (
    rule("stock", "choosing")
    .amount("cubes", lambda *_: Amount("cubes", 1, MAX_CUBES), 1, MAX_CUBES)
    .does(partial(_say, "stock"))
)
TOUR: Rule[State] = (
    rule("tour", "choosing")
    .word("house", _house)
    .word("then", _house)
    .word("later", _house)
    .word("last", _house)
    .does(partial(_say, "tour"))
)
REST: Rule[State] = rule("rest", "choosing").does(partial(_say, "rest"))


QUESTIONS = {
    "settle": (SETTLE, REST),
    "pave": (PAVE, REST),
    "stock": (STOCK,),
    "tour": (TOUR, REST),
    OVER: (),
}


class Archipelago(Game[State]):
    name, version, seats = "archipelago", 1, (2,)
    options: tuple[Option, ...] = ()
    events = kinds_of(__name__)
    questions = QUESTIONS
    state = State

    def begin(self, seats: int, options: Mapping[str, str], chance: Chance) -> State:
        return State()

    @staticmethod
    def deal(state: State, observer: Observer, rng: Random) -> None:
        """Nothing is hidden."""

    def active_seat(self, state: State) -> Seat | None:
        frame = state.frames[-1]
        return frame.seat if isinstance(frame, Asking) else None

    def choosing(self, state: State) -> Sequence[tuple[Seat, bool]]:
        return ()

    def carry_out(
        self, state: State, seat: Seat, rule: Rule[State], action: Action, recorder: EventRecorder
    ) -> None:
        rule.perform(state, seat, recorder, *action[1:])

    def hand(self, state: State, seat: Seat) -> object:
        return ()

    def outcome(self, state: State) -> Outcome | None:
        return Outcome("said", (0,), (1, 0)) if self.question(state) == OVER else None

    def progress(self, state: State) -> float:
        return [*KINDS, OVER].index(self.question(state)) / len(KINDS)

    def invariants(self, state: State) -> list[str]:
        return []


class ArchipelagoWords(PebblesWords):
    title, version = msg("Archipelago"), "the only rules"

    def label(self, prefix: Action, choices: Choices, word: str) -> Label:
        labels = {
            "zone": Label(f"The {word}", "🏝️"),
            "row": Label(f"Row {word}"),
            "path": Label(f"The {word} path", "🥾"),
            "space": Label(f"Space {word.upper()}"),
            "edge": Label(f"Stretch {word.replace('-', ' ')}"),
            "cubes": Label(f"{word} cubes", "🧊"),
        }
        return labels.get(getattr(choices, "param", ""), Label(word.replace("-", " ").capitalize()))

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
"""All titles of the program, and this one."""
